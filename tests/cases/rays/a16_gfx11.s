;; Directions of 16 bits from gfx11 on: a register for each component, its inverse low. A triangle takes the direction, a box the inverse.
; source: LLVM (legalizeBVHIntersectRayIntrinsic); arithmetic
; isa: gfx11, gfx12
; buffer nodes[1024] = [u32 8, 0xffffffff, 0xffffffff, 0xffffffff, f32 2.0, 4.0, 8.0, 3.0, 5.0, 9.0]
; buffer triangle[1024] = [f32 0.0, 0.0, 4.0, 8.0, 0.0, 4.0, 0.0, 8.0, 4.0, u32 0, 0, 0, 0, 0, 0, 0x09]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(triangle)
; v0 = 5
; v1 = 100.0
; v2 = 0.0
; v3 = 0.0
; v4 = 0.0
; v5 = pack(f16 1.0, 1.0)
; v6 = pack(f16 0.5, 2.0)
; v7 = pack(f16 0.25, 4.0)
; v10 = 0
; v11 = 0
; exec = 0x1
; expect: v20 = [8]
; expect: v24 = f32 [-256.0]
; expect: v25 = f32 [-256.0]
; expect: v26 = f32 [-32.0]
; expect: v27 = f32 [-64.0]
image_bvh_intersect_ray v[20:23], [v0, v1, v[2:4], v[5:7]], s[0:3] a16
image_bvh64_intersect_ray v[24:27], [v[10:11], v1, v[2:4], v[5:7]], s[4:7] a16
