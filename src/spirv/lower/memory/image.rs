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
use super::components::unselected;
use super::convert::pick;
use super::guest::Found;
use super::lanes::Fault;
use super::{Lower, Lowered};
use crate::isa::does::{Conversion, Does, Texels};
use crate::isa::image::Address;
use crate::isa::row::Inst;
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, Space};
use crate::memory::format::repeats_first;
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
pub(super) use layout::{field, part};
use texel::{Form, Texel};

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
        let missing = || Err(format!("a translation of {}", row.name));
        let Some(image) = access.image.as_deref() else { return missing() };
        let short = image.has(Bits::R128);
        let word = |n: u32| if short && n >= 4 { Word::Known(0) } else { self.s(access.base + n) };
        let form = |conversion| match conversion {
            Conversion::Raw { signed: true } => Form::Signed,
            Conversion::Raw { signed: false } => Form::Raw,
            _ => Form::Registers,
        };
        let reach = |form| Reach { access, image, words: (0..8).map(word).collect(), form };
        match (row.does, &access.atomic) {
            (Does::Texels(Texels::Load(conversion)), _) => self.image_load(step, &reach(form(conversion))),
            (Does::Texels(Texels::Store(conversion)), _) => self.image_store(step, &reach(form(conversion))),
            (Does::Texels(Texels::LoadSamples), _) => self.image_samples(step, &reach(Form::Registers)),
            (Does::Texels(Texels::Describe), _) => self.image_describe(step, &reach(Form::Registers)),
            (Does::Texels(what @ (Texels::Sample | Texels::Gather | Texels::Level)), _) => {
                return self.image_sample(step, &reach(Form::Registers), what);
            }
            (Does::Atomic(_), Some(atomic)) => self.image_modify(step, &reach(Form::Registers), atomic),
            _ => return missing(),
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
                let dim = k.mask(field(&k, self.generation(), &reach.words, Field::Type), 7);
                let is = |of: &dyn Fn(Dim) -> bool| layout::is_dim(&k, dim, of);
                let z = |dim: Dim| dim.with_layers(array).has_layers() || dim == Dim::D3;
                [k.c(true), is(&Dim::has_rows), is(&z), is(&Dim::has_samples)]
            }
        };
        let count = reach.image.registers.len() as u32 * if reach.image.has(Bits::A16) { 2 } else { 1 };
        let values: Vec<Word> = (0..MOST.min(count)).map(|n| self.address_value(reach, n, lane)).collect();
        let mut at = k.w(0);
        let mut next = |there: Truth| {
            let v = if values.is_empty() { k.w(0) } else { pick(&k, &values, at) };
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
        field(&self.alg(Word::Known(0)), self.generation(), &reach.words, Field::DstSel)
    }

    /// The texel that a lane asks for, its level, and what is refused. `common` is the level of all lanes.
    fn asked(&self, reach: &Reach<'_>, common: Option<Level>, lane: Lane) -> (Texel, Level, Fault) {
        let (texel, level) = self.coordinates(reach, lane);
        let level = common.unwrap_or_else(|| self.level(reach, level));
        (texel, level, self.refused(&level))
    }

    /// The components that have a register, lowest first.
    fn masked(&self, reach: &Reach<'_>) -> Vec<usize> {
        let all = (0..4).filter(|n| reach.image.dmask >> n & 1 != 0);
        if self.has(Planted::ImageMaskInOrder) { (0..all.count()).collect() } else { all.collect() }
    }

    /// Of four components those that have a register.
    fn shown(&self, reach: &Reach<'_>, all: &[Word]) -> Vec<Word> {
        self.masked(reach).into_iter().map(|n| all[n]).collect()
    }

    /// A load: for each lane the format, the registers, and the fault.
    fn loads(&self, step: &Step, reach: &Reach<'_>, mut probe: impl FnMut(Lane) -> (Word, Vec<Word>, Fault)) {
        let k = self.alg(Word::Known(0));
        self.in_lanes(
            step,
            false,
            |lane| {
                let (info, words, fault) = probe(lane);
                ((info, words, k.negate(fault.failed)), fault)
            },
            |lane, (info, words, good), c| self.put_registers(reach, info, lane, k.both(c, good), words),
        );
    }

    /// Writes the registers of a load; without a component there is one, and it is zero.
    fn put_registers(&self, reach: &Reach<'_>, info: Word, lane: Lane, c: Truth, mut words: Vec<Word>) {
        let k = self.alg(Word::Known(0));
        words.resize(reach.access.components.into(), k.w(0));
        let kind = part(&k, info, format::KIND);
        let behind = self.put_components(reach.access, lane, c, &words, |v| match reach.form {
            Form::Registers => self.halved(kind, v),
            Form::Raw | Form::Signed => k.zx16(v),
        });
        if reach.image.dmask != 0 {
            self.tfe(reach.access, behind, lane, c);
        }
    }

    fn image_load(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        let selects = self.selects(reach);
        self.loads(step, reach, |lane| {
            let (texel, level, refused) = self.asked(reach, common, lane);
            // Without a component nothing is fetched.
            if reach.image.dmask == 0 {
                return (level.info, Vec::new(), refused);
            }
            let goes = k.both(lane.active, k.negate(refused.failed));
            let (words, fault) = self.texel(&level, &texel, selects, reach.form, goes);
            (level.info, self.shown(reach, &words), self.first_fault(refused, fault))
        });
    }

    /// One component of four samples of a texel.
    fn image_samples(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        let selects = self.selects(reach);
        let component = reach.image.dmask.trailing_zeros().min(3) as usize;
        self.loads(step, reach, |lane| {
            let (first, level, refused) = self.asked(reach, common, lane);
            let goes = k.both(lane.active, k.negate(refused.failed));
            let results = [(); 4].map(|()| self.var(k.w(0)));
            let [kind, low, high] = [(); 3].map(|()| self.var(k.w(0)));
            self.times_while(k.w(4), |n| {
                let texel = Texel { sample: k.add(k.mask(first.sample, !3), n), ..first };
                let (words, fault) = self.texel(&level, &texel, selects, Form::Registers, goes);
                for (number, result) in (0..).zip(results) {
                    self.put_if(k.eq(n, k.w(number)), result, words[component]);
                }
                self.put(kind, self.only(fault.failed, fault.kind));
                self.put(low, fault.address.0);
                self.put(high, fault.address.1);
                k.negate(fault.failed)
            });
            let fault = Fault {
                failed: k.nz(self.get(kind)),
                kind: self.get(kind),
                address: (self.get(low), self.get(high)),
                detail: level.format(&k, format::BYTES),
            };
            (level.info, results.map(|result| self.get(result)).to_vec(), self.first_fault(refused, fault))
        });
    }

    /// The size of a level.
    fn image_describe(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        self.loads(step, reach, |lane| {
            let level = self.level(reach, self.address_value(reach, 0, lane));
            let third = k.sel(k.nz(level.width), level.depth, k.w(0));
            let all = [level.width, level.height, third, level.levels];
            (level.info, self.shown(reach, &all), self.refused(&level))
        });
    }

    /// The registers of a lane's store.
    fn stored_registers(&self, reach: &Reach<'_>, level: &Level, lane: Lane) -> Vec<Word> {
        let k = self.alg(lane.number);
        let kind = level.format(&k, format::KIND);
        let widened = |v| match reach.form {
            Form::Registers => self.widened(kind, v),
            Form::Raw | Form::Signed => k.zx16(v),
        };
        (0..reach.access.components.into()).map(|n| self.take_component(reach.access, lane, n, widened)).collect()
    }

    /// The words of the element that registers make.
    fn stored_element(&self, reach: &Reach<'_>, level: &Level, registers: &[Word]) -> Vec<Word> {
        let k = self.alg(Word::Known(0));
        let repeats = reach.image.dmask != 0 && repeats_first(&self.target);
        let mut values = vec![if repeats { registers[0] } else { k.w(0) }; 4];
        for (n, register) in self.masked(reach).into_iter().zip(registers) {
            values[n] = *register;
        }
        if reach.form != Form::Registers {
            return values;
        }
        let selects = self.selects(reach);
        self.encoded(level, &unselected(&k, |n| part(&k, selects, (3 * n, 3)), &values))
    }

    fn image_store(&self, step: &Step, reach: &Reach<'_>) {
        let k = self.alg(Word::Known(0));
        let common = self.common_level(reach);
        self.in_lanes(
            step,
            true,
            |lane| {
                let (texel, level, refused) = self.asked(reach, common, lane);
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
                let (texel, level, refused) = self.asked(reach, common, lane);
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
