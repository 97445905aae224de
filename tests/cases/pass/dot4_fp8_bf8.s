;; The first operand has FP8 (1.0, 2.0), the second BF8 (1.0, 4.0), or the other way round.
; source: the names of the instructions; OCP 8-bit floating point formats for the values
; isa: gfx12
; v0 = 0x00004038
; v1 = 0x0000443c
; v2 = 0.5
; expect: v3 = 9.5
; expect: v4 = 9.5
; expect: v5 = 4.5
; expect: v6 = 5.5
v_dot4_f32_fp8_bf8 v3, v0, v1, v2
v_dot4_f32_bf8_fp8 v4, v1, v0, v2
v_mov_b32 v7, 0x00004038
v_dot4_f32_fp8_fp8 v8, v0, v7, v2
v_mov_b32 v9, 0x0000403c
v_dot4_f32_bf8_bf8 v10, v9, v9, v2
v_add_f32 v5, -1.0, v8
v_mov_b32 v6, v10
