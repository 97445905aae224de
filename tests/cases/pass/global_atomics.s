; source: 64 lanes add 1: the old values are 10 to 73
; isa: gfx9, !gfx940..gfx942
; buffer data[8] = [10, 7]
; v[0:1] = address(data)
; v2 = 1
; expect: v3 = ramp(10, 1)
; expect: buffer data = [74, 7]
global_atomic_add v3, v[0:1], v2, off glc
s_waitcnt vmcnt(0)
