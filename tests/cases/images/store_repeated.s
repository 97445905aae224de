;; Components of a store that no register supplies are the first that one does: of an image that of the lowest bit of DMASK.
; source: Mesa, aco_select_nir_intrinsics.cpp (visit_image_store) leaves out what is like the first component from gfx12 on, zeros before
; isa: gfx12
; buffer texels[1024] = [0x11111111, 0x11111111, 0x11111111, 0x11111111]
; buffer others[1024] = [0x11111111, 0x11111111, 0x11111111, 0x11111111]
; buffer table[64] = [0x22222222, 0x22222222, 0x22222222, 0x22222222]
; s[8:15] = image(texels, dim=1d, format=8_8_8_8_unorm, width=3)
; s[16:23] = image(others, dim=1d, format=8_8_8_8_unorm, width=3)
; s[4:7] = buffer(table, stride=4, format=8_8_8_8_uint)
; v0 = lane
; v4 = f32 1.0
; v5 = f32 [0.5, 2.0, -1.0, 1.0]
; v6 = [0x11, 0x22, 0x33, 0x44]
; v7 = [0x55, 0x66, 0x77, 0x88]
; exec = 0x7
; expect: buffer texels = [0x80ffffff, 0xffffffff, 0x00ffffff, 0x11111111]
; expect: buffer others = [0x80808080, 0xffffffff, 0x00000000, 0x11111111]
; expect: buffer table = [0x11115511, 0x22226622, 0x33337733, 0x22222222]
image_store v[4:5], v0, s[8:15] dmask:0xa dim:SQ_RSRC_IMG_1D
image_store v5, v0, s[16:23] dmask:0x4 dim:SQ_RSRC_IMG_1D
buffer_store_format_xy v[6:7], v0, s[4:7], null idxen
s_wait_storecnt 0x0
