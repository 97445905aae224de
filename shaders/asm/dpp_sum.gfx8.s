;; The sum of all 64 lanes by DPP: shifts within rows of 16, then broadcasts of row ends; the total is in lane 63.
; source: 0 + 1 + ... + 63 = 2016; lanes 15, 31, 47 hold the sums of their rows and, from 31 on, of those before them
; isa: gfx803
; v0 = lane
; expect: v2 = [_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 120,
;   _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 496,
;   _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 1128,
;   _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 2016]
; expect: s0 = 2016
v_mov_b32 v2, v0
s_nop 1
v_mov_b32 v1, 0
s_nop 1
v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_add_u32 v2, vcc, v2, v1
s_nop 1
v_mov_b32_dpp v1, v2 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_add_u32 v2, vcc, v2, v1
s_nop 1
v_mov_b32_dpp v1, v2 row_shr:4 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_add_u32 v2, vcc, v2, v1
s_nop 1
v_mov_b32_dpp v1, v2 row_shr:8 row_mask:0xf bank_mask:0xf bound_ctrl:0
v_add_u32 v2, vcc, v2, v1
s_nop 1
v_mov_b32 v1, 0
s_nop 1
v_mov_b32_dpp v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf
v_add_u32 v2, vcc, v2, v1
s_nop 1
v_mov_b32 v1, 0
s_nop 1
v_mov_b32_dpp v1, v2 row_bcast:31 row_mask:0xc bank_mask:0xf
v_add_u32 v2, vcc, v2, v1
v_readlane_b32 s0, v2, 63
