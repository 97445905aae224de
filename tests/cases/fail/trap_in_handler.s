;; Nobody says what a trap does in a handler: it stays a trap of the outcome.
; source: by hand, see `wavediff explain --choices`
; isa: gfx600, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; trap_handler: handler
; budget: 1000
; expect: trap s_trap 5 at again
s_trap 1
s_endpgm
.p2align 8
handler:
again: s_trap 5
s_rfe_b64 ttmp[0:1]
