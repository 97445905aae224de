; source: 3 * 2 + 1, exact in f16
; isa: gfx10..gfx12
; v0 = f16 3.0
; v1 = f16 1.0
; expect: v2 = f16 7.0
v_fmamk_f16 v2, v0, 0x4000, v1
