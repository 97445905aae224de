;; The index alone, while the mode is on.
; source: manual: S_SET_GPR_IDX_IDX writes M0[7:0]
; isa: gfx8..gfx9
; v1 = 11
; v3 = 33
; expect: v5 = 33
s_mov_b32 s0, 0
s_mov_b32 s1, 2
s_set_gpr_idx_on s0, gpr_idx(SRC0)
s_set_gpr_idx_idx s1
v_mov_b32 v5, v1
s_set_gpr_idx_off
