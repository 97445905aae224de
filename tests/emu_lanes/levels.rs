//! The kernels of all levels against each other, bit for bit: every vector form, in the modes that have kernels of their own and in another.
//!
//! The plainest level computes floats in integers where there are others, so this also compares the host's floats with those. Whether a kernel
//! uses the host's floats is decided for all lanes at once; so most waves have only ordinary numbers, whatever the type they are read as.
//!
//! A debug build has one level, and nothing to compare.

use super::coverage::{filled, table};
use super::machine::{Machine, machines};
use super::thorough::tries;

use wavediff::emu::kernel::{Level, STRIDE};
use wavediff::emu::wave::{Wave, file};
use wavediff::isa::form::Form;
use wavediff::isa::row::Family;
use wavediff::laws::Chance;

/// Default, denormals flushed and kept; kept, IEEE off; other roundings, one for f32 and another for the rest, with denormals flushed on one side
/// or on both; overflow that saturates.
const MODES: [u32; 9] = [0x3c0, 0x3f0, 0x0f0, 0x0c0, 0x3f5, 0x0fb, 0x3de, 0x0af, 0x80_03f0];

/// Words at the edges of types.
const EDGES: [u32; 16] = [
    0,
    1,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
    0x0080_0000,
    0x0080_0001,
    0x007f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f7f_ffff,
    0x3f80_0000,
    0x7c00_03ff,
    0x0400_8400,
    0x8001_7bff,
];

/// A state of a wave.
#[derive(Clone, Copy)]
struct State {
    seed: u64,
    mode: u32,
    exec: u64,
    /// What words there are: ordinary ones, some at the edges, any.
    wild: u32,
}

impl State {
    fn word(self, chance: &mut Chance) -> u32 {
        let v = chance.next_u64();
        let (v, choice) = (v as u32, v >> 32);
        // As an f32 and as the upper half of an f64 between 1 and 2, or its negative; the lower half as an f16 below 2.
        let ordinary = v & 0x800f_bfff | 0x3f80_0000;
        match self.wild {
            0 => ordinary,
            1 if choice % 64 == 0 => EDGES[(choice >> 8) as usize % EDGES.len()],
            1 => ordinary,
            _ => v,
        }
    }

    fn set(self, wave: &mut Wave) {
        let mut chance = Chance::new(self.seed);
        for cell in &wave.file[..file::AGPR as usize] {
            cell.set(self.word(&mut chance));
        }
        for word in &mut wave.s[..126] {
            *word = self.word(&mut chance);
        }
        wave.set_exec(self.exec);
        wave.set_mode(self.mode);
    }
}

/// What a wave has when it has stopped.
fn left(wave: &Wave) -> (Vec<u32>, Vec<u32>) {
    (wave.file[..file::AGPR as usize].iter().map(|cell| cell.get()).collect(), wave.s[..128].to_vec())
}

fn compare(machine: Machine, levels: &[Level], form: &Form, words: &[u32], state: State) -> Option<String> {
    let results: Vec<_> = levels.iter().map(|l| left(&machine.run_at(*l, words, |wave| state.set(wave)))).collect();
    let (first, rest) = results.split_first()?;
    let (level, other) = levels[1..].iter().zip(rest).find(|(_, other)| *other != first)?;
    let at = first.0.iter().zip(&other.0).position(|(a, b)| a != b);
    let what = match at {
        Some(at) => format!("v{}, lane {}: {:#x}, {:#x}", at / STRIDE, at % STRIDE, first.0[at], other.0[at]),
        None => format!("scalars {:x?}, {:x?}", first.1, other.1),
    };
    let state = format!("mode {:#x}, exec {:#x}", state.mode, state.exec);
    Some(format!("{} {words:08x?} on {machine:?}, {state}: {:?} and {level:?}: {what}", form.name, levels[0]))
}

fn levels(names: &[&str]) {
    let levels: Vec<Level> = Level::all().collect();
    if levels.len() == 1 {
        return;
    }
    let mut chance = Chance::new(11);
    let mut wrong = Vec::new();
    let mut compared = 0;
    for machine in machines(names) {
        let table = table(machine);
        let computes = |form: &&Form| {
            use Family::*;
            matches!(form.row.family, Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Vinterp)
        };
        for form in table.forms.iter().filter(computes) {
            for n in 0..tries(6, 16) {
                let Some(words) = filled(table, form, &mut chance) else { continue };
                let exec = if n % 4 == 3 { chance.next_u64() } else { u64::MAX };
                let wild = [0, 0, 1, 0, 0, 2][n % 6];
                let state = State { seed: chance.next_u64(), mode: MODES[n % MODES.len()], exec, wild };
                wrong.extend(compare(machine, &levels, form, &words, state));
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared}");
    assert!(wrong.is_empty(), "{} of {compared}:\n{:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
}

#[test]
fn gcn() {
    levels(&["gfx600", "gfx803", "gfx900"]);
}

#[test]
fn cdna() {
    levels(&["gfx90a", "gfx942"]);
}

#[test]
fn rdna() {
    levels(&["gfx1030", "gfx1100", "gfx1200"]);
}
