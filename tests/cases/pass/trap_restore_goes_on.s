;; Behind the return of gfx8 and gfx9 with a second operand the program goes on.
; source: the Linux kernel's handler for gfx8 goes back to the program by it
; isa: gfx8, gfx9
; trap_handler: handler
; budget: 1000
; expect: s8 = 5
; expect: s10 = 7
s_trap 1
s_mov_b32 s10, 7
s_endpgm
.p2align 8
handler:
s_mov_b32 s8, 5
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_restore_b64 ttmp[0:1], s3
