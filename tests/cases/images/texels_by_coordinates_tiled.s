;; Contents texel by texel: levels and layers of a tiled image, and components by what fields hold and as numbers.
; source: the contents are said by coordinates; where texels lie is compared with AMD's address library in tests/tiling.rs
; isa: gfx1030, gfx11
; buffer texels[1048576] at 0x400000 = texels(image(texels, dim=2d_array, format=8_8_8_8_unorm, width=64, height=32, layers=2, levels=3, mode=27), x, y, z * 4 + level, 0.2)
; s[8:15] = image(texels, dim=2d_array, format=8_8_8_8_unorm, width=64, height=32, layers=2, levels=3, mode=27)
; s[16:23] = image(texels, dim=2d_array, format=8_8_8_8_uint, width=64, height=32, layers=2, levels=3, mode=27)
; v0 = [5, 63, 31, 15]
; v1 = [2, 31, 15, 7]
; v2 = [1, 0, 1, 1]
; v3 = [0, 0, 1, 2]
; exec = 0xf
; expect: v4 = [5, 63, 31, 15]
; expect: v5 = [2, 31, 15, 7]
; expect: v6 = [4, 0, 5, 6]
; expect: v7 = [51, 51, 51, 51]
; expect: v8 = f32 [0.2, 0.2, 0.2, 0.2]
image_load_mip v[4:7], v[0:3], s[16:23] dmask:0xf dim:SQ_RSRC_IMG_2D_ARRAY
image_load_mip v8, v[0:3], s[8:15] dmask:0x8 dim:SQ_RSRC_IMG_2D_ARRAY
s_waitcnt vmcnt(0)
