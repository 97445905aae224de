;; Two forks at once: each has a place of its own in the stack of branches.
; source: manual: a fork pushes the side that waits, a join pops it
; isa: gfx6..gfx9
; budget: 1000
; v0 = lane
; expect: v1 = [10, 20, 20, 20, 30, 30]
v_cmp_gt_u32 vcc, 4, v0
s_mov_b32 s40, 0
s_cbranch_i_fork vcc, few
v_mov_b32 v1, 30
s_branch together
few:
s_mov_b32 s41, 1
v_cmp_gt_u32 vcc, 1, v0
s_cbranch_i_fork vcc, one
v_mov_b32 v1, 20
s_branch inner
one:
v_mov_b32 v1, 10
inner:
s_cbranch_join s41
together:
s_cbranch_join s40
