//! What must hold of R600 and R700 whatever the input: bytes become a program or a case, and a broken law panics.
//!
//! As [`laws`](crate::laws) for the other machines: property tests and fuzz targets call these.

use super::case::Case;
use super::emu::vertex::{Buffer, Element};
use super::emu::{LoopConstant, Resource, Setup, Stage, run, watched};
use super::print::listing;
use super::{Machine, Program, assemble};

/// Instructions that a program may execute.
const BUDGET: u64 = 4096;
const STAGES: [Stage; 6] = [Stage::Ps, Stage::Vs, Stage::Es, Stage::Gs, Stage::Dc, Stage::Fs];

/// A program: its words come back from the model and from its text, and it ends in an outcome or an error, the same whether it
/// is watched or not.
///
/// # Panics
/// A law is broken.
pub fn program(data: &[u8]) {
    let (head, words) = data.split_at(data.len().min(8));
    let seed = head.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
    let words: Vec<u32> = words.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    let machine = if seed & 1 == 0 { Machine::R600 } else { Machine::RV770 };
    let decoded = Program::decode(machine, &words);
    assert_eq!(decoded.encode(), words, "the model loses words");
    let text = listing(&decoded);
    let options = assemble::Options { machine: Some(machine), ..assemble::Options::default() };
    let again = assemble::assemble("listing", &text, options);
    assert_eq!(again.words.as_deref(), Some(&words[..]), "the text loses words\n{text}");

    let mut setup = Setup::new(machine, STAGES[(seed >> 1) as usize % STAGES.len()], 1 + (seed >> 4) as u32 % 64);
    setup.budget = BUDGET;
    setup.valid = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    setup.bools = (seed >> 10) as u32;
    setup.ngpr = (seed >> 16) as u32 % 129;
    setup.nstack = (seed >> 24 & 1 != 0).then_some((seed >> 25) as u32 & 3);
    setup.last_is_trans = seed >> 28 & 1 != 0;
    setup.scratch = (seed >> 32) as u32 & 7;
    setup.reduction = (seed >> 36) as u32 & 7;
    for n in 0..4 {
        setup.gprs.insert(n, (0..64).map(|lane| [lane, (lane as f32).to_bits(), seed as u32, n]).collect());
        setup.loops.insert(n, LoopConstant { count: n + 1, first: n as i32 - 1, step: 1 });
        setup.banks.insert(n, words.iter().copied().take(64).collect());
    }
    let format = Some(Element { data: (seed >> 40) as u32 & 63, ..Element::default() });
    for n in 0..8 {
        let bytes = data.to_vec();
        setup.resources.insert(n, Resource::Buffer(Buffer { bytes, stride: (seed >> 48) as u32 & 31, format }));
    }
    setup.fetch = words.iter().copied().take(8).collect();
    let plain = run(&words, &setup);
    let mut steps = 0;
    let seen = watched(&words, &setup, &mut |_| steps += 1);
    assert_eq!(plain, seen, "who looks on changes what comes of it");
    if let Ok(outcome) = plain {
        assert_eq!(outcome.steps, steps, "not every instruction is seen");
    }
}

/// The text of a case: it is one, and then the same comes back from what is printed, or it is refused with a text.
///
/// # Panics
/// A law is broken.
pub fn case(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Case::parse(text, "case") {
        Ok(case) => {
            let printed = case.to_string();
            let again = Case::parse(&printed, "case");
            assert_eq!(again.as_ref(), Ok(&case), "another case comes back:\n{printed}");
            for machine in &case.machines {
                if let Ok(ready) = case.ready(*machine) {
                    let setup = Setup { budget: ready.setup.budget.min(BUDGET), ..ready.setup };
                    let _ = case.check(*machine, &run(&ready.words, &setup));
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error without a text"),
    }
}
