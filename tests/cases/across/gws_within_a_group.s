;; Two waves of one group, which also meet at the group's own barrier: a wave in a queue is not there yet.
; source: RDNA3 manual 13.4.4; a wave of the group waits at s_barrier until every other one is there
; isa: gfx9..gfx11
; wave: 64
; group: 128
; lds: 64
; s0 = wave
; v0 = 0
; v1 = 17
; m0 = 0x00010000
; expect: v2 = 17
s_cmp_eq_u32 s0, 0
s_cbranch_scc0 other
ds_gws_sema_p gds
s_waitcnt lgkmcnt(0)
ds_write_b32 v0, v1
s_waitcnt lgkmcnt(0)
s_branch meet
other:
ds_gws_sema_v gds
s_waitcnt lgkmcnt(0)
meet:
s_barrier
ds_read_b32 v2, v0
s_waitcnt lgkmcnt(0)
