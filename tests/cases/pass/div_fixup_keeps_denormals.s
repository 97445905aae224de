;; A denormal quotient is never flushed. (f32 is measured; f16 and f64 are taken to do the same.)
; source: recorded on a W7900 and an R9700, figures published in ROCm's rocm-systems (division tests)
; isa: gfx9..gfx12
; mode: denorm32=flush, denorm16_64=flush
; v0 = 1
; v1 = 1.0
; v[2:3] = u64 1
; v[4:5] = f64 1.0
; v6 = f16 1.0
; expect: v8 = 1
; expect: v[10:11] = u64 1
; expect: v12 = u16 1
v_div_fixup_f32 v8, v0, v1, v1
v_div_fixup_f64 v[10:11], v[2:3], v[4:5], v[4:5]
v_div_fixup_f16 v12, v0, v6, v6
