; source: only the second group leaves its buffer
; isa: gfx9
; grid: 256
; group: 64
; buffer data[256]
; v0 = global.x
; s[0:1] = address(data)
; expect: trap bad_address at load
v_lshlrev_b32 v0, 2, v0
load: global_load_dword v2, v0, s[0:1]
