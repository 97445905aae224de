; source: it traps elsewhere
; expect: trap s_trap 3
s_trap 2
