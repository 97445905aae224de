;; An instance among packed nodes: its four boxes are met in its own space; the low bytes of their pointers are returned in order, 0xff for what is missed. Lane 1 does not see it.
; source: GPURT (rtip3_opcode_emulation.hlsl); worked by hand
; isa: gfx12
; buffer nodes[4096] = [u32 0x3f800000, 0x0, 0x0, 0x0, 0x0, 0x3f800000, 0x0, 0x41a40000, 0x0, 0x0, 0x3f800000, 0x41200000, 0x4560, 0x0, 0x99, 0xff000007, 0x0, 0x0, 0x0, 0x208b8b8b, 0x64, 0xff0c7000, 0x15ffffff, 0x32, 0xff03b000, 0x10ffffff, 0xbb800a, 0xff00c000, 0x10ffffff, 0x0, 0x0, 0x0]
; s[0:3] = bvh(nodes, compressed=1, wide_sort=1)
; v0 = 0
; v1 = 0
; v2 = 1000.0
; v3 = [1, 0]
; v4 = 0.0
; v5 = 0.0
; v6 = 0.0
; v7 = 1.0
; v8 = 0.0
; v9 = 0.0
; v10 = 6
; exec = 0x3
; expect: v22 = [0x4560, 0x4560]
; expect: v23 = [0, 0]
; expect: v26 = [7, 7]
; expect: v27 = [0xffff0500, 0xffffffff]
; expect: v4 = f32 [0.0, 0.0]
; expect: v5 = f32 [20.5, 0.0]
; expect: v6 = f32 [10.0, 0.0]
image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:3]
