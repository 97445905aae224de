;; LDS: words 64 words apart in one instruction, sums that wrap round a limit, setting of bits under a mask, values handed from lane to lane.
; source: by hand
; isa: gfx700, gfx803, gfx906, gfx1030
; lds: 4096
; v0 = lane
; v1 = ramp(1000, 1)
; v2 = ramp(0, 4)
; v6 = 3
; v8 = 2048
; v9 = 0x0f0f0f0f
; v10 = 0x12345678
; exec = 0xf
; expect: v4 = [1000, 1001, 1002, 1003]
; expect: v5 = [2024, 2025, 2026, 2027]
;; counts 0 1 2 3 and begins anew: old values of four lanes in order
; expect: v7 = [0, 1, 2, 3]
; expect: lds[2048] = [u32 0, 0x12345678]
; expect: v11 = [1001, 1000, 1003, 1002]
s_mov_b32 m0, -1
v_mov_b32 v3, v1
v_or_b32 v3, 0x400, v3
ds_write2st64_b32 v2, v1, v3 offset0:0 offset1:3
s_waitcnt lgkmcnt(0)
ds_read2st64_b32 v[4:5], v2 offset0:0 offset1:3
ds_inc_rtn_u32 v7, v8, v6
ds_mskor_b32 v8, v9, v10 offset:4
ds_swizzle_b32 v11, v1 offset:0x041f
s_waitcnt lgkmcnt(0)
