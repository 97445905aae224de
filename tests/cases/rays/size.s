;; The size counts units of 64 bytes, less one. What begins behind it is missed: a box node gives no pointers, a triangle is at infinity. So it is for
;; nodes that only programs know, wherever they are; a tree may begin behind its buffer.
; source: RDNA3 manual (Size); user nodes by GPURT's software path
; isa: gfx1030, gfx11
; buffer nodes[1024] = [u32 8, 0xffffffff, 0xffffffff, 0xffffffff, f32 1.0, -1.0, -1.0, 9.0, 1.0, 1.0]
; s[0:3] = bvh(nodes, size=3)
; s[4:7] = bvh(nodes + 256, size=1)
; v0 = [5, 0x1d, 0x25, 0x25, 0x20, 0x7ffffff6, 0xffffffff]
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
; exec = 0x7d
; expect: v20 = [8, _, 0xffffffff, 0xffffffff, f32 inf, u32 0xffffffff, 0xffffffff]
; expect: v21 = [0xffffffff, _, 0xffffffff, 0xffffffff, f32 1.0, u32 0xffffffff, 0xffffffff]
; expect: v23 = [0xffffffff, _, 0xffffffff, 0xffffffff, 0, 0xffffffff, 0xffffffff]
image_bvh_intersect_ray v[20:23], v[0:10], s[0:3]
s_mov_b64 exec, 0x7c
image_bvh_intersect_ray v[24:27], v[0:10], s[4:7]
s_waitcnt vmcnt(0)
