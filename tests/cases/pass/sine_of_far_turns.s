;; Sine and cosine up to gfx8: from -256 to 256 turns; farther out they are 0 and 1. Within, quarters of a turn are exact.
; source: SI manual: V_SIN_F32: valid input domain [-256, +256], out of range input results in float 0; V_COS_F32: in float 1
; isa: gfx6..gfx8
; wave: 64
; grid: 11
; v0 = [0.25, 0.75, -0.25, 1.5, 255.75, -255.75, 256.0, 256.25, -300.25, 1024.75, 65536.25]
; expect: v1 = [1.0, -1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
; expect: v2 = [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]
v_sin_f32 v1, v0
v_cos_f32 v2, v0
