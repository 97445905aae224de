;; The Mandelbrot set: how often z = z^2 + c can be repeated, from z = 0, before |z| is more than 2; 32 times at most.
;;
;; Each of the 64 lanes has a point of an 8 by 8 grid. LOOP_START counts to 32. ALU_BREAK is a clause with a comparison in it: the
;; lanes where it fails leave the loop when the clause ends, and the loop goes on until the count is reached or no lane is left. A
;; group (the operations under one number) reads all of its operands before it writes any result, and PV.x to PV.w are the results
;; of the group before. Both save registers here.
; source: the same iteration in IEEE f32, a product and a sum at a time
; isa: r600, rv770
; lanes: 64
; stack: 1
; loop[0] = 32
; R0.x = lane % 8
; R0.y = lane / 8
; expect: pixel0.x = [1, 1, 2, 2, 3, 3, 2, 2, 1, 1, 3, 3, 4, 5, 9, 4, 1, 3, 3, 5, 6, 32, 32, 9, 1, 4, 7, 32, 26, 32, 32, 17, 1, 4,
;   5, 32, 13, 32, 32, 32, 1, 2, 3, 4, 5, 32, 32, 11, 1, 1, 2, 3, 3, 5, 32, 3, 1, 1, 1, 2, 2, 2, 2, 2]
; expect: pixel0.y = f32 [-2.25, -1.875, -0.8125, -1.421875, 1.921875, 2.7561035, -1.5625, -1.046875, -2.25, -1.875, -4.562256,
;   -1.9306641, -3.6695414, -2.2249818, -2.9995863, 4.0005503, -2.25, -1.8317871, -2.25, -2.5929549, -2.1544442, -0.3453623,
;   -0.13666576, -2.979976, -2.25, -2.4402304, -3.9077783, 0.120342135, 2.0191615, -0.2944739, -0.014542757, 2.5007138, -2.25,
;   -5.540702, -3.366961, 0.07900262, 2.2808173, -0.3056516, -0.04934206, 0.21179582, -2.25, 1.25, -2.9333496, 0.6419382,
;   1.2289658, 0.18838751, -0.25329718, -1.4244142, -2.25, -1.875, -0.25, -1.9489746, 0.41015625, -3.2965004, -1.0, -2.4528809,
;   -2.25, -1.875, -1.5, -1.75, -2.078125, -2.125, -1.890625, -1.375]
; expect: pixel0.z = f32 [-1.25, -1.25, 2.5, 1.5625, -3.4375, -0.12695313, -1.25, -2.1875, -0.875, -0.875, -0.9296875, -2.2421875,
;   -0.7623472, -0.23107338, -1.4328704, -0.4577942, -0.5, 3.3242188, 0.5, 1.5673032, -0.1938318, -0.30834112, -0.393121,
;   -2.004692, -0.125, 1.1598053, -3.2415383, 0.10047495, 0.008146599, -0.0786684, -0.12146707, 2.3850844, 0.25, -0.29841518,
;   0.08642818, -0.31807542, -0.93594587, 0.1551539, 0.22754493, 0.8056496, 0.625, -1.71875, -0.2734375, -2.7729797, 1.7568308,
;   -0.009734631, 0.2507689, 2.1438842, 1.0, 1.0, -2.0, 3.1484375, 2.1875, 3.4112937, 1.0, -0.6953125, 1.375, 1.375, 1.375,
;   -1.71875, -0.6875, 0.34375, 1.375, 2.40625]
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
  ; (x, y) becomes (x^2 - y^2, 2 x y) + c. MUL*2 doubles what it has multiplied. In each of its three cycles a group reads one register
  ; for each letter: VEC_120 lets y read R2.x in the second cycle, for R3.x is read in the first.
  ALU:
    7 x: ADD         ____, R3.x, -R3.y
      y: MUL*2       ____, R2.x, R2.y VEC_120
      w: ADD_INT     R2.w, R2.w, 1
    8 x: ADD         R2.x, PV.x, R1.x
      y: ADD         R2.y, PV.y, R1.y
LOOP_END ADDR(again) CF_CONST(0)
done:
; The count, and where the point came to rest.
EXPORT_DONE: PIX0, R2.wxy_ EOP
