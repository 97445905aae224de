;; Texels as they are: no format has a say, but for how wide they are. Level 0 of one.
; source: manuals: "no format conversion"; arithmetic
; isa: gfx6..gfx8, gfx900, gfx90a, gfx10..gfx12
; buffer texels[256] = [0x85, 0x86]
; s[8:15] = image(texels, dim=1d, format=8_uint, width=8)
; buffer to[256] = [0, 0, 0, 0, 0]
; s[16:23] = image(to, dim=1d, format=32_uint, width=8)
; exec = 0x1
; v0 = 0
; v1 = 0
; v2 = 1
; v3 = 0
; v4 = 2
; v5 = 0
; v6 = 0x12345678
; v7 = 0x9abcdef0
; v16 = 0x55
; v17 = 0x66
; v18 = 3
; expect: v8 = [0x85]
; expect: v9 = [0xffffff85]
; expect: v10 = [0x85]
; expect: v11 = [0xffffff85]
; expect: v12 = [0x85]
; expect: v13 = [0x85]
; expect: buffer to = [0x12345678, 0x9abcdef0, 0x55, 0x66]
.macro texel op, data, at, image
.if .amdgcn.gfx_generation_number >= 12
    image_\op \data, \at, \image dmask:0x1 dim:SQ_RSRC_IMG_1D
.elseif .amdgcn.gfx_generation_number >= 10
    image_\op \data, \at, \image dmask:0x1 dim:SQ_RSRC_IMG_1D unorm
.else
    image_\op \data, \at, \image dmask:0x1 unorm
.endif
.endm
.macro level op, data, x, at, image
.if .amdgcn.gfx_generation_number >= 12
    image_\op \data, [v\x, v\at], \image dmask:0x1 dim:SQ_RSRC_IMG_1D
.elseif .amdgcn.gfx_generation_number >= 10
    image_\op \data, v[\x:\at], \image dmask:0x1 dim:SQ_RSRC_IMG_1D unorm
.else
    image_\op \data, v[\x:\at], \image dmask:0x1 unorm
.endif
.endm
texel load_pck, v8, v0, s[8:15]
texel load_pck_sgn, v9, v0, s[8:15]
level load_mip_pck, v10, 0, 1, s[8:15]
level load_mip_pck_sgn, v11, 0, 1, s[8:15]
texel load, v12, v0, s[8:15]
level load_mip, v13, 0, 1, s[8:15]
texel store_pck, v6, v0, s[16:23]
level store_mip_pck, v7, 2, 3, s[16:23]
level store_mip, v16, 4, 5, s[16:23]
texel store, v17, v18, s[16:23]
