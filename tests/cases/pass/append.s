; source: manual: append adds the number of active lanes, all of which get the old value
; isa: gfx8..gfx11
; lds = [u32 0, 100]
; m0 = 0
; exec = 0xf0f
; expect: v1 = [100, 100, 100, 100, 0]
; expect: lds = [0, 108]
ds_append v1 offset:4
s_waitcnt lgkmcnt(0)
