; source: manual: mantissas in [0.5, 1)
; v0 = [8.0, 0.75, 0.0]
; v1 = [3, 0xffffffff, 7]
; expect: v2 = [64.0, 0.375, 0.0]
; expect: v3 = [4, 0, 0]
; expect: v4 = [0.5, 0.75, 0.0]
v_ldexp_f32 v2, v0, v1
v_frexp_exp_i32_f32 v3, v0
v_frexp_mant_f32 v4, v0
