//! Vector arithmetic: operands made ready, the meaning, the result finished and written, lane by lane.
//!
//! What a step needs besides its meaning the program says ([`Source`], [`Post`]); here is how SPIR-V does it. All operations of an
//! instruction (packed halves, dual instructions) read before any writes. With DPP, the operand that moves is handed out by every lane
//! first, and each lane then takes it from where the control word says.

use super::run::Member;
use super::{Lower, Lowered};
use crate::isa::does::{Does, Interpolate, Lanes, Parameter};
use crate::isa::row::Inst;
use crate::isa::sem::{Alg, Class};
use crate::program::{Dpp, From, Half, Post, STOP, Source, Step, Vector};
use crate::spirv::alg::{Spirv, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::functions::{Function, Width};
use crate::spirv::lanes::Lane;
use crate::spirv::meaning::{self, Operand, Writer};

/// One operation of an instruction.
pub(super) struct Operation<'s> {
    pub(super) step: &'s Step,
    vector: Option<&'s Vector>,
    writer: &'static Writer,
}

/// What an operation gives a lane.
struct Computed {
    words: [Word; 4],
    bit: Truth,
    /// Whether the lane takes part.
    writes: Truth,
}

impl<'s> Operation<'s> {
    fn of(step: &'s Step) -> Result<Operation<'s>, String> {
        let name = || format!("the meaning of {}", step.meaning.map_or("", |of| of.name));
        let writer = step.meaning.and_then(meaning::vector).ok_or_else(name)?;
        Ok(Operation { step, vector: step.vector.as_deref(), writer })
    }

    /// The operations of an instruction.
    pub(super) fn all(step: &'s Step) -> Result<Vec<Operation<'s>>, String> {
        let mut all = vec![Operation::of(step)?];
        while let Some(next) = all.last().and_then(|o| o.vector?.more.as_deref()) {
            all.push(Operation::of(next)?);
        }
        Ok(all)
    }

    /// Whether it asks nothing of other lanes, and nothing of memory.
    pub(super) fn stays_in_its_lane(&self) -> bool {
        self.vector.is_none_or(|v| {
            v.sources.iter().all(|p| !moves(v, p) && !matches!(p.from, From::LdsDirect | From::Parameter(_)))
        })
    }

    /// Whether it is sure to call a function: floats do.
    pub(super) fn calls(&self) -> bool {
        self.writer.ret.iter().chain(self.writer.args).any(|class| class.is_float())
    }

    pub(super) fn post(&self) -> Post {
        self.vector.map_or_else(Post::default, |v| v.post)
    }
}

impl Lower<'_> {
    /// A vector instruction.
    pub(super) fn vector(&self, step: &Step, row: &'static Inst) -> Lowered {
        if step.meaning.is_none() {
            return self.crossing(step, row);
        }
        if row.does == Does::Lanes(Lanes::ScalarFunction) {
            return self.scalar_function(step);
        }
        let operations = Operation::all(step)?;
        self.hand_out(&operations[0])?;
        let member = Member { line: None, operations };
        match row.does {
            Does::Lanes(Lanes::Parameter(Parameter::Load) | Lanes::Direct) => {
                self.for_quads(|| self.go_through(&[member]))
            }
            _ => self.go_through(&[member]),
        }
        Ok(())
    }

    /// A transcendental function of a scalar: done once, whatever EXEC says.
    fn scalar_function(&self, step: &Step) -> Lowered {
        let operation = Operation::of(step)?;
        let k = self.floats(Word::Known(0));
        let mut sources = Vec::new();
        for p in operation.vector.map_or(&[][..], |v| &v.sources[..]) {
            sources.push(self.prepare(&k, p, None, Self::no_lane(), &mut 0).0);
        }
        if sources.is_empty() {
            sources.push(Operand::words(&[self.v(step.src[0], Self::no_lane())]));
        }
        let mut words = (operation.writer.write)(&k, &sources)[0].words;
        let class = operation.writer.ret[0];
        output(&k, class, &operation.post(), &mut words);
        self.set_s(step.dst, if class.is_16() { k.zx16(words[0]) } else { words[0] });
        Ok(())
    }

    /// Hands out the operand that DPP moves, or that all lanes of a quad read of one.
    fn hand_out(&self, operation: &Operation<'_>) -> Lowered {
        let Some(v) = operation.vector else { return Ok(()) };
        let moving: Vec<&Source> = v.sources.iter().filter(|p| moves(v, p)).collect();
        if moving.is_empty() {
            return Ok(());
        }
        self.publish(|lane| {
            let words = |p: &&Source| {
                let dwords = u32::from(p.dwords);
                let p = **p;
                (0..dwords).map(move |n| self.place(&p, n, lane)).collect::<Vec<_>>()
            };
            moving.iter().flat_map(words).collect()
        });
        Ok(())
    }

    /// Word `n` of where an operand comes from.
    fn place(&self, p: &Source, n: u32, lane: Lane) -> Word {
        match p.from {
            From::Vector(at) => self.source(usize::from(p.number), at, n, lane),
            From::Scalar(at) => self.s(at + n),
            // It is a word; the upper one of a pair is zero.
            From::LdsDirect if n > 0 => Word::Known(0),
            From::LdsDirect => self.lds_word_at_m0(),
            From::Parameter(parameter) => self.parameter(parameter, lane),
        }
    }

    /// All operations of an instruction in one lane; gives the bit of the first one.
    pub(super) fn operate(&self, operations: &[Operation<'_>], lane: Lane) -> Truth {
        let mut k = self.floats(lane.number);
        if operations[0].step.row.is_some_and(|row| {
            matches!(row.does, Does::Lanes(Lanes::Interpolate(Interpolate { toward_zero: true, .. })))
        }) {
            // As the mode register says, but for the rounding.
            const TOWARDS_ZERO: u32 = 0xf;
            k.mode = k.or(k.mode, k.w(TOWARDS_ZERO));
        }
        let mut computed: Vec<Computed> = operations.iter().map(|o| self.compute(&k, o, lane)).collect();
        // The lanes that DPP lets through are those of the first operation, which is the one that moves lanes.
        let writes = computed[0].writes;
        for (n, operation) in operations.iter().enumerate() {
            if n > 0 && self.has(Fault::DualOrder) {
                computed[n] = self.compute(&k, operation, lane);
            }
            let result = &computed[n];
            self.finish(&k, operation, result, k.both(writes, result.writes), lane);
        }
        if self.has(Fault::MaskNotAnded) { computed[0].bit } else { k.both(computed[0].bit, writes) }
    }

    fn compute(&self, k: &Spirv<'_>, operation: &Operation<'_>, lane: Lane) -> Computed {
        let step = operation.step;
        let mut writes = if self.has(Fault::ExecIgnored) { Truth::Known(true) } else { lane.active };
        let mut slot_of_exchange = 0;
        let mut ready: Vec<(u8, Operand)> = Vec::new();
        if let Some(v) = operation.vector {
            for p in &v.sources {
                let (operand, write) = self.prepare(k, p, v.dpp, lane, &mut slot_of_exchange);
                writes = k.both(writes, write);
                ready.push((p.number, operand));
            }
        }
        let mut sources = Vec::with_capacity(operation.writer.args.len());
        let mut next = 0;
        for class in operation.writer.args {
            if *class == Class::Bit {
                let from = if self.has(Fault::CarryOfLaneZero) { k.w(0) } else { lane.number };
                sources.push(Operand::bit(self.bit_of(self.mask_at(step.mask_src), from)));
                continue;
            }
            let number = next;
            let at = step.src[number];
            next += 1;
            sources.push(match ready.iter().find(|(n, _)| usize::from(*n) == number) {
                Some((_, operand)) => *operand,
                None => {
                    let mut operand = Operand::words(&[]);
                    for (n, word) in (0..class.dwords() as u32).zip(&mut operand.words) {
                        *word = self.source(number, at, n, lane);
                    }
                    operand
                }
            });
        }
        let results = (operation.writer.write)(k, &sources);
        let mut computed = Computed { words: [Word::Known(0); 4], bit: Truth::Known(false), writes };
        for (class, result) in operation.writer.ret.iter().zip(results) {
            if *class == Class::Bit { computed.bit = result.bit } else { computed.words = result.words }
        }
        computed
    }

    /// An operand with all that is done to it, and whether the lane may be written.
    fn prepare(
        &self,
        k: &Spirv<'_>,
        p: &Source,
        dpp: Option<Dpp>,
        lane: Lane,
        exchange: &mut usize,
    ) -> (Operand, Truth) {
        let dwords = usize::from(p.dwords);
        let mut writes = Truth::Known(true);
        let mut words: Vec<Word> = match (p.quad, dpp.filter(|_| p.permuted)) {
            (None, None) => (0..p.dwords).map(|n| self.place(p, n.into(), lane)).collect(),
            (quad, dpp) => {
                let first = *exchange;
                *exchange += dwords;
                match dpp {
                    Some(dpp) => {
                        let moved = self.source_lane(k, dpp, lane);
                        writes = moved.writes;
                        (0..dwords).map(|n| k.sel(moved.reads, self.fetch(first + n, moved.lane), k.w(0))).collect()
                    }
                    None => {
                        let of_quad = k.or(k.mask(lane.number, !3), k.w(u32::from(quad.unwrap_or(0))));
                        (0..dwords).map(|n| self.fetch(first + n, of_quad)).collect()
                    }
                }
            }
        };
        if p.only_signs() || p.dwords == 2 {
            let sign = if p.class.is_16() { 15 } else { 31 };
            if let Some(last) = words.last_mut() {
                *last = signed(k, *last, p, sign);
            }
        } else if let Some(word) = words.first_mut() {
            *word = modify(k, *word, p);
        }
        (Operand::words(&words), writes)
    }

    /// Finishes a result and writes it where the lane takes part.
    fn finish(&self, k: &Spirv<'_>, operation: &Operation<'_>, result: &Computed, writes: Truth, lane: Lane) {
        let post = operation.post();
        let class = operation.writer.ret[0];
        let mut words = result.words;
        if class.is_float() {
            output(k, class, &post, &mut words);
        }
        for dword in 0..class.dwords() as u32 {
            let at = operation.step.dst + dword;
            if !Self::is_register(at) || dword > 0 && self.has(Fault::WideResultCut) {
                continue;
            }
            let v = words[dword as usize];
            let old = || self.old(operation.step.dst, dword, lane);
            let v = if post.half == Half::Whole && post.select == 6 { v } else { merge(k, &post, v, old()) };
            self.write_to(operation.step.dst, dword, lane, writes, v);
        }
    }

    /// Where a lane takes its operand from.
    fn source_lane(&self, k: &Spirv<'_>, dpp: Dpp, lane: Lane) -> Moved {
        let n = lane.number;
        let exec = self.exec();
        match dpp {
            Dpp::Eight { lanes, inactive } => {
                let place = if self.has(Fault::Dpp8Reversed) { k.xor(n, k.w(7)) } else { n };
                let select = k.mask(k.shr(k.w(lanes), k.mul(k.mask(place, 7), k.w(3))), 7);
                let source = k.or(k.mask(n, !7), select);
                let reads = k.either(k.c(inactive), self.bit_of(exec, source));
                // What is not read is 0, and written.
                Moved { lane: source, reads, writes: Truth::Known(true) }
            }
            Dpp::Sixteen { control, rows, banks, bound, inactive } => {
                let (source, there) = self.dpp16(k, control.into(), n);
                let there = if self.has(Fault::DppWraps) { Truth::Known(true) } else { there };
                let inactive = inactive || self.has(Fault::DppReadsInactive);
                let bound = bound && !self.has(Fault::DppBoundControl);
                let rows = if self.has(Fault::DppRowMask) { 15 } else { rows };
                let banks = if self.has(Fault::DppBankMask) { 15 } else { banks };
                let reads = k.both(there, k.either(k.c(inactive), self.bit_of(exec, source)));
                let row = k.nz(k.mask(k.shr(k.w(rows.into()), k.shri(n, 4)), 1));
                let bank = k.nz(k.mask(k.shr(k.w(banks.into()), k.mask(k.shri(n, 2), 3)), 1));
                let writes = k.both(k.either(reads, k.c(bound)), k.both(row, bank));
                Moved { lane: source, reads, writes }
            }
        }
    }

    /// The source lane of a DPP control word, and whether there is one.
    fn dpp16(&self, k: &Spirv<'_>, control: u32, n: Word) -> (Word, Truth) {
        let (row, i) = (k.mask(n, !15), k.mask(n, 15));
        let last = self.options.lanes - 1;
        let by = control & 15;
        let yes = Truth::Known(true);
        match control {
            0x000..=0x0ff => {
                let select = k.mask(k.shr(k.w(control), k.shli(k.mask(n, 3), 1)), 3);
                (k.or(k.mask(n, !3), select), yes)
            }
            0x101..=0x10f => {
                let to = k.add(i, k.w(by));
                (k.or(row, k.mask(to, 15)), k.lt_u(to, k.w(16)))
            }
            0x111..=0x11f => (k.or(row, k.mask(k.sub(i, k.w(by)), 15)), k.negate(k.lt_u(i, k.w(by)))),
            0x121..=0x12f => (k.or(row, k.mask(k.sub(i, k.w(by)), 15)), yes),
            0x130 => (k.mask(k.add(n, k.w(1)), last), k.lt_u(n, k.w(last))),
            0x134 => (k.mask(k.add(n, k.w(1)), last), yes),
            0x138 => (k.mask(k.sub(n, k.w(1)), last), k.nz(n)),
            0x13c => (k.mask(k.sub(n, k.w(1)), last), yes),
            0x140 => (k.or(row, k.sub(k.w(15), i)), yes),
            0x141 => (k.xor(n, k.w(7)), yes),
            // The last lane of the row before.
            0x142 => (k.mask(k.sub(row, k.w(1)), last), k.nz(row)),
            0x143 => (k.w(31), k.negate(k.lt_u(n, k.w(32)))),
            0x150..=0x15f => (k.or(row, k.w(by)), yes),
            0x160..=0x16f => (k.or(row, k.xor(i, k.w(by))), yes),
            _ => (n, Truth::Known(false)),
        }
    }

    /// Whether a step goes on at all.
    pub(super) fn known_target(step: &Step) -> Option<u32> {
        (step.target != STOP).then_some(step.target)
    }
}

/// Whether an operand comes from another lane.
fn moves(v: &Vector, p: &Source) -> bool {
    p.quad.is_some() || p.permuted && v.dpp.is_some()
}

/// Where DPP takes a value from.
struct Moved {
    lane: Word,
    /// Whether it is read; else it is 0.
    reads: Truth,
    /// Whether the lane may be written.
    writes: Truth,
}

/// Absolute value, then negation: operations on the sign bit alone.
fn signed(k: &Spirv<'_>, v: Word, p: &Source, sign: u32) -> Word {
    let absolute = |v: Word| if p.abs && !k.has(Fault::AbsDropped) { k.mask(v, !(1 << sign)) } else { v };
    let negated = |v: Word| if p.neg && !k.has(Fault::NegDropped) { k.xor(v, k.w(1 << sign)) } else { v };
    if k.has(Fault::AbsBehindNeg) { absolute(negated(v)) } else { negated(absolute(v)) }
}

/// The modifiers of an operand of one word.
fn modify(k: &Spirv<'_>, v: Word, p: &Source) -> Word {
    if let Some(halves) = p.halves {
        let half = |at: u8| {
            let upper = (halves >> at & 1 != 0) != (at == 2 && k.has(Fault::PackedHighSelect));
            let half = if upper { k.shri(v, 16) } else { k.zx16(v) };
            let negated = halves >> (at + 1) & 1 != 0 && !(at == 2 && k.has(Fault::PackedHighNeg));
            k.xor(half, k.w(u32::from(negated) << 15))
        };
        return k.or(half(0), k.shli(half(2), 16));
    }
    let v = if p.high && !k.has(Fault::HighDropped) { k.shri(v, 16) } else { v };
    let (v, width) = match p.select {
        _ if k.has(Fault::SelectDropped) => (v, 32),
        n @ 0..=3 => (k.byte(v, n.into()), 8),
        4 => (k.zx16(v), 16),
        5 => (k.shri(v, 16), 16),
        _ => (v, 32),
    };
    let v = if p.sext && width < 32 && !k.has(Fault::SextDropped) { k.sx(v, width) } else { v };
    let v = if p.flush { k.sel(k.nz(k.mask(v, 0x7c00)), v, k.mask(v, 0x8000)) } else { v };
    let v = if p.widen { k.modified(Function::Widen, k.zx16(v)) } else { v };
    signed(k, v, p, if p.class.is_16() { 15 } else { 31 })
}

/// Output modifier, then clamp.
fn output(k: &Spirv<'_>, class: Class, post: &Post, words: &mut [Word; 4]) {
    let width = match class {
        Class::F16 => Width::F16,
        Class::F64 => Width::F64,
        _ => Width::F32,
    };
    let omod = (post.omod != 0).then_some(Function::Omod(width, post.omod, post.nearest));
    let clamp = post.clamp.then_some(Function::Clamp(width));
    for function in omod.into_iter().chain(clamp) {
        if width == Width::F64 {
            (words[0], words[1]) = k.modified_d(function, (words[0], words[1]));
        } else {
            words[0] = k.modified(function, words[0]);
        }
    }
}

/// A result word put into its register.
fn merge(k: &Spirv<'_>, post: &Post, new: Word, old: Word) -> Word {
    let new = match post.half {
        Half::Whole => new,
        Half::LowZero => k.zx16(new),
        Half::Low if k.has(Fault::HalfNotKept) => k.zx16(new),
        Half::High if k.has(Fault::HighWrittenLow) => k.or(k.mask(old, 0xffff_0000), k.zx16(new)),
        Half::Low => k.or(k.mask(old, 0xffff_0000), k.zx16(new)),
        Half::High => k.or(k.zx16(old), k.shli(new, 16)),
    };
    let (shift, width) = match post.select {
        n @ 0..=3 => (u32::from(n) * 8, 8),
        4 => (0, 16),
        5 => (16, 16),
        _ => return new,
    };
    let shift = if k.has(Fault::DstSelectLow) { 0 } else { shift };
    let ones = (1u32 << width) - 1;
    let part = k.shli(k.mask(new, ones), shift);
    match post.unused {
        0 => part,
        // The sign of what was selected fills what lies above it; below are zeros.
        1 if k.has(Fault::UnusedNoSign) => part,
        1 => k.shli(k.sx(new, width), shift),
        2 if k.has(Fault::UnusedCleared) => part,
        _ => k.or(k.mask(old, !(ones << shift)), part),
    }
}
