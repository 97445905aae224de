;; Waves that do not have dynamic registers ask for nothing: SCC and registers stay.
; source: RDNA4 manual 3.3.3: without the mode the instruction is ignored
; isa: gfx12
; scc = 1
; v9 = 7
; s0 = 4
; expect: scc = 1
; expect: v9 = 7
s_alloc_vgpr 0
s_alloc_vgpr s0
