;; Registers whose number is in M0: reads and writes of vector and scalar registers, and a call by s_swappc that comes back.
; source: by hand
; isa: gfx600, gfx700, gfx803, gfx1030, gfx1100, gfx1200
; v0 = 100
; v1 = 101
; v2 = 102
; v3 = 103
; s[20:23] = [7, 8, 9, 10]
; expect: v10 = 102
; expect: v2 = 55
; expect: s0 = 9
; expect: s21 = 77
; expect: s1 = 18
s_mov_b32 m0, 2
s_nop 0
v_movrels_b32 v10, v0
s_movrels_b32 s0, s20
v_mov_b32 v11, 55
v_movreld_b32 v0, v11
s_mov_b32 m0, 1
s_movk_i32 s2, 77
s_nop 0
s_movreld_b32 s20, s2
s_getpc_b64 s[4:5]
here:
s_add_u32 s4, s4, double - here
s_addc_u32 s5, s5, 0
s_swappc_b64 s[6:7], s[4:5]
s_endpgm
double:
s_lshl_b32 s1, s0, 1
s_setpc_b64 s[6:7]
