;; Where the image ends, the border colour begins; half of it is blended at the edge.
; source: Vulkan's formulas for linear filters and borders; arithmetic
; isa: gfx10, gfx11
; buffer texels[4096] = f32 ramp(0.0, 1.0)
; s[8:15] = image(texels, dim=1d, width=16)
; s[16:19] = sampler(mag=1, min=1, clamp_x=6, border=2)
; v0 = f32 [-0.5, 0.0, 1.0]
; exec = 0x7
; expect: v2 = f32 [1.0, 0.5, 8.0]
image_sample_lz v2, v0, s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_1D
s_waitcnt vmcnt(0)
