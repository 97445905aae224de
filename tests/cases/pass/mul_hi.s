; source: host integers of 64 bits
; v0 = [0xffffffff, 0x80000000, 3]
; v1 = [0xffffffff, 2, 4]
; expect: v2 = [1, 0, 12]
; expect: v3 = [0xfffffffe, 1, 0]
; expect: v4 = [0, 0xffffffff, 0]
v_mul_lo_u32 v2, v0, v1
v_mul_hi_u32 v3, v0, v1
v_mul_hi_i32 v4, v0, v1
