; source: 16 products of 1 and 0.5, and the accumulator
; isa: gfx1100
; wave: 32
; v[0:7] = pack(f16 1.0, 1.0)
; v[8:15] = pack(f16 0.5, 0.5)
; v[16:23] = f32 3.0
; expect: v[16:23] = f32 11.0
v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]
