;; The four triangles of a node, which share corners: (0,0,4) (8,0,4) (0,8,4) (8,8,4) (-8,16,4). The corners of the triangles are v0 v1 v2,
;; v1 v3 v2, v2 v3 v4, v2 v4 v0. Each ray comes along z at one of four points. Distance and coordinates are fractions with one denominator.
; source: GPURT's software path (fast_intersect_triangle, SwizzleBarycentrics) and CalcTriangleCompressionVertexIndices, worked by hand; arithmetic
; isa: gfx1030, gfx11
; buffer nodes[1024] = [f32 0.0, 0.0, 4.0, 8.0, 0.0, 4.0, 0.0, 8.0, 4.0, 8.0, 8.0, 4.0, -8.0, 16.0, 4.0, u32 0x09090909]
; s[0:3] = bvh(nodes)
; v0 = lane % 4
; v1 = 1000.0
; v2 = f32 [1.0, 7.0, 0.0, -2.0, 7.0, 1.0, 1.0, 5.0]
; v3 = f32 [2.0, 6.0, 9.0, 8.0, 6.0, 2.0, 2.0, 15.0]
; v4 = 0.0
; v5 = 0.0
; v6 = 0.0
; v7 = 1.0
; v8 = inf
; v9 = inf
; v10 = 1.0
; exec = 0xff
; expect: v20 = f32 [-256.0, -256.0, -256.0, -256.0, inf, inf, inf, inf]
; expect: v21 = f32 [-64.0, -64.0, -64.0, -64.0, 1.0, 1.0, 1.0, 1.0]
; expect: v22 = f32 [-8.0, -40.0, -8.0, -16.0]
; expect: v23 = f32 [-16.0, -8.0, -8.0, -16.0]
image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]
s_waitcnt vmcnt(0)
