;; On gfx9 and gfx10 TBA and TMA are hardware registers without the lowest eight bits of the addresses.
; source: the Linux kernel's handlers for gfx9 and gfx10: s_getreg_b32 of TMA_LO and TMA_HI, s_lshl_b64 by 8
; isa: gfx900, gfx90a, gfx1030
; buffer data[16] = [11, 22, 33, 44]
; trap_handler: handler, data
; budget: 1000
; expect: s8 = 22
; expect: s9 = 0
s_trap 1
s_endpgm
.p2align 8
handler:
s_getreg_b32 ttmp14, hwreg(HW_REG_TMA_LO)
s_getreg_b32 ttmp15, hwreg(HW_REG_TMA_HI)
s_lshl_b64 ttmp[14:15], ttmp[14:15], 8
s_load_dword s8, ttmp[14:15], 0x4
s_waitcnt lgkmcnt(0)
s_getreg_b32 ttmp14, hwreg(HW_REG_TBA_LO)
s_getpc_b64 s[4:5]
here:
s_lshl_b32 s9, ttmp14, 8
s_add_u32 s9, s9, here-handler
s_sub_u32 s9, s9, s4
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
