; source: manual: the second operand minus the first
; isa: gfx11..gfx12
; wave: 32
; v0 = 1.0
; v1 = 5.0
; expect: v2 = 4.0
; expect: v3 = 5.0
v_dual_subrev_f32 v2, v0, v1 :: v_dual_mov_b32 v3, v1
