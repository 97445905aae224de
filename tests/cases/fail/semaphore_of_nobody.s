;; A wave that waits at a semaphore which no wave of the dispatch will let it pass.
; source: RDNA3 manual 13.4.4: a wave is queued until the counter is above 0
; isa: gfx9..gfx11
; expect: trap deadlock at here
s_mov_b32 m0, 0
s_nop 0
here: ds_gws_sema_p gds
s_waitcnt lgkmcnt(0)
