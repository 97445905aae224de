;; Sorts eight numbers in each lane by a network of 19 comparators, which has no branches.
;;
;; A comparator is MIN into one element and MAX into the other. The operations of a group read before any of them writes, so the two
;; may share a group though each overwrites what the other reads; and four slots do two comparators at once. The numbers 0 to 3 are
;; R1.xyzw, 4 to 7 are R2.xyzw. Comparators whose elements have the same letter cannot share a group: these go to another register.
; source: the numbers of each lane, sorted
; isa: r600, rv770
; lanes: 16
; R1 = random(1)
; R2 = random(2)
;; EXPECT
ALU:
  ; 0-2, 1-3
  0 x: MIN_INT       R1.x, R1.x, R1.z
    y: MIN_INT       R1.y, R1.y, R1.w
    z: MAX_INT       R1.z, R1.x, R1.z
    w: MAX_INT       R1.w, R1.y, R1.w
  ; 4-6, 5-7
  1 x: MIN_INT       R2.x, R2.x, R2.z
    y: MIN_INT       R2.y, R2.y, R2.w
    z: MAX_INT       R2.z, R2.x, R2.z
    w: MAX_INT       R2.w, R2.y, R2.w
  ; 0-4, 1-5, 2-6, 3-7: from here on the first four are R3
  2 x: MIN_INT       R3.x, R1.x, R2.x
    y: MIN_INT       R3.y, R1.y, R2.y
    z: MIN_INT       R3.z, R1.z, R2.z
    w: MIN_INT       R3.w, R1.w, R2.w
  3 x: MAX_INT       R2.x, R1.x, R2.x
    y: MAX_INT       R2.y, R1.y, R2.y
    z: MAX_INT       R2.z, R1.z, R2.z
    w: MAX_INT       R2.w, R1.w, R2.w
  ; 0-1, 2-3
  4 x: MIN_INT       R3.x, R3.x, R3.y
    y: MAX_INT       R3.y, R3.x, R3.y
    z: MIN_INT       R3.z, R3.z, R3.w
    w: MAX_INT       R3.w, R3.z, R3.w
  ; 4-5, 6-7
  5 x: MIN_INT       R2.x, R2.x, R2.y
    y: MAX_INT       R2.y, R2.x, R2.y
    z: MIN_INT       R2.z, R2.z, R2.w
    w: MAX_INT       R2.w, R2.z, R2.w
  ; 2-4, 3-5
  6 x: MAX_INT       R2.x, R3.z, R2.x
    y: MAX_INT       R2.y, R3.w, R2.y
    z: MIN_INT       R3.z, R3.z, R2.x
    w: MIN_INT       R3.w, R3.w, R2.y
  ; 1-4, 3-6
  7 x: MAX_INT       R2.x, R3.y, R2.x
    y: MIN_INT       R3.y, R3.y, R2.x
    z: MAX_INT       R2.z, R3.w, R2.z
    w: MIN_INT       R3.w, R3.w, R2.z
  ; 1-2, 3-4
  8 x: MAX_INT       R2.x, R3.w, R2.x
    y: MIN_INT       R3.y, R3.y, R3.z
    z: MAX_INT       R3.z, R3.y, R3.z
    w: MIN_INT       R3.w, R3.w, R2.x
  ; 5-6
  9 y: MIN_INT       R2.y, R2.y, R2.z
    z: MAX_INT       R2.z, R2.y, R2.z
; A burst exports R2 and R3 to PIX0 and PIX1: the upper half and the lower.
EXPORT_DONE: PIX0, R2.xyzw BURST(2) EOP
