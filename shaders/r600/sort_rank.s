;; Sorts eight keys with values in each lane, by counting how many stand before each of them.
;;
;; The registers are an array here. R[16+aL] is the register 16 plus the loop index, which LOOP_START sets and LOOP_END moves; it
;; is the same for all lanes. R[24+AR.x] is indexed by the address register, which MOVA_INT loads and where each lane has its own:
;; that scatters every pair to the place of its rank. AR does not outlive its clause. A key is before another if it is smaller, or
;; equal and further ahead: so equal keys keep their order.
; source: a stable sort of the pairs of each lane
; isa: r600, rv770
; lanes: 8
; stack: 2
; loop[0] = 8, 0, 1
; R16.x = (lane * 7 + 3) % 11
; R17.x = lane % 3
; R18.x = 9
; R19.x = 0xfffffff0
; R20.x = 7 - lane
; R21.x = 4
; R22.x = lane * lane % 10
; R23.x = 4
; R16.y = 100
; R17.y = 101
; R18.y = 102
; R19.y = 103
; R20.y = 104
; R21.y = 105
; R22.y = 106
; R23.y = 107
; expect: R24.x = [0, 1, 2, 0, 1, 2, 0, 0]
; expect: R24.y = [101, 101, 101, 101, 101, 101, 101, 104]
; expect: R25.x = [0, 1, 4, 2, 3, 2, 1, 1]
; expect: R25.y = [106, 106, 105, 100, 104, 104, 100, 101]
; expect: R26.x = [3, 4, 4, 4, 4, 4, 1, 4]
; expect: R26.y = [100, 105, 106, 104, 105, 105, 104, 105]
; expect: R27.x = 4
; expect: R27.y = [105, 107, 107, 105, 107, 107, 105, 107]
; expect: R28.x = [4, 6, 5, 4, 6, 5, 4, 8]
; expect: R28.y = [107, 104, 104, 107, 106, 100, 107, 100]
; expect: R29.x = [7, 9, 6, 9, 9, 5, 6, 9]
; expect: R29.y = [104, 102, 100, 102, 100, 106, 106, 102]
; expect: R30.x = [9, 10, 9, 9, 9, 9, 9, 9]
; expect: R30.y = [102, 100, 102, 106, 102, 102, 102, 106]
; expect: R31.x = 4294967280
; expect: R31.y = 103
ALU:
  0 z: MOV           R1.z, 0
LOOP_START ADDR(done) CF_CONST(0)
outer:
  ; R1 has the pair, its number in z, and in w how many stand before it.
  ALU:
    1 x: MOV         R1.x, R[16+aL].x
      y: MOV         R1.y, R[16+aL].y
      w: MOV         R1.w, 0
    2 y: MOV         R2.y, 0
  LOOP_START ADDR(ranked) CF_CONST(0)
  inner:
    ; Comparisons of integers give -1 where they hold and 0 where not. R2.y is the number of the other pair.
    ALU:
      3 x: SETGT_UINT ____, R1.x, R[16+aL].x
        y: SETE_INT  ____, R1.x, R[16+aL].x
        z: SETGT_INT ____, R1.z, R2.y
      4 x: MOV       ____, PV.x
        y: ADD_INT   R2.y, R2.y, 1
        z: AND_INT   ____, PV.y, PV.z
      5 x: OR_INT    ____, PV.x, PV.z
      6 w: SUB_INT   R1.w, R1.w, PV.x
  LOOP_END ADDR(inner) CF_CONST(0)
ranked:
  ALU:
    7 x: MOVA_INT    ____, R1.w
      z: ADD_INT     R1.z, R1.z, 1
    8 x: MOV         R[24+AR.x].x, R1.x
      y: MOV         R[24+AR.x].y, R1.y
LOOP_END ADDR(outer) CF_CONST(0)
done:
NOP EOP
