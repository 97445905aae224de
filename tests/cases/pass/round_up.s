; source: IEEE 754: anything above 1 is the next one; minus that is cut
; mode: round32=up
; v0 = [f32 0x33800000, f32 0x00800000]
; expect: v1 = [f32 0x3f800001, f32 0x3f800001]
; expect: v2 = [f32 0xbf800000, f32 0xbf800000]
v_add_f32 v1, 1.0, v0
v_sub_f32 v2, -1.0, v0
