; source: 2^16 arithmetic
; isa: gfx9..gfx12
; v0 = pack(u16 0xffff, 3)
; v1 = pack(u16 2, 5)
; expect: v2 = pack(u16 1, 8)
; expect: v3 = pack(u16 0xfffe, 15)
; expect: v4 = pack(u16 0xffff, 8)
v_pk_add_u16 v2, v0, v1
v_pk_mul_lo_u16 v3, v0, v1
v_pk_add_u16 v4, v0, v1 clamp
