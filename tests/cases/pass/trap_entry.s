;; What a handler finds: the place of s_trap itself, its number above it, PRIV; and where it leads back to.
; source: SI manual 3.10, RDNA3 manual 3.4.9, S_TRAP of both; gfx10 and gfx12 by the handlers of ROCr (TrapId at 16, at 28 of four bits)
; isa: gfx600, gfx700, gfx803, gfx900, gfx90a, gfx940, gfx1010, gfx1030, gfx1100, gfx1150, gfx1200
; trap_handler: handler
; budget: 1000
; ttmp0 = 1
; ttmp1 = 2
; expect: s6 = 0
; expect[gfx6..gfx11]: s7 = 0x00470000
; expect[gfx12]: s7 = 0x70000000
; expect: s8 = 3
; expect: s9 = 2
; expect: s10 = 7
s_getpc_b64 s[4:5]
s_trap 0x47
s_getreg_b32 s9, hwreg(HW_REG_STATUS, 5, 2)
s_mov_b32 s10, 7
s_endpgm
.p2align 8
handler:
s_sub_u32 s6, ttmp0, s4
s_mov_b32 s7, ttmp1
s_getreg_b32 s8, hwreg(HW_REG_STATUS, 5, 2)
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
