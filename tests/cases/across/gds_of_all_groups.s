;; All groups share it: each of four adds once for all, and the last of them sees what the others did.
; source: RDNA3 manual 12.6: a single memory accessible by all waves; arithmetic. Groups come in the order of their numbers here
; isa: gfx6..gfx11, !gfx90a, !gfx940, !gfx941, !gfx942
; wave: 64
; grid: 256
; group: 64
; buffer gds[16] = [5]
; m0 = 0x00000010
; exec = 0x1
; v0 = 0
; v1 = group.x + 1
; expect: v2 = [5, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 6]
; expect: buffer gds = [15]
ds_add_rtn_u32 v2, v0, v1 gds
s_waitcnt lgkmcnt(0)
