;; Fields that an instruction does not use hold anything, a reserved operand code too.
; source: the ISA documents: an instruction has the operands and modifiers of its description; bits drawn by hand in their unused fields
; isa: all
; lds: 64
; m0 = 0xffff
; v0 = 0x40400000
; v1 = 0x40000000
; v6 = 8
; expect: v2 = 0x40000000
; expect: v3 = 5.0
; expect: v4 = 0x00400000
; expect: v5 = 0x40400000
; expect: v7 = 0x40000000
; expect[gfx9]: v2 = 0x80400000
.if .amdgcn.gfx_generation_number == 6
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd2360002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd2060403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd23a0704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd3020005, 0x03f9ff00
// ds_write_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd8340004, 0xffff0106
// ds_read_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd8d80004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe881ffe
// s_barrier: SIMM16 is 0xffff
.long 0xbf8affff
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 7
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd2360002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd2060403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd23a0704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd3020005, 0x03f9ff00
// ds_write_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd8340004, 0xffff0106
// ds_read_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd8d80004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe881ffe
// s_barrier: SIMM16 is 0xffff
.long 0xbf8affff
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 8
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd1130002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd1010403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd1150704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd1410005, 0x03f9ff00
// ds_write_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd81a0004, 0xffff0106
// ds_read_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd86c0004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe881cfe
// s_barrier: SIMM16 is 0xffff
.long 0xbf8affff
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 9
// v_add_u32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd1340002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd1010403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd1150704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd1410005, 0x03f9ff00
// ds_write_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd81a0004, 0xffff0106
// ds_read_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd86c0004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe881cfe
// s_barrier: SIMM16 is 0xffff
.long 0xbf8affff
// s_wakeup: SIMM16 is 0x1234
.long 0xbf831234
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 10
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd51b0002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd5030403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd51d0704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd5810005, 0x03f9ff00
// ds_write_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd8340004, 0xffff0106
// ds_read_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd8d80004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe881ffe
// s_barrier: SIMM16 is 0xffff
.long 0xbf8affff
// s_wakeup: SIMM16 is 0x1234
.long 0xbf831234
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 11
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd51b0002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd5030403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd51d0704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd5810005, 0x03f9ff00
// ds_store_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd8340004, 0xffff0106
// ds_load_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd8d80004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe8847fe
// s_barrier: SIMM16 is 0xffff
.long 0xbfbdffff
// s_wakeup: SIMM16 is 0x1234
.long 0xbfb41234
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.elseif .amdgcn.gfx_generation_number == 12
// v_and_b32_e64 v2, v0, v1: SRC2 is 0xd2, which is no operand
.long 0xd51b0002, 0x034a0300
// v_add_f32_e64 v3, v0, v1: SRC2 is 0xe6, and takes NEG and ABS
.long 0xd5030403, 0x839a0300
// v_xor_b32_e64 v4, v0, v1: OMOD, NEG and ABS of integers
.long 0xd51d0704, 0xf8020300
// v_mov_b32_e64 v5, v0: SRC1 is 0xff and SRC2 0xfe
.long 0xd5810005, 0x03f9ff00
// ds_store_b32 v6, v1 offset:4: VDST and DATA1 are 0xff
.long 0xd8340004, 0xffff0106
// ds_load_b32 v7, v6 offset:4: DATA0 and DATA1 are 0xff
.long 0xd8d80004, 0x07ffff06
// s_getpc_b64 s[8:9]: SSRC0 is 0xfe
.long 0xbe8847fe
// s_wakeup: SIMM16 is 0x1234
.long 0xbfb41234
// v_nop: VDST is 0xff, SRC0 0x180
.long 0x7ffe0180
.endif
s_waitcnt lgkmcnt(0)
