//! What the machines compute, from the rules and LLVM's software floats (`rustc_apfloat`): nothing of the emulator is used here.

use rustc_apfloat::ieee::{Double, DoubleS, Half, HalfS, IeeeFloat, Quad, QuadS, Semantics, Single, SingleS};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    F16,
    F32,
    F64,
}

impl Format {
    /// Bits of the fraction.
    pub const fn man(self) -> u32 {
        match self {
            Format::F16 => 10,
            Format::F32 => 23,
            Format::F64 => 52,
        }
    }
    pub const fn width(self) -> u32 {
        match self {
            Format::F16 => 16,
            Format::F32 => 32,
            Format::F64 => 64,
        }
    }
    pub const fn bias(self) -> i64 {
        (1 << (self.width() - self.man() - 2)) - 1
    }
    /// The exponent field of infinities and NaNs.
    pub const fn top(self) -> u64 {
        2 * self.bias() as u64 + 1
    }
    pub const fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }
    pub const fn inf(self) -> u64 {
        self.top() << self.man()
    }
    pub const fn min_normal(self) -> u64 {
        1 << self.man()
    }
    pub const fn one(self) -> u64 {
        (self.bias() as u64) << self.man()
    }
    pub const fn abs(self, v: u64) -> u64 {
        v & (self.sign_bit() - 1)
    }
    pub const fn field(self, v: u64) -> i64 {
        (self.abs(v) >> self.man()) as i64
    }
    pub const fn is_nan(self, v: u64) -> bool {
        self.abs(v) > self.inf()
    }
    pub const fn is_inf(self, v: u64) -> bool {
        self.abs(v) == self.inf()
    }
    pub const fn is_zero(self, v: u64) -> bool {
        self.abs(v) == 0
    }
    const fn is_subnormal(self, v: u64) -> bool {
        self.abs(v) != 0 && self.field(v) == 0
    }
    pub const fn negative(self, v: u64) -> bool {
        v & self.sign_bit() != 0
    }
    pub const fn quiet_bit(self) -> u64 {
        1 << (self.man() - 1)
    }
    /// The NaN of an invalid operation: negative and quiet.
    pub const fn default_nan(self) -> u64 {
        self.sign_bit() | self.inf() | self.quiet_bit()
    }
    pub const fn with_sign(self, negative: bool, v: u64) -> u64 {
        if negative { self.sign_bit() | v } else { v }
    }
}

/// A format of LLVM's software floats, and the one of the same precision whose exponent never runs out.
pub trait Kind {
    type Base: Semantics;
    type Wide: Semantics;
    const FORMAT: Format;
}

macro_rules! kinds {
    ($($kind:ident $wide:ident $base:ident $format:ident $man:literal;)*) => {$(
        pub struct $wide;
        impl Semantics for $wide {
            const BITS: usize = $man + 16;
            const EXP_BITS: usize = 15;
        }
        pub struct $kind;
        impl Kind for $kind {
            type Base = $base;
            type Wide = $wide;
            const FORMAT: Format = Format::$format;
        }
    )*};
}
kinds! {
    H WideHalf HalfS F16 10;
    S WideSingle SingleS F32 23;
    D WideDouble DoubleS F64 52;
}

pub fn read<K: Kind>(v: u64) -> IeeeFloat<K::Base> {
    IeeeFloat::from_bits(u128::from(v))
}

/// The same number in another format, where it fits; rounded where not.
pub fn to<T: Semantics, F: Semantics>(v: IeeeFloat<F>, round: Round) -> IeeeFloat<T>
where
    IeeeFloat<F>: FloatConvert<IeeeFloat<T>>,
{
    let mut lost = false;
    v.convert_r(round, &mut lost).value
}

/// What an operation of a format does with operands and results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    pub round: Round,
    pub flush_in: bool,
    pub flush_out: bool,
}

impl Field {
    fn of(round: u32, denormals: u32) -> Field {
        let round = match round & 3 {
            0 => Round::NearestTiesToEven,
            1 => Round::TowardPositive,
            2 => Round::TowardNegative,
            _ => Round::TowardZero,
        };
        Field { round, flush_in: denormals & 1 == 0, flush_out: denormals & 2 == 0 }
    }
}

/// A processor in a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    pub single: Field,
    pub other: Field,
    /// Signalling NaNs are quieted.
    pub quiet: bool,
    /// Finite f16 overflow gives the largest number.
    pub saturate: bool,
    /// gfx6 and gfx7, where f16 is a format of storage: its mode is that of f32, and denormals are kept.
    pub old: bool,
    pub generation: u32,
    /// Floats of 8 bits have no negative zero and no infinity: gfx940.
    pub fnuz: bool,
}

impl Machine {
    pub fn new(generation: u32, mode: u32) -> Machine {
        Machine {
            single: Field::of(mode, mode >> 4),
            other: Field::of(mode >> 2, mode >> 6),
            quiet: generation >= 12 || mode >> 9 & 1 != 0,
            saturate: generation >= 9 && mode >> 23 & 1 != 0,
            old: generation < 8,
            generation,
            fnuz: generation == 9,
        }
    }

    pub fn field(&self, f: Format) -> Field {
        if f == Format::F32 { self.single } else { self.other }
    }

    pub fn input(&self, f: Format, v: u64) -> u64 {
        flush_if(f, self.field(f).flush_in, v)
    }

    pub fn quieted(&self, f: Format, nan: u64) -> u64 {
        if self.quiet { nan | f.quiet_bit() } else { nan }
    }

    fn first_nan(&self, f: Format, operands: &[u64]) -> Option<u64> {
        operands.iter().find(|v| f.is_nan(**v)).map(|v| self.quieted(f, *v))
    }

    /// A rounded result: the NaN of an invalid operation replaced, FP16_OVFL, flushed where the value with full precision is tiny.
    pub fn finish<K: Kind>(
        &self,
        field: Field,
        r: IeeeFloat<K::Base>,
        infinite: bool,
        wide: impl FnOnce() -> IeeeFloat<K::Wide>,
    ) -> u64 {
        let f = K::FORMAT;
        let bits = r.to_bits() as u64;
        if f.is_nan(bits) {
            return f.default_nan();
        }
        if f == Format::F16 && self.saturate && f.is_inf(bits) && !infinite {
            return bits - 1;
        }
        let tiny = field.flush_out
            && (f.is_subnormal(bits)
                || f.abs(bits) == f.min_normal() && {
                    let least: IeeeFloat<K::Wide> = power::<K::Wide>(1 - f.bias() as i32);
                    let wide = wide();
                    (if wide.is_negative() { -wide } else { wide }) < least
                });
        if tiny { bits & f.sign_bit() } else { bits }
    }
}

/// `2^e`
fn power<S: Semantics>(e: i32) -> IeeeFloat<S> {
    IeeeFloat::<S>::from_u128(1).value.scalbn(e as _)
}

pub fn flush_if(f: Format, flush: bool, v: u64) -> u64 {
    if flush && f.is_subnormal(v) { v & f.sign_bit() } else { v }
}

/// Operations of one format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
}

fn apply<S: Semantics>(op: Op, [a, b, c]: [IeeeFloat<S>; 3], round: Round) -> IeeeFloat<S> {
    match op {
        Op::Add => a.add_r(b, round).value,
        Op::Sub => a.sub_r(b, round).value,
        Op::Mul => a.mul_r(b, round).value,
        Op::Fma => a.mul_add_r(b, c, round).value,
        Op::Div => a.div_r(b, round).value,
    }
}

pub fn arith_under<K: Kind>(m: &Machine, field: Field, op: Op, args: [u64; 3]) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    let count = if op == Op::Fma { 3 } else { 2 };
    let mut args = args.map(|v| flush_if(f, field.flush_in, v));
    // A subtrahend is an addend with the other sign, NaNs too.
    if op == Op::Sub && f.is_nan(args[1]) {
        args[1] ^= f.sign_bit();
    }
    let invalid_product =
        op == Op::Fma && (f.is_inf(args[0]) && f.is_zero(args[1]) || f.is_zero(args[0]) && f.is_inf(args[1]));
    if invalid_product {
        return f.default_nan();
    }
    if let Some(nan) = m.first_nan(f, &args[..count]) {
        return nan;
    }
    // A division by zero is no overflow.
    let infinite = args[..count].iter().any(|v| f.is_inf(*v)) || op == Op::Div && f.is_zero(args[1]);
    let operands = args.map(read::<K>);
    let r = apply(op, operands, field.round);
    let wide = || apply(op, operands.map(|v| to::<K::Wide, _>(v, Round::NearestTiesToEven)), field.round);
    m.finish::<K>(field, r, infinite, wide)
}

pub fn arith<K: Kind>(m: &Machine, op: Op, args: [u64; 3]) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    arith_under::<K>(m, m.field(K::FORMAT), op, args)
}

/// v_mad_f32: two roundings, flushed whatever the mode says.
pub fn mad(m: &Machine, [a, b, c]: [u64; 3]) -> u64 {
    let field = Field { flush_in: true, flush_out: true, ..m.single };
    let product = arith_under::<S>(m, field, Op::Mul, [a, b, 0]);
    arith_under::<S>(m, field, Op::Add, [product, c, 0])
}

/// The reciprocal: to nearest, denormals flushed on both sides.
pub fn rcp(m: &Machine, a: u64) -> u64 {
    let field = Field { round: Round::NearestTiesToEven, flush_in: true, flush_out: true };
    arith_under::<S>(m, field, Op::Div, [Format::F32.one(), a, 0])
}

/// The square root: the host's of f64 rounded again, which does no harm with more than twice the bits.
pub fn sqrt(m: &Machine, a: u64) -> u64 {
    let f = Format::F32;
    let a = flush_if(f, true, a);
    if f.is_nan(a) {
        return m.quieted(f, a);
    }
    if f.negative(a) && !f.is_zero(a) {
        return f.default_nan();
    }
    u64::from((f64::from(f32::from_bits(a as u32)).sqrt() as f32).to_bits())
}

/// To a whole number.
pub fn whole<K: Kind>(m: &Machine, round: Round, a: u64) -> u64 {
    let f = K::FORMAT;
    let a = m.input(f, a);
    if f.is_nan(a) {
        return m.quieted(f, a);
    }
    read::<K>(a).round_to_integral(round).value.to_bits() as u64
}

pub fn fract<K: Kind>(m: &Machine, a: u64) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    let a = m.input(f, a);
    if f.is_nan(a) {
        return m.quieted(f, a);
    }
    if f.is_inf(a) {
        return f.default_nan();
    }
    let x = read::<K>(a);
    let floor = x.round_to_integral(Round::TowardNegative).value;
    let field = m.field(f);
    let r = x.sub_r(floor, field.round).value;
    if r.is_zero() {
        return 0;
    }
    let wide = || to::<K::Wide, _>(r, Round::NearestTiesToEven);
    m.finish::<K>(field, r, false, wide).min(f.one() - 1)
}

fn scaled<K: Kind>(m: &Machine, a: u64, n: i32) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    if f.is_nan(a) {
        return m.quieted(f, a);
    }
    let (x, n, field) = (read::<K>(a), n.clamp(-5000, 5000), m.field(f));
    // Scaled exactly with the wide exponent, then rounded once.
    let wide = to::<K::Wide, _>(x, Round::NearestTiesToEven).scalbn_r(n as _, field.round);
    let r = x.scalbn_r(n as _, field.round);
    m.finish::<K>(field, r, f.is_inf(a), || wide)
}

pub fn ldexp<K: Kind>(m: &Machine, a: u64, n: i32) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    scaled::<K>(m, m.input(K::FORMAT, a), n)
}

fn convert_nan(m: &Machine, from: Format, to: Format, a: u64) -> u64 {
    let payload = (m.quieted(from, a)) & ((1 << from.man()) - 1);
    let payload =
        if to.man() > from.man() { payload << (to.man() - from.man()) } else { payload >> (from.man() - to.man()) };
    to.with_sign(from.negative(a), to.inf() | if payload == 0 { to.quiet_bit() } else { payload })
}

/// From one format to another.
pub fn convert<F: Kind, T: Kind>(m: &Machine, a: u64) -> u64
where
    IeeeFloat<F::Base>: FloatConvert<IeeeFloat<T::Base>> + FloatConvert<IeeeFloat<T::Wide>>,
{
    let (from, result) = (F::FORMAT, T::FORMAT);
    let mut field = m.field(result);
    let mut flush = m.field(from).flush_in;
    if m.old && result == Format::F16 {
        field = Field { flush_out: false, ..m.single };
    }
    if m.old && from == Format::F16 {
        flush = false;
    }
    convert_under::<F, T>(m, field, flush_if(from, flush, a))
}

fn convert_under<F: Kind, T: Kind>(m: &Machine, field: Field, a: u64) -> u64
where
    IeeeFloat<F::Base>: FloatConvert<IeeeFloat<T::Base>> + FloatConvert<IeeeFloat<T::Wide>>,
{
    let from = F::FORMAT;
    if from.is_nan(a) {
        return convert_nan(m, from, T::FORMAT, a);
    }
    let x = read::<F>(a);
    m.finish::<T>(field, to::<T::Base, _>(x, field.round), from.is_inf(a), || to::<T::Wide, _>(x, field.round))
}

/// Two f32 as f16, toward zero.
pub fn pkrtz(m: &Machine, a: u64, b: u64) -> u64 {
    let m = Machine { quiet: true, saturate: false, ..*m };
    let field = Field { round: Round::TowardZero, ..m.other };
    let half = |v| convert_under::<S, H>(&m, field, m.input(Format::F32, v));
    half(a) | half(b) << 16
}

/// An integer as a float.
pub fn from_int<K: Kind>(m: &Machine, v: i64) -> u64 {
    let field = m.field(K::FORMAT);
    let wide = || IeeeFloat::<K::Wide>::from_i128_r(i128::from(v), field.round).value;
    m.finish::<K>(field, IeeeFloat::from_i128_r(i128::from(v), field.round).value, false, wide)
}

/// How a number becomes whole on its way to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    Trunc,
    Floor,
    /// floor(x + 1/2)
    Nearest,
}

/// A float as an integer of so many bits.
pub fn to_int<K: Kind>(m: &Machine, a: u64, bits: u32, signed: bool, how: Whole) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<Quad>,
{
    let f = K::FORMAT;
    let a = m.input(f, a);
    let (least, most) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    let v = if f.is_nan(a) {
        match (how, f.negative(a)) {
            (Whole::Trunc, _) => 0,
            (_, true) => least,
            (_, false) => most,
        }
    } else {
        let x: Quad = to(read::<K>(a), Round::NearestTiesToEven);
        let x = match how {
            Whole::Trunc => x.round_to_integral(Round::TowardZero).value,
            Whole::Floor => x.round_to_integral(Round::TowardNegative).value,
            Whole::Nearest => {
                let half = Quad::from_u128(1).value.scalbn(-1);
                x.add_r(half, Round::TowardNegative).value.round_to_integral(Round::TowardNegative).value
            }
        };
        let most_float = Quad::from_i128(most).value;
        let least_float = Quad::from_i128(least).value;
        if x >= most_float {
            most
        } else if x <= least_float {
            least
        } else {
            let mut exact = false;
            x.to_i128_r(120, Round::TowardZero, &mut exact).value
        }
    };
    v as u64 & ((1 << bits) - 1)
}

/// The threshold between exponents, the scaling, and the largest exponent of a small numerator.
const fn scaling(f: Format) -> (i64, i32, i64) {
    if f.width() == 64 { (768, 128, 53) } else { (96, 64, 24) }
}

/// The scaled operand, and the flag.
pub fn div_scale<K: Kind>(m: &Machine, [v, d, n]: [u64; 3]) -> (u64, bool)
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    let [v, d, n] = [v, d, n].map(|x| m.input(f, x));
    let (far, up, small) = scaling(f);
    let delta = f.field(n) - f.field(d);
    let rows = [
        (delta >= far, up, 0, true),
        (f.field(d) == 0, up, up, false),
        (f.field(d) >= 2 * f.bias() - 1 && delta <= -far, -up, 0, true),
        (f.field(d) >= 2 * f.bias() - 1, -up, -up, false),
        (delta <= -far, 0, up, true),
        (f.field(n) <= small, up, up, false),
        (true, 0, 0, false),
    ];
    let (_, of_d, of_n, flag) = *rows.iter().find(|row| row.0).unwrap_or(&rows[6]);
    let result = if f.is_zero(d) || f.is_zero(n) {
        f.default_nan()
    } else if f.is_nan(v) {
        // Quieted whatever the IEEE bit says, as in the fix-up.
        v | f.quiet_bit()
    } else if f.is_inf(v) {
        v
    } else {
        scaled::<K>(m, v, if v == d { of_d } else { of_n })
    };
    (result, flag)
}

/// `a * b + c` in 113 bits, rounded to odd, so that rounding it once more is rounding once. The sign of an exact zero is a matter of the
/// rounding.
pub fn sum_to_odd<K: Kind>(args: [u64; 3], round: Round) -> Quad
where
    IeeeFloat<K::Base>: FloatConvert<Quad>,
{
    let [x, y, z] = args.map(|v| to::<QuadS, _>(read::<K>(v), Round::NearestTiesToEven));
    let sum = x.mul_add_r(y, z, Round::TowardZero);
    if sum.status.intersects(Status::INEXACT) {
        return Quad::from_bits(sum.value.to_bits() | 1);
    }
    if sum.value.is_zero() { x.mul_add_r(y, z, round).value } else { sum.value }
}

/// The fused sum scaled back, rounded once.
pub fn div_fmas<K: Kind>(m: &Machine, [a, b, c]: [u64; 3], flag: bool) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<Quad>,
    Quad: FloatConvert<IeeeFloat<K::Base>> + FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    let (_, up, _) = scaling(f);
    if f.is_inf(a) && f.is_zero(b) || f.is_zero(a) && f.is_inf(b) {
        return f.default_nan();
    }
    if let Some(nan) = m.first_nan(f, &[a, b, c]) {
        return nan;
    }
    let by = match (flag, f.field(c) > f.bias()) {
        (false, _) => 0,
        (true, true) => up,
        (true, false) => -up,
    };
    let field = m.field(f);
    let exact = sum_to_odd::<K>([a, b, c], field.round).scalbn(by as _);
    let infinite = exact.is_infinite();
    m.finish::<K>(field, to::<K::Base, _>(exact, field.round), infinite, || to::<K::Wide, _>(exact, field.round))
}

pub fn div_fixup<K: Kind>(m: &Machine, [q, d, n]: [u64; 3]) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
    Quad: FloatConvert<IeeeFloat<K::Base>> + FloatConvert<IeeeFloat<K::Wide>>,
{
    let f = K::FORMAT;
    let (d, n) = (m.input(f, d), m.input(f, n));
    if let Some(nan) = [n, d].into_iter().find(|v| f.is_nan(*v)) {
        return nan | f.quiet_bit();
    }
    let negative = f.negative(d) != f.negative(n);
    let field = m.field(f);
    let sign = |v: Quad| if negative { -v } else { v };
    let round =
        |v: Quad| m.finish::<K>(field, to::<K::Base, _>(v, field.round), false, || to::<K::Wide, _>(v, field.round));
    if f.is_zero(d) && f.is_zero(n) || f.is_inf(d) && f.is_inf(n) {
        f.default_nan()
    } else if f.is_zero(d) || f.is_inf(n) {
        f.with_sign(negative, f.inf())
    } else if f.is_zero(n) || f.is_inf(d) {
        f.with_sign(negative, 0)
    } else if f != Format::F16 && f.field(n) - f.field(d) < -(f.bias() + i64::from(f.man())) {
        round(sign(power(-(2 * f.bias() as i32 + 2 * f.man() as i32))))
    } else if f.field(q) == f.top() as i64 {
        // An overflow: as of any number that is too large.
        round(sign(power(5000)))
    } else {
        // The quotient that is passed on is never flushed (ALU_FACTS 2).
        f.with_sign(negative, f.abs(q))
    }
}

/// What a whole division gives.
pub fn quotient<K: Kind>(m: &Machine, n: u64, d: u64) -> u64
where
    IeeeFloat<K::Base>: FloatConvert<IeeeFloat<K::Wide>>,
{
    // The last step quiets NaNs whatever the IEEE bit says.
    let quotient = arith::<K>(m, Op::Div, [n, d, 0]);
    if K::FORMAT.is_nan(quotient) { quotient | K::FORMAT.quiet_bit() } else { quotient }
}

/// A product, for the inputs.
pub fn product(f: Format, a: u64, b: u64) -> u64 {
    fn of<F: Float>(a: u64, b: u64) -> u64 {
        F::from_bits(u128::from(a)).mul_r(F::from_bits(u128::from(b)), Round::NearestTiesToEven).value.to_bits() as u64
    }
    match f {
        Format::F16 => of::<Half>(a, b),
        Format::F32 => of::<Single>(a, b),
        Format::F64 => of::<Double>(a, b),
    }
}
