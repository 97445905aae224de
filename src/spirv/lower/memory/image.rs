//! Images: texels to registers and back.
//!
//! A descriptor is known when a wave comes to an instruction: [`layout`] takes it apart on the device, and [`texel`] goes from a place in
//! memory to components. Here is what instructions want of it: which registers have the coordinates, which get the components. What a
//! descriptor asks for that is refused is a fault of the lane. [Samples](sample) are a function of the module, with its [filter]
//! in numbers that are [fixed].

mod block;
mod filter;
mod fixed;
mod layout;
mod levels;
mod sample;
mod tap;
mod texel;
mod tiles;

use super::atomic::{bytes, ordered, registers};
use super::convert::{HALF, WIDE, number};
use super::guest::Found;
use super::lanes::Fault;
use super::{Lower, Lowered};
use crate::isa::does::{Conversion, Does, Half, Texels};
use crate::isa::image::Address;
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, Space};
use crate::memory::format::{self as formats, Kind};
use crate::memory::image::Dim;
use crate::memory::image::fields::Field;
use crate::program::memory::image::{Bits, Image};
use crate::program::{Access, Flags, Step};
use crate::spirv::alg::{Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::Lane;
use crate::spirv::state::trap;
use crate::spirv::tables::{REFUSED, format};
use layout::{LEVEL, Level};
use texel::{Form, Texel, is_integer};

/// An image, and what an instruction wants of it.
struct Reach<'a> {
    access: &'a Access,
    image: &'a Image,
    words: Vec<Word>,
    form: Form,
}

impl Lower<'_> {
    /// An image instruction.
    pub(super) fn image(&self, step: &Step, row: &'static Inst, access: &Access) -> Lowered {
        let Some(image) = access.image.as_deref() else { return Err(format!("a translation of {}", row.name)) };
        let short = image.has(Bits::R128);
        let word = |n: u32| if short && n >= 4 { Word::Known(0) } else { self.s(access.base + n) };
        let form = |conversion| match conversion {
            Conversion::Raw { signed: true } => Form::Signed,
            Conversion::Raw { signed: false } => Form::Raw,
            _ => Form::Registers,
        };
        let reach = |form| Reach { access, image, words: (0..8).map(word).collect(), form };
        match row.does {
            Does::Texels(Texels::Load(conversion)) => self.image_load(step, &reach(form(conversion))),
            Does::Texels(Texels::Store(conversion)) => self.image_store(step, &reach(form(conversion))),
            Does::Texels(Texels::LoadSamples) => self.image_samples(step, &reach(Form::Registers)),
            Does::Texels(Texels::Describe) => self.image_describe(step, &reach(Form::Registers)),
            Does::Atomic(_) => match &access.atomic {
                Some(atomic) => self.image_modify(step, &reach(Form::Registers), atomic),
                None => return Err(format!("a translation of {}", row.name)),
            },
            Does::Texels(what @ (Texels::Sample | Texels::Gather | Texels::Level)) => {
                return self.image_sample(step, &reach(Form::Registers), what);
            }
            _ => return Err(format!("a translation of {}", row.name)),
        }
        Ok(())
    }

    /// A level of the image.
    fn level(&self, reach: &Reach<'_>, level: Word) -> Level {
        let mut args = reach.words.clone();
        args.push(level);
        Level::of(&self.call(LEVEL, 0, &args))
    }

    /// The level of all lanes, where instructions do not choose it.
    fn common_level(&self, reach: &Reach<'_>) -> Option<Level> {
        let chosen = reach.image.parts.contains(Address::MIP);
        (!chosen).then(|| self.level(reach, Word::Known(0)))
    }

    /// Value `n` of the address of a lane.
    fn address_value(&self, reach: &Reach<'_>, n: u32, lane: Lane) -> Word {
        let k = self.alg(lane.number);
        let short = reach.image.has(Bits::A16);
        let register = if short { n / 2 } else { n };
        let place = reach.image.registers.get(register as usize).copied().unwrap_or(0);
        let word = self.v(place, lane);
        if short { k.zx16(k.shri(word, n % 2 * 16)) } else { word }
    }

    /// The texel that a lane asks for, and its level.
    fn coordinates(&self, reach: &Reach<'_>, lane: Lane) -> (Texel, Word) {
        /// X, y, z, sample, level.
        const MOST: u32 = 5;
        let k = self.alg(lane.number);
        let mip = k.c(reach.image.parts.contains(Address::MIP));
        let there = match reach.image.dim.map(Dim::of_instruction) {
            Some(dim) => {
                let z = dim.has_layers() || dim == Dim::D3;
                [true, dim.has_rows(), z, dim.has_samples()].map(|there| k.c(there))
            }
            None => {
                // The descriptor says how many coordinates there are; DA, whether a layer is among them.
                let array = reach.image.has(Bits::ARRAY);
                let dim = k.mask(layout::field(&k, self.generation(), &reach.words, Field::Type), 7);
                let is = |of: &dyn Fn(Dim) -> bool| layout::is_dim(&k, dim, of);
                let z = |dim: Dim| dim.with_layers(array).has_layers() || dim == Dim::D3;
                [k.c(true), is(&Dim::has_rows), is(&z), is(&Dim::has_samples)]
            }
        };
        let count = reach.image.registers.len() as u32 * if reach.image.has(Bits::A16) { 2 } else { 1 };
        let values: Vec<Word> = (0..MOST.min(count)).map(|n| self.address_value(reach, n, lane)).collect();
        let mut at = k.w(0);
        let mut next = |there: Truth| {
            let v = (1..values.len())
                .fold(values.first().copied().unwrap_or(k.w(0)), |v, n| k.sel(k.eq(at, k.w(n as u32)), values[n], v));
            at = k.add(at, k.bit(there));
            k.sel(there, v, k.w(0))
        };
        let [x, y, z, sample] = there.map(&mut next);
        (Texel { x, y, z, sample }, next(mip))
    }

    /// The fault of a descriptor that is refused.
    fn refused(&self, level: &Level) -> Fault {
        let k = self.alg(Word::Known(0));
        Fault { failed: k.eq(level.state, k.w(REFUSED)), kind: k.w(trap::UNSUPPORTED), ..Fault::NONE }
    }

    /// DST_SEL.
    fn selects(&self, reach: &Reach<'_>) -> Word {
        layout::field(&self.alg(Word::Known(0)), self.generation(), &reach.words, Field::DstSel)
    }

    /// The components that have a register, lowest first.
    fn masked(&self, reach: &Reach<'_>) -> Vec<usize> {
        let all = (0..4).filter(|n| reach.image.dmask >> n & 1 != 0);
        if self.has(Planted::ImageMaskInOrder) { (0..all.count()).collect() } else { all.collect() }
    }

    /// A register as 16 bits.
    fn image_half(&self, reach: &Reach<'_>, level: &Level, v: Word) -> Word {
        let k = self.alg(Word::Known(0));
        if reach.form != Form::Registers {
            return k.zx16(v);
        }
        k.sel(is_integer(&k, level.info), k.zx16(v), self.call(HALF, 0, &[v])[0])
    }

    /// Writes the registers of a load.
    fn put_registers(&self, reach: &Reach<'_>, level: &Level, lane: Lane, c: Truth, words: &[Word]) {
        let Access { data, components, .. } = *reach.access;
        let count = u32::from(components);
        let words = (0..count).map(|n| words.get(n as usize).copied().unwrap_or(Word::Known(0)));
        let d16 = reach.access.flags.contains(Flags::D16);
        let packs = formats::packs_d16(&self.target);
        for (n, v) in (0..).zip(words) {
            if !d16 {
                self.set_tuple(data, n, lane, c, v);
                continue;
            }
            let v = self.image_half(reach, level, v);
            if packs {
                let part = if n % 2 == 0 { Half::Low } else { Half::High };
                self.set_half(data, n / 2, lane, c, part, v);
            } else {
                self.set_tuple(data, n, lane, c, v);
            }
        }
        let behind = if d16 && packs { count.div_ceil(2) } else { count };
        if reach.image.dmask != 0 {
            self.tfe(reach.access, behind, lane, c);
        }
    }

    fn image_load(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        let (selects, masked) = (self.selects(reach), self.masked(reach));
        self.in_lanes(
            step,
            false,
            |lane| {
                let (texel, level) = self.coordinates(reach, lane);
                let level = common.unwrap_or_else(|| self.level(reach, level));
                let refused = self.refused(&level);
                // Without a component nothing is fetched, and a register is zero.
                let (words, fault) = if masked.is_empty() {
                    (vec![k.w(0); 4], Fault::NONE)
                } else {
                    let goes = k.both(lane.active, k.negate(refused.failed));
                    self.texel(&level, &texel, selects, reach.form, goes)
                };
                let words: Vec<Word> = masked.iter().map(|n| words[*n]).collect();
                let fault = self.first_fault(refused, fault);
                ((level, words, k.negate(fault.failed)), fault)
            },
            |lane, (level, words, good), c| self.put_registers(reach, &level, lane, k.both(c, good), &words),
        );
    }

    /// One component of four samples of a texel.
    fn image_samples(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        let selects = self.selects(reach);
        let component = reach.image.dmask.trailing_zeros().min(3) as usize;
        self.in_lanes(
            step,
            false,
            |lane| {
                let (first, level) = self.coordinates(reach, lane);
                let level = common.unwrap_or_else(|| self.level(reach, level));
                let refused = self.refused(&level);
                let results = [(); 4].map(|()| self.var(k.w(0)));
                let [n, failed, kind, low, high] = [(); 5].map(|()| self.var(k.w(0)));
                self.repeat(|| {
                    let at = self.get(n);
                    let texel = Texel { sample: k.add(k.mask(first.sample, !3), at), ..first };
                    let goes = k.both(lane.active, k.negate(refused.failed));
                    let (words, fault) = self.texel(&level, &texel, selects, Form::Registers, goes);
                    for (number, result) in (0..).zip(results) {
                        self.put(result, k.sel(k.eq(at, k.w(number)), words[component], self.get(result)));
                    }
                    self.put(failed, k.bit(fault.failed));
                    self.put(kind, fault.kind);
                    self.put(low, fault.address.0);
                    self.put(high, fault.address.1);
                    let next = k.add(at, k.w(1));
                    self.put(n, next);
                    k.both(k.negate(fault.failed), k.lt_u(next, k.w(4)))
                });
                let fault = Fault {
                    failed: k.nz(self.get(failed)),
                    kind: self.get(kind),
                    address: (self.get(low), self.get(high)),
                    detail: level.format(&k, format::BYTES),
                };
                let fault = self.first_fault(refused, fault);
                ((level, results.map(|result| self.get(result)), k.negate(fault.failed)), fault)
            },
            |lane, (level, words, good), c| self.put_registers(reach, &level, lane, k.both(c, good), &words),
        );
    }

    /// The size of a level.
    fn image_describe(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let masked = self.masked(reach);
        self.in_lanes(
            step,
            false,
            |lane| {
                let level = self.level(reach, self.address_value(reach, 0, lane));
                let refused = self.refused(&level);
                let third = k.sel(k.nz(level.width), level.depth, k.w(0));
                let all = [level.width, level.height, third, level.levels];
                let words: Vec<Word> = masked.iter().map(|n| all[*n]).collect();
                ((level, words, k.negate(refused.failed)), refused)
            },
            |lane, (level, words, good), c| self.put_registers(reach, &level, lane, k.both(c, good), &words),
        );
    }

    /// The registers of a lane's store.
    fn stored_registers(&self, reach: &Reach<'_>, level: &Level, lane: Lane) -> Vec<Word> {
        let k = self.alg(lane.number);
        let Access { data, components, .. } = *reach.access;
        let packs = formats::packs_d16(&self.target);
        let d16 = reach.access.flags.contains(Flags::D16);
        let widened = |v: Word| {
            let v = k.zx16(v);
            if reach.form != Form::Registers {
                return v;
            }
            let kind = level.format(&k, format::KIND);
            let is = |of| k.eq(kind, k.w(number(of)));
            k.sel(is(Kind::Uint), v, k.sel(is(Kind::Sint), k.sx(v, 16), self.call(WIDE, 0, &[v])[0]))
        };
        (0..components.into())
            .map(|n| match d16 {
                true if packs => widened(k.shri(self.tuple(data, n / 2, lane), n % 2 * 16)),
                true => widened(self.tuple(data, n, lane)),
                false => self.tuple(data, n, lane),
            })
            .collect()
    }

    /// The words of the element that registers make.
    fn stored_element(&self, reach: &Reach<'_>, level: &Level, registers: &[Word]) -> Vec<Word> {
        let k = self.alg(Word::Known(0));
        // Components without a register are stored as zeros.
        let mut values = vec![k.w(0); 4];
        for (n, register) in self.masked(reach).into_iter().zip(registers) {
            values[n] = *register;
        }
        if reach.form != Form::Registers {
            return values;
        }
        // Each component is the first register that a load would fill from it.
        let selects = self.selects(reach);
        let select = |n: u32| layout::part(&k, selects, (3 * n, 3));
        let components: Vec<Word> = (0..4)
            .map(|component| {
                let all = (0..4).zip(&values).rev();
                all.fold(k.w(0), |v, (n, value)| k.sel(k.eq(select(n), k.w(4 + component)), *value, v))
            })
            .collect();
        self.encoded(level, &components)
    }

    fn image_store(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        self.in_lanes(
            step,
            true,
            |lane| {
                let (texel, level) = self.coordinates(reach, lane);
                let level = common.unwrap_or_else(|| self.level(reach, level));
                let refused = self.refused(&level);
                let inside = k.both(self.has_texel(&level, &texel), lane.active);
                let storable = match reach.form {
                    Form::Registers => k.nz(level.format(&k, format::STORABLE)),
                    _ => k.c(true),
                };
                let read_only = Fault { failed: k.both(inside, k.negate(storable)), ..refused };
                let goes = k.both(inside, storable);
                let bytes = level.format(&k, format::BYTES);
                let (at, _) = self.texel_at(&level, &texel);
                let found = self.find(at, self.only(goes, bytes), true);
                let fault = self.not_found(goes, found, at, bytes, trap::STORE);
                let fault = self.first_fault(refused, self.first_fault(read_only, fault));
                let registers = self.stored_registers(reach, &level, lane);
                let found = Found { how: self.only(self.is_found(found), found.how), ..found };
                ((level, at, found, registers), fault)
            },
            |_, (level, at, found, registers), c| {
                let element = self.stored_element(reach, &level, &registers);
                let found = Found { how: self.only(c, found.how), ..found };
                self.put_element(found, at, level.format(&k, format::BYTES), &element);
            },
        );
    }

    fn image_modify(&self, step: &Step, reach: &Reach<'_>, atomic: &Atomic) {
        let k = self.alg(Word::Known(0));
        let (access, width) = (reach.access, atomic.width);
        let common = self.common_level(reach);
        let floats = self.float_rules(atomic, Space::Memory);
        let returns = access.flags.contains(Flags::RETURNS);
        let words = registers(width);
        self.in_lanes(
            step,
            true,
            |lane| {
                let (texel, level) = self.coordinates(reach, lane);
                let level = common.unwrap_or_else(|| self.level(reach, level));
                let refused = self.refused(&level);
                let fits = k.eq(level.format(&k, format::ATOMIC), k.w(bytes(width)));
                let there = k.eq(level.state, k.w(0));
                let wrong = Fault { failed: k.both(there, k.negate(fits)), ..refused };
                let goes = k.both(k.both(self.has_texel(&level, &texel), lane.active), fits);
                let (at, _) = self.texel_at(&level, &texel);
                let (found, fault) = self.find_atomic(at, width, goes);
                let fault = self.first_fault(refused, self.first_fault(wrong, fault));
                let other = if atomic.operands() > 1 { self.operand(access.data, words, width, lane) } else { k.d(0) };
                let operands = (self.operand(access.data, 0, width, lane), other);
                ((goes, found.index, operands, k.negate(fault.failed)), fault)
            },
            |lane, (goes, index, operands, good), c| {
                self.in_turn(lane, k.both(c, good), ordered(atomic, returns), |c| {
                    let old = self.modify(atomic, false, (k.both(c, goes), index), operands, floats);
                    if returns {
                        self.set_result(access.data, width, lane, c, old);
                    }
                });
            },
        );
    }
}
