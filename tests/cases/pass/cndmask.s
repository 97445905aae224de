; source: manual: the second source where the bit is set
; wave: 64
; vcc = 0xa
; v0 = lane
; v1 = 100
; expect: v2 = [0, 100, 2, 100, 4]
v_cndmask_b32 v2, v0, v1, vcc
