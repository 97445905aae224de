;; Directions of 16 bits on gfx10.3: dx dy, dz and 1/dx, 1/dy 1/dz. A triangle takes the direction, a box its inverse. Once as a range, once as a list.
; source: LLVM (legalizeBVHIntersectRayIntrinsic); arithmetic
; isa: gfx1030
; buffer nodes[1024] = [u32 8, 0xffffffff, 0xffffffff, 0xffffffff, f32 2.0, 4.0, 8.0, 3.0, 5.0, 9.0]
; buffer triangle[1024] = [f32 0.0, 0.0, 4.0, 8.0, 0.0, 4.0, 0.0, 8.0, 4.0, u32 0, 0, 0, 0, 0, 0, 0x09]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(triangle)
; v0 = 5
; v1 = 100.0
; v2 = 0.0
; v3 = 0.0
; v4 = 0.0
; v5 = pack(f16 1.0, 2.0)
; v6 = pack(f16 4.0, 1.0)
; v7 = pack(f16 0.5, 0.25)
; v10 = 0
; v11 = 0
; exec = 0x1
; expect: v20 = [8]
; expect: v24 = f32 [-256.0]
; expect: v25 = f32 [-256.0]
; expect: v26 = f32 [-32.0]
; expect: v27 = f32 [-64.0]
image_bvh_intersect_ray v[20:23], v[0:7], s[0:3] a16
image_bvh64_intersect_ray v[24:27], [v10, v11, v1, v2, v3, v4, v5, v6, v7], s[4:7] a16
s_waitcnt vmcnt(0)
