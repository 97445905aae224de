;; The scalar offset that SOFFSET_EN turns off, the constant that IMM turns off, and what stands above the number of a register.
; source: the Vega and MI200 ISA documents, SMEM: the two bits say which of register and constant are added; LLVM's decoder looks past SOFFSET
; isa: gfx803, gfx9
; buffer data[64] = [u32 10, 11, 12, 13]
; s[4:5] = address(data)
; s2 = 8
; expect: s[8:10] = [11, 12, 12]
.if .amdgcn.gfx_generation_number == 9
// s_load_dword s8, s[4:5], 0x4: SOFFSET is 0x7f
.long 0xc0020202, 0xfe000004
// s_load_dword s9, s[4:5], s2: SOFFSET is 1, and the constant has bits above the register's number
.long 0xc0000242, 0x021fff82
// s_load_dword s10, s[4:5], s2 by SOFFSET_EN without IMM: the constant is 0x1234
.long 0xc0004282, 0x04001234
.else
s_load_dword s8, s[4:5], 0x4
// s_load_dword s9, s[4:5], s2 with bits above the register's number
.long 0xc0000242, 0x000fff82
.long 0xc0000282, 0x00000102
.endif
s_waitcnt lgkmcnt(0)
