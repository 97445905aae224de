;; A scratch instruction whose address is a scalar register alone does not look at the field of the vector one.
; source: the rule of unused_buffer_address.s; `global_store` and `scratch_store` of ACO leave 0x80 there
; isa: gfx900, gfx1010, gfx1030, gfx1100, gfx1200
; wave: 64
; buffer data[4096]
; s[10:11] = address(data)
; v1 = 7
; v128 = 0x12340000
; s8 = 16
; expect: v2 = 7
; expect: buffer data[1280] = [u32 7, 7, 7, 7]
.if .amdgcn.gfx_generation_number == 9
s_mov_b64 flat_scratch, s[10:11]
.else
s_setreg_b32 hwreg(20), s10
s_setreg_b32 hwreg(21), s11
.endif
.if .amdgcn.gfx_generation_number < 11
// scratch_store_dword off, v1, s8 offset:4
.long 0xdc704004, 0x00080180
.elseif .amdgcn.gfx_generation_number == 11
// scratch_store_b32 off, v1, s8 offset:4
.long 0xdc690004, 0x00080180
.else
.long 0xed068008, 0x00800000, 0x00000480
.endif
.if .amdgcn.gfx_generation_number == 9
// scratch_load_dword v2, off, s8 offset:4
.long 0xdc504004, 0x02080080
.elseif .amdgcn.gfx_generation_number == 10
.long 0xdc304004, 0x02080080
.elseif .amdgcn.gfx_generation_number == 11
.long 0xdc510004, 0x02080080
.else
.long 0xed050008, 0x00000002, 0x00000480
.endif
