; source: IEEE 754: correctly rounded quotients by the sequence that compilers emit
; isa: gfx6..gfx9
; mode: denorm32=keep
; v0 = [1.0, 7.0, f32 0x00000003, 1e30, 1.0]
; v1 = [3.0, 5.0, 2.0, 1e-30, 0.0]
; expect: v9 = [f32 0x3eaaaaab, 1.4, f32 0x00000002, inf, inf]
v_div_scale_f32 v2, vcc, v1, v1, v0
v_div_scale_f32 v3, vcc, v0, v1, v0
v_rcp_f32 v4, v2
v_fma_f32 v5, -v2, v4, 1.0
v_fma_f32 v4, v5, v4, v4
v_mul_f32 v6, v3, v4
v_fma_f32 v7, -v2, v6, v3
v_fma_f32 v6, v7, v4, v6
v_fma_f32 v7, -v2, v6, v3
v_div_fmas_f32 v8, v7, v4, v6
v_div_fixup_f32 v9, v8, v1, v0
