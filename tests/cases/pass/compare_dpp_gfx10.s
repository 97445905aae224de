;; Compares of gfx10 with DPP16, DPP8 and the fetch of inactive lanes; a lane that is cut has the bit 0.
; source: by hand: the RDNA ISA document, DPP16 and DPP8 (VOPC has both); what is cut gets 0 by the RDNA3 ISA document, "DPP on V_CMP"; ACO emits such code
; isa: gfx10
; wave: 32
; vcc = 0xffffffff
; v0 = lane
; v1 = 4
; v2 = 100
; v3 = f32 -1.0
; v4 = f32 -0.5
; expect: s0 = 0xf0
; expect: s1 = 0xffff
; expect: s2 = 0xf
; expect: s3 = 0xd
; expect: s4 = 0xfffffff0
; expect: s5 = 0x7fff7fff
; expect: s6 = 0x00ff
; expect: s7 = 0xffffffff
; expect: s8 = 0xfffffffd
; expect: exec = 0x20
v_cmp_lt_u32 vcc_lo, v0, v1 dpp8:[7,6,5,4,3,2,1,0]
s_mov_b32 s0, vcc_lo
v_cmp_lt_u32 vcc_lo, v0, v1 row_share:3 row_mask:0xf bank_mask:0xf
s_mov_b32 s1, vcc_lo
v_cmp_lt_u32_dpp vcc_lo, v0, v1 row_xmask:1 row_mask:0xf bank_mask:0xf
s_mov_b32 s2, vcc_lo
s_mov_b32 exec_lo, -3
v_cmp_lt_u32 vcc_lo, v0, v1 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf fi:1
s_mov_b32 s3, vcc_lo
s_mov_b32 vcc_lo, -1
v_cmp_lt_u32 vcc_lo, v0, v2 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf
s_mov_b32 s4, vcc_lo
s_mov_b32 exec_lo, -1
s_mov_b32 vcc_lo, -1
v_cmp_lt_u32 vcc_lo, v0, v2 row_shl:1 row_mask:0xf bank_mask:0xf
s_mov_b32 s5, vcc_lo
s_mov_b32 vcc_lo, -1
v_cmp_lt_u32 vcc_lo, v0, v2 quad_perm:[0,1,2,3] row_mask:0x1 bank_mask:0x3
s_mov_b32 s6, vcc_lo
v_cmp_gt_f32 vcc_lo, |v3|, -v4 row_mirror row_mask:0xf bank_mask:0xf
s_mov_b32 s7, vcc_lo
s_mov_b32 exec_lo, -3
v_cmp_lt_u32 vcc_lo, v0, v2 dpp8:[1,1,1,1,1,1,1,1]
s_mov_b32 s8, vcc_lo
s_mov_b32 exec_lo, -1
v_cmpx_eq_u32 v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf
s_nop 0
