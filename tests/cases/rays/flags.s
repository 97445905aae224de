;; The flags of a 64-bit pointer. The triangle is met from the side whose denominator is negative: its back. Lane 0: no flags; 1: fronts are culled;
;; 2: backs are culled; 3: turned over, so that the fraction changes its signs; 4: turned over, and fronts are culled; 5: backs are culled, but
;; both sides count; 6: what is not opaque is culled; 7: the same, and everything is opaque; 8: triangles are skipped.
; source: GPURT's software path (PerformTriangleCulling); bit 56 as RADV uses it; worked by hand
; isa: gfx11
; buffer nodes[1024] = [f32 0.0, 0.0, 4.0, 8.0, 0.0, 4.0, 0.0, 8.0, 4.0, u32 0, 0, 0, 0, 0, 0, 0x09]
; s[0:3] = bvh(nodes, pointer_flags=1)
; v0 = 0
; v1 = [0, 0x08000000, 0x04000000, 0x02000000, 0x0a000000, 0x05000000, 0x20000000, 0x20400000, 0x40000000]
; v2 = 1000.0
; v3 = 1.0
; v4 = 2.0
; v5 = 0.0
; v6 = 0.0
; v7 = 0.0
; v8 = 1.0
; v9 = inf
; v10 = inf
; v11 = 1.0
; exec = 0x1ff
; expect: v20 = f32 [-256.0, -256.0, inf, 256.0, inf, -256.0, inf, -256.0, inf]
; expect: v21 = f32 [-64.0, -64.0, 1.0, 64.0, 1.0, -64.0, 1.0, -64.0, 1.0]
; expect: v22 = f32 [-8.0, -8.0, 0.0, -8.0, 0.0, -8.0, 0.0, -8.0, 0.0]
image_bvh64_intersect_ray v[20:23], [v[0:1], v2, v[3:5], v[6:8], v[9:11]], s[0:3]
s_waitcnt vmcnt(0)
