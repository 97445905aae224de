//! The host's floats against the emulator's definition: wherever a quick algebra says that it is sure, it has the same bits.

use super::operands::{Kind, Random};
use super::{PROCESSORS, bits, count, step, value, work};
use wavediff::emu::alg::{Directed, Env, Exact, Fast, Quick};
use wavediff::emu::kernel::{FLUSH, KEEP, OTHER};
use wavediff::isa::{Arch, Target};
use wavediff::spirv::soft::{F16, Prim, Value};

/// The bits of a primitive in an algebra.
fn computed<K: Quick>(prim: Prim, env: &Env, args: &[u64]) -> Option<Vec<u64>> {
    let k = K::of(0, K::modes(env));
    let args: Vec<Value<K>> = words(prim, args);
    let results = prim.direct(&k, &args);
    (k.oddness() >> 31 == 0).then(|| results.into_iter().map(|v| masked(prim, bits_of(v))).collect())
}

fn words<K: Quick>(prim: Prim, args: &[u64]) -> Vec<Value<K>> {
    let class = prim.signature().0.iter();
    class
        .zip(args)
        .map(|(class, &bits)| match value(*class, bits) {
            Value::W(w) => Value::W(w),
            Value::D(d) => Value::D(d),
            Value::C(c) => Value::C(c),
        })
        .collect()
}

fn bits_of<K: Quick>(value: Value<K>) -> u64 {
    match value {
        Value::W(w) => u64::from(w),
        Value::D(d) => d,
        Value::C(c) => u64::from(c),
    }
}

/// Without what is said to be anything.
fn masked(prim: Prim, v: u64) -> u64 {
    if super::halves(prim.name()) { v & 0xffff } else { v }
}

/// What the column of a mode computes, where it is sure.
fn quick(prim: Prim, env: &Env, args: &[u64]) -> Option<Vec<u64>> {
    match env.column() {
        KEEP => computed::<Fast<false>>(prim, env, args),
        FLUSH => computed::<Fast<true>>(prim, env, args),
        OTHER => computed::<Directed>(prim, env, args),
        column => panic!("column {column}"),
    }
}

/// Whether the bits of a function are a matter of the processor, and kernels of its own decide.
fn is_silicon(prim: Prim) -> bool {
    let name = prim.name().split('_').next().unwrap_or_default();
    ["rcp", "rsq", "sqrt", "exp", "log", "sin", "cos"].contains(&name)
}

/// What differs, as text; whether the quick algebra was sure.
fn compare(prim: Prim, env: &mut Env, mode: u32, args: &[u64]) -> (bool, Option<String>) {
    env.set_mode(mode);
    let Some(got) = quick(prim, env, args) else { return (false, None) };
    let k = Exact::new(env, 0);
    let exact: Vec<_> = prim.signature().0.iter().zip(args).map(|(&class, &bits)| value(class, bits)).collect();
    let want: Vec<u64> = prim.direct(&k, &exact).into_iter().map(|v| bits(prim, v)).collect();
    let text = || {
        let generation = env.target.generation();
        format!("{prim:?} {generation:?} mode {mode:#x}: {args:x?} gives {got:x?}, not {want:x?}")
    };
    (true, (want != got).then(text))
}

/// Modes of all columns, with those that have most kernels more often.
fn mode(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 0xc0 | random.mode() & 0x300,
        1 => 0xf0 | random.mode() & 0x300,
        _ => random.mode(),
    }
}

fn check(seed: u64, each: usize) {
    let wanted = std::env::var("SOFT").unwrap_or_default();
    let prims: Vec<Prim> = Prim::all().into_iter().filter(|p| p.name().contains(&wanted)).collect();
    let found = work::each(&prims, |n, prim| check_one(*prim, seed + ((n as u64) << 32), each));
    let (failures, unsure): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    if std::env::var_os("SOFT_UNSURE").is_some() {
        println!("{:#?}", unsure.iter().flatten().collect::<Vec<_>>());
    }
    let failures = failures.concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a primitive, and whether its quick way is rarely sure.
fn check_one(prim: Prim, seed: u64, each: usize) -> (Vec<String>, Option<String>) {
    let mut failures = Vec::new();
    let mut random = Random::new(seed);
    let kind = Kind::of(prim.name());
    let (takes, _) = prim.signature();
    let (mut wrong, mut sure, mut all) = (0, 0, 0);
    for name in PROCESSORS {
        let modern = ["gfx1100", "gfx1200"].contains(&name);
        let old = ["gfx600", "gfx700", "gfx803"].contains(&name);
        let lacks = prim.name() == "dot4_f32_fp8" && name != "gfx1200" || prim.name().contains("fp8") && old;
        if lacks || is_silicon(prim) && modern {
            continue;
        }
        let mut env = Env::new(Target::new(Arch::find(name).expect("a processor")));
        let mut run = |mode: u32, args: &[u64]| {
            let (is_sure, text) = compare(prim, &mut env, mode, args);
            all += 1;
            sure += usize::from(is_sure);
            if let Some(text) = text {
                wrong += 1;
                if wrong <= 3 {
                    failures.push(text);
                }
            }
        };
        kind.each_edge(takes.len(), |args| run(mode(&mut random), args));
        for _ in 0..each / PROCESSORS.len() {
            let args = kind.random(&mut random, takes);
            run(mode(&mut random), &args);
        }
    }
    if wrong > 0 {
        failures.push(format!("{prim:?}: {wrong} differences"));
    }
    let unsure = (sure * 8 < all).then(|| format!("{prim:?}: {sure} of {all}"));
    (failures, unsure)
}

/// A sample of all.
#[test]
fn quick_is_exact() {
    check(0x5eed_0011, count());
}

/// Sixty times as many; `STEP` leaves some out, but for four times as many.
#[test]
#[ignore = "takes minutes"]
fn quick_is_exact_often() {
    check(0x5eed_0012, (60 / step()).max(4) * count());
}

/// Every f16 where that is all there is, in every mode that has a say.
#[test]
fn all_halves() {
    let mut random = Random::new(0x5eed_0013);
    let one_half = |p: &Prim| p.signature().0.len() == 1 && Kind::of(p.name()) == Kind::Float(F16);
    for prim in Prim::all().into_iter().filter(one_half).filter(|p| !is_silicon(*p)) {
        for name in ["gfx700", "gfx900", "gfx1200"] {
            let mut env = Env::new(Target::new(Arch::find(name).expect("a processor")));
            for a in 0..=0xffff {
                for mode in [0xc0, 0xf0, mode(&mut random)] {
                    assert_eq!(compare(prim, &mut env, mode, &[a]).1, None);
                }
            }
        }
    }
}
