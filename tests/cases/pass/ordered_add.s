;; An ordered add: where the number in memory is the lane's, it goes on, and the value is added. Both come back. Twelve bits of the number go round.
; source: RDNA4 manual, GLOBAL_ATOMIC_ORDERED_ADD_B64
; isa: gfx12
; buffer data[64] = [5, 100, 5, 100, 4095, 0xffffffff]
; s[0:1] = address(data)
; v0 = lane * 8
; v2 = [5, 6, 4095]
; v3 = [1, 1, 3]
; exec = 0x7
; expect: v4 = [5, 5, 4095]
; expect: v5 = [100, 100, 0xffffffff]
; expect: buffer data = [6, 101, 5, 100, 0, 2]
global_atomic_ordered_add_b64 v[4:5], v0, v[2:3], s[0:1] th:TH_ATOMIC_RETURN
s_wait_loadcnt 0x0
