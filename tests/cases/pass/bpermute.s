; source: manual: the lane is the byte address divided by four; PERMUTE pushes, BPERMUTE pulls
; isa: gfx8..gfx9
; v0 = ramp(252, 0xfffffffc)
; v1 = lane
; expect: v2 = ramp(63, 0xffffffff)
; expect: v3 = ramp(63, 0xffffffff)
ds_bpermute_b32 v2, v0, v1
ds_permute_b32 v3, v0, v1
s_waitcnt lgkmcnt(0)
