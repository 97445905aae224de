;; Every wave of every group exports for itself; a loop exports more than once.
; source: by construction
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; grid: 256
; group: 128
; v0 = item
; expect: export param2.x = item * 16
; expect: export null.x = item
s_mov_b32 s0, 0
exp null v0, off, off, off
again:
v_lshlrev_b32 v0, 1, v0
exp param2 v0, off, off, off
s_add_u32 s0, s0, 1
s_cmp_lt_u32 s0, 4
s_cbranch_scc1 again
