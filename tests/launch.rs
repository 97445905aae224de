//! Launches: what a runtime and the hardware write before the first instruction, against what compilers expect to find.
//!
//! Two sources from outside: clang 19, which names the register of every value in the assembly it prints, and the tables of the
//! HSA ABI, written out by hand. Tests that need clang say so by name where it is missing.

#[path = "launch/clang.rs"]
mod clang;
#[path = "launch/files.rs"]
mod files;
#[path = "launch/tables.rs"]
mod tables;

use std::path::PathBuf;
use std::process::Command;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::launch::{
    Apertures, Arg, Buffer, CODE_PADDING, Dispatch, Fill, Geometry, HIDDEN, Initial, LaunchError, Loaded, Mapping,
    Options, Scalar, Value, apertures,
};
use wavediff::object::write_shared;

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
