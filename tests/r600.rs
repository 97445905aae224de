//! R600 and R700: the rows against the manual's list, programs and instructions of compilers against the listings of those, and laws.
//!
//! Planted and noticed: see `mistakes_are_noticed`.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use wavediff::asm::Severity;
use wavediff::isa::r600::{Chip, Class, Machine, Opcodes, Place, ROWS, Units};
use wavediff::r600::assemble::{Options, assemble, assemble_line};
use wavediff::r600::print::{alu_line, fetch_text, flow_text, listing};
use wavediff::r600::{Inst, Program};

fn golden(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/r600").join(file);
    let bytes = std::fs::read(&path).expect("a golden file");
    let text = if file.ends_with(".zst") { zstd::decode_all(bytes.as_slice()).expect("zstd") } else { bytes };
    String::from_utf8(text).expect("UTF-8")
}

struct Known {
    name: String,
    machine: Machine,
    words: Vec<u32>,
}

fn programs() -> Vec<Known> {
    let text = golden("programs.jsonl.zst");
    let one = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let words = value["words"].as_array().expect("words").iter();
        Known {
            name: value["name"].as_str().expect("a name").to_owned(),
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

    #[test]
    fn no_text_makes_the_assembler_panic(lines in prop::collection::vec("[ -~]{0,40}", 0..12), arch in any::<bool>()) {
        let head = if arch { ".arch r600\n" } else { "" };
        let done = assemble("any", &format!("{head}{}", lines.join("\n")), Options::default());
        prop_assert_eq!(done.words.is_none(), done.diagnostics.iter().any(|d| d.severity == Severity::Error));
    }
}
