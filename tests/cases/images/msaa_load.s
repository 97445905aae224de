;; Four samples of a texel lie behind each other: those of texel 2 are the words 16 to 19.
; source: manuals: "load up to 4 samples of 1 component"; the block's layout by AMD's address library (shared/tiling)
; isa: gfx1030, gfx11
; buffer texels[4096] = ramp(0, 1)
; s[8:15] = image(texels, dim=2d_msaa, format=32_uint, width=8, height=1, samples=4, mode=24)
; v0 = 2
; v1 = 0
; v2 = 0
; exec = 0x1
; expect: v4 = [16]
; expect: v5 = [17]
; expect: v6 = [18]
; expect: v7 = [19]
// Its text names one register before gfx11.
.if .amdgcn.gfx_generation_number >= 11
    image_msaa_load v[4:7], v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA
.else
    image_msaa_load v4, v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D_MSAA
.endif
