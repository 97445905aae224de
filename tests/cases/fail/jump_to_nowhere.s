; source: there is no code at 16
; isa: gfx6..gfx11
; s[0:1] = u64 16
; expect: trap bad_pc at here
here: s_setpc_b64 s[0:1]
