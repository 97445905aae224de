; source: manual: SOP1 and SOP2 on words
; isa: gfx6..gfx10
; s0 = 0x00f0
; expect: s[4:9] = [8, 4, 4, 0x0f000000, 0xf, 0xfffffff0]
; expect: scc = 1
s_bcnt0_i32_b32 s4, s0
s_ff1_i32_b32 s5, s0
s_sub_u32 s4, 36, s4
s_bcnt1_i32_b32 s6, s0
s_brev_b32 s7, s0
s_bfe_u32 s8, s0, 0x40004
s_ashr_i32 s9, 0xffffff00, 4
s_add_u32 s4, s4, 0
s_sub_u32 s4, 16, s4
s_cmp_eq_u32 s4, 8
