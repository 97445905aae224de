; source: the middle one of three
; v0 = [1, 5, 0xffffffff]
; v1 = [2, 4, 0]
; v2 = [3, 6, 7]
; expect: v3 = [2, 5, 7]
; expect: v4 = [2, 5, 0]
; expect: v5 = [3, 6, 0xffffffff]
; expect: v6 = [1, 4, 0xffffffff]
v_med3_u32 v3, v0, v1, v2
v_med3_i32 v4, v0, v1, v2
v_max3_u32 v5, v0, v1, v2
v_min3_i32 v6, v0, v1, v2
