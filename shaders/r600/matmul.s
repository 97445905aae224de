;; The product of two 8 by 8 matrices: every lane makes one element, a row of A times a column of B.
;;
;; Both matrices come by vertex fetches from buffers, A by rows and B by columns, four floats a record. DOT4 takes the four vector
;; slots: each brings its product, and PV.x has the sum of them. A loop of two turns does the eight products.
; source: products and sums in IEEE f32, in the order of the machine: within four from x to w
; isa: r600, rv770
; lanes: 64
; stack: 1
; loop[0] = 2
; buffer a[256] = f32 ramp(-3.2, 0.1)
; buffer b[256] = f32 ramp(2.9, -0.07)
; resource[0] = vertex(a, stride=16)
; resource[1] = vertex(b, stride=16)
; R0.x = lane / 8 * 2
; R0.y = lane % 8 * 2
; expect: pixel0.x = f32 [-60.828003, -48.06, -35.292004, -22.524002, -9.756002, 3.0119982, 15.779998, 28.547998, -43.836002,
;   -34.652, -25.468002, -16.284, -7.100002, 2.0839987, 11.267999, 20.452, -26.844002, -21.244, -15.644001, -10.044001, -4.444001,
;   1.1559992, 6.7559996, 12.356, -9.852, -7.8360004, -5.8200006, -3.8040004, -1.7880002, 0.22799972, 2.2439995, 4.26, 7.1400003,
;   5.5720005, 4.004, 2.4360003, 0.86800027, -0.69999975, -2.268, -3.836, 24.132002, 18.980001, 13.828002, 8.676001, 3.524001,
;   -1.6279993, -6.7799993, -11.931999, 41.124, 32.388, 23.652, 14.916001, 6.1800013, -2.5559988, -11.291999, -20.028, 58.116005,
;   45.796005, 33.476, 21.156002, 8.836002, -3.4839985, -15.803999, -28.123999]
ALU:
  0 x: MOV           R3.x, 0
LOOP_START ADDR(done) CF_CONST(0)
again:
  VTX:
    VFETCH R1.xyzw, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32_32_32_32_FLOAT)
    VFETCH R2.xyzw, R0.y, fc1 NO_INDEX_OFFSET FORMAT(32_32_32_32_FLOAT)
  ALU:
    1 x: DOT4        ____, R1.x, R2.x
      y: DOT4        ____, R1.y, R2.y
      z: DOT4        ____, R1.z, R2.z
      w: DOT4        ____, R1.w, R2.w
    ; The slot x is taken by the sum, so t counts on in the row.
    2 x: ADD         R3.x, R3.x, PV.x
      y: ADD_INT     R0.y, R0.y, 1
      t: ADD_INT     R0.x, R0.x, 1
LOOP_END ADDR(again) CF_CONST(0)
done:
EXPORT_DONE: PIX0, R3.x___ EOP
