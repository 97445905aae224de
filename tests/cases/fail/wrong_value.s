; source: 1 + 1 is not 3
; v0 = 1.0
; expect: v1 = 3.0
v_add_f32 v1, v0, v0
