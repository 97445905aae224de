;; Packed 16-bit operations: both halves at once, chosen and negated one by one, saturated where clamp says so.
; source: by hand
; isa: gfx906, gfx1030, gfx1100, gfx1200
; v0 = pack(f16 1.5, -2.0)
; v1 = pack(f16 4.0, 0.5)
; v2 = pack(f16 0.25, 8.0)
; v3 = pack(u16 65000, 5)
; v4 = pack(u16 1000, 9)
; v5 = pack(i16 -30000, 7)
; v6 = pack(i16 -10000, -3)
;; 1.5 * 4 + 0.25; -2 * 0.5 + 8
; expect: v10 = pack(f16 6.25, 7.0)
;; high * high + low: -2 * 0.5 + 0.25; low * low - high: 1.5 * 4 - 8
; expect: v11 = pack(f16 -0.75, -2.0)
;; 1.5 + 0.5 = 2 and -2 + 4 = 2, clamped
; expect: v12 = pack(f16 1.0, 1.0)
;; -(1.5) * 0.25; -2 * 8
; expect: v20 = pack(f16 -0.375, -16.0)
; expect: v13 = pack(u16 65535, 14)
; expect: v14 = pack(u16 464, 14)
; expect: v15 = pack(i16 -32768, 4)
; expect: v16 = pack(i16 -20000, 10)
; expect: v17 = pack(u16 0, 4)
; expect: v18 = pack(i16 -10000, 7)
;; 9 times the low half of v3, modulo 2^16, in the high half
; expect: v19 = pack(u16 53824, 60712)
v_pk_fma_f16 v10, v0, v1, v2
v_pk_fma_f16 v11, v0, v1, v2 op_sel:[1,1,0] op_sel_hi:[0,0,1] neg_hi:[0,0,1]
v_pk_add_f16 v12, v0, v1 op_sel:[0,1] op_sel_hi:[1,0] clamp
v_pk_mul_f16 v20, v0, v2 neg_lo:[1,0]
v_pk_add_u16 v13, v3, v4 clamp
v_pk_add_u16 v14, v3, v4
v_pk_add_i16 v15, v5, v6 clamp
v_pk_sub_i16 v16, v5, v6
v_pk_sub_u16 v17, v4, v3 clamp
v_pk_max_i16 v18, v5, v6
v_pk_mul_lo_u16 v19, v4, v3 op_sel_hi:[1,0]
