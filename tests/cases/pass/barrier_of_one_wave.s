;; A wave that is alone in its group has no barrier: it is never first, and does not wait.
; source: RDNA4 manual 16.3 (S_BARRIER_SIGNAL_ISFIRST: SCC is 0 where the wave is in no group)
; isa: gfx12
; wave: 32
; scc = 1
; expect: scc = 0
; expect: s1 = 5
s_barrier_signal_isfirst -1
s_barrier_wait 0xffff
s_mov_b32 s1, 5
