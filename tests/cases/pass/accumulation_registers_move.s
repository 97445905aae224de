; source: LLVM's text: accumulation registers are copied, or read and written
; isa: gfx90a, gfx940
; v0 = 7
; expect: v1 = 7
v_accvgpr_write_b32 a1, v0
v_accvgpr_mov_b32 a2, a1
v_accvgpr_read_b32 v1, a2
