;; Registers of the global data share: the first eight have 32 bits, the others 64. The value of the first active lane, 32 bits without a sign.
; source: RDNA3 manual 12.6.1, tables 61 and 62 (offset0[5:2] is the register, the old value comes back, data 0 where no lane is active)
; isa: gfx11
; exec = 0x6
; v0 = [9, 5, 9]
; v[2:3] = [99, 99, 99]
; v[4:5] = [99, 99, 99]
; v[6:7] = [99, 99, 99]
; v[8:9] = [99, 99, 99]
; v[10:11] = [99, 99, 99]
; expect: v2 = [99, 0, 99]
; expect: v3 = [99, 99, 99]
; expect: v4 = [99, 5, 99]
; expect: v[6:7] = u64 [0x6300000063, 0, 0x6300000063]
; expect: v[8:9] = u64 [0x6300000063, 0xfffffffffffffffb, 0x6300000063]
; expect: v10 = [99, 0xfffffffb, 99]
ds_add_gs_reg_rtn v[2:3], v0 offset:4 gds
ds_sub_gs_reg_rtn v[4:5], v0 offset:4 gds
ds_sub_gs_reg_rtn v[6:7], v0 offset:32 gds
ds_add_gs_reg_rtn v[8:9], v0 offset:32 gds
ds_sub_gs_reg_rtn v[10:11], v0 offset:8 gds
ds_add_gs_reg_rtn v[10:11], v0 offset:8 gds
s_waitcnt lgkmcnt(0)
