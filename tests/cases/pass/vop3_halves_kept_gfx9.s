;; What gfx9 has as VOP3 only, with halves to select, keeps the half of the destination that it does not write; what VOP2 has too clears it.
; source: Mesa 25 (aco: "all non legacy opsel instructions preserve the high bits"; random shaders by RADV beside lavapipe); LLVM's zeroesHigh16BitsOfDest, an experiment, has none of them
; isa: gfx9
; v0 = 3
; v1 = -5
; v2 = 7
; v10 = 0xabcd0000
; v11 = 0xabcd0000
; v12 = 0xabcd0000
; v13 = 0xabcd0000
; v14 = 0xabcd0000
; v15 = 0xabcd0000
; v16 = 0xabcd0000
; v17 = 0x0000abcd
; v18 = 0xabcd0000
; v20 = 0x3c00
; v21 = 0x4000
; v22 = 0xc200
; v23 = 0xabcd0000
; v24 = 0xabcd0000
; v25 = 0xabcd0000
; expect: v10 = 0xabcdfffb
; expect: v11 = 0xabcd0007
; expect: v12 = 0xabcd0003
; expect: v13 = 0xabcd0003
; expect: v14 = 0xabcdfffb
; expect: v15 = 0xabcd0007
; expect: v16 = 0xabcdfffe
; expect: v17 = 0x0008abcd
; expect: v18 = 0x0000000a
; expect: v23 = 0xabcdc200
; expect: v24 = 0xabcd4000
; expect: v25 = 0xabcd3c00
v_min3_i16 v10, v0, v1, v2
v_max3_i16 v11, v0, v1, v2
v_med3_i16 v12, v0, v1, v2
v_min3_u16 v13, v0, v1, v2
v_max3_u16 v14, v0, v1, v2
v_med3_u16 v15, v0, v1, v2
v_add_i16 v16, v0, v1
v_sub_i16 v17, v0, v1 op_sel:[0,0,1]
v_add_u16 v18, v0, v2
v_min3_f16 v23, v20, v21, v22
v_max3_f16 v24, v20, v21, v22
v_med3_f16 v25, v20, v21, v22
