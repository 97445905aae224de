//! Atomics: what a read-modify-write does, as [`crate::memory::atomic`] says, on words of guest memory or LDS.
//!
//! What SPIR-V has an instruction for is one; all else of 32 bits is tried until nobody came between. For 64 bits no device feature is asked: lanes
//! come one by one, and the module says that its waves must be [alone](crate::spirv::lower::Translation::alone) on the device. (A lock was
//! tried: who waits for it goes round a loop, and drivers that end loops after so many rounds end the wave's others with it.)

use super::Lower;
use super::guest::{Found, IN_LDS};
use super::helper::Helper;
use super::lanes::Fault;
use crate::isa::sem::Alg;
use crate::memory::atomic::{Atomic, ORDERED_NUMBERS, Op, Space, Width};
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::fault::Fault as Planted;
use crate::spirv::lanes::DEVICE;
use crate::spirv::state::{head, trap};
use rspirv::spirv::Op as Inst;

const MODIFY: Helper = Helper { name: "modify", results: 1, body: modify };
const MODIFY64: Helper = Helper { name: "modify_64", results: 2, body: modify_64 };

/// Every operation: its place is its number in the configuration of a helper.
const OPS: [Op; 28] = [
    Op::Swap,
    Op::CmpSwap,
    Op::FCmpSwap,
    Op::Add,
    Op::Sub,
    Op::RSub,
    Op::SMin,
    Op::UMin,
    Op::SMax,
    Op::UMax,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Inc,
    Op::Dec,
    Op::SubClamp,
    Op::CondSub,
    Op::Wrap,
    Op::MskOr,
    Op::CondXchg,
    Op::FMin,
    Op::FMax,
    Op::FMinNum,
    Op::FMaxNum,
    Op::FAdd,
    Op::PkAddF16,
    Op::PkAddBf16,
    Op::OrderedAdd,
];

/// Acquire and release, of storage buffers.
const BOTH: u32 = 0x8 | 0x40;
/// Acquire alone.
const ACQUIRE: u32 = 0x2 | 0x40;
/// MODE for sums: round to nearest even, keep denormals.
const EXACT: Word = Word::Known(0xf0);

/// What becomes of denormals.
#[derive(Clone, Copy)]
pub(super) struct Floats {
    flush_in: Truth,
    flush_out: Truth,
}

/// Bytes of a value.
pub(super) fn bytes(width: Width) -> u32 {
    if width == Width::W64 { 8 } else { 4 }
}

/// Registers of a value.
pub(super) fn registers(width: Width) -> u32 {
    bytes(width) / 4
}

/// Whether it matters in which order lanes come. Those of 64 bits come one by one in any case: they are a load and a store.
pub(super) fn ordered(atomic: &Atomic, returns: bool) -> bool {
    use Op::{Add, And, Or, SMax, SMin, Sub, UMax, UMin, Xor};
    let wide = atomic.width == Width::W64;
    wide || returns || !matches!(atomic.op, Add | Sub | SMin | UMin | SMax | UMax | And | Or | Xor)
}

impl Lower<'_> {
    /// What floats do in an atomic, with MODE as it is now.
    pub(super) fn float_rules(&self, atomic: &Atomic, space: Space) -> Floats {
        let k = self.alg(Word::Known(0));
        let [kept, flushed] = [true, false].map(|keep| atomic.float_rules(&self.target, space, keep, keep));
        let first = if atomic.width == Width::W32 { 4 } else { 6 };
        let rule = |a: bool, b: bool, bit: u32| {
            if a == b { k.c(a) } else { k.eq(k.mask(self.cell(head::MODE), 1 << bit), k.w(0)) }
        };
        Floats {
            flush_in: rule(kept.flush_in, flushed.flush_in, first),
            flush_out: rule(kept.flush_out, flushed.flush_out, first + 1),
        }
    }

    /// Where an atomic in guest memory lies: in one region, and aligned.
    pub(super) fn find_atomic(&self, at: Pair, width: Width, needed: Truth) -> (Found, Fault) {
        let k = self.alg(Word::Known(0));
        let size = bytes(width);
        let found = self.find(at, self.only(needed, k.w(size)), true);
        let misaligned = k.nz(k.mask(at.0, size - 1));
        let fails = k.either(misaligned, k.negate(k.eq(found.how, k.w(1))));
        let fault = Fault {
            failed: k.both(needed, fails),
            kind: k.sel(misaligned, k.w(trap::MISALIGNED), k.w(trap::ATOMIC)),
            address: at,
            detail: k.sel(misaligned, k.w(size | trap::ATOMIC << 16), k.w(size)),
        };
        (found, fault)
    }

    /// Replaces a value where a condition holds; gives what it was, else 0. The operands are in the order of the instruction.
    pub(super) fn modify(
        &self,
        atomic: &Atomic,
        in_lds: bool,
        (c, index): (Truth, Word),
        operands: (Pair, Pair),
        floats: Floats,
    ) -> Pair {
        let k = self.alg(Word::Known(0));
        let (data, other) = atomic.order(operands.0, operands.1);
        let number = OPS.iter().position(|op| *op == atomic.op).unwrap_or(0) as u32;
        let config = number << 1 | if in_lds { IN_LDS } else { 0 };
        let rules = [k.bit(floats.flush_in), k.bit(floats.flush_out)];
        match atomic.width {
            Width::W32 => {
                let args = [k.bit(c), index, data.0, other.0, rules[0], rules[1]];
                (self.call(MODIFY, config, &args)[0], k.w(0))
            }
            Width::W64 => {
                let args = [k.bit(c), index, data.0, data.1, other.0, other.1, rules[0], rules[1]];
                let old = self.call(MODIFY64, config, &args);
                (old[0], old[1])
            }
        }
    }
}

/// The instruction of SPIR-V for an operation on 32 bits.
fn direct(op: Op) -> Option<Inst> {
    Some(match op {
        Op::Swap => Inst::AtomicExchange,
        Op::Add => Inst::AtomicIAdd,
        Op::Sub => Inst::AtomicISub,
        Op::SMin => Inst::AtomicSMin,
        Op::UMin => Inst::AtomicUMin,
        Op::SMax => Inst::AtomicSMax,
        Op::UMax => Inst::AtomicUMax,
        Op::And => Inst::AtomicAnd,
        Op::Or => Inst::AtomicOr,
        Op::Xor => Inst::AtomicXor,
        _ => return None,
    })
}

/// Whether at all, index, data, other, flags of floats: what it was.
fn modify(l: &Lower<'_>, config: u32, a: &[Word]) -> Vec<Word> {
    let (m, k) = (&l.m, l.alg(Word::Known(0)));
    let (op, buffer) = (OPS[(config >> 1) as usize], if config & 1 == IN_LDS { l.lds } else { l.memory });
    let floats = Floats { flush_in: k.nz(a[4]), flush_out: k.nz(a[5]) };
    let result = l.var(k.w(0));
    l.when(k.nz(a[0]), || {
        let at = l.word_of(buffer, a[1]);
        let [scope, both, acquire] = [DEVICE, BOTH, ACQUIRE].map(|v| m.constant(v));
        let old = match (op, direct(op)) {
            (_, Some(inst)) => Word::Id(m.word_op(inst, &[at, scope, both, k.id(a[2])])),
            (Op::CmpSwap, _) => {
                let operands = [at, scope, both, acquire, k.id(a[2]), k.id(a[3])];
                Word::Id(m.word_op(Inst::AtomicCompareExchange, &operands))
            }
            _ => l.exchange_loop(at, BOTH, ACQUIRE, |old| {
                if op == Op::Inc && l.has(Planted::IncNeverWraps) {
                    return k.add(old, k.w(1));
                }
                let value = Value { k: exact(l), wide: false };
                value.apply(op, k.zext(old), k.zext(a[2]), k.zext(a[3]), floats).0
            }),
        };
        let new = || Value { k: exact(l), wide: false }.apply(op, k.zext(old), k.zext(a[2]), k.zext(a[3]), floats).0;
        l.put(result, if l.has(Planted::AtomicReturnsNew) { new() } else { old });
    });
    vec![l.get(result)]
}

/// As [`modify`], with pairs.
fn modify_64(l: &Lower<'_>, config: u32, a: &[Word]) -> Vec<Word> {
    let (m, k) = (&l.m, l.alg(Word::Known(0)));
    let (op, buffer) = (OPS[(config >> 1) as usize], if config & 1 == IN_LDS { l.lds } else { l.memory });
    let floats = Floats { flush_in: k.nz(a[6]), flush_out: k.nz(a[7]) };
    let result = [l.var(k.w(0)), l.var(k.w(0))];
    l.alone.set(true);
    l.when(k.nz(a[0]), || {
        let words = [l.word_of(buffer, a[1]), l.word_of(buffer, k.add(a[1], k.w(1)))];
        let old = (Word::Id(m.load(words[0])), Word::Id(m.load(words[1])));
        let value = Value { k: exact(l), wide: true };
        let new = value.apply(op, old, (a[2], a[3]), (a[4], a[5]), floats);
        m.store(words[0], k.id(new.0));
        m.store(words[1], k.id(new.1));
        l.put(result[0], old.0);
        l.put(result[1], old.1);
    });
    vec![l.get(result[0]), l.get(result[1])]
}

/// The algebra for sums.
fn exact<'m>(l: &'m Lower<'_>) -> Spirv<'m> {
    l.floats_by(EXACT, Word::Known(0))
}

/// The algebra of values of 32 or 64 bits.
struct Value<'m> {
    k: Spirv<'m>,
    wide: bool,
}

impl Value<'_> {
    fn word(&self, low: u32, high: u32) -> Pair {
        if self.wide { (Word::Known(low), Word::Known(high)) } else { (Word::Known(high), Word::Known(0)) }
    }
    fn number(&self, v: u32) -> Pair {
        (Word::Known(v), Word::Known(0))
    }
    fn add(&self, a: Pair, b: Pair) -> Pair {
        if self.wide { self.k.add_d(a, b) } else { self.k.zext(self.k.add(a.0, b.0)) }
    }
    fn sub(&self, a: Pair, b: Pair) -> Pair {
        if self.wide { self.k.sub_d(a, b) } else { self.k.zext(self.k.sub(a.0, b.0)) }
    }
    fn not(&self, a: Pair) -> Pair {
        if self.wide { self.k.not_d(a) } else { self.k.zext(self.k.not(a.0)) }
    }
    fn lt(&self, a: Pair, b: Pair) -> Truth {
        if self.wide { self.k.ltu_d(a, b) } else { self.k.lt_u(a.0, b.0) }
    }
    fn lt_signed(&self, a: Pair, b: Pair) -> Truth {
        if self.wide { self.k.lts_d(a, b) } else { self.k.lt_s(a.0, b.0) }
    }
    fn eq(&self, a: Pair, b: Pair) -> Truth {
        if self.wide { self.k.eq_d(a, b) } else { self.k.eq(a.0, b.0) }
    }
    fn sel(&self, c: Truth, a: Pair, b: Pair) -> Pair {
        self.k.sel_d(c, a, b)
    }
    fn zero(&self, a: Pair) -> Truth {
        self.eq(a, self.number(0))
    }

    /// The value that replaces `mem`.
    fn apply(&self, op: Op, mem: Pair, data: Pair, other: Pair, floats: Floats) -> Pair {
        let k = &self.k;
        match op {
            Op::Swap => data,
            Op::CmpSwap => self.sel(self.eq(mem, other), data, mem),
            Op::Add => self.add(mem, data),
            Op::Sub => self.sub(mem, data),
            Op::RSub => self.sub(data, mem),
            Op::SMin => self.sel(self.lt_signed(data, mem), data, mem),
            Op::UMin => self.sel(self.lt(data, mem), data, mem),
            Op::SMax => self.sel(self.lt_signed(mem, data), data, mem),
            Op::UMax => self.sel(self.lt(mem, data), data, mem),
            Op::And => k.and_d(mem, data),
            Op::Or => k.or_d(mem, data),
            Op::Xor => k.xor_d(mem, data),
            Op::Inc => self.sel(self.lt(mem, data), self.add(mem, self.number(1)), self.number(0)),
            Op::Dec => {
                let down = k.negate(k.either(self.zero(mem), self.lt(data, mem)));
                self.sel(down, self.sub(mem, self.number(1)), data)
            }
            Op::SubClamp => self.sel(self.lt(mem, data), self.number(0), self.sub(mem, data)),
            Op::CondSub => self.sel(self.lt(mem, data), mem, self.sub(mem, data)),
            Op::Wrap => self.sel(self.lt(mem, data), self.add(mem, other), self.sub(mem, data)),
            Op::MskOr => k.or_d(k.and_d(mem, self.not(data)), other),
            Op::CondXchg => {
                let half = |mem: Word, data: Word| k.sel(k.lt_s(data, k.w(0)), k.mask(data, 0x7fff_ffff), mem);
                (half(mem.0, data.0), if self.wide { half(mem.1, data.1) } else { k.w(0) })
            }
            Op::OrderedAdd => {
                let next = k.mask(k.add(mem.0, k.w(1)), ORDERED_NUMBERS);
                self.sel(k.eq(mem.0, data.0), (next, k.add(mem.1, data.1)), mem)
            }
            Op::FCmpSwap => self.compare_floats(mem, data, other, floats),
            Op::FMin | Op::FMax | Op::FMinNum | Op::FMaxNum => self.extreme(op, mem, data, floats),
            Op::FAdd => self.sum(mem, data, floats),
            Op::PkAddF16 if !self.wide => self.packed(mem, data, |a, b| self.sum_f16(a, b)),
            Op::PkAddBf16 if !self.wide => self.packed(mem, data, |a, b| self.sum_bf16(a, b)),
            Op::PkAddF16 | Op::PkAddBf16 => mem,
        }
    }

    fn sign(&self) -> Pair {
        self.word(0, 1 << 31)
    }
    fn infinity(&self) -> Pair {
        self.word(0, if self.wide { 0x7ff << 20 } else { 0xff << 23 })
    }
    fn quiet(&self) -> Pair {
        self.word(0, if self.wide { 1 << 19 } else { 1 << 22 })
    }
    fn is_nan(&self, x: Pair) -> Truth {
        self.lt(self.infinity(), self.k.and_d(x, self.not(self.sign())))
    }
    fn flush(&self, flush: Truth, x: Pair) -> Pair {
        let small = self.zero(self.k.and_d(x, self.infinity()));
        self.sel(self.k.both(flush, small), self.k.and_d(x, self.sign()), x)
    }
    /// A signed number that orders as the floats do.
    fn order(&self, x: Pair) -> Pair {
        let magnitude = self.k.and_d(x, self.not(self.sign()));
        self.sel(self.zero(self.k.and_d(x, self.sign())), magnitude, self.not(magnitude))
    }

    fn compare_floats(&self, mem: Pair, data: Pair, other: Pair, floats: Floats) -> Pair {
        let k = &self.k;
        let (a, b) = (self.flush(floats.flush_in, mem), self.flush(floats.flush_in, other));
        let zeros = self.zero(k.and_d(k.or_d(a, b), self.not(self.sign())));
        let numbers = k.negate(k.either(self.is_nan(a), self.is_nan(b)));
        let equal = k.both(numbers, k.either(self.eq(a, b), zeros));
        self.sel(equal, self.flush(floats.flush_in, data), mem)
    }

    fn extreme(&self, op: Op, mem: Pair, data: Pair, floats: Floats) -> Pair {
        let k = &self.k;
        let (nan_data, nan_mem) = (self.is_nan(data), self.is_nan(mem));
        let (a, b) = (self.order(self.flush(floats.flush_in, data)), self.order(self.flush(floats.flush_in, mem)));
        let most = matches!(op, Op::FMax | Op::FMaxNum);
        let wins = if most { self.lt_signed(b, a) } else { self.lt_signed(a, b) };
        let of_numbers = self.sel(wins, data, mem);
        let with_nan = self.sel(nan_mem, data, self.sel(nan_data, mem, of_numbers));
        let quieted = |x: Pair| k.or_d(x, self.quiet());
        if matches!(op, Op::FMinNum | Op::FMaxNum) {
            return self.sel(k.both(nan_data, nan_mem), quieted(data), with_nan);
        }
        let signalling = |nan: Truth, x: Pair| k.both(nan, self.zero(k.and_d(x, self.quiet())));
        let mem_signals = self.sel(signalling(nan_mem, mem), quieted(mem), with_nan);
        self.sel(signalling(nan_data, data), quieted(data), mem_signals)
    }

    fn sum(&self, mem: Pair, data: Pair, floats: Floats) -> Pair {
        let k = &self.k;
        let (a, b) = (self.flush(floats.flush_in, data), self.flush(floats.flush_in, mem));
        let sum = if self.wide { k.add_f64(a, b) } else { k.zext(k.add_f32(a.0, b.0)) };
        let invalid = k.or_d(k.or_d(self.sign(), self.infinity()), self.quiet());
        let sum = self.sel(self.is_nan(sum), invalid, self.flush(floats.flush_out, sum));
        let nan = k.or_d(self.sel(self.is_nan(a), a, b), self.quiet());
        self.sel(k.either(self.is_nan(a), self.is_nan(b)), nan, sum)
    }

    fn packed(&self, mem: Pair, data: Pair, sum: impl Fn(Word, Word) -> Word) -> Pair {
        let k = &self.k;
        let (low, high) = (sum(k.zx16(data.0), k.zx16(mem.0)), sum(k.shri(data.0, 16), k.shri(mem.0, 16)));
        (k.or(low, k.shli(high, 16)), k.w(0))
    }

    /// Data first, memory second: the first NaN survives.
    fn sum_16(&self, a: Word, b: Word, infinity: u32, quiet: u32, sum: Word) -> Word {
        let k = &self.k;
        let nan = |x: Word| k.lt_u(k.w(infinity), k.mask(x, 0x7fff));
        let of_nan = k.or(k.sel(nan(a), a, b), k.w(quiet));
        let sum = k.sel(nan(sum), k.w(0x8000 | infinity | quiet), sum);
        k.sel(k.either(nan(a), nan(b)), of_nan, sum)
    }

    fn sum_f16(&self, a: Word, b: Word) -> Word {
        let sum = self.k.zx16(self.k.add_f16(a, b));
        self.sum_16(a, b, 0x7c00, 0x0200, sum)
    }

    fn sum_bf16(&self, a: Word, b: Word) -> Word {
        let k = &self.k;
        let wide = k.add_f32(k.shli(a, 16), k.shli(b, 16));
        // To nearest even. A NaN comes out as one, or is replaced: its upper bits are made one first.
        let nan = k.lt_u(k.w(0x7f80_0000), k.mask(wide, 0x7fff_ffff));
        let up = k.add(k.w(0x7fff), k.mask(k.shri(wide, 16), 1));
        let sum = k.sel(nan, k.w(0x7fc0), k.shri(k.add(wide, up), 16));
        self.sum_16(a, b, 0x7f80, 0x0040, sum)
    }
}
