;; The same where the flag is one of EXCP_FLAG_PRIV, which only a handler may write.
; source: ROCr's handler for gfx12: SQ_WAVE_EXCP_FLAG_PRIV_MEMVIOL_SHIFT 4
; isa: gfx12
; trap_handler: handler
; budget: 1000
; expect: s8 = 1
; expect: s9 = 0x10
; expect: s10 = 0
; expect: s11 = 5
s_load_b32 s4, s[2:3], 0x0
s_mov_b32 s11, 5
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_getreg_b32 s9, hwreg(HW_REG_EXCP_FLAG_PRIV)
s_lshr_b32 s10, ttmp1, 28
s_setreg_imm32_b32 hwreg(HW_REG_EXCP_FLAG_PRIV, 4, 1), 0
s_rfe_b64 ttmp[0:1]
