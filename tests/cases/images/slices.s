;; Pipes and banks turn from slice to slice.
; source: AMD's address library: tests/tiling.rs holds such layouts against its addresses
; isa: gfx803
; buffer texels[0x80000] = ramp(0, 1)
; s[8:15] = image(texels, dim=2d_array, format=32_uint, width=64, height=64, layers=4, mode=14)
; v0 = [0, 0, 0, 0]
; v1 = [0, 0, 0, 0]
; v2 = [0, 1, 2, 3]
; exec = 0xf
; expect: v4 = [1, 2, 3, 4]
image_load v4, v[0:2], s[8:15] dmask:0x1 unorm da
s_waitcnt vmcnt(0)
