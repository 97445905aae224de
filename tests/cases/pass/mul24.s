; source: manual: 24 bits of each source, signed or not
; v0 = [0xff000003, 0x00ffffff]
; v1 = [5, 2]
; expect: v2 = [15, 0x1fffffe]
; expect: v3 = [15, 0xfffffffe]
v_mul_u32_u24 v2, v0, v1
v_mul_i32_i24 v3, v0, v1
