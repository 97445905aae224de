#!/usr/bin/env python3
"""Writes the files of this folder with LLVM 19 (see README.md). Run it here; the outcome is the same every time."""
import os, random, struct, subprocess, sys, tempfile

random.seed(19)
MC, CLANG, READELF = "llvm-mc-19", "clang-19", "llvm-readelf-19"
TMP = tempfile.mkdtemp()

def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done

def sections(path):
    data = open(path, "rb").read()
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(count)]
    base = heads[names][4]
    return {data[base + h[0]:].split(b"\0")[0].decode(): data[h[4]:h[4] + h[5]] for h in heads}

# directive: (largest value of a good one, chance)
BITS = """user_sgpr_private_segment_buffer user_sgpr_dispatch_ptr user_sgpr_queue_ptr user_sgpr_kernarg_segment_ptr
user_sgpr_dispatch_id user_sgpr_flat_scratch_init user_sgpr_private_segment_size wavefront_size32 uses_dynamic_stack
system_sgpr_private_segment_wavefront_offset enable_private_segment system_sgpr_workgroup_id_x system_sgpr_workgroup_id_y
system_sgpr_workgroup_id_z system_sgpr_workgroup_info reserve_vcc reserve_flat_scratch reserve_xnack_mask dx10_clamp ieee_mode
fp16_overflow tg_split workgroup_processor_mode memory_ordered forward_progress round_robin_scheduling
exception_fp_ieee_invalid_op exception_fp_denorm_src exception_fp_ieee_div_zero exception_fp_ieee_overflow
exception_fp_ieee_underflow exception_fp_ieee_inexact exception_int_div_zero""".split()
WIDE = dict(group_segment_fixed_size=2**32 - 1, private_segment_fixed_size=2**32 - 1, kernarg_size=4096, user_sgpr_count=31,
    user_sgpr_kernarg_preload_length=16, user_sgpr_kernarg_preload_offset=511, system_vgpr_workitem_id=3,
    float_round_mode_32=3, float_round_mode_16_64=3, float_denorm_mode_32=3, float_denorm_mode_16_64=3, shared_vgpr_count=15)
MAX = {**{name: 1 for name in BITS}, **WIDE}

TARGETS = [("gfx600", ""), ("gfx700", ""), ("gfx801", ""), ("gfx802", ""), ("gfx803", ""), ("gfx810", ""), ("gfx900", ""),
    ("gfx906", ""), ("gfx906", "+xnack"), ("gfx906", "-xnack,-sramecc"), ("gfx90a", ""), ("gfx942", ""), ("gfx942", "-xnack"),
    ("gfx1010", ""), ("gfx1010", "+wavefrontsize64"), ("gfx1030", ""), ("gfx1030", "+wavefrontsize64"), ("gfx1100", ""),
    ("gfx1150", "+wavefrontsize64"), ("gfx1200", ""), ("gfx1201", "+wavefrontsize64")]

def legal(arch, name):
    """Whether to try a directive often on a processor: the rest is for errors."""
    major = int(arch[3:-2]); cdna = arch in ("gfx90a", "gfx942"); flat = arch == "gfx942" or major >= 11
    if name in ("wavefront_size32", "workgroup_processor_mode", "memory_ordered", "forward_progress"): return major >= 10
    if name == "shared_vgpr_count": return major in (10, 11)
    if name in ("tg_split", "user_sgpr_kernarg_preload_length", "user_sgpr_kernarg_preload_offset"): return cdna
    if name == "round_robin_scheduling": return major >= 12
    if name in ("dx10_clamp", "ieee_mode"): return major < 12
    if name == "fp16_overflow": return major >= 9
    if name == "reserve_xnack_mask": return False
    if name == "reserve_flat_scratch": return major >= 7 and not flat
    if name == "enable_private_segment": return flat
    if name in ("user_sgpr_private_segment_buffer", "user_sgpr_flat_scratch_init",
                "system_sgpr_private_segment_wavefront_offset"): return not flat
    return True

def case(arch, wild):
    fields = []
    for name, top in MAX.items():
        if random.random() > 0.3 or not (legal(arch, name) or (wild and random.random() < 0.1)): continue
        value = random.choice((0, 1, top, random.randint(0, top)))
        if wild and random.random() < 0.03: value = random.choice((top + 1, -1, top + 1 if name == "user_sgpr_count" else 2**40))
        if name == "user_sgpr_count" and random.random() < 0.7: value = random.randint(16, 31)
        fields.append((name, value))
    vgprs = random.choice((0, 1, 4, 5, 24, 96, 128, 255, 256, random.randint(0, 256)))
    if wild: vgprs = random.choice((vgprs, 257, 504, 512, 513, 520))
    sgprs = random.choice((0, 1, 8, 15, 16, 90, 96, random.randint(0, 100)))
    if wild: sgprs = random.choice((sgprs, 100, 102, 103, 104, 105, 106, 112))
    fields += [("next_free_vgpr", vgprs), ("next_free_sgpr", sgprs)]
    if arch in ("gfx90a", "gfx942") or (wild and random.random() < 0.05):
        accum = random.randint(1, max(1, vgprs // 4)) * 4
        if wild: accum = random.choice((accum, 0, 3, 6, 256, 260))
        fields.append(("accum_offset", accum))
    if wild:
        if random.random() < 0.1: fields.append(random.choice(fields))
        if random.random() < 0.1: fields.remove(random.choice(fields))
        if random.random() < 0.03: fields.append(("no_such_directive", 1))
    random.shuffle(fields)
    return fields

def descriptors():
    out = open("descriptors.txt", "w")
    out.write("; processor, features | .amdhsa_ directives | the 64 bytes, or what LLVM says is wrong\n")
    for arch, features in TARGETS:
        good = bad = 0
        while good < 12 or bad < 9:
            fields = case(arch, wild=good >= 12 or random.random() < 0.5)
            text = f".text\nk:\n.rodata\n.amdhsa_kernel k\n" + "".join(f".amdhsa_{n} {v}\n" for n, v in fields) + ".end_amdhsa_kernel\n"
            open(f"{TMP}/k.s", "w").write(text)
            done = run(MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={arch}", f"-mattr={features}", "-filetype=obj",
                       f"{TMP}/k.s", "-o", f"{TMP}/k.o", check=False)
            if done.returncode == 0:
                if good >= 12: continue
                good += 1; outcome = sections(f"{TMP}/k.o")[".rodata"].hex()
            else:
                if bad >= 9: continue
                bad += 1; outcome = "error: " + done.stderr.split("error: ")[1].splitlines()[0]
            out.write(f"{arch} {features or '-'} | {' '.join(f'{n}={v}' for n, v in fields)} | {outcome}\n")

SOURCE = """
	.amdgcn_target "amdgcn-amd-amdhsa--@TARGET@"
@VERSION@
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
@FIRST@
	.end_amdhsa_kernel
	.amdhsa_kernel second
@SECOND@
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
amdhsa.version: [ 1, @MINOR@ ]
amdhsa.printf:
  - '1:1:4:%d\\72\\n'
amdhsa.kernels:
  - .name: first   # a comment
    .symbol: first.kd
    .language: OpenCL C
    .language_version: [ 2, 0 ]
    .kernarg_segment_size: 24
    .group_segment_fixed_size: 256
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: @WAVE@
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
    .wavefront_size: @WAVE@
    .sgpr_count: 0
    .vgpr_count: -1
    .max_flat_workgroup_size: 256
...
	.end_amdgpu_metadata
"""

def objects():
    for arch, version, target, features in [
        ("gfx600", 5, "gfx600", ""), ("gfx700", 5, "gfx700", ""), ("gfx803", 4, "gfx803", ""), ("gfx906", 4, "gfx906:sramecc+:xnack-", "+sramecc,-xnack"),
        ("gfx90a", 5, "gfx90a", ""), ("gfx942", 6, "gfx942:xnack+", "+xnack"), ("gfx1010", 5, "gfx1010", ""), ("gfx1030", 5, "gfx1030", ""),
        ("gfx1100", 5, "gfx1100", ""), ("gfx1200", 6, "gfx1200", "")]:
        fields = lambda: "\n".join(f"\t\t.amdhsa_{n} {v}" for n, v in good(arch))
        def good(arch):
            while True:
                fields = case(arch, False)
                text = ".text\nk:\n.rodata\n.amdhsa_kernel k\n" + "".join(f".amdhsa_{n} {v}\n" for n, v in fields) + ".end_amdhsa_kernel\n"
                open(f"{TMP}/k.s", "w").write(text)
                if run(MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={arch}", f"-mattr={features}", "-filetype=obj", f"{TMP}/k.s", "-o", f"{TMP}/k.o", check=False).returncode == 0:
                    return fields
        text = SOURCE
        major = int(arch[3:-2])
        for key, value in dict(TARGET=target, VERSION=f"\t.amdhsa_code_object_version {version}", FIRST=fields(), SECOND=fields(),
                               MINOR=1 if version == 4 else 2, WAVE=32 if major >= 10 else 64).items():
            text = text.replace(f"@{key}@", str(value))
        if major >= 12: text = text.replace("s_addc_u32", "s_add_co_ci_u32").replace("s_add_u32", "s_add_co_u32")
        open(f"{arch}.s", "w").write(text.lstrip("\n"))
        run(MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={arch}", f"-mattr={features}", "-filetype=obj", f"{arch}.s", "-o", f"{arch}.o")
        if arch not in ("gfx906", "gfx1100"): continue
        notes = run(READELF, "--notes", f"{arch}.o").stdout
        open(f"{arch}.yaml", "w").write(notes[notes.index("---"):].rstrip() + "\n")

CL = """
__constant float table[4] = { 1, 2, 3, 4 };
__global int counter = 5;
__kernel void scale(__global float *out, float y, __local int *scratch) {
    int i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x(); scratch[i & 7] = i; out[i] = y * table[i & 3] + counter;
}
__kernel __attribute__((reqd_work_group_size(64, 2, 1))) void pick(__global char *p, read_only image2d_t image) { *p = 1; }
"""

ARCHS = """gfx600 gfx601 gfx602 gfx700 gfx701 gfx702 gfx703 gfx704 gfx705 gfx801 gfx802 gfx803 gfx805 gfx810 gfx900 gfx902 gfx904
gfx906 gfx908 gfx909 gfx90a gfx90c gfx940 gfx941 gfx942 gfx1010 gfx1011 gfx1012 gfx1013 gfx1030 gfx1031 gfx1032 gfx1033 gfx1034
gfx1035 gfx1036 gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1200 gfx1201""".split()

def flags():
    out = open("flags.txt", "w")
    out.write("; processor and e_flags of an empty file, code object version 5\n")
    open(f"{TMP}/k.s", "w").close()
    for arch in ARCHS:
        run(MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={arch}", "-filetype=obj", f"{TMP}/k.s", "-o", f"{TMP}/k.o")
        out.write(f"{arch} {struct.unpack_from('<I', open(f'{TMP}/k.o', 'rb').read(), 48)[0]:x}\n")

LINK = """
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
"""

def linked():
    open("link.s", "w").write(LINK.lstrip("\n"))
    run(MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx906", "-filetype=obj", "link.s", "-o", "link.o")
    run("ld.lld-19", "-shared", "link.o", "-o", "link.so")
    open("kernels.cl", "w").write(CL.lstrip("\n"))
    for arch, version, name in [("gfx700", 4, "clang-gfx700-v4.so"), ("gfx1030", 5, "clang-gfx1030-v5.so"), ("gfx90a:xnack+", 6, "clang-gfx90a-v6.so")]:
        run(CLANG, "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header", "-target", "amdgcn-amd-amdhsa", f"-mcpu={arch}",
            f"-mcode-object-version={version}", "-O2", "-nogpulib", "-fuse-ld=lld", "-o", name, "kernels.cl")
    run(CLANG, "-x", "cl", "-Xclang", "-finclude-default-header", "-target", "amdgcn-mesa-mesa3d", "-mcpu=gfx803", "-O2", "-nogpulib", "-c", "-o", "clang-gfx803-mesa.o", "mesa.cl")

os.chdir(os.path.dirname(os.path.abspath(__file__)))
descriptors(); objects(); linked(); flags()
