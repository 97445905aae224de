;; On gfx12 SCC is put back by STATE_PRIV, which only a handler may write.
; source: the Linux kernel's handler for gfx12: SQ_WAVE_STATE_PRIV_SCC_SHIFT 9, s_setreg_b32 before s_rfe_b64
; isa: gfx12
; trap_handler: handler
; budget: 1000
; s2 = 7
; expect: s4 = 1
; expect: s5 = 0
; expect: s6 = 1
; expect: s7 = 0x200
; expect: s8 = 0
s_cmp_eq_u32 s2, 7
s_trap 1
s_cselect_b32 s4, 1, 0
s_cmp_eq_u32 s2, 8
s_trap 1
s_cselect_b32 s5, 1, 0
s_cmp_eq_u32 s2, 7
s_getreg_b32 s7, hwreg(HW_REG_STATE_PRIV)
s_getreg_b32 s8, hwreg(HW_REG_STATUS, 0, 1)
s_setreg_imm32_b32 hwreg(HW_REG_STATE_PRIV, 9, 1), 0
s_cselect_b32 s6, 1, 0
s_endpgm
.p2align 8
handler:
s_getreg_b32 ttmp2, hwreg(HW_REG_STATE_PRIV)
s_bitcmp1_b32 ttmp2, 9
s_cselect_b32 ttmp3, 0, 1
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_cmp_lg_u32 ttmp3, 0
s_lshr_b32 ttmp2, ttmp2, 9
s_setreg_b32 hwreg(HW_REG_STATE_PRIV, 9, 7), ttmp2
s_rfe_b64 ttmp[0:1]
