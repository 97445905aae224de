;; Exceptions that are not enabled stick and trap nobody; those that are enabled later do then.
; source: SI manual 3.10: accumulated regardless of EXCP_EN; the Linux kernel's handler for gfx9 halts waves to prevent re-entry
; isa: gfx6..gfx11
; trap_handler: handler
; budget: 1000
; v1 = 0.0
; v2 = 1.0
; expect: s8 = 1
; expect: s9 = 8
; expect: s10 = 4
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 1
v_rcp_f32_e32 v3, v1
s_mov_b32 s7, 8
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4
s_mov_b32 s7, 9
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_mov_b32 s9, s7
s_getreg_b32 s10, hwreg(HW_REG_TRAPSTS, 0, 7)
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
