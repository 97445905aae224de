; source: manual: M0 is added to the register
; isa: gfx6..gfx8
; m0 = 2
; v0 = 10
; v2 = 30
; s6 = 66
; expect: v5 = 30
; expect: v8 = 10
; expect: s0 = 66
v_movrels_b32 v5, v0
v_movreld_b32 v6, v0
s_movrels_b32 s0, s4
