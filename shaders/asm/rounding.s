;; The rounding mode of MODE set on the way: 1 + 2^-24 + 2^-30 and its negative in f32, 1 + 1.25 * 2^-54 in f64, 2049 to f16.
; source: IEEE 754: the neighbours of the exact result
; isa: gfx600, gfx700, gfx803, gfx906, gfx1030, gfx1100, gfx1200
; v0 = 1.0
; v1 = f32 0x33820000
; v4 = 2049.0
; v[6:7] = f64 1.0
; v[8:9] = f64 0x3c94000000000000
;; nearest, up, down, zero
; expect: v10 = f32 0x3f800001
; expect: v11 = f32 0x3f800001
; expect: v12 = f32 0x3f800000
; expect: v13 = f32 0x3f800000
; expect: v20 = f32 0xbf800001
; expect: v21 = f32 0xbf800000
; expect: v22 = f32 0xbf800001
; expect: v23 = f32 0xbf800000
; expect: v[30:31] = f64 0x3ff0000000000000
; expect: v[32:33] = f64 0x3ff0000000000001
; expect: v[34:35] = f64 0x3ff0000000000000
; expect: v[36:37] = f64 0x3ff0000000000000
; expect: v40 = f16 2048.0
; expect: v41 = f16 2050.0
; expect: v42 = f16 2048.0
; expect: v43 = f16 2048.0
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0
v_add_f32 v10, v0, v1
v_sub_f32 v20, -v0, v1
v_add_f64 v[30:31], v[6:7], v[8:9]
v_cvt_f16_f32 v40, v4
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5
v_add_f32 v11, v0, v1
v_sub_f32 v21, -v0, v1
v_add_f64 v[32:33], v[6:7], v[8:9]
v_cvt_f16_f32 v41, v4
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 10
v_add_f32 v12, v0, v1
v_sub_f32 v22, -v0, v1
v_add_f64 v[34:35], v[6:7], v[8:9]
v_cvt_f16_f32 v42, v4
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 15
v_add_f32 v13, v0, v1
v_sub_f32 v23, -v0, v1
v_add_f64 v[36:37], v[6:7], v[8:9]
v_cvt_f16_f32 v43, v4
