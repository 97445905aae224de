.globl g
.type g, @function
g:
s_nop 0
.Lend:
.size g, .Lend - g
.hidden h
h: s_nop 1
.weak w
.protected p
p: s_nop 2
.set k, 42
.equ alias, h + 4
.globl alias
.data
obj: .quad 1
.type obj, %object
.size obj, 8
.local obj
.comm shared, 16, 4
.globl und
.long und
1: .long 1b - obj, 1f - 1b
1: .long 1b - obj
2: 3: four: .byte 1
.long four - 2b
.internal in
in:
.equiv once, 1
