;; Either half of a dual instruction may read SCC, which is what it is when the instruction runs.
; source: manual: v_dual_cndmask_b32 takes its first source where the bit of VCC is clear; SCC as an operand is the condition, zero-extended
; isa: gfx1100, gfx1200
; wave: 32
; scc = 1
; v26 = 5
; v8 = lane
; vcc = 0x5
; expect: v31 = [5, 1, 5, 1]
; expect: v30 = [5, 1, 5, 1]
; expect: v0 = lane
v_dual_mov_b32 v0, v8 :: v_dual_cndmask_b32 v31, src_scc, v26
v_dual_cndmask_b32 v30, src_scc, v26 :: v_dual_mov_b32 v1, v8
