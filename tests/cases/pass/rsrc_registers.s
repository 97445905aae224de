;; Registers at the start as RSRC1 and RSRC2 ask for them: two user registers, all numbers of the group, TG_SIZE, all numbers of the work-item,
;; 512 bytes of LDS, denormals of f32 flushed, DX10_CLAMP.
; source: ABI of LLVM's AMDGPUUsage (initial registers) and Mesa's TG_SIZE, by hand
; isa: gfx900, gfx1030, gfx1100, gfx1200
; grid: 4, 4, 2
; group: 4, 2, 1
; rsrc: 0x002c0000, 0x00009784
; s[0:1] = [7, 8]
; expect: s[0:1] = [7, 8]
; expect: lds[508] = [0]
; expect: mode = 0x1c0
; expect[gfx12]: mode = 0xc0
; expect[gfx9, gfx10]: v0 = [0, 1, 2, 3, 0, 1, 2, 3]
; expect[gfx9, gfx10]: v1 = [0, 0, 0, 0, 1, 1, 1, 1]
; expect[gfx9, gfx10]: v2 = 0
; expect[gfx11..gfx12]: v0 = [0, 1, 2, 3, 0x400, 0x401, 0x402, 0x403]
; expect[gfx9..gfx11]: vcc = [0, 0x100, 0x10000, 0x10100]
; expect[gfx9..gfx11]: s5 = 0x80000001
; expect[gfx12]: s2 = 0x80000001
; expect[gfx12]: m0 = [0, 1, 0x10000, 0x10001]
; expect[gfx12]: ttmp9 = 0
; expect[gfx12]: ttmp8 = 0
.if .amdgcn.gfx_generation_number < 12
s_lshl_b32 vcc_lo, s4, 16
s_lshl_b32 s6, s3, 8
s_or_b32 vcc_lo, vcc_lo, s6
s_or_b32 vcc_lo, vcc_lo, s2
.else
s_mov_b32 m0, ttmp7
.endif
