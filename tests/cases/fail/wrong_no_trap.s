; source: nothing traps
; expect: trap budget
s_nop 0
