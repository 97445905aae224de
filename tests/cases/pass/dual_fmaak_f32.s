;; The literal is what is added; the other half of the instruction does its own.
; source: 3 * 5 + 2
; isa: gfx11..gfx12
; wave: 32
; v0 = f32 3.0
; v1 = f32 5.0
; v2 = 9
; expect: v4 = f32 17.0
; expect: v5 = 9
v_dual_fmaak_f32 v4, v0, v1, 0x40000000 :: v_dual_mov_b32 v5, v2
