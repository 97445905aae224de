; source: it never ends, and takes its time
; isa: gfx1100
; budget: 1000000000000
; timeout: 50
; expect: trap watchdog
again: s_branch again
