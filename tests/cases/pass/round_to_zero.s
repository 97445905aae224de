; source: IEEE 754: 1 + 2^-24 lies half way
; mode: round32=zero
; v0 = [f32 0x33800000, f32 0x33c00000]
; expect: v1 = [f32 0x3f800000, f32 0x3f800000]
v_add_f32 v1, 1.0, v0
