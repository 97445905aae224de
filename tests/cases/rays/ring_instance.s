;; A tree in a tree: when an instance is popped, the ring notes that what lies below belongs to the tree around it. What stands for no node may say that the nodes before
;; it do not count. The pop that goes back to the tree around says so in bit 31; an empty ring gives 0xfffffffe.
; source: GPURT (rtip3_ds_stack_emulation.hlsl), RDNA4 manual (address fields); worked by hand
; isa: gfx12
; lds: 4096
; v0 = 0
; v1 = 0xffffffff
; v4 = 0x16
; v5 = 0x25
; v6 = 0xffffffff
; v7 = 0xffffffff
; v8 = 0x95
; v9 = 0x95
; v10 = 0x95
; v11 = 0x95
; v12 = 0x95
; v13 = 0x95
; v14 = 0xfffffff9
; v15 = 0x35
; v16 = 0xffffffff
; v17 = 0xffffffff
; v18 = 0xffffffff
; v19 = 0xffffffff
; v20 = 0xffffffff
; v21 = 0xffffffff
; v22 = 0xffffffff
; v23 = 0xffffffff
; exec = 0x1
; expect: v24 = [0x16]
; expect: v25 = [0x35]
; expect: v26 = [0x25]
; expect: v27 = [0xfffffffe]
; expect: v30 = [0x20000401]
; expect: v31 = [0x20000401]
; expect: v32 = [0x80000000]
; expect: v0 = [0]
ds_bvh_stack_push4_pop1_rtn_b32 v24, v0, v1, v[4:7] offset:16
v_mov_b32 v30, v0
ds_bvh_stack_push8_pop1_rtn_b32 v25, v0, v1, v[8:15] offset:16
v_mov_b32 v31, v0
ds_bvh_stack_push8_pop1_rtn_b32 v26, v0, v1, v[16:23] offset:16
v_mov_b32 v32, v0
ds_bvh_stack_push8_pop1_rtn_b32 v27, v0, v1, v[16:23] offset:16
