; source: manual: conversions to integers cut and saturate; NaN gives 0
; v0 = [1.9, -1.9, nan, 1e20, -1e20]
; expect: v1 = [1, 0xffffffff, 0, 0x7fffffff, 0x80000000]
; expect: v2 = [1, 0, 0, 0xffffffff, 0]
; expect: v3 = f16 [1.9, -1.9, nan, inf, -inf]
v_cvt_i32_f32 v1, v0
v_cvt_u32_f32 v2, v0
v_cvt_f16_f32 v3, v0
