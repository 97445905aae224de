;; A value at M0 for whole quads: M0[18:16] is its type.
; source: RDNA3 guide 12.4 and 16.14 (LDS_DIRECT_LOAD)
; isa: gfx11
; lds = [u32 0x01020304, 0x8586f788]
; m0 = 0x20004
; exec = 0x20
; expect: v0 = [0, 0, 0, 0, 0x8586f788, 0x8586f788, 0x8586f788, 0x8586f788, 0]
; expect: v1 = [0, 0, 0, 0, 0xffffff88, 0xffffff88, 0xffffff88, 0xffffff88, 0]
; expect: v2 = [0, 0, 0, 0, 0xf788, 0xf788, 0xf788, 0xf788, 0]
lds_direct_load v0
s_mov_b32 m0, 0x40004
lds_direct_load v1
s_mov_b32 m0, 0x10004
lds_direct_load v2
