; source: facts on memory: atomics need their own alignment
; isa: gfx9, !gfx940..gfx942
; buffer data[64]
; v[0:1] = address(data + 2)
; expect: trap misaligned at here
here: global_atomic_add v[0:1], v2, off
