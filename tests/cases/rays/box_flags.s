;; Flags of boxes: all in the first is opaque, in the second not opaque, in the third triangles, in the fourth what programs intersect. Lane 0 culls
;; what is opaque, 1 what is not, 2 skips triangles, 3 skips what programs intersect, 4 culls what is opaque and takes everything for it. Without pointer_flags nothing is
;; culled.
; source: GPURT's software path (IsChildEarlyCulled), worked by hand
; isa: gfx11
; buffer nodes[1024] = [u32 8, 0x10, 0x18, 0x20, f32 1.0, -1.0, -1.0, 9.0, 1.0, 1.0, 3.0, -1.0, -1.0, 9.0, 1.0, 1.0, 2.0, -1.0, -1.0, 9.0, 1.0, 1.0, 4.0, -1.0, -1.0, 9.0, 1.0, 1.0, u32 0x08040201]
; s[0:3] = bvh(nodes, pointer_flags=1)
; s[4:7] = bvh(nodes)
; v0 = 5
; v1 = [0x10000000, 0x20000000, 0x40000000, 0x80000000, 0x10400000]
; v2 = 1000.0
; v3 = 0.0
; v4 = 0.0
; v5 = 0.0
; v6 = 1.0
; v7 = 0.0
; v8 = 0.0
; v9 = 1.0
; v10 = inf
; v11 = inf
; exec = 0x1f
; expect: v20 = [0x18, 8, 8, 8, 0xffffffff]
; expect: v21 = [0x10, 0x18, 0x10, 0x18, 0xffffffff]
; expect: v22 = [0x20, 0x20, 0x20, 0x10, 0xffffffff]
; expect: v23 = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]
; expect: v24 = [8, 8, 8, 8, 8]
; expect: v25 = [0x18, 0x18, 0x18, 0x18, 0x18]
; expect: v26 = [0x10, 0x10, 0x10, 0x10, 0x10]
; expect: v27 = [0x20, 0x20, 0x20, 0x20, 0x20]
image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[3:5], v[6:8], v[9:11]], s[0:3]
image_bvh64_intersect_ray v[24:27], [v[0:1], v2, v[3:5], v[6:8], v[9:11]], s[4:7]
s_waitcnt vmcnt(0)
