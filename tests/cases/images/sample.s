;; One texel or four: texel (x, y) is 64 y + x. Outside, the image is repeated, or its border goes on.
; source: Vulkan's formulas for nearest and linear filters; arithmetic
; isa: gfx6..gfx9, !gfx90a, !gfx940, !gfx941, !gfx942
; buffer texels[4096] = f32 ramp(0.0, 1.0)
; s[8:15] = image(texels, dim=2d, width=64, height=8)
; s[16:19] = sampler(trunc_coord=1)
; s[20:23] = sampler(mag=1, min=1, clamp_x=2, clamp_y=2)
; v0 = f32 [0.25, 0.26562, 1.25, -0.5]
; v1 = f32 [0.5, 0.56, 0.0, 0.0]
; exec = 0xf
; expect: v2 = f32 [272.0, 272.0, 16.0, 32.0]
; expect: v3 = f32 [239.5, 271.25, 63.0, 0.0]
image_sample_lz v2, v[0:1], s[8:15], s[16:19] dmask:0x1
image_sample_lz v3, v[0:1], s[8:15], s[20:23] dmask:0x1
s_waitcnt vmcnt(0)
