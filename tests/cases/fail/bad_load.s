; source: nothing lies 4096 bytes behind the buffer
; isa: gfx9
; buffer data[4]
; v[0:1] = address(data + 4096)
; expect: trap bad_address at load
load: global_load_dword v2, v[0:1], off
s_waitcnt vmcnt(0)
