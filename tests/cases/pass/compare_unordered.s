; source: manual: comparisons with NaN are false, their n-forms and U true
; wave: 64
; v0 = [nan, 1.0, 2.0, 1.0]
; v1 = [1.0, nan, 1.0, 1.0]
; exec = 0xf
; expect: vcc = 0x8
; expect: exec = 0x7
; expect: v2 = [1, 1, 0, 0]
v_cmp_u_f32 vcc, v0, v1
v_cndmask_b32 v2, 0, 1, vcc
v_cmp_eq_f32 vcc, v0, v1
s_mov_b32 exec_lo, 0x7
