//! Which files a case, or the assembly of a kernel, may read: those in its own folder and below.

use super::*;

/// A case that looks at the first word of a file, which is 7.
fn reads(name: &str) -> String {
    format!("; isa: gfx900\n; buffer x = file \"{name}\"\n; expect: buffer x = [7]\ns_nop 0\n")
}

/// Everything by which a case reads.
fn ways(name: &str) -> [String; 5] {
    [
        reads(name),
        format!("; isa: gfx900\n; buffer x[4] = [7]\n; expect: buffer x = file \"{name}\"\ns_nop 0\n"),
        format!("; isa: gfx900\n; code: file \"{name}\"\n"),
        format!("; isa: gfx900\ns_branch end\n.incbin \"{name}\"\nend: s_endpgm\n"),
        format!("; isa: gfx900\n.include \"{name}\"\n"),
    ]
}

/// The same for cases of R600.
fn ways_of_r600(name: &str) -> [String; 4] {
    let line = |line: &str| format!("; isa: r600\n; {line} file \"{name}\"\n");
    [
        line("buffer x =") + "NOP EOP\n",
        line("constants =") + "NOP EOP\n",
        line("kcache[2] =") + "NOP EOP\n",
        line("code:"),
    ]
}

/// A kernel whose assembly has a line that reads a file, and which does nothing.
fn kernel(line: &str) -> String {
    format!(
        "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n\t.text\n\t.globl k\n\t.p2align 8\n\t.type k,@function\nk:\n\ts_branch .Lend\n\
         {line}\n.Lend:\n\ts_endpgm\n\t.section .rodata,\"a\"\n\t.p2align 6\n\t.amdhsa_kernel k\n\
         \t.amdhsa_next_free_vgpr 1\n\t.amdhsa_next_free_sgpr 1\n\t.end_amdhsa_kernel\n"
    )
}

/// Everything by which a kernel reads.
fn ways_of_kernels(name: &str) -> [String; 2] {
    [".incbin", ".include"].map(|directive| kernel(&format!("\t{directive} \"{name}\"")))
}

const LAUNCH: [&str; 4] = ["--grid", "64", "--group", "64"];

/// The cases of a folder in a run of suites.
fn conform(folder: &Folder, more: &[&str]) -> Ran {
    let mut command = Command::new(PROGRAM);
    command.args(["conform", "cases", "--cases", "case", "--arch", "gfx900,r600", "--engines", "emu", "--all"]);
    command.args(more).current_dir(&folder.0).stdin(Stdio::null());
    // The machine of the tests may itself be one of many.
    for name in ["CI_NODE_INDEX", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"] {
        command.env_remove(name);
    }
    ended(command)
}

const REFUSED: &str = "it is not in the folder of the case";

#[test]
fn a_case_reads_its_own_folder_and_below() {
    let folder = Folder::new("own");
    folder.put("case/beside.bin", 7u32.to_le_bytes());
    folder.put("case/below/deep.bin", 7u32.to_le_bytes());
    for name in ["beside.bin", "below/deep.bin", "./below/../beside.bin", &folder.path("case/beside.bin")] {
        let case = folder.put("case/x.s", reads(name));
        let ran = wavediff(&["run", &case]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
    }
    // What it includes reads from there as well, relative to itself.
    folder.put("case/below/one.inc", ".include \"../two.inc\"\n");
    folder.put("case/two.inc", "v_mov_b32 v0, 7\n");
    let case = folder.put("case/x.s", "; isa: gfx900\n; expect: v0 = 7\n.include \"below/one.inc\"\n");
    assert_eq!(wavediff(&["run", &case]).code, Some(0));
    // So do kernels, cases of R600, and workers.
    for (name, line) in [("beside.bin", ".incbin \"beside.bin\""), ("one.inc", ".include \"below/one.inc\"")] {
        let source = folder.put("case/k.s", kernel(line));
        let ran = wavediff(&[&["run", &source][..], &LAUNCH].concat());
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
    }
    let vliw = folder.put("case/vliw.s", &ways_of_r600("below/deep.bin")[0]);
    let ran = wavediff(&["run", &vliw]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let case = folder.put("case/x.s", reads("below/deep.bin"));
    let ran = wavediff(&["run", &case, "--isolate"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    std::fs::remove_file(folder.path("case/k.s")).expect("a file");
    let ran = conform(&folder, &[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("2 cases"), "a case of each family: {}", ran.out);
    // A name without a folder is beside the case, and that is here.
    let mut here = Command::new(PROGRAM);
    folder.put("case/y.s", reads("beside.bin"));
    here.args(["run", "y.s"]).current_dir(folder.path("case"));
    assert_eq!(ended(here).code, Some(0));
}

#[test]
fn what_lies_elsewhere_is_refused_and_not_told_of() {
    let folder = Folder::new("elsewhere");
    let secret = folder.put("secret.bin", 7u32.to_le_bytes());
    folder.put("case/below/x", "");
    let mut names = vec!["../secret.bin".to_owned(), "below/../../secret.bin".to_owned(), secret];
    // Whether there is such a file is not told either.
    names.extend(["../nothing.bin".to_owned(), folder.path("nothing.bin")]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../secret.bin", folder.path("case/link.bin")).expect("a link");
        std::os::unix::fs::symlink("..", folder.path("case/up")).expect("a link");
        names.extend(["link.bin".to_owned(), "up/secret.bin".to_owned()]);
    }
    for name in &names {
        for text in ways(name) {
            let case = folder.put("case/x.s", text);
            wavediff(&["run", &case]).failed_with(REFUSED);
        }
        for text in ways_of_r600(name) {
            wavediff(&["run", &folder.put("case/x.s", text)]).failed_with(REFUSED);
        }
        for text in ways_of_kernels(name) {
            let source = folder.put("case/x.s", text);
            wavediff(&[&["run", &source][..], &LAUNCH].concat()).failed_with(REFUSED);
        }
    }
    // However they are run.
    for text in ways("../secret.bin") {
        let case = folder.put("case/x.s", text);
        wavediff(&["run", &case, "--isolate"]).failed_with(REFUSED);
        conform(&folder, &[]).failed_with(REFUSED);
    }
    for text in ways_of_r600("../secret.bin") {
        folder.put("case/x.s", text);
        conform(&folder, &[]).failed_with(REFUSED);
    }
    // Whoever reads cases refuses.
    let case = folder.put("case/x.s", reads("../secret.bin"));
    let trace = folder.path("x.trace");
    for args in [
        vec!["trace", &case],
        vec!["diff", &case, "--engines", "emu,emu"],
        vec!["bisect", &case, "--engines", "emu,emu"],
        vec!["reduce", &case, "--engines", "emu,emu"],
        vec!["golden", "trace", &case, "--engine", "emu", "-o", &trace],
    ] {
        wavediff(&args).failed_with(REFUSED);
        let allowed = wavediff(&[&args[..], &["--allow-files"]].concat());
        assert!(!allowed.err.contains(REFUSED) && !allowed.out.contains(REFUSED), "{args:?}: {}", allowed.err);
    }
    let case = folder.put("case/x.s", "; isa: gfx900\n.include \"../secret.bin\"\n");
    wavediff(&["scan", &case]).failed_with(REFUSED);
    let source = folder.put("case/x.s", &ways_of_kernels("../secret.bin")[0]);
    for args in [
        vec!["run", &source],
        vec!["trace", &source],
        vec!["diff", &source, "--engines", "emu,emu"],
        vec!["bisect", &source, "--engines", "emu,emu"],
        vec!["reduce", &source, "--engines", "emu,emu"],
    ] {
        let args = [&args[..], &LAUNCH].concat();
        wavediff(&args).failed_with(REFUSED);
        let allowed = wavediff(&[&args[..], &["--allow-files"]].concat());
        // Nothing is left to reduce, and the rest is well.
        let reduces = args[0] == "reduce";
        assert_eq!(allowed.code, Some(i32::from(reduces)), "{args:?}: {}{}", allowed.out, allowed.err);
        assert!(!reduces || allowed.err.contains("do not differ"), "{}", allowed.err);
    }
}

#[test]
fn other_files_are_read_if_that_is_allowed() {
    let folder = Folder::new("allowed");
    let secret = folder.put("secret.bin", 7u32.to_le_bytes());
    for name in ["../secret.bin", &secret] {
        let case = folder.put("case/x.s", reads(name));
        let ran = wavediff(&["run", &case, "--allow-files"]);
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.out, ran.err);
    }
    // Also in another process.
    let case = folder.put("case/x.s", reads("../secret.bin"));
    let ran = wavediff(&["run", &case, "--isolate", "--allow-files"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let vliw = folder.put("case/vliw.s", &ways_of_r600("../secret.bin")[0]);
    let ran = wavediff(&["run", &vliw, "--allow-files"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // Devices and folders are none.
    for name in ["/dev/zero", ".."] {
        let case = folder.put("case/x.s", reads(name));
        wavediff(&["run", &case, "--allow-files"]).failed_with("not a regular file");
    }
}

/// From standard input the folder is where the program was started.
#[test]
fn a_case_without_a_file_reads_from_here() {
    let folder = Folder::new("stdin");
    folder.put("secret.bin", 7u32.to_le_bytes());
    folder.put("here/beside.bin", 7u32.to_le_bytes());
    let run = |name: &str| {
        let case = folder.put("case.s", reads(name));
        let mut command = Command::new(PROGRAM);
        command.args(["run", "-"]).current_dir(folder.path("here"));
        command.stdin(std::fs::File::open(case).expect("a file"));
        ended(command)
    };
    assert_eq!(run("beside.bin").code, Some(0));
    run("../secret.bin").failed_with(REFUSED);
}
