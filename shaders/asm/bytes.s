;; Bytes: permutations out of two registers with sign and constants, differences with and without a mask, averages, alignment.
; source: the manual's formulas by hand
; isa: gfx803, gfx906, gfx1030, gfx1100, gfx1200
; s0 = 0x83726150
; s1 = 0x0f9e2d3c
; v0 = 0x83726150
; v1 = 0x0f9e2d3c
; v2 = 0x0c0d0706
; v3 = 0x08090a0b
; v4 = 100
; v5 = 0x01010101
;; bytes 0x0c = 0, 0x0d.. = 0xff, 7 and 6 are the upper bytes of the first source
; expect: v10 = 0x00ff8372
;; signs of bytes 1, 3 of v1 and of bytes 1, 3 of v0: 08 = byte 1 of v1, 09 = byte 3 of v1, 0a = byte 1 of v0, 0b = byte 3 of v0
; expect: v11 = 0x000000ff
;; |83-0f| + |72-9e| + |61-2d| + |50-3c| = 116 + 44 + 52 + 20, + 100
; expect: v12 = 332
;; bytes of the reference that are 0 are left out: 83, 72 stay
; expect: v13 = 260
;; (a + b + round) / 2 for each byte
; expect: v14 = 0x49884746
;; the 64 bits v0:v1 right by 8 and by 20
; expect: v15 = 0x500f9e2d
; expect: v16 = 0x261500f9
; expect: v17 = 0x83726151
v_perm_b32 v10, v0, v1, v2
v_perm_b32 v11, v0, v1, v3
v_sad_u8 v12, v0, v1, v4
v_mov_b32 v6, 0xffff0000
v_and_b32 v6, v6, v1
v_msad_u8 v13, v0, v6, v4
v_lerp_u8 v14, v0, v1, v5
v_alignbyte_b32 v15, v0, v1, 1
v_alignbit_b32 v16, v0, v1, 20
v_lshrrev_b32 v17, 8, v0
v_alignbit_b32 v17, v0, v0, 0
v_or_b32 v17, 1, v17
