;; gfx12 enables exceptions in TRAP_CTRL and keeps them in EXCP_FLAG_USER.
; source: the Linux kernel's handler for gfx12: EXCP_FLAG_USER and TRAP_CTRL; ROCdbgapi: ALU_FLOAT_DIV0 is bit 2 of both
; isa: gfx12
; trap_handler: handler
; budget: 1000
; v1 = 0.0
; expect: s8 = 1
; expect: s9 = 0
; expect: s10 = 4
; expect: v3 = inf
s_setreg_imm32_b32 hwreg(HW_REG_TRAP_CTRL, 0, 7), 4
v_rcp_f32_e32 v3, v1
s_nop 0
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_mov_b32 s9, ttmp1
s_getreg_b32 s10, hwreg(HW_REG_EXCP_FLAG_USER, 0, 7)
s_setreg_imm32_b32 hwreg(HW_REG_EXCP_FLAG_USER, 0, 7), 0
s_rfe_b64 ttmp[0:1]
