;; The mask of a select is any scalar: SCC is 0 or 1, as it is when the instruction reads it.
; source: manual: SCC as an operand is the condition, zero-extended
; isa: gfx6, gfx7, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; v1 = 1
; v2 = 2
; expect: v0 = [2, 1, 1, 1]
; expect: v3 = [1, 1, 1, 1]
s_cmp_eq_u32 s0, s0
v_cndmask_b32_e64 v0, v1, v2, src_scc
s_cmp_lg_u32 s0, s0
v_cndmask_b32_e64 v3, v1, v2, src_scc
