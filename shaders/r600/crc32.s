;; CRC-32 (zlib, PNG, Ethernet) of eight messages, a bit at a time.
;;
;; Each lane has its own message: where it begins and how long it is. The outer loop has no count: LOOP_START_DX10 goes on until
;; all lanes have left, each at the end of its message, by ALU_BREAK. The inner loop shifts eight bits out; LOOP_START_NO_AL counts
;; and leaves the loop index alone. R600 shifts in the slot t alone. R700 does so in any slot, but there too an operation goes to t
;; if the slot of the element that it writes is taken, as x is here: so the same words do for both.
; source: published values: zlib's check value for "123456789", and those of the messages of RFC 1321
; isa: r600, rv770
; lanes: 8
; stack: 2
; loop[0] = 8
; buffer text = file "messages.txt"
; resource[0] = vertex(text, stride=1)
;; "", "a", "abc", "message digest", "a".."z", "A".."Z" "a".."z" "0".."9", eight times "1234567890", "123456789"
; R0.x = [0, 22, 22, 7, 22, 49, 112, 112]
; R0.y = [0, 1, 3, 14, 26, 62, 80, 9]
; expect: pixel0.x = [0x00000000, 0xe8b7be43, 0x352441c2, 0x20159d7f, 0x4c2750bd, 0x1fc2e6d2, 0x7ca94a72, 0xcbf43926]
ALU:
  0 x: MOV           R1.x, -1
LOOP_START_DX10 ADDR(done)
byte:
  ALU_BREAK:
    1 x: PRED_SETGT_INT ____, R0.y, 0 UPDATE_EXEC_MASK
  VTX:
    VFETCH R2.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(8) NUM_FORMAT(INT)
  ALU:
    2 x: XOR_INT     R1.x, R1.x, R2.x
      y: SUB_INT     R0.y, R0.y, 1
      t: ADD_INT     R0.x, R0.x, 1
  LOOP_START_NO_AL ADDR(next) CF_CONST(0)
  bit:
    ; If the bit that goes out is one, the polynomial is added: CNDE_INT takes 0 where its first operand is 0.
    ALU:
      3 x: AND_INT   ____, R1.x, 1
        t: LSHR_INT  R1.x, R1.x, 1
      4 x: CNDE_INT  R2.x, PV.x, 0, 0xedb88320
      5 x: XOR_INT   R1.x, R1.x, PV.x
  LOOP_END ADDR(bit) CF_CONST(0)
next:
LOOP_END ADDR(byte)
done:
ALU:
  6 x: NOT_INT       R1.x, R1.x
EXPORT_DONE: PIX0, R1.x___ EOP
