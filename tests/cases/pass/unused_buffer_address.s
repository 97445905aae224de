;; An address register that neither OFFEN nor IDXEN asks for holds anything: v128 here, and the last one.
; source: Mesa's ACO writes 0x80 there (aco_assembler.cpp: the field of an undefined operand); llvm-mc-19 disassembles it as `off`
; isa: all
; buffer data[64] = [u32 10, 11, 12, 13]
; s[4:7] = buffer(data)
; v1 = 7
; v128 = 0x12340000
; v255 = 0x56780000
; s8 = 4
; expect: v2 = 12
; expect: buffer data[4] = [u32 7, 12, 13, 0]
.if .amdgcn.gfx_generation_number < 11
// buffer_store_dword v1, off, s[4:7], s8
.long 0xe0700000, 0x08010180
.elseif .amdgcn.gfx_generation_number == 11
// buffer_store_b32 v1, off, s[4:7], s8
.long 0xe0680000, 0x08010180
.else
// buffer_store_b32 v1, off, s[4:7], s8
.long 0xc4068008, 0x00800801, 0x00000080
.endif
.if .amdgcn.gfx_generation_number < 8 || .amdgcn.gfx_generation_number == 10
// buffer_load_dword v2, off, s[4:7], 0 offset:8
.long 0xe0300008, 0x800102ff
.elseif .amdgcn.gfx_generation_number < 12
.long 0xe0500008, 0x800102ff
.else
// buffer_load_b32 v2, off, s[4:7], null offset:8
.long 0xc405007c, 0x00800802, 0x000008ff
.endif
