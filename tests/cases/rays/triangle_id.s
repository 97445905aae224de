;; What the id of a triangle says of it: lane 0 has the coordinates of corners 0 and 2 where the others have 1 and 2. In return mode 0 the third word is the id and the
;; fourth says whether the triangle is hit. Behind the beginning of a ray nothing is hit.
; source: GPURT's software path (SwizzleBarycentrics), RDNA3 manual (return modes), worked by hand; arithmetic
; isa: gfx1030, gfx11
; buffer nodes[1024] = [f32 0.0, 0.0, 4.0, 8.0, 0.0, 4.0, 0.0, 8.0, 4.0, u32 0, 0, 0, 0, 0, 0, 0x08]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(nodes, barycentrics=0)
; v0 = 0
; v1 = 1.0
; v2 = 1.0
; v3 = 2.0
; v4 = f32 [0.0, 5.0]
; v5 = 0.0
; v6 = 0.0
; v7 = 1.0
; v8 = inf
; v9 = inf
; v10 = 1.0
; exec = 0x3
; expect: v20 = f32 [-256.0, inf]
; expect: v21 = f32 [-64.0, 1.0]
; expect: v22 = f32 [-40.0]
; expect: v23 = f32 [-16.0]
; expect: v24 = f32 [-256.0, inf]
; expect: v25 = f32 [-64.0, 1.0]
; expect: v26 = [0x8, 0x8]
; expect: v27 = [1, 0]
image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]
image_bvh_intersect_ray v[24:27], v[0:10], s[4:7]
s_waitcnt vmcnt(0)
