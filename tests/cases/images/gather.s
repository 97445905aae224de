;; The four texels around a point, from below left against the clock: (0, 1), (1, 1), (1, 0), (0, 0). Then the same, compared.
; source: Vulkan: the order of gathers; arithmetic
; isa: gfx10, gfx11
; buffer texels[4096] = f32 ramp(0.0, 0.0078125)
; s[8:15] = image(texels, dim=2d, width=64, height=8)
; s[16:19] = sampler(compare=1)
; v0 = f32 0.26
; v1 = f32 0.52
; v2 = f32 0.26
; v3 = f32 0.52
; exec = 0x1
; expect: v4 = [f32 2.125]
; expect: v5 = [f32 2.1328125]
; expect: v6 = [f32 1.6328125]
; expect: v7 = [f32 1.625]
; expect: v8 = [f32 1.0]
; expect: v9 = [f32 1.0]
; expect: v10 = [f32 0.0]
; expect: v11 = [f32 0.0]
image_gather4_lz v[4:7], v[0:1], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D
v_mov_b32 v1, v0
v_mov_b32 v2, v3
v_mov_b32 v0, 2.0
image_gather4_c_lz v[8:11], v[0:2], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D
s_waitcnt vmcnt(0)
