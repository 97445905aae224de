.section .rodata.str, "a"
.ascii "a;b//c" ; comment
.asciz "x\n\t\"\\", "y"
.string "\101\x41 /* no comment */"
.ascii "one" "two"
