; source: manual: halves of registers on gfx11; the other half stays
; isa: gfx11
; mattr: +real-true16
; v0 = pack(f16 1.0, 2.0)
; v1 = 0xabcd1234
; expect: v1 = u32 0x42001234
v_add_f16 v1.h, v0.l, v0.h
