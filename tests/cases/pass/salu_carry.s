; source: 2^64 arithmetic; SCC is the carry
; isa: gfx6..gfx11
; s[0:1] = u64 0xffffffffffffffff
; s[2:3] = u64 3
; expect: s[4:5] = u64 2
; expect: s[6:7] = u64 0xfffffffffffffffc
; expect: scc = 0
s_add_u32 s4, s0, s2
s_addc_u32 s5, s1, s3
s_sub_u32 s6, s0, s2
s_subb_u32 s7, s1, s3
