; source: facts: a wave waits until every other one is at the barrier, and one that traps never is
; isa: gfx9, gfx10
; wave: 64
; group: 128
; s0 = wave
; expect: trap s_trap 1 at second
s_cmp_eq_u32 s0, 1
s_cbranch_scc1 second
s_barrier
s_mov_b32 s1, 1
s_endpgm
second:
s_trap 1
