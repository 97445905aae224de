;; A float constant of a scalar instruction of halves is a half, though assemblers take some of these operands for words.
; source: PITFALLS OP1 (a constant has the width of what is computed); Mesa 25, which compares with 2.0 so (random shaders by RADV for gfx1150 and gfx1200 beside lavapipe)
; isa: gfx1150, gfx12
; s0 = 0x2a00
; s1 = 0x4400
; expect: s4 = 1
; expect: s5 = 1
; expect: s6 = 1
; expect: s7 = 0
; expect: s8 = 0x00003c00
; expect: s9 = 0x0000c000
; expect: s10 = 0x00004400
; expect: s11 = 0
; expect: s12 = 0x3f000000
; expect: s13 = 0x00003c00
s_cmp_lt_f16 s0, 2.0
s_cselect_b32 s4, 1, 0
s_cmp_eq_f16 4.0, s1
s_cselect_b32 s5, 1, 0
s_cmp_nge_f16 -1.0, s0
s_cselect_b32 s6, 1, 0
s_cmp_u_f16 s0, 0.5
s_cselect_b32 s7, 1, 0
s_ceil_f16 s8, 0.5
s_floor_f16 s9, -2.0
s_trunc_f16 s10, 4.0
s_rndne_f16 s11, 0.5
s_cvt_f32_f16 s12, 0.5
s_add_f16 s13, 0.5, 0.5
