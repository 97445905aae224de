.data
.zero 3
.zero 2, 0xaa
.space 2
.skip 1, 7
.fill 3, 2, 0x1234
.fill 2, 8, 0x11223344
.fill 2
.fill 0, 4, 9
.fill 1, 3, 0x11223344
.org 64
.byte 1
.org ., 5
start: .byte 2
.org start + 8, 0xee
.dcb.l 2, 3
.dcb.b 3, 4
. = . + 4
.byte 9
