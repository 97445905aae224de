;; MurmurHash3 (x86, 32 bits) of sixteen messages with seeds.
;;
;; A chain of multiplications and rotations. There is no rotation on this machine: two shifts and an OR. Multiplications of
;; integers are done by t, and PS has the product for the next group. Shifts are done by t on R600, and on R700 by the slot of the
;; element that they write: `?:` leaves that open, and what follows takes their results from the registers, not from PV or PS.
;; Messages lie in words, filled up with zeroes, with one word more than they need: so the last step needs no branch, for the bytes
;; that are left over are the next word, and no bytes are a word of zero, which changes nothing.
; source: published values, as they are handed on with implementations of the function
; isa: r600, rv770
; lanes: 16
; stack: 2
; buffer words = [0, 0xffffffff, 0, 0x87654321, 0, 0x00654321, 0x00004321, 0x00000021, 0, 0, 0x61616161, 0, 0x64636261, 0,
;   0x6c6c6548, 0x77202c6f, 0x646c726f, 0x00000021, 0]
; resource[0] = vertex(words, stride=4)
;; "" three times; ff ff ff ff; 21 43 65 87 twice, and with its last bytes left off; 4, 3, 2 and 1 zeroes; "aaaa", "abcd",
;; "Hello, world!"
; R0.x = [0, 0, 0, 1, 3, 3, 5, 6, 7, 8, 8, 8, 8, 10, 12, 14]
; R0.y = [0, 0, 0, 4, 4, 4, 3, 2, 1, 4, 3, 2, 1, 4, 4, 13]
; R0.z = [0, 1, 0xffffffff, 0, 0, 0x5082edee, 0, 0, 0, 0, 0, 0, 0, 0x9747b28c, 0x9747b28c, 0x9747b28c]
; expect: pixel0.x = [0x00000000, 0x514e28b7, 0x81f16f39, 0x76293b50, 0xf55b516b, 0x2362f9de, 0x7e4a8634, 0xa0f7b07a, 0x72661cf4,
;   0x2362f9de, 0x85f0b427, 0x30f4c306, 0x514e28b7, 0x5a97808a, 0xf0478627, 0x24884cba]
ALU:
  0 x: MOV           R1.x, R0.z
    ?: LSHR_INT      R0.w, R0.y, 2
LOOP_START_DX10 ADDR(rest)
word:
  ALU_BREAK:
    1 x: PRED_SETGT_INT ____, R0.w, 0 UPDATE_EXEC_MASK
  CALL ADDR(mix) CALL_CNT(1)
  ; h = rotate(h, 13) * 5 + 0xe6546b64
  ALU:
    2 ?: LSHL_INT    R1.y, R1.x, 13
    3 ?: LSHR_INT    R1.z, R1.x, 19
    4 x: OR_INT      ____, R1.y, R1.z
    5 t: MULLO_UINT  ____, PV.x, 5
    6 x: ADD_INT     R1.x, PS, 0xe6546b64
      w: SUB_INT     R0.w, R0.w, 1
      t: ADD_INT     R0.x, R0.x, 1
LOOP_END ADDR(word)
rest:
CALL ADDR(mix) CALL_CNT(1)
; The length, and then every bit is to depend on every other.
ALU:
  7 x: XOR_INT       R1.x, R1.x, R0.y
  8 ?: LSHR_INT      R1.y, R1.x, 16
  9 x: XOR_INT       ____, R1.x, R1.y
  10 t: MULLO_UINT   R1.x, PV.x, 0x85ebca6b
  11 ?: LSHR_INT     R1.y, R1.x, 13
  12 x: XOR_INT      ____, R1.x, R1.y
  13 t: MULLO_UINT   R1.x, PV.x, 0xc2b2ae35
  14 ?: LSHR_INT     R1.y, R1.x, 16
  15 x: XOR_INT      R1.x, R1.x, R1.y
EXPORT_DONE: PIX0, R1.x___ EOP

; h ^= rotate(word * 0xcc9e2d51, 15) * 0x1b873593
mix:
VTX:
  VFETCH R2.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT)
ALU:
  16 t: MULLO_UINT   R2.x, R2.x, 0xcc9e2d51
  17 ?: LSHL_INT     R2.y, R2.x, 15
  18 ?: LSHR_INT     R2.z, R2.x, 17
  19 x: OR_INT       ____, R2.y, R2.z
  20 t: MULLO_UINT   ____, PV.x, 0x1b873593
  21 x: XOR_INT      R1.x, R1.x, PS
RETURN
