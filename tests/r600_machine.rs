//! What no compiler emits for R600, written by hand from the manual: each case names the section that says so. And whether mistakes that
//! are planted in the machine are noticed, by these cases or by the compilers' programs.

#[path = "r600_machine/cases.rs"]
mod cases;
#[path = "r600_machine/groups.rs"]
mod groups;
#[path = "support/r600.rs"]
mod programs;

use cases::{Case, cases};
use wavediff::isa::r600::Place;
use wavediff::r600::Machine;
use wavediff::r600::assemble::{Options, assemble, assemble_line};
use wavediff::r600::emu::mistakes::Mistake;
use wavediff::r600::emu::vertex::Buffer;
use wavediff::r600::emu::{Error, Fault, Outcome, Primitive, Resource, Setup, Stage, Target, run};

fn words(machine: Machine, name: &str, text: &str) -> Vec<u32> {
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
fn setup(case: &Case) -> Setup {
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
fn difference(case: &Case, result: &Result<Outcome, Error>) -> Option<String> {
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

#[test]
fn cases_leave_what_the_manual_says() {
    let mut wrong = Vec::new();
    for case in cases() {
        let words = words(case.machine, case.name, case.text);
        if let Some(difference) = difference(&case, &run(&words, &setup(&case))) {
            wrong.push(format!("{} ({}): {difference}", case.name, case.section));
        }
    }
    println!("{} cases", cases().len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong with a program is said, with its place.
#[test]
fn what_is_wrong_is_said() {
    let endless = "LOOP_START_DX10 ADDR(end)\ntop:\nNOP\nLOOP_END ADDR(top)\nend:\nNOP EOP";
    let few = |setup: &mut Setup| setup.budget = 1000;
    let small = |setup: &mut Setup| setup.nstack = Some(1);
    let nothing = |_: &mut Setup| {};
    type Tune = fn(&mut Setup);
    let programs: &[(&str, Tune, u32, Fault)] = &[
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
    for (text, tune, at, fault) in programs {
        let mut setup = Setup::new(Machine::R600, Stage::Ps, 8);
        tune(&mut setup);
        // What has clauses or labels is right for the assembler.
        let whole = text.contains(":\n") || text.contains("\n0 ");
        let words = if whole { words(Machine::R600, "faults", text) } else { unchecked(Machine::R600, text) };
        let result = run(&words, &setup);
        assert_eq!(result.map(|_| ()), Err(Error { at: *at, fetch: false, fault: fault.clone() }), "{text}");
    }
    for lanes in [0, 65] {
        let result = run(&[0, 0x8020_0000], &Setup::new(Machine::R600, Stage::Ps, lanes));
        assert_eq!(result.map(|_| ()), Err(Error { at: 0, fetch: false, fault: Fault::LaneCount { lanes } }));
    }
}

/// Words at random: whatever they are, a run ends with an outcome or an error.
#[test]
fn random_words_do_no_harm() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let kept = programs::load();
    for n in 0..4000 {
        let machine = if next() & 1 == 0 { Machine::R600 } else { Machine::RV770 };
        let stage = [Stage::Ps, Stage::Vs, Stage::Gs, Stage::Es, Stage::Fs][(next() % 5) as usize];
        let mut setup = Setup::new(machine, stage, 1 + (next() % 64) as u32);
        setup.budget = 500;
        setup.scratch = 4;
        let words: Vec<u32> = match kept.get(n % kept.len().max(1)) {
            // A program of a compiler with some bits turned.
            Some(program) if next() & 3 != 0 => {
                setup = program.setup.clone();
                setup.budget = 500;
                let mut words = program.words.clone();
                for _ in 0..1 + next() % 4 {
                    let at = (next() % words.len() as u64) as usize;
                    words[at] ^= 1 << (next() % 32);
                }
                words
            }
            _ => (0..2 + next() % 60).map(|_| next() as u32).collect(),
        };
        let _ = run(&words, &setup);
    }
}

/// The three programs of a geometry shader, as Mesa makes them: vertices go through the rings and come out as the source says
/// (`gl_Position` as it is, `o0` with its elements in reverse).
#[test]
fn vertices_go_through_a_geometry_shader() {
    let all = programs::load();
    let mut count = 0;
    for gs in all.iter().filter(|program| program.test == "gs_tri" && program.setup.stage == Stage::Gs) {
        let find = |end: &str| all.iter().find(|program| program.name == format!("{}.{end}", gs.name));
        let (Some(es), Some(copy)) = (find("es"), find("gscopy")) else { continue };
        // Three vertices: numbers 2, 3, 4 with an attribute each.
        let attribute = |v: u32| std::array::from_fn(|n| ((10 * v + n as u32) as f32).to_bits());
        let mut setup = es.setup.clone();
        setup.lanes = 3;
        setup.gprs.insert(0, (2..5).map(|v| [v, 0, 0, 0]).collect());
        setup.gprs.insert(1, (2..5).map(attribute).collect());
        let vertices = run(&es.words, &setup).expect("an outcome");

        let ring = |lanes: &[std::collections::BTreeMap<u32, u32>], size: u32| {
            let mut bytes = vec![0; lanes.len() * size as usize * 4];
            for (lane, words) in lanes.iter().enumerate() {
                for (address, word) in words {
                    let at = (lane as u32 * size + address) as usize * 4;
                    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
                }
            }
            Resource::Buffer(Buffer { bytes, stride: 4, format: None })
        };
        let mut setup = gs.setup.clone();
        setup.lanes = 1;
        setup.gprs.insert(0, vec![[0, 8, 0, 16]]);
        setup.resources.insert(17, ring(&vertices.ring, 8));
        let primitives = run(&gs.words, &setup).expect("an outcome");
        let said: Vec<Primitive> = primitives.primitives[0].iter().copied().filter(|p| *p == Primitive::Emit).collect();
        assert_eq!(said.len(), 3, "{}", gs.name);
        assert_eq!(primitives.primitives[0].last(), Some(&Primitive::Cut), "{}", gs.name);

        let mut setup = copy.setup.clone();
        setup.lanes = 3;
        setup.gprs.insert(0, vec![[0, 0, 0, 0], [8, 0, 0, 0], [16, 0, 0, 0]]);
        setup.resources.insert(17, ring(&primitives.ring, 24));
        let done = run(&copy.words, &setup).expect("an outcome");
        for v in 0..3u32 {
            let x = ((v + 2) as f32 * 2.0 + 1.0) * 0.0625 - 1.0;
            let [a, b, c, d] = attribute(v + 2);
            let (position, parameter) = (Target::Position(60), Target::Parameter(0));
            assert_eq!(done.exports[&position][v as usize].words, [x.to_bits(), 0, 0, 0x3f80_0000], "{}", gs.name);
            assert_eq!(done.exports[&parameter][v as usize].words, [d, c, b, a], "{}", gs.name);
        }
        count += 1;
    }
    println!("{count} geometry shaders with the programs before and behind them");
    assert!(count > 0);
}

/// Every mistake is noticed; which evidence notices it is printed.
#[test]
fn mistakes_are_noticed() {
    if !cfg!(debug_assertions) {
        println!("skipped: mistakes are planted in debug builds");
        return;
    }
    let compiled = programs::load();
    let ready = cases().into_iter().map(|case| (case, words(case.machine, case.name, case.text)));
    let ready: Vec<(Case, Vec<u32>)> = ready.collect();
    let mut missed = Vec::new();
    for &mistake in Mistake::ALL {
        let by_programs = compiled.iter().filter(|program| program.agrees).filter(|program| {
            let setup = Setup { mistake: Some(mistake), budget: 20_000, ..program.setup.clone() };
            program.difference(&run(&program.words, &setup)).is_some()
        });
        let by_programs = by_programs.count();
        let by_cases: Vec<&str> = ready
            .iter()
            .filter(|(case, words)| {
                let setup = Setup { mistake: Some(mistake), budget: 20_000, ..setup(case) };
                difference(case, &run(words, &setup)).is_some()
            })
            .map(|(case, _)| case.name)
            .collect();
        println!("{mistake:?}: {by_programs} programs, cases: {}", by_cases.join(", "));
        if by_programs == 0 && by_cases.is_empty() {
            missed.push(mistake);
        }
    }
    println!("{} mistakes", Mistake::ALL.len());
    assert_eq!(missed, []);
}
