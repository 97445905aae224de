; source: manual: zero times anything is zero
; isa: gfx6..gfx9
; v0 = [0.0, -0.0, 2.0]
; v1 = [inf, nan, 3.0]
; expect: v2 = [0.0, 0.0, 6.0]
v_mul_legacy_f32 v2, v0, v1
