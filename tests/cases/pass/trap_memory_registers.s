;; Up to gfx8 TBA and TMA are scalar registers with addresses.
; source: SI manual 3.10; Mesa's and the Linux kernel's handlers for gfx8 load from tma_lo as it is
; isa: gfx6..gfx8
; buffer data[16] = [11, 22, 33, 44]
; trap_handler: handler, data
; budget: 1000
; expect: s[10:11] = [11, 22]
; expect: s9 = 0
s_trap 1
s_endpgm
.p2align 8
handler:
s_load_dwordx2 s[10:11], tma, 0x0
s_waitcnt lgkmcnt(0)
s_getpc_b64 s[4:5]
here:
s_sub_u32 s9, s4, tba_lo
s_sub_u32 s9, s9, here-handler
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
