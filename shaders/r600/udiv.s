;; Quotient and remainder of unsigned integers, as compilers make them: there is no division.
;;
;; RECIP_UINT is near 2^32 / d. How far it is off is seen from its product with d; one step makes it good enough for a quotient
;; that is wrong by one at most. The remainder tells, and both are put right without a branch: CNDE_INT takes its second operand
;; where the first is 0, and comparisons of integers give -1 or 0.
; source: whole-number division of the host
; isa: r600, rv770
; lanes: 32
; R0.x = [0, 1, 7, 100, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0x80000000, 0x80000000, 0x7fffffff, 5,
;   1000000007, 4294967291, 3000000000, 65535, 65536, 0xffff0000, 12345678, 999999999, 2147483659, 0xdeadbeef, 0xcafebabe,
;   4000000000, 10, 81, 0x10000000, 0xfffffffd, 0xaaaaaaaa, 0x55555555, 2]
; R0.y = [1, 1, 3, 10, 1, 2, 0xffffffff, 0xfffffffe, 0xffffffff, 3, 0x80000000, 0x80000000, 7, 97, 65537, 3000000001, 256, 65535,
;   0xffff, 1234, 1000000000, 2147483647, 0x1234, 0xbabe, 3, 10, 9, 0x0fffffff, 0xfffffffe, 0x55555555, 0xaaaaaaaa, 0x80000001]
; expect: pixel0.x = [0, 1, 2, 10, 4294967295, 2147483647, 1, 1, 0, 715827882, 1, 0, 0, 10309278, 65534, 0, 255, 1, 65536, 10004,
;   0, 1, 801701, 71239, 1333333333, 1, 9, 1, 0, 2, 0, 0]
; expect: pixel0.y = [0, 0, 1, 0, 0, 1, 0, 1, 4294967294, 2, 0, 2147483647, 5, 41, 65533, 3000000000, 255, 1, 0, 742, 999999999,
;   12, 1899, 39948, 1, 0, 0, 1, 4294967293, 0, 1431655765, 2]
ALU:
  ; R1.x: the reciprocal r. Its product with d is 2^32 + e or 2^32 - e, told apart by the high half.
  0 t: RECIP_UINT    R1.x, R0.y
  1 t: MULLO_UINT    R1.y, R1.x, R0.y
  2 t: MULHI_UINT    R1.z, R1.x, R0.y
  3 y: SUB_INT       ____, 0, R1.y
  4 y: CNDE_INT      R1.y, R1.z, PV.y, R1.y
  ; r moves by e r / 2^32, up if the product was too small. The reciprocal of a chip may need it; that of
  ; the emulator is exact but for its fraction, and stays.
  5 t: MULHI_UINT    R1.w, R1.y, R1.x
  6 x: ADD_INT       ____, R1.x, R1.w
    y: SUB_INT       ____, R1.x, R1.w
  7 x: CNDE_INT      R1.x, R1.z, PV.x, PV.y
  ; The quotient by this reciprocal, and what it leaves.
  8 t: MULHI_UINT    R2.x, R1.x, R0.x
  9 t: MULLO_UINT    R2.y, R2.x, R0.y
  10 z: SUB_INT      R2.z, R0.x, R2.y
  ; Too small by one: the remainder is not below d. Too large by one: the product is above n.
  11 x: SETGE_UINT   R3.x, R2.z, R0.y
     y: SETGE_UINT   R3.y, R0.x, R2.y VEC_021
     z: ADD_INT      R3.z, R2.x, 1 VEC_120
     w: SUB_INT      R3.w, R2.x, 1 VEC_120
  12 x: AND_INT      R3.x, PV.x, PV.y
  13 x: CNDE_INT     R4.x, R3.x, R2.x, R3.z
     y: SUB_INT      ____, R2.z, R0.y
     z: ADD_INT      ____, R2.z, R0.y
  14 y: CNDE_INT     R4.y, R3.x, R2.z, PV.y
     w: MOV          R4.w, PV.z
  15 x: CNDE_INT     R4.x, R3.y, R3.w, R4.x
     y: CNDE_INT     R4.y, R3.y, R4.w, R4.y VEC_021
EXPORT_DONE: PIX0, R4.xy__ EOP
