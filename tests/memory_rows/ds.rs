//! The data share: MEMORY_FACTS 14.

use crate::chip::{Chip, v};
use crate::run::{Bench, Placer, Registers, What, rounds};
use crate::state::{BYTES, LDS, Spot, State};
use crate::table::{ATOMICS, Atomic, Moved, Op, item};
use crate::text;

/// A register of a lane plus an offset, as a place in LDS. 32 bits wrap; gfx6 takes a negative
/// register for out of range, whatever the offset.
pub fn spots(state: &State, register: u32, offset: u32, bytes: u32) -> Vec<Spot> {
    let chip = state.chip;
    if chip.generation == 6 && register >> 31 != 0 && offset != 0 {
        return vec![None; bytes as usize];
    }
    let mut at = register.wrapping_add(offset);
    let mut limit = LDS;
    if chip.generation <= 8 {
        // Low bits are dropped, those of 16 bytes for 12 and 16; M0 is a limit.
        at -= at % bytes.next_power_of_two();
        limit = limit.min(state.m0());
    }
    within(chip, at, bytes, limit)
}

/// Bytes of LDS below a limit. What reaches beyond it is nowhere: word by word on gfx12, else as a
/// whole.
pub fn within(chip: Chip, at: u32, bytes: u32, limit: u32) -> Vec<Spot> {
    let step = if chip.generation == 12 { bytes.min(4) } else { bytes };
    let part = |first: u32| u64::from(at) + u64::from(first) + u64::from(step) <= u64::from(limit);
    (0..bytes).map(|n| part(n / step * step).then(|| BYTES + (at + n) as usize)).collect()
}

/// How lanes address LDS: v0 of a lane, the offset of the instruction, M0.
struct Pattern {
    register: fn(u32) -> u32,
    offset: u32,
    m0: u32,
    /// Of what is aligned to 16 bytes; else to nothing.
    aligned: bool,
}

const fn pattern(register: fn(u32) -> u32, offset: u32) -> Pattern {
    Pattern { register, offset, m0: u32::MAX, aligned: true }
}

const PATTERNS: &[Pattern] = &[
    pattern(|lane| lane * 16, 16),
    pattern(|lane| lane * 16, 0),
    // Negative, so that the offset makes an address of it; from gfx7 on it does.
    pattern(|lane| (lane * 16).wrapping_sub(0xff00), 0xff00),
    // Across the end.
    pattern(|lane| LDS - 128 + lane * 8, 8),
    Pattern { aligned: false, ..pattern(|lane| LDS - 40 + lane * 4, 4) },
    // Lanes share addresses.
    pattern(|lane| lane % 4 * 16 + 256, 8),
    // A limit up to gfx8, else nothing.
    Pattern { m0: 200, ..pattern(|lane| lane * 16, 0) },
    Pattern { aligned: false, ..pattern(|lane| lane * 19 + 5, 1) },
];

const R: Registers = Registers { data: 16, data1: 20, dst: 8 };

/// Runs a row; whether it is one of these.
pub fn check(bench: &mut Bench, row: &str, name: &str) -> bool {
    let Some(rest) = row.strip_prefix("ds_") else { return false };
    if let Some(moved) = rest.strip_prefix("read_").and_then(item) {
        return one(bench, name, What::Load(moved), moved.total());
    }
    if let Some(moved) = rest.strip_prefix("write_").and_then(item) {
        return one(bench, name, What::Store(moved), moved.total());
    }
    match rest {
        "read_addtid_b32" => return addtid(bench, name, What::Load(word())),
        "write_addtid_b32" => return addtid(bench, name, What::Store(word())),
        "append" => return append(bench, name, 1),
        "consume" => return append(bench, name, -1),
        "swizzle_b32" => return crate::exchange::swizzle(bench, name),
        "permute_b32" => return crate::exchange::permute(bench, name),
        "bpermute_b32" => return crate::exchange::bpermute(bench, name, false),
        "bpermute_fi_b32" => return crate::exchange::bpermute(bench, name, true),
        _ => {}
    }
    for (start, stride) in [("2_", 1), ("2st64_", 64)] {
        let bits = |what: &str| match rest.strip_prefix(what)?.strip_prefix(start)? {
            "b32" | "rtn_b32" => Some(32),
            "b64" | "rtn_b64" => Some(64),
            _ => None,
        };
        if let Some(bits) = bits("read") {
            return two(bench, name, Two::Read, bits, stride);
        }
        if let Some(bits) = bits("write") {
            return two(bench, name, Two::Write, bits, stride);
        }
        if let Some(bits) = bits("wrxchg") {
            return two(bench, name, Two::Exchange, bits, stride);
        }
    }
    for atomic in ATOMICS {
        let (stem, ty) = atomic.ds;
        for returns in [false, true] {
            let middle = if returns { "_rtn" } else { "" };
            if rest == format!("{stem}{middle}_{ty}") {
                return one(bench, name, What::Atomic { atomic, returns }, atomic.bits / 8);
            }
        }
        if rest == format!("{stem}_src2_{ty}") {
            return source(bench, name, atomic);
        }
    }
    false
}

fn word() -> Moved {
    item("b32").expect("a word")
}

/// An instruction with one address.
fn one(bench: &mut Bench, name: &str, what: What<'_>, bytes: u32) -> bool {
    let chip = bench.chip;
    let count = bytes.div_ceil(4);
    let patterns = PATTERNS
        .iter()
        .enumerate()
        .flat_map(|(n, pattern)| chip.files_if(n == 0).iter().map(move |file| (n, pattern, *file)));
    for (n, pattern, file) in patterns {
        let r = R.within(file);
        let atomic = if let What::Atomic { atomic, .. } = what { Some(atomic) } else { None };
        // From gfx9 on a misaligned atomic is an error.
        if atomic.is_some() && !pattern.aligned && chip.generation >= 9 {
            continue;
        }
        let offset = if pattern.offset == 0 { String::new() } else { format!(" offset:{}", pattern.offset) };
        let texts: &[String] = &match what {
            // The second load overwrites its own address.
            What::Load(_) => [r.dst, 0].map(|dst| format!("{name} {}, v0{offset}", v(dst, count))).to_vec(),
            What::Store(_) => vec![format!("{name} v0, {}{offset}", v(r.data, count))],
            What::Atomic { atomic, returns } => {
                let second = if atomic.op.takes_two() { format!(", {}", v(r.data1, count)) } else { String::new() };
                let dst = if returns { format!("{}, ", v(r.dst, count)) } else { String::new() };
                vec![format!("{name} {dst}v0, {}{second}{offset}", v(r.data, count))]
            }
        };
        let place: &Placer<'_> = &|state, lane| spots(state, state.v(0, lane), pattern.offset, bytes);
        let rounds = if n < 1 { atomic.map_or(1, |atomic| rounds(chip, atomic)) } else { 1 };
        for round in 0..rounds {
            let mut state = State::new(chip);
            state.fill(0, pattern.register);
            state.set_m0(pattern.m0);
            state.shuffle(u64::from(round));
            if let Some(atomic) = atomic {
                state.fill_memory(atomic);
                state.deal(atomic, r, round, place);
            }
            let masks = chip.masks_if(n == 0 && round == 0);
            let modes: &[u32] = if atomic.is_some_and(|a| a.op.is_float()) && n == 0 {
                &[0b1100, 0b1111, 0, 0b0101]
            } else {
                &[0b1100]
            };
            for (text, dst) in texts.iter().zip([r.dst, 0]) {
                for (mask, denormals) in masks.iter().flat_map(|mask| modes.iter().map(move |mode| (*mask, *mode))) {
                    state.set_exec(mask);
                    state.denormals = denormals;
                    bench.check(text, &state, |state| state.perform(what, Registers { dst, ..r }, true, place));
                }
            }
        }
    }
    true
}

/// M0[15:0], the offset, four bytes a lane; no register, and M0 is no limit.
fn addtid(bench: &mut Bench, name: &str, what: What<'_>) -> bool {
    let chip = bench.chip;
    for (m0, offset) in [(0xffff_0010, 8), (1024, 0), (LDS - 64, 4)] {
        let register = if matches!(what, What::Load(_)) { R.dst } else { R.data };
        let mut state = State::new(chip);
        state.set_m0(m0);
        for mask in chip.masks() {
            state.set_exec(mask);
            bench.check(&format!("{name} v{register} offset:{offset}"), &state, |state| {
                if let Some(said) = state.text.clone() {
                    // The text finds the place itself, also beyond the end.
                    let share: Vec<Spot> = (0..LDS).flat_map(|word| within(chip, 4 * word, 4, LDS)).collect();
                    for lane in state.lanes() {
                        text::at(state, &said, what, R, lane, (0, &share), offset);
                    }
                    return;
                }
                let place: &Placer<'_> = &|_, lane| within(chip, (m0 & 0xffff) + offset + lane * 4, 4, LDS);
                state.perform(what, R, true, place);
            });
        }
    }
    true
}

/// Once a wave: the number of its active lanes is added or subtracted, and all of them get what was
/// there. M0 is added where it may be a pointer: inside LDS, a multiple of four. (LLVM passes one, ACO
/// leaves anything.)
fn append(bench: &mut Bench, name: &str, sign: i64) -> bool {
    let chip = bench.chip;
    for (m0, offset) in [(u32::MAX, 16), (64, 8), (66, 8), (LDS, 4), (0, 0)] {
        let mut state = State::new(chip);
        state.set_m0(m0);
        for mask in chip.masks() {
            state.set_exec(mask);
            let offset_text = if offset == 0 { String::new() } else { format!(" offset:{offset}") };
            bench.check(&format!("{name} v8{offset_text}"), &state, |state| {
                if mask == 0 {
                    return;
                }
                let base = if m0 < LDS && m0.is_multiple_of(4) { m0 } else { 0 };
                let spots = within(chip, base + offset, 4, LDS);
                let old = state.read(&spots);
                state.write(&spots, old.wrapping_add_signed(sign * i64::from(mask.count_ones())));
                for lane in state.lanes() {
                    state.set_v(8, lane, old as u32);
                }
            });
        }
    }
    true
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Two {
    Read,
    Write,
    Exchange,
}

/// Two addresses: offsets count elements, or 64 of them. Where they are equal there is one access,
/// the first; its result is both.
fn two(bench: &mut Bench, name: &str, what: Two, bits: u32, stride: u32) -> bool {
    let chip = bench.chip;
    let (size, words) = (bits / 8, bits / 32);
    let distances: &[(u32, u32)] =
        if stride == 64 { &[(0, 1), (2, 1), (1, 1), (3, 0)] } else { &[(0, 1), (3, 1), (7, 7), (255, 2)] };
    type Register = fn(u32) -> u32;
    let registers: [(Register, u32, bool); 5] = [
        (|lane| lane * 16, u32::MAX, true),
        (|lane| lane * 24, 700, true),
        (|lane| lane * 19 + 5, u32::MAX, false),
        (|lane| (lane * 8).wrapping_sub(16), u32::MAX, true),
        (|lane| lane % 8 * 16, u32::MAX, true),
    ];
    for (offset0, offset1) in distances {
        for (n, (register, m0, aligned)) in registers.iter().enumerate() {
            if what == Two::Exchange && !aligned && chip.generation >= 9 {
                continue;
            }
            let offsets = [offset0, offset1].map(|offset| offset * stride * size);
            let data = format!("{}, {}", v(R.data, words), v(R.data1, words));
            let operands = match what {
                Two::Read => format!("{}, v0", v(R.dst, 2 * words)),
                Two::Write => format!("v0, {data}"),
                Two::Exchange => format!("{}, v0, {data}", v(R.dst, 2 * words)),
            };
            let text = format!("{name} {operands} offset0:{offset0} offset1:{offset1}");
            let mut state = State::new(chip);
            state.fill(0, register);
            state.set_m0(*m0);
            for mask in chip.masks_if(n == 0) {
                state.set_exec(mask);
                bench.check(&text, &state, |state| {
                    for lane in state.lanes() {
                        let base = state.v(0, lane);
                        let places = offsets.map(|offset| spots(state, base, offset, size));
                        let same = offsets[0] == offsets[1];
                        if let Some(said) = state.text.clone().filter(|_| !same) {
                            let results = if what == Two::Write { 0 } else { 2 * words };
                            let offsets = [(*offset0, offsets[0]), (*offset1, offsets[1])];
                            text::two(state, &said, R, lane, (offsets, &places), results);
                            continue;
                        }
                        let mut old = [0; 2];
                        for second in [false, true] {
                            let place = &places[usize::from(second)];
                            if same && second {
                                old[1] = old[0];
                                continue;
                            }
                            old[usize::from(second)] = state.read(place);
                            if what != Two::Read {
                                let at = if second { R.data1 } else { R.data };
                                let new = if bits == 64 { state.v64(at, lane) } else { state.v(at, lane).into() };
                                state.write(place, new);
                            }
                        }
                        if what != Two::Write {
                            for n in 0..2 * words {
                                let word = old[(n / words) as usize] >> (32 * (n % words));
                                state.set_v(R.dst + n, lane, word as u32);
                            }
                        }
                    }
                });
            }
        }
    }
    true
}

/// `src2`: the data is what lies some words from the first address. SI_NOTES: a signed distance of
/// 15 bits, or, where the offset's upper bit is set, that in bits 31:17 of the register, of which
/// bits 16:0 are the address then.
fn source(bench: &mut Bench, name: &str, atomic: &Atomic) -> bool {
    let chip = bench.chip;
    let size = atomic.bits / 8;
    let masks = chip.masks();
    for (n, offset) in [8u32, 0x7ffa, 0x8000, 40].into_iter().enumerate() {
        let mut state = State::new(chip);
        state.fill_memory(atomic);
        state.fill(0, |lane| {
            let at = (lane * 16 + 256) % LDS;
            // A distance of 6 words forward or 8 back.
            if offset == 0x8000 {
                at | if lane.is_multiple_of(2) { 6 << 17 } else { 8u32.wrapping_neg() << 17 }
            } else {
                at
            }
        });
        let modes: &[u32] = if atomic.op.is_float() { &[0b1100, 0b1111] } else { &[0b1100] };
        for (mask, mode) in
            masks.iter().take(if n == 0 { 5 } else { 1 }).flat_map(|mask| modes.iter().map(move |mode| (*mask, *mode)))
        {
            state.set_exec(mask);
            state.denormals = mode;
            bench.check(&format!("{name} v0 offset:{offset}"), &state, |state| {
                for lane in state.lanes() {
                    let register = state.v(0, lane);
                    let (at, words) = if offset >> 15 != 0 {
                        (register & 0x1_ffff, register as i32 >> 17)
                    } else {
                        (register, if offset & 0x4000 != 0 { offset as i32 - 0x8000 } else { offset as i32 })
                    };
                    let from = spots(state, at.wrapping_add_signed(4 * words), 0, size);
                    let to = spots(state, at, 0, size);
                    if let Some(said) = state.text.clone() {
                        text::source(state, &said, (register, offset, 4 * words), (&to, &from));
                        continue;
                    }
                    let data = state.read(&from);
                    state.modify(atomic, true, &to, (data, 0));
                }
            });
        }
    }
    assert!(!matches!(atomic.op, Op::CmpSwap | Op::FCmpSwap));
    true
}
