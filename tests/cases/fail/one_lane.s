; source: only the last lane is out of the buffer
; isa: gfx9
; buffer data[252]
; v0 = ramp(0, 4)
; s[0:1] = address(data)
; expect: trap bad_address at load
load: global_load_dword v2, v0, s[0:1]
