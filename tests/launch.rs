//! Launches: what a runtime and the hardware write before the first instruction, against what compilers expect to find.
//!
//! Two sources from outside: clang 19, which names the register of every value in the assembly it prints, and the tables of the
//! HSA ABI, written out by hand. Tests that need clang say so by name where it is missing.

use std::path::PathBuf;
use std::process::Command;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::launch::{
    Apertures, Arg, Buffer, CODE_PADDING, Dispatch, Fill, Geometry, HIDDEN, Initial, LaunchError, Loaded, Mapping,
    Options, Scalar, Value, apertures,
};
use wavediff::isa::{Arch, Gen, Target};
use wavediff::object::write_shared;

// ---------------------------------------------------------------------------------------------------------------- tools

fn golden(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/object").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A folder that goes away.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("wavediff-launch-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn has(tool: &str, test: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok_and(|done| done.status.success());
    if !there {
        assert!(std::env::var_os("WAVEDIFF_REQUIRE_LLVM").is_none(), "{tool} is not installed");
        println!("skipped: {test}: {tool} is not installed");
    }
    there
}

/// Compiles OpenCL C with clang: `-c` or `-S`.
fn clang(folder: &Folder, source: &str, mcpu: &str, version: u8, what: &str, extra: &[&str]) -> Vec<u8> {
    let (input, output) = (folder.0.join("a.cl"), folder.0.join("a.out"));
    std::fs::write(&input, source).expect("a file");
    let done = Command::new("clang-19")
        .args(["-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-O2", "-w", what])
        .arg(format!("-mcpu={mcpu}"))
        .arg(format!("-mcode-object-version={version}"))
        .args(extra)
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .output()
        .expect("clang");
    assert!(done.status.success(), "{mcpu}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::read(&output).expect("a file")
}

/// Links with lld, where it is there.
fn lld(folder: &Folder, object: &[u8]) -> Option<Vec<u8>> {
    let (input, output) = (folder.0.join("a.o"), folder.0.join("a.so"));
    std::fs::write(&input, object).expect("a file");
    let done = Command::new("ld.lld-19").arg("-shared").arg(&input).arg("-o").arg(&output).output().ok()?;
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(std::fs::read(&output).expect("a file"))
}

fn link(text: &str, mcpu: &str) -> Vec<u8> {
    let target = Target::new(Arch::find(mcpu).expect(mcpu));
    let module = assemble("a.s", text, &Assembler::new(target), target).expect("a module");
    write_shared(&module).expect("a linked file")
}

/// An assembled kernel `k` with these directives.
fn kernel(mcpu: &str, version: u8, directives: &str) -> String {
    let accum = if matches!(mcpu, "gfx90a" | "gfx942") { ".amdhsa_accum_offset 4\n" } else { "" };
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--{mcpu}\"\n.amdhsa_code_object_version {version}\n.text\n.globl k\n.p2align 8\n\
         .type k,@function\nk:\n.fill 64, 4, 0xbf800000\ns_endpgm\n.section .rodata,\"a\"\n.p2align 6\n\
         .amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 16\n{accum}{directives}\n.end_amdhsa_kernel\n"
    )
}

fn loaded(mcpu: &str, version: u8, directives: &str) -> Loaded {
    Loaded::load(&link(&kernel(mcpu, version, directives), mcpu)).expect("a code object")
}

fn read(mappings: &[Mapping], address: u64, len: usize) -> &[u8] {
    let mapping = mappings.iter().find(|m| m.base <= address && address < m.end()).expect("mapped memory");
    let at = (address - mapping.base) as usize;
    &mapping.bytes[at..at + len]
}

fn number(mappings: &[Mapping], address: u64, len: usize) -> u64 {
    read(mappings, address, len).iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn sgpr(wave: &Initial, at: u32) -> u32 {
    wave.sgprs.iter().find(|(number, _)| *number == at).unwrap_or_else(|| panic!("s{at} is not set: {wave:x?}")).1
}

fn pair(wave: &Initial, at: u32) -> u64 {
    u64::from(sgpr(wave, at)) | u64::from(sgpr(wave, at + 1)) << 32
}

fn text(error: LaunchError) -> String {
    error.to_string()
}

// ------------------------------------------------------------------------------------------------------------ arguments

#[test]
fn arguments_are_read_from_text() {
    let good = [
        ("in:a:b.bin", Arg::In("a:b.bin".into())),
        ("out:c.bin:0x100", Arg::Out { file: "c.bin".into(), bytes: 256 }),
        ("inout:a.bin:b.bin", Arg::InOut { file: "a.bin".into(), save: "b.bin".into() }),
        ("u32:0xffffffff", Arg::Scalar(Scalar::U32(u32::MAX))),
        ("i32:-2147483648", Arg::Scalar(Scalar::I32(i32::MIN))),
        ("u64:18446744073709551615", Arg::Scalar(Scalar::U64(u64::MAX))),
        ("f32:-1.5e3", Arg::Scalar(Scalar::F32(-1500.0))),
        ("f32:0x3f800000", Arg::Scalar(Scalar::F32(1.0))),
        ("f64:inf", Arg::Scalar(Scalar::F64(f64::INFINITY))),
        ("raw:00fF10", Arg::Raw(vec![0, 255, 16])),
        ("lds:1024", Arg::Lds(1024)),
    ];
    for (text, arg) in good {
        assert_eq!(text.parse::<Arg>().as_ref(), Ok(&arg), "{text}");
    }
    let bad = [
        ("5", "in:FILE, out:FILE:BYTES, inout:FILE:OUTFILE, u32:V"),
        ("u8:5", "in:FILE"),
        ("in:", "in:FILE"),
        ("out:file", "out:FILE:BYTES"),
        ("out:file:many", "a number of bytes"),
        ("inout:file", "inout:FILE:OUTFILE"),
        ("u32:-1", "from 0 to 4294967295"),
        ("u32:4294967296", "from 0 to 4294967295"),
        ("i32:2147483648", "from -2147483648"),
        ("u64:x", "u64:V"),
        ("f32:one", "a number or its bits"),
        ("f32:0x100000000", "a number or its bits"),
        ("raw:123", "two hexadecimal digits"),
        ("raw:+1", "two hexadecimal digits"),
        ("lds:65537", "from 0 to 65536"),
    ];
    for (text, expected) in bad {
        let error = text.parse::<Arg>().expect_err(text).to_string();
        assert!(error.contains(expected) && error.contains(&format!("`{text}`")), "{text}: {error}");
    }
}

#[test]
fn arguments_read_their_files() {
    let folder = Folder::new("files");
    let file = folder.0.join("in.bin");
    std::fs::write(&file, [1, 2, 3]).expect("a file");
    let read = |text: String| text.parse::<Arg>().expect("an argument").value();
    let path = file.display();
    let expected = Buffer { bytes: vec![1, 2, 3], writable: false, save: None };
    assert_eq!(read(format!("in:{path}")).expect("a value"), Value::Buffer(expected));
    let expected = Buffer { bytes: vec![1, 2, 3], writable: true, save: Some("b".into()) };
    assert_eq!(read(format!("inout:{path}:b")).expect("a value"), Value::Buffer(expected));
    let expected = Buffer { bytes: vec![0; 8], writable: true, save: Some("c".into()) };
    assert_eq!(read("out:c:8".to_owned()).expect("a value"), Value::Buffer(expected));
    assert!(matches!(read(format!("in:{path}.no")), Err(LaunchError::File { .. })));
    assert!(matches!(read("out:c:0x100000001".to_owned()), Err(LaunchError::TooLarge { .. })));
}

// --------------------------------------------------------------------------------------------------- compiled by clang

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

// ------------------------------------------------------------------------------------------------- tables by hand

const ALL_POINTERS: &str = ".amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
    .amdhsa_user_sgpr_dispatch_id 1\n.amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_sgpr_workgroup_id_z 1\n\
    .amdhsa_system_vgpr_workitem_id 2\n.amdhsa_private_segment_fixed_size 20\n";

const OWN_SCRATCH: &str = ".amdhsa_user_sgpr_private_segment_buffer 1\n.amdhsa_user_sgpr_flat_scratch_init 1\n\
    .amdhsa_system_sgpr_private_segment_wavefront_offset 1\n";

#[test]
fn the_reference_case_has_its_registers() {
    let options = Options { dispatch_id: 9, ..Options::default() };
    let layout = options.layout;
    for mcpu in ["gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030"] {
        let loaded = loaded(mcpu, 5, &format!("{ALL_POINTERS}{OWN_SCRATCH}"));
        let dispatch = Dispatch::with_options(&loaded, "k", [64, 3, 4], [64, 1, 1], &[], &options).expect(mcpu);
        let wave = dispatch.wave([0, 1, 2], 0).expect("a wave");
        // s0-3 V#, s4-5 packet, s6-7 arguments, s8-9 number, s10-11 scratch, s12-14 ids, s15 offset.
        let word3 = match mcpu {
            "gfx700" => 0x00ea_7000,
            "gfx803" => 0x00e8_7000,
            "gfx1030" => 0x31c1_6fac,
            _ => 0x00e0_7000,
        };
        assert_eq!([0, 1, 2, 3].map(|at| sgpr(&wave, at)), [0x10_0000, 0x8000_1500, u32::MAX, word3], "{mcpu}");
        assert_eq!([4, 6, 8].map(|at| pair(&wave, at)), [layout.packets, layout.kernarg, 9], "{mcpu}");
        let old = matches!(mcpu, "gfx700" | "gfx803");
        let scratch = if old { 20 << 32 | 0x10_0000 } else { layout.scratch };
        assert_eq!(pair(&wave, 10), scratch, "{mcpu}");
        assert_eq!([12, 13, 14].map(|at| sgpr(&wave, at)), [0, 1, 2], "{mcpu}");
        // 20 bytes x 64 lanes (32 on gfx1030) in granules of 1024 bytes; two waves a group there.
        let (wave_bytes, waves) = if mcpu == "gfx1030" { (1024, 2) } else { (2048, 1) };
        assert_eq!(sgpr(&wave, 15), (2 * 3 + 1) * wave_bytes * waves, "{mcpu}");
        assert_eq!(wave.sgprs.len(), 16);
        assert_eq!(dispatch.scratch().bytes(), u64::from(12 * wave_bytes * waves));
        assert_eq!(wave.flat_scratch, None);
    }
    let loaded = loaded("gfx942", 5, &format!("{ALL_POINTERS}.amdhsa_enable_private_segment 1"));
    let dispatch = Dispatch::with_options(&loaded, "k", [64, 3, 4], [64, 1, 1], &[], &options).expect("a dispatch");
    let wave = dispatch.wave([0, 1, 2], 0).expect("a wave");
    assert_eq!([0, 2, 4].map(|at| pair(&wave, at)), [layout.packets, layout.kernarg, 9]);
    assert_eq!([6, 7, 8].map(|at| sgpr(&wave, at)), [0, 1, 2]);
    assert_eq!((wave.sgprs.len(), wave.flat_scratch), (9, Some(layout.scratch + 7 * 2048)));
}

#[test]
fn gaps_before_the_group_numbers_are_kept() {
    // gfx1100 counts 13 user SGPRs where it uses two; gfx1200 has group numbers elsewhere.
    let directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_count 13\n\
        .amdhsa_system_sgpr_workgroup_id_z 1\n.amdhsa_system_sgpr_workgroup_info 1\n";
    let loaded_11 = loaded("gfx1100", 5, directives);
    let dispatch = Dispatch::new(&loaded_11, "k", [96, 1, 9], [96, 1, 1], &[]).expect("a dispatch");
    let wave = dispatch.wave([0, 0, 8], 2).expect("a wave");
    let kernarg = Options::default().layout.kernarg;
    let expected = [(0, kernarg as u32), (1, (kernarg >> 32) as u32), (13, 0), (14, 8), (15, 2 << 20 | 3)];
    assert_eq!(wave.sgprs, expected);
    let loaded_12 = loaded("gfx1200", 5, directives);
    let dispatch = Dispatch::new(&loaded_12, "k", [96, 1, 9], [96, 1, 1], &[]).expect("a dispatch");
    let wave = dispatch.wave([0, 0, 8], 2).expect("a wave");
    assert_eq!((wave.sgprs.len(), wave.ttmps), (2, vec![(7, 8 << 16), (8, 2 << 25), (9, 0)]));
    // Without z, y may take the whole word.
    let loaded_12 = loaded("gfx1200", 5, ".amdhsa_system_sgpr_workgroup_id_y 1\n");
    let dispatch = Dispatch::new(&loaded_12, "k", [1, 0x1_0003, 1], [1, 1, 1], &[]).expect("a dispatch");
    assert_eq!(dispatch.wave([0, 0x1_0002, 0], 0).expect("a wave").ttmps[0], (7, 0x1_0002));
}

#[test]
fn the_workgroup_info_has_the_wave_in_its_place() {
    for (mcpu, shift) in [("gfx600", 6), ("gfx900", 6), ("gfx1010", 6), ("gfx1030", 20), ("gfx1100", 20)] {
        let loaded = loaded(mcpu, 5, ".amdhsa_system_sgpr_workgroup_info 1\n.amdhsa_system_sgpr_workgroup_id_x 0\n");
        let dispatch = Dispatch::new(&loaded, "k", [300, 1, 1], [256, 1, 1], &[]).expect(mcpu);
        let waves = 256 / dispatch.resources().wave_size;
        assert_eq!(sgpr(&dispatch.wave([0; 3], 0).expect("a wave"), 0), 1 << 31 | waves, "{mcpu}");
        assert_eq!(sgpr(&dispatch.wave([0; 3], 3).expect("a wave"), 0), 3 << shift | waves, "{mcpu}");
        // The partial group: 44 work-items.
        let waves = 44u32.div_ceil(dispatch.resources().wave_size);
        let last = dispatch.wave([1, 0, 0], waves - 1).expect("a wave");
        assert_eq!(sgpr(&last, 0) & 63, waves, "{mcpu}");
        assert_eq!(last.exec.count_ones(), 44 - (waves - 1) * 32, "{mcpu}");
    }
}

#[test]
fn work_item_numbers_not_wanted_are_zero_where_they_are_packed() {
    for (mcpu, packed) in
        [("gfx908", false), ("gfx90a", true), ("gfx1030", false), ("gfx1100", true), ("gfx1200", true)]
    {
        for wanted in 0..3 {
            let loaded = loaded(mcpu, 5, &format!(".amdhsa_system_vgpr_workitem_id {wanted}\n"));
            let dispatch = Dispatch::new(&loaded, "k", [4, 4, 4], [4, 4, 4], &[]).expect(mcpu);
            let wave = dispatch.wave([0; 3], 0).expect("a wave");
            // Lane 31 is (3, 3, 1).
            let item = [3, if wanted > 0 { 3 } else { 0 }, if wanted > 1 { 1 } else { 0 }];
            let found: Vec<u32> = wave.vgprs.iter().map(|v| v[31]).collect();
            let expected = if packed { vec![item[0] | item[1] << 10 | item[2] << 20] } else { vec![3, 3, 1] };
            assert_eq!(found, expected[..found.len()], "{mcpu}");
            assert_eq!(found.len(), if packed { 1 } else { wanted + 1 }, "{mcpu}");
        }
    }
}

#[test]
fn undefined_registers_follow_the_fill() {
    let loaded = loaded("gfx900", 5, "");
    let with = |fill| {
        let options = Options { fill, ..Options::default() };
        let dispatch = Dispatch::with_options(&loaded, "k", [3, 1, 1], [3, 1, 1], &[], &options).expect("a dispatch");
        let wave = dispatch.wave([0; 3], 0).expect("a wave");
        (wave.m0, wave.vgprs[0][2], wave.vgprs[0][3])
    };
    assert_eq!(with(Fill::Zero), (0, 2, 0));
    assert_eq!(with(Fill::Marked), (0xbad0_007c, 2, 0xbad1_0003));
    let (noise, other) = (with(Fill::Noise(1)), with(Fill::Noise(2)));
    assert!(noise.1 == 2 && noise.0 != other.0 && noise.2 != other.2 && noise == with(Fill::Noise(1)));
}

#[test]
fn mode_has_the_bits_of_the_descriptor() {
    let directives = ".amdhsa_float_round_mode_32 1\n.amdhsa_float_round_mode_16_64 2\n.amdhsa_float_denorm_mode_32 1\n\
        .amdhsa_float_denorm_mode_16_64 2\n.amdhsa_exception_fp_ieee_invalid_op 1\n.amdhsa_exception_int_div_zero 1\n";
    let older = ".amdhsa_dx10_clamp 1\n.amdhsa_ieee_mode 0\n";
    let newer = ".amdhsa_fp16_overflow 1\n";
    for (mcpu, more, mode) in [
        ("gfx600", vec![older], 0x4_1199),
        ("gfx803", vec![older], 0x4_1199),
        ("gfx1100", vec![older, newer], 0x84_1199),
        ("gfx1200", vec![newer], 0x80_0099),
    ] {
        let loaded = loaded(mcpu, 5, &format!("{directives}{}", more.concat()));
        let wave = Dispatch::new(&loaded, "k", [1; 3], [1; 3], &[]).expect(mcpu).wave([0; 3], 0).expect("a wave");
        assert_eq!((wave.mode, wave.exceptions), (mode, 0x41), "{mcpu}");
    }
}

#[test]
fn arguments_without_metadata_lie_at_their_natural_alignment() {
    let args = [
        Value::u32(1),
        Value::buffer(vec![7; 10]),
        Value::Raw(vec![1, 2, 3]),
        Value::Raw(vec![9; 12]),
        Value::Scalar(Scalar::F64(1.0)),
        Value::Buffer(Buffer { bytes: vec![8; 4], ..Buffer::default() }),
    ];
    let options = Options { global_offset: [5, 6, 7], hostcall: 0x100, ..Options::default() };
    let (kernarg, buffers) = (options.layout.kernarg, options.layout.buffers);
    for version in [3, 5] {
        let loaded = loaded("gfx900", version, ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n");
        let dispatch =
            Dispatch::with_options(&loaded, "k", [130, 5, 1], [64, 1, 1], &args, &options).expect("a dispatch");
        let memory = dispatch.mappings();
        assert_eq!((number(memory, kernarg, 4), number(memory, kernarg + 8, 8)), (1, buffers));
        assert_eq!(
            (number(memory, kernarg + 16, 3), number(memory, kernarg + 20, 8)),
            (0x03_0201, 0x0909_0909_0909_0909)
        );
        assert_eq!(number(memory, kernarg + 32, 8), 1f64.to_bits());
        let second = number(memory, kernarg + 40, 8);
        assert!(second >= buffers + 10 + options.layout.gap && second % 0x1000 == 0);
        assert_eq!((read(memory, buffers, 10), read(memory, second, 4)), (&[7; 10][..], &[8; 4][..]));
        let outputs: Vec<_> = dispatch.outputs().iter().map(|o| (o.argument, o.base, o.bytes, o.writable)).collect();
        assert_eq!(outputs, [(1, buffers, 10, true), (5, second, 4, false)]);
        // The hidden block follows at 48.
        let hidden = kernarg + 48;
        let calls = number(memory, hidden + if version == 3 { 24 } else { 80 }, 8);
        assert_eq!(read(memory, calls, 0x100), [0; 0x100]);
        if version == 3 {
            assert_eq!([0, 8, 16].map(|at| number(memory, hidden + at, 8)), [5, 6, 7]);
            assert_eq!([32, 40, 48].map(|at| number(memory, hidden + at, 8)), [0; 3]);
            continue;
        }
        assert_eq!([0, 4, 8].map(|at| number(memory, hidden + at, 4)), [2, 5, 1]);
        assert_eq!([12, 14, 16, 18, 20, 22].map(|at| number(memory, hidden + at, 2)), [64, 1, 1, 2, 0, 0]);
        assert_eq!([40, 48, 56].map(|at| number(memory, hidden + at, 8)), [5, 6, 7]);
        assert_eq!((number(memory, hidden + 64, 2), number(memory, hidden + 72, 8)), (2, 0));
        assert_eq!([192, 196].map(|at| number(memory, hidden + at, 4)), [0x2_0000, 0x1_0000]);
        assert_eq!(number(memory, hidden + 200, 8), options.layout.queue);
    }
}

#[test]
fn packet_and_queue_have_their_fields() {
    let loaded = loaded(
        "gfx803",
        4,
        &format!("{OWN_SCRATCH}.amdhsa_private_segment_fixed_size 16\n.amdhsa_group_segment_fixed_size 24\n"),
    );
    let dispatch = Dispatch::new(&loaded, "k", [100, 7, 3], [16, 4, 2], &[Value::Lds(40)]).expect("a dispatch");
    let (memory, layout) = (dispatch.mappings(), Options::default().layout);
    let packet = |at, len| number(memory, layout.packets + at, len);
    assert_eq!((packet(0, 2), packet(2, 2)), (0x1502, 3));
    assert_eq!([4, 6, 8].map(|at| packet(at, 2)), [16, 4, 2]);
    assert_eq!([12, 16, 20].map(|at| packet(at, 4)), [100, 7, 3]);
    // The pointer to LDS is aligned to 16: 32 + 40.
    assert_eq!((packet(24, 4), packet(28, 4)), (16, 72));
    assert_eq!((packet(32, 8), packet(40, 8), packet(56, 8)), (dispatch.kernel().object, layout.kernarg, 0));
    let queue = |at, len| number(memory, layout.queue + at, len);
    assert_eq!((queue(8, 8), queue(0x38, 8), queue(0x80, 8)), (layout.packets, 1, 0));
    assert_eq!((queue(0x40, 4), queue(0x44, 4)), (0x2000_0000, 0x2000_0001));
    let groups = 7 * 2 * 2;
    assert_eq!(queue(0x8c, 4), groups * 2 | 1 << 12);
    assert_eq!((queue(0x90, 8), queue(0xa0, 8)), (layout.scratch | 0x8000_0000 << 32, layout.scratch));
    assert_eq!((queue(0xa8, 8), queue(0xb0, 4)), (groups * 2 * 1024, 16));
    let all: Vec<_> = memory.iter().map(|m| (m.name.as_str(), m.writable)).collect();
    assert_eq!(all, [("kernarg", false), ("packets", false), ("queue", false), ("scratch", true)]);
}

#[test]
fn groups_are_counted_x_first() {
    let geometry = Geometry::new([5, 3, 2], [2, 2, 2], 32).expect("a geometry");
    assert_eq!((geometry.groups(), geometry.group_count(), geometry.dimensions()), ([3, 2, 1], 6, 3));
    let order: Vec<_> = geometry.iter().collect();
    assert_eq!(order, [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0]]);
    for (index, &group) in order.iter().enumerate() {
        assert_eq!(geometry.index_of(group), Some(index as u64));
    }
    assert_eq!((geometry.group_at(6), geometry.index_of([3, 0, 0])), (None, None));
    assert_eq!((geometry.size_of([2, 1, 0]), geometry.items_of([2, 1, 0])), ([1, 1, 2], 2));
    let items: u32 = order.iter().map(|&group| geometry.items_of(group)).sum();
    assert_eq!(items, 30);
    let wide = Geometry::new([u32::MAX, 1, 1], [1000, 1, 1], 64).expect("a geometry");
    assert_eq!((wide.waves_of([0; 3]), wide.live([0; 3], 15), wide.live([0; 3], 14)), (16, (1 << 40) - 1, u64::MAX));
    assert_eq!(wide.items_of([4_294_967, 0, 0]), 295);
    assert!(Geometry::new([u32::MAX; 3], [1; 3], 64).is_err());
}

#[test]
fn apertures_are_those_of_the_driver() {
    let of = |mcpu| apertures(Arch::find(mcpu).expect(mcpu));
    assert_eq!(of("gfx700"), Apertures { shared: 1 << 61, private: 0x2000_0001_0000_0000 });
    assert_eq!(of("gfx1100"), Apertures { shared: 1 << 48, private: 2 << 48 });
}

#[test]
fn registers_are_counted_in_whole_blocks() {
    let of = |mcpu, directives: &str| {
        let loaded = loaded(mcpu, 5, directives);
        *Dispatch::new(&loaded, "k", [1; 3], [1; 3], &[]).expect(mcpu).resources()
    };
    // 16 and VCC (gfx7 and gfx9: FLAT_SCRATCH too) in blocks of 8, of 16 on gfx9.
    assert_eq!(of("gfx700", "").sgprs, 24);
    assert_eq!(of("gfx900", "").sgprs, 32);
    assert_eq!(of("gfx1030", "").sgprs, 108);
    assert_eq!((of("gfx1030", "").vgprs, of("gfx90a", "").vgprs, of("gfx900", "").vgprs), (8, 8, 4));
    assert_eq!(of("gfx90a", "").accum_offset, Some(4));
    assert_eq!(of("gfx1030", ".amdhsa_wavefront_size32 0\n.amdhsa_shared_vgpr_count 2\n").shared_vgprs, 16);
    assert!(of("gfx1030", "").wgp_mode && !of("gfx900", "").wgp_mode);
}

// ------------------------------------------------------------------------------------------------------------ version 2

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
    assert_eq!(text(error), "kernel `old` takes 2 arguments (4 bytes by value, p: global buffer), not 1");
}

// --------------------------------------------------------------------------------------------------------------- errors

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
    let four = [&good[..], &[short.clone()]].concat();
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
