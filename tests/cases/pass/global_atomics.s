; source: the old value is the one before; 65 lanes in all add 1
; isa: gfx9, !gfx940..gfx942
; buffer data[8] = [10, 7]
; v[0:1] = address(data)
; v2 = 1
; exec = 1
; expect: v3 = [10]
; expect: buffer data = [75, 7]
global_atomic_add v3, v[0:1], v2, off glc
s_mov_b64 exec, -1
global_atomic_add v[0:1], v2, off
s_waitcnt vmcnt(0)
