//! The arithmetic of the emulator against exact arithmetic with big integers, against the host's, and against facts about the machines.

#[path = "soft/dot.rs"]
mod dot;
#[path = "soft/facts.rs"]
mod facts;
#[path = "soft/hw.rs"]
mod hw;
#[path = "soft/oracle.rs"]
mod oracle;
#[path = "soft/silicon.rs"]
mod silicon;
#[path = "soft/trans.rs"]
mod trans;

use oracle::{Exact, value};
use wavediff::emu::soft::{
    Adder, BF16, Env, F16, F32, F64, Format, Fp8, Function, IntRound, NanRule, Omod, Round, Rules, Turns, dot_f32,
    dot_packed, dot4_fp8, off_f32_i4,
};

const ROUNDS: [Round; 4] = [Round::Even, Round::Up, Round::Down, Round::Zero];
const FORMATS: [Format; 4] = [F16, BF16, F32, F64];

/// A small generator of random bits.
pub struct Random(pub u64);

impl Random {
    /// Sixty-four bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A finite number: any bits, or few exponents, or few bits set, so that sums cancel and halves occur.
    pub fn finite(&mut self, f: Format) -> u64 {
        let mask = u64::MAX >> (64 - f.width());
        loop {
            let bits = self.bits();
            let a = match bits & 3 {
                0 => self.bits(),
                1 => self.bits() & (f.sign_bit() | f.fraction()) | (f.one() + ((bits >> 8 & 7) << f.man)),
                2 => self.bits() & self.bits() & self.bits(),
                _ => self.bits() & (f.sign_bit() | f.fraction()) | (bits >> 8 & 3) << f.man,
            } & mask;
            if f.is_finite(a) {
                return a;
            }
        }
    }
}

/// Numbers at which something changes, of both signs, all finite.
fn edges(f: Format) -> Vec<u64> {
    let one = f.one();
    let ulp_half = one - ((f.man as u64 + 1) << f.man);
    let mut list = vec![
        0,
        1,
        2,
        3,
        f.min_normal() / 2,
        f.min_normal() - 1,
        f.min_normal(),
        f.min_normal() + 1,
        2 * f.min_normal() - 1,
        ulp_half,
        ulp_half + 1,
        one - 1,
        one,
        one + 1,
        one + 3,
        one + f.min_normal() / 2,
        one + f.min_normal(),
        one + 2 * f.min_normal() - 1,
        one + (u64::from(f.man) << f.man),
        one + (u64::from(f.man) << f.man) + 1,
        f.max() - f.min_normal(),
        f.max() - 1,
        f.max(),
    ];
    list.extend(list.clone().iter().map(|&a| f.neg(a)));
    list
}

/// Everything that a rounding can meet.
fn all_rules() -> impl Iterator<Item = Rules> {
    ROUNDS.into_iter().flat_map(|round| {
        [(false, false), (true, false), (false, true), (true, true)].into_iter().map(move |(flush_in, flush_out)| {
            Rules { round, flush_in, flush_out, quiet: true, saturate: flush_in != flush_out }
        })
    })
}

fn input(f: Format, rules: Rules, a: u64) -> u64 {
    if rules.flush_in { f.flush(a) } else { a }
}

/// A sum rounded: an exact zero is +0 unless both terms are -0 or the rounding is down.
fn rounded_sum(f: Format, rules: Rules, x: &Exact, y: &Exact) -> u64 {
    match x.add(y) {
        Some(sum) => sum.round(f, rules),
        None => {
            let zeros = x.num == oracle::big(0);
            let sign = if zeros && x.negative == y.negative { x.negative } else { rules.round == Round::Down };
            if sign { f.sign_bit() } else { 0 }
        }
    }
}

fn rounded(f: Format, rules: Rules, x: &Exact) -> u64 {
    if x.num == oracle::big(0) { u64::from(x.negative) << (f.width() - 1) } else { x.round(f, rules) }
}

fn check_two(f: Format, rules: Rules, a: u64, b: u64) {
    let mut env = Env::new(rules);
    let (x, y) = (value(f, input(f, rules, a)), value(f, input(f, rules, b)));
    let what = || format!("{f:?} {rules:?} {a:#x} {b:#x}");
    assert_eq!(env.add(f, a, b), rounded_sum(f, rules, &x, &y), "add {}", what());
    assert_eq!(env.sub(f, a, b), rounded_sum(f, rules, &x, &y.clone().neg()), "sub {}", what());
    assert_eq!(env.mul(f, a, b), rounded(f, rules, &x.mul(&y)), "mul {}", what());
    if y.num != oracle::big(0) {
        assert_eq!(env.div(f, a, b), rounded(f, rules, &x.div(&y)), "div {}", what());
    }
}

fn check_three(f: Format, rules: Rules, a: u64, b: u64, c: u64) {
    let mut env = Env::new(rules);
    let [x, y, z] = [a, b, c].map(|v| value(f, input(f, rules, v)));
    let expected = rounded_sum(f, rules, &x.mul(&y), &z);
    let what = || format!("{f:?} {rules:?} {a:#x} {b:#x} {c:#x}");
    assert_eq!(env.fma(f, a, b, c), expected, "fma {}", what());
    let product = x.mul(&y);
    for to in FORMATS {
        assert_eq!(env.fma_into(f, to, a, b, c), rounded_sum(to, rules, &product, &z), "fma to {to:?} {}", what());
    }
    if !rules.flush_in && f != F16 && f != BF16 {
        let up = f.exponent(c) > f.bias();
        let by = (if f == F32 { 64 } else { 128 }) * if up { 1 } else { -1 };
        let expected = rounded_sum(f, rules, &product.scale(by), &z.scale(by));
        assert_eq!(env.div_fmas(f, a, b, c, true), expected, "div_fmas {}", what());
    }
}

fn check_one(f: Format, rules: Rules, a: u64) {
    let mut env = Env::new(rules);
    let x = value(f, input(f, rules, a));
    let what = || format!("{f:?} {rules:?} {a:#x}");
    for to in FORMATS {
        assert_eq!(env.convert(f, to, a), rounded(to, rules, &x), "to {to:?} {}", what());
    }
    if x.num != oracle::big(0) && !x.negative {
        assert_eq!(env.sqrt(f, a), x.sqrt().round(f, rules), "sqrt {}", what());
        let one = value(f, f.one());
        assert_eq!(env.rsq(f, a), one.div(&x).sqrt().round(f, rules), "rsq {}", what());
    }
    for n in [-5000, -30, -1, 0, 1, 30, 5000] {
        assert_eq!(env.ldexp(f, a, n), rounded(f, rules, &x.clone().scale(i64::from(n))), "ldexp {n} {}", what());
    }
    let whole = x.quantum(0, Round::Down);
    let floor = Exact { num: whole, den: oracle::big(1), ..x.clone() };
    let fraction = x.add(&floor.clone().neg()).map_or(0, |fraction| fraction.round(f, rules).min(f.one() - 1));
    assert_eq!(env.fract(f, a), fraction, "fract {}", what());
    let half = Exact { negative: false, num: oracle::big(1), den: oracle::big(2) };
    let up = x.add(&half).map_or((false, oracle::big(0)), |sum| (sum.negative, sum.quantum(0, Round::Down)));
    let bound = 1u64 << 31;
    let up = if up.1 >= oracle::big(bound - u64::from(!up.0)) {
        if up.0 { bound } else { bound - 1 }
    } else {
        let magnitude = up.1.iter_u64_digits().next().unwrap_or(0);
        (if up.0 { magnitude.wrapping_neg() } else { magnitude }) & 0xffff_ffff
    };
    assert_eq!(env.to_int(f, a, 32, true, IntRound::HalfUp), up, "half up {}", what());
    for (bits, signed) in [(16, true), (16, false), (8, false), (32, true)] {
        let largest = (1u64 << (bits - u32::from(signed))) - 1;
        let magnitude = if f.abs(a) >= f.one() { oracle::big(1) } else { x.num.clone() };
        let den = if f.abs(a) >= f.one() { oracle::big(1) } else { x.den.clone() };
        let norm = Exact { num: magnitude * largest, den, negative: false }.quantum(0, Round::Even);
        let norm = norm.iter_u64_digits().next().unwrap_or(0) as u32;
        let norm = match (x.negative, signed) {
            (true, true) => norm.wrapping_neg() & (u32::MAX >> (32 - bits)),
            (true, false) => 0,
            _ => norm,
        };
        assert_eq!(env.to_norm(f, a, bits, signed), norm, "norm {bits} {signed} {}", what());
    }
    // Whole numbers: floor(x) = -ceil(-x), and the integers are those of the conversion.
    let (fl, ce) = (env.floor(f, a), env.ceil(f, f.neg(a)));
    assert_eq!(fl, f.neg(ce), "floor {}", what());
    let ieee = Rules { flush_in: rules.flush_in, ..Rules::IEEE };
    let mut exact = Env::new(ieee);
    if f.is_finite(a) && f.exponent(a) < f.bias() + 40 {
        for (how, whole) in [
            (IntRound::Trunc, exact.trunc(f, a)),
            (IntRound::Floor, exact.floor(f, a)),
            (IntRound::Even, exact.rndne(f, a)),
        ] {
            let integer = exact.to_int(f, a, 64, true, how) as i64;
            assert_eq!(exact.from_i64(f, integer), if integer == 0 { 0 } else { whole }, "{how:?} {}", what());
            assert_eq!(f.sign(whole), f.sign(a));
        }
    }
}

#[test]
fn edges_in_all_pairs() {
    for f in FORMATS {
        let edges = edges(f);
        for rules in all_rules() {
            for &a in &edges {
                check_one(f, rules, a);
            }
        }
        for (i, rules) in all_rules().enumerate() {
            for (j, &a) in edges.iter().enumerate() {
                for (k, &b) in edges.iter().enumerate() {
                    check_two(f, rules, a, b);
                    // All triples would take long: a part of them under each rule.
                    for &c in edges.iter().skip((i + j + k) % 23).step_by(23) {
                        check_three(f, rules, a, b, c);
                    }
                }
            }
        }
    }
}

#[test]
fn random_numbers() {
    let mut random = Random(1);
    for f in FORMATS {
        for rules in all_rules() {
            for _ in 0..600 {
                let [a, b, c] = [random.finite(f), random.finite(f), random.finite(f)];
                check_one(f, rules, a);
                check_two(f, rules, a, b);
                check_three(f, rules, a, b, c);
                // Sums that cancel.
                let product = Env::new(Rules::IEEE).mul(f, a, b);
                if f.is_finite(product) {
                    check_three(f, rules, a, b, f.neg(product));
                }
            }
        }
    }
}

#[test]
fn every_f16() {
    let rules: Vec<Rules> = all_rules().collect();
    for a in (0..=u64::from(u16::MAX)).filter(|&a| F16.is_finite(a)) {
        check_one(F16, rules[(a % 17) as usize % 16], a);
    }
}

#[test]
fn integers_rounded() {
    let mut random = Random(4);
    for f in FORMATS {
        for rules in all_rules() {
            for _ in 0..500 {
                let a = random.bits() >> (random.bits() & 63);
                let x = Exact { negative: false, num: oracle::big(a), den: oracle::big(1) };
                assert_eq!(Env::new(rules).from_u64(f, a), rounded(f, rules, &x), "{f:?} {rules:?} {a}");
                let a = a as i64;
                let x = Exact { negative: a < 0, num: oracle::big(a.unsigned_abs()), den: oracle::big(1) };
                assert_eq!(Env::new(rules).from_i64(f, a), rounded(f, rules, &x), "{f:?} {rules:?} {a}");
            }
        }
    }
}

#[test]
fn rules_of_a_mode() {
    // Of compute programs: to nearest, f32 flushed, the others not, IEEE.
    assert_eq!(Rules::from_mode(F32, 0x2c0, true), Rules::FLUSH);
    assert_eq!(Rules::from_mode(F16, 0x2c0, true), Rules::IEEE);
    let other = Rules { round: Round::Zero, flush_in: false, flush_out: true, quiet: false, saturate: true };
    assert_eq!(Rules::from_mode(F16, 0x80_004c, false), other);
    assert_eq!(Rules::from_mode(F64, 0x80_004c, false), Rules { saturate: false, ..other });
    assert_eq!(
        Rules::from_mode(F32, 0x80_0022, false),
        Rules { round: Round::Down, flush_in: true, flush_out: false, saturate: false, quiet: false }
    );
}

/// The host computes f32 and f64 to nearest even; its NaNs are not compared.
#[test]
fn the_host_agrees() {
    let mut random = Random(2);
    let mut env = Env::new(Rules::IEEE);
    for _ in 0..100_000 {
        let [a, b, c] = [random.bits(), random.bits(), random.bits()];
        let b = if random.bits() & 3 == 0 { a ^ (b >> 50 << 50) } else { b };
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let same = |ours: u64, host: f64| ours == host.to_bits() || F64.is_nan(ours) && host.is_nan();
        assert!(same(env.add(F64, a, b), x + y), "{x:e} + {y:e}");
        assert!(same(env.mul(F64, a, b), x * y), "{x:e} * {y:e}");
        assert!(same(env.div(F64, a, b), x / y), "{x:e} / {y:e}");
        assert!(same(env.sqrt(F64, a), x.sqrt()), "sqrt {x:e}");
        assert!(same(env.fma(F64, a, b, c), x.mul_add(y, z)), "fma {x:e} {y:e} {z:e}");
        let same = |ours: u64, host: f32| ours == u64::from(host.to_bits()) || F32.is_nan(ours) && host.is_nan();
        assert!(same(env.convert(F64, F32, a), x as f32), "{x:e}");
        let [a, b, c] = [a, b, c].map(|v| v >> 32);
        let [x, y, z] = [a, b, c].map(|v| f32::from_bits(v as u32));
        assert!(same(env.add(F32, a, b), x + y), "{x:e} + {y:e}");
        assert!(same(env.mul(F32, a, b), x * y), "{x:e} * {y:e}");
        assert!(same(env.div(F32, a, b), x / y), "{x:e} / {y:e}");
        assert!(same(env.sqrt(F32, a), x.sqrt()), "sqrt {x:e}");
        assert!(same(env.fma(F32, a, b, c), x.mul_add(y, z)), "fma {x:e} {y:e} {z:e}");
        if !x.is_nan() {
            assert_eq!(env.to_int(F32, a, 32, true, IntRound::Trunc) as u32 as i32, x as i32);
            assert_eq!(env.to_int(F32, a, 16, false, IntRound::Trunc) as u16, x as u16);
            assert_eq!(env.floor(F32, a), u64::from(x.floor().to_bits()));
            assert_eq!(env.rndne(F32, a), u64::from(x.round_ties_even().to_bits()));
            assert_eq!(env.compare(F32, a, b), x.partial_cmp(&y));
        }
        let n = random.bits() >> (random.bits() & 63);
        assert_eq!(env.from_i64(F32, n as i64), u64::from((n as i64 as f32).to_bits()));
        assert_eq!(env.from_u64(F64, n), (n as f64).to_bits());
    }
    for a in 0..=u16::MAX {
        let host = half::f16::from_bits(a).to_f32();
        if !host.is_nan() {
            assert_eq!(env.convert(F16, F32, u64::from(a)), u64::from(host.to_bits()));
            assert_eq!(env.convert(F32, F16, u64::from(host.to_bits())), u64::from(a));
        }
    }
}

/// Any bits in any operation, also above the format: nothing panics.
#[test]
fn no_garbage_panics() {
    let mut random = Random(8);
    let functions = [
        Function::Exp2,
        Function::Log2,
        Function::Rcp,
        Function::Rsq,
        Function::Sqrt,
        Function::Sin(Turns::Full),
        Function::Cos(Turns::Full),
        Function::Sin(Turns::Reduced),
    ];
    let formats = [F16, BF16, F32, F64, Format { exp: 4, man: 3 }, Format { exp: 11, man: 20 }];
    for i in 0..20_000 {
        let f = formats[i % 6];
        let mut env = Env::new(Rules::from_mode(f, random.bits() as u32, i % 7 == 0));
        let mut operand = || match random.bits() % 3 {
            0 => random.bits(),
            1 => random.bits() >> (64 - f.width()),
            _ => u64::MAX << (random.bits() % 64),
        };
        let [a, b, c] = [operand(), operand(), operand()];
        let n = operand() as u32;
        for function in functions {
            env.function(f, function, a);
            env.rdna3(f, function, a);
        }
        for omod in [Omod::One, Omod::Two, Omod::Four, Omod::Half] {
            env.omod(f, omod, a);
        }
        env.fma(f, a, b, c);
        env.fma_into(f, F16, a, b, c);
        env.mad_legacy(f, a, b, c);
        env.fma_legacy(f, a, b, c);
        env.div(f, a, b);
        env.sqrt(f, a);
        env.rsq(f, a);
        env.ldexp(f, a, n as i32);
        env.fract(f, a);
        env.rndne(f, a);
        env.frexp_mant(f, a);
        env.frexp_exp(f, a, -1);
        env.div_scale(f, a, b, a);
        env.div_fmas(f, a, b, c, true);
        env.div_fixup(f, a, b, c);
        env.med3(f, NanRule::Ieee, a, b, c);
        env.max_legacy(f, a, b);
        env.compare(f, a, b);
        env.trig_preop(a, n);
        env.mullit(a, b, c);
        env.pkrtz(a, b);
        env.to_bf16(a);
        env.to_bf16_stochastic(a, n);
        env.pk_u8(a, n, n);
        env.to_norm(f, a, n, i % 2 == 0);
        env.to_int(f, a, n, i % 2 == 0, IntRound::HalfUp);
        env.from_i64(f, a as i64);
        env.dot_chain(f, &[(a, b), (b, c)], c);
        for coordinate in [Env::cube_id, Env::cube_sc, Env::cube_tc, Env::cube_ma] {
            coordinate(&mut env, a, b, c);
        }
        for kind in [Fp8::E4m3, Fp8::E4m3Fnuz, Fp8::E5m2, Fp8::E5m2Fnuz] {
            kind.decode(a as u8);
            kind.encode(a, i % 2 == 0);
            kind.encode_stochastic(a, n, i % 2 == 0);
            dot4_fp8((kind, n.to_le_bytes()), (kind, (a as u32).to_le_bytes()), c);
        }
        for adder in [Adder::Gfx11, Adder::Gfx12] {
            dot_f32(adder, f, &[(a, b), (b, c)], c);
            dot_packed(adder, f, &[(a, b), (b, c), (a, a), (c, c), (a, b)], c, true);
            dot_f32(adder, f, &[], a);
        }
        off_f32_i4(n);
        f.classify(a);
        f.clamp(a, true);
        f.inf_to_max(a);
        f.inf_to_zero(a);
    }
}

/// Any bits in any operation: nothing panics, nothing reaches beyond the format.
#[test]
fn no_input_panics() {
    let mut random = Random(3);
    for f in FORMATS {
        let specials = [f.inf(), f.default_nan(), f.inf() | 1, f.sign_bit() | f.inf(), 0, f.sign_bit(), 1, f.max()];
        for rules in all_rules() {
            let mut env = Env::new(Rules { quiet: random.bits() & 1 != 0, ..rules });
            for i in 0..2000 {
                let mut operand = || {
                    if i % 3 == 0 { specials[random.bits() as usize % 8] } else { random.bits() >> (64 - f.width()) }
                };
                let [a, b, c] = [operand(), operand(), operand()];
                let n = random.bits() as i32;
                for result in [
                    env.fma(f, a, b, c),
                    env.mad(f, a, b, c),
                    env.mad_legacy(f, a, b, c),
                    env.fma_legacy(f, a, b, c),
                    env.div(f, a, b),
                    env.sqrt(f, a),
                    env.rsq(f, a),
                    env.ldexp(f, a, n),
                    env.fract(f, a),
                    env.frexp_mant(f, a),
                    env.floor(f, a),
                    env.div_scale(f, a, a, b).0,
                    env.div_scale(f, b, a, b).0,
                    env.div_fmas(f, a, b, c, n & 1 != 0),
                    env.div_fixup(f, a, b, c),
                    env.min_legacy(f, a, b),
                ] {
                    assert_eq!(result.checked_shr(f.width()).unwrap_or(0), 0, "{f:?} {a:#x} {b:#x} {c:#x}");
                }
                env.frexp_exp(f, a, 0);
                for how in [IntRound::Trunc, IntRound::Floor, IntRound::HalfUp, IntRound::Even] {
                    env.to_int(f, a, n as u32 % 65, n < 0, how);
                }
                env.to_norm(f, a, n as u32 % 33, n < 0);
            }
        }
    }
}
