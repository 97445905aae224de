;; The bits of four words in the opposite order, on R700.
;;
;; R700 shifts in every slot, so four words are done at once; R600 has shifts in t alone and would take a group for each.
;; Neighbours change places, then pairs of them, then fours, bytes and halves.
; source: the host's reversal of bits
; isa: rv770
; lanes: 8
; R0 = random(9)
; expect: pixel0.x = [0x26060e7d, 0x4657f5e1, 0x6d91ad22, 0x06068ce9, 0x85e11af4, 0x7fd67101, 0x331d355a, 0xbc8fe7b2]
; expect: pixel0.y = [0x4a4d011d, 0x0d84c34a, 0xa5e3664c, 0xd393241c, 0xe09a3481, 0x83ae10d2, 0xeab69369, 0x3d05c990]
; expect: pixel0.z = [0xa2013792, 0x177c232a, 0xc2d79544, 0xa8d1e38e, 0x906b40b8, 0x4720cc44, 0xcd2cda00, 0x16d979ea]
; expect: pixel0.w = [0xe9e048e9, 0x81a58378, 0xa00b5f81, 0xe7f582db, 0x6ddb015a, 0x9754d715, 0x1c64bd90, 0x2005b23c]
ALU:
  ; Neighbours: those on the left move to the right, and those on the right to the left.
  0  x: LSHR_INT     ____, R0.x, 1
     y: LSHR_INT     ____, R0.y, 1
     z: LSHR_INT     ____, R0.z, 1
     w: LSHR_INT     ____, R0.w, 1
  1  x: AND_INT      R1.x, PV.x, 0x55555555
     y: AND_INT      R1.y, PV.y, 0x55555555
     z: AND_INT      R1.z, PV.z, 0x55555555
     w: AND_INT      R1.w, PV.w, 0x55555555
  2  x: AND_INT      ____, R0.x, 0x55555555
     y: AND_INT      ____, R0.y, 0x55555555
     z: AND_INT      ____, R0.z, 0x55555555
     w: AND_INT      ____, R0.w, 0x55555555
  3  x: LSHL_INT     ____, PV.x, 1
     y: LSHL_INT     ____, PV.y, 1
     z: LSHL_INT     ____, PV.z, 1
     w: LSHL_INT     ____, PV.w, 1
  4  x: OR_INT       R0.x, R1.x, PV.x
     y: OR_INT       R0.y, R1.y, PV.y
     z: OR_INT       R0.z, R1.z, PV.z
     w: OR_INT       R0.w, R1.w, PV.w
  ; Pairs
  5  x: LSHR_INT     ____, R0.x, 2
     y: LSHR_INT     ____, R0.y, 2
     z: LSHR_INT     ____, R0.z, 2
     w: LSHR_INT     ____, R0.w, 2
  6  x: AND_INT      R1.x, PV.x, 0x33333333
     y: AND_INT      R1.y, PV.y, 0x33333333
     z: AND_INT      R1.z, PV.z, 0x33333333
     w: AND_INT      R1.w, PV.w, 0x33333333
  7  x: AND_INT      ____, R0.x, 0x33333333
     y: AND_INT      ____, R0.y, 0x33333333
     z: AND_INT      ____, R0.z, 0x33333333
     w: AND_INT      ____, R0.w, 0x33333333
  8  x: LSHL_INT     ____, PV.x, 2
     y: LSHL_INT     ____, PV.y, 2
     z: LSHL_INT     ____, PV.z, 2
     w: LSHL_INT     ____, PV.w, 2
  9  x: OR_INT       R0.x, R1.x, PV.x
     y: OR_INT       R0.y, R1.y, PV.y
     z: OR_INT       R0.z, R1.z, PV.z
     w: OR_INT       R0.w, R1.w, PV.w
  ; Fours
  10 x: LSHR_INT     ____, R0.x, 4
     y: LSHR_INT     ____, R0.y, 4
     z: LSHR_INT     ____, R0.z, 4
     w: LSHR_INT     ____, R0.w, 4
  11 x: AND_INT      R1.x, PV.x, 0x0f0f0f0f
     y: AND_INT      R1.y, PV.y, 0x0f0f0f0f
     z: AND_INT      R1.z, PV.z, 0x0f0f0f0f
     w: AND_INT      R1.w, PV.w, 0x0f0f0f0f
  12 x: AND_INT      ____, R0.x, 0x0f0f0f0f
     y: AND_INT      ____, R0.y, 0x0f0f0f0f
     z: AND_INT      ____, R0.z, 0x0f0f0f0f
     w: AND_INT      ____, R0.w, 0x0f0f0f0f
  13 x: LSHL_INT     ____, PV.x, 4
     y: LSHL_INT     ____, PV.y, 4
     z: LSHL_INT     ____, PV.z, 4
     w: LSHL_INT     ____, PV.w, 4
  14 x: OR_INT       R0.x, R1.x, PV.x
     y: OR_INT       R0.y, R1.y, PV.y
     z: OR_INT       R0.z, R1.z, PV.z
     w: OR_INT       R0.w, R1.w, PV.w
  ; Bytes
  15 x: LSHR_INT     ____, R0.x, 8
     y: LSHR_INT     ____, R0.y, 8
     z: LSHR_INT     ____, R0.z, 8
     w: LSHR_INT     ____, R0.w, 8
  16 x: AND_INT      R1.x, PV.x, 0x00ff00ff
     y: AND_INT      R1.y, PV.y, 0x00ff00ff
     z: AND_INT      R1.z, PV.z, 0x00ff00ff
     w: AND_INT      R1.w, PV.w, 0x00ff00ff
  17 x: AND_INT      ____, R0.x, 0x00ff00ff
     y: AND_INT      ____, R0.y, 0x00ff00ff
     z: AND_INT      ____, R0.z, 0x00ff00ff
     w: AND_INT      ____, R0.w, 0x00ff00ff
  18 x: LSHL_INT     ____, PV.x, 8
     y: LSHL_INT     ____, PV.y, 8
     z: LSHL_INT     ____, PV.z, 8
     w: LSHL_INT     ____, PV.w, 8
  19 x: OR_INT       R0.x, R1.x, PV.x
     y: OR_INT       R0.y, R1.y, PV.y
     z: OR_INT       R0.z, R1.z, PV.z
     w: OR_INT       R0.w, R1.w, PV.w
  ; Halves: what leaves the word needs no mask.
  20 x: LSHR_INT     R1.x, R0.x, 16
     y: LSHR_INT     R1.y, R0.y, 16
     z: LSHR_INT     R1.z, R0.z, 16
     w: LSHR_INT     R1.w, R0.w, 16
  21 x: LSHL_INT     ____, R0.x, 16
     y: LSHL_INT     ____, R0.y, 16
     z: LSHL_INT     ____, R0.z, 16
     w: LSHL_INT     ____, R0.w, 16
  22 x: OR_INT       R0.x, R1.x, PV.x
     y: OR_INT       R0.y, R1.y, PV.y
     z: OR_INT       R0.z, R1.z, PV.z
     w: OR_INT       R0.w, R1.w, PV.w
EXPORT_DONE: PIX0, R0.xyzw EOP
