; source: there is no code behind the end
; expect: trap bad_pc at here
here:
s_branch 100
