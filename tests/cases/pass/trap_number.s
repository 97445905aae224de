; source: the program asks for it
; expect: trap s_trap 2 at here
s_nop 0
here: s_trap 2
