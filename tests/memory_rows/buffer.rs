//! Buffers without formats, and what all buffer instructions have in common: the forms of their
//! addresses.

use crate::chip::{Chip, v};
use crate::ds::within;
use crate::run::{Bench, Placer, Registers, What, extended, rounds};
use crate::state::{BASE, LDS, State};
use crate::table::{ATOMICS, Moved, item};
use crate::vsharp::{Ask, Vsharp, aligned, raw};

/// A form of an address: registers in v0 and v1, the scalar offset in s8, the descriptor in s[4:7].
#[derive(Clone, Copy)]
pub struct Form {
    pub index: Option<fn(u32) -> u32>,
    pub offset: Option<fn(u32) -> u32>,
    pub instruction: u32,
    pub soffset: u32,
    pub descriptor: Vsharp,
    /// Whether every address is aligned to 8 bytes.
    pub aligned: bool,
    /// Whether the bytes of an access follow each other.
    pub contiguous: bool,
    pub has: fn(Chip) -> bool,
}

const fn form(descriptor: Vsharp) -> Form {
    Form {
        index: None,
        offset: None,
        instruction: 0,
        soffset: 0,
        descriptor,
        aligned: true,
        contiguous: true,
        has: |_| true,
    }
}

/// A buffer of records.
const fn records(stride: u32, records: u32, oob: u32) -> Vsharp {
    Vsharp { stride, oob, ..raw(records) }
}

const fn swizzled(stride: u32, count: u32, oob: u32) -> Vsharp {
    Vsharp { swizzle: 1, index_stride: 1, ..records(stride, count, oob) }
}

/// Both registers.
const fn both(descriptor: Vsharp, instruction: u32, soffset: u32) -> Form {
    Form { index: Some(|lane| lane / 2), offset: Some(|lane| lane % 4 * 8), instruction, soffset, ..form(descriptor) }
}

const fn by_offset(descriptor: Vsharp, offset: fn(u32) -> u32) -> Form {
    Form { offset: Some(offset), ..form(descriptor) }
}

fn from_gfx10(chip: Chip) -> bool {
    chip.generation >= 10
}

/// The forms. Of those that are in range on some processors only, all lanes stay in memory.
pub const FORMS: &[Form] = &[
    // All in range.
    Form { instruction: 16, soffset: 32, ..by_offset(raw(4000), |lane| lane * 16) },
    Form { instruction: 24, soffset: 8, ..form(raw(1000)) },
    // Across the end, with and without a scalar offset; behind it.
    Form { instruction: 8, ..by_offset(raw(512), |lane| lane * 16) },
    Form { instruction: 8, soffset: 64, ..by_offset(raw(500), |lane| lane * 8) },
    Form { soffset: 800, ..by_offset(raw(512), |lane| lane * 16) },
    // A negative offset register, which the offset of the instruction makes positive.
    Form { instruction: 64, ..by_offset(raw(512), |lane| (lane * 8).wrapping_sub(32)) },
    // Misaligned.
    Form { aligned: false, instruction: 1, soffset: 2, ..by_offset(raw(700), |lane| lane * 13 + 2) },
    Form { aligned: false, ..by_offset(raw(255), |lane| 230 + lane) },
    // Records.
    Form { index: Some(|lane| lane), instruction: 8, soffset: 16, ..form(records(24, 20, 0)) },
    both(records(24, 20, 0), 0, 16),
    both(records(24, 20, 1), 8, 0),
    both(records(24, 1, 2), 8, 0),
    both(records(24, 0, 2), 8, 0),
    both(records(24, 300, 3), 8, 0),
    by_offset(records(24, 20, 0), |lane| lane * 8),
    by_offset(records(32, 20, 1), |lane| lane * 8),
    // Swizzled.
    Form { contiguous: false, ..both(swizzled(32, 20, 0), 4, 16) },
    Form { contiguous: false, ..both(swizzled(40, 20, 1), 4, 0) },
    Form { contiguous: false, ..both(swizzled(32, 20, 3), 8, 0) },
    Form { contiguous: false, has: from_gfx10, ..both(swizzled(0, 700, 3), 8, 4) },
    Form { contiguous: false, ..both(Vsharp { element: 2, swizzle: 1, ..swizzled(64, 20, 0) }, 4, 0) },
    Form {
        contiguous: false,
        has: |chip| chip.generation >= 11,
        ..both(Vsharp { swizzle: 3, ..swizzled(64, 20, 0) }, 4, 0)
    },
    // The lane's number is the index.
    Form {
        contiguous: false,
        ..by_offset(Vsharp { add_tid: true, index_stride: 3, ..swizzled(0, u32::MAX, 3) }, |lane| lane % 5 * 4)
    },
    form(Vsharp { add_tid: true, ..records(16, 4000, 1) }),
    // No buffer at all; one that is not checked on gfx9.
    by_offset(Vsharp { null: true, ..raw(0) }, |lane| lane * 4),
    by_offset(raw(0), |lane| lane * 16),
    // As above where the offset wraps, but swizzled: up to gfx8 that is out of range.
    Form {
        contiguous: false,
        instruction: 32,
        ..both(swizzled(64, 20, 0), 0, 0).with_offset(|lane| (lane * 4).wrapping_sub(16))
    },
    // 18 bits of a stride, so that the first lane alone is in range.
    Form {
        has: |chip| matches!(chip.generation, 8 | 9),
        ..form(Vsharp { add_tid: true, ..records(0x4000, 0x1000, 1) })
    },
];

impl Form {
    const fn with_offset(self, offset: fn(u32) -> u32) -> Form {
        Form { offset: Some(offset), ..self }
    }

    /// The text of the address and what follows it.
    pub fn text(self) -> (String, String) {
        let (address, bits) = match (self.index, self.offset) {
            (None, None) => ("off", ""),
            (Some(_), None) => ("v0", " idxen"),
            (None, Some(_)) => ("v0", " offen"),
            (Some(_), Some(_)) => ("v[0:1]", " idxen offen"),
        };
        let offset = if self.instruction == 0 { String::new() } else { format!(" offset:{}", self.instruction) };
        (address.to_owned(), format!("{bits}{offset}"))
    }

    /// Fills the registers of the address.
    pub fn setup(self, state: &mut State) {
        for (register, x) in (0..).zip([self.index, self.offset].into_iter().flatten()) {
            state.fill(register, x);
        }
        state.s[8] = self.soffset;
        state.s[4..8].copy_from_slice(&self.descriptor.words(state.chip));
    }

    /// What a lane asks for. Registers are read, for loads overwrite them.
    pub fn ask(self, state: &State, lane: u32, component: u32, count: u32, together: bool) -> Ask {
        let second = u32::from(self.index.is_some());
        Ask {
            index: self.index.map(|_| state.v(0, lane)),
            offset: self.offset.map_or(0, |_| state.v(second, lane)),
            instruction: self.instruction,
            soffset: self.soffset,
            lane,
            component,
            count,
            together,
        }
    }
}

const R: Registers = Registers { data: 16, data1: 0, dst: 8 };

/// Runs a row; whether it is one of these.
pub fn check(bench: &mut Bench, row: &str, name: &str) -> bool {
    let Some(rest) = row.strip_prefix("buffer_") else { return false };
    if rest.contains("format_") {
        return crate::formats::check(bench, row, name);
    }
    let chip = bench.chip;
    if rest == "store_lds_dword" {
        return from_lds(bench, name);
    }
    if let Some(moved) = rest.strip_prefix("load_lds_").and_then(item) {
        return to_lds(bench, name, moved, "");
    }
    if let Some((moved, load)) = rest.strip_prefix("load_").and_then(|load| Some((item(load)?, load))) {
        if chip.generation <= 10 && moved.count == 1 && !load.contains("d16") {
            to_lds(bench, name, moved, " lds");
        }
        status(bench, name, moved);
        return each(bench, name, What::Load(moved), moved.bytes, moved.count);
    }
    if let Some(moved) = rest.strip_prefix("store_").and_then(item) {
        return each(bench, name, What::Store(moved), moved.bytes, moved.count);
    }
    let Some(operation) = rest.strip_prefix("atomic_") else { return false };
    let Some(atomic) = ATOMICS.iter().find(|atomic| atomic.memory.contains(&operation)) else { return false };
    for returns in [false, true] {
        if returns || operation != "csub" {
            each(bench, name, What::Atomic { atomic, returns }, 4, atomic.bits / 32);
        }
    }
    true
}

/// Runs a row with every form.
fn each(bench: &mut Bench, name: &str, what: What<'_>, component: u32, count: u32) -> bool {
    let chip = bench.chip;
    let atomic = if let What::Atomic { atomic, .. } = what { Some(atomic) } else { None };
    let forms =
        FORMS.iter().enumerate().flat_map(|(n, form)| chip.files_if(n == 0).iter().map(move |file| (n, form, *file)));
    for (n, form, file) in forms {
        let fits = form.aligned && (form.contiguous || count == 1);
        if !(form.has)(chip) || atomic.is_some() && !fits {
            continue;
        }
        let (address, rest) = form.text();
        let words = component.div_ceil(4) * count;
        // The result of an atomic replaces its data.
        let (r, data, hint) = match what {
            What::Load(_) => (R.within(file), v(R.dst + file, words), ""),
            What::Store(_) => (R.within(file), v(R.data + file, words), ""),
            What::Atomic { atomic, returns } => {
                let all = if atomic.op.takes_two() { 2 * words } else { words };
                let r = Registers { data: 16, data1: 16 + words, dst: 16 }.within(file);
                (r, v(r.data, all), if returns { chip.returning() } else { "" })
            }
        };
        let mut texts = vec![(r.dst, format!("{name} {data}, {address}, s[4:7], s8{rest} {hint}"))];
        if matches!(what, What::Load(_)) && address.starts_with('v') {
            texts.push((0, format!("{name} {}, {address}, s[4:7], s8{rest}", v(0, words))));
        }
        let place: &Placer<'_> = &|state, lane| {
            let ask = form.ask(state, lane, component, count, atomic.is_some());
            form.descriptor.spots(chip, ask)
        };
        let floats = atomic.is_some_and(|a| a.op.is_float());
        for round in 0..if n == 0 { atomic.map_or(1, |atomic| rounds(chip, atomic)) } else { 1 } {
            let mut state = State::new(chip);
            state.shuffle(u64::from(round));
            form.setup(&mut state);
            if let Some(atomic) = atomic {
                state.fill_memory(atomic);
                state.deal(atomic, r, round, place);
            }
            let masks = chip.masks_if(n == 0 && round == 0 || n == 2);
            let modes: &[u32] = if floats && n == 0 { &[0b1100, 0b1111, 0b0001] } else { &[0b1100] };
            for (dst, text) in &texts {
                for (mask, denormals) in masks.iter().flat_map(|mask| modes.iter().map(move |mode| (*mask, *mode))) {
                    state.set_exec(mask);
                    state.denormals = denormals;
                    bench.check(text, &state, |state| state.perform(what, Registers { dst: *dst, ..r }, false, place));
                }
            }
        }
    }
    if matches!(chip.generation, 6 | 7) {
        each_pointer(bench, name, what, component, count);
    }
    true
}

/// ADDR64 of gfx6 and gfx7: a 64-bit register more, and no check.
fn each_pointer(bench: &mut Bench, name: &str, what: What<'_>, component: u32, count: u32) {
    let chip = bench.chip;
    let words = component.div_ceil(4) * count;
    let (r, data, hint) = match what {
        What::Load(_) => (R, v(R.dst, words), ""),
        What::Store(_) => (R, v(R.data, words), ""),
        What::Atomic { atomic, returns } => {
            let all = if atomic.op.takes_two() { 2 * words } else { words };
            (Registers { data: 16, data1: 16 + words, dst: 16 }, v(16, all), if returns { "glc" } else { "" })
        }
    };
    let text = format!("{name} {data}, v[2:3], s[4:7], s8 addr64 offset:40 {hint}");
    let step = if matches!(what, What::Atomic { .. }) { 16 } else { 17 };
    let place: &Placer<'_> = &|state, lane| {
        let at = BASE.wrapping_add(state.v64(2, lane)) + 40 + 8;
        let part = |n: u32| State::guest(aligned(chip, at, component) + u64::from(n * component), component);
        (0..count).flat_map(part).collect()
    };
    let mut state = State::new(chip);
    state.s[8] = 8;
    state.s[4..8].copy_from_slice(&raw(0).words(chip));
    // Both signs.
    state.fill64(2, |lane| {
        if lane.is_multiple_of(2) { u64::from(lane * step) } else { u64::from(lane * step).wrapping_sub(32) }
    });
    if let What::Atomic { atomic, .. } = what {
        state.fill_memory(atomic);
        state.deal(atomic, r, 0, place);
    }
    for mask in [chip.all(), 0xff00_ff0f_0000_1111] {
        state.set_exec(mask);
        bench.check(&text, &state, |state| state.perform(what, r, false, place));
    }
}

/// With TFE a word follows the data: zero, for everything is resident.
fn status(bench: &mut Bench, name: &str, moved: Moved) {
    let chip = bench.chip;
    let registers = moved.bytes.div_ceil(4) * moved.count;
    let form = FORMS[0];
    let (address, rest) = form.text();
    let text = format!("{name} {}, {address}, s[4:7], s8{rest} tfe", v(8, registers + 1));
    if !bench.assembles(&text) {
        return;
    }
    let mut state = State::new(chip);
    form.setup(&mut state);
    state.set_exec(chip.masks()[4]);
    bench.check(&text, &state, |state| {
        for lane in state.lanes() {
            let spots = form.descriptor.spots(chip, form.ask(state, lane, moved.bytes, moved.count, false));
            state.load(moved, 8, lane, &spots);
            state.set_v(8 + registers, lane, 0);
        }
    });
}

/// Where the word of lane 0 goes in LDS: M0[15:0], and from gfx9 on the offset of the instruction.
pub fn start(state: &State, form: Form) -> u32 {
    (state.m0() & 0xffff) + if state.chip.generation >= 9 { form.instruction } else { 0 }
}

/// A word a lane to LDS; what is out of range is zero there.
fn to_lds(bench: &mut Bench, name: &str, moved: Moved, modifier: &str) -> bool {
    let chip = bench.chip;
    for form in FORMS.iter().filter(|form| (form.has)(chip)) {
        let (address, rest) = form.text();
        let text = format!("{name} {address}, s[4:7], s8{rest}{modifier}");
        for m0 in [0x7fff_0040, LDS - 60] {
            let mut state = State::new(chip);
            form.setup(&mut state);
            state.set_m0(m0);
            for mask in [chip.all(), chip.masks()[2]] {
                state.set_exec(mask);
                bench.check(&text, &state, |state| {
                    for lane in state.lanes() {
                        let spots = form.descriptor.spots(chip, form.ask(state, lane, moved.bytes, 1, false));
                        let word = extended(moved, state.read(&spots));
                        let to = within(chip, start(state, *form) + lane * 4, 4, LDS);
                        state.write(&to, word.into());
                    }
                });
            }
        }
    }
    true
}

/// The other way round, without registers for the address.
fn from_lds(bench: &mut Bench, name: &str) -> bool {
    let chip = bench.chip;
    let lanes = Vsharp { add_tid: true, ..records(16, 4000, 1) };
    for form in [Form { instruction: 8, soffset: 4, ..form(lanes) }, Form { instruction: 12, ..form(raw(64)) }] {
        let (_, rest) = form.text();
        let mut state = State::new(chip);
        form.setup(&mut state);
        state.set_m0(0x10_0100);
        for mask in chip.masks() {
            state.set_exec(mask);
            bench.check(&format!("{name} s[4:7], s8{rest} lds"), &state, |state| {
                for lane in state.lanes() {
                    let word = state.read(&within(chip, start(state, form) + lane * 4, 4, LDS));
                    let spots = form.descriptor.spots(chip, form.ask(state, lane, 4, 1, false));
                    state.write(&spots, word);
                }
            });
        }
    }
    true
}
