//! Buffer descriptors at run time: the address of an access, and which of its components are in range.
//!
//! The rules are those of [`crate::memory::buffer`]; what a generation decides is decided here, what the four words of a descriptor say
//! is computed on the device.

use super::Lower;
use super::helper::Helper;
use crate::isa::sem::Alg;
use crate::isa::{Gen, Variants};
use crate::program::Step;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault;
use crate::spirv::state::trap;

const IN_RANGE: Helper = Helper { name: "buffer_in_range", results: 1, body: in_range };
const ADDRESS: Helper = Helper { name: "buffer_address", results: 2, body: address };

/// A descriptor taken apart.
#[derive(Clone, Copy)]
pub(super) struct Descriptor {
    words: [Word; 4],
    /// 48 bits.
    pub(super) base: Pair,
    stride: Word,
    records: Word,
    /// Records are interleaved.
    pub(super) swizzled: Truth,
    /// The binary logarithm of an element of a swizzled buffer.
    element: Word,
    /// That of the records of a swizzled block.
    block: Word,
    pub(super) add_tid: Truth,
    /// As MTBUF would name it.
    pub(super) format: Word,
    /// Its effect is not known.
    unknown: Truth,
}

/// What a lane asks for.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    /// The index register, where the instruction has one.
    pub(super) index: Option<Word>,
    /// The offset register.
    pub(super) offset: Word,
    /// The offset of the instruction.
    pub(super) instruction: u32,
    /// The scalar offset.
    pub(super) soffset: Word,
    /// The number of the lane.
    pub(super) lane: Word,
    /// Bytes of a component.
    pub(super) component: Word,
    /// How many there are.
    pub(super) count: Word,
}

/// Some bits of a word.
fn bits(k: &Spirv<'_>, word: Word, low: u32, count: u32) -> Word {
    k.mask(k.shri(word, low), (1 << count) - 1)
}

impl Lower<'_> {
    /// The descriptor in four scalar registers.
    pub(super) fn descriptor(&self, at: u32) -> Descriptor {
        let k = self.alg(Word::Known(0));
        let g = self.generation();
        let words = [0, 1, 2, 3].map(|n| self.s(at + n));
        let [w0, w1, w2, w3] = words;
        let bits = |word, low, count| bits(&k, word, low, count);
        let add_tid = k.nz(bits(w3, 23, 1));
        // The format's place holds the upper bits of the stride there.
        let wide = if matches!(g, Gen::Gfx8 | Gen::Gfx9) { add_tid } else { k.c(false) };
        let upper = k.sel(wide, k.shli(bits(w3, 15, 4), 14), k.w(0));
        let mode = k.shri(w1, 30);
        let (swizzled, element) = match g {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => (k.lt_s(w1, k.w(0)), k.add(bits(w3, 19, 2), k.w(1))),
            Gen::Gfx9 | Gen::Gfx10 => (k.lt_s(w1, k.w(0)), k.w(2)),
            Gen::Gfx11 | Gen::Gfx12 => (k.nz(mode), k.sel(k.eq(mode, k.w(1)), k.w(2), k.w(4))),
        };
        let format = match g {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => {
                let data = k.sel(wide, k.w(0), bits(w3, 15, 4));
                k.or(data, k.shli(bits(w3, 12, 3), 4))
            }
            Gen::Gfx10 => bits(w3, 12, 7),
            Gen::Gfx11 | Gen::Gfx12 => bits(w3, 12, 6),
        };
        let swizzled = if self.has(Fault::SwizzleIgnored) { k.c(false) } else { swizzled };
        let reserved = if g >= Gen::Gfx11 { k.eq(mode, k.w(2)) } else { k.c(false) };
        let scaled = if g == Gen::Gfx12 { k.nz(bits(w3, 18, 2)) } else { k.c(false) };
        Descriptor {
            words,
            base: (w0, k.zx16(w1)),
            stride: k.or(bits(w1, 16, 14), upper),
            records: w2,
            swizzled,
            element,
            block: k.add(bits(w3, 21, 2), k.w(3)),
            add_tid,
            format,
            unknown: k.either(reserved, scaled),
        }
    }

    /// Stops where the effect of a descriptor is not known.
    pub(super) fn refuse(&self, step: &Step, descriptor: &Descriptor, needed: Truth) {
        let c = self.alg(Word::Known(0)).both(descriptor.unknown, needed);
        self.refuse_if(step, c);
    }

    /// Stops if what is asked for is not known.
    pub(super) fn refuse_if(&self, step: &Step, c: Truth) {
        if c != Truth::Known(false) {
            self.leave_if(c, || self.trap_here(step, trap::UNSUPPORTED));
        }
    }
}

impl Descriptor {
    /// Whether there is a buffer at all. `typed`: the instruction brings its format along.
    pub(super) fn bound(&self, l: &Lower<'_>, typed: bool) -> Truth {
        let k = l.alg(Word::Known(0));
        let [w0, w1, w2, w3] = self.words;
        let format = if l.generation() <= Gen::Gfx9 { k.mask(self.format, 15) } else { self.format };
        let valid = k.either(k.either(k.c(typed), k.nz(format)), self.add_tid);
        let some = k.nz(k.or(k.or(w0, w1), k.or(w2, w3)));
        k.both(k.both(k.eq(k.shri(w3, 30), k.w(0)), some), valid)
    }

    /// Where register `n` of a formatted access comes from: 1 is one, 4 to 7 are components, all else is zero.
    pub(super) fn select(&self, l: &Lower<'_>, n: u32) -> Word {
        bits(&l.alg(Word::Known(0)), self.words[3], 3 * n, 3)
    }

    fn flags(&self, k: &Spirv<'_>) -> Word {
        let oob = k.shli(bits(k, self.words[3], 28, 2), 2);
        k.or(k.or(k.bit(self.swizzled), k.shli(k.bit(self.add_tid), 1)), oob)
    }

    fn index(&self, k: &Spirv<'_>, ask: &Ask) -> Word {
        k.add(ask.index.unwrap_or(k.w(0)), k.sel(self.add_tid, ask.lane, k.w(0)))
    }

    /// The components in range, as bits, each judged by itself.
    pub(super) fn in_range(&self, l: &Lower<'_>, ask: &Ask) -> Word {
        let k = l.alg(Word::Known(0));
        let index = self.index(&k, ask);
        let left = k.sel(k.lt_u(self.records, ask.soffset), k.w(0), k.sub(self.records, ask.soffset));
        let left = if l.has(Fault::BoundShifted) { k.add(left, k.w(4)) } else { left };
        let args = [
            self.stride,
            self.records,
            self.element,
            self.block,
            self.flags(&k),
            index,
            ask.offset,
            k.w(ask.instruction),
            left,
            ask.component,
            ask.count,
        ];
        l.call(IN_RANGE, ask.index.is_some().into(), &args)[0]
    }

    /// What [`Descriptor::address_of`] wants to know.
    pub(super) fn address_words(&self, l: &Lower<'_>, ask: &Ask) -> [Word; 9] {
        let k = l.alg(Word::Known(0));
        let offset = k.add(ask.offset, k.w(ask.instruction));
        let (stride, flags) = (self.stride, self.flags(&k));
        [self.base.0, self.base.1, stride, self.element, self.block, flags, self.index(&k, ask), offset, ask.soffset]
    }

    /// The address of a byte of an access. `drop`: the low bits that are not there.
    pub(super) fn address_of(l: &Lower<'_>, words: &[Word], byte: Word, drop: Word) -> Pair {
        let k = l.alg(Word::Known(0));
        let mut args = words.to_vec();
        args.push(byte);
        let at = l.call(ADDRESS, 0, &args);
        (k.and(at[0], k.not(drop)), at[1])
    }

    /// The address of `addr64`: no range, no swizzle.
    pub(super) fn address64(&self, l: &Lower<'_>, pointer: Pair, ask: &Ask) -> Pair {
        let k = l.alg(Word::Known(0));
        let base = (self.base.0, k.sx(self.base.1, 16));
        let at = k.add_d(k.add_d(base, pointer), k.d(ask.instruction.into()));
        let at = k.add_d(at, k.zext(ask.soffset));
        (k.and(at.0, k.not(l.untyped_drop(ask.component))), at.1)
    }

    /// Part `n` of a scalar access: whether it is in range, and its address.
    pub(super) fn scalar(&self, l: &Lower<'_>, offset: Word, size: u32, n: u32) -> (Truth, Pair) {
        let k = l.alg(Word::Known(0));
        let drop = size - 1;
        let at = k.add_d(k.zext(k.mask(offset, !drop)), k.d(u64::from(n * size)));
        let stride = k.max_u(bits(&k, self.words[1], 16, 14), k.w(1));
        let limit = k.mul_d(k.zext(stride), k.zext(self.records));
        let address = k.add_d((k.mask(self.base.0, !drop), self.base.1), at);
        let inside = if l.has(Fault::ScalarBoundIgnored) { k.c(true) } else { k.ltu_d(at, limit) };
        (inside, (address.0, k.zx16(address.1)))
    }
}

impl Lower<'_> {
    /// The low address bits that an untyped access of a component drops: on gfx6.
    pub(super) fn untyped_drop(&self, component: Word) -> Word {
        if self.target.is(Variants::G6) { self.low_bits(component) } else { Word::Known(0) }
    }

    /// As [`Lower::untyped_drop`], of formatted accesses.
    pub(super) fn formatted_drop(&self, component: Word) -> Word {
        let g = self.generation();
        if g == Gen::Gfx6 || g >= Gen::Gfx10 { self.low_bits(component) } else { Word::Known(0) }
    }

    fn low_bits(&self, size: Word) -> Word {
        let k = self.alg(Word::Known(0));
        k.sub(k.min_u(size, k.w(4)), k.w(1))
    }
}

/// The bytes from base and soffset to a byte at an offset in or behind a record.
fn buffer_offset(
    k: &Spirv<'_>,
    swizzled: Truth,
    (stride, element, block): (Word, Word, Word),
    index: Word,
    offset: Pair,
) -> Pair {
    let linear = k.add_d(k.zext(k.mul(index, stride)), offset);
    let low = |n: Word| k.sub(k.shl(k.w(1), n), k.w(1));
    let inside = low(element);
    let outer = k.add_d(k.zext(k.mul(k.shr(index, block), stride)), (k.and(offset.0, k.not(inside)), offset.1));
    let within = k.add(k.shl(k.and(index, low(block)), element), k.and(offset.0, inside));
    let interleaved = k.add_d(k.shl_d(outer, block), k.zext(within));
    k.sel_d(swizzled, interleaved, linear)
}

/// Stride, records, element, block, flags, index, offset, instruction, bytes left, component, count.
fn in_range(l: &Lower<'_>, has_index: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let g = l.generation();
    let [stride, records, element, block, flags, index, register, instruction, left, component, count] =
        a.try_into().unwrap_or([Word::Known(0); 11]);
    let swizzled = k.nz(k.mask(flags, 1));
    let add_tid = k.nz(k.mask(flags, 2));
    let select = k.shri(flags, 2);
    // The sum of both offsets wraps; in swizzled buffers from gfx9 only.
    let wraps = k.either(k.c(g >= Gen::Gfx9), k.negate(swizzled));
    let sum = k.add_d(k.zext(register), k.zext(instruction));
    let sum = (sum.0, k.sel(wraps, k.w(0), sum.1));
    let record = k.lt_u(index, records);
    let [n, valid] = [(); 2].map(|()| l.var(k.w(0)));
    l.repeat(|| {
        let number = l.get(n);
        let offset = k.add_d(sum, k.zext(k.mul(number, component)));
        let end = k.add_d(offset, k.zext(component));
        let (stride_d, left_d) = (k.zext(stride), k.zext(left));
        let placed = || buffer_offset(&k, swizzled, (stride, element, block), index, offset);
        let has_index = has_index != 0;
        let inside = k.either(k.both(k.c(!has_index), k.negate(add_tid)), k.ltu_d(offset, stride_d));
        let no_stride = k.eq(stride, k.w(0));
        let choose = |c: Truth, yes: Truth, no: Truth| k.either(k.both(c, yes), k.both(k.negate(c), no));
        let within = |of: Pair| k.negate(k.ltu_d(of, end));
        let good = match g {
            Gen::Gfx6 | Gen::Gfx7 => choose(no_stride, k.ltu_d(offset, left_d), k.both(record, inside)),
            Gen::Gfx8 => {
                let records_count = k.both(k.negate(no_stride), swizzled);
                choose(records_count, k.both(record, inside), k.ltu_d(placed(), left_d))
            }
            Gen::Gfx9 => {
                // This pair switches the check off.
                let off = k.both(no_stride, k.eq(records, k.w(0)));
                let by_bytes = k.either(no_stride, k.c(!has_index));
                k.either(off, choose(by_bytes, k.ltu_d(placed(), left_d), record))
            }
            Gen::Gfx10 => {
                let raw = choose(swizzled, k.ltu_d(placed(), left_d), k.ltu_d(offset, left_d));
                by_select(&k, select, [k.both(record, k.ltu_d(offset, stride_d)), record, k.nz(records), raw])
            }
            Gen::Gfx11 | Gen::Gfx12 => {
                let structured = k.both(record, within(stride_d));
                let raw = choose(k.both(swizzled, k.negate(no_stride)), structured, within(left_d));
                by_select(&k, select, [structured, record, k.nz(records), raw])
            }
        };
        l.put(valid, k.or(l.get(valid), k.shl(k.bit(good), number)));
        let next = k.add(number, k.w(1));
        l.put(n, next);
        k.lt_u(next, count)
    });
    vec![l.get(valid)]
}

/// The rule that `OOB_SELECT` asks for.
fn by_select(k: &Spirv<'_>, select: Word, rules: [Truth; 4]) -> Truth {
    (0..).zip(rules).fold(k.c(false), |all, (n, rule)| k.either(all, k.both(k.eq(select, k.w(n)), rule)))
}

/// Base (two), stride, element, block, flags, index, offset, soffset, byte.
fn address(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let offset = k.add_d(k.zext(a[7]), k.zext(a[9]));
    let placed = buffer_offset(&k, k.nz(k.mask(a[5], 1)), (a[2], a[3], a[4]), a[6], offset);
    let at = k.add_d(k.add_d((a[0], a[1]), k.zext(a[8])), placed);
    vec![at.0, k.zx16(at.1)]
}
