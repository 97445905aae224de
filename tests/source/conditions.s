.set x, 3
.data
.if x == 3
.byte 1
.elseif x
.byte 2
.else
.byte 3
.endif
.if x - 3
.byte 4
.if 1
.byte 5
.else
.byte 6
.endif
.elseif x < 4
.byte 7
.elseif 1
.byte 8
.else
.byte 9
.endif
.ifdef x
.byte 10
.endif
.ifndef x
.byte 11
.else
.byte 12
.endif
.ifdef later
.byte 13
.endif
later:
.ifdef later
.byte 14
.endif
.ifeq x-3
.byte 15
.endif
.ifne x
.byte 16
.endif
.ifgt -1
.byte 17
.endif
.ifge 0
.byte 18
.endif
.iflt -1
.byte 19
.endif
.ifle 0
.byte 20
.endif
.ifb
.byte 21
.endif
.ifnb q
.byte 22
.endif
.ifc a b , a b
.byte 23
.endif
.ifnc a, b
.byte 24
.endif
.ifeqs "a", "a"
.byte 25
.endif
.ifnes "a", "a"
.byte 26
.endif
.if 0
this is not ( looked at
.macro
.endif
