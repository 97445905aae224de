;; Two nodes of a tree for one ray: four boxes each, sorted together if the tree says so; a triangle, and the number of its geometry; an instance, to
;; whose space the ray is brought, and which is passed by where the masks have nothing in common (lane 1).
; source: RDNA4 manual (IMAGE_BVH_DUAL_INTERSECT_RAY), GPURT (rtip3_opcode_emulation.hlsl); worked by hand
; isa: gfx12
; buffer nodes[4096] = [u32 0x100, 0x108, 0xffffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0xbf800000, 0x40000000, 0x3f800000, 0x3f800000, 0x40a00000, 0xbf800000, 0xbf800000, 0x40c00000, 0x3f800000, 0x3f800000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x200, 0x208, 0xffffffff, 0xffffffff, 0x40400000, 0xbf800000, 0xbf800000, 0x40800000, 0x3f800000, 0x3f800000, 0x3f000000, 0xbf800000, 0xbf800000, 0x3f400000, 0x3f800000, 0x3f800000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x40800000, 0xc0800000, 0xc0800000, 0x40800000, 0x40800000, 0xc0800000, 0x40800000, 0xc0800000, 0x40800000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x4d, 0x9, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x40000000, 0x0, 0x0, 0x41200000, 0x0, 0x40000000, 0x0, 0x41a00000, 0x0, 0x0, 0x40000000, 0x41f00000, 0x1230, 0x2000000, 0x45, 0xff123456]
; s[0:3] = bvh(nodes)
; s[4:7] = bvh(nodes, wide_sort=1)
; s[8:11] = bvh(nodes, instances=0)
; v0 = 0
; v1 = 0
; v2 = 100.0
; v3 = [0x80, 0]
; v4 = 0.0
; v5 = 0.0
; v6 = 0.0
; v7 = 1.0
; v8 = 0.0
; v9 = 0.0
; v10 = 5
; v11 = 0x15
; v12 = 0x20
; v13 = 0xffffffff
; v14 = 0x36
; v15 = 0x15
; exec = 0x3
; expect: v20 = [0x100, 0x100]
; expect: v21 = [0x108]
; expect: v22 = [0xffffffff]
; expect: v23 = [0xffffffff]
; expect: v24 = [0x208]
; expect: v25 = [0x200]
; expect: v26 = [0xffffffff]
; expect: v28 = [0xffffffff]
; expect: v29 = [0xffffffff]
; expect: v30 = [0x208]
; expect: v31 = [0x100]
; expect: v32 = [0x200]
; expect: v33 = [0x108]
; expect: v34 = [0xffffffff]
; expect: v40 = f32 [-256.0]
; expect: v41 = f32 [-64.0]
; expect: v42 = f32 [-32.0]
; expect: v43 = f32 [-32.0]
; expect: v44 = [0xffffffff]
; expect: v48 = [77]
; expect: v49 = [0xffffffff]
; expect: v60 = [0xffffffff]
; expect: v64 = [0x208]
; expect: v65 = [0x200]
; expect: v52 = [0x1230, 0x1230]
; expect: v53 = [0x02000000, 0x02000000]
; expect: v56 = [0x123456]
; expect: v57 = [0x45, 0xffffffff]
; expect: v4 = f32 [10.0, 0.0, 0.0]
; expect: v5 = f32 [20.0, 0.0]
; expect: v6 = f32 [30.0, 0.0]
; expect: v7 = f32 [2.0, 1.0]
; expect: v8 = f32 [0.0, 0.0]
image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[0:3]
image_bvh_dual_intersect_ray v[30:39], [v[0:1], v[2:3], v[4:6], v[7:9], v[10:11]], s[4:7]
image_bvh_dual_intersect_ray v[40:49], [v[0:1], v[2:3], v[4:6], v[7:9], v[12:13]], s[0:3]
image_bvh_dual_intersect_ray v[60:69], [v[0:1], v[2:3], v[4:6], v[7:9], v[14:15]], s[8:11]
image_bvh_dual_intersect_ray v[50:59], [v[0:1], v[2:3], v[4:6], v[7:9], v[14:15]], s[0:3]
