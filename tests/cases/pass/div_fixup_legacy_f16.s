;; A quotient that is right stays, one by zero is infinite; the upper half is cleared.
; source: IEEE 754; Vega manual: the legacy forms of gfx9 write zeros to bits 31:16
; isa: gfx9
; v0 = f16 2.0
; v1 = f16 1.0
; v2 = f16 0.0
; v3 = 0xffffffff
; v4 = 0xffffffff
; expect: v3 = 0x00004000
; expect: v4 = 0x00007c00
v_div_fixup_legacy_f16 v3, v0, v1, v0
v_div_fixup_legacy_f16 v4, v0, v2, v0
