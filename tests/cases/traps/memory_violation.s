;; A memory violation enters the handler, whatever is enabled.
; source: the Linux kernel's handlers for gfx8 to gfx11: MEM_VIOL is bit 8 of TRAPSTS; RDNA3 manual 3.4.9: cannot be masked off
; isa: gfx900, gfx90a, gfx1030, gfx1100
; trap_handler: handler
; budget: 1000
; expect: s8 = 1
; expect: s9 = 1
; expect: s10 = 0
; expect: s11 = 5
s_load_dword s4, s[2:3], 0x0
s_mov_b32 s11, 5
s_endpgm
.p2align 8
handler:
s_add_u32 s8, s8, 1
s_getreg_b32 s9, hwreg(HW_REG_TRAPSTS, 8, 1)
s_bfe_u32 s10, ttmp1, 0x90010
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 8, 1), 0
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
