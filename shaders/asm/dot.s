;; Dot products: of bytes, signed and not, with and without saturation, of halves into a float.
; source: by hand
; isa: gfx906, gfx1030, gfx1100
; v0 = 0x80ff7f02
; v1 = 0x03fe02ff
; v2 = 1000
; v3 = 0xffffff00
; v4 = pack(f16 1.5, -2.0)
; v5 = pack(f16 4.0, 0.5)
; v6 = 10.0
;; unsigned: 2*255 + 127*2 + 255*254 + 128*3 + 1000
; expect: v11 = 66918
; expect: v12 = 0xffffffff
;; signed halves: 1.5*4 - 2*0.5 + 10
; expect: v13 = 15.0
v_dot4_u32_u8 v11, v0, v1, v2
v_dot4_u32_u8 v12, v0, v1, v3 clamp
v_dot2_f32_f16 v13, v4, v5, v6
