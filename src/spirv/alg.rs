//! The algebra of the translator: values are ids of SPIR-V, and evaluating a meaning writes instructions.
//!
//! A word is a constant that is known now, or an id. Operations on constants are done here, so that what a meaning or a float function knows of its
//! format leaves nothing behind. 64 bits are a pair of words: no device needs 64-bit integers for it, and halves cost nothing. Floats are
//! computed in integers by functions of the module ([`super::soft`]), each of which is written once, when it is first called:
//! NaN, denormals and rounding are the hardware's on every device, whatever its float controls.
//!
//! Nothing here is shared with the emulator's algebra but the trait.

use super::fault::Fault;
use super::functions::{Function, Functions, result_types};
use super::module::{Id, Module};
use super::soft::{Class, Prim, Value};
use crate::isa::Target;
use crate::isa::sem::{Alg, Cmp};
use rspirv::spirv::{GlslStd450Op, Op};

/// 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// A constant.
    Known(u32),
    /// A value of the device.
    Id(Id),
}

/// A truth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// A constant.
    Known(bool),
    /// A value of the device.
    Id(Id),
}

/// 64 bits, the low half first.
pub type Pair = (Word, Word);

/// The algebra.
#[derive(Clone, Copy)]
pub struct Spirv<'m> {
    /// Where instructions are written.
    pub m: &'m Module,
    functions: &'m Functions,
    /// What the module is for.
    pub target: Target,
    /// MODE.
    pub mode: Word,
    lane: Word,
    /// What goes wrong in meanings.
    pub(super) fault: Option<Fault>,
}

impl<'m> Spirv<'m> {
    /// The algebra of one lane.
    #[must_use]
    pub fn new(m: &'m Module, functions: &'m Functions, target: Target, mode: Word, lane: Word) -> Spirv<'m> {
        Spirv { m, functions, target, mode, lane, fault: None }
    }

    /// The same with a fault.
    #[must_use]
    pub fn with(self, fault: Option<Fault>) -> Spirv<'m> {
        Spirv { fault, ..self }
    }

    /// The same without a fault.
    #[must_use]
    pub fn right(&self) -> Spirv<'m> {
        self.with(None)
    }

    /// Whether something goes wrong.
    #[must_use]
    pub fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// One of two truths.
    #[must_use]
    pub fn sel_c(&self, c: Truth, t: Truth, f: Truth) -> Truth {
        self.either(self.both(c, t), self.both(self.negate(c), f))
    }

    /// The id of a word.
    pub fn id(&self, w: Word) -> Id {
        match w {
            Word::Known(v) => self.m.constant(v),
            Word::Id(id) => id,
        }
    }

    /// The id of a truth.
    pub fn truth_id(&self, c: Truth) -> Id {
        match c {
            Truth::Known(v) => self.m.truth(v),
            Truth::Id(id) => id,
        }
    }

    fn one(&self, op: Op, a: Word, known: impl FnOnce(u32) -> u32) -> Word {
        match a {
            Word::Known(a) => Word::Known(known(a)),
            Word::Id(a) => Word::Id(self.m.word_op(op, &[a])),
        }
    }

    fn two(&self, op: Op, a: Word, b: Word, known: impl FnOnce(u32, u32) -> u32) -> Word {
        match (a, b) {
            (Word::Known(a), Word::Known(b)) => Word::Known(known(a, b)),
            _ => Word::Id(self.m.word_op(op, &[self.id(a), self.id(b)])),
        }
    }

    fn test(&self, op: Op, a: Word, b: Word, known: impl FnOnce(u32, u32) -> bool) -> Truth {
        match (a, b) {
            (Word::Known(a), Word::Known(b)) => Truth::Known(known(a, b)),
            _ => Truth::Id(self.m.test(op, &[self.id(a), self.id(b)])),
        }
    }

    /// The number of bits to shift by, which SPIR-V wants below 32.
    fn count(&self, n: Word) -> Word {
        self.and(n, Word::Known(31))
    }

    /// Both halves of a product.
    fn product(&self, op: Op, a: Word, b: Word) -> Pair {
        let int = self.m.int();
        let both = self.m.structure(&[int, int]);
        let product = self.m.op(op, both, &[self.id(a), self.id(b)]);
        let part = |n: u32| Word::Id(self.m.word_op(Op::CompositeExtract, &[product, n]));
        (part(0), part(1))
    }

    /// Whether a shift of 64 bits goes by 32 and more.
    fn far(&self, n: Word) -> Truth {
        let near = if self.has(Fault::FarAbove32) { 32 } else { 31 };
        self.lt_u(self.w(near), n)
    }

    /// The words of a pair where the upper half takes part in a shift to the left by less than 32, and zeros come in.
    fn funnel(&self, hi: Word, lo: Word, n: Word) -> Word {
        // The lower half goes right by 32 - n, which may be 32: by one, then by 31 - n.
        let rest = self.shr(self.shr(lo, self.w(1)), self.xor(n, self.w(31)));
        self.or(self.shl(hi, n), rest)
    }

    /// The lower word of a pair after a shift to the right by less than 32.
    fn below(&self, a: Pair, n: Word) -> Word {
        let upper = if self.has(Fault::FunnelLost) { self.w(0) } else { a.1 };
        let rest = self.shl(self.shl(upper, self.w(1)), self.xor(n, self.w(31)));
        self.or(self.shr(a.0, n), rest)
    }

    /// Calls a float function.
    pub(super) fn call(&self, function: Function, args: &[Value<Self>]) -> Vec<Value<Self>> {
        if let Some(values) = self.faulty(function, args) {
            return values;
        }
        let id = self.functions.id(self.m, function);
        let signature = function.signature();
        let mut operands = vec![id, self.id(self.mode)];
        for arg in args {
            match arg {
                Value::W(w) => operands.push(self.id(*w)),
                Value::D((lo, hi)) => operands.extend([self.id(*lo), self.id(*hi)]),
                Value::C(c) => operands.push(self.truth_id(*c)),
            }
        }
        let one = |ty: Id| self.m.op(Op::FunctionCall, ty, &operands);
        match signature.1 {
            [Class::W] => return vec![Value::W(Word::Id(one(self.m.int())))],
            [Class::C] => return vec![Value::C(Truth::Id(one(self.m.boolean())))],
            _ => {}
        }
        let types = result_types(self.m, signature.1);
        let result = self.m.op(Op::FunctionCall, self.m.structure(&types), &operands);
        let mut n = 0;
        let mut part = |ty: Id| {
            n += 1;
            self.m.op(Op::CompositeExtract, ty, &[result, n - 1])
        };
        let (int, boolean) = (self.m.int(), self.m.boolean());
        let mut values = Vec::with_capacity(types.len());
        for kind in signature.1 {
            values.push(match kind {
                Class::W => Value::W(Word::Id(part(int))),
                Class::D => {
                    let lo = part(int);
                    Value::D((Word::Id(lo), Word::Id(part(int))))
                }
                Class::C => Value::C(Truth::Id(part(boolean))),
            });
        }
        values
    }

    /// A modifier of a word.
    pub fn modified(&self, function: Function, a: Word) -> Word {
        match self.call(function, &[Value::W(a)])[..] {
            [Value::W(w)] => w,
            _ => a,
        }
    }

    /// A modifier of a pair.
    pub fn modified_d(&self, function: Function, a: Pair) -> Pair {
        match self.call(function, &[Value::D(a)])[..] {
            [Value::D(d)] => d,
            _ => a,
        }
    }

    fn call_w(&self, prim: Prim, args: &[Value<Self>]) -> Word {
        match self.call(Function::Prim(prim), args)[..] {
            [Value::W(w)] => w,
            _ => Word::Known(0),
        }
    }
    fn call_d(&self, prim: Prim, args: &[Value<Self>]) -> Pair {
        match self.call(Function::Prim(prim), args)[..] {
            [Value::D(d)] => d,
            _ => (Word::Known(0), Word::Known(0)),
        }
    }
    fn call_c(&self, prim: Prim, args: &[Value<Self>]) -> Truth {
        match self.call(Function::Prim(prim), args)[..] {
            [Value::C(c)] => c,
            _ => Truth::Known(false),
        }
    }
}

/// Float primitives: a call each.
macro_rules! forward {
    ($($name:ident ($($a:ident $t:ident),*) $r:ident;)*) => {$(
        fn $name(&self, $($a: forward!(@ty $t)),*) -> forward!(@ty $r) {
            forward!(@call $r self Prim::$name [$(Value::$t($a)),*])
        }
    )*};
    (@ty W) => { Word };
    (@ty D) => { Pair };
    (@ty C) => { Truth };
    (@call W $self:ident $p:path [$($a:expr),*]) => { $self.call_w($p, &[$($a),*]) };
    (@call D $self:ident $p:path [$($a:expr),*]) => { $self.call_d($p, &[$($a),*]) };
    (@call C $self:ident $p:path [$($a:expr),*]) => { $self.call_c($p, &[$($a),*]) };
}

impl Alg for Spirv<'_> {
    type W = Word;
    type D = Pair;
    type Q = [Word; 4];
    type C = Truth;

    fn w(&self, v: u32) -> Word {
        Word::Known(v)
    }
    fn d(&self, v: u64) -> Pair {
        (Word::Known(v as u32), Word::Known((v >> 32) as u32))
    }
    fn c(&self, v: bool) -> Truth {
        Truth::Known(v)
    }
    fn lane(&self) -> Word {
        self.lane
    }

    fn add(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            (a, Word::Known(0)) | (Word::Known(0), a) => a,
            _ => self.two(Op::IAdd, a, b, u32::wrapping_add),
        }
    }
    fn sub(&self, a: Word, b: Word) -> Word {
        let (a, b) = if self.has(Fault::SubSwapped) { (b, a) } else { (a, b) };
        if b == Word::Known(0) { a } else { self.two(Op::ISub, a, b, u32::wrapping_sub) }
    }
    fn mul(&self, a: Word, b: Word) -> Word {
        self.two(Op::IMul, a, b, u32::wrapping_mul)
    }
    fn mulhi_u(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            _ if self.has(Fault::MulhiUnsignedSigned) => self.right().mulhi_s(a, b),
            (Word::Known(a), Word::Known(b)) => Word::Known(((u64::from(a) * u64::from(b)) >> 32) as u32),
            _ => self.product(Op::UMulExtended, a, b).1,
        }
    }
    fn mulhi_s(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            _ if self.has(Fault::MulhiSignedUnsigned) => self.right().mulhi_u(a, b),
            (Word::Known(a), Word::Known(b)) => Word::Known(((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32),
            _ => self.product(Op::SMulExtended, a, b).1,
        }
    }
    fn and(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            (a, Word::Known(u32::MAX)) | (Word::Known(u32::MAX), a) => a,
            (_, Word::Known(0)) | (Word::Known(0), _) => Word::Known(0),
            _ => self.two(Op::BitwiseAnd, a, b, |a, b| a & b),
        }
    }
    fn or(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            (a, Word::Known(0)) | (Word::Known(0), a) => a,
            _ => self.two(Op::BitwiseOr, a, b, |a, b| a | b),
        }
    }
    fn xor(&self, a: Word, b: Word) -> Word {
        match (a, b) {
            (a, Word::Known(0)) | (Word::Known(0), a) => a,
            _ => self.two(Op::BitwiseXor, a, b, |a, b| a ^ b),
        }
    }
    fn not(&self, a: Word) -> Word {
        self.one(Op::Not, a, |a| !a)
    }
    fn shl(&self, a: Word, n: Word) -> Word {
        if self.has(Fault::ShiftBeyond) {
            let k = self.right();
            return k.sel(k.lt_u(n, k.w(32)), k.shl(a, n), k.w(0));
        }
        match self.count(n) {
            Word::Known(0) => a,
            n => self.two(Op::ShiftLeftLogical, a, n, |a, n| a << n),
        }
    }
    fn shr(&self, a: Word, n: Word) -> Word {
        match self.count(n) {
            Word::Known(0) => a,
            n => self.two(Op::ShiftRightLogical, a, n, |a, n| a >> n),
        }
    }
    fn sar(&self, a: Word, n: Word) -> Word {
        match self.count(n) {
            n if self.has(Fault::SarLogical) => self.shr(a, n),
            Word::Known(0) => a,
            n => self.two(Op::ShiftRightArithmetic, a, n, |a, n| (a as i32 >> n) as u32),
        }
    }
    fn eq(&self, a: Word, b: Word) -> Truth {
        self.test(Op::IEqual, a, b, |a, b| a == b)
    }
    fn lt_u(&self, a: Word, b: Word) -> Truth {
        if self.has(Fault::LtUSigned) {
            return self.right().lt_s(a, b);
        }
        self.test(Op::ULessThan, a, b, |a, b| a < b)
    }
    fn lt_s(&self, a: Word, b: Word) -> Truth {
        if self.has(Fault::LtSUnsigned) {
            return self.right().lt_u(a, b);
        }
        self.test(Op::SLessThan, a, b, |a, b| (a as i32) < b as i32)
    }
    fn sel(&self, c: Truth, t: Word, f: Word) -> Word {
        match c {
            Truth::Known(c) => {
                if c {
                    t
                } else {
                    f
                }
            }
            Truth::Id(_) if t == f => t,
            Truth::Id(_) if self.has(Fault::SelSwapped) => self.right().sel(c, f, t),
            Truth::Id(c) => Word::Id(self.m.word_op(Op::Select, &[c, self.id(t), self.id(f)])),
        }
    }
    fn popcount(&self, a: Word) -> Word {
        self.one(Op::BitCount, a, u32::count_ones)
    }
    fn clz(&self, a: Word) -> Word {
        match a {
            Word::Known(a) => Word::Known(a.leading_zeros()),
            Word::Id(a) if self.has(Fault::ClzOff) => {
                self.sub(self.w(32), Word::Id(self.m.extended(GlslStd450Op::FindUMsb, a)))
            }
            // The highest bit of zero is -1, and 31 less that is 32.
            Word::Id(a) => self.sub(self.w(31), Word::Id(self.m.extended(GlslStd450Op::FindUMsb, a))),
        }
    }
    fn ctz(&self, a: Word) -> Word {
        match a {
            Word::Known(a) => Word::Known(a.trailing_zeros()),
            Word::Id(id) => {
                let first = Word::Id(self.m.extended(GlslStd450Op::FindILsb, id));
                self.sel(self.eq(a, self.w(0)), self.w(32), first)
            }
        }
    }
    fn brev(&self, a: Word) -> Word {
        if self.has(Fault::BrevDropped) { a } else { self.one(Op::BitReverse, a, u32::reverse_bits) }
    }

    fn add_d(&self, a: Pair, b: Pair) -> Pair {
        let (lo, carry) = self.add_carry(a.0, b.0);
        let carry = if self.has(Fault::CarryLost) { self.w(0) } else { self.bit(carry) };
        (lo, self.add(self.add(a.1, b.1), carry))
    }
    fn sub_d(&self, a: Pair, b: Pair) -> Pair {
        let (lo, borrow) = self.sub_borrow(a.0, b.0);
        let borrow = if self.has(Fault::BorrowLost) { self.w(0) } else { self.bit(borrow) };
        (lo, self.sub(self.sub(a.1, b.1), borrow))
    }
    fn mul_d(&self, a: Pair, b: Pair) -> Pair {
        let (lo, hi) = match (a.0, b.0) {
            (Word::Known(a), Word::Known(b)) => self.d(u64::from(a) * u64::from(b)),
            _ => self.product(Op::UMulExtended, a.0, b.0),
        };
        let cross = |x: Word, y: Word| match (x, y) {
            _ if self.has(Fault::CrossLost) => Word::Known(0),
            (Word::Known(0), _) | (_, Word::Known(0)) => Word::Known(0),
            _ => self.mul(x, y),
        };
        (lo, self.add(hi, self.add(cross(a.0, b.1), cross(a.1, b.0))))
    }
    fn and_d(&self, a: Pair, b: Pair) -> Pair {
        (self.and(a.0, b.0), self.and(a.1, b.1))
    }
    fn or_d(&self, a: Pair, b: Pair) -> Pair {
        (self.or(a.0, b.0), self.or(a.1, b.1))
    }
    fn xor_d(&self, a: Pair, b: Pair) -> Pair {
        (self.xor(a.0, b.0), self.xor(a.1, b.1))
    }
    fn not_d(&self, a: Pair) -> Pair {
        (self.not(a.0), self.not(a.1))
    }
    fn shl_d(&self, a: Pair, n: Word) -> Pair {
        let n = self.and(n, self.w(63));
        let far = self.far(n);
        let (lo, s) = (self.shl(a.0, n), self.count(n));
        (self.sel(far, self.w(0), lo), self.sel(far, lo, self.funnel(a.1, a.0, s)))
    }
    fn shr_d(&self, a: Pair, n: Word) -> Pair {
        let n = self.and(n, self.w(63));
        let far = self.far(n);
        let (hi, s) = (self.shr(a.1, n), self.count(n));
        (self.sel(far, hi, self.below(a, s)), self.sel(far, self.w(0), hi))
    }
    fn sar_d(&self, a: Pair, n: Word) -> Pair {
        let n = self.and(n, self.w(63));
        let far = self.far(n);
        let (hi, s) = (self.sar(a.1, n), self.count(n));
        (self.sel(far, hi, self.below(a, s)), self.sel(far, self.sari(a.1, 31), hi))
    }
    fn eq_d(&self, a: Pair, b: Pair) -> Truth {
        if self.has(Fault::EqLowOnly) {
            return self.eq(a.0, b.0);
        }
        self.eq(self.or(self.xor(a.0, b.0), self.xor(a.1, b.1)), self.w(0))
    }
    fn ltu_d(&self, a: Pair, b: Pair) -> Truth {
        if self.has(Fault::LtUHighOnly) {
            return self.lt_u(a.1, b.1);
        }
        self.either(self.lt_u(a.1, b.1), self.both(self.eq(a.1, b.1), self.lt_u(a.0, b.0)))
    }
    fn lts_d(&self, a: Pair, b: Pair) -> Truth {
        if self.has(Fault::LtSWideUnsigned) {
            return self.ltu_d(a, b);
        }
        self.either(self.lt_s(a.1, b.1), self.both(self.eq(a.1, b.1), self.lt_u(a.0, b.0)))
    }
    fn sel_d(&self, c: Truth, t: Pair, f: Pair) -> Pair {
        (self.sel(c, t.0, f.0), self.sel(c, t.1, f.1))
    }
    fn popcount_d(&self, a: Pair) -> Word {
        let upper = if self.has(Fault::PopcountLowOnly) { self.w(0) } else { self.popcount(a.1) };
        self.add(self.popcount(a.0), upper)
    }
    fn clz_d(&self, a: Pair) -> Word {
        let upper = self.w(if self.has(Fault::ClzLowHalfOff) { 0 } else { 32 });
        self.sel(self.eq(a.1, self.w(0)), self.add(self.clz(a.0), upper), self.clz(a.1))
    }
    fn ctz_d(&self, a: Pair) -> Word {
        let lower = self.w(if self.has(Fault::CtzHighHalfOff) { 0 } else { 32 });
        self.sel(self.eq(a.0, self.w(0)), self.add(self.ctz(a.1), lower), self.ctz(a.0))
    }
    fn brev_d(&self, a: Pair) -> Pair {
        let a = if self.has(Fault::BrevHalvesStay) { (a.1, a.0) } else { a };
        (self.brev(a.1), self.brev(a.0))
    }

    fn pair(&self, lo: Word, hi: Word) -> Pair {
        (lo, hi)
    }
    fn lo(&self, a: Pair) -> Word {
        a.0
    }
    fn hi(&self, a: Pair) -> Word {
        a.1
    }
    fn sext(&self, a: Word) -> Pair {
        if self.has(Fault::SextZext) { self.zext(a) } else { (a, self.sari(a, 31)) }
    }
    fn zext(&self, a: Word) -> Pair {
        (a, self.w(0))
    }
    fn quad(&self, a: Word, b: Word, c: Word, d: Word) -> [Word; 4] {
        [a, b, c, d]
    }
    fn word(&self, a: [Word; 4], n: usize) -> Word {
        a[n & 3]
    }

    fn both(&self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::Known(true), c) | (c, Truth::Known(true)) => c,
            (Truth::Id(a), Truth::Id(b)) => Truth::Id(self.m.test(Op::LogicalAnd, &[a, b])),
        }
    }
    fn either(&self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (Truth::Known(false), c) | (c, Truth::Known(false)) => c,
            (Truth::Id(a), Truth::Id(b)) => Truth::Id(self.m.test(Op::LogicalOr, &[a, b])),
        }
    }
    fn differ(&self, a: Truth, b: Truth) -> Truth {
        match (a, b) {
            (Truth::Known(false), c) | (c, Truth::Known(false)) => c,
            (Truth::Known(true), c) | (c, Truth::Known(true)) => self.negate(c),
            (Truth::Id(a), Truth::Id(b)) => Truth::Id(self.m.test(Op::LogicalNotEqual, &[a, b])),
        }
    }
    fn nz(&self, a: Word) -> Truth {
        self.test(Op::INotEqual, a, Word::Known(0), |a, b| a != b)
    }
    fn negate(&self, a: Truth) -> Truth {
        match a {
            Truth::Known(a) => Truth::Known(!a),
            Truth::Id(a) => Truth::Id(self.m.test(Op::LogicalNot, &[a])),
        }
    }

    forward! {
        add_f16(a W, b W) W;
        add_f32(a W, b W) W;
        add_f64(a D, b D) D;
        sub_f16(a W, b W) W;
        sub_f32(a W, b W) W;
        sub_f64(a D, b D) D;
        mul_f16(a W, b W) W;
        mul_f32(a W, b W) W;
        mul_f64(a D, b D) D;
        fma_f16(a W, b W, c W) W;
        fma_f32(a W, b W, c W) W;
        fma_f64(a D, b D, c D) D;
        min_f16(a W, b W) W;
        min_f32(a W, b W) W;
        min_f64(a D, b D) D;
        max_f16(a W, b W) W;
        max_f32(a W, b W) W;
        max_f64(a D, b D) D;
        minimum_f16(a W, b W) W;
        minimum_f32(a W, b W) W;
        minimum_f64(a D, b D) D;
        maximum_f16(a W, b W) W;
        maximum_f32(a W, b W) W;
        maximum_f64(a D, b D) D;
        fract_f16(a W) W;
        fract_f32(a W) W;
        fract_f64(a D) D;
        trunc_f16(a W) W;
        trunc_f32(a W) W;
        trunc_f64(a D) D;
        ceil_f16(a W) W;
        ceil_f32(a W) W;
        ceil_f64(a D) D;
        floor_f16(a W) W;
        floor_f32(a W) W;
        floor_f64(a D) D;
        rndne_f16(a W) W;
        rndne_f32(a W) W;
        rndne_f64(a D) D;
        rcp_f16(a W) W;
        rcp_f32(a W) W;
        rcp_f64(a D) D;
        rsq_f16(a W) W;
        rsq_f32(a W) W;
        rsq_f64(a D) D;
        sqrt_f16(a W) W;
        sqrt_f32(a W) W;
        sqrt_f64(a D) D;
        frexp_mant_f16(a W) W;
        frexp_mant_f32(a W) W;
        frexp_mant_f64(a D) D;
        div_fixup_f16(q W, d W, n W) W;
        div_fixup_f32(q W, d W, n W) W;
        div_fixup_f64(q D, d D, n D) D;
        med3_f16(a W, b W, c W) W;
        med3_f32(a W, b W, c W) W;
        med3_f64(a D, b D, c D) D;
        mad_f32(a W, b W, c W) W;
        mad_f16(a W, b W, c W) W;
        mul_legacy_f32(a W, b W) W;
        mad_legacy_f32(a W, b W, c W) W;
        fma_legacy_f32(a W, b W, c W) W;
        min_legacy_f32(a W, b W) W;
        max_legacy_f32(a W, b W) W;
        finite_f32(a W) W;
        finite_f64(a D) D;
        inf_to_zero_f32(a W) W;
        frexp_exp_f16(a W) W;
        frexp_exp_f32(a W) W;
        frexp_exp_f64(a D) W;
        ldexp_f16(a W, n W) W;
        ldexp_f32(a W, n W) W;
        ldexp_f64(a D, n W) D;
        div_fmas_f32(a W, b W, c W, scaled C) W;
        div_fmas_f64(a D, b D, c D, scaled C) D;
        f32_of_f16(a W) W;
        f16_of_f32(a W) W;
        f16_of_f32_rtz(a W) W;
        f64_of_f32(a W) D;
        f32_of_f64(a D) W;
        f32_of_i32(a W) W;
        f32_of_u32(a W) W;
        f64_of_i32(a W) D;
        f64_of_u32(a W) D;
        f16_of_i16(a W) W;
        f16_of_u16(a W) W;
        i32_of_f32(a W) W;
        u32_of_f32(a W) W;
        i32_of_f64(a D) W;
        u32_of_f64(a D) W;
        i16_of_f16(a W) W;
        u16_of_f16(a W) W;
        i16_of_f32(a W) W;
        u16_of_f32(a W) W;
        i32_of_f32_nearest(a W) W;
        i32_of_f32_floor(a W) W;
        f32_of_i4_off(a W) W;
        snorm16_of_f32(a W) W;
        unorm16_of_f32(a W) W;
        snorm16_of_f16(a W) W;
        unorm16_of_f16(a W) W;
        u8_of_f32(a W) W;
        fma_f16_of_f32(a W, b W, c W) W;
        mad_f16_of_f32(a W, b W, c W) W;
        canonical_f16(a W) W;
        exp_f32(a W) W;
        exp_f16(a W) W;
        log_f32(a W) W;
        log_f16(a W) W;
        sin_f32(a W) W;
        sin_f16(a W) W;
        cos_f32(a W) W;
        cos_f16(a W) W;
        trig_preop_f64(a D, segment W) D;
        cubeid_f32(x W, y W, z W) W;
        cubesc_f32(x W, y W, z W) W;
        cubetc_f32(x W, y W, z W) W;
        cubema_f32(x W, y W, z W) W;
        mullit_f32(a W, b W, c W) W;
        dot2_f32_f16(a W, b W, c W) W;
        dot2_f32_bf16(a W, b W, c W) W;
        dot2_f16_f16(a W, b W, c W) W;
        dot2_bf16_bf16(a W, b W, c W) W;
    }

    fn div_scale_f32(&self, v: Word, d: Word, n: Word) -> (Word, Truth) {
        match self.call(Function::Prim(Prim::div_scale_f32), &[Value::W(v), Value::W(d), Value::W(n)])[..] {
            [Value::W(w), Value::C(c)] => (w, c),
            _ => (Word::Known(0), Truth::Known(false)),
        }
    }
    fn div_scale_f64(&self, v: Pair, d: Pair, n: Pair) -> (Pair, Truth) {
        match self.call(Function::Prim(Prim::div_scale_f64), &[Value::D(v), Value::D(d), Value::D(n)])[..] {
            [Value::D(w), Value::C(c)] => (w, c),
            _ => (self.d(0), Truth::Known(false)),
        }
    }
    fn cmp_f16(&self, op: Cmp, a: Word, b: Word) -> Truth {
        self.call_c(Prim::cmp_f16 { op }, &[Value::W(a), Value::W(b)])
    }
    fn cmp_f32(&self, op: Cmp, a: Word, b: Word) -> Truth {
        self.call_c(Prim::cmp_f32 { op }, &[Value::W(a), Value::W(b)])
    }
    fn cmp_f64(&self, op: Cmp, a: Pair, b: Pair) -> Truth {
        self.call_c(Prim::cmp_f64 { op }, &[Value::D(a), Value::D(b)])
    }
    fn class_f16(&self, a: Word, mask: Word) -> Truth {
        self.call_c(Prim::class_f16, &[Value::W(a), Value::W(mask)])
    }
    fn class_f32(&self, a: Word, mask: Word) -> Truth {
        self.call_c(Prim::class_f32, &[Value::W(a), Value::W(mask)])
    }
    fn class_f64(&self, a: Pair, mask: Word) -> Truth {
        self.call_c(Prim::class_f64, &[Value::D(a), Value::W(mask)])
    }
    fn dot4_f32_fp8(&self, a: Word, b: Word, c: Word, bf8_a: bool, bf8_b: bool) -> Word {
        let prim = Prim::dot4_f32_fp8 { kinds: [bf8_a, bf8_b] };
        self.call_w(prim, &[Value::W(a), Value::W(b), Value::W(c)])
    }
    fn f32_of_fp8(&self, a: Word, bf8: bool) -> Word {
        self.call_w(Prim::f32_of_fp8 { bf8 }, &[Value::W(a)])
    }
    fn fp8_of_f32(&self, a: Word, bf8: bool) -> Word {
        self.call_w(Prim::fp8_of_f32 { bf8 }, &[Value::W(a)])
    }
    fn fp8_of_f32_sr(&self, a: Word, seed: Word, bf8: bool) -> Word {
        self.call_w(Prim::fp8_of_f32_sr { bf8 }, &[Value::W(a), Value::W(seed)])
    }
}
