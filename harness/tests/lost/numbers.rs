//! Numbers that ask for memory: on the command line, in cases, in assembly. What is too much is an error, whatever the system would have to give.

use super::bombs::object;
use super::*;

/// Numbers of bytes from a little too much to more than there is.
const SIZES: [&str; 5] = ["1073741825", "4294967295", "4294967296", "1099511627776", "18446744073709551615"];

#[test]
fn buffers_of_kernels() {
    let folder = Folder::new("buffers");
    let object = object(&folder);
    let kernel = |mib, args: &[&str]| {
        let mut all = vec!["run", &object, "--kernel", "saxpy", "--grid", "64", "--group", "64"];
        args.iter().for_each(|arg| all.extend(["--arg", *arg]));
        within(mib, &all)
    };
    let out = folder.path("out.bin");
    for size in SIZES {
        let ran = kernel(2048, &[&format!("out:{out}:{size}")]);
        ran.failed_with("the limit is 0x40000000");
        ran.failed_with("out.bin");
    }
    // Together they are too much, and what is left is told.
    let half = format!("out:{out}:0x28000000");
    kernel(2048, &[&half, &half]).failed_with("the limit is 0x18000000");
    // What may be asked for and is not there is an error as well, wherever on the way through the launch memory ends.
    let file = format!("in:{}", folder.put("x.bin", [0; 256]));
    let mut done = 0;
    for mib in (100..=1400).step_by(100).chain([1050, 1075, 1125, 1150]) {
        let ran = kernel(mib, &[&file, "out:/dev/null:536870912", "f32:2", "u32:64"]);
        assert!(ran.code.is_some(), "{mib} MiB: {}", ran.err);
        let says = ran.err.contains("bytes") && !ran.err.contains("panicked");
        assert!(ran.code == Some(0) || says, "{mib} MiB: {:?} {}", ran.code, ran.err);
        done += u32::from(ran.code == Some(0));
    }
    assert!(done > 0, "there was never memory enough");
    assert!(!Path::new(&out).exists());
}

#[test]
fn buffers_of_shaders() {
    let shader = project("golden/radv/saxpy_push.navi31.object");
    let run = ["run", &shader, "--abi", "radv", "--arch", "gfx1100", "--bind"];
    for size in SIZES {
        let bind = format!("0.0=zero:{size}");
        let ran = within(2048, &[&run[..], &[&bind]].concat());
        ran.failed_with("set 0 binding 0 needs");
        ran.failed_with("the limit is 0x40000000");
    }
    let bind = ["0.0=zero:1073741824", "--bind", "0.1=zero:1"];
    within(4096, &[&run[..], &bind].concat()).failed_with("the limit is 0x0");
    for mib in (200..=1400).step_by(200) {
        let ran = within(mib, &[&run[..], &["0.0=zero:536870912"]].concat());
        assert!(matches!(ran.code, Some(1 | 2)) && !ran.err.contains("panicked"), "{mib}: {:?} {}", ran.code, ran.err);
    }
}

/// The numbers of a case.
#[test]
fn headers_of_cases() {
    let folder = Folder::new("headers");
    let lines = [
        "buffer x[4294967295]",
        "buffer x[268435457]",
        "buffer x[268435456]\n; buffer y[268435456]",
        "lds: 4294967295",
        "scratch: 4294967295",
        "scratch: 1048576\n; grid: 16777216\n; group: 1024",
        "grid: 4294967295, 4294967295, 4294967295",
        "group: 4294967295",
        "buffer x[64] = f32 ramp(0, 1)\n; v[0:4294967295] = 1",
        "v4294967295 = 1",
        "observe: v[0:4294967295]",
        "expect: buffer x[4294967295] = 1",
        "rsrc: 0xffffffff, 0xffffffff, 0xffffffff\n; grid: 4294967295",
    ];
    for line in lines {
        let case = folder.put("case.s", format!("; isa: gfx900\n; {line}\ns_nop 0\n"));
        let ran = within(2048, &["run", &case]);
        assert_eq!(ran.code, Some(1), "{line}: {}{}", ran.out, ran.err);
        assert!(!ran.err.is_empty() && !ran.err.contains("panicked"), "{line}: {}", ran.err);
    }
}

/// The numbers of a text.
#[test]
fn directives_of_assembly() {
    let folder = Folder::new("directives");
    let lines = [
        ".fill 4294967295, 8, 1",
        ".fill 9223372036854775807, 8, 0",
        ".space 9223372036854775807",
        ".zero 4294967295",
        ".skip 9223372036854775807, 1",
        ".org 4294967295",
        ".org 0x7fffffffffffffff",
        ".rept 4294967295\ns_nop 0\n.endr",
        ".rept 1000000\n.rept 1000000\ns_nop 0\n.endr\n.endr",
        ".macro m\nm\nm\n.endm\nm",
        "s_nop 0\n.p2align 31",
        ".p2align 63",
        ".balign 0x8000000000000000",
        ".comm x, 18446744073709551615, 4",
        ".lcomm x, 18446744073709551615",
        ".bss\n.space 0xffffffffffff",
        ".incbin \"/dev/zero\"",
        ".include \"/dev/zero\"",
    ];
    for line in lines {
        let source = folder.put("x.s", format!("{line}\n"));
        let ran = within(2048, &["asm", "--arch", "gfx900", "--elf", &source, "-o", &folder.path("x.o")]);
        // Some are no directives here, which is an error too.
        assert_eq!(ran.code, Some(1), "{line}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("error") && !ran.err.contains("panicked"), "{line}: {}", ran.err);
    }
}

/// Numbers of other commands.
#[test]
fn options() {
    let folder = Folder::new("options");
    let case = folder.put("add.s", "; isa: gfx900\nl: s_branch l\n");
    let trace = folder.path("x.trace");
    let all = [
        vec!["conform", "--inputs", "4294967295"],
        vec!["conform", "--jobs", "65535"],
        vec!["run", &case, "--threads", "4294967295"],
        vec![
            "golden",
            "trace",
            &case,
            "--engine",
            "emu",
            "-o",
            &trace,
            "--steps",
            "18446744073709551615",
            "--budget",
            "40",
        ],
        vec!["fuzz", "--arch", "gfx900", "--engines", "emu,emu", "--share", "4294967295"],
        vec!["fuzz", "--arch", "gfx900", "--engines", "emu,emu", "--jobs", "4294967295"],
        vec!["reduce", &case, "--engines", "emu,emu", "--jobs", "4294967295"],
        vec!["sweep", "--arch", "gfx900", "--shard", "0/4294967295"],
    ];
    for args in all {
        let ran = within(2048, &args);
        assert!(
            matches!(ran.code, Some(0..=2)) && !ran.err.contains("panicked"),
            "{args:?}: {:?} {}",
            ran.code,
            ran.err
        );
    }
}
