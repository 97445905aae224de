; source: manual: SCC as a source is 0 or 1, in packed and dual instructions as in others
; isa: gfx9..gfx11
; scc = 1
; expect: v0 = 0x10001
; expect: v2 = 1
v_pk_max_f16 v0, src_scc, 0 op_sel_hi:[0,0]
v_max_u32 v2, src_scc, 0
