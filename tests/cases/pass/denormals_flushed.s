; source: manual, MODE: FP_DENORM 0 flushes sources and results
; mode: denorm32=flush
; v0 = [f32 0x00000001, f32 0x80000001, f32 0x00800000]
; v1 = [f32 0x00000001, f32 0x80000001, f32 0x80800001]
; expect: v2 = [0.0, -0.0, -0.0]
v_add_f32 v2, v0, v1
