;; While vector instructions are skipped, scalar ones are not.
; source: manuals of GCN: VSKIP = S0[S1]; vector instructions are skipped while it is 1
; isa: gfx6..gfx9
; s0 = 1
; expect: v0 = 0
; expect: v1 = 6
; expect: s4 = 3
s_setvskip s0, 0
v_mov_b32 v0, 5
s_mov_b32 s4, 3
s_setvskip s0, 1
v_mov_b32 v1, 6
