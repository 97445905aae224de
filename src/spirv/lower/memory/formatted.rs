//! Buffer memory with formats.
//!
//! MTBUF names its format, the format instructions of MUBUF take it from the descriptor: then it is looked up at run time, in a table of
//! the processor's formats. From there on both are the same words; those of MTBUF are constants.

use super::buffer::{CHECKS, LOADS, Reach, Reached, STORES};
use super::components::{is_integer, selected, unselected};
use super::convert::{COMPONENTS, ELEMENT, number, pick};
use super::guest::Found;
use super::lanes::Fault;
use super::{Lower, Lowered};
use crate::isa::Gen;
use crate::isa::does::{Half, Item};
use crate::isa::sem::Alg;
use crate::memory::format::{Format, FormatError, Kind, repeats_first};
use crate::program::Step;
use crate::program::{Access, Flags};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::Lane;
use crate::spirv::state::trap;
use rspirv::spirv::StorageClass;

/// Formats that a descriptor or an instruction can name.
const NUMBERS: u32 = 128;
/// The format is INVALID: there is no buffer.
const UNBOUND: u32 = 1;
/// There is no such format.
const UNKNOWN: u32 = 2;

/// A format as the device has it.
#[derive(Clone, Copy)]
struct Shape {
    /// The bits of the components, a byte each.
    widths: Word,
    kind: Word,
    unsigned_alpha: Word,
    /// [`UNBOUND`], [`UNKNOWN`], or 0.
    state: Word,
    /// Components.
    count: Word,
    /// Bytes of one, or of a packed element.
    size: Word,
    /// Bytes of an element.
    bytes: Word,
    packed: Truth,
}

/// Where a lane's element is.
struct Place {
    reached: Reached,
    inside: Truth,
}

/// The two words of a format in the table.
fn packed_words(format: Result<Format, FormatError>) -> [u32; 2] {
    let format = match format {
        Ok(format) => format,
        Err(FormatError::Unbound) => return [0, UNBOUND << 4],
        Err(_) => return [0, UNKNOWN << 4],
    };
    let layout = format.layout;
    let widths = u32::from_le_bytes(layout.bits);
    let fields = [
        (number(format.kind), 0),
        (format.unsigned_alpha.into(), 3),
        (layout.count(), 6),
        (format.component_bytes(), 9),
        (layout.bytes(), 13),
        (layout.packed().into(), 18),
    ];
    [widths, fields.iter().fold(0, |all, (v, at)| all | v << at)]
}

impl Lower<'_> {
    /// The format of an access.
    fn shape(&self, reach: &Reach<'_>) -> Shape {
        let k = self.alg(Word::Known(0));
        let [widths, info] = match reach.access.format {
            Some(format) => packed_words(format).map(|v| k.w(v)),
            None => {
                let all: Vec<u32> = (0..NUMBERS).flat_map(|n| packed_words(Format::decode(n, &self.target))).collect();
                let table = self.m.table(&all);
                let at = k.shli(k.mask(reach.descriptor.format, NUMBERS - 1), 1);
                let word = |n: u32| {
                    let pointer = self.m.chain(StorageClass::Private, table, &[k.id(k.add(at, k.w(n)))]);
                    Word::Id(self.m.load(pointer))
                };
                [word(0), word(1)]
            }
        };
        let bits = |low: u32, count: u32| k.mask(k.shri(info, low), (1 << count) - 1);
        Shape {
            widths,
            kind: bits(0, 3),
            unsigned_alpha: bits(3, 1),
            state: bits(4, 2),
            count: bits(6, 3),
            size: bits(9, 4),
            bytes: bits(13, 5),
            packed: k.nz(bits(18, 1)),
        }
    }

    /// A formatted access.
    pub(super) fn formatted(&self, step: &Step, reach: &Reach<'_>, load: bool, lds: bool) -> Lowered {
        let k = self.alg(Word::Known(0));
        let shape = self.shape(reach);
        // Without a buffer the format does not matter.
        let unknown = k.both(k.eq(shape.state, k.w(UNKNOWN)), reach.bound);
        self.refuse_if(step, k.both(unknown, self.any_active()));
        match (load, lds) {
            (true, true) => self.formatted_to_lds(step, reach, &shape),
            (true, false) => self.formatted_load(step, reach, &shape),
            (false, _) => self.formatted_store(step, reach, &shape),
        }
        Ok(())
    }

    /// Where register `n` comes from, or goes to.
    fn select(&self, reach: &Reach<'_>, n: u32) -> Word {
        let n = if self.has(Planted::ComponentWrong) { (n + 1) & 3 } else { n };
        if reach.access.format.is_some() { Word::Known(4 + n) } else { reach.descriptor.select(self, n) }
    }

    /// How many components (or packed elements) are judged when some are moved.
    fn judged(&self, shape: &Shape, registers: Word) -> Word {
        let k = self.alg(Word::Known(0));
        k.sel(shape.packed, k.w(1), k.min_u(registers, shape.count))
    }

    /// Where the element of a lane is.
    fn element(&self, reach: &Reach<'_>, shape: &Shape, registers: u32, lane: Lane) -> Place {
        let k = self.alg(lane.number);
        let count = self.judged(shape, k.w(registers));
        let mut reached = self.reached(reach, lane, (shape.size, count), true, true);
        let g = self.generation();
        if !matches!(g, Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9) {
            let drop = k.sub(k.min_u(shape.bytes, k.w(4)), k.w(1));
            let drop = k.sel(reached.contiguous, drop, k.w(0));
            reached.first.0 = k.and(reached.first.0, k.not(drop));
        }
        let valid = k.both(k.nz(reached.valid), k.eq(shape.state, k.w(0)));
        Place { reached, inside: k.both(valid, lane.active) }
    }

    /// The registers of a lane's load.
    fn formatted_registers(&self, reach: &Reach<'_>, shape: &Shape, registers: u32, lane: Lane) -> (Vec<Word>, Fault) {
        let k = self.alg(lane.number);
        let place = self.element(reach, shape, registers, lane);
        let reached = &place.reached;
        // What no register shows is not read.
        let shown = (0..registers).fold(k.w(0), |most, n| {
            let select = self.select(reach, n);
            let component = k.add(k.mask(select, 3), k.w(1));
            k.max_u(most, k.sel(k.lt_u(select, k.w(4)), k.w(0), component))
        });
        let wanted = self.judged(shape, k.sel(k.eq(shown, k.w(0)), k.w(1), shown));
        let whole = k.both(reached.contiguous, k.eq(k.mul(wanted, shape.size), shape.bytes));
        let whole_goes = k.both(whole, place.inside);
        let found = self.find(reached.first, self.only(whole_goes, shape.bytes), false);
        let fault = self.not_found(whole_goes, found, reached.first, shape.bytes, trap::LOAD);
        let parts = k.sub(k.shl(k.w(1), wanted), k.w(1));
        let parts = self.only(k.both(place.inside, k.negate(whole)), parts);
        let (values, failed) = self.apart(LOADS, reach, reached, (shape.size, parts), &[]);
        let fault = self.first_fault(fault, failed);
        let mut element = [k.w(0); 4];
        for (n, to) in (0..).zip(&mut element) {
            // What is behind the element may be anything.
            let there = k.lt_u(k.w(4 * n), shape.bytes);
            *to = k.sel(there, k.and(self.load_word(found, reached.first, n), bits_of(&k, shape.bytes)), k.w(0));
        }
        for (n, v) in (0..).zip(values) {
            let bit = k.shli(k.mul(shape.size, k.w(n)), 3);
            let v = k.shl(v, k.mask(bit, 31));
            for (word, to) in (0..).zip(&mut element) {
                *to = k.or(*to, k.sel(k.eq(k.shri(bit, 5), k.w(word)), v, k.w(0)));
            }
        }
        let [x, y, z, w] = element;
        let args = [shape.widths, shape.kind, shape.unsigned_alpha, x, y, z, w];
        let components = self.call(COMPONENTS, 0, &args);
        let integers = is_integer(&k, shape.kind);
        // Out of range components are zeros; without a buffer there are no ones either.
        let components: Vec<Word> = components.into_iter().map(|v| self.only(place.inside, v)).collect();
        let there = k.both(reach.bound, k.eq(shape.state, k.w(0)));
        let registers = (0..registers)
            .map(|n| self.only(there, selected(&k, self.select(reach, n), &components, integers)))
            .collect();
        (registers, fault)
    }

    fn formatted_load(&self, step: &Step, reach: &Reach<'_>, shape: &Shape) {
        let k = self.alg(Word::Known(0));
        let Access { half, data, components, .. } = *reach.access;
        let count = u32::from(components);
        let d16 = reach.access.flags.contains(Flags::D16);
        self.in_lanes(
            step,
            false,
            |lane| {
                let (words, fault) = self.formatted_registers(reach, shape, count, lane);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                let c = k.both(c, good);
                let halved = |v| self.halved(shape.kind, v);
                let behind = if half == Half::High || half == Half::Low && !d16 {
                    self.set_half(data, 0, lane, c, half, halved(words[0]));
                    1
                } else {
                    self.put_components(reach.access, lane, c, &words, halved)
                };
                self.tfe(reach.access, behind, lane, c);
            },
        );
    }

    /// The first component goes to LDS.
    fn formatted_to_lds(&self, step: &Step, reach: &Reach<'_>, shape: &Shape) {
        let k = self.alg(Word::Known(0));
        let share = self.share_unlimited();
        self.in_lanes(
            step,
            true,
            |lane| {
                let (words, fault) = self.formatted_registers(reach, shape, 1, lane);
                ((words, k.negate(fault.failed)), fault)
            },
            |lane, (words, good), c| {
                share.store_if(self, k.both(c, good), self.buffer_lds(reach.access, lane), Item::Words(1), &words);
            },
        );
    }

    /// The registers of a lane's store.
    fn taken(&self, reach: &Reach<'_>, shape: &Shape, lane: Lane) -> Vec<Word> {
        let k = self.alg(lane.number);
        let Access { half, data, components, .. } = *reach.access;
        let widened = |v| self.widened(shape.kind, v);
        let d16 = reach.access.flags.contains(Flags::D16);
        (0..components.into())
            .map(|n| match half {
                Half::High => widened(k.shri(self.tuple(data, n, lane), 16)),
                Half::Low if !d16 => widened(self.tuple(data, n, lane)),
                Half::Low | Half::Whole => self.take_component(reach.access, lane, n, widened),
            })
            .collect()
    }

    fn formatted_store(&self, step: &Step, reach: &Reach<'_>, shape: &Shape) {
        let k = self.alg(Word::Known(0));
        let registers = u32::from(reach.access.components);
        self.in_lanes(
            step,
            true,
            |lane| {
                let place = self.element(reach, shape, registers, lane);
                let read_only = [Kind::Uscaled, Kind::Sscaled, Kind::SnormOgl]
                    .map(|kind| k.eq(shape.kind, k.w(number(kind))))
                    .into_iter()
                    .fold(k.c(false), |a, b| k.either(a, b));
                let refused =
                    Fault { failed: k.both(place.inside, read_only), kind: k.w(trap::UNSUPPORTED), ..Fault::NONE };
                let goes = k.both(place.inside, k.negate(read_only));
                let reached = place.reached;
                let together = k.both(goes, reached.contiguous);
                let found = self.find(reached.first, self.only(together, shape.bytes), true);
                let fault = self.not_found(together, found, reached.first, shape.bytes, trap::STORE);
                // Apart, each component is stored, whether a register supplies it or not.
                let parts = k.sub(k.shl(k.w(1), k.sel(shape.packed, k.w(1), shape.count)), k.w(1));
                let parts = self.only(k.both(goes, k.negate(reached.contiguous)), parts);
                let (_, failed) = self.apart(CHECKS, reach, &reached, (shape.size, parts), &[]);
                let fault = self.first_fault(refused, self.first_fault(fault, failed));
                ((reached, found, parts, self.taken(reach, shape, lane)), fault)
            },
            |_, (reached, found, parts, registers), c| {
                let element = self.element_of(reach, shape, &registers);
                let whole = Found { how: self.only(c, found.how), ..found };
                for (n, v) in (0..).zip(&element) {
                    let there = k.lt_u(k.w(4 * n), shape.bytes);
                    let bits = self.only(there, bits_of(&k, shape.bytes));
                    self.store_part(whole, reached.first, n, *v, bits);
                }
                let values: Vec<Word> = (0..4)
                    .map(|n| {
                        let bit = k.shli(k.mul(shape.size, k.w(n)), 3);
                        k.shr(pick(&k, &element, k.shri(bit, 5)), k.mask(bit, 31))
                    })
                    .collect();
                self.apart(STORES, reach, &reached, (shape.size, self.only(c, parts)), &values);
            },
        );
    }

    /// The words of the element that registers make.
    fn element_of(&self, reach: &Reach<'_>, shape: &Shape, registers: &[Word]) -> Vec<Word> {
        let k = self.alg(Word::Known(0));
        let mut args = vec![shape.widths, shape.kind];
        let mut registers = registers.to_vec();
        if repeats_first(&self.target) {
            registers.resize(4, registers[0]);
        }
        args.extend(unselected(&k, |n| self.select(reach, n), &registers));
        self.call(ELEMENT, 0, &args)
    }
}

/// The bits of so many bytes, a word at most.
pub(super) fn bits_of(k: &Spirv<'_>, bytes: Word) -> Word {
    k.shr(k.w(u32::MAX), k.sub(k.w(32), k.shli(k.min_u(bytes, k.w(4)), 3)))
}
