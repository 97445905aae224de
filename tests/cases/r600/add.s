; source: IEEE 754
; isa: r600, rv770
; lanes: 4
; R0.x = f32 ramp(0, 1)
; R0.y = 7
; observe: f32 R0.x
; expect: pixel0.x = f32 [1.0, 2.0, 3.0, 4.0]
; expect: pixel0.y = 7
; expect: pixel0.mask = 3
ALU:
  0  x: ADD R0.x, R0.x, 1.0
EXPORT_DONE: PIX0, R0.xy__ EOP
