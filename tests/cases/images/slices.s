;; Pipes and banks turn from slice to slice.
; source: the rules of AMD's address library (shared/tiling): 16 banks turn by 7 from slice to slice, above 8 pipes; arithmetic
; isa: gfx803
; buffer texels[0x80000] = ramp(0, 1)
; s[8:15] = image(texels, dim=2d_array, format=32_uint, width=64, height=64, layers=4, mode=14)
; v0 = [0, 0, 0, 0]
; v1 = [0, 0, 0, 0]
; v2 = [0, 1, 2, 3]
; exec = 0xf
; expect: v4 = [0, 0x8e00, 0x11c00, 0x18a00]
image_load v4, v[0:2], s[8:15] dmask:0x1 unorm da
s_waitcnt vmcnt(0)
