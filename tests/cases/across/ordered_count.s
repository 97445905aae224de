;; Ordered counts: waves count in the order of the numbers in M0, whenever they come. Here the last group is the first one.
; source: RDNA2 manual, DS_ORDERED_COUNT (address gds_base + offset0, the value of the first active lane, the old value to all lanes; oldest wave first)
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; wave: 64
; grid: 256
; group: 64
; buffer gds[64] = [0, 0, 0, 1000]
; m0 = 0x00080000 + 3 - group.x
; v0 = group.x * 10 + 1 + lane * 7
; expect: v1 = 1000 + (3 - group.x) * 31 - (3 - group.x) * (2 - group.x) * 5
; expect: buffer gds = [0, 0, 0, 1064]
ds_ordered_count v1, v0 offset:0x104 gds
s_waitcnt lgkmcnt(0)
