;; RSRC2 enables exceptions: in MODE, on gfx12 in TRAP_CTRL.
; source: LLVM's guide: EXCEPTION_FP_IEEE_754_FP_DIVISION_BY_ZERO is bit 26 of COMPUTE_PGM_RSRC2
; isa: gfx600, gfx803, gfx900, gfx1030, gfx1100, gfx1200
; rsrc: 0x000c0000, 0x04000000
; trap_handler: handler
; budget: 1000
; v1 = 0.0
; expect: s8 = 1
; expect: v3 = inf
v_rcp_f32_e32 v3, v1
s_nop 0
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
.if .amdgcn.gfx_generation_number >= 12
s_setreg_imm32_b32 hwreg(HW_REG_EXCP_FLAG_USER, 0, 7), 0
.else
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0
.endif
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
