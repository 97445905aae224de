//! R600 and R700: the rows against the manual's list, programs and instructions of compilers against the listings of those, and laws.
//!
//! Planted and noticed: shifts in t alone on R700, OMOD and ALU_INST of R700 where R600 has them, one pair of literals where the
//! third is read, NO_BARRIER and CONT not printed, ARRAY_SIZE not one more, hidden or missing literals not printed, PRED_ONE read as
//! PRED_ZERO, INSTANCE as another type, two tables of read cycles, loops of half a stack entry, fetches at odd places, a last odd
//! word, a lone last instruction in t, COUNT_3 one bit higher, calls not followed, predicates beside kills.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use wavediff::asm::Severity;
use wavediff::isa::r600::{Chip, Class, Machine, Opcodes, Place, ROWS, Units};
use wavediff::r600::assemble::{Options, assemble, assemble_line};
use wavediff::r600::check::{Finding, check, find_swizzles, stack_entries};
use wavediff::r600::laws;
use wavediff::r600::print::{alu_line, fetch_text, flow_text, listing};
use wavediff::r600::{Body, Inst, Program};

fn golden(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/r600").join(file);
    let bytes = std::fs::read(&path).expect("a golden file");
    let text = if file.ends_with(".zst") { zstd::decode_all(bytes.as_slice()).expect("zstd") } else { bytes };
    String::from_utf8(text).expect("UTF-8")
}

struct Known {
    name: String,
    origin: String,
    stage: String,
    stack: u32,
    machine: Machine,
    words: Vec<u32>,
}

fn programs() -> Vec<Known> {
    let text = golden("programs.jsonl.zst");
    let one = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let words = value["words"].as_array().expect("words").iter();
        let text = |key: &str| value[key].as_str().expect("text").to_owned();
        Known {
            name: text("name"),
            origin: text("origin"),
            stage: text("stage"),
            stack: value["nstack"].as_u64().expect("a number") as u32,
            machine: Machine::find(value["arch"].as_str().expect("a machine")).expect("a machine"),
            words: words.map(|w| u32::from_str_radix(w.as_str().expect("a word"), 16).expect("hex")).collect(),
        }
    };
    text.lines().map(one).collect()
}

/// A program to text and back; the text too, for messages.
fn there_and_back(machine: Machine, words: &[u32]) -> (String, Result<Vec<u32>, String>) {
    let text = listing(&Program::decode(machine, words));
    let done = assemble("listing", &text, Options::default());
    let said = done.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    (text, done.words.ok_or(said))
}

#[test]
fn rows_are_those_of_the_manual() {
    let class = |name: &str| match name {
        "CF" => Class::Cf,
        "CF_ALU" => Class::CfAlu,
        "CF_ALLOC_EXPORT" => Class::Export,
        "ALU_OP2" => Class::Op2,
        "ALU_OP3" => Class::Op3,
        "TEX" => Class::Tex,
        "VTX" => Class::Vtx,
        other => panic!("class {other}"),
    };
    let manual = Machine { chip: Chip::R600, opcodes: Opcodes::Manual };
    let mut seen = 0;
    for line in golden("opcodes.tsv").lines().skip(1) {
        let column: Vec<&str> = line.split('\t').collect();
        let [of, printed, hardware, name, units, sources] = column[..] else { panic!("{line}") };
        let rows: Vec<_> = ROWS.iter().filter(|row| row.class == class(of) && row.manual_name() == name).collect();
        let [row] = rows[..] else { panic!("{} rows are called {name}", rows.len()) };
        assert_eq!(row.code(manual), printed.parse().ok(), "{name} as printed");
        // In their place chips have KILLE_INT and KILLGT_INT.
        let absent = ["PRED_SETLT_INT", "PRED_SETLE_INT"].contains(&name);
        for machine in [Machine::R600, Machine::RV770] {
            assert_eq!(row.code(machine), hardware.parse().ok().filter(|_| !absent), "{name} of {}", machine.name());
        }
        if !units.is_empty() {
            let said = match units {
                "any" => Units::Any,
                "trans-only" => Units::Trans,
                "vector-only" => Units::Vector,
                "reduction" => Units::Reduction,
                other => panic!("units {other}"),
            };
            assert_eq!(row.units(Chip::R600), said, "{name}");
            let shift = ["ASHR_INT", "LSHR_INT", "LSHL_INT"].contains(&name);
            assert_eq!(row.units(Chip::R700), if shift { Units::Any } else { said }, "{name}");
            assert_eq!(row.sources, sources.parse::<u8>().expect("a count"), "{name}");
        }
        seen += 1;
    }
    assert_eq!(seen, 182);
    let beyond: Vec<&str> = ROWS.iter().filter(|row| row.code(manual).is_none()).map(|row| row.name).collect();
    assert_eq!(beyond, ["KILLE_INT", "KILLGT_INT", "KILLGE_INT", "KILLNE_INT", "FLT_TO_UINT"]);
}

#[test]
fn no_two_rows_share_an_opcode_or_a_name() {
    for chip in [Chip::R600, Chip::R700] {
        for opcodes in [Opcodes::Hardware, Opcodes::Manual] {
            let machine = Machine { chip, opcodes };
            for row in ROWS {
                let Some(code) = row.code(machine) else { continue };
                assert_eq!(machine.row(row.class, code), Some(row), "{}", row.name);
                for name in [row.name, row.manual_name(), &row.name.to_lowercase()] {
                    assert_eq!(machine.named(row.class.place(), name), Some(row), "{name}");
                }
            }
        }
    }
}

#[test]
fn programs_of_compilers_come_back_from_their_text() {
    let all = programs();
    assert_eq!(all.len(), 352);
    let mut wrong = Vec::new();
    for known in &all {
        assert_eq!(Program::decode(known.machine, &known.words).encode(), known.words, "{}", known.name);
        let (text, words) = there_and_back(known.machine, &known.words);
        match words {
            Ok(words) if words == known.words => {}
            Ok(words) => {
                let at = words.iter().zip(&known.words).position(|(a, b)| a != b);
                wrong.push(format!("{}: word {at:?} of {} and {}\n{text}", known.name, words.len(), known.words.len()));
            }
            Err(message) => wrong.push(format!("{}: {message}\n{text}", known.name)),
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {}", wrong.len(), all.len(), wrong[0]);
}

/// Compilers keep every rule that is an error; what only warns is LLVM's r600, which takes shifts for any slot.
#[test]
fn programs_of_compilers_keep_the_rules_and_declare_the_stack_they_need() {
    for known in programs() {
        let program = Program::decode(known.machine, &known.words);
        let findings = check(&program);
        let errors = findings.iter().find(|finding| finding.severity == Severity::Error);
        assert_eq!(errors, None, "{}", known.name);
        let excused = known.origin.starts_with("llvm") && known.machine == Machine::R600;
        assert!(findings.is_empty() || excused, "{}: {}", known.name, findings[0].message);
        // Fetch subroutines declare one entry and need none.
        let fetches = known.stage == "fs";
        assert_eq!(stack_entries(&program), if fetches { 0 } else { known.stack }, "{}", known.name);
    }
}

/// Groups of compilers with their swizzles taken away: others are found, and they do.
#[test]
fn swizzles_are_found() {
    let (mut groups, mut found) = (0, 0);
    let auto = Options { auto_swizzle: true, ..Options::default() };
    for known in programs() {
        let program = Program::decode(known.machine, &known.words);
        for clause in &program.clauses {
            let Body::Alu(all) = &clause.body else { continue };
            groups += all.len();
            found += all.iter().filter(|group| find_swizzles(known.machine, group).is_some()).count();
        }
        let listing = listing(&program);
        let plain: String = listing.split_inclusive('\n').map(without_swizzle).collect();
        let done = assemble("plain", &plain, auto);
        let Some(words) = done.words else { panic!("{}: {}", known.name, done.diagnostics[0]) };
        let ports = |finding: &Finding| finding.message.contains("cycle") || finding.message.contains("swizzle");
        let left = check(&Program::decode(known.machine, &words)).into_iter().find(ports);
        assert_eq!(left, None, "{}", known.name);
    }
    assert_eq!((groups, found), (4047, 4047));
}

fn without_swizzle(line: &str) -> String {
    let swizzle = |word: &str| ["VEC_", "SCL_", "BANK_SWIZZLE("].iter().any(|head| word.starts_with(head));
    let words: Vec<&str> = line.split(' ').filter(|word| !swizzle(word)).collect();
    let text = words.join(" ");
    if text.ends_with('\n') { text } else { text + "\n" }
}

/// The name in a producer's listing, as the rows have it.
fn producers_name(text: &str, class: Class) -> String {
    let mut text = text.trim();
    // Slot, and Mesa's letters for updates of mask and predicate.
    for _ in 0..2 {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let slot = first.len() >= 2 && b"xyzwt".contains(&first.as_bytes()[0]) && first.as_bytes()[1] == b':';
        if slot || ["M", "P", "MP"].contains(&first) {
            text = rest.trim_start();
        }
    }
    let name = text.split_whitespace().next().unwrap_or("").trim_end_matches(',');
    let name = name.strip_suffix("_SAT").unwrap_or(name);
    let place = class.place();
    match (place, name) {
        (Place::Alu, "ALU_NOP") | (Place::Flow, "CF_END" | "CF_NATIVE") => "NOP".to_owned(),
        (Place::Alu, "ASHR" | "LSHR" | "LSHL") => format!("{name}_INT"),
        (Place::Alu, "MULHI") => "MULHI_UINT".to_owned(),
        (Place::Flow, "END_LOOP") => "LOOP_END".to_owned(),
        (Place::Flow, "RET") => "RETURN".to_owned(),
        _ => name.to_owned(),
    }
}

#[test]
fn instructions_of_compilers_come_back_and_have_their_names() {
    let text = golden("vectors.tsv.zst");
    let mut count = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in text.lines().skip(1) {
        let column: Vec<&str> = line.split('\t').collect();
        let [arch, kind, hex, producer, _] = column[..] else { panic!("{line}") };
        let machine = Machine::find(arch).expect("a machine");
        let words: Vec<u32> = hex.split(' ').map(|w| u32::from_str_radix(w, 16).expect("hex")).collect();
        *count.entry(kind).or_insert(0) += 1;
        let mut printed = String::new();
        let (class, name, place) = match (kind, words[..].try_into(), words[..].try_into()) {
            ("lit", ..) => continue,
            ("cf", Ok(words), _) => {
                let inst = Inst::flow(machine, words);
                flow_text(machine, &inst, &mut printed);
                (inst.class, inst.row, Place::Flow)
            }
            ("alu", Ok(words), _) => {
                let inst = Inst::alu(machine, words);
                alu_line(machine, &inst, &mut printed);
                (inst.class, inst.row, Place::Alu)
            }
            (_, _, Ok(words)) => {
                let inst = Inst::fetch(machine, words);
                fetch_text(&inst, &mut printed);
                (inst.class, inst.row, Place::Fetch)
            }
            _ => panic!("{line}"),
        };
        let wanted = producers_name(producer, class);
        // LLVM prints EXPORT for all of its class.
        let same = name.is_some_and(|row| row.name == wanted || row.class == Class::Export && wanted == "EXPORT");
        if !same {
            wrong.push(format!("{line}: named {:?}, not {wanted}", name.map(|row| row.name)));
        }
        match assemble_line(machine, place, &printed) {
            Ok(back) if back == words => {}
            Ok(back) => wrong.push(format!("{line}: {printed}: {back:08x?}")),
            Err(fault) => wrong.push(format!("{line}: {printed}: {fault}")),
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    assert_eq!(count.values().sum::<u32>(), 7890);
}

/// Words that are near to programs: some that mean something, some that do not.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let flow = (0u32..40, prop_oneof![0u32..64, 0x20u32..0x2a], any::<u32>())
        .prop_map(|(address, code, other)| [address, code << 23 | other & 0x803f_ffff]);
    let clause = (0u32..60, 8u32..16, 0u32..20, any::<u32>()).prop_map(|(address, code, count, other)| {
        [address | other & 0xffc0_0000, 1 << 31 | code << 26 | count << 18 | other & 0x3ffff]
    });
    let any_pair = any::<[u32; 2]>();
    let pair = prop_oneof![3 => flow, 2 => clause, 4 => any_pair, 1 => Just([0; 2])];
    (prop::collection::vec(pair, 0..60), prop::option::of(any::<u32>()))
        .prop_map(|(pairs, odd)| pairs.into_iter().flatten().chain(odd).collect())
}

static LISTINGS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();

/// Where to change a text, how much of it, how, and what to write there.
fn changes() -> impl Strategy<Value = (prop::sample::Index, usize, u8, &'static str)> {
    let by = prop::sample::select(vec![
        "",
        "x",
        "0",
        "99999999999",
        "-",
        "(",
        "]",
        ", ",
        "R127.w",
        "T3",
        "KC1[31].x",
        "C[255].y",
        "4194303",
        "\n",
        ": ",
        "é",
        "1.5e9",
        "ALU:",
        "TEX: ",
        "POP",
        ".size 9",
        "ADDR(0)",
        "CNT(128)",
        " 1 ",
        "?: ",
        "RSVD=1",
    ]);
    (any::<prop::sample::Index>(), 0usize..40, 0u8..4, by)
}

/// Lines of cases, right and wrong.
fn case_lines() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "; isa: r600",
        "; isa: rv770",
        "; lanes: 5",
        "; lanes: 0",
        "; valid: 0xffffffffffffffff",
        "; registers: 3",
        "; stage: gs",
        "; scratch: 70000",
        "; scratch: 4",
        "; loop[0] = 4, -1, 1",
        "; loop[9] = 4294967295, 1",
        "; kcache[3] = [1, 2, f32 3.5]",
        "; kcache[3][64] = edges(f32)",
        "; constants = [",
        "; buffer b[16] = lane",
        "; buffer b[16] = ramp(0, 1)",
        "; bools: 0xffffffff",
        "; resource[1] = vertex(b, stride=4, format=8_8_8_8, int, signed)",
        "; resource[2] = image(b, 2d, size=2x2, format=8_8_8_8)",
        "; resource[2] = image(b, cube, size=8192x8192x8192, format=32_32_32_32_FLOAT)",
        "; semantic[7] = R3",
        "; stop: 3",
        "; R0.xyzw = random_f32(3, normal)",
        "; R127 = edges(u32)",
        "; init[rv770]: R5.y = [1, 2]",
        "; observe: f32 R0.x, killed",
        "; expect: pixel0.x = f32 1.0, ulp(3)",
        "; expect[r600]: R0 = [_, 1]",
        "; expect: trap stack_empty at 0",
        "; expect: primitives = 6",
        "; expect: ring[4] = lane",
        "; code: file \"nothing\"",
        ";; remark",
        "; source: nobody",
        "",
        "ALU:",
        "0 x: ADD R0.x, R0.x, 1.0",
        "0 x: MOV R[120+AR.x].x, R1.y",
        "TEX:",
        "VTX:",
        "VFETCH R1.xyzw, R0.x, fc1",
        "SAMPLE R1.xyzw, R0.xyzw, t2, s0",
        "NOP EOP",
        ".fetch",
        "RETURN",
        ".unchecked",
        "POP ADDR(1) POP_CNT(1)",
        "EXPORT_DONE: PIX0, R0.xyzw EOP",
        "LOOP_START ADDR(9)",
    ])
}

fn machines() -> impl Strategy<Value = Machine> {
    let chip = prop_oneof![Just(Chip::R600), Just(Chip::R700)];
    let opcodes = prop_oneof![4 => Just(Opcodes::Hardware), 1 => Just(Opcodes::Manual)];
    (chip, opcodes).prop_map(|(chip, opcodes)| Machine { chip, opcodes })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_words_come_back(machine in machines(), words in words()) {
        prop_assert_eq!(&Program::decode(machine, &words).encode(), &words);
        let (text, back) = there_and_back(machine, &words);
        prop_assert_eq!(back.as_ref(), Ok(&words), "{}", text);
    }

    /// Any words run or are refused; pieces of compilers' programs get far into the machine.
    #[test]
    fn any_program_keeps_the_laws(seed in any::<u64>(), words in words()) {
        let bytes: Vec<u8> = seed.to_le_bytes().into_iter().chain(words.iter().flat_map(|word| word.to_le_bytes())).collect();
        laws::program(&bytes);
    }

    #[test]
    fn any_case_keeps_the_laws(lines in prop::collection::vec(case_lines(), 1..12)) {
        laws::case(lines.join("\n").as_bytes());
    }

    #[test]
    fn any_instruction_comes_back(machine in machines(), words in any::<[u32; 4]>()) {
        let pair = [words[0], words[1]];
        let mut text = String::new();
        flow_text(machine, &Inst::flow(machine, pair), &mut text);
        prop_assert_eq!(assemble_line(machine, Place::Flow, &text), Ok(pair.to_vec()), "{}", text);
        text.clear();
        alu_line(machine, &Inst::alu(machine, pair), &mut text);
        prop_assert_eq!(assemble_line(machine, Place::Alu, &text), Ok(pair.to_vec()), "{}", text);
        text.clear();
        fetch_text(&Inst::fetch(machine, words), &mut text);
        prop_assert_eq!(assemble_line(machine, Place::Fetch, &text), Ok(words.to_vec()), "{}", text);
    }

    /// Listings of compilers with pieces taken out, doubled, exchanged or changed: many get far into the assembler.
    #[test]
    fn no_changed_listing_makes_the_assembler_panic(at in any::<prop::sample::Index>(), changes in prop::collection::vec(changes(), 1..6)) {
        let listings = LISTINGS.get_or_init(|| {
            programs().iter().map(|known| listing(&Program::decode(known.machine, &known.words))).collect()
        });
        let mut text: Vec<char> = at.get(listings).chars().collect();
        for (at, len, kind, by) in changes {
            let start = at.index(text.len().max(1)).min(text.len());
            let end = (start + len).min(text.len());
            let piece: Vec<char> = text[start..end].to_vec();
            match kind {
                0 => drop(text.drain(start..end)),
                1 => drop(text.splice(start..start, piece)),
                2 => drop(text.splice(start..end, by.chars())),
                _ => {
                    let line = text[start..].iter().position(|c| *c == '\n').map_or(text.len(), |n| start + n);
                    drop(text.splice(start..line, by.chars()));
                }
            }
        }
        let text: String = text.into_iter().collect();
        let done = assemble("changed", &text, Options { machine: None, auto_swizzle: true });
        prop_assert_eq!(done.words.is_none(), done.diagnostics.iter().any(|d| d.severity == Severity::Error));
        if let (Some(words), Some(machine)) = (done.words, done.machine) {
            prop_assert_eq!(there_and_back(machine, &words).1, Ok(words));
        }
    }

    #[test]
    fn no_text_makes_the_assembler_panic(lines in prop::collection::vec("[ -~]{0,40}", 0..12), arch in any::<bool>()) {
        let head = if arch { ".arch r600\n" } else { "" };
        let done = assemble("any", &format!("{head}{}", lines.join("\n")), Options::default());
        prop_assert_eq!(done.words.is_none(), done.diagnostics.iter().any(|d| d.severity == Severity::Error));
    }
}

/// What the assembler makes of a program for R600: the words, or the first message.
fn made(text: &str) -> Result<Vec<u32>, String> {
    let done = assemble("text", text, Options { machine: Some(Machine::R600), auto_swizzle: false });
    let first = done.diagnostics.first().map(|d| format!("{}:{}: {}", d.line, d.column, d.message));
    match (done.words, first) {
        (Some(words), _) => Ok(words),
        (None, first) => Err(first.unwrap_or_default()),
    }
}

#[test]
fn what_people_write_is_laid_out() {
    let text = "
        ; an absolute difference, and half of it if it is large
        ALU_PUSH_BEFORE: KCACHE0(CB1:16-31)
            0  x: add       R0.x, R0.x, -KC0[3].y
            1  x: MOV       R0.x, |PV.x|
            2  x: PRED_SETGT ____, R0.x, 10.0  UPDATE_EXEC_MASK UPDATE_PRED
        JUMP ADDR(out) POP_CNT(1)
        ALU_POP_AFTER:
            3  x: MUL/2     R0.x, R0.x, 1.0 CLAMP
               y: MOV       R0.y, 0x3f800000
               z: MOV       R0.z, -2
               w: MULADD    R0.w, R1.x, 3.5, -2.5 VEC_021
        out:
        TEX:
            4  SAMPLE       R2.xyz_, R0.xy01, t3, s2 UNNORM(xy) OFFSET(1, -2, 0) LOD_BIAS(-3)
        VTX:
            5  VFETCH       R3.xyz1, R0.x, fc160 FORMAT(32_32_32_FLOAT) MEGA(12) OFFSET(16)
        EXPORT: PARAM0, R2.xyzw BURST(2)
        EXPORT_DONE: PIX0, R0.xyz1 EOP
    ";
    let words = made(text).expect("a program");
    let listing = listing(&Program::decode(Machine::R600, &words));
    assert_eq!(
        listing,
        ".arch r600
00 ALU_PUSH_BEFORE: ADDR(7) CNT(4) KCACHE0(CB1:16-31)
     0  x: ADD            R0.x, R0.x, -KC0[3].y
     1  x: MOV            R0.x, |PV.x|
     2  x: PRED_SETGT     ____, R0.x, (0x41200000, 10.0).x UPDATE_EXEC_MASK UPDATE_PRED
01 JUMP ADDR(3) POP_CNT(1)
02 ALU_POP_AFTER: ADDR(11) CNT(6)
     3  x: MUL/2          R0.x, R0.x, 1.0 CLAMP
        y: MOV            R0.y, (0x3f800000, 1.0).x
        z: MOV            R0.z, (0xfffffffe, NaN).y
        w: MULADD         R0.w, R1.x, (0x40600000, 3.5).z, (0xc0200000, -2.5).w VEC_021
03 TEX: ADDR(18) CNT(1)
     4  SAMPLE         R2.xyz_, R0.xy01, t3, s2 UNNORM(xy) LOD_BIAS(-3) OFFSET(1, -2, 0)
04 VTX: ADDR(20) CNT(1)
     5  VFETCH         R3.xyz1, R0.x, fc160 FORMAT(32_32_32_FLOAT) MEGA(12) OFFSET(16)
05 EXPORT: PARAM0, R2.xyzw BURST(2)
06 EXPORT_DONE: PIX0, R0.xyz1 EOP
"
    );
    assert_eq!(made(&listing), Ok(words));
}

/// A clause of one group around some lines, and an end.
fn group(lines: &str) -> String {
    format!("ALU:\n 0 {lines}\nNOP EOP")
}

#[test]
fn mistakes_are_explained() {
    let cases: &[(&str, &str)] = &[
        ("JUPM ADDR(0)", "1:1: `JUPM` is no instruction of r600; did you mean `JUMP`?"),
        ("ADD R0.x, R0.x, R0.x", "1:1: `ADD` is an ALU instruction: its slot stands before it, as x: ADD"),
        (&group("x: MVO R0.x, R1.x"), "2:7: `MVO` is no ALU instruction of r600; did you mean `MOV`?"),
        (&group("x: MOV R0.y, R1.x"), "2:11: slot x writes element x, not y"),
        (&group("x: MOV R128.x, R1.x"), "2:11: registers are R0 to R127"),
        (&group("x: MOV R0.x, R1.xy"), "2:20: expected one element: x, y, z or w"),
        (&group("x: SIN R0.x, R1.x"), "2:7: SIN on r600: only slot t can do it"),
        (&group("x: LSHL_INT R0.x, R1.x, 1"), "2:7: LSHL_INT on r600: only slot t can do it"),
        (&group("t: DOT4 R0.x, R1.x, R1.x"), "2:7: DOT4 on r600: slot t can not do it"),
        (&group("t: ADD R0.x, R1.x, R1.x"), "2:4: ADD executes in slot x: t is for what only t can do"),
        (&group("x: MULADD*2 R0.x, R1.x, R1.x, R1.x"), "2:7: an instruction with three sources has no output modifier"),
        (&group("x: MULADD ____, R1.x, R1.x, R1.x"), "2:14: an instruction with three sources has no write mask"),
        (
            &group("x: MULADD R0.x, |R1.x|, R1.x, R1.x"),
            "2:20: an instruction with three sources has no absolute values",
        ),
        (&group("x: DOT4 R0.x, R1.x, R1.x"), "2:2: DOT4 takes the slots x, y, z and w"),
        (&group("x: MOV R0.x, KC0[1].x"), "2:2: KC0[1] is read, but the clause locks none of them"),
        (&group("x: MOV R[1+AR.x].x, R0.x"), "2:2: AR is read, but no group before it in this clause writes it"),
        (&group("x: ADD R[1+AR.x].x, R[0+aL].x, 1.0"), "2:24: an instruction has one index for all its operands"),
        (
            &group("x: ADD R0.x, 2.5, 3.5\n y: ADD R0.y, 4.5, 5.5\n z: MOV R0.z, 6.5"),
            "4:15: a group has four literals, and they are taken",
        ),
        (&group("x: PRED_SETE ____, R0.x, 0\n y: PRED_SETE ____, R0.x, 0"), "2:2: a group sets one predicate"),
        (
            &group("x: PRED_SETE ____, R0.x, 0\n y: KILLE ____, R0.x, 0"),
            "2:2: a group sets a predicate or kills, not both",
        ),
        (&group("x: MOV R0.x, R1.x FOO"), "2:22: `FOO` is no modifier here"),
        ("ALU: CNT(3)\n 0 x: MOV R0.x, R1.x\nNOP EOP", "1:1: CNT says 3, but 1 stand below"),
        ("ALU:\nNOP EOP", "1:1: nothing stands below ALU, and no ADDR says which clause it means"),
        ("ALU: EOP\n 0 x: MOV R0.x, R1.x", "1:6: an ALU clause has no bit for it; put NOP EOP behind it"),
        ("NOP", "1:1: the program does not end"),
        ("LOOP_START_DX10 ADDR(3)\nNOP EOP\nLOOP_END ADDR(1)", "2:1: EOP stands in a loop"),
        ("JUMP ADDR(away)\nNOP EOP", "1:11: there is no label `away`"),
        ("JUMP ADDR(77)\nNOP EOP", "1:1: ADDR is 77, where no control flow is"),
        (".stack 0\nPUSH ADDR(2)\nNOP EOP", "1:8: the program needs 1 entries of the stack"),
        ("VTX:\n 0 SAMPLE R0.xyzw, R0.xyzw, t0, s0\nNOP EOP", "2:2: SAMPLE stands in a clause of TEX"),
        (".arch rv770", "1:7: the text is for rv770, but r600 was asked for"),
        ("x: MOV R0.x, R1.x", "1:1: an ALU instruction stands below control flow that begins an ALU clause"),
    ];
    let mut wrong = Vec::new();
    for (text, wanted) in cases {
        let said = made(text).err().unwrap_or_default();
        if !said.starts_with(wanted) {
            wrong.push(format!("{text}\n{said}\nbut wanted\n{wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let nine = format!("TEX:\n{}NOP EOP", " 0 SAMPLE R0.xyzw, R0.xyzw, t0, s0\n".repeat(9));
    assert_eq!(made(&nine), Err("1:1: a clause has 1 to 8 fetches on r600, not 9".to_owned()));
    let rv770 = Options { machine: Some(Machine::RV770), auto_swizzle: false };
    assert!(assemble("nine", &nine, rv770).words.is_some());
}

/// A texture clause of nine instructions, as Mesa makes it for R700: the fourth bit of COUNT is apart from the others.
#[test]
fn long_fetch_clauses_of_r700_have_a_bit_more() {
    let mut text = String::new();
    flow_text(Machine::RV770, &Inst::flow(Machine::RV770, [0x1e, 0x8088_0000]), &mut text);
    assert_eq!(text, "TEX: ADDR(30) CNT(9)");
    text.clear();
    flow_text(Machine::R600, &Inst::flow(Machine::R600, [0x1e, 0x8088_0000]), &mut text);
    assert_eq!(text, "TEX: ADDR(30) CNT(1) RSVD=1");
}

/// Control flow behind a clause is found by the call that goes there.
#[test]
fn subroutines_are_control_flow() {
    let text = ".arch r600
00 CALL ADDR(4) CALL_CNT(1)
01 ALU: ADDR(3) CNT(1)
     0  x: MOV            R0.x, R1.x
02 NOP EOP
04 ALU: ADDR(6) CNT(1)
     1  x: MOV            R1.x, R2.x
05 RETURN
";
    let words = made(text).expect("a program");
    assert_eq!(listing(&Program::decode(Machine::R600, &words)), text);
}

/// What only one column of opcodes or one chip has.
#[test]
fn columns_differ() {
    let manual = Machine::find("r600-manual").expect("a machine");
    let jump = |machine| assemble_line(machine, Place::Flow, "JUMP ADDR(1)").map(|words| words[1] >> 23 & 63);
    assert_eq!((jump(Machine::R600), jump(manual)), (Ok(10), Ok(16)));
    let shift = |machine| assemble_line(machine, Place::Alu, "x: LSHL_INT R0.x, R0.x, 1").is_ok();
    assert_eq!((shift(Machine::R600), shift(Machine::RV770)), (false, true));
    let named = |name| Machine::R600.named(Place::Alu, name).map(|row| row.name);
    assert_eq!((named("CMOVE"), named("CNDE"), named("PRED_SETLT_INT")), (Some("CNDE"), Some("CNDE"), None));
    assert!(manual.named(Place::Alu, "PRED_SETLT_INT").is_some());
}
