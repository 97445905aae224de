;; A pointer of 32 bits, as drivers pass it: the compiler knows the high half.
; source: 0xffff8000 is the high half of such pointers of RADV from gfx9 on; the rest by hand
; isa: gfx9..gfx11
; buffer x[16] at 0xffff800000310000 = [10, 20, 30, 40]
; s0 = low(address(x))
; s2 = high(address(x + 4))
; expect: s[0:2] = [0x31000c, 0xffff8000, 0xffff8000]
; buffer out[8] at 0x330000
; s5 = low(address(out))
; expect: s4 = 20
; expect: buffer x[8] = [30, 50]
; expect: buffer out[4] = [60]
s_movk_i32 s1, 0x8000
s_load_dword s4, s[0:1], 0x4
v_mov_b32 v0, s2
v_mov_b32 v1, 50
v_mov_b32 v4, 60
s_add_u32 s0, s0, 12
v_mov_b32 v2, s0
v_mov_b32 v3, s1
global_store_dword v[2:3], v1, off
v_mov_b32 v2, s5
v_mov_b32 v3, 0
global_store_dword v[2:3], v4, off offset:4
s_waitcnt vmcnt(0) lgkmcnt(0)
