.text
s_nop 1
.p2align 4
s_nop 2
.long 1
.p2align 3
s_nop 3
.p2alignl 6, 3214868480
s_nop 4
.balign 16, , 2
s_nop 5
.align 32
.data
.byte 1
.align 4
.byte 2
.balign 8, 0xcc
.byte 3
.p2align 4, , 3
.byte 4
.byte 5
.byte 6
.balign 2, 1
.p2alignw 3, 0x1234
.byte 7
