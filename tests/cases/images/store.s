;; A store writes whole texels: components without a register are 0, and nothing is written outside.
; source: RDNA3 manual, DMASK of stores; arithmetic
; isa: gfx10, gfx11
; buffer texels[1024] = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]
; s[8:15] = image(texels, dim=1d, format=8_8_8_8_unorm, width=3)
; v0 = lane
; v4 = f32 1.0
; v5 = f32 [0.5, 2.0, -1.0, 1.0]
; exec = 0xf
; expect: buffer texels = [0x800000ff, 0xff0000ff, 0x000000ff, 0xffffffff]
image_store v[4:5], v0, s[8:15] dmask:0x9 dim:SQ_RSRC_IMG_1D unorm
s_waitcnt vmcnt(0)
