.macro put a, b=7, rest:vararg
  .byte \a, \b
  .ifnb \rest
  .byte \rest
  .endif
.endm
.data
put 1
put 1, 2
put 1 2 3, 4
put b=9, a=8
put 1 + 2, (3 * (1 + 1))
.macro unique
l\@_x: .byte \@
.long l\@_x - base
.endm
base:
unique
unique
.macro count n
.if \n
.byte \n
count \n-1
.endif
.endm
count 4
.macro text s:req
.ascii "\s"
.endm
text "hello world"
text abc
.macro join x, y
.set \x\()_\y, 3
.byte \x\()_\y
.endm
join p, q
.macro outer
.macro inner v
.byte \v, 0x55
.endm
inner 1
.purgem inner
.endm
outer
outer
.macro leave x
.byte 1
.if \x
.exitm
.endif
.byte 2
.endm
leave 1
leave 0
.purgem leave
.rept 3
.byte 0xee
.endr
.irp r, 1, 2, 3+4
.byte \r
.endr
.irpc c, 012
.byte 0x\c
.endr
.rept 2
.rept 2
.byte 0xdd
.endr
.byte 0xcc
.endr
.set i, 0
.rept 4
.byte i
.set i, i+1
.endr
.macro neg a, b
.long \a
.long \b
.endm
neg 1 -1, 2
neg 1 , -1
neg a=1 b=-(1)
