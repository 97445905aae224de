//! The algebra of the emulator, in three bodies.
//!
//! [`Fast`] uses the host's integers and floats. Where the host's answer may not be the hardware's (a NaN comes out, a result lies on the edge of
//! the denormals, or so near to the middle of two numbers that an error could decide which it is), it says so in `odd`, and the kernel asks
//! [`Exact`] for that lane. `Exact` computes every float in integers, in whatever mode the wave is; it is the definition, `Fast` the short cut
//! that gives the same bits.
//!
//! `Fast` is right for round-to-nearest only; `FLUSH` says whether f32 denormals are flushed on both sides. In all other modes it is [`Directed`],
//! which adds to what the host rounds to nearest what that lost, and goes a step from there. The host's floating-point environment is never touched.

mod directed;
mod exact;
mod fast;

use crate::emu::soft::Adder;
use crate::isa::Gen;
use crate::isa::sem::{Alg, Cmp};

pub use directed::Directed;
pub use exact::{Env, Exact};
pub use fast::{Fast, Unit};

/// An algebra of one lane that says whether it is sure.
pub trait Quick: Alg<W = u32, D = u64, Q = [u32; 4], C = bool> {
    /// What it has to know of the wave: the same in all lanes.
    type Modes: Copy;
    /// Whether its kernels serve waves of all sizes.
    const ALL_SIZES: bool;
    /// What it has to know of the wave.
    fn modes(env: &Env) -> Self::Modes;
    /// The same beside a transcendental unit that the compiler knows.
    fn beside(modes: Self::Modes, unit: Unit) -> Self::Modes;
    /// The algebra of a lane.
    fn of(lane: u32, modes: Self::Modes) -> Self;
    /// In the top bit: whether what was computed may differ from the hardware's answer.
    fn oddness(&self) -> u32;
}

/// What of a processor has a say in arithmetic.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Machine {
    /// The transcendental unit.
    pub unit: Unit,
    /// The adder of dot products, where it is known.
    pub adder: Option<Adder>,
    /// Floats of eight bits are those of OCP.
    pub ocp: bool,
    /// The exponent that infinities and NaNs have.
    pub no_exponent: u32,
    /// Conversions to and from f16 go by the mode of f32 and keep denormals.
    pub old_halves: bool,
}

impl Machine {
    /// That of a generation.
    #[must_use]
    pub const fn of(generation: Gen) -> Machine {
        Machine {
            unit: Unit::of(generation),
            adder: match generation {
                Gen::Gfx11 => Some(Adder::Gfx11),
                Gen::Gfx12 => Some(Adder::Gfx12),
                Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 | Gen::Gfx10 => None,
            },
            ocp: matches!(generation, Gen::Gfx12),
            no_exponent: if matches!(generation, Gen::Gfx6) { u32::MAX } else { 0 },
            old_halves: matches!(generation, Gen::Gfx6 | Gen::Gfx7),
        }
    }
}

/// The integer primitives, the same in both bodies.
macro_rules! integers {
    () => {
        type W = u32;
        type D = u64;
        type Q = [u32; 4];
        type C = bool;

        #[inline(always)]
        fn w(&self, v: u32) -> u32 {
            v
        }
        #[inline(always)]
        fn d(&self, v: u64) -> u64 {
            v
        }
        #[inline(always)]
        fn c(&self, v: bool) -> bool {
            v
        }
        $crate::emu::alg::one_line! { self;
            add(a: u32, b: u32) -> u32 = a.wrapping_add(b);
            sub(a: u32, b: u32) -> u32 = a.wrapping_sub(b);
            mul(a: u32, b: u32) -> u32 = a.wrapping_mul(b);
            mulhi_u(a: u32, b: u32) -> u32 = ((u64::from(a) * u64::from(b)) >> 32) as u32;
            mulhi_s(a: u32, b: u32) -> u32 = ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32;
            and(a: u32, b: u32) -> u32 = a & b;
            or(a: u32, b: u32) -> u32 = a | b;
            xor(a: u32, b: u32) -> u32 = a ^ b;
            not(a: u32) -> u32 = !a;
            shl(a: u32, n: u32) -> u32 = a << (n & 31);
            shr(a: u32, n: u32) -> u32 = a >> (n & 31);
            sar(a: u32, n: u32) -> u32 = (a as i32 >> (n & 31)) as u32;
            eq(a: u32, b: u32) -> bool = a == b;
            lt_u(a: u32, b: u32) -> bool = a < b;
            lt_s(a: u32, b: u32) -> bool = (a as i32) < b as i32;
            sel(c: bool, t: u32, f: u32) -> u32 = if c { t } else { f };
            popcount(a: u32) -> u32 = a.count_ones();
            clz(a: u32) -> u32 = a.leading_zeros();
            ctz(a: u32) -> u32 = a.trailing_zeros();
            brev(a: u32) -> u32 = a.reverse_bits();
            add_d(a: u64, b: u64) -> u64 = a.wrapping_add(b);
            sub_d(a: u64, b: u64) -> u64 = a.wrapping_sub(b);
            mul_d(a: u64, b: u64) -> u64 = a.wrapping_mul(b);
            and_d(a: u64, b: u64) -> u64 = a & b;
            or_d(a: u64, b: u64) -> u64 = a | b;
            xor_d(a: u64, b: u64) -> u64 = a ^ b;
            not_d(a: u64) -> u64 = !a;
            shl_d(a: u64, n: u32) -> u64 = a << (n & 63);
            shr_d(a: u64, n: u32) -> u64 = a >> (n & 63);
            sar_d(a: u64, n: u32) -> u64 = (a as i64 >> (n & 63)) as u64;
            eq_d(a: u64, b: u64) -> bool = a == b;
            ltu_d(a: u64, b: u64) -> bool = a < b;
            lts_d(a: u64, b: u64) -> bool = (a as i64) < b as i64;
            sel_d(c: bool, t: u64, f: u64) -> u64 = if c { t } else { f };
            popcount_d(a: u64) -> u32 = a.count_ones();
            clz_d(a: u64) -> u32 = a.leading_zeros();
            ctz_d(a: u64) -> u32 = a.trailing_zeros();
            brev_d(a: u64) -> u64 = a.reverse_bits();
            pair(lo: u32, hi: u32) -> u64 = u64::from(lo) | u64::from(hi) << 32;
            lo(a: u64) -> u32 = a as u32;
            hi(a: u64) -> u32 = (a >> 32) as u32;
            sext(a: u32) -> u64 = i64::from(a as i32) as u64;
            zext(a: u32) -> u64 = u64::from(a);
            quad(a: u32, b: u32, c: u32, d: u32) -> [u32; 4] = [a, b, c, d];
            word(a: [u32; 4], n: usize) -> u32 = a[n & 3];
            both(a: bool, b: bool) -> bool = a & b;
            either(a: bool, b: bool) -> bool = a | b;
            differ(a: bool, b: bool) -> bool = a ^ b;
            negate(a: bool) -> bool = !a;
        }
    };
}
pub(crate) use integers;

/// Primitives of one expression each.
macro_rules! one_line {
    ($self:ident; $($name:ident ($($a:ident: $t:ty),*) -> $r:ty = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(&$self, $($a: $t),*) -> $r {
            $body
        }
    )*};
}
pub(crate) use one_line;

/// What a comparison says of two numbers in an order; all three false means that they have none.
#[inline(always)]
fn compare(op: Cmp, lt: bool, eq: bool, gt: bool) -> bool {
    match op {
        Cmp::F => false,
        Cmp::Lt => lt,
        Cmp::Eq => eq,
        Cmp::Le => lt | eq,
        Cmp::Gt => gt,
        Cmp::Lg => lt | gt,
        Cmp::Ge => gt | eq,
        Cmp::O => lt | eq | gt,
        Cmp::U => !(lt | eq | gt),
        Cmp::Nge => !(gt | eq),
        Cmp::Nlg => !(lt | gt),
        Cmp::Ngt => !gt,
        Cmp::Nle => !(lt | eq),
        Cmp::Neq => !eq,
        Cmp::Nlt => !lt,
        Cmp::T => true,
    }
}
