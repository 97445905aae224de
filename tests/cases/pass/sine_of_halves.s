;; A quarter of a turn.
; source: the sine of a quarter of a turn is 1, the cosine of half a turn -1
; isa: gfx8..gfx10
; v0 = f16 0.25
; v1 = f16 0.5
; expect: v2 = f16 1.0
; expect: v3 = f16 -1.0
v_sin_f16 v2, v0
v_cos_f16 v3, v1
