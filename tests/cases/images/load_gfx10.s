;; A texel of the third layer: rows of 256 bytes, slices of two rows, components lowest first; out of range is 0.
; source: linear layouts of AMD's address library (shared/tiling), arithmetic
; isa: gfx10, gfx11
; buffer texels[4096] = ramp(0, 1)
; s[8:15] = image(texels, dim=2d_array, format=8_8_8_8_uint, width=64, height=2, layers=3)
; v0 = lane
; v1 = 1
; v2 = [2, 2, 3, 2]
; exec = 0xf
; expect: v4 = [0x40, 0x41, 0, 0x43]
; expect: v5 = [1, 1, 0, 1]
; expect: v6 = [0, 0, 0, 0]
; expect: v8 = [1, 1, 0, 1]
; expect: v9 = [0, 0, 0, 0]
image_load v[4:6], v[0:2], s[8:15] dmask:0x7 dim:SQ_RSRC_IMG_2D_ARRAY unorm
image_load v[8:9], v[0:2], s[8:15] dmask:0xa dim:SQ_RSRC_IMG_2D_ARRAY unorm
s_waitcnt vmcnt(0)
