; source: manual: offset and width are five bits; a width of 0 gives 0
; v0 = 0x89abcdef
; expect: v1 = 0xcd
; expect: v2 = 0xffffffcd
; expect: v3 = 0
; expect: v4 = 0xff00
; expect: v5 = 0x89ab34ef
v_bfe_u32 v1, v0, 8, 8
v_bfe_i32 v2, v0, 8, 8
v_bfe_u32 v3, v0, 8, 32
v_bfm_b32 v4, 8, 8
v_mov_b32 v6, 0xff00
v_mov_b32 v7, 0x3400
v_bfi_b32 v5, v6, v7, v0
