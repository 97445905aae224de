s_nop 0
.data
.byte 1
.section .foo, "aw", @progbits
.byte 2
.previous
.byte 3
.pushsection .bar, "ax"
s_nop 1
.section .note.x, "", @note
.byte 4
.popsection
.byte 5
.bss
.zero 12
.section .rodata
.byte 6
.section .m, "aMS", @progbits, 1
.asciz "abc"
.section .rodata.cst8,"aM",@progbits,8
.quad 1
.text
s_nop 2
.section ".odd name", "a"
.byte 7
.section .foo
.byte 8
.section .ex,"e"
.byte 1
.section .init_array,"aw"
.quad 0
