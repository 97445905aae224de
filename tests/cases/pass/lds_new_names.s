; source: manual: stores and loads of the data share
; isa: gfx11..gfx12
; lds: 1024
; v0 = ramp(0, 4)
; v1 = ramp(100, 1)
; expect: v2 = [103, 102, 101, 100]
; expect: lds[8] = [102, 103]
ds_store_b32 v0, v1
v_xor_b32 v3, 12, v0
ds_load_b32 v2, v3
