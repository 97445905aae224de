; source: manual: STATUS.SCC is bit 0
; isa: gfx6..gfx11
; expect: s1 = 1
; expect: s2 = 0
s_cmp_eq_u32 s0, s0
s_getreg_b32 s1, hwreg(HW_REG_STATUS, 0, 1)
s_cmp_lg_u32 s0, s0
s_getreg_b32 s2, hwreg(HW_REG_STATUS, 0, 1)
