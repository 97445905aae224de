; source: IEEE 754 and the manuals: a signalling NaN comes out quiet with its payload, with IEEE on
; isa: gfx6..gfx11
; v0 = [f32 0x7fa00001, f32 0xffc00123]
; expect: v1 = [f32 0x7fe00001, f32 0xffc00123]
v_add_f32 v1, 1.0, v0
