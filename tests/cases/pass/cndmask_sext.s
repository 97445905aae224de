;; A choice between a register and a half with its sign: SDWA's sign extension belongs to bits too. ACO folds it so on gfx8 and gfx9.
; source: ACO 25.0.7 for polaris10 of a program that sign-extends 16 bits and chooses (the words); the values by hand
; isa: gfx8, gfx9, !gfx90a, !gfx940..gfx942
; vcc = 0x15
; v8 = 7
; v9 = [0x1234fc00, 0x56788000, 0x00007fff, 0x00008000, 0xffff8001, 0xffff8001]
; expect: v8 = [0xfffffc00, 7, 0x7fff, 7, 0xffff8001, 7]
.long 0x001012f9, 0x0c060608
