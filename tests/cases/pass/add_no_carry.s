; source: 2^32 arithmetic; the name without a carry of gfx9, as gfx10 and later call it
; isa: gfx10..gfx12
; v0 = [0xffffffff, 5]
; vcc = 0x3
; expect: v1 = [0, 6]
; expect: v2 = [2, 0xfffffffc]
; expect: vcc = 0x3
v_add_nc_u32 v1, 1, v0
v_sub_nc_u32 v2, 1, v0
