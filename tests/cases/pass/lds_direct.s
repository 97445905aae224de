; source: manual: LDS_DIRECT is read at M0, bits 15:0 the address, 18:16 the type: 5 is a signed half
; isa: gfx6..gfx8, gfx10
; lds = [u32 7, 0x00008001]
; m0 = 0x50004
; expect: v1 = [0xffff8001, 0xffff8001, 0xffff8001]
v_mov_b32 v1, src_lds_direct
