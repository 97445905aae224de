;; A handler changes SCC and puts it back by STATUS, which only it may write: the program cannot.
; source: the Linux kernel's handlers, which do so before s_rfe_b64; RDNA3 manual 3.4.1: writable when PRIV
; isa: gfx6..gfx11
; trap_handler: handler
; budget: 1000
; s2 = 7
; expect: s4 = 1
; expect: s5 = 0
; expect: s6 = 1
s_cmp_eq_u32 s2, 7
s_trap 1
s_cselect_b32 s4, 1, 0
s_cmp_eq_u32 s2, 8
s_trap 1
s_cselect_b32 s5, 1, 0
s_cmp_eq_u32 s2, 7
s_setreg_imm32_b32 hwreg(HW_REG_STATUS, 0, 1), 0
s_cselect_b32 s6, 1, 0
s_endpgm
.p2align 8
handler:
s_getreg_b32 ttmp2, hwreg(HW_REG_STATUS)
s_bitcmp1_b32 ttmp2, 0
s_cselect_b32 ttmp3, 0, 1
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_cmp_lg_u32 ttmp3, 0
s_setreg_b32 hwreg(HW_REG_STATUS), ttmp2
s_rfe_b64 ttmp[0:1]
