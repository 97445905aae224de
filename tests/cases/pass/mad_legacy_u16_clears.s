;; The legacy forms of gfx9 clear the upper half as gfx8 does, the others keep it.
; source: LLVM (zeroesHigh16BitsOfDest); ALU_FACTS 1
; isa: gfx9
; v0 = 3
; v1 = 5
; v2 = 7
; v3 = 0xabcd0000
; v4 = 0xabcd0000
; v5 = 0xabcd0000
; v6 = 0xabcd0000
; expect: v3 = 22
; expect: v4 = 22
; expect: v5 = 0xabcd0016
; expect: v6 = 0xabcd0016
v_mad_legacy_u16 v3, v0, v1, v2
v_mad_legacy_i16 v4, v0, v1, v2
v_mad_u16 v5, v0, v1, v2
v_mad_i16 v6, v0, v1, v2
