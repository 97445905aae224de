; source: 1 + 2 + ... + 10
; isa: gfx6..gfx11
; expect: s1 = 55
; expect: s0 = 0
s_movk_i32 s0, 10
s_mov_b32 s1, 0
again:
s_add_u32 s1, s1, s0
s_sub_u32 s0, s0, 1
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 again
