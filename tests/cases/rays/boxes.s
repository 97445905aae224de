;; Four boxes along a ray, which enters them at 30, 10, 20 and misses the last: sorted by where it enters, by the longest way
;; through, by the nearest middle, and not at all.
; source: GPURT's software path (IntersectCommon.hlsl), worked by hand; arithmetic
; isa: gfx11
; buffer nodes[1024] = [u32 0x100, 0x108, 0x110, 0x118, f32 30.0, -1.0, -1.0, 35.0, 1.0, 1.0, 10.0, -1.0, -1.0, 40.0, 1.0, 1.0, 20.0, -1.0, -1.0, 22.0, 1.0, 1.0, 1.0, 5.0, 5.0, 2.0, 6.0, 6.0]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(nodes, heuristic=1)
; s[8:11] = bvh(nodes, heuristic=2)
; s[12:15] = bvh(nodes, sort=0)
; v0 = 5
; v1 = 1000.0
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
; expect: v20 = [0x108]
; expect: v21 = [0x110]
; expect: v22 = [0x100]
; expect: v23 = [0xffffffff]
; expect: v24 = [0x108]
; expect: v25 = [0x100]
; expect: v26 = [0x110]
; expect: v27 = [0xffffffff]
; expect: v28 = [0x110]
; expect: v29 = [0x108]
; expect: v30 = [0x100]
; expect: v31 = [0xffffffff]
; expect: v32 = [0x100]
; expect: v33 = [0x108]
; expect: v34 = [0x110]
; expect: v35 = [0xffffffff]
image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]
image_bvh_intersect_ray v[24:27], v[0:10], s[4:7]
image_bvh_intersect_ray v[28:31], v[0:10], s[8:11]
image_bvh_intersect_ray v[32:35], v[0:10], s[12:15]
s_waitcnt vmcnt(0)
