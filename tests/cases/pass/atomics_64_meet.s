; source: two waves of 64 lanes add 1 to one place, in memory and in LDS
; isa: gfx9
; lds: 16
; group: 128
; buffer data[8] = [u32 0xfffffff0, 0]
; v[0:1] = address(data)
; v2 = 1
; v3 = 0
; v4 = 8
; expect: buffer data = [0x70, 1]
; expect: lds = [0, 0, 128, 0]
global_atomic_add_x2 v[0:1], v[2:3], off
ds_add_u64 v4, v[2:3]
s_waitcnt vmcnt(0) lgkmcnt(0)
