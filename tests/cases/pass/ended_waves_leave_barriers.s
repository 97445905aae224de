; source: facts: a wave that has ended no longer counts at a barrier
; isa: gfx9, gfx10
; wave: 64
; group: 192
; s0 = wave
; expect: s1 = 1
s_mov_b32 s1, 1
s_cmp_eq_u32 s0, 1
s_cbranch_scc1 done
s_barrier
done:
