; source: manual: a field of a hardware register: its first bit, its width
; isa: gfx6..gfx11
; mode: 0x300
; expect: s0 = 5
; expect: s1 = 0x350
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0xf5
s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)
s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 12)
