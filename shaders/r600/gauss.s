;; A Gaussian filter of 3 by 3 over an image of 8 by 8 floats: weights 1 2 1 both ways, divided by 16. The edges are repeated
;; outwards.
;;
;; 32 pixels, the upper half of the image, in quads: lanes 0 to 3 are a square of two by two, lanes 4 to 7 the next one on its
;; right. SAMPLE_LZ reads the texel at a place; UNNORM says that x and y count texels, and OFFSET counts halves of them. Selects of
;; the destination put the first element of a texel where it is wanted and leave the rest of the register alone: nine fetches fill
;; three elements of three registers. A clause of R600 holds eight. A group may read one register for each letter in each of its
;; three cycles. VEC_120 and VEC_201 let the slots y and z read theirs in other cycles than x does.
; source: the same sums in IEEE f32; the weights are powers of two
; isa: r600, rv770
; lanes: 32
; buffer pixels[256] = random_f32(5, near)
; resource[0] = image(pixels, 2d, size=8x8, format=32_FLOAT)
; R0.x = lane % 2 + lane / 4 % 4 * 2
; R0.y = lane / 2 % 2 + lane / 16 * 2
; expect: pixel0.x = f32 [-0.30920717, 0.7034822, -0.6730744, 1.6566, 2.0916996, 1.0537097, 3.5602257, 1.2106013, -1.6033816,
;   -2.758017, -0.7665523, -0.17835897, -0.5839639, 1.5920892, 0.97061944, 1.3986541, -1.4029461, -0.12509337, -3.085853,
;   -2.1726277, 0.65808696, -0.7179696, -1.4299469, -0.73001087, -0.712039, 0.38871527, 0.6339433, 0.9144646, 0.84380364,
;   1.0943189, -0.16711712, 0.30939236]
; expect: pixel0.w = f32 1.0
ALU:
  ; The middle of a texel.
  0 t: INT_TO_FLT    R0.x, R0.x
  1 t: INT_TO_FLT    R0.y, R0.y
  2 x: ADD           R1.x, R0.x, 0.5
    y: ADD           R1.y, R0.y, 0.5
TEX:
  SAMPLE_LZ R2.x___, R1.xy00, t0, s0 UNNORM(xy) OFFSET(-2, -2, 0)
  SAMPLE_LZ R2._x__, R1.xy00, t0, s0 UNNORM(xy) OFFSET(0, -2, 0)
  SAMPLE_LZ R2.__x_, R1.xy00, t0, s0 UNNORM(xy) OFFSET(2, -2, 0)
  SAMPLE_LZ R3.x___, R1.xy00, t0, s0 UNNORM(xy) OFFSET(-2, 0, 0)
  SAMPLE_LZ R3._x__, R1.xy00, t0, s0 UNNORM(xy)
  SAMPLE_LZ R3.__x_, R1.xy00, t0, s0 UNNORM(xy) OFFSET(2, 0, 0)
TEX:
  SAMPLE_LZ R4.x___, R1.xy00, t0, s0 UNNORM(xy) OFFSET(-2, 2, 0)
  SAMPLE_LZ R4._x__, R1.xy00, t0, s0 UNNORM(xy) OFFSET(0, 2, 0)
  SAMPLE_LZ R4.__x_, R1.xy00, t0, s0 UNNORM(xy) OFFSET(2, 2, 0)
ALU:
  ; The rows: left + right, + 2 middle.
  3 x: ADD           ____, R2.x, R2.z
    y: ADD           ____, R3.x, R3.z VEC_120
    z: ADD           ____, R4.x, R4.z VEC_201
  4 x: MULADD        R5.x, R2.y, 2.0, PV.x
    y: MULADD        R5.y, R3.y, 2.0, PV.y VEC_120
    z: MULADD        R5.z, R4.y, 2.0, PV.z VEC_201
  ; The same down the column.
  5 x: ADD           ____, PV.x, PV.z
  6 x: MULADD        R6.x, R5.y, 2.0, PV.x
  7 x: MUL           R6.x, PV.x, 0.0625
EXPORT_DONE: PIX0, R6.xxx1 EOP
