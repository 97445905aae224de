;; A wave that is alone in its group has no barrier: it is never first, and does not wait.
; source: RDNA4 manual 16.3 (S_BARRIER_SIGNAL_ISFIRST: SCC is 0 where the wave is in no group)
; isa: gfx12
; wave: 32
; scc = 1
; expect: scc = 0
; expect: s1 = 5
; expect: s2 = 0
s_barrier_signal_isfirst -1
; Of its state the manual says nothing: a choice.
s_get_barrier_state s2, -1
s_wait_kmcnt 0x0
s_barrier_wait 0xffff
s_mov_b32 s1, 5
