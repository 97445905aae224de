; source: host integers of 128 bits: 0xffffffff * 0xffffffff + 0xffffffff = 0xffffffff00000000
; isa: gfx7..gfx9
; v0 = 0xffffffff
; v[2:3] = u64 0xffffffff
; exec = 1
; expect: v[4:5] = [u64 0xffffffff00000000]
; expect: vcc = 0
v_mad_u64_u32 v[4:5], vcc, v0, v0, v[2:3]
