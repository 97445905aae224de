; source: manual: five bits of the amount
; v0 = [1, 33, 31]
; v1 = 0x80000001
; expect: v2 = [2, 2, 0x80000000]
; expect: v3 = [0x40000000, 0x40000000, 1]
; expect: v4 = [0xc0000000, 0xc0000000, 0xffffffff]
v_lshlrev_b32 v2, v0, v1
v_lshrrev_b32 v3, v0, v1
v_ashrrev_i32 v4, v0, v1
