//! Why the transcendental functions are correctly rounded: for no f32 argument does the value computed lie so near to the middle of two neighbours
//! that its error could matter. The complete run takes minutes:
//! `cargo test --release --lib margins -- --ignored`; `STEP` leaves arguments out.

use super::trans::{Wide, exp2_wide, log2_wide};
use super::trig::{cosine_turns, sine_turns};
use super::{F16, F32, Num};
use crate::emu::step::step;

/// The bound of the error, in units of 2^-63 of the value, rounded up.
const ERROR: u64 = 16;

/// How far the value is from the nearest middle of two numbers of so many bits, in units of 2^-63 of it. Exact values have no sticky bit; they
/// are short and not of interest.
fn margin(wide: &Wide, bits: u32) -> u64 {
    if wide.sig & 1 == 0 {
        return u64::MAX;
    }
    let zeros = wide.sig.leading_zeros();
    let high = ((wide.sig << zeros) >> 64) as u64;
    let below = 64 - bits;
    (high & ((1 << below) - 1)).abs_diff(1 << (below - 1))
}

/// The least margin of a function over every `step`-th of the patterns, and where it is.
fn least(function: fn(Num) -> Wide, patterns: impl Iterator<Item = u64>) -> (u64, u64) {
    patterns.map(|a| (margin(&function(F32.unpack(a)), 24), a)).min().unwrap_or_default()
}

fn logarithm(x: Num) -> Wide {
    log2_wide(x.sig, x.exp)
}

/// Every argument whose result depends on it: powers below 2^-26 are one, above 2^8 overflow; sines below 2^-40 are those of the series' first
/// term, and from 2^23 on all angles are whole turns.
fn check(step: usize) {
    let field = |exp: i32| ((exp + 127) as u64) << 23;
    let sign = 1u64 << 31;
    for (name, function, from, to, signed) in [
        ("exp2", exp2_wide as fn(Num) -> Wide, field(-27), field(8), true),
        ("log2", logarithm, field(-126), field(128), false),
        ("sin", sine_turns, field(-43), field(23), false),
        ("cos", cosine_turns, field(-16), field(23), false),
    ] {
        for minus in [0, sign].into_iter().take(1 + usize::from(signed)) {
            let (margin, at) = least(function, (from..to).step_by(step).map(|a| a | minus));
            println!("{name}: {margin} at {at:#x}");
            assert!(margin > ERROR, "{name} {at:#x}");
        }
    }
}

/// f16 rounds `2^x` and `log2` once, also to subnormals.
#[test]
fn f16() {
    for a in (1..F16.inf()).flat_map(|a| [a, F16.neg(a)]) {
        let x = F16.unpack(a);
        let power = exp2_wide(x);
        // The exponent of the leading bit decides how many bits a subnormal has.
        let leading = power.exp + 63;
        let bits = if leading < -14 { 25 + leading } else { 11 };
        assert!(!(1..=11).contains(&bits) || margin(&power, bits as u32) > ERROR, "2^{a:#x}");
        assert!(x.sign || margin(&logarithm(x), 11) > ERROR, "log2 {a:#x}");
    }
}

#[test]
fn some() {
    check(10_007);
}

#[test]
#[ignore = "takes minutes"]
fn all() {
    check(step());
}
