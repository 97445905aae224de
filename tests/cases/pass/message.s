; source: manual: a message goes with M0
; isa: gfx9..gfx11
; m0 = 5
; expect: m0 = 5
s_sendmsg sendmsg(MSG_INTERRUPT)
