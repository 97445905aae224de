;; The address of gfx12 is a list of registers.
; source: linear layouts of AMD's address library (shared/tiling), arithmetic
; isa: gfx12
; buffer texels[4096] = f32 ramp(0.0, 1.0)
; s[8:15] = image(texels, dim=2d, width=64, height=8)
; s[16:19] = sampler(mag=1, min=1)
; v0 = lane
; v9 = 3
; v2 = f32 0.25
; v7 = f32 0.5
; exec = 0xf
; expect: v4 = f32 [192.0, 193.0, 194.0, 195.0]
; expect: v5 = f32 [239.5, 239.5, 239.5, 239.5]
image_load v4, [v0, v9], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D
image_sample_lz v5, [v2, v7], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D
s_wait_loadcnt 0
s_wait_samplecnt 0
