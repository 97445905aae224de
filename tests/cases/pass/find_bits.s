; source: manual: -1 where there is no such bit
; v0 = [0, 1, 0x80000000, 0x00f00000]
; isa: gfx6..gfx10
; expect: v1 = [0xffffffff, 31, 0, 8]
; expect: v2 = [0xffffffff, 0, 31, 20]
; expect: v3 = [0, 0x80000000, 1, 0x00000f00]
; expect: v4 = [10, 11, 11, 14]
v_ffbh_u32 v1, v0
v_ffbl_b32 v2, v0
v_bfrev_b32 v3, v0
v_bcnt_u32_b32 v4, v0, 10
