;; Who asks for the doorbell gets its number in EXEC, and waits until bit 31 is clear.
; source: CDNA3 manual, table of messages (into EXEC); ROCm's trap handler, which waits so
; isa: gfx9, gfx10
; wave: 64
; budget: 1000
; expect: s2 = 0
; expect: s3 = 7
; expect: exec = 0xffffffffffffffff
s_mov_b32 exec_lo, 0x80000000
s_sendmsg sendmsg(MSG_GET_DOORBELL)
wait:
s_nop 7
s_bitcmp0_b32 exec_lo, 31
s_cbranch_scc0 wait
s_mov_b32 s2, exec_lo
s_mov_b64 exec, -1
s_mov_b32 s3, 7
