;; Three components go through the curve of sRGB, the last one does not; a store goes the way back.
; source: IEC 61966-2-1: ((c + 0.055) / 1.055)^2.4, c / 12.92 where that is small; arithmetic
; isa: gfx10, gfx11
; buffer texels[256] = [0x80ff8000, 0x00000a01]
; s[8:15] = image(texels, dim=1d, format=8_8_8_8_srgb, width=2)
; v0 = lane
; exec = 0x3
; expect: v4 = f32 [0.0, 0.00030352698], ulp(1)
; expect: v5 = f32 [0.21586050, 0.0030352698], ulp(1)
; expect: v6 = f32 [1.0, 0.0], ulp(1)
; expect: v7 = f32 [0.50196078, 0.0], ulp(1)
; expect: buffer texels = [0x80ff8000, 0x00000a01, 0, 0]
image_load v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm
s_waitcnt vmcnt(0)
image_store v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_1D unorm
s_waitcnt vmcnt(0)
