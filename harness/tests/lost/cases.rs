//! Which files a case may read: those in its own folder and below.

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
