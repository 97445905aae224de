;; Boxes with planes of f16, and every rule of the way through: a ray against the order of its planes, one that ends before a box, one that
;; begins in it, one that runs along a plane (0 by infinity does not count), one that only touches it behind the end. The last lane is not
;; active.
; source: GPURT's software path (IntersectCommon.hlsl, BoxNode1_0.hlsl), worked by hand; arithmetic
; isa: gfx1030, gfx11
; buffer nodes[1024] = [u32 8, 0x10, 0x18, 0xffffffff, f16 2.0, -1.0, -1.0, 4.0, 1.0, 1.0, -4.0, -1.0, -1.0, -2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 8.0, 8.0, 8.0, 2.0, -1.0, -1.0, 4.0, 1.0, 1.0]
; s[0:3] = bvh(nodes)
; v0 = 4
; v1 = f32 [100.0, 100.0, 1.0, 100.0, 100.0, 100.0]
; v2 = f32 [0.0, 0.0, 0.0, 3.0, -1.0]
; v3 = f32 [0.5, 0.5, 0.5, -0.5, 0.0]
; v4 = f32 [0.5, 0.5, 0.5, 0.5, 0.0]
; v5 = f32 [1.0, -1.0, 1.0, 1.0, 1.0]
; v6 = 0.0
; v7 = 0.0
; v8 = f32 [1.0, -1.0, 1.0, 1.0, 1.0]
; v9 = inf
; v10 = inf
; exec = 0x1f
; v20 = 7
; v21 = 7
; v22 = 7
; v23 = 7
; expect: v20 = [0x18, 0x18, 0x18, 0x8, 0x18, 7]
; expect: v21 = [0x8, 0x10, 0xffffffff, 0xffffffff, 0x8, 7]
; expect: v22 = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 7]
; expect: v23 = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 7]
image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]
s_waitcnt vmcnt(0)
