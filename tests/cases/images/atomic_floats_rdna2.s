;; Floats: the less and the greater one, and one that takes the place of another. What was there comes back.
; source: manuals: min, max and compare of floats; arithmetic
; isa: gfx1030
; buffer words[256] = [f32 2.0, f32 2.0, f32 2.0, 0x64]
; s[8:15] = image(words, dim=1d, format=32_float, width=8)
; exec = 0x1
; v40 = 0
; v41 = 1
; v42 = 2
; v2 = f32 1.5
; v4 = f32 1.5
; v6 = f32 9.0
; v7 = f32 2.0
; expect: v2 = [f32 2.0]
; expect: v4 = [f32 2.0]
; expect: v6 = [f32 2.0]
; expect: buffer words = [f32 1.5, f32 2.0, f32 9.0, 0x64]
image_atomic_fmin v2, v40, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm glc
image_atomic_fmax v4, v41, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm glc
image_atomic_fcmpswap v[6:7], v42, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm glc
s_waitcnt vmcnt(0)
