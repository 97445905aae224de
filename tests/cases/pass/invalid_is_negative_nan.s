; source: facts on arithmetic, section 9: the default NaN of invalid operations is 0xffc00000
; isa: gfx11
; v0 = [inf, 0.0]
; v1 = [-inf, inf]
; expect: v2 = [f32 0xffc00000, inf]
; expect: v3 = [-inf, f32 0xffc00000]
v_add_f32 v2, v0, v1
v_mul_f32 v3, v0, v1
