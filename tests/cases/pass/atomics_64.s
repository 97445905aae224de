; source: the old value is the one before; 67 times 2^31 in all, whose carries pass to the upper half
; isa: gfx9, !gfx940..gfx942
; buffer data[8] = [u32 0x10, 0]
; v[0:1] = address(data)
; v2 = 0x80000000
; v3 = 0
; exec = 1
; expect: v[4:5] = [u64 0x10]
; expect: v[6:7] = [u64 0x80000010]
; expect: v[8:9] = [u64 0x100000010]
; expect: buffer data = [0x80000010, 33]
global_atomic_add_x2 v[4:5], v[0:1], v[2:3], off glc
s_waitcnt vmcnt(0)
global_atomic_add_x2 v[6:7], v[0:1], v[2:3], off glc
s_waitcnt vmcnt(0)
global_atomic_add_x2 v[8:9], v[0:1], v[2:3], off glc
s_mov_b64 exec, -1
global_atomic_add_x2 v[0:1], v[2:3], off
s_waitcnt vmcnt(0)
