;; The Mandelbrot set: how often z = z^2 + c can be repeated, from z = 0, before |z| is more than 2; 32 times at most.
;;
;; Each of the 64 lanes has a point of an 8 by 8 grid. LOOP_START counts to 32. ALU_BREAK is a clause with a comparison in it: the lanes
;; where it fails leave the loop when the clause ends, and the loop goes on until the count is reached or no lane is left.
;; A group (the operations under one number) reads all of its operands before it writes any result, and PV.x to PV.w are the results of
;; the group before. Both save registers here.
; source: the same iteration in IEEE f32, a product and a sum at a time
; isa: r600, rv770
; lanes: 64
; stack: 1
; loop[0] = 32
; R0.x = lane % 8
; R0.y = lane / 8
;; EXPECT
ALU:
  ; c = (-2.25, -1.25) + 0.375 * (column, row). Conversions are made by t, one in a group.
  0 t: INT_TO_FLT    R0.x, R0.x
  1 t: INT_TO_FLT    R0.y, R0.y
  2 x: MULADD        R1.x, R0.x, 0.375, -2.25
    y: MULADD        R1.y, R0.y, 0.375, -1.25
  ; z in R2.xy, the count in R2.w
  3 x: MOV           R2.x, 0
    y: MOV           R2.y, 0
    w: MOV           R2.w, 0
LOOP_START ADDR(done) CF_CONST(0)
again:
  ; Stay while |z|^2 is at most 4.
  ALU_BREAK:
    4 x: MUL         R3.x, R2.x, R2.x
      y: MUL         R3.y, R2.y, R2.y
    5 x: ADD         ____, PV.x, PV.y
    6 x: PRED_SETGE  ____, 4.0, PV.x UPDATE_EXEC_MASK
  ; (x, y) becomes (x^2 - y^2, 2 x y) + c. MUL*2 doubles what it has multiplied.
  ALU:
    7 x: ADD         ____, R3.x, -R3.y
      y: MUL*2       ____, R2.x, R2.y
      w: ADD_INT     R2.w, R2.w, 1
    8 x: ADD         R2.x, PV.x, R1.x
      y: ADD         R2.y, PV.y, R1.y
LOOP_END ADDR(again) CF_CONST(0)
done:
; The count, and where the point came to rest.
EXPORT_DONE: PIX0, R2.wxy_ EOP
