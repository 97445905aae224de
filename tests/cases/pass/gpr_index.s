; source: manual: S_SET_GPR_IDX_ON, bit 0 for the first source
; isa: gfx9
; s0 = 2
; v0 = 10
; v2 = 30
; expect: v5 = 30
; expect: v6 = 10
s_set_gpr_idx_on s0, gpr_idx(SRC0)
v_mov_b32 v5, v0
s_set_gpr_idx_off
v_mov_b32 v6, v0
