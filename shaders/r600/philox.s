;; Philox4x32-10, a generator of random numbers without a state: ten rounds make four words of a counter and a key.
;;
;; Multiplications of 32 bits with both halves of the product, all of them in t, a group each; what else is to be done stands
;; beside them. All lanes make ten rounds: a counted loop that no lane leaves early.
; source: published values: lanes 0 to 2 are the known answers that come with Random123; the others by the definition
; isa: r600, rv770
; lanes: 8
; stack: 1
; loop[0] = 10
; R1.x = [0, 0xffffffff, 0x243f6a88, 0, 1, 2, 3, 4]
; R1.y = [0, 0xffffffff, 0x85a308d3]
; R1.z = [0, 0xffffffff, 0x13198a2e]
; R1.w = [0, 0xffffffff, 0x03707344]
; R2.x = [0, 0xffffffff, 0xa4093822, 7, 7, 7, 7, 7]
; R2.y = [0, 0xffffffff, 0x299f31d0]
; expect: pixel0.x = [0x6627e8d5, 0x408f276d, 0xd16cfe09, 0xf4607a2d, 0x682e8e9b, 0x018e23c0, 0x63e41616, 0x4a38c322]
; expect: pixel0.y = [0xe169c58d, 0x41c83b0e, 0x94fdcceb, 0xc009f9dc, 0xcb97bc13, 0x0229fbb4, 0x40086b6f, 0xfd55fece]
; expect: pixel0.z = [0xbc57ac4c, 0xa20bc7c6, 0x5001e420, 0x1d3aba42, 0x2bfaff6b, 0xcec27c6a, 0x25d49543, 0xb286e565]
; expect: pixel0.w = [0x9b00dbd8, 0x6d5451fd, 0x24126ea1, 0x15edac82, 0xf535eea6, 0xd94320a7, 0x2397279f, 0x8bc82c89]
LOOP_START ADDR(done) CF_CONST(0)
round:
  ALU:
    0 y: XOR_INT     R3.y, R1.y, R2.x
      w: XOR_INT     R3.w, R1.w, R2.y
      t: MULHI_UINT  R3.x, R1.x, 0xd2511f53
    1 t: MULHI_UINT  R3.z, R1.z, 0xcd9e8d57
    2 t: MULLO_UINT  R4.x, R1.x, 0xd2511f53
    3 t: MULLO_UINT  R1.y, R1.z, 0xcd9e8d57
    ; The products change places, and the key grows.
    4 x: XOR_INT     R1.x, R3.z, R3.y
      y: ADD_INT     R2.y, R2.y, 0xbb67ae85
      z: XOR_INT     R1.z, R3.x, R3.w
      w: MOV         R1.w, R4.x VEC_120
      t: ADD_INT     R2.x, R2.x, 0x9e3779b9
LOOP_END ADDR(round) CF_CONST(0)
done:
EXPORT_DONE: PIX0, R1.xyzw EOP
