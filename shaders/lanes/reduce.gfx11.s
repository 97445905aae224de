; out[group] = sum of in[32 * group ...]: one wave32 a group, without LDS. Four steps inside rows of 16 lanes, one across them.
;   arguments  0 in: address of f32    8 out: address of f32
;   s[0:1] arguments   s2 group   v0 lane
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.globl	reduce
	.p2align	8
	.type	reduce,@function

; Adds the lane whose number differs in the bits of `mask`.
.macro add_lane mask
	v_add_f32_dpp v2, v2, v2 row_xmask:\mask row_mask:0xf bank_mask:0xf
.endm

reduce:
	s_load_b128 s[4:7], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0
	v_lshl_add_u32 v1, s2, 7, v1
	s_waitcnt lgkmcnt(0)
	global_load_b32 v2, v1, s[4:5]
	s_waitcnt vmcnt(0)
.irp mask, 1, 2, 4, 8
	add_lane \mask
.endr
	v_permlanex16_b32 v3, v2, -1, -1
	v_add_f32 v2, v2, v3
	v_cmp_eq_u32 vcc_lo, 0, v0
	s_and_saveexec_b32 s8, vcc_lo
	s_cbranch_execz .Ldone
	s_lshl_b32 s3, s2, 2
	v_mov_b32 v4, s3
	global_store_b32 v4, v2, s[6:7]
.Ldone:
	s_endpgm
.Lend:
	.size	reduce, .Lend-reduce

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel reduce
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 5
		.amdhsa_next_free_sgpr 9
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
