;; Zero times infinity is zero, in a dual instruction too.
; source: manual: MUL_DX9_ZERO
; isa: gfx11..gfx12
; wave: 32
; v0 = inf
; v1 = 0
; v2 = 7
; expect: v2 = 0
; expect: v3 = 0
v_dual_mul_dx9_zero_f32 v2, v0, v1 :: v_dual_mov_b32 v3, v1
