; source: manual: the low word of {S0, S1} shifted right
; v0 = 0x11223344
; v1 = 0x55667788
; expect: v2 = 0x44556677
; expect: v3 = 0x33445566
v_alignbit_b32 v2, v0, v1, 8
v_alignbyte_b32 v3, v0, v1, 2
