;; MD5 of five messages of one block each.
;;
;; 64 steps in four loops of 16, which differ in one function; the rest is a subroutine. The steps have a table in the constant
;; file, C[n]: a number, how far to rotate to the left and what is left to the right, and which word of the message is added. The
;; loops begin with aL 0, 16, 32 and 48, so C[aL] walks through the table. A register is then indexed by what the table says: that
;; takes the address register, and a clause that reads the constant file cannot read constant caches. The state turns by one
;; register a step: a group reads before it writes, so it takes one group and no copy.
; source: published values: the test suite of RFC 1321; the table by its formula, the whole part of 2^32 |sin n|
; isa: r600, rv770
; lanes: 5
; stack: 2
; loop[0] = 16, 0, 1
; loop[1] = 16, 16, 1
; loop[2] = 16, 32, 1
; loop[3] = 16, 48, 1
; constants = [0xd76aa478, 7, 25, 0, 0xe8c7b756, 12, 20, 1,
;   0x242070db, 17, 15, 2, 0xc1bdceee, 22, 10, 3,
;   0xf57c0faf, 7, 25, 4, 0x4787c62a, 12, 20, 5,
;   0xa8304613, 17, 15, 6, 0xfd469501, 22, 10, 7,
;   0x698098d8, 7, 25, 8, 0x8b44f7af, 12, 20, 9,
;   0xffff5bb1, 17, 15, 10, 0x895cd7be, 22, 10, 11,
;   0x6b901122, 7, 25, 12, 0xfd987193, 12, 20, 13,
;   0xa679438e, 17, 15, 14, 0x49b40821, 22, 10, 15,
;   0xf61e2562, 5, 27, 1, 0xc040b340, 9, 23, 6,
;   0x265e5a51, 14, 18, 11, 0xe9b6c7aa, 20, 12, 0,
;   0xd62f105d, 5, 27, 5, 0x02441453, 9, 23, 10,
;   0xd8a1e681, 14, 18, 15, 0xe7d3fbc8, 20, 12, 4,
;   0x21e1cde6, 5, 27, 9, 0xc33707d6, 9, 23, 14,
;   0xf4d50d87, 14, 18, 3, 0x455a14ed, 20, 12, 8,
;   0xa9e3e905, 5, 27, 13, 0xfcefa3f8, 9, 23, 2,
;   0x676f02d9, 14, 18, 7, 0x8d2a4c8a, 20, 12, 12,
;   0xfffa3942, 4, 28, 5, 0x8771f681, 11, 21, 8,
;   0x6d9d6122, 16, 16, 11, 0xfde5380c, 23, 9, 14,
;   0xa4beea44, 4, 28, 1, 0x4bdecfa9, 11, 21, 4,
;   0xf6bb4b60, 16, 16, 7, 0xbebfbc70, 23, 9, 10,
;   0x289b7ec6, 4, 28, 13, 0xeaa127fa, 11, 21, 0,
;   0xd4ef3085, 16, 16, 3, 0x04881d05, 23, 9, 6,
;   0xd9d4d039, 4, 28, 9, 0xe6db99e5, 11, 21, 12,
;   0x1fa27cf8, 16, 16, 15, 0xc4ac5665, 23, 9, 2,
;   0xf4292244, 6, 26, 0, 0x432aff97, 10, 22, 7,
;   0xab9423a7, 15, 17, 14, 0xfc93a039, 21, 11, 5,
;   0x655b59c3, 6, 26, 12, 0x8f0ccc92, 10, 22, 3,
;   0xffeff47d, 15, 17, 10, 0x85845dd1, 21, 11, 1,
;   0x6fa87e4f, 6, 26, 8, 0xfe2ce6e0, 10, 22, 15,
;   0xa3014314, 15, 17, 6, 0x4e0811a1, 21, 11, 13,
;   0xf7537e82, 6, 26, 4, 0xbd3af235, 10, 22, 11,
;   0x2ad7d2bb, 15, 17, 2, 0xeb86d391, 21, 11, 9]
;; "", "a", "abc", "message digest", "a".."z", each with a bit of one, zeroes, and its length in bits
; buffer blocks = [0x00000080, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0, 0,
;   0x00008061, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0x00000008, 0,
;   0x80636261, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0x00000018, 0,
;   0x7373656d, 0x20656761, 0x65676964, 0x00807473, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0x00000070, 0,
;   0x64636261, 0x68676665, 0x6c6b6a69, 0x706f6e6d, 0x74737271, 0x78777675, 0x00807a79, 0,
;   0, 0, 0, 0, 0, 0, 0x000000d0, 0]
; resource[0] = vertex(blocks, stride=64)
; R0.x = lane
; expect: pixel0.x = [0xd98c1dd4, 0xb975c10c, 0x98500190, 0x7d696bf9, 0xd7d3fcc3]
; expect: pixel0.y = [0x04b2008f, 0xa8b6f1c0, 0xb04fd23c, 0x8d93b77c, 0x00e49261]
; expect: pixel0.z = [0x980980e9, 0xe299c331, 0x7d3f96d6, 0x312f5a52, 0x6c49fb7d]
; expect: pixel0.w = [0x7e42f8ec, 0x61267769, 0x727fe128, 0xd061f1aa, 0x3be167ca]
VTX:
  ; The message goes to R16 to R31, the state to R1.xyzw: a, b, c, d.
  VFETCH R16.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT)
  VFETCH R17.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(4)
  VFETCH R18.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(8)
  VFETCH R19.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(12)
  VFETCH R20.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(16)
  VFETCH R21.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(20)
  VFETCH R22.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(24)
  VFETCH R23.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(28)
VTX:
  VFETCH R24.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(32)
  VFETCH R25.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(36)
  VFETCH R26.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(40)
  VFETCH R27.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(44)
  VFETCH R28.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(48)
  VFETCH R29.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(52)
  VFETCH R30.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(56)
  VFETCH R31.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(60)
ALU:
  0 x: MOV           R1.x, 0x67452301
    y: MOV           R1.y, 0xefcdab89
    z: MOV           R1.z, 0x98badcfe
    w: MOV           R1.w, 0x10325476
LOOP_START ADDR(second) CF_CONST(0)
f:
  ; c where b is one, and d where it is zero
  ALU:
    1 x: XOR_INT     ____, R1.z, R1.w
    2 x: AND_INT     ____, R1.y, PV.x
    3 x: XOR_INT     R2.x, R1.w, PV.x
  CALL ADDR(step) CALL_CNT(1)
LOOP_END ADDR(f) CF_CONST(0)
second:
LOOP_START ADDR(third) CF_CONST(1)
g:
  ; b where d is one, and c where it is zero
  ALU:
    4 x: XOR_INT     ____, R1.y, R1.z
    5 x: AND_INT     ____, R1.w, PV.x
    6 x: XOR_INT     R2.x, R1.z, PV.x
  CALL ADDR(step) CALL_CNT(1)
LOOP_END ADDR(g) CF_CONST(1)
third:
LOOP_START ADDR(fourth) CF_CONST(2)
h:
  ; whether an odd number of the three is one
  ALU:
    7 x: XOR_INT     ____, R1.y, R1.z
    8 x: XOR_INT     R2.x, R1.w, PV.x
  CALL ADDR(step) CALL_CNT(1)
LOOP_END ADDR(h) CF_CONST(2)
fourth:
LOOP_START ADDR(done) CF_CONST(3)
i:
  ; c, turned over where b is one or d is zero
  ALU:
    9 x: NOT_INT     ____, R1.w
    10 x: OR_INT     ____, R1.y, PV.x
    11 x: XOR_INT    R2.x, R1.z, PV.x
  CALL ADDR(step) CALL_CNT(1)
LOOP_END ADDR(i) CF_CONST(3)
done:
ALU:
  12 x: ADD_INT      R1.x, R1.x, 0x67452301
     y: ADD_INT      R1.y, R1.y, 0xefcdab89
     z: ADD_INT      R1.z, R1.z, 0x98badcfe
     w: ADD_INT      R1.w, R1.w, 0x10325476
EXPORT_DONE: PIX0, R1.xyzw EOP

; (a, b, c, d) becomes (d, b + rotate(a + R2.x + number + word), b, c).
step:
ALU:
  13 x: MOVA_INT     ____, C[0+aL].w
     y: ADD_INT      R2.y, R1.x, R2.x
  14 x: MOV          ____, R[16+AR.x].x
     y: ADD_INT      ____, R2.y, C[0+aL].x
  15 x: ADD_INT      R2.x, PV.x, PV.y
  16 ?: LSHL_INT     R2.y, R2.x, C[0+aL].y
  17 ?: LSHR_INT     R2.z, R2.x, C[0+aL].z
  18 x: OR_INT       ____, R2.y, R2.z
  19 x: MOV          R1.x, R1.w
     y: ADD_INT      R1.y, R1.y, PV.x
     z: MOV          R1.z, R1.y
     w: MOV          R1.w, R1.z
RETURN
