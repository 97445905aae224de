;; An enabled exception enters the handler behind the instruction, with 0 as the number. Up to gfx10 the words to go back are saved
;; as well; an instruction of two words is two words back.
; source: SI manual 3.5, 3.10: EXCP_EN, {3'h0, pc_rewind[3:0], HT, trapID[7:0], PC[47:0]}, PC - PC_rewind * 4; gfx10 by ROCr's handler (PCRewind[5:0])
; isa: gfx600, gfx700, gfx803, gfx900, gfx90a, gfx1010, gfx1030
; trap_handler: handler
; budget: 1000
; v1 = 0.0
; v2 = 4.0
; expect: s8 = 2
; expect: s9 = 0x04000000
; expect: s10 = 0
; expect: s11 = 0x02000000
; expect: s12 = 0
; expect: s13 = 4
; expect: v3 = inf
; expect: v4 = -inf
; expect: v5 = 0.25
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4
v_rcp_f32_e32 v5, v2
s_getpc_b64 s[4:5]
v_rcp_f32_e32 v3, v1
s_getpc_b64 s[6:7]
v_rcp_f32_e64 v4, -v1
s_endpgm
.p2align 8
handler:
s_getreg_b32 s13, hwreg(HW_REG_TRAPSTS, 0, 7)
s_add_u32 s8, s8, 1
s_cmp_eq_u32 s8, 1
s_cbranch_scc0 second
s_mov_b32 s11, ttmp1
s_lshr_b32 ttmp2, ttmp1, 25
s_lshl_b32 ttmp2, ttmp2, 2
s_sub_u32 s12, ttmp0, ttmp2
s_sub_u32 s12, s12, s4
s_branch out
second:
s_mov_b32 s9, ttmp1
s_lshr_b32 ttmp2, ttmp1, 25
s_lshl_b32 ttmp2, ttmp2, 2
s_sub_u32 s10, ttmp0, ttmp2
s_sub_u32 s10, s10, s6
out:
s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 7), 0
v_clrexcp
s_and_b32 ttmp1, ttmp1, 0xffff
s_rfe_b64 ttmp[0:1]
