;; The 16-bit instructions that gfx10 has in VOP3 alone choose halves of their sources and of the result, and keep the other half.
; source: by hand; which instructions have selectors: ACO's can_use_opsel (the RDNA ISA document has OP_SEL for VOP3 in general); LLVM 19 neither takes nor prints these
; isa: gfx10
; v1 = 0x00050003
; v2 = 0x00070002
; v3 = 0x80000001
; v[10:17] = 0xaaaabbbb
; v[18:21] = 0xaaaabbbb
; expect: v10 = 0xaaaa000a
; expect: v11 = 0x0015bbbb
; expect: v12 = 0xaaaa00e0
; expect: v13 = 0x1000bbbb
; expect: v14 = 0xf000bbbb
; expect: v15 = 0xaaaa8000
; expect: v16 = 0xaaaa0005
; expect: v17 = 0x0005bbbb
; expect: v18 = 0x8000bbbb
; expect: v19 = 0xaaaa0006
; expect: v20 = 0x0023bbbb
; expect: v21 = 0x000abbbb
v_mul_lo_u16 v10, v1, v2 op_sel:[1,0,0]
v_mul_lo_u16 v11, v1, v2 op_sel:[0,1,1]
v_lshlrev_b16 v12, v1, v2 op_sel:[1,1,0]
v_lshrrev_b16 v13, v1, v3 op_sel:[0,1,1]
v_ashrrev_i16 v14, v1, v3 op_sel:[0,1,1]
v_max_u16 v15, v1, v3 op_sel:[1,1,0]
v_max_i16 v16, v1, v3 op_sel:[1,1,0]
v_min_u16 v17, v1, v3 op_sel:[1,1,1]
v_min_i16 v18, v1, v3 op_sel:[1,1,1]
v_mul_lo_u16 v19, v1, v2
v_mul_lo_u16 v20, v1, v2 op_sel:[1,1,1]
// the words of v_mul_lo_u16 v21, v1, v2 op_sel:[1,0,1]
.long 0xd7054815, 0x00020501
