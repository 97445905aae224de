; source: IEEE 754: floor, ceil, trunc, nearest even; signs of zero stay
; v0 = [2.5, -2.5, -0.3, 3.5]
; expect: v1 = [2.0, -3.0, -1.0, 3.0]
; expect: v2 = [3.0, -2.0, -0.0, 4.0]
; expect: v3 = [2.0, -2.0, -0.0, 3.0]
; expect: v4 = [2.0, -2.0, -0.0, 4.0]
v_floor_f32 v1, v0
v_ceil_f32 v2, v0
v_trunc_f32 v3, v0
v_rndne_f32 v4, v0
