;; A word that is no instruction enters the handler at its own place; the handler goes past it.
; source: RDNA3 manual 3.4.9: ILLEGAL_INST is bit 11 of TRAPSTS, jumps to the handler; the Linux kernel's handler for gfx9
; isa: gfx900, gfx90a, gfx1030, gfx1100
; trap_handler: handler
; budget: 1000
; expect: s6 = 0
; expect: s8 = 1
; expect: s9 = 1
; expect: s11 = 5
s_getpc_b64 s[4:5]
.long 0xbfff0000
s_mov_b32 s11, 5
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_sub_u32 s6, ttmp0, s4
s_getreg_b32 s9, hwreg(HW_REG_TRAPSTS, 11, 1)
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 11, 1), 0
s_and_b32 ttmp1, ttmp1, 0xffff
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
