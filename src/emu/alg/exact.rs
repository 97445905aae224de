//! Floats in integers: the definition.

use super::directed::Modes;
use super::{Machine, integers, one_line};
use crate::emu::kernel;
use crate::emu::soft::{
    self, Adder, BF16, F16, F32, F64, Format, Fp8, Function, IntRound, NanRule, Omod, Round, Rules, Turns,
};
use crate::fault::planted;
use crate::isa::sem::{Alg, Cmp};
use crate::isa::{Gen, Target, silicon};
use std::cell::Cell;
use std::cmp::Ordering;

/// What MODE and the generation say about floats.
#[derive(Clone, Debug)]
pub struct Env {
    /// The processor.
    pub target: Target,
    /// MODE.
    pub mode: u32,
    single: Rules,
    other: Rules,
    nan: NanRule,
    /// The same for kernels of all modes.
    pub(super) directions: Modes,
    /// Exceptions raised so far, in the order of the trap status.
    pub raised: Cell<soft::Exceptions>,
}

/// MODE's bits.
mod bits {
    pub const CLAMP: u32 = 8;
    pub const IEEE: u32 = 9;
    pub const OVERFLOW: u32 = 23;
}

impl Env {
    /// The rules of a processor with all modes zero.
    #[must_use]
    pub fn new(target: Target) -> Env {
        let rules = Rules::default();
        let mut env = Env {
            target,
            mode: 0,
            single: rules,
            other: rules,
            nan: NanRule::Ieee,
            directions: Modes::of(Machine::of(target.generation()), rules, rules),
            raised: Cell::new(soft::Exceptions::empty()),
        };
        env.set_mode(0);
        env
    }

    /// What of the processor has a say.
    #[must_use]
    pub fn machine(&self) -> Machine {
        Machine::of(self.target.generation())
    }

    fn gfx12(&self) -> bool {
        self.target.generation() >= Gen::Gfx12
    }

    fn ieee(&self) -> bool {
        self.gfx12() || self.mode >> bits::IEEE & 1 != 0
    }

    /// Reads the rules from MODE.
    pub fn set_mode(&mut self, mode: u32) {
        self.mode = mode;
        let quiet = self.ieee() || planted!(IeeeBitIgnored);
        let of = |round: u32, denormals: u32, saturate: bool| Rules {
            round: match Round::from_bits(mode >> round) {
                Round::Up if planted!(RoundsUpDownSwapped) => Round::Down,
                Round::Down if planted!(RoundsUpDownSwapped) => Round::Up,
                round => round,
            },
            flush_in: mode >> denormals & if planted!(DenormalsInOut) { 2 } else { 1 } == 0,
            flush_out: mode >> denormals & if planted!(DenormalsInOut) { 1 } else { 2 } == 0,
            quiet,
            saturate,
        };
        let flag = mode >> bits::OVERFLOW & 1 != 0;
        let saturate = self.target.generation() >= Gen::Gfx9 && flag && !planted!(OverflowFlagIgnored);
        self.single = of(0, 4, false);
        self.other =
            of(if planted!(F16ByF32) { 0 } else { 2 }, if planted!(F16DenormalsByF32) { 4 } else { 6 }, saturate);
        self.nan = if self.gfx12() {
            if planted!(Gfx12Ieee) { NanRule::Ieee } else { NanRule::Number }
        } else if quiet {
            NanRule::Ieee
        } else {
            NanRule::Dx
        };
        self.directions = Modes::of(self.machine(), self.single, self.other);
    }

    /// The column of kernels that the modes ask for.
    #[must_use]
    pub fn column(&self) -> usize {
        let nearest = self.single.round == Round::Even && self.other.round == Round::Even;
        let keeps = !self.other.flush_in && !self.other.flush_out && !self.other.saturate;
        match (self.single.flush_in, self.single.flush_out) {
            (false, false) if nearest && keeps => kernel::KEEP,
            (true, true) if nearest && keeps => kernel::FLUSH,
            _ => kernel::OTHER,
        }
    }

    fn rules(&self, f: Format) -> Rules {
        match f {
            F32 => self.single,
            F64 => self.double(),
            _ => self.other,
        }
    }

    /// The rules of f64: those of f16, but FP16_OVFL has no say.
    fn double(&self) -> Rules {
        Rules { saturate: false, ..self.other }
    }

    /// Carries out an operation under the rules of a format.
    #[inline(always)]
    fn run<T>(&self, rules: Rules, op: impl FnOnce(&mut soft::Env) -> T) -> T {
        let mut env = soft::Env::new(rules);
        let r = op(&mut env);
        self.raised.set(self.raised.get() | env.raised);
        r
    }

    /// Whether an output modifier has an effect.
    #[must_use]
    pub fn omod_applies(&self, f: Format) -> bool {
        soft::omod_applies(self.gfx12(), self.ieee(), !self.rules(f).flush_out, false)
    }

    /// The rules of an output modifier; `nearest` if it overflows to infinity in every rounding.
    #[must_use]
    pub fn omod_rules(&self, f: Format, nearest: bool) -> Rules {
        let rules = self.rules(f);
        if nearest { rules.with_round(Round::Even) } else { rules }
    }

    /// Applies an output modifier; `nearest` as [above](Env::omod_rules).
    #[must_use]
    pub fn omod(&self, f: Format, omod: u8, nearest: bool, bits: u64) -> u64 {
        self.run(self.omod_rules(f, nearest), |e| e.omod(f, Omod::from_bits(u32::from(omod)), bits))
    }

    /// FP16_OVFL: overflow gives the largest number.
    #[must_use]
    pub fn overflow_saturates(&self) -> bool {
        self.mode >> bits::OVERFLOW & 1 != 0
    }

    /// Whether clamping makes NaN zero.
    #[must_use]
    pub fn clamps_nan(&self) -> bool {
        self.gfx12() || self.mode >> bits::CLAMP & 1 != 0
    }

    /// Whether f16 denormals are zeros in operands.
    #[must_use]
    pub fn flushes_halves(&self) -> bool {
        self.other.flush_in
    }

    /// Whether operations quiet NaNs.
    #[must_use]
    pub fn quiets(&self) -> bool {
        self.single.quiet
    }

    /// An f16 source of mixed precision as f32: denormals flushed as the mode of f16 says.
    #[must_use]
    pub fn widen(&self, v: u32) -> u32 {
        let rules = Rules { flush_in: self.other.flush_in, flush_out: false, ..self.single };
        self.run(rules, |e| e.convert(F16, F32, u64::from(v))) as u32
    }
}

/// One lane computed in integers; see the [module](super).
pub struct Exact<'e> {
    env: &'e Env,
    lane: u32,
}

impl<'e> Exact<'e> {
    /// The algebra of a lane.
    #[must_use]
    pub fn new(env: &'e Env, lane: u32) -> Self {
        Exact { env, lane }
    }

    #[inline(always)]
    fn h(&self, op: impl FnOnce(&mut soft::Env) -> u64) -> u32 {
        self.env.run(self.env.other, op) as u32
    }
    #[inline(always)]
    fn s(&self, op: impl FnOnce(&mut soft::Env) -> u64) -> u32 {
        self.env.run(self.env.single, op) as u32
    }
    #[inline(always)]
    fn d(&self, op: impl FnOnce(&mut soft::Env) -> u64) -> u64 {
        self.env.run(self.env.double(), op)
    }
}

/// The f16 in a word.
#[inline(always)]
fn low(a: u32) -> u64 {
    u64::from(a & 0xffff)
}

/// The pairs of 16-bit factors in two words.
fn products(a: u32, b: u32) -> [(u64, u64); 2] {
    [(low(a), low(b)), (low(a >> 16), low(b >> 16))]
}

impl Exact<'_> {
    fn generation(&self) -> Gen {
        self.env.target.generation()
    }

    /// A choice among operands: gfx6 to gfx8 do not flush them, later ones do; the result is not flushed again.
    fn choose(&self, f: Format, op: impl FnOnce(&mut soft::Env, NanRule) -> u64) -> u64 {
        let rules = self.env.rules(f);
        let flush_in = rules.flush_in && self.generation() >= Gen::Gfx9;
        let nan = self.env.nan;
        self.env.run(Rules { flush_in, ..rules }, |e| op(e, nan))
    }

    /// A conversion: operands are flushed as the mode of their format says, results as the mode of theirs.
    fn convert(&self, from: Format, to: Format, a: u64) -> u64 {
        let rules = Rules { flush_in: self.env.rules(from).flush_in, ..self.env.rules(to) };
        // Up to gfx7 the mode of f16 is that of f32, and f16 denormals are kept.
        let rules = if to == F16 && self.env.machine().old_halves {
            Rules { flush_out: false, saturate: false, ..self.env.single }
        } else if from == F16 && self.env.machine().old_halves {
            Rules { flush_in: false, ..rules }
        } else {
            rules
        };
        self.env.run(rules, |e| e.convert(from, to, a))
    }

    fn int(&self, f: Format, a: u64, bits: u32, signed: bool, how: IntRound) -> u32 {
        self.env.run(self.env.rules(f), |e| e.to_int(f, a, bits, signed, how)) as u32
    }

    /// What angles sine and cosine take.
    fn turns(&self) -> Turns {
        match self.generation() {
            Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => Turns::Reduced,
            Gen::Gfx9 | Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => Turns::Full,
        }
    }

    /// A function of the transcendental unit: with the bits of the silicon where they are known.
    fn unit(&self, f: Format, function: Function, a: u64) -> u64 {
        self.env.run(self.env.rules(f), |e| {
            if silicon::known(self.generation()) { e.rdna3(f, function, a) } else { e.function(f, function, a) }
        })
    }

    /// The adder of dot products, where it is known.
    fn adder(&self) -> Option<Adder> {
        self.env.machine().adder
    }

    fn dot(&self, f: Format, a: u32, b: u32, c: u32) -> u32 {
        let products = products(a, b);
        match self.adder() {
            Some(adder) => soft::dot_f32(adder, f, &products, u64::from(c)) as u32,
            None => self.env.run(Rules::FLUSH, |e| e.dot_chain(f, &products, u64::from(c))) as u32,
        }
    }

    fn dot_packed(&self, f: Format, a: u32, b: u32, c: u32) -> u32 {
        let adder = self.adder().unwrap_or(Adder::Gfx11);
        soft::dot_packed(adder, f, &products(a, b), low(c), self.env.other.saturate) as u32
    }

    fn ordered(op: Cmp, order: Option<Ordering>) -> bool {
        let (lt, eq, gt) =
            (order == Some(Ordering::Less), order == Some(Ordering::Equal), order == Some(Ordering::Greater));
        super::compare(op, lt, eq, gt)
    }

    fn fp8(&self, bf8: bool) -> Fp8 {
        match (self.env.machine().ocp, bf8) {
            (false, false) => Fp8::E4m3Fnuz,
            (false, true) => Fp8::E5m2Fnuz,
            (true, false) => Fp8::E4m3,
            (true, true) => Fp8::E5m2,
        }
    }
}

impl Alg for Exact<'_> {
    integers!();

    #[inline(always)]
    fn lane(&self) -> u32 {
        self.lane
    }

    one_line! { self;
        add_f16(a: u32, b: u32) -> u32 = self.h(|e| e.add(F16, low(a), low(b)));
        add_f32(a: u32, b: u32) -> u32 = self.s(|e| e.add(F32, u64::from(a), u64::from(b)));
        add_f64(a: u64, b: u64) -> u64 = self.d(|e| e.add(F64, a, b));
        sub_f16(a: u32, b: u32) -> u32 = self.h(|e| e.sub(F16, low(a), low(b)));
        sub_f32(a: u32, b: u32) -> u32 = self.s(|e| e.sub(F32, u64::from(a), u64::from(b)));
        sub_f64(a: u64, b: u64) -> u64 = self.d(|e| e.sub(F64, a, b));
        mul_f16(a: u32, b: u32) -> u32 = self.h(|e| e.mul(F16, low(a), low(b)));
        mul_f32(a: u32, b: u32) -> u32 = self.s(|e| e.mul(F32, u64::from(a), u64::from(b)));
        mul_f64(a: u64, b: u64) -> u64 = self.d(|e| e.mul(F64, a, b));
        fma_f16(a: u32, b: u32, c: u32) -> u32 = self.h(|e| e.fma(F16, low(a), low(b), low(c)));
        fma_f32(a: u32, b: u32, c: u32) -> u32 = self.s(|e| e.fma(F32, u64::from(a), u64::from(b), u64::from(c)));
        fma_f64(a: u64, b: u64, c: u64) -> u64 = self.d(|e| e.fma(F64, a, b, c));
        floor_f16(a: u32) -> u32 = self.h(|e| e.floor(F16, low(a)));
        floor_f32(a: u32) -> u32 = self.s(|e| e.floor(F32, u64::from(a)));
        floor_f64(a: u64) -> u64 = self.d(|e| e.floor(F64, a));
        ceil_f16(a: u32) -> u32 = self.h(|e| e.ceil(F16, low(a)));
        ceil_f32(a: u32) -> u32 = self.s(|e| e.ceil(F32, u64::from(a)));
        ceil_f64(a: u64) -> u64 = self.d(|e| e.ceil(F64, a));
        trunc_f16(a: u32) -> u32 = self.h(|e| e.trunc(F16, low(a)));
        trunc_f32(a: u32) -> u32 = self.s(|e| e.trunc(F32, u64::from(a)));
        trunc_f64(a: u64) -> u64 = self.d(|e| e.trunc(F64, a));
        rndne_f16(a: u32) -> u32 = self.h(|e| e.rndne(F16, low(a)));
        rndne_f32(a: u32) -> u32 = self.s(|e| e.rndne(F32, u64::from(a)));
        rndne_f64(a: u64) -> u64 = self.d(|e| e.rndne(F64, a));
        fract_f16(a: u32) -> u32 = self.h(|e| e.fract(F16, low(a)));
        fract_f32(a: u32) -> u32 = self.s(|e| e.fract(F32, u64::from(a)));
        fract_f64(a: u64) -> u64 = self.d(|e| e.fract(F64, a));
        frexp_mant_f16(a: u32) -> u32 = self.h(|e| e.frexp_mant(F16, low(a)));
        frexp_mant_f32(a: u32) -> u32 = self.s(|e| e.frexp_mant(F32, u64::from(a)));
        frexp_mant_f64(a: u64) -> u64 = self.d(|e| e.frexp_mant(F64, a));
        rcp_f16(a: u32) -> u32 = self.unit(F16, Function::Rcp, low(a)) as u32;
        rcp_f32(a: u32) -> u32 = self.unit(F32, Function::Rcp, u64::from(a)) as u32;
        rcp_f64(a: u64) -> u64 = self.unit(F64, Function::Rcp, a);
        rsq_f16(a: u32) -> u32 = self.unit(F16, Function::Rsq, low(a)) as u32;
        rsq_f32(a: u32) -> u32 = self.unit(F32, Function::Rsq, u64::from(a)) as u32;
        rsq_f64(a: u64) -> u64 = self.unit(F64, Function::Rsq, a);
        sqrt_f16(a: u32) -> u32 = self.unit(F16, Function::Sqrt, low(a)) as u32;
        sqrt_f32(a: u32) -> u32 = self.unit(F32, Function::Sqrt, u64::from(a)) as u32;
        sqrt_f64(a: u64) -> u64 = self.unit(F64, Function::Sqrt, a);
        div_fixup_f16(q: u32, d: u32, n: u32) -> u32 = self.h(|e| e.div_fixup(F16, low(q), low(d), low(n)));
        div_fixup_f32(q: u32, d: u32, n: u32) -> u32 = self.s(|e| e.div_fixup(F32, u64::from(q), u64::from(d), u64::from(n)));
        div_fixup_f64(q: u64, d: u64, n: u64) -> u64 = self.d(|e| e.div_fixup(F64, q, d, n));
        min_f16(a: u32, b: u32) -> u32 = self.choose(F16, |e, nan| e.min(F16, nan, low(a), low(b))) as u32;
        min_f32(a: u32, b: u32) -> u32 = self.choose(F32, |e, nan| e.min(F32, nan, u64::from(a), u64::from(b))) as u32;
        min_f64(a: u64, b: u64) -> u64 = self.choose(F64, |e, nan| e.min(F64, nan, a, b));
        max_f16(a: u32, b: u32) -> u32 = self.choose(F16, |e, nan| e.max(F16, nan, low(a), low(b))) as u32;
        max_f32(a: u32, b: u32) -> u32 = self.choose(F32, |e, nan| e.max(F32, nan, u64::from(a), u64::from(b))) as u32;
        max_f64(a: u64, b: u64) -> u64 = self.choose(F64, |e, nan| e.max(F64, nan, a, b));
        minimum_f16(a: u32, b: u32) -> u32 = self.h(|e| e.min(F16, NanRule::Propagate, low(a), low(b)));
        minimum_f32(a: u32, b: u32) -> u32 = self.s(|e| e.min(F32, NanRule::Propagate, u64::from(a), u64::from(b)));
        minimum_f64(a: u64, b: u64) -> u64 = self.d(|e| e.min(F64, NanRule::Propagate, a, b));
        maximum_f16(a: u32, b: u32) -> u32 = self.h(|e| e.max(F16, NanRule::Propagate, low(a), low(b)));
        maximum_f32(a: u32, b: u32) -> u32 = self.s(|e| e.max(F32, NanRule::Propagate, u64::from(a), u64::from(b)));
        maximum_f64(a: u64, b: u64) -> u64 = self.d(|e| e.max(F64, NanRule::Propagate, a, b));
        med3_f16(a: u32, b: u32, c: u32) -> u32 = self.choose(F16, |e, nan| e.med3(F16, nan, low(a), low(b), low(c))) as u32;
        med3_f32(a: u32, b: u32, c: u32) -> u32 = self.choose(F32, |e, nan| e.med3(F32, nan, u64::from(a), u64::from(b), u64::from(c))) as u32;
        med3_f64(a: u64, b: u64, c: u64) -> u64 = self.choose(F64, |e, nan| e.med3(F64, nan, a, b, c));

        mad_f32(a: u32, b: u32, c: u32) -> u32 = self.env.run(self.env.single.with_flush(true), |e| e.mad(F32, u64::from(a), u64::from(b), u64::from(c))) as u32;
        mad_f16(a: u32, b: u32, c: u32) -> u32 = self.h(|e| e.mad(F16, low(a), low(b), low(c)));
        mul_legacy_f32(a: u32, b: u32) -> u32 = self.s(|e| e.mul_legacy(F32, u64::from(a), u64::from(b)));
        mad_legacy_f32(a: u32, b: u32, c: u32) -> u32 = self.env.run(self.env.single.with_flush(true), |e| e.mad_legacy(F32, u64::from(a), u64::from(b), u64::from(c))) as u32;
        fma_legacy_f32(a: u32, b: u32, c: u32) -> u32 = self.env.run(self.env.single.with_flush(true), |e| e.fma_legacy(F32, u64::from(a), u64::from(b), u64::from(c))) as u32;
        min_legacy_f32(a: u32, b: u32) -> u32 = self.choose(F32, |e, _| e.min_legacy(F32, u64::from(a), u64::from(b))) as u32;
        max_legacy_f32(a: u32, b: u32) -> u32 = self.choose(F32, |e, _| e.max_legacy(F32, u64::from(a), u64::from(b))) as u32;
        exp_f32(a: u32) -> u32 = self.unit(F32, Function::Exp2, u64::from(a)) as u32;
        exp_f16(a: u32) -> u32 = self.unit(F16, Function::Exp2, low(a)) as u32;
        log_f32(a: u32) -> u32 = self.unit(F32, Function::Log2, u64::from(a)) as u32;
        log_f16(a: u32) -> u32 = self.unit(F16, Function::Log2, low(a)) as u32;
        sin_f32(a: u32) -> u32 = self.unit(F32, Function::Sin(self.turns()), u64::from(a)) as u32;
        sin_f16(a: u32) -> u32 = self.unit(F16, Function::Sin(self.turns()), low(a)) as u32;
        cos_f32(a: u32) -> u32 = self.unit(F32, Function::Cos(self.turns()), u64::from(a)) as u32;
        cos_f16(a: u32) -> u32 = self.unit(F16, Function::Cos(self.turns()), low(a)) as u32;
        finite_f32(a: u32) -> u32 = if F32.is_inf(u64::from(a)) { a - 1 } else { a };
        finite_f64(a: u64) -> u64 = if F64.is_inf(a) { a - 1 } else { a };
        inf_to_zero_f32(a: u32) -> u32 = if F32.is_inf(u64::from(a)) { a & 0x8000_0000 } else { a };
        frexp_exp_f16(a: u32) -> u32 = self.h(|e| e.frexp_exp(F16, low(a), 0) as u64);
        frexp_exp_f32(a: u32) -> u32 = self.s(|e| e.frexp_exp(F32, u64::from(a), self.no_exponent()) as u64);
        frexp_exp_f64(a: u64) -> u32 = self.d(|e| e.frexp_exp(F64, a, self.no_exponent()) as u64) as u32;
        ldexp_f16(a: u32, n: u32) -> u32 = self.h(|e| e.ldexp(F16, low(a), i32::from(n as u16 as i16)));
        ldexp_f32(a: u32, n: u32) -> u32 = self.s(|e| e.ldexp(F32, u64::from(a), n as i32));
        ldexp_f64(a: u64, n: u32) -> u64 = self.d(|e| e.ldexp(F64, a, n as i32));
        div_fmas_f32(a: u32, b: u32, c: u32, scaled: bool) -> u32 = self.s(|e| e.div_fmas(F32, u64::from(a), u64::from(b), u64::from(c), scaled));
        div_fmas_f64(a: u64, b: u64, c: u64, scaled: bool) -> u64 = self.d(|e| e.div_fmas(F64, a, b, c, scaled));
        trig_preop_f64(a: u64, segment: u32) -> u64 = self.d(|e| e.trig_preop(a, segment));
        cubeid_f32(x: u32, y: u32, z: u32) -> u32 = self.s(|e| e.cube_id(u64::from(x), u64::from(y), u64::from(z)));
        cubesc_f32(x: u32, y: u32, z: u32) -> u32 = self.s(|e| e.cube_sc(u64::from(x), u64::from(y), u64::from(z)));
        cubetc_f32(x: u32, y: u32, z: u32) -> u32 = self.s(|e| e.cube_tc(u64::from(x), u64::from(y), u64::from(z)));
        cubema_f32(x: u32, y: u32, z: u32) -> u32 = self.s(|e| e.cube_ma(u64::from(x), u64::from(y), u64::from(z)));
        mullit_f32(a: u32, b: u32, c: u32) -> u32 = self.s(|e| e.mullit(u64::from(a), u64::from(b), u64::from(c)));

        f32_of_f16(a: u32) -> u32 = self.convert(F16, F32, low(a)) as u32;
        f16_of_f32(a: u32) -> u32 = self.convert(F32, F16, u64::from(a)) as u32;
        f16_of_f32_rtz(a: u32) -> u32 = self.env.run(Rules { round: Round::Zero, quiet: true, saturate: false, flush_in: self.env.single.flush_in, ..self.env.other }, |e| e.convert(F32, F16, u64::from(a))) as u32;
        f64_of_f32(a: u32) -> u64 = self.convert(F32, F64, u64::from(a));
        f32_of_f64(a: u64) -> u32 = self.convert(F64, F32, a) as u32;
        f32_of_i32(a: u32) -> u32 = self.s(|e| e.from_i64(F32, i64::from(a as i32)));
        f32_of_u32(a: u32) -> u32 = self.s(|e| e.from_u64(F32, u64::from(a)));
        f64_of_i32(a: u32) -> u64 = self.d(|e| e.from_i64(F64, i64::from(a as i32)));
        f64_of_u32(a: u32) -> u64 = self.d(|e| e.from_u64(F64, u64::from(a)));
        f16_of_i16(a: u32) -> u32 = self.h(|e| e.from_i64(F16, i64::from(a as u16 as i16)));
        f16_of_u16(a: u32) -> u32 = self.h(|e| e.from_u64(F16, low(a)));
        i32_of_f32(a: u32) -> u32 = self.int(F32, u64::from(a), 32, true, IntRound::Trunc);
        u32_of_f32(a: u32) -> u32 = self.int(F32, u64::from(a), 32, false, IntRound::Trunc);
        i32_of_f64(a: u64) -> u32 = self.int(F64, a, 32, true, IntRound::Trunc);
        u32_of_f64(a: u64) -> u32 = self.int(F64, a, 32, false, IntRound::Trunc);
        i16_of_f16(a: u32) -> u32 = self.int(F16, low(a), 16, true, IntRound::Trunc);
        u16_of_f16(a: u32) -> u32 = self.int(F16, low(a), 16, false, IntRound::Trunc);
        i16_of_f32(a: u32) -> u32 = self.int(F32, u64::from(a), 16, true, IntRound::Trunc);
        u16_of_f32(a: u32) -> u32 = self.int(F32, u64::from(a), 16, false, IntRound::Trunc);
        i32_of_f32_nearest(a: u32) -> u32 = self.int(F32, u64::from(a), 32, true, IntRound::HalfUp);
        i32_of_f32_floor(a: u32) -> u32 = self.int(F32, u64::from(a), 32, true, IntRound::Floor);
        f32_of_i4_off(a: u32) -> u32 = soft::off_f32_i4(a) as u32;
        snorm16_of_f32(a: u32) -> u32 = self.s(|e| u64::from(e.to_norm(F32, u64::from(a), 16, true)));
        unorm16_of_f32(a: u32) -> u32 = self.s(|e| u64::from(e.to_norm(F32, u64::from(a), 16, false)));
        snorm16_of_f16(a: u32) -> u32 = self.h(|e| u64::from(e.to_norm(F16, low(a), 16, true)));
        unorm16_of_f16(a: u32) -> u32 = self.h(|e| u64::from(e.to_norm(F16, low(a), 16, false)));
        u8_of_f32(a: u32) -> u32 = self.int(F32, u64::from(a), 8, false, IntRound::Trunc);
        fma_f16_of_f32(a: u32, b: u32, c: u32) -> u32 = self.env.run(Rules { flush_in: self.env.single.flush_in, ..self.env.other }, |e| e.fma_into(F32, F16, u64::from(a), u64::from(b), u64::from(c))) as u32;
        mad_f16_of_f32(a: u32, b: u32, c: u32) -> u32 = self.env.run(Rules { flush_out: true, flush_in: true, ..self.env.other }, |e| e.convert(F32, F16, u64::from(self.mad_f32(a, b, c)))) as u32;
        canonical_f16(a: u32) -> u32 = self.h(|e| e.convert(F16, F16, low(a)));
        dot2_f32_f16(a: u32, b: u32, c: u32) -> u32 = self.dot(F16, a, b, c);
        dot2_f32_bf16(a: u32, b: u32, c: u32) -> u32 = self.dot(BF16, a, b, c);
        dot2_f16_f16(a: u32, b: u32, c: u32) -> u32 = self.dot_packed(F16, a, b, c);
        dot2_bf16_bf16(a: u32, b: u32, c: u32) -> u32 = self.dot_packed(BF16, a, b, c);
        cmp_f16(op: Cmp, a: u32, b: u32) -> bool = Self::ordered(op, self.env.run(self.env.other, |e| e.compare(F16, low(a), low(b))));
        cmp_f32(op: Cmp, a: u32, b: u32) -> bool = Self::ordered(op, self.env.run(self.env.single, |e| e.compare(F32, u64::from(a), u64::from(b))));
        cmp_f64(op: Cmp, a: u64, b: u64) -> bool = Self::ordered(op, self.env.run(self.env.other, |e| e.compare(F64, a, b)));
        class_f16(a: u32, mask: u32) -> bool = F16.classify(low(a)) & mask != 0;
        class_f32(a: u32, mask: u32) -> bool = F32.classify(u64::from(a)) & mask != 0;
        class_f64(a: u64, mask: u32) -> bool = F64.classify(a) & mask != 0;
        f32_of_fp8(a: u32, bf8: bool) -> u32 = self.fp8(bf8).decode(a as u8) as u32;
        fp8_of_f32(a: u32, bf8: bool) -> u32 = u32::from(self.fp8(bf8).encode(u64::from(a), self.env.overflow_saturates()));
        fp8_of_f32_sr(a: u32, seed: u32, bf8: bool) -> u32 = u32::from(self.fp8(bf8).encode_stochastic(u64::from(a), seed, self.env.overflow_saturates()));
        dot4_f32_fp8(a: u32, b: u32, c: u32, bf8_a: bool, bf8_b: bool) -> u32 = soft::dot4_fp8((self.fp8(bf8_a), a.to_le_bytes()), (self.fp8(bf8_b), b.to_le_bytes()), u64::from(c)) as u32;
    }

    fn div_scale_f32(&self, v: u32, d: u32, n: u32) -> (u32, bool) {
        let (r, c) = self.env.run(self.env.single, |e| e.div_scale(F32, u64::from(v), u64::from(d), u64::from(n)));
        (r as u32, c)
    }

    fn div_scale_f64(&self, v: u64, d: u64, n: u64) -> (u64, bool) {
        self.env.run(self.env.double(), |e| e.div_scale(F64, v, d, n))
    }
}

impl Exact<'_> {
    /// The exponent that infinities and NaNs have.
    fn no_exponent(&self) -> i32 {
        self.env.machine().no_exponent as i32
    }
}
