;; Four waves trap as often as their numbers say; the handler adds up the numbers of the traps.
; source: by hand
; isa: gfx900, gfx1030, gfx1100, gfx1200
; wave: 64
; group: 256
; s2 = wave
; trap_handler: handler
; budget: 1000
; expect: s8 = wave
; expect: s9 = wave * 3
again:
s_cmp_eq_u32 s2, 0
s_cbranch_scc1 done
s_sub_u32 s2, s2, 1
s_trap 3
s_branch again
done:
s_nop 0
s_endpgm
.p2align 8
handler:
s_bfe_u32 ttmp2, ttmp1, 0x80010
s_lshr_b32 ttmp3, ttmp1, 28
s_or_b32 ttmp2, ttmp2, ttmp3
s_add_u32 s8, s8, 1
s_add_u32 s9, s9, ttmp2
s_and_b32 ttmp1, ttmp1, 0xffff
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
