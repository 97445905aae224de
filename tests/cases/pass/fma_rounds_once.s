; source: IEEE 754: (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46
; v0 = f32 0x3f800001
; v1 = f32 0xbf800002
; expect: v2 = f32 0x28800000
v_fma_f32 v2, v0, v0, v1
