;; Levels of linear images lie from small to large: 256 bytes of level 1, then the two rows of level 0.
; source: linear layouts of AMD's address library (shared/tiling), arithmetic
; isa: gfx10, gfx11
; buffer texels[4096] = ramp(0, 1)
; s[8:15] = image(texels, dim=2d, format=32_uint, width=64, height=2, levels=2)
; v0 = [5, 5, 31, 32]
; v1 = [0, 1, 0, 0]
; v2 = [1, 0, 1, 1]
; exec = 0xf
; expect: v4 = [5, 133, 31, 0]
image_load_mip v4, v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
s_waitcnt vmcnt(0)
