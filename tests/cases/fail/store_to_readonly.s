; source: the buffer is read-only
; isa: gfx9
; buffer data[256] readonly
; v[0:1] = address(data)
; expect: trap bad_address at store
store: global_store_dword v[0:1], v2, off
