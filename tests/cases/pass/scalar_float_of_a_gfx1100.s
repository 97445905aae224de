;; Manuals and compilers give scalar floats to gfx1150 and later. One recorded program of a gfx1100 has one; it runs where it is asked for.
; source: a program recorded on an RX 7900 XTX; LLVM's feature of that name
; isa: gfx1100
; mattr: +salu-float
; s1 = 2.0
; s2 = 1.0
; expect: s0 = 65.0
s_fmamk_f32 s0, s1, 0x42000000, s2
