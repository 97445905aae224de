; source: facts: lanes below the one that faults are done; what stands before the access is done in all of them
; isa: gfx9, gfx10, gfx11, gfx12
; wave: 64
; buffer data[256]
; v2 = ramp(0, 3)
; s[0:1] = address(data)
; v3 = ramp(250, 1)
; expect: trap bad_address at last
; expect: v14 = 1
global_load_dword v11, v2, s[0:1]
v_mov_b32 v14, 1
last:
global_load_dword v13, v3, s[0:1]
