; source: 64 lanes add 2^31: the old values are those before each lane, and carries pass to the upper half
; isa: gfx9, !gfx940..gfx942
; buffer data[8] = [u32 0x10, 0]
; v[0:1] = address(data)
; v2 = 0x80000000
; v3 = 0
; expect: v[4:5] = [u64 0x10, 0x80000010, 0x100000010]
; expect: buffer data = [0x10, 32]
global_atomic_add_x2 v[4:5], v[0:1], v[2:3], off glc
s_waitcnt vmcnt(0)
