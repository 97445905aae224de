;; NEG negates floats. A dot product of whole numbers, which can be written with it, does not look at it: 2*5 + 3*7 + 100.
; source: RDNA3's guide, VOP3P: NEG and NEG_HI negate "float inputs only"; CDNA4's text of the instruction converts integers
; isa: gfx906, gfx908, gfx90a, gfx940, gfx1011, gfx1030
; v0 = 0x00020003
; v1 = 0x00050007
; v2 = 100
; expect: v3 = 131
; expect: v4 = 131
v_dot2_i32_i16 v3, v0, v1, v2 neg_lo:[1,0,0] neg_hi:[0,1,0]
v_dot2_u32_u16 v4, v0, v1, v2 neg_lo:[0,1,0] neg_hi:[1,0,0]
