;; Two operations in one instruction: both read before either writes, so that a pair of moves exchanges two registers.
; source: by hand
; isa: gfx1100, gfx1200
; wave: 32
; v0 = lane
; v1 = ramp(100, 1)
; v2 = 2.0
; v3 = 3.0
; v4 = 1.0
; v5 = 10.0
; expect: v0 = ramp(100, 1)
; expect: v1 = lane
; expect: v4 = 7.0
; expect: v5 = 20.0
; expect: v6 = 6.0
; expect: v7 = 1.0
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0
v_dual_mul_f32 v6, v2, v3 :: v_dual_sub_f32 v7, v3, v2
v_dual_fmac_f32 v4, v2, v3 :: v_dual_mul_f32 v5, v5, v2
