//! The program from outside: exit codes, streams, round trips.

#[cfg(target_os = "linux")]
#[path = "program/peak.rs"]
mod peak;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program with standard input.
fn wavediff_in(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_vec();
    let feed = std::thread::spawn(move || {
        // A program that does not read all of it closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    feed.join().expect("the input is written");
    output
}

fn wavediff(args: &[&str]) -> Output {
    wavediff_in(args, b"")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn shaders() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shaders");
    let folders =
        std::fs::read_dir(folder).expect("shaders/").filter_map(|e| Some(e.ok()?.path())).filter(|p| p.is_dir());
    // Those in asm/ and r600/ are cases, which name their processors in another way.
    let topics = folders.filter(|p| !p.ends_with("asm") && !p.ends_with("r600"));
    let files = topics.flat_map(|t| std::fs::read_dir(t).expect("a topic").filter_map(|e| Some(e.ok()?.path())));
    let mut files: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "s")).collect();
    files.sort();
    assert!(files.len() >= 4);
    files
}

/// A folder for the files of one test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("wavediff-cli-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a path").to_owned()
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn every_subcommand_has_help_with_examples() {
    let top = wavediff(&["--help"]);
    assert_eq!(code(&top), 0);
    for command in ["asm", "devices", "disasm", "explain", "isa", "sweep"] {
        assert!(out(&top).contains(&format!("\n  {command} ")), "{command} is listed");
        let help = wavediff(&[command, "--help"]);
        assert_eq!(code(&help), 0, "{command}");
        let text = out(&help);
        assert!(text.contains("Examples:") && text.contains(&format!("  wavediff {command}")), "{command}: {text}");
        assert!(err(&help).is_empty());
    }
}

/// Command lines that make no sense, and a word of what to do about it.
#[test]
fn a_wrong_command_line_is_2_and_says_what_to_do() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "Usage"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["asm", "--arch", "gfx1100"], "FILE"),
        (&["asm", "--arch", "gfx110", "-"], "did you mean"),
        (&["asm", "-"], "--arch"),
        (&["asm", "--lines"], "--arch"),
        (&["asm", "--arch", "gfx900", "--wave", "32", "-"], "64 lanes only"),
        (&["asm", "--arch", "gfx900", "--wave", "16", "-"], "32"),
        (&["asm", "--arch", "gfx1100", "--mattr=+nonsense", "-"], "real-true16"),
        (&["asm", "--arch", "gfx1100", "--lines", "-o", "x"], "cannot be used with"),
        (&["disasm", "-"], "--arch"),
        (&["explain"], "--hex"),
        (&["explain", "--hex", "00"], "--arch"),
        (&["isa", "--diff", "gfx900"], "--arch"),
        (&["isa", "--arch", "gfx900", "--diff", "gfx900"], "same processor"),
        (&["sweep", "--arch", "gfx900", "--shard", "0/4"], "K from 1 to N"),
    ];
    for (args, says) in cases {
        let output = wavediff(args);
        assert_eq!(code(&output), 2, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{args:?} should speak of {says}: {}", err(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn errors_in_the_input_are_1_with_file_line_and_column() {
    let scratch = Scratch::new("errors");
    let file = scratch.put("bad.s", "s_nop 0\n\tv_ad_f32 v0, v1, v2\n\ts_branch nowhere\n");
    let object = scratch.path("bad.o");
    let output = wavediff(&["asm", "--arch", "gfx1100", &file, "-o", &object]);
    assert_eq!(code(&output), 1);
    let text = err(&output);
    assert!(text.contains("bad.s:2:2: error: "), "{text}");
    assert!(text.contains("did you mean `v_add_f32"), "{text}");
    assert!(text.contains("\tv_ad_f32 v0, v1, v2\n\t^~~~~~~~"), "{text}");
    assert!(!text.contains('\x1b'), "colour is for terminals");
    assert!(!Path::new(&object).exists(), "nothing is written");
    for (args, input, says) in [
        (vec!["asm", "--arch", "gfx1100", "-"], &b"s_mov_b32 s0, x@rel32@lo"[..], "--elf"),
        (vec!["asm", "--arch", "gfx1100", "-"], b"\xff\xfe", "not text"),
        (vec!["disasm", "-"], b"\x7fELF", "ELF"),
        (vec!["disasm", "/nonexistent/file"], b"", "/nonexistent/file"),
        (vec!["explain", "v_ad_f32"], b"", "did you mean `v_add_f32`"),
        (vec!["explain", "v_dual_mov_b32", "--arch", "gfx900"], b"", "gfx11 and later"),
        (vec!["explain", "--arch", "gfx900", "--hex", "ffffffff"], b"", "no instruction"),
        (vec!["explain", "--arch", "gfx900", "--hex", "00000000 00000000"], b"", "left over"),
    ] {
        let output = wavediff_in(&args, input);
        assert_eq!(code(&output), 1, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{args:?} should speak of {says}: {}", err(&output));
    }
}

#[test]
fn lines_answer_one_by_one() {
    let input = b"v_mov_b32 v0, 1.0\n\n  ; only a comment\nv_frob v0\r\ns_endpgm // end\n/* c */ s_nop 1\n\xff";
    let output = wavediff_in(&["asm", "--arch", "gfx1100", "--lines"], input);
    assert_eq!(code(&output), 0);
    let text = out(&output);
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines[..3], ["f202007e", "", ""]);
    assert!(lines[3].starts_with("error: unknown instruction `v_frob`"), "{}", lines[3]);
    assert_eq!(lines[4..6], ["0000b0bf", "010080bf"]);
    assert!(lines[6].starts_with("error: "), "{}", lines[6]);
    assert_eq!(lines[7..], [""]);

    let input = "f202007e\n\nF2 02,00 7e\n0xf2,0x02,0x00,0x7e\nf202007e00000000\nf2\nzz\nffffffff\n";
    let output = wavediff_in(&["disasm", "--arch", "gfx1100", "--lines"], input.as_bytes());
    assert_eq!(code(&output), 0);
    let text = out(&output);
    let lines: Vec<&str> = text.split('\n').collect();
    let mov = "v_mov_b32_e32 v0, 1.0";
    assert_eq!(lines[..4], [mov, "", mov, mov]);
    assert!(lines[4].contains("4 bytes are left over"), "{}", lines[4]);
    assert!(lines[4..8].iter().all(|l| l.starts_with("error: ")), "{lines:?}");
    assert_eq!(lines[8..], [""]);
}

/// Many pieces on all cores come out in the order in which they went in.
#[test]
fn lines_keep_their_order() {
    let count = 300_000;
    let text: String = (0..count).map(|i| format!("s_mov_b32 s{}, {:#x}\n", i % 100, 0x1_0000 + i)).collect();
    let output = wavediff_in(&["asm", "--arch", "gfx900", "--lines"], text.as_bytes());
    assert_eq!(code(&output), 0);
    let hex = output.stdout.clone();
    assert_eq!(hex.iter().filter(|&&b| b == b'\n').count(), count);
    let back = wavediff_in(&["disasm", "--arch", "gfx900", "--lines"], &hex);
    assert!(out(&back) == text, "the lines differ");
}

/// A reader who has seen enough is no error.
#[test]
fn a_closed_pipe_is_a_clean_end() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["asm", "--arch", "gfx900", "--lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("its input");
    let _ = stdin.write_all("s_nop 0\n".repeat(100_000).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((code(&output), err(&output).as_str()), (0, ""));
}

/// The executable bytes of an ELF file.
fn text_of(file: &[u8]) -> Vec<u8> {
    let object = wavediff::object::CodeObject::parse(file).expect("a code object");
    object.sections.iter().find(|s| s.is_executable()).expect("code").bytes.to_vec()
}

#[test]
fn kernels_go_to_elf_to_text_and_back() {
    let scratch = Scratch::new("elf");
    for shader in shaders() {
        let shader = shader.to_str().expect("a path");
        let (object, text, again) = (scratch.path("a.o"), scratch.path("a.s"), scratch.path("b.o"));
        let output = wavediff(&["asm", "--elf", shader, "-o", &object]);
        assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{shader}");
        assert_eq!(code(&wavediff(&["disasm", &object, "-o", &text])), 0, "{shader}");
        let output = wavediff(&["asm", "--elf", &text, "-o", &again]);
        assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{shader}");
        let (first, second) = (std::fs::read(&object).expect("a file"), std::fs::read(&again).expect("a file"));
        assert_eq!(text_of(&first), text_of(&second), "{shader}");
        let read = |file| {
            let object = wavediff::object::CodeObject::parse(file).expect("a code object");
            let kernels: Vec<_> = object.kernels().iter().map(|k| (k.name.clone(), k.descriptor, k.entry)).collect();
            (object.id, object.metadata, kernels)
        };
        assert_eq!(read(&first), read(&second), "{shader}");
        // The raw bytes are those of the section, and their listing leads back to them.
        let raw = wavediff(&["asm", shader]);
        assert_eq!(raw.stdout, text_of(&first), "{shader}");
        let arch = read(&first).0.arch.name;
        let listing = wavediff_in(&["disasm", "--arch", arch, "-"], &raw.stdout);
        assert_eq!(wavediff_in(&["asm", "--arch", arch, "-"], &listing.stdout).stdout, raw.stdout, "{shader}");
    }
}

/// Objects which others made: the same code, and the same relocations.
#[test]
fn code_objects_of_llvm_go_to_text_and_back() {
    let scratch = Scratch::new("golden");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/oracle/object");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("golden/oracle/object") {
        let path = entry.expect("an entry").path();
        if !path.extension().is_some_and(|e| e == "o" || e == "so") {
            continue;
        }
        count += 1;
        let name = path.to_str().expect("a path");
        let text = wavediff(&["disasm", name]);
        assert_eq!((code(&text), err(&text).as_str()), (0, ""), "{name}");
        let first = out(&text).lines().next().expect("a first line").to_owned();
        let options: Vec<&str> = first.strip_prefix("// wavediff asm ").expect(&first).split(' ').collect();
        let (source, object) = (scratch.put("a.s", &text.stdout), scratch.path("a.o"));
        let output = wavediff(&[&["asm", "--elf", &source, "-o", &object], &options[..]].concat());
        assert_eq!((code(&output), err(&output).as_str()), (0, ""), "{name}");
        let (old, new) = (std::fs::read(&path).expect("a file"), std::fs::read(&object).expect("a file"));
        assert_eq!(text_of(&old), text_of(&new), "{name}");
        let relocations = |file: &[u8]| {
            let object = wavediff::object::CodeObject::parse(file).expect("a code object");
            let code = object.sections.iter().position(|s| s.is_executable());
            let inside = object.relocations.iter().filter(|r| !object.linked && r.section == code);
            inside.map(|r| (r.offset, r.kind, r.addend)).collect::<Vec<_>>()
        };
        if path.extension().is_some_and(|e| e == "o") {
            assert_eq!(relocations(&old), relocations(&new), "{name}");
        }
    }
    assert!(count >= 10);
}

/// Any words at all make a listing which assembles to the same bytes.
#[test]
fn noise_goes_to_text_and_back() {
    for (arch, options) in
        [("gfx600", ""), ("gfx803", ""), ("gfx90a", ""), ("gfx1030", "--wave=64"), ("gfx1100", ""), ("gfx1200", "")]
    {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut bytes = Vec::new();
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            bytes.extend_from_slice(&((state >> 32) as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&[1, 2, 3]);
        let options: Vec<&str> = ["--arch", arch, options].into_iter().filter(|o| !o.is_empty()).collect();
        let listing = wavediff_in(&[&["disasm", "-"], &options[..]].concat(), &bytes);
        assert_eq!(code(&listing), 0, "{arch}");
        let again = wavediff_in(&[&["asm", "-"], &options[..]].concat(), &listing.stdout);
        assert_eq!((code(&again), err(&again).as_str()), (0, ""), "{arch}");
        assert!(again.stdout == bytes, "{arch}");
    }
}

#[test]
fn branches_have_labels_and_data_has_reasons() {
    let words: [u32; 4] = [0xbfa2_0001, 0xffff_ffff, 0xbfa0_fffd, 0xbfb0_0000];
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let text = out(&wavediff_in(&["disasm", "--arch", "gfx1100", "-"], &bytes));
    assert!(text.contains("\n.L0000:\n\ts_cbranch_scc1 .L0001 "), "{text}");
    assert!(text.contains("\n.L0001:\n\ts_branch .L0000 "), "{text}");
    assert!(text.contains("\t.long 0xffffffff ") && text.contains("// 000000000004: no encoding"), "{text}");
    assert!(text.contains("// 000000000008: BFA0FFFD\n"), "{text}");
}

#[test]
fn isa_lists_have_every_encoding() {
    let csv = out(&wavediff(&["isa", "--arch", "gfx600", "--format", "csv"]));
    assert!(csv.starts_with("encoding,opcode,mnemonic\n"));
    for row in
        ["VOP2,3,v_add_f32", "VOP3,259,v_add_f32", "SOPP,1,s_endpgm", "SMRD,0,s_load_dword", "VOPC,0,v_cmp_f_f32"]
    {
        assert!(csv.lines().any(|l| l == row), "{row}");
    }
    let json = out(&wavediff(&["isa", "--arch", "gfx600", "--json"]));
    let rows: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rows.as_array().expect("a list").len(), csv.lines().count() - 1);
    let diff = out(&wavediff(&["isa", "--arch", "gfx600", "--diff", "gfx803", "--format", "csv"]));
    assert!(diff.lines().any(|l| l == "renumbered,VOP2,v_add_f32,3,v_add_f32,1"), "{diff}");
    assert!(diff.lines().any(|l| l.starts_with("removed,VOP2,v_mac_legacy_f32,6")), "{diff}");
    let list = out(&wavediff(&["isa", "--format", "csv"]));
    assert_eq!(list.lines().count(), wavediff::isa::ARCHS.len() + 1);
}

#[test]
fn explain_says_what_the_bits_are() {
    let json = out(&wavediff(&["explain", "--arch", "gfx1100", "--hex", "01050006", "--json"]));
    let all: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(all["text"], "v_add_f32_e32 v0, v1, v2");
    let fields = all["fields"].as_array().expect("fields");
    let field = |name: &str| fields.iter().find(|f| f["name"] == name).expect(name);
    assert_eq!(
        (&field("SRC0")["bits"], &field("SRC0")["value"], &field("SRC0")["text"]),
        (&"8:0".into(), &257.into(), &"v1".into())
    );
    assert_eq!(all["computes"], serde_json::json!(["add_f32(a, b) of a, b"]));
    assert_eq!((&all["unit"], &all["clocks"]), (&"vector".into(), &1.into()));
    // Nobody measured these in public.
    let unknown = out(&wavediff(&["explain", "--arch", "gfx600", "--hex", "01050006", "--json"]));
    let unknown: serde_json::Value = serde_json::from_str(&unknown).expect("JSON");
    assert!(unknown["unit"].is_null() && unknown["clocks"].is_null(), "{unknown}");
    let computes = |args: &[&str]| {
        let text = out(&wavediff(&[&["explain"], args].concat()));
        text.lines().filter(|line| line.starts_with("computes")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(computes(&["v_mul_f32"]), ["computes: mul_f32(a, b) of a, b"]);
    assert_eq!(computes(&["s_barrier"]), ["computes: waits until all waves of the group that have not ended are here"]);
    assert_eq!(
        computes(&["ds_write_b32"]),
        ["computes: each active lane stores 32 bits to LDS, at its address and the offset"]
    );
    let bits = computes(&["--arch", "gfx900", "--hex", "00006cd8 00000001"]);
    assert!(bits.len() == 1 && bits[0].contains("loads 32 bits from LDS"), "{bits:?}");
    let text = out(&wavediff(&["explain", "s_andn2_b32"]));
    assert!(text.contains("gfx11 0x22 as s_and_not1_b32"), "{text}");
    let text = out(&wavediff(&["explain", "v_add_f32_e64", "--arch", "gfx1100"]));
    assert!(text.contains("v_add_f32_e64_dpp") && text.contains("opcode 0x103"), "{text}");
}

#[test]
fn a_sweep_counts_every_word_of_its_shard() {
    let output = wavediff(&["sweep", "--arch", "gfx900", "--shard", "2/100003", "--second", "0", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    let invalid: u64 =
        all["invalid"].as_object().expect("reasons").values().filter_map(serde_json::Value::as_u64).sum();
    let number = |name: &str| all[name].as_u64().expect(name);
    assert_eq!(number("first_words"), ((1u64 << 32) - 1).div_ceil(100_003));
    assert_eq!(number("tested"), number("first_words"), "one second word: one test each");
    assert_eq!(number("valid") + invalid, number("tested"));
    let laws = all["laws"].as_array().expect("laws");
    assert_eq!(laws[0]["failures"], 0, "nothing panics");
    let failures: u64 = laws.iter().filter_map(|l| l["failures"].as_u64()).sum();
    assert_eq!(code(&output), i32::from(failures > 0));
}

/// Devices or not, the list has the emulator, and says why there is nothing else.
#[test]
fn devices_are_listed_or_missed() {
    let listed = wavediff(&["devices", "--json"]);
    assert_eq!(code(&listed), 0, "{}", err(&listed));
    let all: serde_json::Value = serde_json::from_str(&out(&listed)).expect("JSON");
    assert!(all["emu"]["threads"].as_u64() >= Some(1), "{all}");
    let found = all["vulkan"]["devices"].as_array().is_some_and(|list| !list.is_empty());
    let absent = all["vulkan"]["absent"].is_string();
    assert!(found || absent || all["vulkan"]["devices"].is_array(), "{all}");
    assert!(found || std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none(), "{all}");
    for device in all["vulkan"]["devices"].as_array().into_iter().flatten() {
        // One invocation can always be a wave.
        assert_eq!(device["lanes"]["wave64"]["serial"], serde_json::json!([]), "{device}");
        assert!(device["measured"]["f32"]["there"] == true, "{device}");
        let text = out(&wavediff(&["devices"]));
        let name = device["name"].as_str().expect("a name");
        assert!(text.contains(name) && text.contains("\n  wave32 "), "{text}");
    }
    let missed = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .arg("devices")
        .env("WAVEDIFF_VULKAN_LOADER", "/nowhere/libvulkan.so")
        .output()
        .expect("the program starts");
    assert_eq!(code(&missed), 0);
    assert!(out(&missed).contains("\nvulkan  none: the Vulkan loader is not there"), "{}", out(&missed));
}

/// Words whose listing has all kinds of lines: an instruction, a long literal, a branch back, what is no instruction.
fn listed_words() -> Vec<u8> {
    [0x0602_0501u32, 0xbe84_03ff, 0x1234_5678, 0xbf82_fff0, 0xffff_ffff]
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

/// Lists a raw file: the most memory that it took, in kilobytes as Linux counts them, how many lines came, and the last one.
#[cfg(target_os = "linux")]
fn listed_in(file: &Path) -> (u64, usize, String) {
    use std::io::Read;
    let mut child = Command::new(env!("CARGO_BIN_EXE_wavediff"))
        .args(["disasm", "--arch", "gfx600"])
        .arg(file)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut listing = child.stdout.take().expect("its output");
    let count = std::thread::spawn(move || {
        let (mut lines, mut end, mut chunk) = (0, Vec::new(), vec![0; 1 << 20]);
        loop {
            let got = listing.read(&mut chunk).expect("a listing");
            if got == 0 {
                let text = String::from_utf8_lossy(&end).into_owned();
                return (lines, text.lines().next_back().unwrap_or_default().to_owned());
            }
            lines += chunk[..got].iter().filter(|byte| **byte == b'\n').count();
            // As much as any line has.
            end.extend_from_slice(&chunk[got.saturating_sub(LINE)..got]);
            end.drain(..end.len().saturating_sub(LINE));
        }
    });
    let (ended, most) = peak::ended(&mut child);
    assert!(ended.success(), "{ended}");
    let (lines, last) = count.join().expect("a listing");
    (most, lines, last)
}

/// No line of a listing is longer.
#[cfg(target_os = "linux")]
const LINE: usize = 1 << 10;

/// Of six times as long a file no more is in memory at once, but for three bits for each word.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_is_listed_in_bounded_memory() {
    let scratch = Scratch::new("long");
    // Sixty-four lines and one label.
    let mut once: Vec<u8> = 0x0602_0501u32.to_le_bytes().repeat(60);
    once.extend(listed_words());
    let listed = |mib: usize| {
        let count = (mib << 20) / once.len();
        let file = scratch.put("long.bin", once.repeat(count));
        let (most, lines, last) = listed_in(Path::new(&file));
        // The head has two.
        assert_eq!(lines, 65 * count + 2, "{mib} MiB");
        let end = format!("// {:012X}: no encoding", once.len() * count - 4);
        assert!(last.starts_with("\t.long 0xffffffff ") && last.contains(&end), "{mib} MiB: {last}");
        most
    };
    let [short, long] = [8, 48].map(listed);
    assert!(short > 1000 && long < short + (16 << 10), "{short} kB for 8 MiB and {long} kB for 48 MiB");
}

/// From a file, in pieces; from a pipe, at once; into a file, beside which nothing stays: the same listing.
#[test]
fn a_listing_is_the_same_wherever_it_comes_from() {
    let scratch = Scratch::new("listing");
    let (file, text) = (scratch.0.join("x.bin"), scratch.0.join("x.s"));
    let bytes = [listed_words().repeat(40_000), vec![1, 2, 3]].concat();
    std::fs::write(&file, &bytes).expect("a file");
    let (file, to) = (file.to_str().expect("a path"), text.to_str().expect("a path"));
    let piped = wavediff_in(&["disasm", "--arch", "gfx600", "-"], &bytes);
    let printed = wavediff(&["disasm", "--arch", "gfx600", file]);
    assert_eq!((code(&piped), code(&printed)), (0, 0));
    assert!(piped.stdout == printed.stdout);
    assert_eq!(code(&wavediff(&["disasm", "--arch", "gfx600", file, "-o", to])), 0);
    assert!(std::fs::read(&text).expect("a listing") == piped.stdout);
    assert_eq!(std::fs::read_dir(&scratch.0).expect("a folder").count(), 2);
    // 160,000 lines and the head, a label for each branch, the bytes at the end.
    let lines = out(&piped).lines().count();
    assert!(lines > 190_000, "{lines}");
    // It assembles to what it was made of, also where it replaces that.
    let again = scratch.0.join("again.bin");
    assert_eq!(code(&wavediff(&["asm", "--arch", "gfx600", to, "-o", again.to_str().expect("a path")])), 0);
    assert!(std::fs::read(&again).expect("words") == bytes);
    assert_eq!(code(&wavediff(&["disasm", "--arch", "gfx600", file, "-o", file])), 0);
    assert!(std::fs::read(file).expect("a listing") == piped.stdout);
}
