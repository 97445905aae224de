; source: IEEE 754; the scalar float instructions of gfx11.5 and later
; isa: gfx1150, gfx12
; s0 = 1.5
; s1 = 2.0
; expect: s[2:4] = [3.5, 3.0, 6.5]
s_add_f32 s2, s0, s1
s_mul_f32 s3, s0, s1
s_mov_b32 s4, s2
s_fmac_f32 s4, s0, s1
