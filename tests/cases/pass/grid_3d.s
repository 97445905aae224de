; source: every work-item writes its number in the grid of 5 x 3 x 2, whose last groups are partial
; isa: gfx9
; grid: 5, 3, 2
; group: 4, 2, 1
; buffer out[120]
; v[0:1] = address(out)
; v2 = global.x
; v3 = global.y
; v4 = global.z
; expect: buffer out = ramp(1, 1)
v_mul_u32_u24 v5, 3, v4
v_add_u32 v5, v5, v3
v_mul_u32_u24 v5, 5, v5
v_add_u32 v5, v5, v2
v_lshlrev_b32 v6, 2, v5
v_add_u32 v5, 1, v5
v_add_co_u32 v0, vcc, v0, v6
global_store_dword v[0:1], v5, off
