; source: manual: row_shl:1 reads the next lane; where there is none, bound_ctrl gives 0
; isa: gfx8..gfx9
; v0 = ramp(1, 1)
; v1 = 99
; v2 = 99
; v3 = 99
; expect: v1 = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 99, 18]
; expect: v2 = [4, 3, 2, 1]
; expect: v3 = [16, 15, 14]
v_mov_b32_dpp v1, v0 row_shl:1 row_mask:0xf bank_mask:0xf
v_mov_b32_dpp v2, v0 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
v_mov_b32_dpp v3, v0 row_mirror row_mask:0xf bank_mask:0xf
