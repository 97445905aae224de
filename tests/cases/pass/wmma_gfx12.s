; source: sums of 16 products of 1 and 0.5 (f16, then fp8 and bf8), of 32 products of 2 and -1, and the accumulator
; isa: gfx1200
; wave: 32
; v[0:3] = pack(f16 1.0, 1.0)
; v[4:7] = pack(f16 0.5, 0.5)
; v[8:15] = f32 3.0
; v[16:17] = u32 0x38383838
; v[18:19] = u32 0x22222222
; v[20:21] = u32 0xffffffff
; v[24:31] = f32 -3.0
; v[32:39] = u32 7
; v[40:43] = pack(f16 1.0, 2.0)
; expect: v[8:15] = f32 11.0
; expect: v[24:31] = f32 5.0
; expect: v[32:39] = i32 -57
; expect: v[40:43] = pack(f16 9.0, 10.0)
v_wmma_f32_16x16x16_f16 v[8:15], v[0:3], v[4:7], v[8:15]
v_wmma_f32_16x16x16_fp8_bf8 v[24:31], v[16:17], v[16:17], v[24:31]
v_wmma_i32_16x16x32_iu4 v[32:39], v[18:19], v[20:21], v[32:39] neg_lo:[0,1,0]
v_wmma_f16_16x16x16_f16 v[40:43], v[0:3], v[4:7], v[40:43]
