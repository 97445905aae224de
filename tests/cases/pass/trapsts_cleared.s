;; The exceptions are sticky until TRAPSTS is written.
; source: manual: TRAPSTS.EXCP, bit 0 is the invalid operation
; isa: gfx9..gfx11
; v0 = -1.0
; expect: s1 = 1
; expect: s2 = 0
v_sqrt_f32 v1, v0
s_getreg_b32 s1, hwreg(HW_REG_TRAPSTS, 0, 1)
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0
s_getreg_b32 s2, hwreg(HW_REG_TRAPSTS, 0, 1)
