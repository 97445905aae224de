;; From gfx11 on the global data share is one lane wide: the first active one has a say. Append and consume count all of them.
; source: RDNA3 manual 12.6 (one active lane, the first one is used), 13.4.3 (append and consume count the bits of EXEC), 16.15 (all valid lanes get the old value)
; isa: gfx11
; buffer gds[64] = [10, 20, 30, 40]
; m0 = 0x00000010
; exec = 0x36
; v0 = lane * 4
; v1 = [1, 2, 3, 4, 5, 6]
; v2 = [99, 99, 99, 99, 99, 99]
; v3 = [99, 99, 99, 99, 99, 99]
; v4 = [99, 99, 99, 99, 99, 99]
; expect: v2 = [99, 20, 99, 99, 99, 99]
; expect: v3 = [99, 20, 99, 99, 99, 99]
; expect: v4 = [99, 10, 10, 99, 10, 10]
; expect: buffer gds = [14, 22, 30, 40]
ds_load_b32 v2, v0 gds
ds_add_rtn_u32 v3, v0, v1 gds
ds_append v4 gds
s_waitcnt lgkmcnt(0)
