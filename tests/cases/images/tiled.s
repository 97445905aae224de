;; Texels of blocks of 64 KB: bits 8 and 9 of the offset are x3 and y3 there. Pipe and bank bits of the base address are XORed to it; and
;; where levels are small they share a block, in which each has a place of its own.
; source: the bits of 64KB_R_X and the mip tails of AMD's address library (shared/tiling), GB_ADDR_CONFIG 0; arithmetic
; isa: gfx1030..gfx1036
; buffer texels[0x10000] = ramp(0, 1)
; s[8:15] = image(texels + 256, format=32_uint, width=16, height=16, mode=27)
; s[16:23] = image(texels, format=32_uint, width=16, height=16, mode=27, levels=2)
; v0 = [0, 8, 0, 1]
; v1 = [0, 0, 8, 1]
; v2 = [0, 1, 0, 1]
; exec = 0xf
; expect: v4 = [0x40, 0, 0xc0, 0x45]
; expect: v6 = [0x1000, 0x2000, 0x1000, 0x2000]
image_load v4, v[0:1], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
v_mov_b32 v0, 0
v_mov_b32 v1, 0
image_load_mip v6, v[0:2], s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_2D unorm
s_waitcnt vmcnt(0)
