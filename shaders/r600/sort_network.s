;; Sorts eight numbers in each lane by a network of 19 comparators, which has no branches.
;;
;; A comparator is MIN into one element and MAX into the other. The operations of a group read before any of them writes, so the
;; two may share a group though each overwrites what the other reads; and four slots do two comparators at once. The numbers 0 to 3
;; are R1.xyzw, 4 to 7 are R2.xyzw. Comparators whose elements have the same letter cannot share a group: these go to another
;; register.
; source: the numbers of each lane, sorted
; isa: r600, rv770
; lanes: 16
; R1 = random(1)
; R2 = random(2)
; expect: pixel1.x = [2298633409, 2691650517, 3338337164, 2904861534, 2417533894, 2417296000, 2353485234, 3318069782, 3277222864,
;   2270429199, 3584251578, 3055342680, 2852741209, 2430050954, 2641915381, 2776189499]
; expect: pixel1.y = [2662421329, 2735020468, 3716043567, 3950670841, 2613018527, 2476775458, 2924111238, 3672050908, 3663683802,
;   2786568956, 3903907381, 3898499670, 33224796, 2815407947, 4227635648, 3859232197]
; expect: pixel1.z = [3206732855, 3437130908, 4214379870, 3997354251, 3126141396, 2817879582, 2971700479, 3870676433, 3735002542,
;   3991554280, 3907999376, 349146110, 773309010, 3100373422, 344440791, 4257086117]
; expect: pixel1.w = [3415352477, 3876774346, 31882545, 4223390289, 3506550201, 3693140607, 3453482072, 4127450499, 704211135,
;   4017092716, 22433633, 685483345, 815519488, 69792771, 756333027, 517616153]
; expect: pixel0.x = [3930238082, 201072194, 320314623, 4293391972, 414253273, 3879134475, 3610655909, 304579957, 713538115,
;   454926470, 631196149, 685941508, 846740410, 254453682, 816078323, 634233141]
; expect: pixel0.y = [133132882, 265185961, 485845717, 144007885, 596665563, 3891757399, 4009254253, 321452288, 731775834,
;   679492176, 666404620, 834378103, 1269456320, 436131830, 952333621, 835214004]
; expect: pixel0.z = [479680206, 1703865447, 1219690169, 1627082982, 1058536233, 1801087362, 873922494, 1717168251, 897465768,
;   1934531931, 795921563, 1188282929, 1448263708, 1825348292, 1561118450, 1061869741]
; expect: pixel0.w = [1872847534, 1720651597, 1637234119, 1629309539, 1905447174, 2076684979, 1356892537, 1952569786, 1485294847,
;   1952540566, 1975863810, 1812402367, 1638990689, 1970353312, 1867274152, 1237765896]
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
