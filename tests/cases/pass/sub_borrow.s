; source: 2^32 arithmetic: a borrow where the second is larger
; isa: gfx9
; v0 = [0, 1, 5]
; v1 = [1, 1, 3]
; exec = 0x7
; expect: v2 = [0xffffffff, 0, 2]
; expect: v3 = [1, 0, 0xfffffffe]
; expect: vcc = 0x4
; expect: s[4:5] = u64 0x1
v_sub_co_u32 v2, s[4:5], v0, v1
v_subrev_co_u32 v3, vcc, v0, v1
