.globl g
l: s_nop 0
g: s_nop 1
s_mov_b32 s0, g-l
s_mov_b32 s0, l2-l
l2: s_mov_b32 s0, l
s_mov_b32 s0, g
s_mov_b32 s0, und
s_mov_b32 s0, und@rel32@lo+4
s_mov_b32 s0, l@rel32@hi+12
s_mov_b32 s0, und@gotpcrel32@lo+4
s_mov_b32 s0, und@gotpcrel32@hi+12
s_mov_b32 s0, l@abs32@lo
s_mov_b32 s0, und@abs32@hi
s_mov_b32 s0, q
.set q, l+4
.long und, und-., l, g+3, l@abs32@hi, und@rel64, .-l
.quad l, und, und@rel64, und-l, l2-l
.section .foo, "ax"
s_nop 0
.long l-.
s_mov_b32 s0, l
.data
.long l, u2
.byte end-begin
.short end-begin
begin: .space 100
end:
