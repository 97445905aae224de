;; Sums of all numbers up to each, and the largest of all numbers from each on, over an array of eight registers in each lane.
;;
;; The loop index aL is not only a count: its first value and its step are the loop's constant. The first loop walks up, aL from 0 to 6;
;; the second walks down, aL from 6 to 0. Every operand of an instruction that has an index has the same one.
; source: sums and largest numbers of the host
; isa: r600, rv770
; lanes: 16
; stack: 1
; loop[0] = 7, 0, 1
; loop[1] = 7, 6, -1
; R16.x = random(1)
; R17.x = random(2)
; R18.x = random(3)
; R19.x = random(4)
; R20.x = random(5)
; R21.x = random(6)
; R22.x = random(7)
; R23.x = random(8)
;; EXPECT
ALU:
  ; y begins as the numbers.
  0 y: MOV           R16.y, R16.x
  1 y: MOV           R17.y, R17.x
  2 y: MOV           R18.y, R18.x
  3 y: MOV           R19.y, R19.x
  4 y: MOV           R20.y, R20.x
  5 y: MOV           R21.y, R21.x
  6 y: MOV           R22.y, R22.x
  7 y: MOV           R23.y, R23.x
LOOP_START ADDR(down) CF_CONST(0)
sum:
  ALU:
    8 x: ADD_INT     R[17+aL].x, R[17+aL].x, R[16+aL].x
LOOP_END ADDR(sum) CF_CONST(0)
down:
LOOP_START ADDR(done) CF_CONST(1)
largest:
  ALU:
    9 y: MAX_INT     R[16+aL].y, R[16+aL].y, R[17+aL].y
LOOP_END ADDR(largest) CF_CONST(1)
done:
NOP EOP
