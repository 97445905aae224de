; source: manual, input modifiers: the sign is cleared, then flipped
; v0 = [-2.0, 2.0, nan]
; expect: v1 = [-3.0, -3.0, _]
; expect: v2 = [2.0, 2.0, f32 0x7fc00000]
v_add_f32 v1, -|v0|, -1.0
v_max_f32 v2, |v0|, |v0|
