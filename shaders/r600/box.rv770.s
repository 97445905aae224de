;; An image of 16 by 16 floats made smaller by four both ways: means of sixteen texels, on R700.
;;
;; A fetch clause of R700 holds sixteen instructions, twice as many as on R600. LD takes whole numbers and reads exactly that
;; texel. Sixteen numbers become four by three additions in each of the four slots, and these become one by DOT4 with a sixteenth.
; source: the same sums in IEEE f32
; isa: rv770
; lanes: 16
; buffer pixels[1024] = random_f32(11, near)
; resource[0] = image(pixels, 2d, size=16x16, format=32_FLOAT)
; R0.x = lane % 4 * 4
; R0.y = lane / 4 * 4
; expect: pixel0.x = f32 [0.44413558, -0.7147385, 1.4470744, -3.152476, -0.11773973, -0.19392857, 0.25289094, -0.94798315,
;   1.390876, 0.57109255, 0.66257125, -1.3758833, 0.0078956485, 1.1710036, 1.0557238, 1.8038303]
; expect: pixel0.w = f32 1.0
TEX:
  LD R1.x___, R0.xy00, t0, s0 UNNORM(xyzw)
  LD R1._x__, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(2, 0, 0)
  LD R1.__x_, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(4, 0, 0)
  LD R1.___x, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(6, 0, 0)
  LD R2.x___, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(0, 2, 0)
  LD R2._x__, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(2, 2, 0)
  LD R2.__x_, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(4, 2, 0)
  LD R2.___x, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(6, 2, 0)
  LD R3.x___, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(0, 4, 0)
  LD R3._x__, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(2, 4, 0)
  LD R3.__x_, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(4, 4, 0)
  LD R3.___x, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(6, 4, 0)
  LD R4.x___, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(0, 6, 0)
  LD R4._x__, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(2, 6, 0)
  LD R4.__x_, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(4, 6, 0)
  LD R4.___x, R0.xy00, t0, s0 UNNORM(xyzw) OFFSET(6, 6, 0)
ALU:
  ; Down the columns
  0 x: ADD           ____, R1.x, R2.x
    y: ADD           ____, R1.y, R2.y
    z: ADD           ____, R1.z, R2.z
    w: ADD           ____, R1.w, R2.w
  1 x: ADD           ____, PV.x, R3.x
    y: ADD           ____, PV.y, R3.y
    z: ADD           ____, PV.z, R3.z
    w: ADD           ____, PV.w, R3.w
  2 x: ADD           R1.x, PV.x, R4.x
    y: ADD           R1.y, PV.y, R4.y
    z: ADD           R1.z, PV.z, R4.z
    w: ADD           R1.w, PV.w, R4.w
  3 x: DOT4          R1.x, R1.x, 0.0625
    y: DOT4          ____, R1.y, 0.0625
    z: DOT4          ____, R1.z, 0.0625
    w: DOT4          ____, R1.w, 0.0625
EXPORT_DONE: PIX0, R1.xxx1 EOP
