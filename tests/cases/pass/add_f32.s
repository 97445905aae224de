; source: IEEE 754: the sums are exact
; v0 = [1.5, -0.0, inf, 1.0]
; v1 = [1.5, -0.0, 1.0, -1.0]
; expect: v2 = [3.0, -0.0, inf, 0.0]
v_add_f32 v2, v0, v1
