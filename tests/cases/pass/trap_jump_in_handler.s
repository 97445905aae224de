;; A handler has branches and calls as any code has, as published ones do: a first level that jumps on, a second one that returns.
; source: by hand; the Linux kernel's handlers go to the second level by s_setpc_b64
; isa: gfx600, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; trap_handler: first
; budget: 1000
; expect: s8 = 26
s_trap 1
s_trap 2
s_trap 1
s_add_u32 s8, s8, 10
s_endpgm
second:
s_add_u32 s8, s8, 1
leave:
s_and_b32 ttmp1, ttmp1, 0xffff
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
.p2align 8
first:
s_bfe_u32 ttmp2, ttmp1, 0x80010
s_lshr_b32 ttmp3, ttmp1, 28
s_or_b32 ttmp2, ttmp2, ttmp3
s_add_u32 s8, s8, 5
s_cmp_eq_u32 ttmp2, 2
s_cbranch_scc0 other
s_getpc_b64 ttmp[4:5]
here:
s_add_u32 ttmp4, ttmp4, second-here
s_addc_u32 ttmp5, ttmp5, -1
s_setpc_b64 ttmp[4:5]
other:
s_add_u32 s8, s8, 0
s_branch leave
