; source: manual: quad permutations and bit masks of DS_SWIZZLE_B32
; isa: gfx6..gfx10
; wave: 64
; m0 = 0xffffffff
; v0 = lane
; expect: v1 = [3, 2, 1, 0, 7, 6, 5, 4]
; expect: v2 = [16, 17, 18]
ds_swizzle_b32 v1, v0 offset:swizzle(QUAD_PERM, 3, 2, 1, 0)
ds_swizzle_b32 v2, v0 offset:swizzle(SWAP, 16)
s_waitcnt lgkmcnt(0)
