; source: nothing lies at 0
; isa: gfx8..gfx11
; expect: trap bad_address at load
load: s_load_dword s2, s[0:1], 0x0
