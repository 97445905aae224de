;; SHA-256 of four messages of one or two blocks.
;;
;; Loops in a loop, and a call in them: blocks, and for each its 16 words, the 48 words made of them, and two times 32 rounds.
;; Words are registers indexed by aL, R16 to R79. Round constants come from a constant cache. A clause locks 32 of them at most, so
;; the rounds are two loops whose clauses lock one half each, and call the same subroutine. Shifts are done by t, one a group,
;; while the other slots have other work. An operation that a shift shares the group with writes the same element: that sends the
;; shift to t on R700 too, which has shifts in all slots.
; source: FIPS 180-2 for "abc" and the message of 448 bits; OpenSSL for no bytes and the message of 896 bits
; isa: r600, rv770
; lanes: 4
; stack: 3
; loop[0] = 16, 0, 1
; loop[1] = 48, 0, 1
; loop[2] = 32, 0, 1
;; The whole part of 2^32 times the cubic roots of the first primes, without their integers; x of a constant each.
; kcache[0] = [0x428a2f98, 0, 0, 0, 0x71374491, 0, 0, 0, 0xb5c0fbcf, 0, 0, 0, 0xe9b5dba5, 0, 0, 0,
;   0x3956c25b, 0, 0, 0, 0x59f111f1, 0, 0, 0, 0x923f82a4, 0, 0, 0, 0xab1c5ed5, 0, 0, 0,
;   0xd807aa98, 0, 0, 0, 0x12835b01, 0, 0, 0, 0x243185be, 0, 0, 0, 0x550c7dc3, 0, 0, 0,
;   0x72be5d74, 0, 0, 0, 0x80deb1fe, 0, 0, 0, 0x9bdc06a7, 0, 0, 0, 0xc19bf174, 0, 0, 0,
;   0xe49b69c1, 0, 0, 0, 0xefbe4786, 0, 0, 0, 0x0fc19dc6, 0, 0, 0, 0x240ca1cc, 0, 0, 0,
;   0x2de92c6f, 0, 0, 0, 0x4a7484aa, 0, 0, 0, 0x5cb0a9dc, 0, 0, 0, 0x76f988da, 0, 0, 0,
;   0x983e5152, 0, 0, 0, 0xa831c66d, 0, 0, 0, 0xb00327c8, 0, 0, 0, 0xbf597fc7, 0, 0, 0,
;   0xc6e00bf3, 0, 0, 0, 0xd5a79147, 0, 0, 0, 0x06ca6351, 0, 0, 0, 0x14292967, 0, 0, 0,
;   0x27b70a85, 0, 0, 0, 0x2e1b2138, 0, 0, 0, 0x4d2c6dfc, 0, 0, 0, 0x53380d13, 0, 0, 0,
;   0x650a7354, 0, 0, 0, 0x766a0abb, 0, 0, 0, 0x81c2c92e, 0, 0, 0, 0x92722c85, 0, 0, 0,
;   0xa2bfe8a1, 0, 0, 0, 0xa81a664b, 0, 0, 0, 0xc24b8b70, 0, 0, 0, 0xc76c51a3, 0, 0, 0,
;   0xd192e819, 0, 0, 0, 0xd6990624, 0, 0, 0, 0xf40e3585, 0, 0, 0, 0x106aa070, 0, 0, 0,
;   0x19a4c116, 0, 0, 0, 0x1e376c08, 0, 0, 0, 0x2748774c, 0, 0, 0, 0x34b0bcb5, 0, 0, 0,
;   0x391c0cb3, 0, 0, 0, 0x4ed8aa4a, 0, 0, 0, 0x5b9cca4f, 0, 0, 0, 0x682e6ff3, 0, 0, 0,
;   0x748f82ee, 0, 0, 0, 0x78a5636f, 0, 0, 0, 0x84c87814, 0, 0, 0, 0x8cc70208, 0, 0, 0,
;   0x90befffa, 0, 0, 0, 0xa4506ceb, 0, 0, 0, 0xbef9a3f7, 0, 0, 0, 0xc67178f2, 0, 0, 0]
;; Messages with a bit of one, zeroes, and their length in bits. Their words are big-endian.
; buffer blocks = [0x80636261, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0, 0x18000000,
;   0x00000080, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0, 0,
;   0x64636261, 0x65646362, 0x66656463, 0x67666564, 0x68676665, 0x69686766, 0x6a696867, 0x6b6a6968,
;   0x6c6b6a69, 0x6d6c6b6a, 0x6e6d6c6b, 0x6f6e6d6c, 0x706f6e6d, 0x71706f6e, 0x00000080, 0,
;   0, 0, 0, 0, 0, 0, 0, 0,
;   0, 0, 0, 0, 0, 0, 0, 0xc0010000,
;   0x64636261, 0x68676665, 0x65646362, 0x69686766, 0x66656463, 0x6a696867, 0x67666564, 0x6b6a6968,
;   0x68676665, 0x6c6b6a69, 0x69686766, 0x6d6c6b6a, 0x6a696867, 0x6e6d6c6b, 0x6b6a6968, 0x6f6e6d6c,
;   0x6c6b6a69, 0x706f6e6d, 0x6d6c6b6a, 0x71706f6e, 0x6e6d6c6b, 0x7271706f, 0x6f6e6d6c, 0x73727170,
;   0x706f6e6d, 0x74737271, 0x71706f6e, 0x75747372, 0x00000080, 0, 0, 0x80030000]
; resource[0] = vertex(blocks, stride=4)
;; The next word, and how many blocks there are
; R0.x = [0, 16, 32, 64]
; R0.y = [1, 1, 2, 2]
; expect: pixel0.x = [0xba7816bf, 0xe3b0c442, 0x248d6a61, 0xcf5b16a7]
; expect: pixel0.y = [0x8f01cfea, 0x98fc1c14, 0xd20638b8, 0x78af8380]
; expect: pixel0.z = [0x414140de, 0x9afbf4c8, 0xe5c02693, 0x036ce59e]
; expect: pixel0.w = [0x5dae2223, 0x996fb924, 0x0c3e6039, 0x7b049237]
; expect: pixel1.x = [0xb00361a3, 0x27ae41e4, 0xa33ce459, 0x0b249b11]
; expect: pixel1.y = [0x96177a9c, 0x649b934c, 0x64ff2167, 0xe8f07a51]
; expect: pixel1.z = [0xb410ff61, 0xa495991b, 0xf6ecedd4, 0xafac4503]
; expect: pixel1.w = [0xf20015ad, 0x7852b855, 0x19db06c1, 0x7afee9d1]
ALU:
  ; The hash is R3.xyzw and R4.xyzw. A group has four literals at most.
  0 x: MOV           R3.x, 0x6a09e667
    y: MOV           R3.y, 0xbb67ae85
    z: MOV           R3.z, 0x3c6ef372
    w: MOV           R3.w, 0xa54ff53a
  1 x: MOV           R4.x, 0x510e527f
    y: MOV           R4.y, 0x9b05688c
    z: MOV           R4.z, 0x1f83d9ab
    w: MOV           R4.w, 0x5be0cd19
LOOP_START_DX10 ADDR(done)
block:
  ALU_BREAK:
    2 x: PRED_SETGT_INT ____, R0.y, 0 UPDATE_EXEC_MASK
  LOOP_START ADDR(more) CF_CONST(0)
  word:
    VTX:
      VFETCH R[16+aL].x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) ENDIAN_SWAP(8IN32)
    ALU:
      3 x: ADD_INT   R0.x, R0.x, 1
  LOOP_END ADDR(word) CF_CONST(0)
more:
  ; Word n + 16 is word n + s0(word n + 1) + word n + 9 + s1(word n + 14), where s0 and s1 combine two rotations and a shift. The
  ; bits of both halves of a rotation are apart, so all of it is exclusive or.
  LOOP_START ADDR(words) CF_CONST(1)
  schedule:
    ALU:
      4 x: MOV       R5.x, R[17+aL].x
        y: MOV       R5.y, R[30+aL].x VEC_120
      5 x: ADD_INT   R10.x, R[16+aL].x, R[25+aL].x
        t: LSHR_INT  R6.x, R5.x, 7
      6 ?: LSHL_INT  R6.y, R5.x, 25
      7 ?: LSHR_INT  R6.z, R5.x, 18
      8 ?: LSHL_INT  R6.w, R5.x, 14
      9 x: XOR_INT   R6.x, R6.x, R6.y
        t: LSHR_INT  R7.x, R5.x, 3
      10 y: XOR_INT  R6.y, R6.z, R6.w
         t: LSHR_INT R7.y, R5.y, 17
      11 x: XOR_INT  R6.x, R6.x, R6.y
         t: LSHL_INT R8.x, R5.y, 15
      12 x: XOR_INT  R6.x, R6.x, R7.x
         t: LSHR_INT R9.x, R5.y, 19
      13 y: XOR_INT  R6.y, R7.y, R8.x
         t: LSHL_INT R7.y, R5.y, 13
      14 y: XOR_INT  R6.y, R6.y, R9.x
         t: LSHR_INT R9.y, R5.y, 10
      15 x: ADD_INT  R6.x, R6.x, R10.x
         y: XOR_INT  R6.y, R6.y, R7.y
      16 y: XOR_INT  ____, R6.y, R9.y
      17 x: ADD_INT  R[32+aL].x, R6.x, PV.y
  LOOP_END ADDR(schedule) CF_CONST(1)
words:
  ; The state: a to d are R1.xyzw, e to h are R2.xyzw.
  ALU:
    18 x: MOV        R1.x, R3.x
       y: MOV        R1.y, R3.y
       z: MOV        R1.z, R3.z
       w: MOV        R1.w, R3.w
    19 x: MOV        R2.x, R4.x
       y: MOV        R2.y, R4.y
       z: MOV        R2.z, R4.z
       w: MOV        R2.w, R4.w
  LOOP_START ADDR(half) CF_CONST(2)
  first:
    ALU: KCACHE0(CB0:0-31)
      20 x: ADD_INT  R5.x, R[16+aL].x, KC0[0+aL].x
    CALL ADDR(round) CALL_CNT(1)
  LOOP_END ADDR(first) CF_CONST(2)
half:
  LOOP_START ADDR(rounds) CF_CONST(2)
  second:
    ALU: KCACHE0(CB0:32-63)
      21 x: ADD_INT  R5.x, R[48+aL].x, KC0[0+aL].x
    CALL ADDR(round) CALL_CNT(1)
  LOOP_END ADDR(second) CF_CONST(2)
rounds:
  ALU:
    22 x: ADD_INT    R3.x, R3.x, R1.x
       y: ADD_INT    R3.y, R3.y, R1.y
       z: ADD_INT    R3.z, R3.z, R1.z
       w: ADD_INT    R3.w, R3.w, R1.w
    23 x: ADD_INT    R4.x, R4.x, R2.x
       y: ADD_INT    R4.y, R4.y, R2.y
       z: ADD_INT    R4.z, R4.z, R2.z
       w: ADD_INT    R4.w, R4.w, R2.w
    24 y: SUB_INT    R0.y, R0.y, 1
LOOP_END ADDR(block)
done:
EXPORT_DONE: PIX0, R3.xyzw BURST(2) EOP

; A round. R5.x is its word and its constant.
round:
ALU:
  ; R6: e turned by 6, 11 and 25 to the right. Meanwhile R7.w: h + R5.x + (f where e is one, g where it is zero).
  25 x: XOR_INT      R7.x, R2.y, R2.z
     t: LSHR_INT     R6.x, R2.x, 6
  26 y: ADD_INT      R7.y, R2.w, R5.x
     t: LSHL_INT     R6.y, R2.x, 26
  27 z: AND_INT      R7.z, R7.x, R2.x
     t: LSHR_INT     R6.z, R2.x, 11
  28 w: XOR_INT      R7.w, R7.z, R2.z
     t: LSHL_INT     R6.w, R2.x, 21
  29 x: XOR_INT      R6.x, R6.x, R6.y
     y: XOR_INT      ____, R6.z, R6.w
     w: ADD_INT      R7.w, R7.w, R7.y VEC_021
     t: LSHR_INT     R8.x, R2.x, 25
  30 x: XOR_INT      R6.x, R6.x, PV.y
     t: LSHL_INT     R9.x, R2.x, 7
  31 x: XOR_INT      R6.x, R6.x, R8.x
     t: LSHR_INT     R8.x, R1.x, 2
  32 x: XOR_INT      ____, R6.x, R9.x
     t: LSHL_INT     R9.x, R1.x, 30
  33 x: ADD_INT      R5.x, R7.w, PV.x
     t: LSHR_INT     R10.x, R1.x, 13
  ; R5.x is the first sum. Now R6: a turned by 2, 13 and 22, and R7: what most of a, b, c are.
  34 x: XOR_INT      R6.x, R8.x, R9.x
     t: LSHL_INT     R11.x, R1.x, 19
  35 x: XOR_INT      R6.x, R6.x, R10.x
     t: LSHR_INT     R8.x, R1.x, 22
  36 x: XOR_INT      R6.x, R6.x, R11.x
     t: LSHL_INT     R9.x, R1.x, 10
  37 x: XOR_INT      R6.x, R6.x, R8.x
     y: AND_INT      R7.y, R1.x, R1.y VEC_201
     z: OR_INT       R7.z, R1.x, R1.y VEC_201
  38 x: XOR_INT      R6.x, R6.x, R9.x
     z: AND_INT      ____, R7.z, R1.z
  39 y: OR_INT       ____, R7.y, PV.z
  40 x: ADD_INT      R6.x, R6.x, PV.y
  ; All move on: e becomes d + first, a becomes first + second.
  41 x: ADD_INT      R2.x, R1.w, R5.x
     y: MOV          R2.y, R2.x
     z: MOV          R2.z, R2.y
     w: MOV          R2.w, R2.z
  42 x: ADD_INT      R1.x, R5.x, R6.x
     y: MOV          R1.y, R1.x VEC_201
     z: MOV          R1.z, R1.y
     w: MOV          R1.w, R1.z
RETURN
