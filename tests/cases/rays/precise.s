;; Boxes with 17 bits of mantissa and an exponent for each direction. Children lie one behind the other; an instance takes two units. Upper planes are rounded up by less than a bit of
;; the mantissa: the ray of lane 1 runs above 1 by half of that. As a node of eight, with the one behind it.
; source: GPURT (HighPrecisionBoxNode.hlsl); worked by hand
; isa: gfx12
; buffer nodes[4096] = [u32 0xa0000040, 0x82000086, 0x40007f7f, 0xc0000, 0x180030, 0x4000100, 0xc0001000, 0x80030000, 0x100004, 0x200040, 0x30000c00, 0xc00, 0x40001, 0x0, 0x0, 0x0, 0xa0000080, 0x82000095, 0x80007f7f, 0xc0000, 0x280030, 0x4000100, 0xc0000100, 0x60030000, 0x100000, 0x40, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0]
; s[0:3] = bvh(nodes, precise=1)
; s[4:7] = bvh(nodes, precise=1, wide_sort=1)
; v0 = 0
; v1 = 4
; v2 = 1000.0
; v3 = 0xff
; v4 = 0.0
; v5 = f32 [0.0, 0x3f800040, 0x3f800100]
; v6 = 0.0
; v7 = 1.0
; v8 = 0.0
; v9 = 0.0
; v10 = 1.0
; v11 = inf
; v12 = inf
; v13 = 0
; v14 = 3
; exec = 0x7
; expect: v20 = [0x218, 0x218, 0xffffffff]
; expect: v21 = [0x205, 0x205, 0xffffffff]
; expect: v22 = [0x20e, 0x20e, 0xffffffff]
; expect: v23 = [0xffffffff, 0xffffffff, 0xffffffff]
; expect: v30 = [0x40d]
; expect: v31 = [0x218]
; expect: v32 = [0x205]
; expect: v33 = [0x405]
; expect: v34 = [0x20e]
; expect: v35 = [0xffffffff]
image_bvh_intersect_ray v[20:23], [v1, v2, v[4:6], v[7:9], v[10:12]], s[0:3]
v_mov_b32 v1, 0
image_bvh8_intersect_ray v[30:39], [v[0:1], v[2:3], v[4:6], v[7:9], v14], s[4:7]
