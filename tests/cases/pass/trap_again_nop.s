;; gfx11 takes s_trap 2 for a nop in a handler.
; source: LLVM's feature priv-enabled-trap2-nop-bug of gfx11
; isa: gfx1100
; trap_handler: handler
; budget: 1000
; expect: s8 = 2
s_trap 2
s_add_u32 s8, s8, 1
s_endpgm
.p2align 8
handler:
s_trap 2
s_add_u32 s8, s8, 1
s_add_u32 ttmp0, ttmp0, 4
s_addc_u32 ttmp1, ttmp1, 0
s_rfe_b64 ttmp[0:1]
