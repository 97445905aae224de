//! Flat, global and scratch memory: MEMORY_FACTS 6, 13 and 14.

use crate::chip::{Chip, s, v};
use crate::ds;
use crate::run::{Bench, Placer, Registers, What, extended, rounds};
use crate::state::{BASE, LDS, PRIVATE, SHARED, Spot, State};
use crate::table::{ATOMICS, Moved, item};
use crate::text;

/// Data in v[16:], its second operand behind it; results in v[8:].
fn registers(what: What<'_>) -> Registers {
    let second = if let What::Atomic { atomic, .. } = what { atomic.bits / 32 } else { 0 };
    Registers { data: 16, data1: 16 + second, dst: 8 }
}

/// A form of an address.
struct Form {
    /// The text of the vector address, and of the scalar one where there is one.
    address: &'static str,
    saddr: &'static str,
    offset: i32,
    /// Whether every address is aligned to 16 bytes.
    aligned: bool,
    /// Whether it reaches LDS.
    shared: bool,
    setup: fn(&mut State, i32),
    place: fn(&State, u32, i32, u32) -> Vec<Spot>,
    /// Whether a processor has it.
    has: fn(Chip) -> bool,
}

/// FLAT: offsets of gfx9 and later are positive.
const fn flat(setup: fn(&mut State, i32)) -> Form {
    Form {
        address: "v[2:3]",
        saddr: "",
        offset: 0,
        aligned: true,
        shared: false,
        setup,
        place: anywhere,
        has: |_| true,
    }
}

/// Where a flat address of a lane is. The upper half of the register alone says which memory; the
/// offset is added then.
fn anywhere(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    let register = state.v64(2, lane);
    let at = register.wrapping_add_signed(offset.into());
    match register >> 32 << 32 {
        SHARED if state.chip.generation == 12 => ds::spots(state, at as u32 & 0x1_ffff, 0, bytes),
        SHARED => ds::spots(state, at as u32, 0, bytes),
        PRIVATE => state.private(at as u32, lane, bytes),
        _ => State::guest(at, bytes),
    }
}

fn from_gfx9(chip: Chip) -> bool {
    chip.generation >= 9
}

const FLAT: &[Form] = &[
    flat(|state, _| state.fill64(2, |lane| BASE + 64 + u64::from(lane) * 16)),
    Form { offset: 16, has: from_gfx9, ..flat(|state, _| state.fill64(2, |lane| BASE + u64::from(lane) * 16)) },
    // The largest offset of gfx10; an offset of 12 bits everywhere else.
    Form {
        offset: 0x7f0,
        has: from_gfx9,
        ..flat(|state, o| state.fill64(2, |lane| BASE - o as u64 + 0x800 + u64::from(lane) * 16))
    },
    Form {
        offset: -64,
        has: |chip| chip.generation == 12,
        ..flat(|state, _| state.fill64(2, |lane| BASE + 64 + u64::from(lane) * 16))
    },
    Form { aligned: false, ..flat(|state, _| state.fill64(2, |lane| BASE + 5 + u64::from(lane) * 19)) },
    // LDS, across its end.
    Form {
        shared: true,
        ..flat(|state, _| state.fill64(2, |lane| SHARED + u64::from(LDS) - 256 + u64::from(lane) * 8))
    },
    Form {
        shared: true,
        offset: 8,
        has: from_gfx9,
        ..flat(|state, _| state.fill64(2, |lane| SHARED + u64::from(lane) * 16))
    },
    Form { shared: true, aligned: false, ..flat(|state, _| state.fill64(2, |lane| SHARED + 3 + u64::from(lane) * 19)) },
    // The memory is that of the register, even where the offset leads out of the aperture; 32 bits
    // are left.
    Form { shared: true, offset: 24, has: from_gfx9, ..flat(|state, _| state.fill64(2, |_| SHARED + 0xffff_fff8)) },
    // gfx12 has 17 bits of an address in LDS.
    Form { shared: true, ..flat(|state, _| state.fill64(2, |lane| SHARED + 0x2_0000 + u64::from(lane) * 16)) },
];

/// FLAT on scratch memory, which atomics have not.
const FLAT_PRIVATE: &[Form] = &[
    flat(|state, _| state.fill64(2, |lane| PRIVATE + 16 + u64::from(lane % 4) * 8)),
    Form { offset: 12, has: from_gfx9, ..flat(|state, _| state.fill64(2, |lane| PRIVATE + u64::from(lane % 5) * 4)) },
    Form { aligned: false, ..flat(|state, _| state.fill64(2, |lane| PRIVATE + 5 + u64::from(lane % 7))) },
    // Every lane elsewhere.
    Form {
        shared: true,
        ..flat(|state, _| {
            state.fill64(2, |lane| [BASE + 64, SHARED, PRIVATE][lane as usize % 3] + u64::from(lane % 4) * 16)
        })
    },
];

/// Where a global address of a lane is: 64 bits of registers, or a scalar pair and 32 bits without
/// a sign.
fn global(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    State::guest(state.v64(2, lane).wrapping_add_signed(offset.into()), bytes)
}

fn with_saddr(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    let at = state.pair(10).wrapping_add(state.v(4, lane).into());
    State::guest(at.wrapping_add_signed(offset.into()), bytes)
}

const fn vector(setup: fn(&mut State, i32)) -> Form {
    Form {
        address: "v[2:3]",
        saddr: "off",
        offset: 0,
        aligned: true,
        shared: false,
        setup,
        place: global,
        has: |_| true,
    }
}

const fn scalar(setup: fn(&mut State, i32)) -> Form {
    Form { address: "v4", saddr: "s[10:11]", place: with_saddr, ..vector(setup) }
}

const GLOBAL: &[Form] = &[
    vector(|state, _| state.fill64(2, |lane| BASE + u64::from(lane) * 16)),
    Form { offset: -64, ..vector(|state, _| state.fill64(2, |lane| BASE + 64 + u64::from(lane) * 16)) },
    Form { offset: 2032, ..vector(|state, _| state.fill64(2, |lane| BASE + 16 - 2032 + u64::from(lane) * 16)) },
    Form { offset: -2048, ..vector(|state, _| state.fill64(2, |lane| BASE + 2048 + u64::from(lane) * 16)) },
    Form { aligned: false, ..vector(|state, _| state.fill64(2, |lane| BASE + 3 + u64::from(lane) * 19)) },
    // Lanes share addresses.
    vector(|state, _| state.fill64(2, |lane| BASE + u64::from(lane % 3) * 16)),
    Form {
        offset: -8,
        ..scalar(|state, _| {
            state.set_pair(10, BASE + 8);
            state.fill(4, |lane| lane * 16);
        })
    },
    // Beyond 31 bits, which are no sign.
    scalar(|state, _| {
        state.set_pair(10, BASE - 0x9000_0000);
        state.fill(4, |lane| 0x9000_0000 + lane * 16);
    }),
];

/// Where a private address of a lane is: what there is of registers, and the offset, 32 bits that
/// wrap.
fn private(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    state.private(state.v(4, lane).wrapping_add_signed(offset), lane, bytes)
}

fn private_scalar(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    state.private(state.s[10].wrapping_add_signed(offset), lane, bytes)
}

fn private_both(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    let at = state.v(4, lane).wrapping_add(state.s[10]);
    state.private(at.wrapping_add_signed(offset), lane, bytes)
}

fn private_neither(state: &State, lane: u32, offset: i32, bytes: u32) -> Vec<Spot> {
    state.private(offset as u32, lane, bytes)
}

const fn own(setup: fn(&mut State, i32)) -> Form {
    Form { address: "v4", place: private, ..vector(setup) }
}

const SCRATCHES: &[Form] = &[
    own(|state, _| state.fill(4, |lane| 4 + lane % 3 * 4)),
    Form { offset: 20, ..own(|state, _| state.fill(4, |lane| lane % 4 * 4)) },
    Form { offset: -8, ..own(|state, _| state.fill(4, |lane| 12 + lane % 4 * 4)) },
    Form { aligned: false, ..own(|state, _| state.fill(4, |lane| 3 + lane % 9)) },
    Form { address: "off", saddr: "s10", offset: 8, place: private_scalar, ..own(|state, _| state.s[10] = 20) },
    Form {
        saddr: "s10",
        offset: 4,
        place: private_both,
        has: |chip| chip.is("gfx940") || chip.generation >= 11,
        ..own(|state, _| {
            state.s[10] = 8;
            state.fill(4, |lane| lane % 4 * 4);
        })
    },
    Form {
        address: "off",
        offset: 16,
        place: private_neither,
        has: |chip| chip.is("gfx940") || chip.generation >= 10,
        ..own(|_, _| ())
    },
];

/// Runs a row; whether it is one of these.
pub fn check(bench: &mut Bench, row: &str, name: &str) -> bool {
    let Some((family, rest)) = row.split_once('_') else { return false };
    let forms: Vec<&[Form]> = match family {
        "flat" => vec![FLAT, FLAT_PRIVATE],
        "global" => vec![GLOBAL],
        "scratch" => vec![SCRATCHES],
        _ => return false,
    };
    if let Some(rest) = rest.strip_prefix("load_lds_") {
        return match (rest, item(rest)) {
            ("addtid_b32", _) => addtid_to_lds(bench, name),
            (_, Some(moved)) => to_lds(bench, name, moved, forms[0], false),
            _ => false,
        };
    }
    for (prefix, loads) in [("load_", true), ("store_", false)] {
        let Some(rest) = rest.strip_prefix(prefix) else { continue };
        return match (rest, item(rest)) {
            ("dword_addtid", _) => addtid(bench, name, loads),
            ("block", _) => block(bench, name, loads, forms[0]),
            (_, Some(moved)) => {
                // gfx10 says with a bit of ordinary loads that the data goes to LDS.
                let may_be_lds = bench.chip.generation == 10 && family != "flat" && moved.count == 1;
                if loads && may_be_lds && !rest.contains("d16") {
                    to_lds(bench, name, moved, forms[0], true);
                }
                let what = |moved| if loads { What::Load(moved) } else { What::Store(moved) };
                forms.iter().for_each(|forms| each(bench, name, what(moved), moved.total(), forms));
                true
            }
            _ => false,
        };
    }
    let Some(operation) = rest.strip_prefix("atomic_") else { return false };
    let Some(atomic) = ATOMICS.iter().find(|atomic| atomic.memory.contains(&operation)) else { return false };
    for returns in [false, true] {
        // It has no other form.
        if returns || operation != "csub" {
            each(bench, name, What::Atomic { atomic, returns }, atomic.bits / 8, forms[0]);
        }
    }
    true
}

fn offset_text(offset: i32) -> String {
    if offset == 0 { String::new() } else { format!(" offset:{offset}") }
}

/// Runs a row with every form of address that there is.
fn each(bench: &mut Bench, name: &str, what: What<'_>, bytes: u32, forms: &[Form]) {
    let chip = bench.chip;
    let atomic = if let What::Atomic { atomic, .. } = what { Some(atomic) } else { None };
    let forms =
        forms.iter().enumerate().flat_map(|(n, form)| chip.files_if(n == 0).iter().map(move |file| (n, form, *file)));
    for (n, form, file) in forms {
        let r = registers(what).within(file);
        if !(form.has)(chip) || atomic.is_some() && !form.aligned {
            continue;
        }
        let saddr = if form.saddr.is_empty() { String::new() } else { format!(", {}", form.saddr) };
        let (address, offset) = (form.address, offset_text(form.offset));
        let words = bytes.div_ceil(4);
        let texts = match what {
            // The second one overwrites its own address.
            What::Load(_) if address.starts_with('v') => [r.dst, if address == "v4" { 4 } else { 2 }]
                .map(|dst| (dst, format!("{name} {}, {address}{saddr}{offset}", v(dst, words))))
                .to_vec(),
            What::Load(_) => vec![(r.dst, format!("{name} {}, {address}{saddr}{offset}", v(r.dst, words)))],
            What::Store(_) => vec![(r.dst, format!("{name} {address}, {}{saddr}{offset}", v(r.data, words)))],
            What::Atomic { atomic, returns } => {
                let data = v(r.data, if atomic.op.takes_two() { 2 * words } else { words });
                let (dst, hint) =
                    if returns { (format!("{}, ", v(r.dst, words)), chip.returning()) } else { Default::default() };
                vec![(r.dst, format!("{name} {dst}{address}, {data}{saddr}{offset} {hint}"))]
            }
        };
        let place: &Placer<'_> = &|state, lane| (form.place)(state, lane, form.offset, bytes);
        let floats = atomic.is_some_and(|a| a.op.is_float());
        for round in 0..if n == 0 { atomic.map_or(1, |atomic| rounds(chip, atomic)) } else { 1 } {
            let mut state = State::new(chip);
            state.shuffle(u64::from(round));
            (form.setup)(&mut state, form.offset);
            if let Some(atomic) = atomic {
                state.fill_memory(atomic);
                state.deal(atomic, r, round, place);
            }
            let masks = chip.masks_if(n < 2 && round == 0);
            let modes: &[u32] = if floats { &[0b1100, 0b1111, 0b0001] } else { &[0b1100] };
            for (dst, text) in &texts {
                for (mask, denormals) in masks.iter().flat_map(|mask| modes.iter().map(move |mode| (*mask, *mode))) {
                    state.set_exec(mask);
                    state.denormals = denormals;
                    bench.check(text, &state, |state| {
                        for lane in state.lanes() {
                            let spots = place(state, lane);
                            let in_lds = state.v64(2, lane) >> 32 << 32 == SHARED && form.shared;
                            state.perform_lane(what, Registers { dst: *dst, ..r }, in_lds, lane, &spots);
                        }
                    });
                }
            }
        }
    }
}

/// Loads to LDS: each lane's word at M0[15:0], the offset, and four bytes a lane. M0 is no limit
/// then.
fn to_lds(bench: &mut Bench, name: &str, moved: Moved, forms: &[Form], by_modifier: bool) -> bool {
    let chip = bench.chip;
    for form in forms.iter().filter(|form| (form.has)(chip)) {
        for m0 in [0xabcd_0040u32, LDS - 40] {
            let lds = if by_modifier { " lds" } else { "" };
            let text = format!("{name} {}, {}{}{lds}", form.address, form.saddr, offset_text(form.offset));
            let mut state = State::new(chip);
            (form.setup)(&mut state, form.offset);
            state.set_m0(m0);
            for mask in chip.masks() {
                state.set_exec(mask);
                bench.check(&text, &state, |state| {
                    for lane in state.lanes() {
                        let word = extended(moved, state.read(&(form.place)(state, lane, form.offset, moved.bytes)));
                        let at = (m0 & 0xffff).wrapping_add_signed(form.offset).wrapping_add(lane * 4);
                        state.write(&ds::within(chip, at, 4, LDS), word.into());
                    }
                });
            }
        }
    }
    true
}

/// A scalar pair, the offset, and four bytes a lane.
fn addtid(bench: &mut Bench, name: &str, loads: bool) -> bool {
    let chip = bench.chip;
    let moved = item("b32").expect("a word");
    for offset in [0, 64, -16] {
        let mut state = State::new(chip);
        state.set_pair(10, BASE + 32);
        let register = if loads { 8 } else { 16 };
        for mask in chip.masks() {
            state.set_exec(mask);
            bench.check(&format!("{name} v{register}, s[10:11]{}", offset_text(offset)), &state, |state| {
                let what = if loads { What::Load(moved) } else { What::Store(moved) };
                let place: &Placer<'_> =
                    &|_, lane| State::guest((BASE + 32 + u64::from(lane) * 4).wrapping_add_signed(offset.into()), 4);
                if let Some(said) = state.text.clone() {
                    for lane in state.lanes() {
                        let spots = place(state, lane);
                        text::at(state, &said, what, registers(what), lane, (text::ADDRESS + 4 * lane, &spots), 0);
                    }
                    return;
                }
                state.perform(what, registers(what), false, place);
            });
        }
    }
    true
}

/// The same, to LDS.
fn addtid_to_lds(bench: &mut Bench, name: &str) -> bool {
    let chip = bench.chip;
    for offset in [0, 16] {
        let mut state = State::new(chip);
        state.set_pair(10, BASE + 32);
        state.set_m0(0x100);
        for mask in chip.masks() {
            state.set_exec(mask);
            bench.check(&format!("{name} {}{}", s(10, 2), offset_text(offset)), &state, |state| {
                for lane in state.lanes() {
                    let word = state.read(&State::guest(BASE + 32 + u64::from(lane) * 4 + offset as u64, 4));
                    state.write(&ds::within(chip, 0x100 + offset as u32 + lane * 4, 4, LDS), word);
                }
            });
        }
    }
    true
}

/// Blocks of 32 words, of which M0 has a bit each; those left out keep their place in memory and
/// registers.
fn block(bench: &mut Bench, name: &str, loads: bool, forms: &[Form]) -> bool {
    let chip = bench.chip;
    for form in forms.iter().filter(|form| form.aligned && (form.has)(chip)) {
        for m0 in [u32::MAX, 0x8000_0001, 0, 0xa5a5_0ff0] {
            let saddr = form.saddr;
            let offset = offset_text(form.offset);
            let text = if loads {
                format!("{name} v[12:43], {}, {saddr}{offset}", form.address)
            } else {
                format!("{name} {}, v[12:43], {saddr}{offset}", form.address)
            };
            let mut state = State::new(chip);
            (form.setup)(&mut state, form.offset);
            state.set_m0(m0);
            for mask in chip.masks() {
                state.set_exec(mask);
                bench.check(&text, &state, |state| {
                    for lane in state.lanes() {
                        let spots = (form.place)(state, lane, form.offset, 128);
                        for n in (0..32).filter(|n| m0 >> n & 1 != 0) {
                            let word = &spots[4 * n..4 * n + 4];
                            let register = 12 + n as u32;
                            if loads {
                                let x = state.read(word);
                                state.set_v(register, lane, x as u32);
                            } else {
                                let x = state.v(register, lane);
                                state.write(word, x.into());
                            }
                        }
                    }
                });
            }
        }
    }
    true
}
