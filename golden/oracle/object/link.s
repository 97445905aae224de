	.text
	.globl	main
	.p2align	8
	.type	main,@function
main:
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, near@rel32@lo+4
	s_addc_u32 s1, s1, near@rel32@hi+12
	s_getpc_b64 s[2:3]
	s_add_u32 s2, s2, far@gotpcrel32@lo+4
	s_addc_u32 s3, s3, far@gotpcrel32@hi+12
	s_endpgm
	.globl	far
	.protected	far
far:
	s_setpc_b64 s[30:31]
	.rodata
	.p2align	6, 0x0
	.amdhsa_kernel main
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
near:
	.quad	0x1122334455667788
	.data
	.globl	pointers
	.protected	pointers
pointers:
	.quad	far
	.quad	near+4
	.quad	elsewhere
	.bss
	.zero	64
