;; How often each hexadecimal digit stands in a word: an array of a lane that lies in memory.
;;
;; Registers can be indexed, but an array of any size goes to the scratch buffer: MEM_SCRATCH: WRITE_IND and READ_IND with the
;; number of the element in a register, where each lane has its own. An element has four words. It begins as zeroes, and ARRAY_SIZE
;; is its size.
; source: counted by the host
; isa: r600, rv770
; lanes: 8
; stack: 1
; scratch: 16
; loop[0] = 8
; R0.x = [0x00000000, 0x01234567, 0x89abcdef, 0xdeadbeef, 0xffffffff, 0xcafef00d, 0x31415926, 0x80000001]
; expect: scratch[0].x = [8, 1, 0, 0, 0, 2, 0, 6]
; expect: scratch[1].x = [0, 1, 0, 0, 0, 0, 2, 1]
; expect: scratch[2].x = [0, 1, 0, 0, 0, 0, 1, 0]
; expect: scratch[3].x = [0, 1, 0, 0, 0, 0, 1, 0]
; expect: scratch[4].x = [0, 1, 0, 0, 0, 0, 1, 0]
; expect: scratch[5].x = [0, 1, 0, 0, 0, 0, 1, 0]
; expect: scratch[6].x = [0, 1, 0, 0, 0, 0, 1, 0]
; expect: scratch[7].x = [0, 1, 0, 0, 0, 0, 0, 0]
; expect: scratch[8].x = [0, 0, 1, 0, 0, 0, 0, 1]
; expect: scratch[9].x = [0, 0, 1, 0, 0, 0, 1, 0]
; expect: scratch[10].x = [0, 0, 1, 1, 0, 1, 0, 0]
; expect: scratch[11].x = [0, 0, 1, 1, 0, 0, 0, 0]
; expect: scratch[12].x = [0, 0, 1, 0, 0, 1, 0, 0]
; expect: scratch[13].x = [0, 0, 1, 2, 0, 1, 0, 0]
; expect: scratch[14].x = [0, 0, 1, 3, 0, 1, 0, 0]
; expect: scratch[15].x = [0, 0, 1, 1, 8, 2, 0, 0]
LOOP_START_NO_AL ADDR(done) CF_CONST(0)
digit:
  ; The lowest digit goes out.
  ALU:
    0 x: AND_INT     R1.x, R0.x, 15
      t: LSHR_INT    R0.x, R0.x, 4
  MEM_SCRATCH: READ_IND[0+R1.x], R2.xyzw ARRAY_SIZE(16) ELEM_SIZE(3)
  ALU:
    1 x: ADD_INT     R2.x, R2.x, 1
  MEM_SCRATCH: WRITE_IND[0+R1.x], R2.x___ ARRAY_SIZE(16) ELEM_SIZE(3)
LOOP_END ADDR(digit) CF_CONST(0)
done:
NOP EOP
