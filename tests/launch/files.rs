//! Version 2 by hand, files of compilers, damaged files, and what errors say.

use super::*;

/// A linked file of version 2 by hand: one segment with a kernel's header and code, a symbol of type 10, metadata in YAML.
fn version_2() -> Vec<u8> {
    fn put(out: &mut Vec<u8>, fields: &[(u64, usize)]) {
        fields.iter().for_each(|&(value, size)| out.extend_from_slice(&value.to_le_bytes()[..size]));
    }
    let yaml = b"---\nVersion: [ 1, 0 ]\nKernels:\n  - Name: old\n    SymbolName: 'old@kd'\n    Args:\n      \
        - { Size: 4, Align: 4, ValueKind: ByValue, ValueType: U32 }\n      \
        - { Name: p, Size: 8, Align: 8, ValueKind: GlobalBuffer, ValueType: F32 }\n      \
        - { Size: 8, Align: 8, ValueKind: HiddenGlobalOffsetX, ValueType: I64 }\n    \
        CodeProps: { KernargSegmentSize: 24, WavefrontSize: 64, MaxFlatWorkGroupSize: 256 }\n...\n";
    let mut header = vec![0u8; 256];
    let mut set = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    set(16, &256i64.to_le_bytes());
    set(48, &(0x00ac_0000u32 | 1 << 6 | 2).to_le_bytes());
    // 10 user SGPRs, x and y of the group, offset of scratch.
    set(52, &(1u32 | 10 << 1 | 3 << 7).to_le_bytes());
    // V#, arguments, number of groups in x and z.
    set(56, &(1u32 | 1 << 3 | 1 << 7 | 1 << 9).to_le_bytes());
    set(60, &8u32.to_le_bytes());
    set(64, &512u32.to_le_bytes());
    set(72, &24u64.to_le_bytes());
    let text: Vec<u8> = header.into_iter().chain(0xbf81_0000u32.to_le_bytes()).collect();
    let mut note = Vec::new();
    put(&mut note, &[(4, 4), (yaml.len() as u64, 4), (10, 4)]);
    note.extend_from_slice(b"AMD\0");
    note.extend_from_slice(yaml);
    note.resize(note.len().next_multiple_of(8), 0);
    let names = b"\0old\0.text\0.note\0.symtab\0.strtab\0";
    let mut symbols = vec![0; 24];
    put(&mut symbols, &[(1, 4), (0x1a, 1), (0, 1), (1, 2), (0x1000, 8), (260, 8)]);

    let text_at = 0x1000;
    let note_at = text_at + text.len() as u64 + 4;
    let symbols_at = note_at + note.len() as u64;
    let names_at = symbols_at + symbols.len() as u64;
    let sections_at = (names_at + names.len() as u64).next_multiple_of(8);
    let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 64, 0, 0, 0, 0, 0, 0, 0, 0];
    put(&mut file, &[(3, 2), (224, 2), (1, 4), (0, 8), (64, 8), (sections_at, 8), (0x2a, 4), (64, 2), (56, 2), (1, 2)]);
    put(&mut file, &[(64, 2), (5, 2), (4, 2)]);
    put(&mut file, &[(1, 4), (5, 4), (0x1000, 8), (0x1000, 8), (0x1000, 8), (260, 8), (260, 8), (0x1000, 8)]);
    file.resize(text_at as usize, 0);
    for piece in [&text[..], &[0; 4], &note, &symbols, names] {
        file.extend_from_slice(piece);
    }
    file.resize(sections_at as usize + 64, 0);
    let mut section = |name: u64, kind, flags, addr, at, size, link, info, entry| {
        put(
            &mut file,
            &[
                (name, 4),
                (kind, 4),
                (flags, 8),
                (addr, 8),
                (at, 8),
                (size, 8),
                (link, 4),
                (info, 4),
                (8, 8),
                (entry, 8),
            ],
        );
    };
    section(5, 1, 6, 0x1000, text_at, 260, 0, 0, 0);
    section(11, 7, 0, 0, note_at, note.len() as u64, 0, 0, 0);
    section(17, 2, 0, 0, symbols_at, 48, 4, 1, 24);
    section(25, 3, 0, 0, names_at, names.len() as u64, 0, 0, 0);
    file
}

#[test]
fn version_2_is_launched_like_the_others() {
    let loaded = Loaded::load(&version_2()).expect("a code object");
    assert_eq!((loaded.version(), loaded.arch().name, loaded.kernels().len()), (2, "gfx803", 1));
    let kernel = &loaded.kernels()[0];
    assert_eq!(kernel.entry, loaded.base() + 0x1100);
    let args = [Value::u32(3), Value::buffer(vec![0; 16])];
    let dispatch = Dispatch::new(&loaded, "old", [256, 2, 1], [128, 1, 1], &args).expect("a dispatch");
    let wave = dispatch.wave([1, 1, 0], 1).expect("a wave");
    let layout = Options::default().layout;
    assert_eq!(pair(&wave, 0) & 0xffff_ffff_ffff, layout.scratch);
    assert_eq!(pair(&wave, 4), layout.kernarg);
    // Groups in x and z; behind them a gap up to 10.
    assert_eq!((sgpr(&wave, 6), sgpr(&wave, 7)), (2, 1));
    // 8 bytes x 64 lanes are half a granule; the fourth group's second wave.
    assert_eq!((sgpr(&wave, 10), sgpr(&wave, 11), sgpr(&wave, 12), wave.sgprs.len()), (1, 1, 7 * 1024, 11));
    assert_eq!((wave.mode, wave.lds_bytes), (0x2c0 & 0xff | 0x300, 512));
    assert_eq!((dispatch.resources().vgprs, dispatch.resources().sgprs), (12, 16));
    let memory = dispatch.mappings();
    assert_eq!((number(memory, layout.kernarg, 4), number(memory, layout.kernarg + 8, 8)), (3, layout.buffers));
    let error = Dispatch::new(&loaded, "old", [1; 3], [1; 3], &args[..1]).map(drop).expect_err("an error");
    assert_eq!(text(error), "kernel `old` takes 2 arguments (u32 by value, p: global buffer), not 1");
}

#[test]
fn what_cannot_be_launched_is_named() {
    let args_yaml = ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
        .kernarg_segment_size: 24\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
        .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 16\n    .vgpr_count: 4\n    \
        .max_flat_workgroup_size: 256\n    .reqd_workgroup_size: [32, 2, 1]\n    .uniform_work_group_size: 1\n    .args:\n      \
        - { .name: p, .size: 8, .offset: 0, .value_kind: global_buffer }\n      \
        - { .size: 2, .offset: 8, .value_kind: by_value }\n      \
        - { .size: 4, .offset: 12, .value_kind: dynamic_shared_pointer }\n...\n.end_amdgpu_metadata\n";
    let source = kernel("gfx900", 5, ".amdhsa_group_segment_fixed_size 0xff00\n");
    let loaded = Loaded::load(&link(&format!("{source}{args_yaml}"), "gfx900")).expect("a code object");
    let (buffer, short, lds) = (Value::buffer(vec![0; 4]), Value::Scalar(Scalar::I32(-1)), Value::Lds(16));
    let good = [buffer.clone(), short.clone(), lds.clone()];
    let run = |name: &str, grid, group, args: &[Value]| {
        Dispatch::new(&loaded, name, grid, group, args).map(drop).map_err(text).expect_err("an error")
    };
    let (grid, group) = ([64, 2, 1], [32, 2, 1]);
    Dispatch::new(&loaded, "k", grid, group, &good).expect("a dispatch");
    assert_eq!(run("no", grid, group, &good), "no kernel `no`; the file has k");
    assert_eq!(run("k", [64, 0, 1], group, &good), "the grid is 64x0x1: no size may be zero");
    assert_eq!(run("k", grid, [0, 2, 1], &good), "the group is 0x2x1: no size may be zero");
    assert_eq!(
        run("k", grid, [1 << 16, 1 << 16, 1], &good),
        "the group is 65536x65536x1: a group has at most 1024 work-items"
    );
    assert_eq!(run("k", grid, [512, 1, 1], &good), "the group is 512x1x1: kernel `k` takes at most 256 work-items");
    assert_eq!(run("k", grid, [64, 1, 1], &good), "the group is 64x1x1: kernel `k` requires 32x2x1");
    assert_eq!(run("k", [65, 2, 1], group, &good), "the grid is 65x2x1: kernel `k` takes whole groups only (32x2x1)");
    let takes = "kernel `k` takes 3 arguments (p: global buffer, 2 bytes by value, a pointer to LDS)";
    assert_eq!(run("k", grid, group, &good[..2]), format!("{takes}, not 2"));
    let four = [&good[..], std::slice::from_ref(&short)].concat();
    assert_eq!(run("k", grid, group, &four), format!("{takes}, not 4"));
    let wrong = |at: usize, value: Value| {
        let mut args = good.clone();
        args[at] = value;
        run("k", grid, group, &args)
    };
    let fits =
        |at, expected: &str, given: &str| format!("argument {at} of kernel `k` is {expected}; {given} does not fit");
    assert_eq!(wrong(0, short.clone()), fits(0, "p: global buffer", "an i32"));
    assert_eq!(wrong(1, buffer.clone()), fits(1, "2 bytes by value", "a buffer"));
    assert_eq!(wrong(1, Value::u32(0x1_0000)), fits(1, "2 bytes by value", "a u32"));
    assert_eq!(wrong(1, Value::Raw(vec![1])), fits(1, "2 bytes by value", "raw data of 1 bytes"));
    assert_eq!(wrong(2, Value::u32(0)), fits(2, "a pointer to LDS", "a u32"));
    assert_eq!(
        wrong(2, Value::Lds(0x101)),
        "a group needs 65537 bytes of LDS (65280 of them declared); gfx900 has 65536"
    );
    let options = Options { max_buffers: 3, ..Options::default() };
    let error = Dispatch::with_options(&loaded, "k", grid, group, &good, &options).map(drop).map_err(text);
    assert_eq!(error, Err("all buffers together needs 0x4 bytes; the limit is 0x3".to_owned()));
    let mut options = Options::default();
    options.layout.kernarg = options.layout.queue;
    let error = Dispatch::with_options(&loaded, "k", grid, group, &good, &options).map(drop).expect_err("an error");
    assert!(matches!(error, LaunchError::Overlap { .. }), "{error}");
    // Scratch for one lane that no group could have.
    let huge = crate::loaded("gfx900", 5, ".amdhsa_private_segment_fixed_size 0xfffffff0\n");
    let error = Dispatch::new(&huge, "k", [1; 3], [1; 3], &[]).map(drop).expect_err("an error");
    assert!(matches!(error, LaunchError::TooLarge { .. }), "{error}");
    // What refers outside of the file.
    let error = Loaded::load(&golden("link.so")).map(drop).expect_err("an error");
    assert_eq!(text(error), "`elsewhere` is not defined: the file cannot be loaded alone");
    assert!(matches!(Loaded::load_at(&version_2(), 0x1001), Err(LaunchError::Base { .. })));
    assert!(matches!(Loaded::load(b"no"), Err(LaunchError::Object(_))));
}

#[test]
fn files_of_compilers_load() {
    for (name, kernels) in
        [("clang-gfx700-v4.so", 2), ("clang-gfx1030-v5.so", 2), ("clang-gfx90a-v6.so", 2), ("clang-gfx803-mesa.o", 1)]
    {
        let loaded = Loaded::load(&golden(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(loaded.kernels().len(), kernels, "{name}");
        for kernel in loaded.kernels() {
            assert!(loaded.executable().iter().any(|code| code.contains(&kernel.start())), "{name}");
            assert_eq!(loaded.target(kernel).wave32(), kernel.wave32());
        }
    }
}

/// Damaged files: errors or code objects that can be launched or not, never a panic or memory without bound.
#[test]
fn damaged_files_are_refused() {
    let mut seed = 0x2545_f491u32;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed as usize % below
    };
    let files = ["clang-gfx700-v4.so", "clang-gfx1030-v5.so", "gfx942.o", "gfx1200.o"].map(golden);
    let files: Vec<Vec<u8>> = files.into_iter().chain([version_2(), golden("link.o")]).collect();
    for file in &files {
        for round in 0..300 {
            let mut file = file.clone();
            if round % 10 == 0 {
                file.truncate(random(file.len()));
            }
            for _ in 0..1 + round % 7 {
                // Headers more often than the rest.
                let near = if round % 2 == 0 { file.len().min(0x300) } else { file.len() };
                if near > 0 {
                    let at = random(near);
                    file[at] = [0, 1, 0x7f, 0x80, 0xff, random(256) as u8][random(6)];
                }
            }
            let Ok(loaded) = Loaded::load(&file) else { continue };
            let total: usize = loaded.mappings().iter().map(|m| m.bytes.len()).sum();
            assert!(total < 1 << 29);
            for kernel in loaded.kernels().iter().take(2) {
                let args = vec![Value::buffer(vec![0; 16]); kernel.parameters().count()];
                let Ok(dispatch) = Dispatch::new(&loaded, &kernel.name, [70, 3, 2], [64, 1, 2], &args) else {
                    continue;
                };
                assert!(dispatch.wave([1, 2, 0], 0).is_some());
            }
        }
    }
}
