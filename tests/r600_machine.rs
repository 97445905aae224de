//! What no compiler emits for R600, written by hand from the manual: each case names the section that says so. And whether mistakes that
//! are planted in the machine are noticed, by these cases or by the compilers' programs.

#[path = "r600_machine/cases.rs"]
mod cases;
#[path = "support/r600.rs"]
mod programs;
#[path = "r600_machine/ready.rs"]
mod ready;

use cases::{Case, cases};
use ready::{difference, setup, words};
use wavediff::r600::Machine;
use wavediff::r600::emu::mistakes::Mistake;
use wavediff::r600::emu::vertex::Buffer;
use wavediff::r600::emu::{Error, Fault, Primitive, Resource, Setup, Stage, Target, run};

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
    for (text, words, setup, error) in ready::faults() {
        assert_eq!(run(&words, &setup).map(|_| ()), Err(error), "{text}");
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
