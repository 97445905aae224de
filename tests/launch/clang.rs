//! Kernels that clang 19 compiles: it names the register of every value in the assembly it prints. Skipped, by name, without it.

use super::*;

const ARCHS: [&str; 9] = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1200"];

/// Every value that a wave starts with, in the register in which clang finds it.
const IDS: &str = r#"
ulong dispatch_id(void) __asm("llvm.amdgcn.dispatch.id");
__kernel void ids(__global uint *out, uint n, char c) {
  volatile __private int stack[8];
  stack[n & 7] = n;
  out[0] = stack[c & 7];
  __asm__ volatile("; DISPATCH %0" :: "s"(__builtin_amdgcn_dispatch_ptr()));
  __asm__ volatile("; KERNARG %0" :: "s"(__builtin_amdgcn_kernarg_segment_ptr()));
  __asm__ volatile("; NUMBER %0" :: "s"(dispatch_id()));
  __asm__ volatile("; GX %0" :: "s"(__builtin_amdgcn_workgroup_id_x()));
  __asm__ volatile("; GY %0" :: "s"(__builtin_amdgcn_workgroup_id_y()));
  __asm__ volatile("; GZ %0" :: "s"(__builtin_amdgcn_workgroup_id_z()));
  __asm__ volatile("; IX %0" :: "v"(__builtin_amdgcn_workitem_id_x()));
  __asm__ volatile("; IY %0" :: "v"(__builtin_amdgcn_workitem_id_y()));
  __asm__ volatile("; IZ %0" :: "v"(__builtin_amdgcn_workitem_id_z()));
}
"#;

/// The operand behind `; NAME ` in a listing.
fn operand<'a>(listing: &'a str, name: &str) -> &'a str {
    let line = listing.lines().find_map(|line| line.trim().strip_prefix(&format!("; {name} "))).expect(name);
    line.trim()
}

/// The number of a directive in a listing.
fn directive(listing: &str, name: &str) -> Option<u32> {
    let line = listing.lines().find_map(|line| line.trim().strip_prefix(&format!(".amdhsa_{name} ")))?;
    Some(line.trim().parse().expect(name))
}

/// The first number of `s[4:5]`, `s8`, `v1`.
fn first(operand: &str) -> u32 {
    let digits: String = operand.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a register")
}

/// User SGPRs as the directives of a listing give them: they are printed in the order of the registers.
fn user_sgprs(listing: &str) -> Vec<(&'static str, u32)> {
    const SIZES: [(&str, u32); 7] = [
        ("private_segment_buffer", 4),
        ("dispatch_ptr", 2),
        ("queue_ptr", 2),
        ("kernarg_segment_ptr", 2),
        ("dispatch_id", 2),
        ("flat_scratch_init", 2),
        ("private_segment_size", 1),
    ];
    let mut at = 0;
    let mut found = Vec::new();
    for (name, size) in SIZES {
        if directive(listing, &format!("user_sgpr_{name}")) == Some(1) {
            found.push((name, at));
            at += size;
        }
    }
    found
}

/// All that the listing of [`IDS`] says about the start of a wave.
fn check_ids(mcpu: &str, listing: &str, dispatch: &Dispatch, group: [u32; 3], wave_number: u32, options: &Options) {
    let wave = dispatch.wave(group, wave_number).expect("a wave");
    let (layout, arch) = (&options.layout, dispatch.kernel().arch());
    for (name, at) in user_sgprs(listing) {
        match name {
            "private_segment_buffer" => {
                assert_eq!(pair(&wave, at) & 0xffff_ffff_ffff, layout.scratch, "{mcpu}");
                assert_eq!(sgpr(&wave, at + 2), u32::MAX);
            }
            "dispatch_ptr" => assert_eq!(pair(&wave, at), layout.packets, "{mcpu}"),
            "queue_ptr" => assert_eq!(pair(&wave, at), layout.queue, "{mcpu}"),
            "kernarg_segment_ptr" => assert_eq!(pair(&wave, at), layout.kernarg, "{mcpu}"),
            "dispatch_id" => assert_eq!(pair(&wave, at), options.dispatch_id, "{mcpu}"),
            "flat_scratch_init" if arch.generation >= Gen::Gfx9 => {
                assert_eq!(pair(&wave, at), layout.scratch, "{mcpu}");
            }
            "flat_scratch_init" => {
                let hidden = dispatch.resources().hidden_private_base;
                assert_eq!(u64::from(sgpr(&wave, at)), layout.scratch - hidden, "{mcpu}");
                assert_eq!(Some(sgpr(&wave, at + 1)), directive(listing, "private_segment_fixed_size"));
            }
            "private_segment_size" => {
                assert_eq!(Some(sgpr(&wave, at)), directive(listing, "private_segment_fixed_size"));
            }
            _ => unreachable!(),
        }
    }
    assert_eq!(pair(&wave, first(operand(listing, "DISPATCH"))), layout.packets, "{mcpu}");
    assert_eq!(pair(&wave, first(operand(listing, "KERNARG"))), layout.kernarg, "{mcpu}");
    assert_eq!(pair(&wave, first(operand(listing, "NUMBER"))), options.dispatch_id, "{mcpu}");
    if arch.generation == Gen::Gfx12 {
        assert_eq!(operand(listing, "GX"), "ttmp9");
        assert!(listing.contains("ttmp7, 0xffff") && listing.contains("ttmp7, 16"), "{listing}");
        assert_eq!(wave.ttmps, [(7, group[1] | group[2] << 16), (8, wave_number << 25), (9, group[0])]);
        assert!(wave.sgprs.iter().all(|&(at, _)| Some(at) < directive(listing, "user_sgpr_count")));
    } else {
        let first_id = directive(listing, "user_sgpr_count").expect("a count");
        for (axis, name) in ["GX", "GY", "GZ"].into_iter().enumerate() {
            assert_eq!(sgpr(&wave, first_id + axis as u32), group[axis], "{mcpu} {name}");
            // Copied first where code before it needs the register.
            if let Some(at) = operand(listing, name).strip_prefix('s') {
                assert_eq!(first(at), first_id + axis as u32, "{mcpu} {name}");
            }
        }
        let offset = directive(listing, "system_sgpr_private_segment_wavefront_offset") == Some(1);
        assert_eq!(wave.sgprs.last().map(|s| s.0), Some(first_id + 2 + u32::from(offset)), "{mcpu}");
        if offset {
            assert_eq!(sgpr(&wave, first_id + 3), wave.scratch_offset, "{mcpu}");
            assert_eq!(wave.scratch_offset % 1024, 0);
        }
    }
    let architected = directive(listing, "enable_private_segment") == Some(1);
    let scratch = layout.scratch + u64::from(wave.scratch_offset);
    assert_eq!(wave.flat_scratch, architected.then_some(scratch), "{mcpu}");
    let code = listing.split("ids:").nth(1).expect("code");
    let packed = code.contains("v_bfe_u32");
    assert_eq!(wave.vgprs.len(), if packed { 1 } else { 3 }, "{mcpu}");
    let size = dispatch.geometry().size_of(group);
    for lane in 0..dispatch.resources().wave_size as usize {
        let number = wave_number * dispatch.resources().wave_size + lane as u32;
        let live = number < size.iter().product();
        assert_eq!(wave.exec >> lane & 1 == 1, live, "{mcpu} lane {lane}");
        if live {
            let expected = [number % size[0], number / size[0] % size[1], number / (size[0] * size[1])];
            let found: [u32; 3] = match packed {
                true => [0, 10, 20].map(|shift| wave.vgprs[0][lane] >> shift & 0x3ff),
                false => [0, 1, 2].map(|v| wave.vgprs[v][lane]),
            };
            assert_eq!(found, expected, "{mcpu} lane {lane}");
        }
    }
    if !packed {
        let registers = ["IX", "IY", "IZ"].map(|name| first(operand(listing, name)));
        assert_eq!(registers, [0, 1, 2], "{mcpu}");
    }
    let value = |name| directive(listing, name).unwrap_or(0);
    let mut mode = value("float_round_mode_32") | value("float_round_mode_16_64") << 2;
    mode |= value("float_denorm_mode_32") << 4 | value("float_denorm_mode_16_64") << 6;
    mode |= value("dx10_clamp") << 8 | value("ieee_mode") << 9 | value("fp16_overflow") << 23;
    assert_eq!(wave.mode, mode, "{mcpu}");
    assert_eq!((wave.exceptions, wave.lds_bytes, wave.pc), (0, 0, dispatch.kernel().entry), "{mcpu}");
}

#[test]
fn registers_are_where_clang_finds_them() {
    if !has("clang-19", "registers_are_where_clang_finds_them") {
        return;
    }
    let folder = Folder::new("ids");
    let options = Options { dispatch_id: 0x1_0000_0007, ..Options::default() };
    let args = [Value::buffer(vec![0; 4]), Value::u32(5), Value::Scalar(Scalar::I32(-3))];
    for mcpu in ARCHS {
        let listing = String::from_utf8(clang(&folder, IDS, mcpu, 5, "-S", &[])).expect("text");
        let mut files = Vec::new();
        for version in [4, 5, 6] {
            let object = clang(&folder, IDS, mcpu, version, "-c", &[]);
            let linked = lld(&folder, &object);
            files.extend([Some(object), linked].into_iter().flatten().map(|file| (version, file)));
        }
        // clang 19 writes no version 3 any more; assembled, its text of version 4 is one.
        let v4 = String::from_utf8(clang(&folder, IDS, mcpu, 4, "-S", &[])).expect("text");
        let v3 = v4.replace(".amdhsa_code_object_version 4", ".amdhsa_code_object_version 3");
        files.push((3, link(&v3, mcpu)));
        for (version, file) in files {
            let loaded = Loaded::load(&file).unwrap_or_else(|e| panic!("{mcpu} v{version}: {e}"));
            assert_eq!((loaded.version(), loaded.arch().name), (version, mcpu));
            let [kernel] = loaded.kernels() else { panic!("{mcpu} v{version}: {:?}", loaded.kernels()) };
            // The hardware's order, and the order in which the reader of descriptors lists them.
            let layout: Vec<_> = kernel.user_sgprs().iter().map(|&(_, first, count)| (first, count)).collect();
            let listed: Vec<_> = kernel.descriptor.user_sgpr_layout().iter().map(|u| (u.first, u.count)).collect();
            assert_eq!(layout, listed, "{mcpu}");
            let (grid, group) = ([45, 12, 3], [20, 5, 2]);
            let dispatch = Dispatch::with_options(&loaded, "ids", grid, group, &args, &options)
                .unwrap_or_else(|e| panic!("{mcpu} v{version}: {e}"));
            assert_eq!(dispatch.geometry().groups(), [3, 3, 2]);
            for (group, wave) in [([0, 0, 0], 0), ([1, 0, 0], 3), ([0, 1, 1], 1), ([2, 2, 1], 0)] {
                check_ids(mcpu, &listing, &dispatch, group, wave, &options);
            }
            assert_eq!(dispatch.wave([2, 2, 1], 0).expect("a wave").exec, (1 << 10) - 1, "{mcpu}");
            assert_eq!(dispatch.wave([2, 2, 1], 1), None);
            assert_eq!(dispatch.wave([3, 0, 0], 0), None);
            // The arguments: an address, a word, a byte.
            let (memory, kernarg) = (dispatch.mappings(), options.layout.kernarg);
            assert_eq!(number(memory, kernarg, 8), options.layout.buffers);
            assert_eq!((number(memory, kernarg + 8, 4), number(memory, kernarg + 12, 1)), (5, 0xfd));
        }
    }
}

#[test]
fn headers_of_version_2_are_read_as_clang_writes_them() {
    if !has("clang-19", "headers_of_version_2_are_read_as_clang_writes_them") {
        return;
    }
    // clang 19 writes amd_kernel_code_t only for Mesa, and with it the old table of register values.
    let source = "__kernel void m(__global uint *out, uint n) {
        volatile __private int stack[8]; stack[n & 7] = n; out[0] = stack[n >> 3 & 7];
        __asm__ volatile(\"; GX %0\" :: \"s\"(__builtin_amdgcn_workgroup_id_x()));
        __asm__ volatile(\"; GY %0\" :: \"s\"(__builtin_amdgcn_workgroup_id_y()));
        __asm__ volatile(\"; IX %0\" :: \"v\"(__builtin_amdgcn_workitem_id_x()));
        __asm__ volatile(\"; IY %0\" :: \"v\"(__builtin_amdgcn_workitem_id_y())); }";
    let folder = Folder::new("mesa");
    let options = Options { global_offset: [5, 6, 7], ..Options::default() };
    for mcpu in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx1030"] {
        let mesa = ["-target", "amdgcn-mesa-mesa3d"];
        let listing = String::from_utf8(clang(&folder, source, mcpu, 5, "-S", &mesa)).expect("text");
        let field = |name: &str| {
            let line = listing.lines().find_map(|line| line.trim().strip_prefix(&format!("{name} = ")));
            line.unwrap_or_else(|| panic!("{name}")).parse::<u32>().expect(name)
        };
        let loaded = Loaded::load(&clang(&folder, source, mcpu, 5, "-c", &mesa)).expect(mcpu);
        let args = [Value::buffer(vec![0; 4]), Value::u32(9)];
        let dispatch = Dispatch::with_options(&loaded, "m", [40, 6, 1], [16, 4, 1], &args, &options).expect(mcpu);
        let wave = dispatch.wave([2, 1, 0], 0).expect("a wave");
        let ids = field("user_sgpr_count");
        let kernarg = field("enable_sgpr_private_segment_buffer") * 4;
        assert_eq!(pair(&wave, kernarg), options.layout.kernarg, "{mcpu}");
        assert_eq!(
            (sgpr(&wave, ids), sgpr(&wave, ids + 1), sgpr(&wave, ids + 2)),
            (2, 1, wave.scratch_offset),
            "{mcpu}"
        );
        assert_eq!(wave.vgprs.len() as u32, 1 + field("enable_vgpr_workitem_id"), "{mcpu}");
        // The last group is 8x2.
        assert_eq!((wave.exec, wave.vgprs[0][9], wave.vgprs[1][9]), (0xffff, 1, 1), "{mcpu}");
        assert_eq!(wave.mode & 0xff, field("float_mode"), "{mcpu}");
        assert_eq!(dispatch.resources().wave_size, 1 << field("wavefront_size"), "{mcpu}");
        assert_eq!(dispatch.kernel().entry, dispatch.kernel().object + 256, "{mcpu}");
        let private = field("workitem_private_segment_byte_size");
        assert_eq!(dispatch.scratch().lane_bytes, private, "{mcpu}");
        // The table: registers and values, COMPUTE_TMPRING_SIZE among them. It is for wave64 even where waves have 32.
        let longs: Vec<u32> = listing
            .lines()
            .filter_map(|line| line.trim().strip_prefix(".long"))
            .filter_map(|word| word.trim().parse().ok())
            .collect();
        let tmpring = longs.iter().position(|&word| word == 0xb860).map(|at| longs[at + 1]).expect("a register");
        assert_eq!(tmpring >> 12 & 0x1fff, dispatch.scratch().wave_bytes / 1024, "{mcpu}");
        let memory = dispatch.mappings();
        let hidden = options.layout.kernarg + 16;
        assert_eq!([0, 4, 8, 12].map(|at| number(memory, hidden + at, 4)), [2, 5, 6, 7], "{mcpu}");
    }
}

#[test]
fn hidden_arguments_are_where_clang_lists_them() {
    if !has("clang-19", "hidden_arguments_are_where_clang_lists_them") {
        return;
    }
    let source = "__global char *__printf_alloc(uint bytes) { return (__global char *)(ulong)bytes; }
        __kernel void h(__global int *out, __local int *l, __local double *d) {
            __constant int *p = __builtin_amdgcn_implicitarg_ptr();
            out[0] = p[0] + l[1]; d[0] = 1.0; printf(\"%d\", out[0]); }";
    let folder = Folder::new("hidden");
    let options = Options {
        global_offset: [11, 12, 13],
        printf: 0x1000,
        hostcall: 0x2000,
        dynamic_lds: 100,
        apertures: Some(Apertures::GRAPHICS),
        ..Options::default()
    };
    for (mcpu, version) in [("gfx803", 4), ("gfx803", 5), ("gfx900", 4), ("gfx1100", 5), ("gfx1200", 6)] {
        let loaded = Loaded::load(&clang(&folder, source, mcpu, version, "-c", &[])).expect("a code object");
        let args = [Value::buffer(vec![0; 4]), Value::Lds(20), Value::Lds(64)];
        let dispatch = Dispatch::with_options(&loaded, "h", [100, 7, 1], [32, 2, 1], &args, &options).expect(mcpu);
        let kernarg = options.layout.kernarg;
        let memory = dispatch.mappings();
        // Pointers to LDS: 20 bytes, then doubles.
        assert_eq!((number(memory, kernarg + 8, 4), number(memory, kernarg + 12, 4)), (0, 24));
        assert_eq!(dispatch.resources().lds_bytes, 24 + 64 + 100);
        let metadata = dispatch.kernel().metadata.as_ref().expect("metadata");
        let mut kinds = 0;
        for arg in metadata.args.iter().filter(|arg| arg.is_hidden() && arg.value_kind != "hidden_none") {
            let row = HIDDEN.iter().find(|row| row.kind == arg.value_kind).expect("a known argument");
            assert_eq!(u64::from(row.size), arg.size, "{}", arg.value_kind);
            let block = if version >= 5 { row.v5 } else { row.v4 };
            assert_eq!(block.map(u64::from), Some(arg.offset - 16), "{}", arg.value_kind);
            let value = number(memory, kernarg + arg.offset, arg.size as usize);
            let expected = match arg.value_kind.as_str() {
                "hidden_block_count_x" | "hidden_block_count_y" => 3,
                "hidden_block_count_z" | "hidden_group_size_z" | "hidden_remainder_y" => 1,
                "hidden_group_size_x" => 32,
                "hidden_group_size_y" | "hidden_grid_dims" => 2,
                "hidden_remainder_x" => 4,
                "hidden_remainder_z" => 0,
                "hidden_global_offset_x" => 11,
                "hidden_global_offset_y" => 12,
                "hidden_global_offset_z" => 13,
                "hidden_printf_buffer" => options.layout.services,
                "hidden_hostcall_buffer" => options.layout.services + 0x1_1000,
                "hidden_dynamic_lds_size" => 24 + 64 + 100,
                "hidden_private_base" => 0x1000_0000,
                "hidden_shared_base" => 0x2000_0000,
                "hidden_queue_ptr" => options.layout.queue,
                _ => 0,
            };
            assert_eq!(value, expected, "{mcpu} v{version} {}", arg.value_kind);
            kinds += 1;
        }
        assert!(kinds >= if version >= 5 { 13 } else { 4 }, "{mcpu} v{version}: {kinds}");
        assert_eq!(number(memory, options.layout.services + 4, 4), 0x1000);
    }
}

#[test]
fn arguments_are_loaded_into_registers() {
    if !has("clang-19", "arguments_are_loaded_into_registers") {
        return;
    }
    let source = "__kernel void pre(__global uint *out, uint n, float f) {
        __asm__ volatile(\"; OUT %0\" :: \"s\"(out)); __asm__ volatile(\"; N %0\" :: \"s\"(n));
        __asm__ volatile(\"; F %0\" :: \"s\"(f)); __asm__ volatile(\"; GX %0\" :: \"s\"(__builtin_amdgcn_workgroup_id_x())); }";
    let folder = Folder::new("preload");
    for mcpu in ["gfx90a", "gfx942"] {
        let extra = ["-mllvm", "-amdgpu-kernarg-preload-count=4"];
        let listing = String::from_utf8(clang(&folder, source, mcpu, 5, "-S", &extra)).expect("text");
        let loaded = Loaded::load(&clang(&folder, source, mcpu, 5, "-c", &extra)).expect("a code object");
        let args = [Value::buffer(vec![0; 4]), Value::u32(77), Value::Scalar(Scalar::F32(1.5))];
        let dispatch = Dispatch::new(&loaded, "pre", [256, 1, 1], [64, 1, 1], &args).expect(mcpu);
        let wave = dispatch.wave([2, 0, 0], 0).expect("a wave");
        assert_eq!(pair(&wave, first(operand(&listing, "OUT"))), Options::default().layout.buffers, "{mcpu}");
        assert_eq!(sgpr(&wave, first(operand(&listing, "N"))), 77, "{mcpu}");
        assert_eq!(sgpr(&wave, first(operand(&listing, "F"))), 1.5f32.to_bits(), "{mcpu}");
        assert_eq!(sgpr(&wave, first(operand(&listing, "GX"))), 2, "{mcpu}");
        assert_eq!(wave.pc, dispatch.kernel().entry + 256);
    }
}

#[test]
fn addresses_in_data_are_filled_in() {
    if !has("clang-19", "addresses_in_data_are_filled_in") {
        return;
    }
    let source = "__constant int t[4] = {1, 2, 3, 4}; __constant int *__constant p[2] = {&t[1], &t[3]};
        __kernel void tab(__global int *out, int i) { out[0] = *p[i]; }";
    let folder = Folder::new("data");
    let object = clang(&folder, source, "gfx900", 5, "-c", &[]);
    let linked = lld(&folder, &object);
    for (file, base) in [Some(object), linked].into_iter().flatten().zip([0x7000, 0x1234_5000]) {
        let loaded = Loaded::load_at(&file, base).expect("a code object");
        let memory = loaded.mappings();
        let table = [1u32, 2, 3, 4].map(u32::to_le_bytes).concat();
        let t = memory.iter().find_map(|m| {
            let at = m.bytes.windows(16).position(|window| window == table)?;
            Some(m.base + at as u64)
        });
        let t = t.expect("the table");
        let pointers = [(t + 4).to_le_bytes(), (t + 12).to_le_bytes()].concat();
        assert!(memory.iter().any(|m| m.bytes.windows(16).any(|window| window == pointers)), "{base:#x}");
        let [code] = loaded.executable() else { panic!("one piece of code") };
        assert!(code.contains(&loaded.kernels()[0].entry));
        // Behind code there is room for instruction fetch.
        let mapping = memory.iter().find(|m| m.base == code.start).expect("code");
        assert!(mapping.end() >= code.end + CODE_PADDING);
    }
}

#[test]
fn apertures_are_where_clang_reads_them() {
    if !has("clang-19", "apertures_are_where_clang_reads_them") {
        return;
    }
    // A pointer to scratch or LDS made flat: gfx8 has no registers for the apertures.
    let source = "__kernel void cast(__global int *out, __local int *l, int n) { int a[4]; a[n & 3] = n;
        volatile int *p = (volatile int *)(n > 5 ? (int *)a : (int *)l); *p = 3; out[0] = a[n >> 2 & 3]; }";
    let folder = Folder::new("cast");
    let hi = |address: u64| (address >> 32) as u32;
    let apertures = apertures(Arch::find("gfx803").expect("a processor"));
    let (shared, private) = (hi(apertures.shared), hi(apertures.private));
    for (version, expected) in [(4, [shared, private]), (5, [private, shared])] {
        let listing = String::from_utf8(clang(&folder, source, "gfx803", version, "-S", &[])).expect("text");
        let loaded = Loaded::load(&clang(&folder, source, "gfx803", version, "-c", &[])).expect("a code object");
        let args = [Value::buffer(vec![0; 4]), Value::Lds(64), Value::u32(1)];
        let dispatch = Dispatch::new(&loaded, "cast", [1; 3], [1; 3], &args).expect("a dispatch");
        let wave = dispatch.wave([0; 3], 0).expect("a wave");
        // The only load of two words: s_load_dwordx2 s[4:5], s[4:5], 0x40
        let load = listing.lines().find_map(|line| line.trim().strip_prefix("s_load_dwordx2 ")).expect("a load");
        let operands: Vec<&str> = load.split(", ").collect();
        let offset = u64::from_str_radix(operands[2].trim_start_matches("0x"), 16).expect("an offset");
        let address = pair(&wave, first(operands[1])) + offset;
        let found = [0, 4].map(|at| number(dispatch.mappings(), address + at, 4) as u32);
        assert_eq!(found, expected, "version {version}");
    }
}
