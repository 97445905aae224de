;; The message goes out, and the wave halts: nobody wakes it.
; source: SI manual: S_SENDMSGHALT: send a message and then HALT
; m0 = 7
; expect: trap halt at here
; expect: s1 = 1
; expect: s2 = 0
s_mov_b32 s1, 1
s_mov_b32 s2, 0
here: s_sendmsghalt sendmsg(1)
s_mov_b32 s2, 1
