; source: 1 * 3 + 2 * 4 + 0.5, exact in f16
; isa: gfx11..gfx12
; v0 = pack(f16 1.0, 2.0)
; v1 = pack(f16 3.0, 4.0)
; v2 = f16 0.5
; expect: v3 = f16 11.5
v_dot2_f16_f16 v3, v0, v1, v2
