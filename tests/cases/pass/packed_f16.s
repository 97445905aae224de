; source: IEEE 754 on halves
; isa: gfx9..gfx12
; v0 = pack(f16 1.0, 2.0)
; v1 = pack(f16 0.5, -2.0)
; v2 = pack(f16 1.0, 1.0)
; expect: v3 = pack(f16 1.5, 0.0)
; expect: v4 = pack(f16 1.5, -3.0)
; expect: v5 = pack(f16 3.0, 2.0)
v_pk_add_f16 v3, v0, v1
v_pk_fma_f16 v4, v0, v1, v2
v_pk_add_f16 v5, v0, v2 op_sel:[1,0] op_sel_hi:[0,1]
