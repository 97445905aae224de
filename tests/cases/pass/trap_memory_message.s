;; From gfx11 on TBA and TMA come as answers to messages, without the lowest eight bits; bit 63 of TBA says that there is a handler.
; source: the Linux kernel's handler for gfx12: MSG_RTN_GET_TMA, s_lshl_b64 by 8; RDNA3 manual 3.2 and 5.3
; isa: gfx1100, gfx1200
; buffer data[16] = [11, 22, 33, 44]
; trap_handler: handler, data
; budget: 1000
; expect: s8 = 22
; expect: s9 = 0
; expect: s11 = 0x80000000
s_trap 1
s_endpgm
.p2align 8
handler:
s_sendmsg_rtn_b64 ttmp[14:15], sendmsg(MSG_RTN_GET_TMA)
s_wait_idle
s_lshl_b64 ttmp[14:15], ttmp[14:15], 8
s_load_b32 s8, ttmp[14:15], 0x4
s_wait_idle
s_sendmsg_rtn_b64 s[10:11], sendmsg(MSG_RTN_GET_TBA)
s_wait_idle
s_getpc_b64 s[4:5]
here:
s_lshl_b32 s9, s10, 8
s_add_u32 s9, s9, here-handler
s_sub_u32 s9, s9, s4
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
