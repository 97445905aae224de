;; A compressed export: four elements of 16 bits in two registers.
; source: SI manual, table 10.1: COMPR, EN 0xf and 0x3
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; v0 = pack(f16 1.0, 2.0)
; v1 = pack(f16 3.0, 4.0)
; v2 = pack(f16 5.0, 6.0)
; expect: export mrt1.x = u32 0x3c00
; expect: export mrt1.y = u32 0x4000
; expect: export mrt1.z = u32 0x4200
; expect: export mrt1.w = u32 0x4400
; expect: export mrtz.x = f16 5.0
; expect: export mrtz.y = f16 6.0
; expect: export mrtz.mask = 3
; expect: export mrtz.done = 0
exp mrtz v2, v2, off, off compr
exp mrt1 v0, v0, v1, v1 done compr vm
