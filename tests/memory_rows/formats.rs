//! Buffers with formats: MEMORY_FACTS 5. Quotients are those of IEEE division, floats are converted
//! by LLVM's software floats.

use crate::buffer::{FORMS, Form, start};
use crate::chip::{Chip, v};
use crate::ds::within;
use crate::run::Bench;
use crate::state::{LDS, Random, Spot, State};
use crate::text;
use crate::vsharp::Vsharp;
use rustc_apfloat::ieee::{Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Unorm,
    Snorm,
    Uscaled,
    Sscaled,
    Uint,
    Sint,
    Float,
}

/// A format: `dfmt | nfmt << 4`, its numbers on gfx10 and on gfx11, the bits of its fields from the
/// lowest, what they are.
struct Format(u32, u32, u32, &'static [u32], Kind);

const FORMATS: &[Format] = &[
    Format(10, 56, 42, &[8, 8, 8, 8], Kind::Unorm),
    Format(10 | 2 << 4, 58, 44, &[8, 8, 8, 8], Kind::Uscaled),
    Format(10 | 5 << 4, 61, 47, &[8, 8, 8, 8], Kind::Sint),
    Format(5 | 1 << 4, 24, 24, &[16, 16], Kind::Snorm),
    Format(5 | 3 << 4, 26, 26, &[16, 16], Kind::Sscaled),
    Format(5 | 7 << 4, 29, 29, &[16, 16], Kind::Float),
    Format(9, 50, 36, &[10, 10, 10, 2], Kind::Unorm),
    Format(9 | 4 << 4, 54, 40, &[10, 10, 10, 2], Kind::Uint),
    Format(6 | 7 << 4, 36, 30, &[11, 11, 10], Kind::Float),
    Format(1 | 4 << 4, 5, 5, &[8], Kind::Uint),
    Format(2 | 5 << 4, 12, 12, &[16], Kind::Sint),
    Format(4 | 7 << 4, 22, 22, &[32], Kind::Float),
    Format(12 | 7 << 4, 71, 57, &[16, 16, 16, 16], Kind::Float),
    Format(14 | 4 << 4, 75, 61, &[32, 32, 32, 32], Kind::Uint),
];

impl Format {
    fn number(&self, chip: Chip) -> u32 {
        match chip.generation {
            10 => self.1,
            11 | 12 => self.2,
            _ => self.0,
        }
    }

    fn bytes(&self) -> u32 {
        self.3.iter().sum::<u32>() / 8
    }

    fn is_integer(&self) -> bool {
        matches!(self.4, Kind::Uint | Kind::Sint)
    }

    /// The bytes that are judged by themselves, and how many of those for some components: a packed
    /// element is judged as one, else the components that are moved are judged (a choice).
    fn judged(&self, components: u32) -> (u32, u32) {
        let first = self.3[0];
        if self.3.iter().all(|bits| *bits == first) && first.is_multiple_of(8) {
            (first / 8, components.min(self.3.len() as u32))
        } else {
            (self.bytes(), 1)
        }
    }

    /// The bytes of the element of a lane. Those beyond what is judged are there as well.
    fn spots(&self, chip: Chip, form: Form, d: Vsharp, state: &State, lane: u32, components: u32) -> Option<Vec<Spot>> {
        let (component, count) = self.judged(components);
        let spots = d.spots(chip, form.ask(state, lane, component, count, true));
        let mut first = spots[0]?;
        // Low bits are dropped where formats must be aligned.
        if !matches!(chip.generation, 7..=9) {
            first -= first % self.bytes().min(4) as usize;
        }
        Some((first..first + self.bytes() as usize).map(Some).collect())
    }

    /// The fields of an element.
    fn fields(&self, element: u128) -> Vec<u64> {
        let mut at = 0;
        let field = |bits: &u32| {
            let x = element >> at & ((1 << bits) - 1);
            at += bits;
            x as u64
        };
        self.3.iter().map(field).collect()
    }

    /// The four components of an element, as registers.
    fn load(&self, element: u128) -> [u32; 4] {
        let fields = self.fields(element);
        std::array::from_fn(|n| fields.get(n).map_or(0, |x| loaded(self.4, self.3[n], *x)))
    }

    /// The element of four registers.
    fn store(&self, components: [u32; 4]) -> u128 {
        let mut at = 0;
        self.3.iter().zip(components).fold(0, |all, (bits, x)| {
            let field = u128::from(stored(self.4, *bits, x)) << at;
            at += bits;
            all | field
        })
    }
}

fn to_single(x: u64) -> Single {
    let mut loses = false;
    Half::from_bits(x.into()).convert(&mut loses).value
}

fn to_half(x: u32, round: Round) -> u32 {
    let mut loses = false;
    let half: Half = Single::from_bits(x.into()).convert_r(round, &mut loses).value;
    half.to_bits() as u32
}

/// A field, as a register.
fn loaded(kind: Kind, bits: u32, x: u64) -> u32 {
    let signed = (x << (64 - bits)) as i64 >> (64 - bits);
    let all = ((1u64 << bits) - 1) as f32;
    match (kind, bits) {
        (Kind::Unorm, _) => (x as f32 / all).to_bits(),
        (Kind::Snorm, _) => (signed as f32 / ((1u64 << (bits - 1)) - 1) as f32).max(-1.0).to_bits(),
        (Kind::Uscaled, _) => (x as f32).to_bits(),
        (Kind::Sscaled, _) => (signed as f32).to_bits(),
        (Kind::Uint, _) => x as u32,
        (Kind::Sint, _) => signed as u32,
        (Kind::Float, 32) => x as u32,
        (Kind::Float, 16) => to_single(x).to_bits() as u32,
        // Without a sign, with five or six bits of the ten.
        (Kind::Float, _) => to_single(x << (15 - bits)).to_bits() as u32,
    }
}

/// A register, as a field.
fn stored(kind: Kind, bits: u32, x: u32) -> u64 {
    let value = f64::from(f32::from_bits(x));
    let normalised = |low: f64, all: u64| {
        if value.is_nan() { 0 } else { (value.clamp(low, 1.0) * all as f64).round_ties_even() as i64 }
    };
    let field = match (kind, bits) {
        (Kind::Unorm, _) => normalised(0.0, (1 << bits) - 1) as u64,
        (Kind::Snorm, _) => normalised(-1.0, (1 << (bits - 1)) - 1) as u64,
        (Kind::Uint | Kind::Sint, _) | (Kind::Float, 32) => x.into(),
        (Kind::Float, 16) => to_half(x, Round::NearestTiesToEven).into(),
        // Negative numbers are zero; what is stored here fits.
        (Kind::Float, _) => {
            if value < 0.0 {
                0
            } else {
                u64::from(to_half(x, Round::NearestTiesToEven)) >> (15 - bits)
            }
        }
        (Kind::Uscaled | Kind::Sscaled, _) => unreachable!("no store has it"),
    };
    field & ((1u64 << bits) - 1)
}

/// Numbers that a register may hold for a store. Integers fit (what becomes of others is open), and
/// so do small floats.
fn number(format: &Format, field: usize, random: &mut Random) -> u32 {
    let bits = format.3.get(field).copied().unwrap_or(32);
    let x = random.next();
    let pick = |all: &[f32]| all[x as usize % all.len()].to_bits();
    match (format.4, bits) {
        (Kind::Uint, 32) | (Kind::Float, 32) => x,
        (Kind::Uint, _) => x & ((1 << bits) - 1),
        (Kind::Sint, _) => {
            (x << (32 - bits)) as i32 as u32 >> (32 - bits)
                | if x >> (bits - 1) & 1 != 0 { u32::MAX << (bits - 1) } else { 0 }
        }
        (Kind::Float, 16) => {
            pick(&[0.0, -0.0, 1.0, -1.5, 65504.0, 65520.0, -1e9, 1e-6, 3.0e-8, 0.1, f32::INFINITY, 0.333])
        }
        (Kind::Float, _) => pick(&[0.0, 1.0, 1.5, 0.5, 2048.0, -1.0, 3.25]),
        _ => {
            pick(&[0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 2.0, -3.0, 0.7, -0.3, 0.001_960_784_4, f32::NAN, f32::NEG_INFINITY])
        }
    }
}

/// How an instruction lays out registers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Whole,
    /// Two halves a register; on gfx8 one.
    Halves,
    High,
}

/// Orders of a descriptor: as they come, the other way round, and with constants: w, one, zero, x.
const ORDERS: [u32; 3] = [0xfac, 4 << 9 | 5 << 6 | 6 << 3 | 7, 4 << 9 | 1 << 3 | 7];

/// Runs a row; whether it is one of these.
pub fn check(bench: &mut Bench, row: &str, name: &str) -> bool {
    let typed = row.starts_with("tbuffer_");
    let Some(rest) = row.strip_prefix(if typed { "tbuffer_" } else { "buffer_" }) else { return false };
    if rest == "load_lds_format_x" {
        return to_lds(bench, name, "");
    }
    let Some((what, rest)) = rest.split_once("_format_") else { return false };
    let (layout, rest) = match rest.strip_prefix("d16_") {
        Some("hi_x") => (Layout::High, "x"),
        Some(rest) => (Layout::Halves, rest),
        None => (Layout::Whole, rest),
    };
    let Some(components) = ["x", "xy", "xyz", "xyzw"].iter().position(|names| *names == rest) else { return false };
    if !typed && what == "load" && row == "buffer_load_format_x" && bench.chip.generation <= 10 {
        to_lds(bench, name, " lds");
    }
    each(bench, name, typed, what == "load", layout, components as u32 + 1)
}

/// The forms that are used: in range, across the end, misaligned, records, the lane's number, none.
const USED: [usize; 7] = [0, 2, 6, 8, 10, 23, 24];

fn forms(chip: Chip) -> impl Iterator<Item = Form> {
    USED.into_iter().map(|n| FORMS[n]).filter(move |form| (form.has)(chip) && form.contiguous)
}

fn each(bench: &mut Bench, name: &str, typed: bool, loads: bool, layout: Layout, components: u32) -> bool {
    let chip = bench.chip;
    let packs = layout == Layout::Halves && chip.generation != 8;
    let registers = if packs { components.div_ceil(2) } else { components };
    for (n, format) in FORMATS.iter().enumerate() {
        if !loads && matches!(format.4, Kind::Uscaled | Kind::Sscaled) {
            continue;
        }
        for (m, form) in forms(chip).enumerate() {
            let (address, rest) = form.text();
            let modifier = if typed { format!(" format:{}", format.number(chip)) } else { String::new() };
            let register = if loads { 8 } else { 16 };
            let text = format!("{name} {}, {address}, s[4:7], s8{modifier}{rest}", v(register, registers));
            for order in if typed || m != 0 {
                &ORDERS[..1]
            } else if loads {
                &ORDERS[..]
            } else {
                &ORDERS[..2]
            } {
                let d = Vsharp {
                    dst_sel: *order,
                    format: if typed { u32::MAX } else { format.number(chip) },
                    ..form.descriptor
                };
                // What becomes of a NaN in a conversion is open; a misaligned float may be one.
                if !form.aligned && format.4 == Kind::Float && format.3[0] < 32 && matches!(chip.generation, 7..=9) {
                    continue;
                }
                // The number of the lane takes the place of the format on gfx8 and gfx9.
                if !typed && d.add_tid && matches!(chip.generation, 8 | 9) {
                    continue;
                }
                let mut state = State::new(chip);
                let form = Form { descriptor: d, ..form };
                form.setup(&mut state);
                fill(&mut state, format, layout, packs);
                let selects: [u32; 4] =
                    std::array::from_fn(|n| if typed { 4 + n as u32 } else { order >> (3 * n) & 7 });
                for mask in chip.masks_if(n == 0 && m == 0) {
                    state.set_exec(mask);
                    bench.check(&text, &state, |state| {
                        for lane in state.lanes() {
                            let spots = format.spots(chip, form, d, state, lane, components);
                            if loads {
                                let x = if d.null { Some(0) } else { spots.map(|spots| element(state, &spots)) };
                                put(state, format, layout, packs, lane, components, shown(format, selects, x, d.null));
                            } else if let Some(spots) = spots {
                                let x =
                                    taken(state, format, (layout, packs), chip.generation, lane, components, selects);
                                for (n, part) in spots.chunks(8).enumerate() {
                                    state.write(part, (x >> (64 * n)) as u64);
                                }
                            }
                        }
                    });
                }
            }
        }
    }
    true
}

fn element(state: &State, spots: &[Spot]) -> u128 {
    spots.chunks(8).enumerate().fold(0, |all, (n, part)| all | u128::from(state.read(part)) << (64 * n))
}

/// What registers show of an element, or of none: zeros and the ones of the descriptor.
fn shown(format: &Format, selects: [u32; 4], x: Option<u128>, null: bool) -> [u32; 4] {
    let components = x.map_or([0; 4], |x| format.load(x));
    selects.map(|select| match select {
        _ if null => 0,
        1 if format.is_integer() => 1,
        1 => 1f32.to_bits(),
        4.. => components[select as usize - 4],
        _ => 0,
    })
}

/// Writes the registers of a load. Halves of floats are cut, those of integers are the lower bits.
fn put(state: &mut State, format: &Format, layout: Layout, packs: bool, lane: u32, components: u32, shown: [u32; 4]) {
    let halved = |x| if format.is_integer() { x & 0xffff } else { to_half(x, Round::TowardZero) };
    if let Some(said) = state.text.clone() {
        let known = if layout == Layout::Whole { shown } else { shown.map(halved) };
        return text::components(state, &said, lane, components, known);
    }
    for n in 0..components {
        let x = shown[n as usize];
        let half = halved(x);
        let (register, high) = if packs { (8 + n / 2, n % 2 != 0) } else { (8 + n, layout == Layout::High) };
        let old = state.v(register, lane);
        let new = match (layout, high) {
            (Layout::Whole, _) => x,
            (_, true) => old & 0xffff | half << 16,
            (_, false) if packs => old & 0xffff_0000 | half,
            (_, false) => half,
        };
        state.set_v(register, lane, new);
    }
}

/// The element that a store makes of its registers. Components that none of them supplies are the first one on gfx12, zero before
/// (Mesa's compiler leaves out what is so).
fn taken(
    state: &mut State,
    format: &Format,
    (layout, packs): (Layout, bool),
    generation: u32,
    lane: u32,
    count: u32,
    selects: [u32; 4],
) -> u128 {
    let supplied = state.text.clone().map(|said| text::supplied(state, &said, lane));
    let given = |n: u32| {
        let register = if packs { n / 2 } else { n };
        let high = layout == Layout::High || packs && n & 1 != 0;
        let (word, high) = match supplied {
            Some(supplied) => (supplied[n as usize], false),
            None => (state.v(16 + register, lane), high),
        };
        let half = if high { word >> 16 } else { word & 0xffff };
        match (layout, format.4) {
            (Layout::Whole, _) => word,
            (_, Kind::Uint) => half,
            (_, Kind::Sint) => half as u16 as i16 as u32,
            _ => to_single(half.into()).to_bits() as u32,
        }
    };
    let other = if generation >= 12 { given(0) } else { 0 };
    let mut components = [0; 4];
    for n in (0..4).rev() {
        if let Some(place) = selects[n as usize].checked_sub(4) {
            components[place as usize] = if n < count { given(n) } else { other };
        }
    }
    format.store(components)
}

/// Numbers for stores in v[16:19], elements without NaNs in memory.
fn fill(state: &mut State, format: &Format, layout: Layout, packs: bool) {
    let mut random = Random(9);
    for lane in 0..state.chip.lanes {
        for n in 0..4u32 {
            // Whatever component a register supplies, the number fits.
            let mut fits = || {
                let x = number(format, format.3.len() - 1, &mut random);
                if format.is_integer() { x & 0xffff } else { to_half(x, Round::TowardZero) }
            };
            let x = if packs {
                fits() | fits() << 16
            } else {
                match layout {
                    Layout::Whole => number(format, format.3.len() - 1, &mut random),
                    Layout::Halves => fits(),
                    Layout::High => fits() << 16,
                }
            };
            state.set_v(16 + n, lane, x);
        }
    }
    let clears = |bits: u32, at: u32, x: &mut u32| {
        // No exponent of all ones.
        let exponent = match bits {
            16 => 0x1fu32 << 10,
            11 => 0x1f << 6,
            10 => 0x1f << 5,
            _ => 0xff << 23,
        };
        if *x >> at & exponent == exponent {
            *x &= !(exponent & exponent >> 1) << at | ((1u64 << at) - 1) as u32;
        }
    };
    if format.4 == Kind::Float {
        for word in state.bytes.chunks_exact_mut(4) {
            let mut x = u32::from_le_bytes(word.try_into().expect("four bytes"));
            match format.3[0] {
                16 => [0, 16].into_iter().for_each(|at| clears(16, at, &mut x)),
                11 => [(11, 0), (11, 11), (10, 22)].into_iter().for_each(|(bits, at)| clears(bits, at, &mut x)),
                _ => clears(32, 0, &mut x),
            }
            word.copy_from_slice(&x.to_le_bytes());
        }
    }
}

/// The first component, as a register of a load has it, goes to LDS.
fn to_lds(bench: &mut Bench, name: &str, modifier: &str) -> bool {
    let chip = bench.chip;
    for format in FORMATS {
        for form in forms(chip).filter(|form| form.aligned && !form.descriptor.add_tid) {
            let (address, rest) = form.text();
            let d = Vsharp { format: format.number(chip), ..form.descriptor };
            let form = Form { descriptor: d, ..form };
            let mut state = State::new(chip);
            fill(&mut state, format, Layout::Whole, false);
            form.setup(&mut state);
            state.set_m0(0x80);
            state.set_exec(chip.masks()[4]);
            bench.check(&format!("{name} {address}, s[4:7], s8{rest}{modifier}"), &state, |state| {
                for lane in state.lanes() {
                    let spots = format.spots(chip, form, d, state, lane, 1);
                    let x = if d.null { 0 } else { spots.map_or(0, |spots| format.load(element(state, &spots))[0]) };
                    let to = within(chip, start(state, form) + lane * 4, 4, LDS);
                    state.write(&to, x.into());
                }
            });
        }
    }
    true
}
