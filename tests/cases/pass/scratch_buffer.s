;; Scratch memory by a buffer descriptor and the offset of the wave, as compilers use it before gfx9.
; source: by hand; the layout of the descriptor is that of LLVM's scratch V#
; isa: gfx6..gfx9, !gfx940, !gfx941, !gfx942
; grid: 256
; group: 128
; scratch: 16
; s[0:3] = scratch.resource
; s4 = scratch.offset
; s[6:7] = scratch.base
; v0 = lane + wave * 1000
; v2 = lane * 3
; expect: v1 = lane + wave * 1000
; expect: v3 = lane * 3
; expect: vcc = [0, 0x400, 0x800, 0xc00]
; expect: s[6:7] = u64 0x150000100000
buffer_store_dword v0, off, s[0:3], s4 offset:4
buffer_store_dword v2, off, s[0:3], s4 offset:12
s_waitcnt vmcnt(0)
buffer_load_dword v1, off, s[0:3], s4 offset:4
buffer_load_dword v3, off, s[0:3], s4 offset:12
s_mov_b32 vcc_lo, s4
s_waitcnt vmcnt(0)
