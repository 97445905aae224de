; source: manual: out of range, a source is the first register, and nothing is written
; isa: gfx6..gfx8
; m0 = 500
; s0 = 7
; v0 = 9
; v1 = 3
; expect: s1 = 7
; expect: v0 = 9
s_movrels_b32 s1, s4
v_movreld_b32 v5, v1
