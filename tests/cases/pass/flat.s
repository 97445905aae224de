; source: the contents of the buffer
; isa: gfx8
; buffer data[64] = [u32 0x11, 0x22, 0x33, 0x44]
; v[0:1] = address(data)
; exec = 1
; expect: v5 = [0x22]
; expect: buffer data = [0x11, 0x22, 0x33, 0x55]
flat_load_dwordx4 v[4:7], v[0:1]
s_waitcnt vmcnt(0) lgkmcnt(0)
v_mov_b32 v8, 0x55
v_add_u32 v0, vcc, 12, v0
flat_store_dword v[0:1], v8
