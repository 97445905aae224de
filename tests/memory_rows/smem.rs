//! Scalar memory: MEMORY_FACTS 3 (scalar loads) and 4, PITFALLS 12. EXEC does not matter.

use crate::chip::{Chip, s};
use crate::run::{Bench, extended, numbers};
use crate::state::{BASE, Spot, State};
use crate::table::{ATOMICS, Atomic, Moved, item};
use crate::text;
use crate::vsharp::raw;

/// A form of an offset: its text, the constant in bytes, the register.
struct Form {
    text: &'static str,
    constant: i64,
    register: Option<u32>,
    has: fn(Chip) -> bool,
}

const fn form(text: &'static str, constant: i64, register: Option<u32>, has: fn(Chip) -> bool) -> Form {
    Form { text, constant, register, has }
}

/// Up to gfx7 the constant counts words; gfx7 has a literal as well. Registers and all constants
/// from gfx8 on count bytes. Stores and atomics take M0 alone before gfx10, and s12 holds what M0
/// holds.
const FORMS: &[Form] = &[
    form("0x5", 20, None, |chip| chip.generation <= 7),
    form("0xff", 1020, None, |chip| chip.generation <= 7),
    form("0x123", 0x48c, None, |chip| chip.generation == 7),
    form("s12", 0, Some(64), |chip| chip.generation <= 11),
    form("s12", 0, Some(67), |chip| chip.generation <= 11),
    form("s12 offset:0x0", 0, Some(64), |chip| chip.generation == 12),
    form("0x14", 20, None, |chip| chip.generation >= 8),
    form("0x3fc", 1020, None, |chip| chip.generation >= 8),
    // Low bits of the constant.
    form("0x17", 0x17, None, |chip| chip.generation >= 8),
    form("-0x14", -20, None, |chip| chip.generation >= 9),
    form("s12 offset:0x40", 0x40, Some(64), |chip| chip.generation >= 9),
    form("s12 offset:-0x20", -0x20, Some(64), |chip| chip.generation >= 9),
];

/// Runs a row; whether it is one of these.
pub fn check(bench: &mut Bench, row: &str, name: &str) -> bool {
    let Some(rest) = row.strip_prefix("s_") else { return false };
    let (space, rest) = match rest.split_once('_') {
        Some(("buffer", rest)) => (Space::Buffer, rest),
        Some(("scratch", rest)) => (Space::Scratch, rest),
        _ => (Space::Pointer, rest),
    };
    if let Some(moved) = rest.strip_prefix("load_").and_then(item) {
        return each(bench, name, space, &What::Load(moved));
    }
    if let Some(moved) = rest.strip_prefix("store_").and_then(item) {
        return each(bench, name, space, &What::Store(moved));
    }
    let Some(operation) = rest.strip_prefix("atomic_") else { return false };
    let Some(atomic) = ATOMICS.iter().find(|atomic| atomic.memory.contains(&operation)) else { return false };
    each(bench, name, space, &What::Atomic(atomic, false)) && each(bench, name, space, &What::Atomic(atomic, true))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Pointer,
    Buffer,
    /// A pointer, with a register that counts 64 bytes.
    Scratch,
}

enum What<'a> {
    Load(Moved),
    Store(Moved),
    Atomic(&'a Atomic, bool),
}

/// The base in s[2:3], the descriptor in s[4:7], the register in s12, data in s20 and up.
fn each(bench: &mut Bench, name: &str, space: Space, what: &What<'_>) -> bool {
    let chip = bench.chip;
    let (size, count) = match what {
        What::Load(moved) | What::Store(moved) => (moved.bytes, moved.count),
        What::Atomic(atomic, _) => (4, atomic.bits / 32),
    };
    let words = size.div_ceil(4) * count;
    let (operands, hint) = match what {
        What::Atomic(atomic, returns) => {
            (if atomic.op.takes_two() { 2 * words } else { words }, if *returns { " glc" } else { "" })
        }
        _ => (words, ""),
    };
    let base = if space == Space::Buffer { s(4, 4) } else { s(2, 2) };
    let is_load = matches!(what, What::Load(_));
    let mut first = true;
    for form in FORMS.iter().filter(|form| (form.has)(chip)) {
        // A negative offset of a buffer is an error; two parts are for pointers too before gfx10.
        if space == Space::Buffer && form.constant < 0 {
            continue;
        }
        // An atomic wants aligned addresses.
        if matches!(what, What::Atomic(..)) && form.constant / 4 * 4 % (4 * i64::from(words)) != 0 {
            continue;
        }
        for (misalign, stride, records) in [(0, 0, 4000), (3, 0, 2000), (0, 16, 6), (0, 0, 70), (0, 0, 1030), (0, 0, 0)]
        {
            if space != Space::Buffer && (stride, records) != (0, 4000) && misalign == 0 {
                continue;
            }
            let text = format!("{name} {}, {base}, {}{hint}", s(20, operands), form.text);
            let text = match form.register {
                // Before gfx10 stores and atomics take their register from M0.
                Some(_) if !is_load && !bench.assembles(&text) => text.replace("s12", "m0"),
                _ => text,
            };
            if !bench.assembles(&text) && (form.constant < 0 || !is_load) && space != Space::Pointer {
                continue;
            }
            let pairs = if let What::Atomic(atomic, _) = what { numbers(atomic).len().pow(2) as u32 } else { 1 };
            // All pairs of numbers once, some of them with every form.
            let rounds = if std::mem::take(&mut first) { 0..pairs } else { 0..pairs.min(2) };
            for round in rounds {
                let mut state = State::new(chip);
                state.set_exec(if round.is_multiple_of(2) { 0 } else { 1 });
                let base = BASE + 256 + misalign;
                state.set_pair(2, base);
                state.s[4..8].copy_from_slice(&raw(records).words(chip));
                state.s[4] = base as u32;
                state.s[5] |= stride << 16;
                let register = form.register.unwrap_or(0) >> if space == Space::Scratch { 4 } else { 0 };
                state.s[12] = register;
                state.set_m0(register);
                if let What::Atomic(atomic, _) = what {
                    state.fill_memory(atomic);
                    deal(&mut state, atomic, round);
                }
                bench.check(&text, &state, |state| {
                    let offset = i64::from(register) << if space == Space::Scratch { 6 } else { 0 };
                    let limit =
                        if space == Space::Buffer { Some(u64::from(stride.max(1)) * u64::from(records)) } else { None };
                    perform(state, what, &spots(chip, base, form.constant, offset, size, count, limit));
                });
            }
        }
    }
    // The base is among the registers that are loaded.
    if let What::Load(moved) = what
        && space == Space::Pointer
        && moved.bytes == 4
        && moved.count > 1
    {
        let mut state = State::new(chip);
        state.set_pair(20, BASE + 16);
        bench.check(&format!("{name} {}, s[20:21], 0x0", s(20, words)), &state, |state| {
            let spots = spots(chip, BASE + 16, 0, 0, 4, words, None);
            perform(state, what, &spots);
        });
    }
    true
}

/// Where an access is. Up to gfx7 the sum of all parts loses its low bits, later each part does:
/// two bits, but for smaller loads. Of a buffer each word is judged by itself, by its offset.
fn spots(chip: Chip, base: u64, constant: i64, register: i64, size: u32, count: u32, limit: Option<u64>) -> Vec<Spot> {
    let drop = |x: i64| x - x.rem_euclid(size.min(4).into());
    // (A choice: the parts of a buffer's offset lose theirs on every generation.)
    let offset =
        if chip.generation <= 7 && limit.is_none() { constant + register } else { drop(constant) + drop(register) };
    let at =
        if chip.generation <= 7 && limit.is_none() { drop(base as i64 + offset) } else { drop(base as i64) + offset };
    let part = |n: u32| {
        let n = u64::from(n * size);
        match limit {
            Some(limit) if offset as u64 + n >= limit => vec![None; size as usize],
            _ => State::guest(at as u64 + n, size),
        }
    };
    (0..count).flat_map(part).collect()
}

fn perform(state: &mut State, what: &What<'_>, spots: &[Spot]) {
    // An atomic is done as a whole or not at all.
    let nowhere = vec![None; spots.len()];
    let spots = if matches!(what, What::Atomic(..)) && spots.contains(&None) { &nowhere } else { spots };
    let results = if let What::Atomic(atomic, true) = what { atomic.bits / 32 } else { 0 };
    if let Some(said) = state.text.clone() {
        return text::scalar(state, &said, spots, results);
    }
    match what {
        What::Load(moved) => {
            for (n, part) in spots.chunks(moved.bytes as usize).enumerate() {
                state.s[20 + n] = extended(*moved, state.read(part));
            }
        }
        What::Store(_) => {
            for (n, part) in spots.chunks(4).enumerate() {
                let x = state.s[20 + n];
                state.write(part, x.into());
            }
        }
        What::Atomic(atomic, _) => {
            let words = atomic.bits / 32;
            let operand = |at: u32| if words == 2 { state.pair(at) } else { state.s[at as usize].into() };
            let operands = (operand(20), operand(20 + words));
            let old = state.modify(atomic, false, spots, operands);
            (0..results).for_each(|n| state.s[20 + n as usize] = (old >> (32 * n)) as u32);
        }
    }
}

/// One pair of numbers a round, of all; the second operand is equal to memory in every other round.
fn deal(state: &mut State, atomic: &Atomic, round: u32) {
    let numbers = numbers(atomic);
    let count = numbers.len() as u32;
    let number = |n: u32| numbers[(n % count) as usize];
    let (data, mem) = (number(round), number(round / count));
    let size = atomic.bits as usize / 8;
    for bytes in state.bytes.chunks_exact_mut(size) {
        bytes.copy_from_slice(&mem.to_le_bytes()[..size]);
    }
    let other = if round.is_multiple_of(2) { mem } else { number(round + 1) };
    let words = size / 4;
    for (n, x) in [data, other].into_iter().enumerate().take(if atomic.op.takes_two() { 2 } else { 1 }) {
        state.s[20 + n * words] = x as u32;
        if words == 2 {
            state.s[21 + n * words] = (x >> 32) as u32;
        }
    }
}
