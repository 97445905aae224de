;; Halves are compared, whatever stands above them; -0 is 0, and NaN is nothing.
; source: RDNA4 manual: SCC = (S0.f16 == S1.f16); IEEE 754
; isa: gfx12
; s0 = 0x12343e00
; s1 = 0xabcd3e00
; s2 = 0x00008000
; s3 = 0x00007e00
; expect: s4 = 1
; expect: s5 = 0
; expect: s6 = 1
; expect: s7 = 0
s_cmp_eq_f16 s0, s1
s_cselect_b32 s4, 1, 0
s_cmp_eq_f16 s0, s2
s_cselect_b32 s5, 1, 0
s_cmp_eq_f16 s2, 0
s_cselect_b32 s6, 1, 0
s_cmp_eq_f16 s3, s3
s_cselect_b32 s7, 1, 0
