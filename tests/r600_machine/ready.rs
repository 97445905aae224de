//! Cases made ready: words, what a program finds, and the first thing that is not as a case expects it. And programs that are wrong.

use super::cases::Case;
use wavediff::isa::r600::Place;
use wavediff::r600::Machine;
use wavediff::r600::assemble::{Options, assemble, assemble_line};
use wavediff::r600::emu::{Error, Fault, Outcome, Setup, Stage, Target};

/// The words of a text.
pub fn words(machine: Machine, name: &str, text: &str) -> Vec<u32> {
    let assembly = assemble(name, text, Options { machine: Some(machine), ..Options::default() });
    let said: Vec<String> = assembly.diagnostics.iter().map(ToString::to_string).collect();
    assembly.words.unwrap_or_else(|| panic!("{name}: {}", said.join("\n")))
}

/// Line after line, with no check of the whole.
fn unchecked(machine: Machine, text: &str) -> Vec<u32> {
    let line = |line: &str| {
        let place = if line.starts_with("x:") { Place::Alu } else { Place::Flow };
        assemble_line(machine, place, line).unwrap_or_else(|fault| panic!("{line}: {fault}"))
    };
    text.lines().flat_map(line).collect()
}

/// Eight lanes: R0 has the lane, the lane as a float, its lowest bit, and whether it is one of the upper four.
pub fn setup(case: &Case) -> Setup {
    let mut setup = Setup::new(case.machine, Stage::Ps, 8);
    setup.gprs.insert(0, (0..8u32).map(|lane| [lane, (lane as f32).to_bits(), lane & 1, lane >> 2]).collect());
    (case.tune)(&mut setup);
    setup
}

/// A number of an expectation: bits.
fn number(text: &str) -> Option<u32> {
    match text {
        "-" => None,
        _ if text.starts_with("0x") => Some(u32::from_str_radix(&text[2..], 16).expect("a number")),
        _ if text.contains('.') => Some(text.parse::<f32>().expect("a number").to_bits()),
        _ => Some(text.parse::<i64>().expect("a number") as u32),
    }
}

/// The first thing that is not as a case expects it.
pub fn difference(case: &Case, result: &Result<Outcome, Error>) -> Option<String> {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => return Some(error.to_string()),
    };
    for line in case.expect.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let mut parts = line.split_whitespace();
        let what = parts.next().expect("what is expected");
        let mut values: Vec<Option<u32>> = parts.map(number).collect();
        if values.len() == 1 {
            values = vec![values[0]; 8];
        }
        let (name, element) = what.split_once('.').unwrap_or((what, "x"));
        let stream = name.strip_prefix("stream").and_then(|name| name.split_once('@'));
        let element = "xyzw".find(element).expect("an element");
        for (lane, want) in values.into_iter().enumerate() {
            let exported = |target: Target| {
                let lanes = outcome.exports.get(&target)?;
                Some(lanes[lane]).filter(|e| e.mask >> element & 1 != 0).map(|e| e.words[element])
            };
            let number = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse::<u32>().ok());
            let got = if name == "killed" {
                Some((outcome.killed >> lane & 1) as u32)
            } else if let Some((stream, address)) = stream {
                exported(Target::Stream(stream.parse().expect("a stream"), address.parse().expect("an address")))
            } else if let Some(n) = number("R") {
                Some(outcome.gprs[n as usize][lane][element])
            } else if let Some(n) = number("pixel") {
                exported(Target::Pixel(n))
            } else if let Some(n) = number("param") {
                exported(Target::Parameter(n))
            } else if let Some(n) = number("scratch") {
                Some(outcome.scratch[lane][n as usize][element])
            } else if let Some(n) = number("ring") {
                outcome.ring[lane].get(&n).copied()
            } else {
                panic!("{what}")
            };
            if got != want {
                return Some(format!("{what} of lane {lane}: {got:x?}, expected {want:x?}"));
            }
        }
    }
    None
}

/// Programs that are wrong: the text, the words, what they find, what is said of them.
pub fn faults() -> Vec<(&'static str, Vec<u32>, Setup, Error)> {
    let endless = "LOOP_START_DX10 ADDR(end)\ntop:\nNOP\nLOOP_END ADDR(top)\nend:\nNOP EOP";
    let few = |setup: &mut Setup| setup.budget = 1000;
    let small = |setup: &mut Setup| setup.nstack = Some(1);
    let nothing = |_: &mut Setup| {};
    type Tune = fn(&mut Setup);
    let programs: &[(&'static str, Tune, u32, Fault)] = &[
        (endless, few, 2, Fault::Budget { budget: 1000 }),
        ("POP ADDR(1) POP_CNT(1)\nNOP EOP", nothing, 0, Fault::StackEmpty),
        ("NOP\nLOOP_BREAK ADDR(2)\nNOP EOP", nothing, 1, Fault::NoLoop),
        ("PUSH ADDR(1)\nLOOP_END ADDR(0)\nNOP EOP", nothing, 1, Fault::StackKind { found: "a push" }),
        ("PUSH ADDR(1)\nLOOP_START_DX10 ADDR(3)\nNOP EOP", small, 1, Fault::StackOverflow { used: 2, limit: 1 }),
        ("JUMP ADDR(77) COND(FALSE)\nNOP EOP", nothing, 77, Fault::Nowhere),
        ("EMIT_VERTEX\nNOP EOP", nothing, 0, Fault::Stage { what: "EMIT_VERTEX, EMIT_CUT_VERTEX or CUT_VERTEX" }),
        ("CALL_FS\nNOP EOP", nothing, 0, Fault::Stage { what: "CALL_FS" }),
        ("TEX:\nLD R1.xyzw, R0.xyzw, t5, s0\nNOP EOP", nothing, 0, Fault::NoResource { what: "image", number: 5 }),
        (
            "VTX:\nVFETCH R1.xyzw, R0.x, fc5 FORMAT(32)\nNOP EOP",
            nothing,
            0,
            Fault::NoResource { what: "buffer", number: 5 },
        ),
        ("TEX:\nGET_WEIGHTS R1.xyzw, R0.xyzw, t5, s0\nNOP EOP", nothing, 0, Fault::Unsupported { what: "GET_WEIGHTS" }),
        ("ALU: ADDR(2) CNT(1)\nNOP EOP\nx: DOT4 R1.x, R0.x, R0.x LAST", nothing, 0, Fault::NotFour { name: "DOT4" }),
        ("ALU: ADDR(2) CNT(1)\nNOP EOP\nx: MOV R1.x, KC0[0].x LAST", nothing, 0, Fault::NotLocked { number: 0 }),
        ("ALU: KCACHE0(CB3:0-15)\n0 x: MOV R1.x, KC0[0].x\nNOP EOP", nothing, 0, Fault::NoBank { bank: 3 }),
        ("TEX: ADDR(90) CNT(1)\nNOP EOP", nothing, 0, Fault::NoClause),
        ("CF_31\nNOP EOP", nothing, 0, Fault::NoInstruction { words: [0, 0x8f80_0000] }),
    ];
    let ready = programs.iter().map(|(text, tune, at, fault)| {
        let mut setup = Setup::new(Machine::R600, Stage::Ps, 8);
        tune(&mut setup);
        // What has clauses or labels is right for the assembler.
        let whole = text.contains(":\n") || text.contains("\n0 ");
        let words = if whole { words(Machine::R600, "faults", text) } else { unchecked(Machine::R600, text) };
        (*text, words, setup, Error { at: *at, fetch: false, fault: fault.clone() })
    });
    ready.collect()
}
