; source: 1*5 + 2*6 + 3*7 + 4*8 + 100
; isa: gfx906, gfx1011, gfx1030, gfx11
; v0 = 0x01020304
; v1 = 0x05060708
; v2 = 100
; expect: v3 = 170
v_dot4_u32_u8 v3, v0, v1, v2
