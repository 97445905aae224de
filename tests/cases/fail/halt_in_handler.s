;; A wave that is halted in its handler halts when it leaves it; s_sethalt 0 takes that back.
; source: RDNA3 manual 3.4.1: HALT is ignored while in the trap handler; S_SETHALT: halts when PRIV = 0
; isa: gfx600, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; trap_handler: handler
; budget: 1000
; expect: trap halt at leave
; expect: s8 = 2
s_trap 1
s_endpgm
.p2align 8
handler:
s_sethalt 1
s_add_u32 s8, s8, 1
s_add_u32 ttmp0, ttmp0, 4
s_cmp_eq_u32 s8, 2
s_cbranch_scc1 leave
s_sethalt 0
s_sub_u32 ttmp0, ttmp0, 4
s_and_b32 ttmp1, ttmp1, 0xffff
leave: s_rfe_b64 ttmp[0:1]
