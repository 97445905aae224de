;; The return of gfx8 and gfx9 with a second operand: through which translation instructions are fetched.
; source: the Linux kernel's handler for gfx8 goes back to the program by it; Vega manual: PC = S0, INST_ATC = S1[0]
; isa: gfx8, gfx9
; trap_handler: handler
; budget: 1000
; s3 = 1
; expect: s8 = 5
; expect: s9 = 0
s_trap 1
s_getreg_b32 s9, hwreg(HW_REG_STATUS, 5, 1)
s_endpgm
.p2align 8
handler:
s_mov_b32 s8, 5
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_restore_b64 ttmp[0:1], s3
