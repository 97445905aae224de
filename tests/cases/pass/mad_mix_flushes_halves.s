;; v_mad_mix flushes denormals of 16-bit sources and results, though MODE keeps them.
; source: Mesa's ACO, which uses v_mad_mix only where MODE flushes and says why; ALU_FACTS 5
; isa: gfx900
; mode: denorm16_64=keep
; v1 = 0x0001
; v2 = 1.0
; v3 = 0x80ff
; v6 = 0x38800001
; expect: v4 = 0
; expect: v5 = 0x80000000
; expect: v7 = 0
v_mad_mix_f32 v4, v1, v2, 0 op_sel_hi:[1,0,0]
v_mov_b32 v8, 0x80000000
v_mad_mix_f32 v5, v3, v2, v8 op_sel_hi:[1,0,0]
v_mad_mixlo_f16 v7, v6, 0.5, 0
