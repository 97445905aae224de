//! Sums, products and conversions against LLVM's software floats; output modifiers and mixed-precision sources against the emulator.

use super::operands::{Kind, Random};
use super::{Machine, PROCESSORS};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use wavediff::emu::alg::Exact;
use wavediff::isa::Gen;
use wavediff::spirv::soft::{self, Class, F16, F32, F64, Format, Modes, Narrow, Prim, Value, Wide};

const ROUNDS: [Round; 4] = [Round::NearestTiesToEven, Round::TowardPositive, Round::TowardNegative, Round::TowardZero];

/// A primitive with nothing flushed.
fn eval(machine: &Machine, prim: Prim, round: u32, args: &[u64]) -> u64 {
    let k = Exact::new(&machine.env, 0);
    let modes = Modes { mode: 0x2f0 | (5 * round), generation: Gen::Gfx11 };
    let args: Vec<_> = prim.signature().0.iter().zip(args).map(|(&class, &bits)| super::value(class, bits)).collect();
    super::bits(prim, prim.eval(&k, &modes, &args)[0])
}

fn against<F: Float>(f: Format, [add, mul, fma]: [Prim; 3]) {
    let machine = Machine::new("gfx1100");
    let mut random = Random::new(0x5eed_0002);
    let width = f.exp + f.man + 1;
    for i in 0..60_000 {
        let args = Kind::Float(f).random(&mut random, &[Class::D; 3]);
        let [a, b, c] = [0, 1, 2].map(|i| F::from_bits(u128::from(args[i] << (64 - width) >> (64 - width))));
        let round = i & 3;
        let r = ROUNDS[round as usize];
        let want = [a.add_r(b, r).value, a.mul_r(b, r).value, a.mul_add_r(b, c, r).value];
        for (prim, want) in [add, mul, fma].into_iter().zip(want) {
            let got = eval(&machine, prim, round, &args);
            if want.is_nan() {
                assert!(got & f.magnitude() > f.inf(), "{prim:?} {args:x?}");
            } else {
                assert_eq!(u128::from(got), want.to_bits(), "{prim:?} of {args:x?}, rounding {round}");
            }
        }
    }
}

#[test]
fn llvm() {
    against::<Half>(F16, [Prim::add_f16, Prim::mul_f16, Prim::fma_f16]);
    against::<Single>(F32, [Prim::add_f32, Prim::mul_f32, Prim::fma_f32]);
    against::<Double>(F64, [Prim::add_f64, Prim::mul_f64, Prim::fma_f64]);
}

#[test]
fn llvm_narrowing() {
    let machine = Machine::new("gfx1100");
    let mut random = Random::new(0x5eed_0003);
    for i in 0..60_000 {
        let round = i & 3;
        let r = ROUNDS[round as usize];
        let a = Kind::Float(F64).random(&mut random, &[Class::D])[0];
        let b = Kind::Float(F32).random(&mut random, &[Class::W])[0] & 0xffff_ffff;
        let wide = Double::from_bits(a.into());
        let single = Single::from_bits(b.into());
        if !wide.is_nan() {
            let want: Single = wide.convert_r(r, &mut false).value;
            assert_eq!(u128::from(eval(&machine, Prim::f32_of_f64, round, &[a])), want.to_bits(), "{a:x}");
        }
        if !single.is_nan() {
            let want: Half = single.convert_r(r, &mut false).value;
            assert_eq!(u128::from(eval(&machine, Prim::f16_of_f32, round, &[b])), want.to_bits(), "{b:x}");
        }
    }
}

#[test]
fn modifiers() {
    let mut random = Random::new(0x5eed_0004);
    for name in PROCESSORS {
        let mut machine = Machine::new(name);
        let mut one = |f: Format, bits: u64| {
            let mode = random.mode();
            machine.env.set_mode(mode);
            let env = &machine.env;
            let k = &Exact::new(env, 0);
            let m = &Modes { mode, generation: env.target.generation() };
            let bits = bits & (f.sign() | f.magnitude());
            let soft_format = match f {
                F16 => wavediff::emu::soft::F16,
                F32 => wavediff::emu::soft::F32,
                _ => wavediff::emu::soft::F64,
            };
            assert_eq!(soft::omod_applies(k, m, f), env.omod_applies(soft_format));
            for (omod, nearest) in (0..4).flat_map(|omod| [(omod, false), (omod, true)]) {
                let got = match value_of(f, bits) {
                    Value::D(d) => soft::omod::<_, Wide>(k, m, f, omod, nearest, d),
                    Value::W(w) => soft::omod::<_, Narrow>(k, m, f, omod, nearest, w).into(),
                    Value::C(_) => unreachable!("a float"),
                };
                let want = env.omod(soft_format, omod, nearest, bits);
                assert_eq!(got, want, "omod {omod} {nearest} of {bits:#x} {f:?} mode {mode:#x}");
            }
            let got = match value_of(f, bits) {
                Value::D(d) => soft::clamp::<_, Wide>(k, m, f, d),
                Value::W(w) => soft::clamp::<_, Narrow>(k, m, f, w).into(),
                Value::C(_) => unreachable!("a float"),
            };
            assert_eq!(got, soft_format.clamp(bits, env.clamps_nan()), "clamp of {bits:#x} {f:?} mode {mode:#x}");
            if f == F16 {
                assert_eq!(soft::widen(k, m, bits as u32), env.widen(bits as u32), "widen {bits:#x} mode {mode:#x}");
            }
        };
        let mut operands = Random::new(0x5eed_0005);
        for f in [F16, F32, F64] {
            Kind::Float(f).each_edge(1, |args| one(f, args[0]));
            for _ in 0..5000 {
                one(f, Kind::Float(f).random(&mut operands, &[Class::D])[0]);
            }
        }
    }
}

fn value_of<'e>(f: Format, bits: u64) -> Value<Exact<'e>> {
    if f == F64 { Value::D(bits) } else { Value::W(bits as u32) }
}
