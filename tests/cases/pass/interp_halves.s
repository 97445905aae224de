;; Two parameters of 16 bits in a word: HIGH takes the upper one, of LDS and of P0 in a register.
; source: manuals: V_INTERP_P1LL_F16, P1LV_F16 and P2_F16; sums by hand, exact in f16
; isa: gfx8..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; lds = [f16 1.0, 2.0, 0, 0, 0, 0, 0, 0, f16 4.0, 8.0, 0, 0, 0, 0, 0, 0, f16 16.0, 32.0]
; v0 = 0.5
; v1 = 0.25
; v2 = pack(f16 3.0, 5.0)
; v[8:9] = u64 0xaaaaaaaabbbbbbbb
; expect: v4 = 3.0
; expect: v5 = 6.0
; expect: v6 = 5.0
; expect: v7 = 9.0
; expect[gfx8]: v8 = u32 0x00004700
; expect[gfx9..gfx10]: v8 = u32 0xbbbb4700
; expect[gfx8]: v9 = u32 0x00004b00
; expect[gfx9..gfx10]: v9 = u32 0xaaaa4b00
v_interp_p1ll_f16 v4, v0, attr0.x
v_interp_p1ll_f16 v5, v0, attr0.x high
v_interp_p1lv_f16 v6, v0, attr0.x, v2
v_interp_p1lv_f16 v7, v0, attr0.x, v2 high
v_interp_p2_f16 v8, v1, attr0.x, v4
v_interp_p2_f16 v9, v1, attr0.x, v5 high
