;; A pixel shader that leaves pixels out: what is outside of a circle, and every other pixel of a chessboard where the texture says
;; so.
;;
;; KILLGT kills the pixels where its comparison holds. They go on executing, for slopes and for the texture fetches of their quad,
;; but nothing of them is exported. There are 16 quads of two by two pixels in the 64 lanes.
; source: the same comparisons in IEEE f32
; isa: r600, rv770
; lanes: 64
; buffer cover[64] = [f32 0.9, 0.1, 0.6, 0.4,   0.5, 0.51, 0.49, 1.0,   0.0, 0.7, 0.3, 0.2,   1.0, 1.0, 0.0, 0.25]
; resource[0] = image(cover, 2d, size=4x4, format=32_FLOAT)
; R0.x = lane % 2 + lane / 4 % 4 * 2
; R0.y = lane / 2 % 2 + lane / 16 * 2
; expect: killed = 0xe60d66060600f067
; expect: pixel0.mask = [0, 0, 0, 15, 15, 0, 0, 15, 15, 15, 15, 15, 0, 0, 0, 0, 15, 15, 15, 15, 15, 15, 15, 15, 15, 0, 0, 15, 15,
;   15, 15, 15, 15, 0, 0, 15, 15, 15, 15, 15, 15, 0, 0, 15, 15, 0, 0, 15, 0, 15, 0, 0, 15, 15, 15, 15, 15, 0, 0, 15, 15, 0, 0, 0]
; expect: pixel0.x = f32 [_, _, _, 0.9, 0.1, _, _, 0.1, 0.6, 0.6, 0.6, 0.6, _, _, _, _, 0.5, 0.5, 0.5, 0.5, 0.51, 0.51, 0.51, 0.51,
;   0.49, _, _, 0.49, 1.0, 1.0, 1.0, 1.0, 0.0, _, _, 0.0, 0.7, 0.7, 0.7, 0.7, 0.3, _, _, 0.3, 0.2, _, _, 0.2, _, 1.0, _, _, 1.0,
;   1.0, 1.0, 1.0, 0.0, _, _, 0.0, 0.25, _, _, _]
; expect: pixel0.y = f32 [_, _, _, 0.21875, 0.09375, _, _, 0.59375, 0.21875, 0.09375, 0.59375, 0.46875, _, _, _, _, 0.09375,
;   0.46875, 0.21875, 0.59375, 0.71875, 0.84375, 0.84375, 0.96875, 0.84375, _, _, 0.84375, 0.46875, 0.09375, 0.59375, 0.21875,
;   0.21875, _, _, 0.46875, 0.84375, 0.96875, 0.71875, 0.84375, 0.96875, _, _, 0.71875, 0.59375, _, _, 0.09375, _, 0.21875, _, _,
;   0.46875, 0.59375, 0.09375, 0.21875, 0.59375, _, _, 0.09375, 0.21875, _, _, _]
; expect: pixel0.z = f32 [_, _, _, 0.0, 0.0, _, _, 0.0, 0.0, 0.0, 0.0, 0.0, _, _, _, _, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
;   0.0, _, _, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, _, _, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, _, _, 0.0, 0.0, _, _, 0.0, _, 0.0, _, _, 0.0, 0.0,
;   0.0, 0.0, 0.0, _, _, 0.0, 0.0, _, _, _]
; expect: pixel0.w = f32 [_, _, _, 1.0, 1.0, _, _, 1.0, 1.0, 1.0, 1.0, 1.0, _, _, _, _, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
;   1.0, _, _, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, _, _, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, _, _, 1.0, 1.0, _, _, 1.0, _, 1.0, _, _, 1.0, 1.0,
;   1.0, 1.0, 1.0, _, _, 1.0, 1.0, _, _, _]
ALU:
  ; From the middle of the eight by eight pixels, in quarters of the width, and where the texel is: from 0 to 1.
  0 t: INT_TO_FLT    R1.x, R0.x
  1 t: INT_TO_FLT    R1.y, R0.y
  2 x: ADD           R1.x, R1.x, 0.5
    y: ADD           R1.y, R1.y, 0.5
  3 x: MULADD        R2.x, R1.x, 0.25, -1.0
    y: MULADD        R2.y, R1.y, 0.25, -1.0
    z: MUL           R1.z, R1.x, 0.125
    w: MUL           R1.w, R1.y, 0.125
  ; The distance from the middle, squared.
  4 x: MUL           ____, R2.x, R2.x
    y: MUL           ____, R2.y, R2.y
  5 w: ADD           R2.w, PV.x, PV.y
TEX:
  SAMPLE R3.x___, R1.zw00, t0, s0
ALU:
  6 x: KILLGT        ____, R2.w, 1.0
  ; On the white fields of the board, what is covered by less than a half.
  7 x: ADD_INT       ____, R0.x, R0.y
    y: SETGT_DX10    ____, 0.5, R3.x
  8 x: AND_INT       ____, PV.x, PV.y
  9 x: AND_INT       ____, PV.x, 1
  10 x: KILLE_INT    ____, PV.x, 1
  11 y: ADD          R3.y, 1.0, -R2.w
EXPORT_DONE: PIX0, R3.xy01 EOP
