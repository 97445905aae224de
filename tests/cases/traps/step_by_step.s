;; MODE.DEBUG makes every instruction trap but the last one; the handler counts them.
; source: SI manual 3.5 and RDNA3 manual 3.4.2: DEBUG, TRAP_AFTER_INST, bit 11: after each instruction, not after ENDPGM
; isa: gfx6..gfx11
; trap_handler: handler
; budget: 1000
; expect: s8 = 4
; expect: s7 = 3
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 11, 1), 1
s_mov_b32 s7, 1
s_add_u32 s7, s7, 1
s_add_u32 s7, s7, 1
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
