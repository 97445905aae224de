;; An exception that the handler leaves standing enters it again, without end.
; source: the Linux kernel's handlers: "if not caused by trap then halt wave to prevent re-entry"
; isa: gfx900, gfx1030, gfx1100
; trap_handler: handler
; budget: 100
; v1 = 0.0
; expect: trap budget
; expect: s7 = 0
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4
v_rcp_f32_e32 v3, v1
s_mov_b32 s7, 5
s_endpgm
.p2align 8
handler:
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
