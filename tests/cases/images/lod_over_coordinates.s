;; The result lies where the coordinates were, which all lanes of a quad look at: lanes are 4 texels apart along x, 8 along y.
; source: Vulkan's formula for the level of detail: the logarithm of the longer way, log2(8)
; isa: gfx6..gfx12, !gfx90a, !gfx940, !gfx941, !gfx942
; buffer texels[4096] = f32 ramp(0.0, 1.0)
; s[8:15] = image(texels, dim=2d, width=64, height=8)
; s[16:19] = sampler()
; v0 = f32 ramp(0.0, 0.0625)
; v1 = 0.25
; expect: v0 = 0.0
; expect: v1 = 3.0
.if .amdgcn.gfx_generation_number >= 12
    image_get_lod v[0:1], [v0, v1], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_2D
.elseif .amdgcn.gfx_generation_number >= 10
    image_get_lod v[0:1], v[0:1], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_2D
.else
    image_get_lod v[0:1], v[0:1], s[8:15], s[16:19] dmask:0x3
.endif
