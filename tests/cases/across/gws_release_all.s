;; All waves that wait at a semaphore pass at once, and nothing is left for who comes later but what is given anew.
; source: RDNA3 manual 13.4.4 (release all: as many as are enqueued are added), CDNA3 manual: it has no effect where none waits
; isa: gfx7..gfx11
; wave: 64
; grid: 192
; group: 64
; s0 = group.x
; m0 = 0
; expect: s1 = 7
s_cmp_eq_u32 s0, 2
s_cbranch_scc1 release
ds_gws_sema_p offset:5 gds
s_waitcnt lgkmcnt(0)
s_branch done
release:
; Resources 6, where nobody waits, and 5.
s_mov_b32 m0, 0x00020000
ds_gws_sema_release_all offset:4 gds
ds_gws_sema_release_all offset:3 gds
s_waitcnt lgkmcnt(0)
done:
s_mov_b32 s1, 7
