;; Ranges of triangles (bit 9 of the offset): what was visited says whether the last node goes on with the next pair (kinds 0 to 3, then 8), with the next node,
;; or is done. Coming back from a node, what is behind it is pushed. Lanes: 0 next pair, 1 next pair behind kind 3, 2 next node, 3 done, 4 back from 0x35.
; source: GPURT (rtip3_ds_stack_emulation.hlsl); worked by hand
; isa: gfx12
; lds: 4096
; v0 = lane << 15
; v1 = [0xfffffff8, 0xfffffff8, 0xfffffff9, 0xfffffffb, 0x35]
; v4 = 0x15
; v5 = 0x25
; v6 = 0x35
; v7 = 0x45
; v8 = 0x55
; v9 = 0xffffffff
; v10 = 0xffffffff
; v11 = [0x101, 0x103, 0x103, 0x103, 0x65]
; exec = 0x1f
; expect: v20 = [0x102, 0x108, 0x110, 0xfffffffe, 0x45]
; expect: v0 = [0, 0x8000, 0x10000, 0x18000, 0x20842]
ds_bvh_stack_push8_pop1_rtn_b32 v20, v0, v1, v[4:11] offset:528
