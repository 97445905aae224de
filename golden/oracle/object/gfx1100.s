	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 5
	.text
	.globl	first
	.p2align	8
	.type	first,@function
first:
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, outside@rel32@lo+4
	s_addc_u32 s1, s1, outside@rel32@hi+12
	s_mov_b32 s2, .Ltable@abs32@lo
	s_branch inner
inner:
	s_endpgm
.Lend:
	.size	first, .Lend-first
	.p2align	8
	.type	second,@function
second:
	s_endpgm
	.weak	helper
	.hidden	helper
helper:
	s_setpc_b64 s[30:31]
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel first
		.amdhsa_user_sgpr_private_segment_size 1
		.amdhsa_reserve_vcc 1
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_system_sgpr_workgroup_id_x 0
		.amdhsa_shared_vgpr_count 15
		.amdhsa_float_denorm_mode_16_64 0
		.amdhsa_next_free_vgpr 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_exception_fp_denorm_src 1
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_user_sgpr_count 1
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_next_free_sgpr 90
		.amdhsa_forward_progress 0
	.end_amdhsa_kernel
	.amdhsa_kernel second
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_fp16_overflow 1
		.amdhsa_next_free_sgpr 1
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_group_segment_fixed_size 1
		.amdhsa_private_segment_fixed_size 1501535113
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_reserve_vcc 1
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_next_free_vgpr 5
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_exception_int_div_zero 1
	.end_amdhsa_kernel
.Ltable:
	.quad	first
	.quad	inner
	.long	.Ltable-.
	.long	0x12345678
	.type	shared,@object
	.amdgpu_lds shared, 256, 16
	.data
	.globl	variable
	.type	variable,@object
variable:
	.quad	shared
	.size	variable, 8
	.bss
	.p2align	4
	.zero	40
constant = 7
	.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.printf:
  - '1:1:4:%d\72\n'
amdhsa.kernels:
  - .name: first   # a comment
    .symbol: first.kd
    .language: OpenCL C
    .language_version: [ 2, 0 ]
    .kernarg_segment_size: 24
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 32
    .sgpr_count: 0x14
    .vgpr_count: 300
    .max_flat_workgroup_size: 1024
    .reqd_workgroup_size:
    - 64
    - 1
    - 1
    .uses_dynamic_stack: false
    .args:
      - { .name: a, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global, .type_name: 'float*' }
      - .size: 4
        .offset: 8
        .name: !str y
        .value_kind: by_value
        .type_name: "int"
      - .size: 8
        .offset: 16
        .value_kind: hidden_global_offset_x
  - .name: second
    .symbol: second.kd
    .kernarg_segment_size: 0
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 70000
    .kernarg_segment_align: 4
    .wavefront_size: 32
    .sgpr_count: 0
    .vgpr_count: -1
    .max_flat_workgroup_size: 256
...
	.end_amdgpu_metadata
