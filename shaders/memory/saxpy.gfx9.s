; out[i] += factor * in[i] for i < count, 64 values a group.
;   arguments  0 in: address of f32    8 out: address of f32    16 factor: f32    20 count: u32
;   s[0:1] arguments   s2 group   v0 lane
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.amdhsa_code_object_version 5
	.text
	.globl	saxpy
	.p2align	8
	.type	saxpy,@function
saxpy:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_lshl_b32 s3, s2, 6
	v_add_u32 v0, s3, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_u32 vcc, s9, v0
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .Ldone
	v_lshlrev_b32 v1, 2, v0
	global_load_dword v2, v1, s[4:5]
	global_load_dword v3, v1, s[6:7]
	s_waitcnt vmcnt(0)
	v_mac_f32 v3, s8, v2
	global_store_dword v1, v3, s[6:7]
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
		.amdhsa_next_free_sgpr 12
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.kernels:
  - .name: saxpy
    .symbol: saxpy.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - { .name: in, .offset: 0,  .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: out, .offset: 8,  .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: factor, .offset: 16, .size: 4, .value_kind: by_value }
      - { .name: count, .offset: 20, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata
