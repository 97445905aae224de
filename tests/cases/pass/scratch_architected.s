;; Scratch memory where the hardware tells a wave where it is: each wave and lane has its own.
; source: by hand: what a lane stores it loads
; isa: gfx11
; grid: 256
; group: 128
; scratch: 16
; v0 = lane + wave * 1000
; v1 = 0
; v2 = lane * 3
; expect: v1 = lane + wave * 1000
; expect: v3 = lane * 3
scratch_store_b32 off, v0, off offset:4
scratch_store_b32 off, v2, off offset:12
s_waitcnt_vscnt null, 0x0
scratch_load_b32 v1, off, off offset:4
scratch_load_b32 v3, off, off offset:12
s_waitcnt vmcnt(0)
