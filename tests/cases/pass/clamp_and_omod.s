; source: manual, output modifiers: times 2, 4, half, then clamped to [0, 1]; they need denormals and IEEE off
; mode: denorm32=flush, ieee=0
; v0 = [0.375, -1.0, 3.0]
; expect: v1 = [0.375, 0.0, 1.0]
; expect: v2 = [0.75, -2.0, 6.0]
; expect: v3 = [1.0, 0.0, 1.0]
; expect: v4 = [0.1875, -0.5, 1.5]
v_mul_f32 v1, 1.0, v0 clamp
v_mul_f32 v2, 1.0, v0 mul:2
v_mul_f32 v3, 1.0, v0 mul:4 clamp
v_mul_f32 v4, 1.0, v0 div:2
