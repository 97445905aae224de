;; Without the feature the words of s_fmamk_f32 are no instruction of a gfx1100.
; source: LLVM 19 and the manuals give scalar floats to gfx1150 and later
; isa: gfx1100
; expect: trap illegal_instruction at floats
floats: .long 0xa3000201, 0x42000000
