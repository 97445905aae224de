; source: facts, section 9: special values, and cases that come out exact
; v0 = [0.0, -0.0, inf, 4.0, 0.25]
; v1 = [1.0, 3.0, -inf, -1.0, 0.0]
; expect: v2 = [inf, -inf, 0.0, 0.25, 4.0]
; expect: v3 = [0.0, -0.0, inf, 2.0, 0.5]
; expect: v4 = [2.0, 8.0, 0.0, 0.5, 1.0]
; expect: v5 = f32 [-inf, -inf, inf, 2.0, -2.0]
v_rcp_f32 v2, v0
v_sqrt_f32 v3, v0
v_exp_f32 v4, v1
v_log_f32 v5, v0
