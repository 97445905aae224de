;; Sizes are halved and cut, but never 0; the number of levels is that of the view.
; source: Mesa: what drivers compute of a T#; arithmetic
; isa: gfx6..gfx8, gfx900, gfx90a, gfx10..gfx12
; buffer texels[256]
; s[8:15] = image(texels, dim=3d, width=37, height=21, depth=6, levels=6)
; v0 = [0, 1, 5]
; exec = 0x7
; expect: v4 = [37, 18, 1]
; expect: v5 = [21, 10, 1]
; expect: v6 = [6, 3, 1]
; expect: v7 = [6, 6, 6]
.if .amdgcn.gfx_generation_number >= 12
    image_get_resinfo v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D
.elseif .amdgcn.gfx_generation_number >= 10
    image_get_resinfo v[4:7], v0, s[8:15] dmask:0xf dim:SQ_RSRC_IMG_3D unorm
.else
    image_get_resinfo v[4:7], v0, s[8:15] dmask:0xf unorm
.endif
