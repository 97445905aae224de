; source: 1 * 3 + 2 * 4 + 0.5, exact in bf16
; isa: gfx11..gfx12
; v0 = 0x40003f80
; v1 = 0x40804040
; v2 = 0x00003f00
; expect: v3 = 0x00004138
v_dot2_bf16_bf16 v3, v0, v1, v2
