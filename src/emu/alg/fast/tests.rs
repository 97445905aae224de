//! The functions of the transcendental unit against their definition, at every level of the host: where they are not odd they are right, and they
//! are not odd without need.

use super::{Fast, Unit};
use crate::case::random::splitmix64;
use crate::emu::alg::{Env, Exact, Machine, Quick as _};
use crate::emu::kernel::Level;
use crate::emu::step::step;
use crate::isa::sem::Alg;
use crate::isa::{Arch, Target};
use std::fmt::LowerHex;

/// With angles up to 256 turns, with all angles, with the bits of the silicon.
const PROCESSORS: [&str; 3] = ["gfx803", "gfx900", "gfx1100"];

/// Denormals kept; those of f32 flushed; the same with NaNs that stay as they are.
const MODES: [u32; 3] = [0x3f0, 0x3c0, 0x0f0];

const LANES: usize = 64;

/// Arguments that are looked at, some of which are `usual`: of them nearly none may be odd.
trait Argument: Copy + Default + LowerHex + PartialEq {
    fn is_usual(self) -> bool;
}

impl Argument for u32 {
    /// A positive normal number, or a zero.
    fn is_usual(self) -> bool {
        self == 0 || (0x0080_0000..0x7f80_0000).contains(&self)
    }
}

impl Argument for u64 {
    fn is_usual(self) -> bool {
        self == 0 || (1 << 52..0x7ff << 52).contains(&self)
    }
}

struct Trial {
    env: Env,
    level: Level,
    usual: u64,
    odd: u64,
}

impl Trial {
    fn new(processor: &str, mode: u32, level: Level) -> Trial {
        let mut env = Env::new(Target::new(Arch::find(processor).expect("a processor")));
        env.set_mode(mode);
        Trial { env, level, usual: 0, odd: 0 }
    }

    /// Compares the results of arguments, in blocks as long as a wave.
    fn compare<T: Argument>(
        &mut self,
        name: &str,
        mut args: impl Iterator<Item = T>,
        fast: impl Fn(&Fast<false>, T) -> T,
        exact: impl Fn(&Exact<'_>, T) -> T,
    ) {
        let unit = Unit::of(self.env.target.generation());
        loop {
            let (mut block, mut count) = ([T::default(); LANES], 0);
            for (to, arg) in block.iter_mut().zip(&mut args) {
                (*to, count) = (arg, count + 1);
            }
            let (mut results, mut odd) = ([T::default(); LANES], [0; LANES]);
            self.level.run(
                #[inline(always)]
                || {
                    let mut all = |unit: Unit| {
                        for lane in 0..LANES {
                            let k = Fast::of(0, Machine { unit, ..Machine::default() });
                            results[lane] = fast(&k, block[lane]);
                            odd[lane] = k.oddness();
                        }
                    };
                    match unit {
                        Unit::Silicon => all(Unit::Silicon),
                        Unit::Rounded { turns } => all(Unit::Rounded { turns }),
                    }
                },
            );
            for lane in 0..count {
                let (a, is_odd) = (block[lane], odd[lane] >> 31 != 0);
                if !is_odd {
                    let want = exact(&Exact::new(&self.env, 0), a);
                    let at = self.level.name();
                    assert!(
                        results[lane] == want,
                        "{name} {at} {:?} {a:#x}: {:#x}, not {want:#x}",
                        self.env.target,
                        results[lane]
                    );
                }
                self.usual += u64::from(a.is_usual());
                self.odd += u64::from(a.is_usual() && is_odd);
            }
            if count < LANES {
                return;
            }
        }
    }
}

/// Where functions are looked at.
struct Scope {
    modes: &'static [u32],
    levels: Vec<Level>,
}

impl Scope {
    fn whole() -> Scope {
        Scope { modes: &MODES, levels: Level::all().collect() }
    }

    /// One mode, at the best level.
    fn single() -> Scope {
        Scope { modes: &MODES[..1], levels: vec![Level::of_host()] }
    }
}

macro_rules! functions {
    ($scope:expr; $($name:ident: $t:ty = $args:expr, $rare:expr;)*) => {{
        let (scope, wanted) = ($scope, std::env::var("SOFT").unwrap_or_default());
        $(if stringify!($name).contains(&wanted) {
            for processor in PROCESSORS {
                for &mode in scope.modes {
                    for &level in &scope.levels {
                        let mut trial = Trial::new(processor, mode, level);
                        trial.compare::<$t>(stringify!($name), $args, |k, a| k.$name(a), |k, a| k.$name(a));
                        let Trial { usual, odd, .. } = trial;
                        assert!(odd <= usual / $rare, "{} {processor}: {odd} of {usual} are odd", stringify!($name));
                    }
                }
            }
        })*
    }};
}

/// Numbers that look random.
fn random(count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(|n| splitmix64(0, n))
}

/// Words from all over, those that bound the special ones and those about them, and what lies about numbers of some size.
fn singles(step: usize) -> impl Iterator<Item = u32> {
    const EDGES: [u32; 14] = [
        0,
        0x0080_0000,
        0x3380_0000,
        0x39c0_0000,
        0x3f78_0000,
        0x3f80_0000,
        0x3f84_0000,
        0x4300_0000,
        0x42fc_0000,
        0x4380_0000,
        0x4b00_0000,
        0x5800_0000,
        0x7f80_0000,
        0x7fc0_0000,
    ];
    let edges = EDGES.into_iter().flat_map(|a| (0..9).map(move |n| a.wrapping_add(n).wrapping_sub(4)));
    let quarters = (1..40u32).flat_map(|n| {
        let a = (n as f32 / 8.0).to_bits();
        (0..24).flat_map(move |bit| [a + (1 << bit), a - (1 << bit), a])
    });
    let all = (0..=u32::MAX).step_by(step);
    edges.chain(quarters).flat_map(|a| [a, a ^ 1 << 31]).chain(all)
}

/// The significands and exponents of f64 from all over, and the edges.
fn doubles(count: u64) -> impl Iterator<Item = u64> {
    let edges = [0, 1, 1 << 52, 0x3ff << 52, 0x400 << 52, 0x7fe << 52, 0x7ff << 52, (0x7ff << 52) + 1, 0xfff << 51];
    let edges = edges.into_iter().flat_map(|a: u64| (0..9).map(move |n| a.wrapping_add(n).wrapping_sub(4)));
    let squares = (1..3000u64).map(|n| ((n * n) as f64).to_bits());
    let few = random(count / 4).map(|bits| bits & !0 << 44);
    edges.flat_map(|a| [a, a ^ 1 << 63]).chain(squares).chain(few).chain(random(count))
}

fn every_single(scope: Scope, step: usize) {
    functions! {
        scope;
        exp_f32: u32 = singles(step), 1_000;
        log_f32: u32 = singles(step), 1_000;
        rcp_f32: u32 = singles(step), 1_000;
        rsq_f32: u32 = singles(step), 1_000;
        sqrt_f32: u32 = singles(step), 1_000;
        sin_f32: u32 = singles(step), 1_000;
        cos_f32: u32 = singles(step), 1_000;
        finite_f32: u32 = singles(step), 1_000;
        inf_to_zero_f32: u32 = singles(step), 1_000;
    }
}

/// `SOFT` in the environment chooses by a part of the name.
#[test]
fn singles_are_right() {
    every_single(Scope::whole(), 65_521);
}

/// Every f32. `STEP` leaves some out.
#[test]
#[ignore = "takes an hour"]
fn all_singles_are_right() {
    every_single(Scope::single(), step());
}

/// Of f16 all, with anything above them. What overflows or is infinite is odd: the modes may have a say.
#[test]
fn halves_are_right() {
    let all = || (0..=0xffff).map(|a: u32| a | a << 19);
    functions! {
        Scope::whole();
        exp_f16: u32 = all(), 1;
        log_f16: u32 = all(), 1;
        rcp_f16: u32 = all(), 1;
        rsq_f16: u32 = all(), 1;
        sqrt_f16: u32 = all(), 1;
        sin_f16: u32 = all(), 1;
        cos_f16: u32 = all(), 1;
    }
}

#[test]
fn doubles_are_right() {
    functions! {
        Scope::whole();
        rcp_f64: u64 = doubles(20_000), 1_000;
        rsq_f64: u64 = doubles(20_000), 1_000;
        sqrt_f64: u64 = doubles(20_000), 1_000;
        finite_f64: u64 = doubles(100), 10_000;
    }
}

/// `STEP` leaves some out, but for fifty times those of a plain run.
#[test]
#[ignore = "takes minutes"]
fn many_doubles_are_right() {
    let many = (20_000_000 / step() as u64).max(1_000_000);
    functions! {
        Scope::single();
        rcp_f64: u64 = doubles(many), 1_000;
        rsq_f64: u64 = doubles(many), 1_000;
        sqrt_f64: u64 = doubles(many), 1_000;
    }
}
