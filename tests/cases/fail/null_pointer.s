; source: nothing lies at 0
; isa: gfx8..gfx9
; expect: trap bad_address at load
load: flat_load_dword v2, v[0:1]
