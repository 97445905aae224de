; source: facts: bytes 0-3 of S1, 4-7 of S0; 12 is 0x00, from 13 on 0xff; 8 the sign of byte 1
; isa: gfx8..
; v0 = 0x77665544
; v1 = 0x33228100
; v2 = [0x07060504, 0x0c0d0103, 0x08080004]
; expect: v3 = [0x77665544, 0x00ff8133, 0xffff0044]
v_perm_b32 v3, v0, v1, v2
