; source: the old values of one word are those before each lane; 64 lanes add 2
; isa: gfx9
; lds = [u32 5, 9]
; v1 = 2
; expect: v2 = ramp(5, 2)
; expect: v3 = [9, 0, 0]
; expect: lds = [133, 0]
v_mov_b32 v0, 0
ds_add_rtn_u32 v2, v0, v1
v_mov_b32 v4, 4
v_mov_b32 v5, 0
ds_and_rtn_b32 v3, v4, v5
s_waitcnt lgkmcnt(0)
