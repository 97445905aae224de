;; gfx11 saves the place alone; the exceptions are those of TRAPSTS, enabled by MODE.
; source: RDNA3 manual 3.4.2 and 3.4.9: EXCP_EN 12.., {7'h0, HT, trapID, PC}, float_div0 is bit 2
; isa: gfx11
; trap_handler: handler
; budget: 1000
; v1 = 0.0
; expect: s8 = 1
; expect: s9 = 0
; expect: s10 = 4
; expect: v3 = inf
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4
v_rcp_f32_e32 v3, v1
s_nop 0
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_mov_b32 s9, ttmp1
s_getreg_b32 s10, hwreg(HW_REG_TRAPSTS, 0, 7)
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0
s_rfe_b64 ttmp[0:1]
