;; A compare takes its first source from other lanes; a lane that is cut has the bit 0, whatever the mask held.
; source: by hand: the Vega ISA document, DPP (VOPC has it); what is cut gets 0 by the RDNA3 ISA document, "DPP on V_CMP"; ACO emits such code on gfx8 and gfx9
; isa: gfx8..gfx9
; vcc = 0xffffffffffffffff
; v0 = lane
; v1 = 15
; v2 = 100
; v3 = f32 -1.0
; v4 = f32 -0.5
; v5 = 3
; expect: s[0:1] = u64 0xefff
; expect: s[2:3] = u64 0x7fff7fff7fff7fff
; expect: s[4:5] = u64 0xffffffffffffffff
; expect: s[6:7] = u64 0x000000ff000000ff
; expect: s[8:9] = u64 0xfffffffffffffff0
; expect: s[10:11] = u64 0xffffffffffffffff
; expect: s[12:13] = u64 0x0
; expect: vcc = 0x10
; expect: exec = 0x10
v_cmp_lt_u32 vcc, v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf
s_mov_b64 s[0:1], vcc
s_mov_b64 vcc, -1
v_cmp_lt_u32_dpp vcc, v0, v2 row_shl:1 row_mask:0xf bank_mask:0xf
s_mov_b64 s[2:3], vcc
v_cmp_lt_u32 vcc, v0, v2 row_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:0
s_mov_b64 s[4:5], vcc
s_mov_b64 vcc, -1
v_cmp_lt_u32 vcc, v0, v2 quad_perm:[0,1,2,3] row_mask:0x5 bank_mask:0x3
s_mov_b64 s[6:7], vcc
s_mov_b64 exec, -3
v_cmp_lt_u32 vcc, v0, v2 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf
s_mov_b64 s[8:9], vcc
s_mov_b64 exec, -1
v_cmp_gt_f32 vcc, |v3|, -v4 row_mirror row_mask:0xf bank_mask:0xf
s_mov_b64 s[10:11], vcc
v_cmp_class_f32 vcc, v3, v5 row_mirror row_mask:0xf bank_mask:0xf
s_mov_b64 s[12:13], vcc
v_cmpx_eq_u32 vcc, v0, v5 row_shr:1 row_mask:0xf bank_mask:0xf
s_nop 0
