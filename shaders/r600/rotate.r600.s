;; Points turned by angles, on R600.
;;
;; SIN and COS want radians from -pi to pi here, and on R700 turns from -0.5 to 0.5: see rotate.rv770.s. Angles of any size are
;; brought into one turn first, by FRACT. What SIN and COS give is an approximation.
; source: sine and cosine of the host in f64, with a tolerance
; isa: r600
; lanes: 16
; R0.x = f32 [0.0, 0.5, -0.5, 1.0, 1.5707964, 3.1415927, -3.1415927, 6.2831855, 2.0, -2.5, 4.0, 5.5, -6.0, 7.5, 10.0, -12.0]
; R0.y = f32 [1.0, 1.0, 2.0, -1.0, 1.0, 3.0, 0.5, 1.0, 0.0, 0.25, -0.5, 1.5, -2.0, 1.0, 0.1, 0.9]
; R0.z = f32 [0.0, 0.0, 1.0, -1.0, 1.0, 0.0, -0.5, 2.0, 1.0, 0.75, 0.5, -1.5, 0.3, 0.0, -0.1, 0.8]
; expect: pixel0.x = f32 [1.0, 0.87758255, 2.2345908, 0.30116868, -1.0, -3.0, -0.49999997, 0.99999964, -0.9092974, 0.2485682,
;   0.7052231, 0.004694173, -2.0041652, 0.3466353, -0.13830927, 0.3302102], abs(1e-5)
; expect: pixel0.y = f32 [0.0, 0.47942555, -0.08126851, -1.3817732, 0.99999994, -2.6226834e-7, 0.50000006, 2.0000002, -0.41614684,
;   -0.75047576, 0.05157944, -2.1213152, -0.2707799, 0.93799996, 0.029505042, 1.1579988], abs(1e-5)
ALU:
  0 x: MULADD        R1.x, R0.x, 0.15915494, 0.5
  1 x: FRACT         R1.x, PV.x
  ; R1.x: from -pi to pi
  2 x: MULADD        R1.x, PV.x, 6.2831855, -3.1415927
  3 t: COS           R1.y, R1.x
  4 t: SIN           R1.z, R1.x
  5 y: MUL           R2.y, R0.z, R1.z
    z: MUL           R2.z, R0.y, R1.z
  ; x cos - y sin, x sin + y cos
  6 x: MULADD        R2.x, R0.y, R1.y, -R2.y
    y: MULADD        R2.y, R0.z, R1.y, R2.z
EXPORT_DONE: PIX0, R2.xy__ EOP
