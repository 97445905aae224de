;; The stack of gfx12 is a ring, here of four words: eight nodes are pushed, the last first, and four remain. When they have been popped, 0xffffffff says that
;; something was lost; the register has where the ring is, what is in it, and that.
; source: GPURT (rtip3_ds_stack_emulation.hlsl), RDNA4 manual (address fields); worked by hand
; isa: gfx12
; lds: 1024
; v0 = 0x10000
; v1 = 0xffffffff
; v4 = 0x15
; v5 = 0x25
; v6 = 0x35
; v7 = 0x45
; v8 = 0x55
; v9 = 0x65
; v10 = 0x75
; v11 = 0x85
; v12 = 0xffffffff
; v13 = 0xffffffff
; v14 = 0xffffffff
; v15 = 0xffffffff
; v16 = 0xffffffff
; v17 = 0xffffffff
; v18 = 0xffffffff
; v19 = 0xffffffff
; exec = 0x1
; expect: v20 = [0x15]
; expect: v30 = [0x40010c63]
; expect: v21 = [0x25]
; expect: v22 = [0x35]
; expect: v23 = [0x45]
; expect: v31 = [0x40010000]
; expect: v24 = [0xffffffff]
; expect: v0 = [0x40010000]
; expect: lds[8] = [0x45]
; expect: lds[136] = [0x35]
; expect: lds[264] = [0x25]
; expect: lds[392] = [0x15]
ds_bvh_stack_push8_pop1_rtn_b32 v20, v0, v1, v[4:11] offset:4
v_mov_b32 v30, v0
ds_bvh_stack_push8_pop1_rtn_b32 v21, v0, v1, v[12:19] offset:4
ds_bvh_stack_push8_pop1_rtn_b32 v22, v0, v1, v[12:19] offset:4
ds_bvh_stack_push4_pop1_rtn_b32 v23, v0, v1, v[12:15] offset:4
v_mov_b32 v31, v0
ds_bvh_stack_push4_pop1_rtn_b32 v24, v0, v1, v[12:15] offset:4
