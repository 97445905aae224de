;; The stack of gfx11, for two lanes: the nearest node is returned, the others are pushed, the farthest first; what is popped is cleared. Coming back
;; from a node, only what is behind it is pushed; with 0xfffffffe nothing is, and an empty stack gives that.
; source: GPURT (bvh_stack_dxr_prototype.hlsl), the register as RADV and LLPC make it; worked by hand
; isa: gfx11
; lds: 1024
; v0 = lane << 18
; v1 = 0xffffffff
; v2 = 0x50
; v3 = 0xfffffffe
; v4 = 0x10
; v5 = lane * 8 + 0x20
; v6 = 0x30
; v7 = 0x40
; v8 = 0xffffffff
; v9 = 0xffffffff
; v10 = 0xffffffff
; v11 = 0xffffffff
; v12 = 0x60
; v13 = 0x50
; v14 = 0x70
; v15 = 0xffffffff
; exec = 0x3
; expect: v20 = [0x10, 0x10, 0]
; expect: v21 = [0x20, 0x28, 0]
; expect: v22 = [0x70, 0x70, 0]
; expect: v23 = [0x30, 0x30, 0]
; expect: v24 = [0x40, 0x40, 0]
; expect: v25 = [0xfffffffe, 0xfffffffe, 0]
; expect: v30 = [3, 0x40003]
; expect: v31 = [2, 0x40002]
; expect: v0 = [0, 0x40000, 0x80000]
; expect: lds = [0xffffffff, 0xffffffff, 0]
; expect: lds[128] = [0xffffffff, 0xffffffff, 0]
; expect: lds[256] = [0xffffffff, 0xffffffff, 0]
; expect: lds[384] = [0, 0]
ds_bvh_stack_rtn_b32 v20, v0, v1, v[4:7]
v_mov_b32 v30, v0
ds_bvh_stack_rtn_b32 v21, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v22, v0, v2, v[12:15]
v_mov_b32 v31, v0
ds_bvh_stack_rtn_b32 v23, v0, v3, v[4:7]
ds_bvh_stack_rtn_b32 v24, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v25, v0, v1, v[8:11]
s_waitcnt lgkmcnt(0)
