; source: facts: MODE bit 27 is GPR index mode, whoever sets it
; isa: gfx9, !gfx90a, !gfx940..gfx942
; mode: 0x080003f0
; m0 = 0x1002
; v1 = 1
; v3 = 3
; expect: v5 = 3
v_mov_b32 v5, v1
