; source: manual: the side with fewer lanes runs first, the join takes up the other one
; isa: gfx6..gfx9
; budget: 1000
; v0 = lane
; expect: v1 = [10, 10, 10, 20, 20, 20]
; expect: s41 = 12
; expect: exec = 0xfffffffffffffff8
v_cmp_gt_u32 vcc, 3, v0
s_mov_b32 s40, 0
s_cbranch_i_fork vcc, few
v_mov_b32 v1, 20
s_lshl_b32 s41, s41, 1
s_branch together
few:
v_mov_b32 v1, 10
s_add_u32 s41, s41, 6
together:
s_cbranch_join s40
