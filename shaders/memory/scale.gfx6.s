; data[i] *= factor, 64 values a group. gfx6 has no flat memory: a buffer with 64-bit addresses reaches all of it.
;   arguments  0 data: address of f32    8 factor: f32
;   s[0:1] arguments   s2 group   v0 lane
	.amdgcn_target "amdgcn-amd-amdhsa--gfx600"
	.amdhsa_code_object_version 5
	.text
	.globl	scale
	.p2align	8
	.type	scale,@function
scale:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s4, s[0:1], 0x2
	s_mov_b32 s10, 0
	s_mov_b32 s11, 0xf000
	s_lshl_b32 s3, s2, 6
	v_add_i32 v0, vcc, s3, v0
	v_lshlrev_b32 v0, 2, v0
	v_mov_b32 v1, 0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v[0:1], s[8:11], 0 addr64
	s_waitcnt vmcnt(0)
	v_mul_f32 v2, s4, v2
	buffer_store_dword v2, v[0:1], s[8:11], 0 addr64
	s_endpgm
.Lend:
	.size	scale, .Lend-scale

	.section	.rodata,"a",@progbits
	.p2align	6
	.amdhsa_kernel scale
		.amdhsa_kernarg_size 12
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 12
	.end_amdhsa_kernel
