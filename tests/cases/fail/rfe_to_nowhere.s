;; A handler that goes back to where there is no code.
; source: by hand
; isa: gfx600, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; trap_handler: handler
; budget: 1000
; expect: trap bad_pc at leave
s_trap 1
s_endpgm
.p2align 8
handler:
s_add_u32 ttmp0, ttmp0, 0x10000
leave: s_rfe_b64 ttmp[0:1]
