;; Parts of registers as operands and results (SDWA): bytes and halves, sign-extended, padded, kept.
; source: by hand
; isa: gfx803, gfx906, gfx1030
; wave: 64
; v0 = 0x83726150
; v1 = 0x0f9e2d3c
; v10 = 0xaaaaaaaa
; v11 = 0xaaaaaaaa
; v12 = 0xaaaaaaaa
; v13 = 0xaaaaaaaa
;; 0x83 or 0x2d into byte 1, the rest kept
; expect: v10 = 0xaaaaafaa
;; -125 (0xffffff83) and 0x9e sign-extended (0xffffff9e): exclusive or = 0x1d into the upper half, the rest zero
; expect: v11 = 0x001d0000
;; 0x61 into byte 2; its sign (0) above, zero below
; expect: v12 = 0x00610000
;; 0x9e into byte 1, sign above
; expect: v13 = 0xffff9e00
; expect: v14 = 0x00008372
; expect: v15 = 0xffff8372
;; 0x50 < 0x9e, but 0x50 > -0x62
; expect: s[0:1] = [0xffffffff, 0xffffffff]
; expect: vcc = 0
v_or_b32_sdwa v14, v0, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_1
v_mov_b32_sdwa v15, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_or_b32_sdwa v10, v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:BYTE_1
v_xor_b32_sdwa v11, sext(v0), sext(v1) dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:BYTE_2
v_mov_b32_sdwa v12, v0 dst_sel:BYTE_2 dst_unused:UNUSED_SEXT src0_sel:BYTE_1
v_mov_b32_sdwa v13, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_2
v_cmp_lt_u32_sdwa vcc, v0, v1 src0_sel:BYTE_0 src1_sel:BYTE_2
s_mov_b64 s[0:1], vcc
v_cmp_lt_i32_sdwa vcc, sext(v0), sext(v1) src0_sel:BYTE_0 src1_sel:BYTE_2
