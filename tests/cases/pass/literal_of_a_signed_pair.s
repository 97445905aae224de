;; The literal of a signed 64-bit source is extended by its sign, that of an unsigned one by zeros.
; source: LLVM's tests of v_mad_i64_i32; PITFALLS OP4
; isa: gfx11..gfx12
; wave: 64
; v0 = 1
; expect: v2 = 0x80000001
; expect: v3 = 0xffffffff
; expect: v4 = 0x80000001
; expect: v5 = 0
v_mad_i64_i32 v[2:3], vcc, v0, v0, 0x80000000
v_mad_u64_u32 v[4:5], vcc, v0, v0, 0x80000000
