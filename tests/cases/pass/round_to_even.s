; source: IEEE 754: ties go to even
; v0 = [f32 0x33800000, f32 0x33800001]
; expect: v1 = [f32 0x3f800000, f32 0x3f800001]
v_add_f32 v1, 1.0, v0
