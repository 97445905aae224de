;; gfx12 selects the byte, or the half, that a conversion of floats of 8 bits reads.
; source: LLVM's texts byte_sel and op_sel; OCP 8-bit floating point formats for the values
; isa: gfx12
; v1 = 0x40383c48
; expect: v2 = 4.0
; expect: v3 = 1.5
; expect: v4 = 1.0
; expect: v5 = 2.0
; expect: v6 = 0.5
; expect: v8 = [4.0]
; expect: v9 = [1.5]
; expect: v10 = [1.0]
; expect: v11 = [2.0]
v_cvt_f32_fp8 v2, v1
v_cvt_f32_fp8 v3, v1 byte_sel:1
v_cvt_f32_fp8 v4, v1 byte_sel:2
v_cvt_f32_fp8 v5, v1 byte_sel:3
v_cvt_f32_bf8 v6, v1 byte_sel:2
v_cvt_pk_f32_fp8 v[8:9], v1
v_cvt_pk_f32_fp8 v[10:11], v1 op_sel:[1,0]
