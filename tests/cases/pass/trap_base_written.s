;; Up to gfx8 a handler may write TBA: the next trap goes there.
; source: SI manual 3.10: TBA is writable in the handler; S_TRAP: load TBA into PC
; isa: gfx6..gfx8
; trap_handler: first
; budget: 1000
; expect: s8 = 12
s_trap 1
s_trap 1
s_endpgm
.p2align 8
first:
s_add_u32 s8, s8, 2
s_add_u32 tba_lo, tba_lo, 0x100
s_addc_u32 tba_hi, tba_hi, 0
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
.p2align 8
second:
s_add_u32 s8, s8, 10
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
