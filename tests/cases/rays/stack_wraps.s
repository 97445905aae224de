;; A stack of eight words that gets nine: the ninth lies where the first was, and when it has been popped nothing is left there. The size is in bits 13:12 of
;; the offset: one of sixteen keeps all nine.
; source: GPURT (bvh_stack_dxr_prototype.hlsl), RDNA3 manual (stack sizes); worked by hand
; isa: gfx11
; lds: 4096
; v0 = 0
; v1 = 0xffffffff
; v2 = 0x40000
; v4 = [1]
; v5 = [2]
; v6 = [3]
; v7 = [4]
; v12 = [5]
; v13 = [6]
; v14 = [7]
; v15 = [8]
; v16 = [9]
; v17 = [10]
; v18 = [11]
; v19 = [12]
; v8 = 0xffffffff
; v9 = 0xffffffff
; v10 = 0xffffffff
; v11 = 0xffffffff
; exec = 0x1
; expect: v20 = [10]
; expect: v21 = [11]
; expect: v22 = [12]
; expect: v23 = [6]
; expect: v26 = [2]
; expect: v27 = [3]
; expect: v28 = [0xffffffff]
; expect: v29 = [0xfffffffe]
; expect: v0 = [0]
; expect: v30 = [4]
; expect: v2 = [0x40000]
ds_bvh_stack_rtn_b32 v30, v0, v1, v[4:7]
ds_bvh_stack_rtn_b32 v30, v0, v1, v[12:15]
ds_bvh_stack_rtn_b32 v30, v0, v1, v[16:19]
ds_bvh_stack_rtn_b32 v20, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v21, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v22, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v23, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v24, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v25, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v26, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v27, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v28, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v29, v0, v1, v[8:11]
ds_bvh_stack_rtn_b32 v30, v2, v1, v[4:7] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[12:15] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[16:19] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
ds_bvh_stack_rtn_b32 v30, v2, v1, v[8:11] offset:4096
s_waitcnt lgkmcnt(0)
