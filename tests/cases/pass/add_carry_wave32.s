; source: 2^64 arithmetic; masks are one register in waves of 32 lanes
; isa: gfx10..gfx12
; wave: 32
; v[0:1] = u64 0xffffffffffffffff
; v[2:3] = u64 2
; s[6:7] = 0x77
; expect: v[4:5] = u64 1
; expect: s[6:7] = [0xffffffff, 0x77]
v_add_co_u32 v4, s6, v0, v2
v_add_co_ci_u32 v5, s6, v1, v3, s6
