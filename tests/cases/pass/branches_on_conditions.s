;; Every branch on a condition, taken and not: a bit of s0 for each that is not as it should be.
; source: manual: SOPP instructions
; isa: all
; wave: 64
; exec = 1
; expect: s0 = 0
s_mov_b32 s0, 0
s_cmp_eq_u32 s1, s1
s_cbranch_scc0 bad0
s_cbranch_scc1 good1
bad0: s_or_b32 s0, s0, 1
good1:
s_cmp_lg_u32 s1, s1
s_cbranch_scc1 bad2
s_cbranch_scc0 good2
bad2: s_or_b32 s0, s0, 2
good2:
v_cmp_eq_u32 vcc, 1, v0
s_cbranch_vccnz bad3
s_cbranch_vccz good3
bad3: s_or_b32 s0, s0, 4
good3:
v_cmp_eq_u32 vcc, 0, v0
s_cbranch_vccz bad4
s_cbranch_vccnz good4
bad4: s_or_b32 s0, s0, 8
good4:
s_cbranch_execz bad5
s_cbranch_execnz good5
bad5: s_or_b32 s0, s0, 16
good5:
