; source: manual: MODE bits 1:0 round f32; 1 is upwards
; isa: gfx6..gfx11
; v0 = f32 0x33800000
; expect: v1 = f32 0x3f800000
; expect: v2 = f32 0x3f800001
; expect: s0 = 1
v_add_f32 v1, 1.0, v0
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1
v_add_f32 v2, 1.0, v0
s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 2)
