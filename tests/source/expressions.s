.data
.set a, 5
b = a*2+1
.byte a, b, -1, 'x', 0xff
.short a<<4, -32768, 65535
.long a==5, (a+b)*2, ~0, 1||0
.quad 0x8000000000000000, a-b, 5!2
.set a, 6
.byte a
.float 1.0, -2.5, 0x1.8p3, 1e10, inf, 3
.double 1.0, -0.1, nan
.octa 0x0123456789abcdef0123456789abcdef, 7
.2byte 1, 2
.4byte 3
.8byte 4
.int 6
