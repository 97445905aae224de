;; Floats: the less and the greater one, and one that takes the place of another. What was there comes back.
; source: manuals: min, max and compare of floats; arithmetic
; isa: gfx6, gfx7
; buffer words[256] = [f32 2.0, f32 2.0, f32 2.0, 0x64]
; s[8:15] = image(words, dim=1d, format=32_float, width=8)
; s[16:23] = image(words, dim=1d, format=32_uint, width=8)
; exec = 0x1
; v40 = 0
; v41 = 1
; v42 = 2
; v43 = 3
; v2 = f32 1.5
; v4 = f32 1.5
; v6 = f32 9.0
; v7 = f32 2.0
; v8 = 7
; expect: v2 = [f32 2.0]
; expect: v4 = [f32 2.0]
; expect: v6 = [f32 2.0]
; expect: v8 = [100]
; expect: buffer words = [f32 1.5, f32 2.0, f32 9.0, 0xffffffa3]
image_atomic_fmin v2, v40, s[8:15] dmask:0x1 unorm glc
image_atomic_fmax v4, v41, s[8:15] dmask:0x1 unorm glc
image_atomic_fcmpswap v[6:7], v42, s[8:15] dmask:0x3 unorm glc
image_atomic_rsub v8, v43, s[16:23] dmask:0x1 unorm glc
s_waitcnt vmcnt(0)
