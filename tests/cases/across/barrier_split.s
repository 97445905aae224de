;; A barrier of gfx12 in two parts: who signals first is told so, the state counts signals and members, who waits behind the completion passes, and
;; who has ended is no member. The first wave signals for both, so that all of it is in order.
; source: RDNA4 manual 5.6 and 16.3 (S_BARRIER_SIGNAL_ISFIRST, S_GET_BARRIER_STATE: {signals [22:16], members [10:4], valid [0]}; -2 is the trap handler's, 0 is none)
; isa: gfx12
; wave: 32
; group: 64
; s0 = wave
; v0 = 7
; expect: v0 = 7
; expect: s1 = (1 - wave) * 0x21
; expect: s2 = 1 - wave
; expect: s3 = (1 - wave) * 0x10021
; expect: s4 = (1 - wave) * 2
; expect: s5 = (1 - wave) * 0x21
; expect: s6 = (1 - wave) * 0x21
; expect: s7 = (1 - wave) * 0x11
; expect: s8 = (1 - wave) * 2
s_cmp_eq_u32 s0, 1
s_cbranch_scc1 second
; Signals to the trap handler's barrier, and to none, are nothing.
s_barrier_signal -2
s_barrier_signal 0
s_barrier_wait 0xfffe
s_cmp_eq_u32 s0, 0
s_barrier_signal_isfirst -2
s_cselect_b32 s8, 1, 2
s_get_barrier_state s6, -2
; A destination that is no register.
s_get_barrier_state null, -1
s_get_barrier_state s1, -1
s_barrier_signal_isfirst -1
s_cselect_b32 s2, 1, 2
s_get_barrier_state s3, -1
s_barrier_signal_isfirst -1
s_cselect_b32 s4, 1, 2
s_get_barrier_state s5, -1
s_barrier_wait 0xffff
s_barrier_signal -1
s_barrier_wait 0xffff
s_get_barrier_state s7, -1
s_branch done
second:
s_barrier_wait 0xffff
done:
