; out[i] += factor * in[i] for i < count, 32 values a group: wave32, split wait counters, the group in ttmp9.
;   arguments  0 in: address of f32    8 out: address of f32    16 factor: f32    20 count: u32
;   s[0:1] arguments   ttmp9 group   v0 lane
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
	.amdhsa_code_object_version 5
	.text
	.globl	saxpy
	.p2align	8
	.type	saxpy,@function
saxpy:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[8:9], s[0:1], 0x10
	v_lshl_add_u32 v0, ttmp9, 5, v0
	s_wait_kmcnt 0x0
	v_cmp_gt_u32 vcc_lo, s9, v0
	s_and_saveexec_b32 s10, vcc_lo
	s_cbranch_execz .Ldone
	v_lshlrev_b32 v1, 2, v0
	global_load_b32 v2, v1, s[4:5]
	global_load_b32 v3, v1, s[6:7]
	s_wait_loadcnt 0x0
	v_fmac_f32 v3, s8, v2
	global_store_b32 v1, v3, s[6:7] scope:SCOPE_DEV
.Ldone:
	s_endpgm
.Lend:
	.size	saxpy, .Lend-saxpy

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel saxpy
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 11
		.amdhsa_wavefront_size32 1
	.end_amdhsa_kernel
