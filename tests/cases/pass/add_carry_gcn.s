; source: 2^64 arithmetic
; isa: gfx6..gfx7
; v[0:1] = u64 0xffffffffffffffff
; v[2:3] = u64 2
; expect: v[4:5] = u64 1
; expect[gfx6..gfx7]: vcc = 0xffffffffffffffff
v_add_i32 v4, vcc, v0, v2
v_addc_u32 v5, vcc, v1, v3, vcc
