; source: facts on memory: atomics need their own alignment
; isa: gfx9
; lds: 64
; v0 = 2
; expect: trap misaligned at here
here: ds_add_u32 v0, v1
