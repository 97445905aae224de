;; Each of the four sums saturates by itself.
; source: LLVM's clamp operand of v_mqsad_u32_u8; the sums by hand
; isa: gfx9..gfx11
; v2 = 0x01010101
; v8 = 0xfffffffe
; v10 = 0xffffffff
; v11 = 5
; expect: v4 = 0xffffffff
; expect: v5 = 4
; expect: v6 = 0xffffffff
; expect: v7 = 9
v_mqsad_u32_u8 v[4:7], v[0:1], v2, v[8:11] clamp
