; source: manual: both halves read before either writes
; isa: gfx11..gfx12
; wave: 32
; v0 = 1.0
; v1 = 2.0
; expect: v0 = 2.0
; expect: v1 = 1.0
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0
