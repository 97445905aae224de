;; On gfx11 ordered counts are in registers. A wave whose count does not say so keeps its turn: each adds and exchanges.
; source: RDNA3 manual 13.4.3 (targets are the registers of table 61; offset1[0] releases, offset1[5:4] exchanges; one lane wide, and lane 0 where none is active)
; isa: gfx11
; wave: 32
; grid: 96
; group: 32
; m0 = 2 - group.x
; v0 = group.x + 1
; v5 = 50 + group.x
; exec = 0x6
; v1 = 99
; v2 = 99
; expect: v1 = [99, 51, 99, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 99, 52, 99, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 99, 0, 99]
; expect: v2 = [99, 52, 99, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 99, 54, 99, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 99, 3, 99]
ds_ordered_count v1, v0 offset:0x0010 gds
s_waitcnt lgkmcnt(0)
ds_ordered_count v2, v5 offset:0x1110 gds
s_waitcnt lgkmcnt(0)
