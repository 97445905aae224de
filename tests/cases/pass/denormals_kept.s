; source: IEEE 754
; mode: denorm32=keep
; v0 = f32 0x00000001
; expect: v1 = f32 0x00000002
; expect: v2 = f32 0x00000001
v_add_f32 v1, v0, v0
v_max_f32 v2, v0, v0
