;; A ray enters a box at 1 + 2^-23 and leaves it at 1: by one unit in the last place it is missed. Growing by so many times 2^-24 it is hit from two on;
;; by one, 1 + 2^-24 is rounded back to 1.
; source: GPURT's software path (IntersectCommon.hlsl), worked by hand; arithmetic
; isa: gfx11, gfx12
; buffer nodes[1024] = [u32 8, 0xffffffff, 0xffffffff, 0xffffffff, f32 0x3f800001, -1.0, -1.0, 2.0, 1.0, 1.0]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(nodes, grow=1)
; s[8:11] = bvh(nodes, grow=2)
; v0 = 5
; v1 = 1.0
; v2 = 0.0
; v3 = 0.0
; v4 = 0.0
; v5 = 1.0
; v6 = 0.0
; v7 = 0.0
; v8 = 1.0
; v9 = inf
; v10 = inf
; exec = 0x1
; expect: v20 = [0xffffffff]
; expect: v24 = [0xffffffff]
; expect: v28 = [8]
image_bvh_intersect_ray v[20:23], [v0, v1, v[2:4], v[5:7], v[8:10]], s[0:3]
image_bvh_intersect_ray v[24:27], [v0, v1, v[2:4], v[5:7], v[8:10]], s[4:7]
image_bvh_intersect_ray v[28:31], [v0, v1, v[2:4], v[5:7], v[8:10]], s[8:11]
