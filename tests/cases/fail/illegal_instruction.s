; source: no encoding begins with these bits
; isa: gfx6..gfx9
; expect: trap illegal_instruction at bad
s_nop 0
bad: .long 0xffffffff
