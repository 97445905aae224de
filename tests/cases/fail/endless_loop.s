; source: it never ends
; budget: 1000
; expect: trap budget
again: s_branch again
