; source: manual: a mask is zero if all of its 64 bits are
; isa: gfx6..gfx11
; wave: 64
; vcc = 0x100000000
; exec = 0x8000000000000000
; expect: s0 = 1
; expect: s1 = 1
s_cbranch_vccz one
s_mov_b32 s0, 1
one:
s_cbranch_execz two
s_mov_b32 s1, 1
two:
