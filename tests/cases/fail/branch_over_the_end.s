; source: there is no code behind the end
; expect: trap bad_pc
s_branch 100
