;; An inline constant of a dot product of bf16 stands in both halves, that of f16 in the lower alone. (1, 2).1.0
; source: recorded on a W7900 and an R9700, figures published in ROCm's rocm-systems (InlineSourcesMatchHardware)
; isa: gfx1100, gfx12
; v0 = pack(bf16 1.0, 2.0)
; v1 = pack(f16 1.0, 2.0)
; expect: v2 = 3.0
; expect: v3 = 0x3ef30000
; expect: v4 = 1.0
v_dot2_f32_bf16 v2, v0, 1.0, 0
v_dot2_f32_bf16 v3, 0.15915494, v0, 0
v_dot2_f32_f16 v4, v1, 1.0, 0
