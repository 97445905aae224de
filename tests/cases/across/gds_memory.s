;; The global data share: M0 has its base above and its size below, both in bytes. What is out of range is 0, and is not stored.
; source: RDNA3 manual 12.6 (M0); RDNA2 manual, DS_APPEND (base + offset, all active lanes get the old value); bytes that count up
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; buffer gds[64] = [0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109]
; m0 = 0x00080010
; exec = 0x3f
; v0 = lane * 4
; v1 = lane + 7
; expect: v2 = [0x102, 0x103, 0x104, 0x105, 0, 0]
; expect: v[4:5] = u64 [0x10300000102, 0x10500000104, 0, 0, 0, 0]
; expect: v6 = [0x103, 0x104, 0x105, 0, 0, 0]
; expect: v7 = [7, 7, 7, 7, 7, 7]
; expect: v8 = [0x104, 0, 0, 0, 0, 0]
; expect: buffer gds = [0x100, 0x101, 13, 8, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109]
ds_read_b32 v2, v0 gds
v_lshlrev_b32 v3, 1, v0
ds_read_b64 v[4:5], v3 gds
ds_read_b32 v6, v0 offset:4 gds
s_waitcnt lgkmcnt(0)
; The first two words of the range: eleven and then eight are left out.
s_mov_b32 m0, 0x00080008
ds_write_b32 v0, v1 gds
ds_append v7 gds
s_mov_b32 m0, 0x00100004
ds_read_b32 v8, v0 gds
s_waitcnt lgkmcnt(0)
