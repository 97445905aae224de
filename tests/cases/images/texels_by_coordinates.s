;; Contents texel by texel: a load finds what its coordinates say, in a slice of a linear image.
; source: the contents are said by coordinates; rows of 64 words that lie behind each other say the same (`s2`: row 2, texel 5)
; isa: gfx6..gfx12, !gfx940, !gfx941, !gfx942
; buffer texels[8192] = texels(image(texels, dim=3d, format=32_uint, width=64, height=4, depth=3), x + y * 256 + z * 65536)
; s[0:1] = address(texels)
; s[8:15] = image(texels, dim=3d, format=32_uint, width=64, height=4, depth=3)
; v0 = [5, 0, 63, 7]
; v1 = [2, 0, 3, 1]
; v2 = [1, 0, 2, 2]
; exec = 0xf
; expect: v4 = [0x10205, 0, 0x2033f, 0x20107]
; expect: s2 = 0x205
.if .amdgcn.gfx_generation_number >= 12
    image_load v4, [v0, v1, v2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_3D
.elseif .amdgcn.gfx_generation_number >= 10
    image_load v4, v[0:2], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_3D
.else
    image_load v4, v[0:3], s[8:15] dmask:0x1 unorm
.endif
.if .amdgcn.gfx_generation_number >= 8
    s_load_dword s2, s[0:1], 0x214
.else
    s_load_dword s2, s[0:1], 0x85
.endif
s_waitcnt 0
