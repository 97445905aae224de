; source: facts: a wave waits until every other one is at the barrier, however long that takes
; isa: gfx9
; group: 128
; lds: 512
; s0 = wave
; v0 = local.x
; expect: v2 = local.x
; expect: v4 = lane
s_movk_i32 s1, 0x1800
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 early
late:
s_sub_u32 s1, s1, 1
s_cmp_lg_u32 s1, 0
s_cbranch_scc1 late
early:
v_lshlrev_b32 v1, 2, v0
ds_write_b32 v1, v0
s_waitcnt lgkmcnt(0)
s_barrier
v_xor_b32 v3, 0x100, v1
ds_read_b32 v2, v3
s_waitcnt lgkmcnt(0)
v_xor_b32 v2, 64, v2
v_and_b32 v4, 63, v2
