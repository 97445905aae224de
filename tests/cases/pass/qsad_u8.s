;; Four sums of four bytes each, in 16 bits, each a byte further.
; source: Southern Islands manual: as v_qsad_pk_u16_u8 of later ones; the sums by hand
; isa: gfx6
; v[0:1] = u64 0x0000000000000000
; v2 = 0x01010101
; v[4:5] = u64 0x0004000300020001
; expect: v[8:9] = u64 0x0008000700060005
v_qsad_u8 v[8:9], v[0:1], v2, v[4:5]
