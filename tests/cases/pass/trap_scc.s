;; A handler sets SCC by STATUS.
; source: RDNA3 manual 3.4.1: SCC is bit 0 of STATUS, writable when PRIV
; isa: gfx6..gfx11
; trap_handler: handler
; budget: 1000
; expect: scc = 1
s_trap 1
s_endpgm
.p2align 8
handler:
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_setreg_imm32_b32 hwreg(HW_REG_STATUS, 0, 1), 1
s_rfe_b64 ttmp[0:1]
