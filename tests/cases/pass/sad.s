; source: manual: sums of absolute differences of bytes; MSAD leaves out bytes whose reference is zero
; v0 = 0x01020304
; v1 = 0x04030000
; v4 = 100
; expect: v2 = 111
; expect: v3 = 104
v_sad_u8 v2, v0, v1, v4
v_msad_u8 v3, v0, v1, v4
