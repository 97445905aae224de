; source: manual: V_CMP_CLASS_F32, one bit a class, from signalling NaN to +inf
; wave: 64
; v0 = f32 [0x7fa00000, nan, -inf, -1.0, 0x80000001, -0.0, 0.0, 0x00000001, 1.0, inf]
; v1 = u32 [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
; exec = 0x3ff
; expect: vcc = 0x3ff
; expect: s[4:5] = u64 0
v_cmp_class_f32 vcc, v0, v1
s_mov_b64 s[4:5], 0
