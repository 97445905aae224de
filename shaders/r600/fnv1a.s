;; FNV-1a of 32 bits over eight messages: exclusive or with a byte, then times a prime.
;;
;; MULLO_UINT, the low half of a product, is done by t alone, and PS has its result for the next group. Each lane leaves the loop
;; at the end of its own message.
; source: published values: the test vectors that come with the algorithm ("", "a", "foobar" and the beginnings of it)
; isa: r600, rv770
; lanes: 8
; stack: 1
; buffer text = file "messages.txt"
; resource[0] = vertex(text, stride=1)
;; "", "a", "f", "fo", "foo", "foob", "fooba", "foobar"
; R0.x = [0, 22, 0, 0, 0, 0, 0, 0]
; R0.y = [0, 1, 1, 2, 3, 4, 5, 6]
; expect: pixel0.x = [0x811c9dc5, 0xe40c292c, 0xe30c2799, 0x6222e842, 0xa9f37ed7, 0x3f5076ef, 0x39aaa18a, 0xbf9cf968]
ALU:
  0 x: MOV           R1.x, 0x811c9dc5
LOOP_START_DX10 ADDR(done)
byte:
  ALU_BREAK:
    1 x: PRED_SETGT_INT ____, R0.y, 0 UPDATE_EXEC_MASK
  VTX:
    VFETCH R2.x___, R0.x, fc0 NO_INDEX_OFFSET FORMAT(8) NUM_FORMAT(INT)
  ALU:
    2 x: XOR_INT     ____, R1.x, R2.x
      y: SUB_INT     R0.y, R0.y, 1
      t: ADD_INT     R0.x, R0.x, 1
    3 t: MULLO_UINT  R1.x, PV.x, 0x01000193
LOOP_END ADDR(byte)
done:
EXPORT_DONE: PIX0, R1.x___ EOP
