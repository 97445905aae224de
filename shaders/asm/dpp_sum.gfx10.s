;; The sum of the lanes of gfx10 and later: exchange within quads, half rows and rows by DPP8 and row_xmask, then rows by
;; v_permlanex16 and readlane.
; source: sums of 0 to 31
; isa: gfx1030, gfx1100, gfx1200
; wave: 32
; v0 = lane
; expect: v9 = 496
; expect: v8 = [120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
;   376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376, 376]
; expect: v7 = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24]
v_mov_b32_dpp v7, v0 dpp8:[7,6,5,4,3,2,1,0]
v_add_nc_u32 v1, v0, v7
v_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
v_add_nc_u32 v1, v1, v2
v_mov_b32_dpp v2, v1 row_xmask:2 row_mask:0xf bank_mask:0xf
v_add_nc_u32 v1, v1, v2
v_mov_b32_dpp v2, v1 row_ror:8 row_mask:0xf bank_mask:0xf
v_add_nc_u32 v8, v1, v2
s_mov_b32 s0, 0x76543210
s_mov_b32 s1, 0xfedcba98
v_permlanex16_b32 v2, v8, s0, s1
v_add_nc_u32 v9, v8, v2
