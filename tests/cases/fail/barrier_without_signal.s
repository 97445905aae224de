;; Waves that wait at a barrier to which one of them has not come, and will not come.
; source: RDNA4 manual 5.6: a barrier is complete when all waves have signalled or terminated
; isa: gfx12
; wave: 32
; group: 64
; s0 = group.wave
; expect: trap deadlock at here
s_cmp_eq_u32 s0, 0
s_cbranch_scc1 here
s_barrier_signal -1
here: s_barrier_wait 0xffff
