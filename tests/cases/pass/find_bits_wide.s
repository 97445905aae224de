; source: zeros counted by hand
; isa: gfx6..gfx11
; s[0:1] = u64 0x4000000000
; s[2:3] = u64 2
; expect: s4 = 38
; expect: s5 = 62
s_ff1_i32_b64 s4, s[0:1]
s_flbit_i32_b64 s5, s[2:3]
