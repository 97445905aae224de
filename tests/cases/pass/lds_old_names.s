; source: manual: DS_WRITE2 and DS_READ2 count in elements
; isa: gfx6..gfx10
; lds: 1024
; m0 = 0xffffffff
; v0 = ramp(0, 4)
; v1 = ramp(100, 1)
; expect: v2 = [103, 102, 101, 100]
; expect: v[4:5] = [u64 0x6500000064]
; expect: lds[8] = [102, 103]
ds_write_b32 v0, v1
s_waitcnt lgkmcnt(0)
v_sub_f32 v3, v3, v3
v_xor_b32 v3, 12, v0
ds_read_b32 v2, v3
ds_read2_b32 v[4:5], v0 offset0:0 offset1:1
s_waitcnt lgkmcnt(0)
