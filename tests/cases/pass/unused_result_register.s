;; What returns nothing does not look at the register of its result: stores, and atomics that return no old value.
; source: the ISA documents: VDST is the destination of loads, and of atomics that return the old value
; isa: gfx7..
; buffer data[16] = [u32 10, 11, 12, 13]
; v[4:5] = address(data + 4)
; v[6:7] = address(data + 8)
; v2 = 7
; v255 = 0x55
; exec = 1
; expect: v255 = 0x55
; expect: buffer data = [u32 10, 25, 7, 13]
.if .amdgcn.gfx_generation_number == 7
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdcc80000, 0xff000204
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xdc700000, 0xff000206
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdcc80000, 0xff000204
.elseif .amdgcn.gfx_generation_number == 8
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdd080000, 0xff000204
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xdc700000, 0xff000206
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdd080000, 0xff000204
.elseif .amdgcn.gfx_generation_number == 9
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdd080000, 0xff000204
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xdc700000, 0xff000206
// global_atomic_add v[4:5], v2, off: VDST is 0xff
.long 0xdd088000, 0xff7f0204
.elseif .amdgcn.gfx_generation_number == 10
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdcc80000, 0xff7d0204
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xdc700000, 0xff7d0206
// global_atomic_add v[4:5], v2, off: VDST is 0xff
.long 0xdcc88000, 0xff7d0204
.elseif .amdgcn.gfx_generation_number == 11
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xdcd40000, 0xff7c0204
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xdc680000, 0xff7c0206
// global_atomic_add v[4:5], v2, off: VDST is 0xff
.long 0xdcd60000, 0xff7c0204
.elseif .amdgcn.gfx_generation_number == 12
// flat_atomic_add v[4:5], v2: VDST is 0xff
.long 0xec0d407c, 0x010000ff, 0x00000004
// flat_store_dword v[6:7], v2: VDST is 0xff
.long 0xec06807c, 0x010000ff, 0x00000006
// global_atomic_add v[4:5], v2, off: VDST is 0xff
.long 0xee0d407c, 0x010000ff, 0x00000004
.endif
s_nop 0
