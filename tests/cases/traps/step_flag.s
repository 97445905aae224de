;; TRAPSTS says that it was a step, where the generation has a bit for that.
; source: RDNA3 manual 3.4.9: TRAP_AFTER_INST is bit 20; ROCdbgapi: of gfx940 it is bit 25
; isa: gfx900, gfx940, gfx1030, gfx1100
; trap_handler: handler
; budget: 1000
; expect[gfx900]: s9 = 0
; expect[gfx940]: s9 = 0x02000000
; expect[gfx1030]: s9 = 0
; expect[gfx1100]: s9 = 0x00100000
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 11, 1), 1
s_nop 0
s_endpgm
.p2align 8
handler:
s_getreg_b32 s9, hwreg(HW_REG_TRAPSTS)
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS), 0
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
