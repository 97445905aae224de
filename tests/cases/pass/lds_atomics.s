; source: the old values are those before; 65 lanes in all add 2
; isa: gfx9
; lds = [u32 5, 9]
; v1 = 2
; expect: v2 = [5]
; expect: v3 = [9]
; expect: lds = [135, 0]
v_mov_b32 v0, 0
v_mov_b32 v4, 4
v_mov_b32 v5, 0
s_mov_b64 exec, 1
ds_add_rtn_u32 v2, v0, v1
ds_and_rtn_b32 v3, v4, v5
s_mov_b64 exec, -1
ds_add_u32 v0, v1
s_waitcnt lgkmcnt(0)
