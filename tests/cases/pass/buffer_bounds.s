; source: manual: loads out of range give 0, stores nothing
; isa: gfx6..gfx11
; buffer data[16] = [1, 2, 3, 4]
; s[4:7] = buffer(data)
; v0 = ramp(0, 4)
; v1 = 9
; exec = 0xffff
; expect: v2 = [1, 2, 3, 4, 0, 0, 0, 0]
; expect: buffer data = [9, 9, 9, 9]
buffer_load_dword v2, v0, s[4:7], 0 offen
s_waitcnt vmcnt(0)
buffer_store_dword v1, v0, s[4:7], 0 offen
