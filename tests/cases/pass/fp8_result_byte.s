;; The byte that a stochastic conversion to 8 bits writes: two bits of OP_SEL on gfx940, `byte_sel` on gfx12.
; source: LLVM's texts; the values 1.5 and -2.0 are exact, so that the seed does not matter
; isa: gfx940, gfx12
; v1 = 1.5
; v2 = -2.0
; v4 = 0x11223344
; v5 = 0x11223344
; expect[gfx940]: v4 = 0x11224444
; expect[gfx940]: v5 = 0x11c43344
; expect[gfx12]: v4 = 0x11223c44
; expect[gfx12]: v5 = 0x11c03344
.if .amdgcn.gfx_generation_number == 9
v_cvt_sr_fp8_f32 v4, v1, v3 op_sel:[0,0,1,0]
v_cvt_sr_bf8_f32 v5, v2, v3 op_sel:[0,0,0,1]
.else
v_cvt_sr_fp8_f32 v4, v1, v3 byte_sel:1
v_cvt_sr_bf8_f32 v5, v2, v3 byte_sel:2
.endif
