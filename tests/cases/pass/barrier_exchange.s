; source: each wave reads what the other wrote before the barrier
; isa: gfx9
; group: 128
; lds: 512
; v0 = local.x
; expect: v2 = local.x
; expect: v4 = lane
v_lshlrev_b32 v1, 2, v0
ds_write_b32 v1, v0
s_waitcnt lgkmcnt(0)
s_barrier
v_xor_b32 v3, 0x100, v1
ds_read_b32 v2, v3
s_waitcnt lgkmcnt(0)
v_xor_b32 v2, 64, v2
v_and_b32 v4, 63, v2
