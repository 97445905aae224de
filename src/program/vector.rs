//! Vector instructions: from their forms to a meaning, its operands and what is done to its result.
//!
//! Most need no more than a meaning and three vector places. Scalar operands, modifiers, halves, DPP and SDWA make a
//! [`Source`] of an operand; output modifiers, halves and SDWA destinations are [`Post`]. Both lie behind one pointer, so
//! that the plain step stays small.

use super::build::{Builder, Code};
use super::place::{file, slot};
use super::{From, MAX_SOURCES, Source, Step};
use crate::fault::planted;
use crate::isa::form::{Kind, Mod, NO_BIT, Slot, Variant};
use crate::isa::operand::Class as Place;
use crate::isa::row::{Family, Inst, Traits};
use crate::isa::rules;
use crate::isa::sem::find::Packing;
use crate::isa::sem::{self, Class, Signature};
use crate::isa::{Gen, silicon};

/// What a vector instruction needs besides its meaning.
#[derive(Default)]
pub struct Vector {
    /// Sources that are made ready before they are read.
    pub sources: Vec<Source>,
    /// DPP: how lanes move.
    pub dpp: Option<Dpp>,
    /// What happens to the result.
    pub post: Post,
    /// The second operation: the upper halves of packed instructions, the second of a dual instruction.
    pub more: Option<Box<Step>>,
}

/// How DPP moves lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dpp {
    /// A control word with its masks.
    Sixteen {
        /// DPP_CTRL.
        control: u16,
        /// Rows that are written.
        rows: u8,
        /// Banks that are written.
        banks: u8,
        /// Invalid sources read 0.
        bound: bool,
        /// Inactive lanes are read.
        inactive: bool,
    },
    /// Three bits for each of eight lanes.
    Eight {
        /// The selectors.
        lanes: u32,
        /// Inactive lanes are read.
        inactive: bool,
    },
}

/// What happens to a result before it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Post {
    /// 0 nothing, 1 twice, 2 four times, 3 half.
    pub omod: u8,
    /// That rounds to nearest whatever the mode, so that it overflows to infinity: behind a function of the transcendental unit of gfx12.
    pub nearest: bool,
    /// Clamped to [0, 1].
    pub clamp: bool,
    /// How a result of 16 bits meets its register.
    pub half: Half,
    /// What SDWA writes: 0-3 a byte, 4-5 a half, 6 everything.
    pub select: u8,
    /// What SDWA does with the rest: 0 zero, 1 sign, 2 keep.
    pub unused: u8,
    /// Also written: EXEC.
    pub exec: bool,
}

impl Default for Post {
    fn default() -> Post {
        Post { omod: 0, nearest: false, clamp: false, half: Half::Whole, select: 6, unused: 0, exec: false }
    }
}

impl Post {
    /// Whether the result of a meaning is written as it is.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.omod == 0 && !self.clamp && self.half == Half::Whole && self.select == 6 && !self.exec
    }
}

/// How a result of 16 bits meets its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// All 32 bits are the result's.
    Whole,
    /// The lower half; the upper becomes zero.
    LowZero,
    /// The lower half; the upper stays.
    Low,
    /// The upper half; the lower stays.
    High,
}

/// An instruction split into its places.
struct Places<'a> {
    dst: Option<&'a Slot>,
    mask_dst: Option<&'a Slot>,
    mask_src: Option<&'a Slot>,
    sources: Vec<&'a Slot>,
}

impl Builder {
    /// The step of a vector instruction.
    pub(super) fn vector(&mut self, code: &Code<'_>) -> Option<Step> {
        self.lanes(code).or_else(|| self.computed(code))
    }

    /// The step of a vector instruction that has a meaning.
    fn computed(&mut self, code: &Code<'_>) -> Option<Step> {
        let row = code.form.row;
        if row.family == Family::Vop3p || sem::find::packing(row) != Packing::Whole {
            return self.packed(code);
        }
        let places = self.places(code)?;
        let clamp = code.modifier(Mod::Clamp) != 0;
        // The byte that is written: gfx940 has no name for it but the upper bits of OP_SEL.
        let byte =
            if code.has_modifier(Mod::ByteSel) { code.modifier(Mod::ByteSel) } else { code.modifier(Mod::OpSel) >> 2 };
        let byte = if planted!(NarrowResultLowest) { 0 } else { byte };
        let word = sem::find::uses(row).get(byte as usize).copied().unwrap_or("");
        let meaning = self.meaning(row, word, clamp)?;
        self.step_of(code, &places, meaning, clamp)
    }

    /// The part of its only source that an instruction of gfx12 reads, as SDWA counts them, where that is not the lowest: a byte, or with
    /// OP_SEL a half. They hold floats of 8 bits.
    fn narrow_source(&self, code: &Code<'_>) -> Option<u8> {
        const UPPER_HALF: u8 = 5;
        let [source] = code.form.row.src else { return None };
        match (code.modifier(Mod::ByteSel), code.modifier(Mod::OpSel)) {
            (0, 0) => None,
            (0, _) => (source.ty == crate::isa::operand::Ty::B32).then_some(UPPER_HALF),
            (byte, _) => Some(byte as u8),
        }
    }

    /// The step of a move of one word, whatever the row is called.
    pub(super) fn word_move(&mut self, code: &Code<'_>) -> Option<Step> {
        let places = self.places(code)?;
        self.step_of(code, &places, sem::signature::vector("v_mov_b32")?, false)
    }

    /// The step of an instruction with one source and a scalar destination, done once whatever EXEC says.
    pub(super) fn scalar_function(&mut self, code: &Code<'_>) -> Option<Step> {
        let mut places = self.places(code)?;
        let dst = self.scalar_destination(places.dst.take()?.span.get(code.words));
        let clamp = code.modifier(Mod::Clamp) != 0;
        let meaning = self.meaning(code.form.row, "", clamp)?;
        let mut step = self.step_of(code, &places, meaning, clamp)?;
        (step.dst, step.vectors) = (dst, Step::SOURCES);
        if let Some(v) = &mut step.vector
            && v.post.half != Half::Whole
        {
            v.post.half = Half::LowZero;
        }
        Some(step)
    }

    /// Which slot is what: the slots stand in the order of the text, which is that of the row.
    fn places<'a>(&self, code: &Code<'a>) -> Option<Places<'a>> {
        let row = code.form.row;
        let mut slots = code.form.slots.iter();
        let mut places = Places { dst: None, mask_dst: None, mask_src: None, sources: Vec::new() };
        if row.family == Family::Vopc {
            if !(self.generation() >= Gen::Gfx10 && rules::compares_to_exec(row)) {
                places.mask_dst = slots.next();
            }
        } else if row.dst.class != Place::None {
            places.dst = slots.next();
        }
        for opnd in row.src {
            match opnd.class {
                Place::MaskOut => places.mask_dst = slots.next(),
                Place::MaskIn => places.mask_src = slots.next(),
                Place::Tied | Place::None => {}
                _ => places.sources.push(slots.next()?),
            }
        }
        Some(places)
    }

    /// The scalar place of a mask operand.
    fn mask_place(&mut self, code: &Code<'_>, place: Option<&Slot>, write: bool) -> u32 {
        let Some(place) = place else { return if write { slot::SINK as u32 } else { slot::ZERO as u32 } };
        match place.kind {
            Kind::Vcc => slot::VCC as u32,
            Kind::SdwaSdst(set) if set.get(code.words) == 0 => slot::VCC as u32,
            _ => {
                let operand = place.span.get(code.words);
                if write { self.scalar_destination(operand) } else { self.scalar_source(operand, place.ty, false, 0) }
            }
        }
    }

    fn step_of(
        &mut self,
        code: &Code<'_>,
        places: &Places<'_>,
        meaning: &'static Signature,
        clamp: bool,
    ) -> Option<Step> {
        let row = code.form.row;
        let mut step = Step::computing(code.at, meaning);
        let mut v = Vector { dpp: dpp(code), ..Vector::default() };
        let op_sel = code.modifier(Mod::OpSel);
        let selects = code.has_modifier(Mod::OpSel);

        // Sources, with the old destination behind them where it is read.
        let mut operands = Vec::new();
        for (i, place) in places.sources.iter().enumerate() {
            let class = *meaning.args.get(i)?;
            let (from, half) = self.vector_operand(code, place, class.dwords() as u8);
            let mut p = Source::new(i, from, class);
            p.high = half
                || selects
                    && op_sel >> i & 1 != 0
                    && (class.is_16() || row.traits.contains(Traits::OP_SEL) && place.ty.is_16());
            p.high &= !(p.high && planted!(HighSourceLow));
            p.neg = place.neg != NO_BIT && code.bit(place.neg);
            p.abs = place.abs != NO_BIT && code.bit(place.abs);
            p.sext = [place.sext, place.silent_sext].into_iter().any(|bit| bit != NO_BIT && code.bit(bit));
            p.permuted = i == 0 && v.dpp.is_some();
            if code.form.variant == Variant::Sdwa {
                p.select = code
                    .modifier([Mod::Src0Sel, Mod::Src1Sel][if planted!(SdwaSecondSelect) { 0 } else { i.min(1) }])
                    as u8;
            }
            if let Some(part) = self.narrow_source(code)
                && !planted!(NarrowSourceLowest)
            {
                p.select = part;
            }
            operands.push(p);
        }
        let (dst, high) = match places.dst {
            Some(place) => match self.vector_operand(code, place, 1) {
                (From::Vector(at), high) => (at, high),
                _ => return None,
            },
            None => (file::NOWHERE, false),
        };
        let values = meaning.values();
        if operands.len() + 1 == values {
            let class = *meaning.args.get(operands.len())?;
            let mut p = Source::new(operands.len(), From::Vector(dst), class);
            p.high = class.is_16() && (high || selects && op_sel >> 3 & 1 != 0);
            operands.push(p);
        }
        if operands.len() != values || operands.len() > MAX_SOURCES {
            return None;
        }
        for p in operands {
            put(&mut step, &mut v, p);
        }

        // Masks.
        if meaning.args.contains(&Class::Bit) {
            let reads_vcc = row.traits.contains(Traits::READS_VCC);
            step.mask_src = if reads_vcc { slot::VCC as u32 } else { self.mask_place(code, places.mask_src, false) };
        }
        if row.family == Family::Vopc {
            v.post.exec = rules::compares_to_exec(row);
        }
        step.mask_dst = self.mask_place(code, places.mask_dst, true);
        if v.post.exec && step.mask_dst == slot::SINK as u32 {
            (step.mask_dst, v.post.exec) = (slot::EXEC as u32, false);
        }

        // The result.
        step.dst = dst;
        let class = meaning.ret[0];
        if class.is_float() {
            v.post.clamp = clamp;
            v.post.omod = code.modifier(Mod::Omod) as u8;
            v.post.nearest = self.generation() >= Gen::Gfx12 && silicon::computes(row.name);
        }
        if class.is_16() {
            let upper = high || selects && op_sel >> 3 & 1 != 0;
            v.post.half = if upper {
                Half::High
            } else if self.keeps_upper_half(row) {
                Half::Low
            } else {
                Half::LowZero
            };
        }
        if code.has_modifier(Mod::DstSel) {
            v.post.select = code.modifier(Mod::DstSel) as u8;
            v.post.unused = code.modifier(Mod::DstUnused) as u8;
            if v.post.select != 6 {
                v.post.half = Half::Whole;
            }
        }
        if !v.post.is_plain() || v.dpp.is_some() || !v.sources.is_empty() {
            step.vector = Some(Box::new(v));
        }
        Some(step)
    }

    /// Whether a 16-bit result leaves the upper half of its register alone.
    fn keeps_upper_half(&self, row: &Inst) -> bool {
        match self.generation() {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => planted!(HalfAboveKept),
            Gen::Gfx9 => {
                rules::keeps_upper_half_on_gfx9(row) && !(row.name.contains("3_") && planted!(Gfx9ChosenCleared))
                    || rules::is_legacy_on_gfx9(row) && planted!(Gfx9LegacyKept)
                    || planted!(Gfx9HalfKept)
            }
            Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => true,
        }
    }

    /// A packed instruction: a meaning for each half.
    fn packed(&mut self, code: &Code<'_>) -> Option<Step> {
        let row = code.form.row;
        let places = self.places(code)?;
        let clamp = code.modifier(Mod::Clamp) != 0;
        if row.traits.contains(Traits::MIX) {
            return self.mixed(code, &places, clamp);
        }
        match sem::find::packing(row) {
            Packing::Moved => self.selected_words(code, &places),
            Packing::Whole => self.dot(code, &places, clamp),
            packing => self.twice(code, &places, packing, clamp),
        }
    }

    /// The four selectors of a packed instruction.
    fn selectors(code: &Code<'_>) -> (u32, u32, u32, u32) {
        let or = |id, default| if code.has_modifier(id) { code.modifier(id) } else { default };
        (or(Mod::OpSel, 0), or(Mod::OpSelHi, 7), or(Mod::NegLo, 0), or(Mod::NegHi, 0))
    }

    /// One meaning for the low and one for the high parts: halves of a register, or words of a pair.
    fn twice(&mut self, code: &Code<'_>, places: &Places<'_>, packing: Packing, clamp: bool) -> Option<Step> {
        let (low, high, neg_low, neg_high) = Self::selectors(code);
        let meaning = self.meaning(code.form.row, "", clamp)?;
        let words = packing == Packing::Words;
        let From::Vector(dst) = self.vector_operand(code, places.dst?, 1 + u8::from(words)).0 else { return None };
        let mut make = |select: u32, neg: u32, part: u32| {
            let mut v = Vector::default();
            let mut step = Step::computing(code.at, meaning);
            step.dst = dst + if words { part } else { 0 };
            for (i, class) in meaning.args.iter().enumerate() {
                let upper = select >> i & 1;
                // The old destination gives the part that is written.
                let (from, upper) = match places.sources.get(i) {
                    Some(place) if words => (self.word_of_pair(code, place, upper), false),
                    Some(place) => (self.vector_operand(code, place, 1).0, upper != 0),
                    None => (From::Vector(step.dst), part != 0),
                };
                let mut p = Source::new(i, from, *class);
                p.high = upper && !words;
                p.neg = neg >> i & 1 != 0 && class.is_float();
                v.sources.push(p);
            }
            v.post.clamp = clamp && meaning.ret[0].is_float();
            v.post.half = match (words, part) {
                (true, _) => Half::Whole,
                (false, 0) => Half::Low,
                (false, _) => Half::High,
            };
            (step, v)
        };
        let (neg_low, neg_high) = if planted!(PackedNegSwapped) { (neg_high, neg_low) } else { (neg_low, neg_high) };
        let (mut first, mut v) = make(low, neg_low, 0);
        let high = if planted!(PackedHighFromLow) { low } else { high };
        let (mut second, w) = make(high, neg_high, 1);
        second.vector = Some(Box::new(w));
        v.more = Some(Box::new(second));
        first.vector = Some(Box::new(v));
        Some(first)
    }

    /// One word of an operand that is a pair.
    fn word_of_pair(&mut self, code: &Code<'_>, place: &Slot, word: u32) -> From {
        match self.vector_operand(code, place, 2).0 {
            From::Vector(at) => From::Vector(at + word),
            From::Scalar(at) => From::Scalar(at + word),
            from @ (From::LdsDirect | From::Parameter(_)) => from,
        }
    }

    /// A move of two words, each from either word of its source.
    fn selected_words(&mut self, code: &Code<'_>, places: &Places<'_>) -> Option<Step> {
        let (select, ..) = Self::selectors(code);
        let meaning = self.meaning(code.form.row, "", false)?;
        let From::Vector(dst) = self.vector_operand(code, places.dst?, 2).0 else { return None };
        let mut step = Step::computing(code.at, meaning);
        let mut v = Vector::default();
        step.dst = dst;
        for (i, class) in meaning.args.iter().enumerate() {
            let from = self.word_of_pair(
                code,
                places.sources.get(i)?,
                if planted!(PairNotSelected) { i as u32 & 1 } else { select >> i & 1 },
            );
            v.sources.push(Source::new(i, from, *class));
        }
        step.vector = Some(Box::new(v));
        Some(step)
    }

    /// A dot product: its packed operands are put together before the meaning reads them.
    fn dot(&mut self, code: &Code<'_>, places: &Places<'_>, clamp: bool) -> Option<Step> {
        let row = code.form.row;
        let (low, high, neg_low, neg_high) = Self::selectors(code);
        let signs = rules::chooses_signs(row);
        let word = if signs { ["uu", "su", "us", "ss"][neg_low as usize & 3] } else { "" };
        let meaning = self.meaning(row, word, clamp)?;
        let From::Vector(dst) = self.vector_operand(code, places.dst?, 1).0 else { return None };
        let mut step = Step::computing(code.at, meaning);
        let mut v = Vector { dpp: dpp(code), ..Vector::default() };
        step.dst = dst;
        for (i, class) in meaning.args.iter().enumerate() {
            let place = places.sources.get(i)?;
            let mut p = Source::new(i, self.vector_operand(code, place, class.dwords() as u8).0, *class);
            if place.ty.is_pair() {
                let at = |v: u32| (v >> i & 1) as u8;
                // NEG is for floats (the manuals).
                let negated = place.ty != crate::isa::operand::Ty::P16 || planted!(DotIntegersNegated);
                let negates = |v: u32| at(v) & u8::from(negated);
                let neg_high = if planted!(DotNegHighIgnored) { 0 } else { neg_high };
                p.halves = Some(at(low) | negates(neg_low) << 1 | at(high) << 2 | negates(neg_high) << 3);
            } else if class.is_float() && !signs {
                // The accumulator: NEG negates it, NEG_HI takes its absolute value.
                p.neg = neg_low >> i & 1 != 0;
                p.abs = neg_high >> i & 1 != 0;
            }
            p.permuted = i == 0 && v.dpp.is_some();
            put(&mut step, &mut v, p);
        }
        v.post.clamp = clamp && meaning.ret[0].is_float();
        step.vector = Some(Box::new(v));
        Some(step)
    }

    /// Mixed precision: each source is an f32, or a half of a register widened.
    fn mixed(&mut self, code: &Code<'_>, places: &Places<'_>, clamp: bool) -> Option<Step> {
        let row = code.form.row;
        let (half, narrow, ..) = Self::selectors(code);
        let meaning = self.meaning(row, "", clamp)?;
        let From::Vector(dst) = self.vector_operand(code, places.dst?, 1).0 else { return None };
        let mut step = Step::computing(code.at, meaning);
        let mut v = Vector { dpp: dpp(code), ..Vector::default() };
        step.dst = dst;
        for (i, place) in places.sources.iter().enumerate() {
            let widen = (narrow >> i & 1 != 0) != planted!(MixNarrowSwapped);
            // A constant is read as what the source is.
            let ty = if widen { crate::isa::operand::Ty::F16 } else { crate::isa::operand::Ty::F32 };
            let (from, _) = self.vector_operand(code, &Slot { ty, ..**place }, 1);
            let mut p = Source::new(i, from, Class::F32);
            p.widen = widen;
            p.flush = widen && rules::flushes_halves(row) && !planted!(MixKeepsDenormals);
            p.high = widen && half >> i & 1 != 0 && !planted!(MixHalfIgnored);
            p.neg = place.neg != NO_BIT && code.bit(place.neg);
            p.abs = place.abs != NO_BIT && code.bit(place.abs);
            p.permuted = i == 0 && v.dpp.is_some();
            v.sources.push(p);
        }
        v.post.clamp = clamp;
        v.post.half = match rules::mixes_to(row) {
            Some(false) => Half::Low,
            Some(true) => Half::High,
            None => Half::Whole,
        };
        step.vector = Some(Box::new(v));
        Some(step)
    }

    /// A dual instruction: both halves read before either writes.
    pub(super) fn dual(&mut self, code: &Code<'_>) -> Option<Step> {
        let at = code.form.slots.iter().position(|s| matches!(s.kind, Kind::Dual(_)))?;
        let Kind::Dual(second) = code.form.slots[at].kind else { return None };
        let (first_slots, second_slots) = (&code.form.slots[..at], &code.form.slots[at + 1..]);
        let g = self.generation();
        let second = rules::second_half(second, g)?;
        let mut make = |row: &'static Inst, slots: &[Slot]| -> Option<Step> {
            let meaning = self.meaning(row, "", false)?;
            let mut step = Step::computing(code.at, meaning);
            let mut v = Vector::default();
            let place = slots.first()?;
            let number = place.span.get(code.words);
            step.dst = match place.kind {
                // The lowest bit of the second destination is the opposite of the first's.
                Kind::DualVdst => {
                    let x = code.form.slots[0].span.get(code.words);
                    number << 1 & 0xfe | !x & 1
                }
                _ => number,
            };
            let mut sources = slots[1..].iter();
            for (i, class) in meaning.args.iter().enumerate() {
                if *class == Class::Bit {
                    step.mask_src = slot::VCC as u32;
                    continue;
                }
                let from = match sources.next() {
                    Some(place) => self.vector_operand(code, place, 1).0,
                    None => From::Vector(step.dst),
                };
                put(&mut step, &mut v, Source::new(i, from, *class));
            }
            step.row = Some(row);
            step.vector = Some(Box::new(v));
            Some(step)
        };
        let mut x = make(code.form.row, first_slots)?;
        let y = make(second, second_slots)?;
        if let Some(v) = &mut x.vector {
            v.more = Some(Box::new(y));
        }
        Some(x)
    }
}

/// DPP, where the form has it.
fn dpp(code: &Code<'_>) -> Option<Dpp> {
    match code.form.variant {
        Variant::Dpp => Some(Dpp::Sixteen {
            control: code.modifier(Mod::DppCtrl) as u16,
            rows: code.modifier(Mod::RowMask) as u8,
            banks: code.modifier(Mod::BankMask) as u8,
            bound: code.modifier(Mod::BoundCtrl) != 0,
            inactive: code.modifier(Mod::Fi) != 0,
        }),
        Variant::Dpp8 => Some(Dpp::Eight { lanes: code.modifier(Mod::Dpp8), inactive: code.modifier(Mod::Fi) == 0xea }),
        Variant::Base | Variant::Sdwa => None,
    }
}

/// Gives a step a source: the place of one that is read where it is, or all of one that is made ready.
fn put(step: &mut Step, v: &mut Vector, source: Source) {
    match source.in_place() {
        Some(at) => step.src[usize::from(source.number)] = at,
        None => v.sources.push(source),
    }
}
