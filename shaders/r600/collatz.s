;; How many steps a number takes to 1, if even numbers are halved and odd ones become 3 n + 1; and the largest number on the way.
;;
;; A loop with a way out in the middle, and two ways on. ALU_PUSH_BEFORE puts the lanes that execute on the stack and leaves those
;; on where its comparison holds. JUMP goes on where no lane is left, and pops what was pushed if it jumps; ELSE changes over to
;; the other lanes; POP and ALU_POP_AFTER bring all of them back. LOOP_BREAK takes the lanes that are on out of the loop, and no
;; POP brings them back before its end.
; source: OEIS A006577 (steps) and A025586 (largest numbers)
; isa: r600, rv770
; lanes: 16
; stack: 2
; R0.x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 27, 31, 41, 54, 97, 703, 871]
; expect: pixel0.x = [0, 1, 7, 2, 5, 8, 16, 3, 19, 111, 106, 109, 112, 118, 170, 178]
; expect: pixel0.y = [1, 2, 16, 4, 16, 16, 52, 8, 52, 9232, 9232, 9232, 9232, 9232, 250504, 190996]
ALU:
  0 y: MOV           R0.y, 0
    z: MOV           R0.z, R0.x
LOOP_START_DX10 ADDR(done)
again:
  ALU_PUSH_BEFORE:
    1 x: PRED_SETE_INT ____, R0.x, 1 UPDATE_EXEC_MASK
  JUMP ADDR(on) POP_CNT(1)
  LOOP_BREAK ADDR(last)
  POP ADDR(on) POP_CNT(1)
on:
  ALU_PUSH_BEFORE:
    2 x: AND_INT     ____, R0.x, 1
    3 x: PRED_SETNE_INT ____, PV.x, 0 UPDATE_EXEC_MASK
  JUMP ADDR(even)
  ALU:
    4 x: ADD_INT     ____, R0.x, R0.x
      y: ADD_INT     ____, R0.x, 1
    5 x: ADD_INT     R0.x, PV.x, PV.y
even:
  ELSE ADDR(both) POP_CNT(1)
  ALU_POP_AFTER:
    6 ?: LSHR_INT    R0.x, R0.x, 1
both:
  ALU:
    7 y: ADD_INT     R0.y, R0.y, 1
      z: MAX_UINT    R0.z, R0.z, R0.x
last:
LOOP_END ADDR(again)
done:
EXPORT_DONE: PIX0, R0.yz__ EOP
