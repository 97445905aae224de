//! What a driver's program needs of a case: memory at addresses, halves of pointers, arithmetic, scratch memory, registers as the hardware
//! sets them, machine code from files. Each line wrong in the ways that people write it, and right.

use std::path::PathBuf;
use wavediff::case::{Case, CaseError, Initial};
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::isa::{Arch, Target};

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn case(text: &str) -> Case {
    let case = Case::parse(text, "test.s").unwrap_or_else(|error| panic!("{error}"));
    let again = Case::parse(&case.to_string(), "test.s").expect("what is printed parses");
    assert_eq!(again, case, "{case}");
    case
}

/// The words of scalar registers at the start of a wave.
fn scalars<const N: usize>(initial: &Initial<'_>, wave: u32) -> [u32; N] {
    std::array::from_fn(|n| initial.sgpr(n as u32, wave))
}

#[test]
fn wrong_lines_are_refused_where_they_are_wrong() {
    for (text, want) in [
        ("; buffer x[4] at 0x1000\n", "below 0x20_0000 lies the code"),
        ("; buffer x[4] at 0x1000000000000\n", "addresses have 48 bits"),
        ("; buffer x[4] at\n", "expected a number"),
        ("; buffer a[4]\n; buffer b[4] behind at 0x300000\n", "has its address from that"),
        ("; buffer a[8] at 0x300000\n; buffer b[4] at 0x300004\n", "two buffers lie at one address"),
        ("; buffer a[8] at 0x800000300000\n; buffer b[4] at 0xffff800000300004\n", "two buffers lie at one address"),
        ("; s0 = low(7)\n", "only 64 bits have two halves"),
        ("; s0 = high(address(x)\n; buffer x[4]\n", "an operator or `)`"),
        ("; s0 = low(address(y))\n; buffer x[4]\n", "unknown buffer `y`"),
        ("; v0 = lane * 1.5\n", "only whole numbers, addresses and numbers of the dispatch"),
        ("; v0 = lane + lines\n", "unknown number `lines` (did you mean `lane`?)"),
        ("; v0 = lane +\n", "expected"),
        ("; v0 = (lane\n", "an operator or `)`"),
        ("; s0 = lane * 4\n", "lanes have no part in this place"),
        ("; s0 = address(x) + 4\n; buffer x[4]\n", "the value is wider than a register"),
        ("; buffer b[4] = group.x * 2\n", "a buffer belongs to all waves"),
        ("; s0 = scratch.offset\n", "there is no scratch memory: `scratch: BYTES`"),
        ("; scratch: 16\n; s0 = scratch.base\n", "the value is wider than a register"),
        ("; scratch: 16 at 7\n", "below 0x20_0000 lies the code"),
        ("; scratch: 99999999\n", "must be in"),
        ("; rsrc: 0x2c0000\n", "`,` and COMPUTE_PGM_RSRC2"),
        ("; rsrc: 0, 0, 0, 0\n", "the end of the line"),
        ("; rsrc: 0, 0\n; mode: ieee=0\n", "MODE is part of RSRC1"),
        ("; rsrc: 0, 1\n", "RSRC2 enables scratch memory"),
        ("; code: \"x.bin\"\n", "`file \"NAME\"`"),
        ("; code: file \"x.bin\"\ns_nop 0\n", "the code comes from a file"),
        ("; expect: v0 = 1.0, abs(0)\n", "a distance is a number above zero"),
        ("; expect: v0 = 1, abs(1.5)\n", "only floats are compared like this"),
    ] {
        let message = Case::parse(text, "test.s").err().map_or_else(String::new, |e| e.to_string());
        assert!(message.contains(want), "{text}{message}");
    }
    let caret = Case::parse("; isa: gfx1100\n; s0 = low(7)\ns_nop 0\n", "test.s").expect_err("an error").to_string();
    assert!(caret.ends_with("; s0 = low(7)\n          ^~~"), "{caret}");
    let caret = Case::parse("; buffer x[4] at 0x1000\ns_nop 0\n", "test.s").expect_err("an error").to_string();
    assert!(caret.ends_with("; buffer x[4] at 0x1000\n                 ^~~~~~"), "{caret}");
}

#[test]
fn operators_bind_as_in_c() {
    for (text, want) in [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("10 - (4 - 3)", 9),
        ("1 << 4 + 1", 32),
        ("1 | 2 ^ 3 & 2", 1),
        ("100 / 7 % 5", 4),
        ("7 / group.x", 0),
        ("7 % group.x", 0),
        ("3 - 5", 0xffff_fffe),
        ("0x80000000 * 2", 0),
        ("1 << 32", 0),
        ("5 << 36 >> 36", 0),
        ("high(0x1_0000_0000 << 3)", 8),
        ("high(address(x) + 0x100000000)", 0xffff_8001),
        ("low(address(x)) - 0x30_0000 + wave * 4096", 16),
    ] {
        let case = case(&format!("; isa: gfx1100\n; buffer x[4] at 0xffff800000300010\n; s0 = {text}\ns_nop 0\n"));
        let initial = case.initial(target("gfx1100")).expect("a start");
        assert_eq!(initial.sgpr(0, 0), want, "{text}");
    }
}

#[test]
fn memory_lies_where_the_case_says() {
    let text = "; isa: gfx1100\n; buffer a[4]\n; buffer b[4] at 0xffff800000300000\n; buffer c[4] behind\n; buffer d[4]\ns_nop 0\n";
    let case = case(text);
    let initial = case.initial(target("gfx1100")).expect("a start");
    let addresses: Vec<u64> = initial.buffers.iter().map(|b| b.address).collect();
    assert_eq!(addresses[1..3], [0xffff_8000_0030_0000, 0xffff_8000_0030_0004]);
    assert_eq!(addresses[3] - addresses[0], 0x2_0000);
    let over = Case::parse("; buffer a[4]\n; buffer b[4] at 0x1000000000\ns_nop 0\n", "test.s").expect("a case");
    assert!(matches!(over.initial(target("gfx1100")), Err(CaseError::Overlap { .. })));
    let over = Case::parse("; buffer b[64] at 0x7ffffffffff0\ns_nop 0\n", "test.s").expect("a case");
    assert!(over.initial(target("gfx1100")).is_ok(), "the two halves of 48 bits touch");
    let over = Case::parse("; buffer b[64] at 0xfffffffffffffff0\ns_nop 0\n", "test.s").expect("a case");
    assert!(matches!(over.initial(target("gfx1100")), Err(CaseError::Overlap { .. })));
}

/// The words are those of LLVM's and RADV's own (ABI_FACTS sections 4 and 8).
#[test]
fn scratch_memory_is_told_as_each_generation_is() {
    let text = "; isa: gfx6..gfx10\n; scratch: 10\n; grid: 128\n; group: 64\n; s[0:3] = scratch.resource\n; s[4:5] = scratch.init\n\
                ; s[6:7] = scratch.base\n; s8 = scratch.offset\ns_nop 0\n";
    let case = case(text);
    for (arch, word3, init) in [
        ("gfx600", 0x00ea_7000, [0x10_0000, 12]),
        ("gfx803", 0x00e8_7000, [0x10_0000, 12]),
        ("gfx900", 0x00e0_7000, [0x10_0000, 0x1500]),
    ] {
        let initial = case.initial(target(arch)).expect("a start");
        let words: [u32; 9] = scalars(&initial, 1);
        assert_eq!(words[..4], [0x10_0000, 0x8000_1500, u32::MAX, word3], "{arch}");
        assert_eq!(words[4..6], init, "{arch}");
        // 64 lanes with 12 bytes in granules of 1024.
        assert_eq!(words[6..], [0x10_0000, 0x1500, 1024], "{arch}");
    }
    let ring = Case::parse(
        "; isa: gfx9, gfx11\n; scratch: 4 at 0xffff800100000000\n; s[0:1] = scratch.ring\ns_nop 0\n",
        "test.s",
    );
    let ring = ring.expect("a case");
    let words = |arch| scalars::<2>(&ring.initial(target(arch)).expect("a start"), 0);
    assert_eq!([words("gfx900"), words("gfx1100")], [[0, 0x8000_8001], [0, 0x4000_8001]]);
    let architected =
        Case::parse("; isa: gfx11\n; wave: 32\n; scratch: 10\n; grid: 64\ns_nop 0\n", "test.s").expect("a case");
    let initial = architected.initial(target("gfx1100")).expect("a start");
    // 32 lanes with 12 bytes in granules of 256.
    assert_eq!(initial.flat_scratch(1), 0x1500_0010_0000 + 512);
}

/// RADV's own numbers for three sets, inline push constants and numbers of groups (ABI_FACTS section 8).
#[test]
fn registers_of_rsrc_lie_behind_the_user_registers() {
    let text = "; isa: gfx900, gfx1010, gfx1030, gfx1200\n; wave: 64\n; grid: 8, 2, 2\n; group: 4, 1, 2\n; scratch: 4\n; rsrc: 0x2c0040, 0x1f93\n\
                ; s[0:8] = 7\ns_nop 0\n";
    let case = case(text);
    for (arch, info) in [("gfx900", 0x8000_0001), ("gfx1010", 0x8000_0001), ("gfx1030", 0x8000_0001)] {
        let initial = case.initial(target(arch).wave(64).expect("waves of 64")).expect("a start");
        // Group (1, 1, 0), the fourth of them.
        let words: [u32; 15] = scalars(&initial, 3);
        assert_eq!(words, [7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 0, info, 3 * 1024, 0], "{arch}");
        assert_eq!(initial.mode, 0x1c0, "{arch}");
        assert_eq!([0, 1, 2].map(|n| initial.vgpr(n, 5, 3)), [1, 0, 1], "{arch}");
    }
    let initial = case.initial(target("gfx1200").wave(64).expect("waves of 64")).expect("a start");
    assert_eq!([7, 8, 9].map(|n| initial.ttmp(n, 3)), [1, 0, 1]);
    assert_eq!((initial.sgpr(9, 3), initial.sgpr(10, 3)), (0x8000_0001, 0));
    assert_eq!(initial.vgpr(0, 5, 3), 1 | 1 << 20);
    assert_eq!(initial.mode, 0xc0);
    let lds = Case::parse("; rsrc: 0, 0x28000\ns_nop 0\n", "test.s").expect("a case");
    let size = |arch| lds.initial(target(arch)).expect("a start").lds_size;
    assert_eq!([size("gfx600"), size("gfx700"), size("gfx1200")], [5 * 256, 5 * 512, 5 * 512]);
}

#[test]
fn code_comes_from_a_file() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("code-file");
    std::fs::create_dir_all(&folder).expect("a folder");
    let name = folder.join("case.s").to_string_lossy().into_owned();
    let text = "; isa: gfx1100\n; code: file \"code.bin\"\n; v0 = 2.5\n; expect: v1 = 5.0\n";
    let case = Case::parse(text, &name).expect("a case");
    let run = |bytes: &[u8]| {
        std::fs::write(folder.join("code.bin"), bytes).expect("a file");
        let outcome = Emulator::default().run(&case, target("gfx1100")).map_err(|e| e.to_string())?;
        let found = case.check(target("gfx1100"), &outcome).map_err(|e| e.to_string())?;
        if found.is_empty() { Ok(()) } else { Err(found[0].to_string()) }
    };
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(run(&words(&[0x0602_0100, 0xbfb0_0000])), Ok(()));
    // Nothing is implied at the end of a file.
    assert!(run(&words(&[0x0602_0100])).expect_err("a trap").contains("unexpected trap"));
    assert!(run(&[1, 2, 3, 4, 5]).expect_err("an error").contains("5 bytes are no machine code"));
    assert!(run(&[]).expect_err("an error").contains("0 bytes are no machine code"));
    let _ = std::fs::remove_file(folder.join("code.bin"));
    assert!(matches!(case.program(target("gfx1100")), Err(CaseError::File { .. })));
}
