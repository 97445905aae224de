;; An output modifier that overflows behind a transcendental function gives infinity in every rounding, or with FP16_OVFL
;; the largest f16. Behind other instructions it rounds as the mode says.
; source: captured on a gfx1201, figures published in ROCm's rocm-systems (rocjitsu, exp_log_f32 and its f16 digests)
; isa: gfx12
; mode: round32=zero, round16_64=zero
; v0 = 127.0
; v1 = 15.0f16
; v2 = 0x00800000
; s4 = 127.0
; expect: v3 = inf
; expect: v4 = 0x7c00
; expect: v5 = inf
; expect: v6 = 0x7f7fffff
; expect: v7 = 0x7bff
; expect: s5 = inf
v_exp_f32_e64 v3, v0 mul:2
v_exp_f16_e64 v4, v1 mul:4
v_rcp_f32_e64 v5, v2 mul:4
v_s_exp_f32 s5, s4 mul:4
v_exp_f32_e64 v6, v0
v_mul_f32_e64 v6, v6, 1.0 mul:2
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1
v_exp_f16_e64 v7, v1 mul:4
