; source: manual: V_MAD_F32 rounds the product; it flushes denormals
; isa: gfx6..gfx9, !gfx90a, !gfx940..gfx942
; mode: denorm32=flush
; v0 = f32 0x3f800001
; v1 = f32 0xbf800002
; expect: v2 = 0.0
v_mad_f32 v2, v0, v0, v1
