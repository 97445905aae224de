//! Every primitive against the emulator's definition: all pairs and triples of edge values, and random operands that lie near each other.

#[path = "primitives/count.rs"]
mod count;
#[path = "primitives/dot4.rs"]
mod dot4;
#[path = "primitives/ieee.rs"]
mod ieee;
#[path = "primitives/operands.rs"]
mod operands;
#[path = "primitives/products.rs"]
mod products;
#[path = "primitives/quick.rs"]
mod quick;
#[path = "support/step.rs"]
mod step;
#[path = "support/sums.rs"]
mod sums;
#[path = "support/work.rs"]
mod work;

use operands::{Kind, Random};
use step::step;
use wavediff::emu::alg::{Env, Exact};
use wavediff::isa::{Arch, Target};
use wavediff::spirv::soft::{Class, Modes, Prim, Value};

const PROCESSORS: [&str; 7] = ["gfx600", "gfx700", "gfx803", "gfx900", "gfx1030", "gfx1100", "gfx1200"];

/// The bits of a value, those that are said to be anything cleared.
fn bits(prim: Prim, value: Value<Exact>) -> u64 {
    match value {
        Value::W(w) if halves(prim.name()) => u64::from(w & 0xffff),
        Value::W(w) => u64::from(w),
        Value::D(d) => d,
        Value::C(c) => u64::from(c),
    }
}

/// Whether a result lies in the low half of a word.
fn halves(name: &str) -> bool {
    let to = name.split("_of_").next().unwrap_or(name);
    let half = to.ends_with("f16") || to.ends_with("i16") || to.ends_with("u16") || to.ends_with("norm16");
    half && !name.starts_with("dot2_f32") && !name.starts_with("frexp_exp")
}

fn value<'e>(class: Class, bits: u64) -> Value<Exact<'e>> {
    match class {
        Class::W => Value::W(bits as u32),
        Class::D => Value::D(bits),
        Class::C => Value::C(bits & 1 != 0),
    }
}

/// One processor in one mode.
struct Machine {
    env: Env,
}

impl Machine {
    fn new(name: &str) -> Machine {
        Machine { env: Env::new(Target::new(Arch::find(name).expect("a processor"))) }
    }

    /// What differs, as text.
    fn compare(&mut self, prim: Prim, mode: u32, args: &[u64]) -> Option<String> {
        self.env.set_mode(mode);
        let k = Exact::new(&self.env, 0);
        let modes = Modes { mode, generation: self.env.target.generation() };
        let (takes, _) = prim.signature();
        let args: Vec<_> = takes.iter().zip(args).map(|(&class, &bits)| value(class, bits)).collect();
        let want: Vec<u64> = prim.direct(&k, &args).into_iter().map(|v| bits(prim, v)).collect();
        let got: Vec<u64> = prim.eval(&k, &modes, &args).into_iter().map(|v| bits(prim, v)).collect();
        (want != got).then(|| {
            let args: Vec<u64> = args.iter().map(|&v| bits(Prim::add_f32, v)).collect();
            format!("{prim:?} {:?} mode {mode:#x}: {args:#x?} gives {got:#x?}, not {want:#x?}", modes.generation)
                .replace(['\n', ' '], " ")
        })
    }
}

/// How many random operands a primitive gets.
fn count() -> usize {
    std::env::var("SOFT_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
}

/// Checks the primitives whose names a pattern accepts; `SOFT` in the environment chooses by a part of the name.
fn check(accepts: impl Fn(&str) -> bool) {
    let wanted = std::env::var("SOFT").unwrap_or_default();
    let mut failures = Vec::new();
    let mut random = Random::new(0x5eed_0001);
    for prim in Prim::all().into_iter().filter(|p| accepts(p.name()) && p.name().contains(&wanted)) {
        let kind = Kind::of(prim.name());
        let (takes, _) = prim.signature();
        let mut wrong = 0;
        let mut run = |machine: &mut Machine, mode: u32, args: &[u64]| {
            if let Some(text) = machine.compare(prim, mode, args) {
                wrong += 1;
                if wrong <= 3 {
                    failures.push(text);
                }
            }
        };
        for name in PROCESSORS {
            // The formats of this dot product are those of gfx12.
            if prim.name() == "dot4_f32_fp8" && name != "gfx1200" {
                continue;
            }
            let mut machine = Machine::new(name);
            kind.each_edge(takes.len(), |args| {
                if takes.len() < 3 {
                    for modes in 0..16 {
                        // Both fields alike, so that 16 modes reach every format.
                        let (round, denormals) = (modes & 3, modes >> 2);
                        run(&mut machine, random.mode() & !0xff | (5 * round) | (denormals * 0x50), args);
                    }
                } else {
                    run(&mut machine, random.mode(), args);
                }
            });
            for _ in 0..count() / PROCESSORS.len() {
                let args = kind.random(&mut random, takes);
                run(&mut machine, random.mode(), &args);
            }
        }
        if wrong > 0 {
            failures.push(format!("{prim:?}: {wrong} differences"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// On gfx12 a negative accumulator that vanishes counts as one unit on the finest grid, and on no other.
#[test]
fn vanishing_accumulators() {
    let mut machine = Machine::new("gfx1200");
    let mut random = Random::new(0x5eed_0006);
    for i in 0..20_000 {
        let any = random.next();
        // The fields add up to that grid, or nearly.
        let field = 20 + (any & 63);
        let other = 151 + i % 3 - field;
        let a = any >> 8 & 0x807f | field << 7;
        let b = any >> 24 & 0x807f | other << 7;
        let c = 0x8000_0000 | any >> 40 & 0xff;
        for prim in [Prim::dot2_f32_bf16, Prim::dot2_bf16_bf16] {
            assert_eq!(machine.compare(prim, 0, &[a, b, c]), None);
        }
    }
}

/// Where the rules for angles change.
#[test]
fn limits_of_angles() {
    for name in PROCESSORS {
        let mut machine = Machine::new(name);
        for limit in [0x39c0_0000u64, 0x4380_0000] {
            for a in limit - 2..limit + 3 {
                for (prim, bits) in [(Prim::sin_f32, a), (Prim::cos_f32, a), (Prim::sin_f32, a | 1 << 31)] {
                    assert_eq!(machine.compare(prim, 0x2f0, &[bits]), None);
                }
            }
        }
    }
}

/// The bits of gfx11 and gfx12 in both engines: all of the logarithms next to one, angles about the quarters of a turn down to the last bit, and
/// arguments of all sizes.
#[test]
fn bits_of_silicon() {
    let functions =
        [Prim::rcp_f32, Prim::rsq_f32, Prim::sqrt_f32, Prim::exp_f32, Prim::log_f32, Prim::sin_f32, Prim::cos_f32];
    for name in ["gfx1100", "gfx1200"] {
        let mut machine = Machine::new(name);
        let mut same = |prim, a| assert_eq!(machine.compare(prim, 0x2f0, &[a]), None);
        for a in 0x3f7b_fff0u64..0x3f84_0010 {
            same(Prim::log_f32, a);
        }
        for quarter in [0u32, 1, 2, 3, 4, 5, 40].map(|n| n as f32 / 4.0) {
            for shift in 0..30 {
                for step in [1, 3, 5, 7, 9, 1021] {
                    let apart = (step << shift) as f32 / (1u64 << 31) as f32;
                    for angle in [quarter + apart, quarter - apart, apart - quarter] {
                        same(Prim::sin_f32, u64::from(angle.to_bits()));
                        same(Prim::cos_f32, u64::from(angle.to_bits()));
                    }
                }
            }
        }
        for a in (0..1u64 << 32).step_by(65_521) {
            for prim in functions {
                same(prim, a);
            }
        }
    }
}

/// Every significand of f32 has its root, in both parities of the exponent, and its reciprocal; `STEP` leaves arguments out.
#[test]
#[ignore = "takes minutes"]
fn all_roots() {
    let mut machine = Machine::new("gfx1100");
    for a in (0x3f80_0000u64..0x4080_0000).chain(0..0x0100_0000).chain(0x7e00_0000..0x7f80_0000).step_by(step()) {
        for prim in [Prim::rcp_f32, Prim::rsq_f32, Prim::sqrt_f32] {
            assert_eq!(machine.compare(prim, 0x2f0, &[a]), None);
        }
    }
}

/// Every f32 on which the rounding of a function depends: powers below 2^-26 are one, above 2^8 overflow; small sines are the first term of
/// the series, and from 2^23 on all angles are whole turns. `SOFT` chooses functions, `STEP` leaves arguments out.
#[test]
#[ignore = "takes an hour"]
fn all_functions() {
    let field = |exp: i64| ((exp + 127) as u64) << 23;
    let wanted = std::env::var("SOFT").unwrap_or_default();
    let mut machine = Machine::new("gfx1030");
    for (prim, from, to, signed) in [
        (Prim::exp_f32, field(-27), field(8), true),
        (Prim::log_f32, field(-126), field(128), false),
        (Prim::sin_f32, field(-43), field(23), false),
        (Prim::cos_f32, field(-16), field(23), false),
    ] {
        for a in (from..to).step_by(step()).filter(|_| prim.name().contains(&wanted)) {
            assert_eq!(machine.compare(prim, 0x2f0, &[a]), None);
            if signed {
                assert_eq!(machine.compare(prim, 0x2f0, &[a | 1 << 31]), None);
            }
        }
    }
}

macro_rules! groups {
    ($($test:ident: $($part:literal)*;)*) => {
        const GROUPS: &[&[&str]] = &[$(&[$($part),*]),*];
        $(
            #[test]
            fn $test() {
                check(|name| group(name) == Some(&[$($part),*]));
            }
        )*
        #[test]
        fn others() {
            check(|name| group(name).is_none());
        }
    };
}

/// The first group of which a name has a part.
fn group(name: &str) -> Option<&'static [&'static str]> {
    GROUPS.iter().copied().find(|parts| parts.iter().any(|part| name.contains(part)))
}

groups! {
    conversions: "_of_" "norm" "canonical";
    comparisons: "cmp" "class";
    choices: "min" "max" "med3";
    dots: "dot";
    fused: "fma" "mad";
    division: "div";
    functions: "exp_f" "log" "sin" "cos";
    roots: "rcp" "rsq" "sqrt";
    sums: "add" "sub";
    products: "mul";
}
