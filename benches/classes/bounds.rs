//! What a class of instructions can not be quicker than: a plain loop over the lanes, compiled for the vector instructions that the host has.
//!
//! A loop gives what the instruction gives for the numbers of the bench: rounding, denormals and what infinities and NaNs become are its
//! business, lanes that are off are not.

use crate::support::Row;
use crate::values::Values;
use std::hint::black_box;
use std::sync::atomic::{AtomicU32, Ordering};
use wavediff::emu::kernel::Level;

/// How often a loop runs in a measurement.
pub const TIMES: usize = 2000;

/// A measured loop: runs it [`TIMES`] times.
pub type Bound = fn(Values);

/// The sources of 64 lanes, in the order of the registers v1 to v6.
struct Sources([Row<u32>; 6]);

impl Sources {
    fn of(values: Values) -> Sources {
        Sources(std::array::from_fn(|n| Row(std::array::from_fn(|lane| values.of(n + 1, lane)))))
    }
}

/// A result of a word for three sources of a word.
#[inline(always)]
pub fn words(values: Values, each: impl Fn(u32, u32, u32) -> u32 + Copy) {
    let mut sources = Sources::of(values);
    let mut out = Row([0u32; 64]);
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                let [a, b, c, ..] = &sources.0;
                for lane in 0..64 {
                    out.0[lane] = each(a.0[lane], b.0[lane], c.0[lane]);
                }
                black_box((&mut out, &mut sources));
            }
        },
    );
}

/// A result of a word, and whether a bit of a mask is set, for three sources.
#[inline(always)]
pub fn words_and_bits(values: Values, each: impl Fn(u32, u32, u32) -> (u32, bool) + Copy) {
    let mut sources = Sources::of(values);
    let (mut out, mut bits) = (Row([0u32; 64]), Row([0u32; 64]));
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                let [a, b, c, ..] = &sources.0;
                for lane in 0..64 {
                    let (word, bit) = each(a.0[lane], b.0[lane], c.0[lane]);
                    (out.0[lane], bits.0[lane]) = (word, u32::from(bit).wrapping_neg());
                }
                black_box((&mut out, &mut bits, &mut sources));
            }
        },
    );
}

/// A result of two words for three sources of two words.
#[inline(always)]
pub fn pairs(values: Values, each: impl Fn(u64, u64, u64) -> u64 + Copy) {
    let mut sources = Sources::of(values);
    let (mut low, mut high) = (Row([0u32; 64]), Row([0u32; 64]));
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                let pair =
                    |n: usize, lane: usize| u64::from(sources.0[n].0[lane]) | u64::from(sources.0[n + 1].0[lane]) << 32;
                for lane in 0..64 {
                    let result = each(pair(1, lane), pair(3, lane), pair(3, lane));
                    (low.0[lane], high.0[lane]) = (result as u32, (result >> 32) as u32);
                }
                black_box((&mut low, &mut high, &mut sources));
            }
        },
    );
}

/// A word of another lane.
#[inline(always)]
pub fn lanes(values: Values, from: impl Fn(usize) -> usize + Copy) {
    let mut sources = Sources::of(values);
    let mut out = Row([0u32; 64]);
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                for lane in 0..64 {
                    out.0[lane] = sources.0[2].0[from(lane) & 63];
                }
                black_box((&mut out, &mut sources));
            }
        },
    );
}

/// Addresses of lanes in memory that is there.
struct Places {
    memory: Vec<u8>,
    address: Row<u32>,
}

impl Places {
    fn of(values: Values) -> Places {
        Places { memory: vec![1; 1 << 16], address: Row(std::array::from_fn(|lane| values.of(0, lane))) }
    }

    /// Whether all lanes are inside: one look at all, so that none is needed for each.
    #[inline(always)]
    fn inside(&self, bytes: usize) -> bool {
        let last = self.address.0.iter().fold(0, |most, at| most.max(*at));
        last as usize + bytes <= self.memory.len()
    }
}

/// Words from memory: `N` for each lane, each of `BYTES` bytes.
#[inline(always)]
pub fn load<const N: usize, const BYTES: usize>(values: Values) {
    let mut places = Places::of(values);
    let mut out = [Row([0u32; 64]); N];
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                if places.inside(N * BYTES) {
                    for (n, out) in out.iter_mut().enumerate() {
                        for lane in 0..64 {
                            let at = places.address.0[lane] as usize + n * BYTES;
                            let mut word = [0; 4];
                            word[..BYTES].copy_from_slice(&places.memory[at..at + BYTES]);
                            out.0[lane] = u32::from_le_bytes(word);
                        }
                    }
                }
                black_box((&mut out, &mut places));
            }
        },
    );
}

/// The same into memory.
#[inline(always)]
pub fn store<const N: usize, const BYTES: usize>(values: Values) {
    let mut places = Places::of(values);
    let mut sources = Sources::of(values);
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                if places.inside(N * BYTES) {
                    for lane in 0..64 {
                        for n in 0..N {
                            let at = places.address.0[lane] as usize + n * BYTES;
                            let word = sources.0[n].0[lane].to_le_bytes();
                            places.memory[at..at + BYTES].copy_from_slice(&word[..BYTES]);
                        }
                    }
                }
                black_box((&mut sources, &mut places));
            }
        },
    );
}

/// An atomic: what is there, changed, lane by lane.
#[inline(always)]
pub fn atomic(values: Values, change: impl Fn(u32, u32) -> u32 + Copy) {
    let mut places = Places::of(values);
    let mut sources = Sources::of(values);
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                if places.inside(4) {
                    for lane in 0..64 {
                        let at = places.address.0[lane] as usize;
                        let old = u32::from_le_bytes(places.memory[at..at + 4].try_into().expect("four bytes"));
                        places.memory[at..at + 4].copy_from_slice(&change(old, sources.0[2].0[lane]).to_le_bytes());
                    }
                }
                black_box((&mut sources, &mut places));
            }
        },
    );
}

/// A sum in memory that threads may share, where each lane's is an atomic of the host.
pub fn shared_add(values: Values) {
    let memory: Vec<AtomicU32> = (0..1 << 14).map(|_| AtomicU32::new(1)).collect();
    let mut places = Places::of(values);
    let mut sources = Sources::of(values);
    for _ in 0..TIMES {
        for lane in 0..64 {
            let at = places.address.0[lane] as usize / 4;
            memory[at].fetch_add(sources.0[2].0[lane], Ordering::AcqRel);
        }
        black_box((&mut sources, &mut places, &memory));
    }
}

/// A product of two matrices of 16 by 16 added to a third, as f32 or i32.
#[inline(always)]
pub fn product<T: Copy + Default>(_: Values, fused: impl Fn(T, T, T) -> T + Copy) {
    let (mut a, mut b, mut c) = ([[T::default(); 16]; 16], [[T::default(); 16]; 16], [[T::default(); 16]; 16]);
    Level::of_host().run(
        #[inline(always)]
        || {
            for _ in 0..TIMES {
                for (row, a) in c.iter_mut().zip(&a) {
                    for (a, b) in a.iter().zip(&b) {
                        for (sum, b) in row.iter_mut().zip(b) {
                            *sum = fused(*a, *b, *sum);
                        }
                    }
                }
                black_box((&mut a, &mut b, &mut c));
            }
        },
    );
}

/// Bits as the number that they are.
#[inline(always)]
pub fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Bits with a denormal flushed.
#[inline(always)]
pub fn z(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits }
}

/// Clamped to 0 and 1; a NaN becomes 0.
#[inline(always)]
pub fn clamped(v: f32) -> f32 {
    let v = if v > 0.0 { v } else { 0.0 };
    if v < 1.0 { v } else { 1.0 }
}

/// A sum rounded to zero: the one to nearest, and a step back where it went too far.
#[inline(always)]
pub fn sum_to_zero(a: f32, b: f32) -> f32 {
    let sum = a + b;
    let other = sum - a;
    let error = (a - (sum - other)) + (b - other);
    let too_far = (error < 0.0) & (sum > 0.0) | (error > 0.0) & (sum < 0.0);
    f(sum.to_bits() - u32::from(too_far))
}

/// A fused product and sum rounded to zero, by way of f64.
#[inline(always)]
pub fn fma_to_zero(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let other = sum - product;
    let error = (product - (sum - other)) + (c - other);
    let too_far = (error < 0.0) & (sum > 0.0) | (error > 0.0) & (sum < 0.0);
    let truncated = f64::from_bits((sum.to_bits() - u64::from(too_far)) & !0x1fff_ffff);
    truncated as f32
}

/// The low half of a word, a finite f16, as an f32.
#[inline(always)]
pub fn h(half: u32) -> f32 {
    f(half << 13 & 0x0fff_e000) * f(0x7780_0000) * if half & 0x8000 != 0 { -1.0 } else { 1.0 }
}

/// An f32 rounded to an f16: of one that neither overflows nor is a denormal.
#[inline(always)]
pub fn rh(v: f32) -> u32 {
    let bits = v.to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let rounded = magnitude.wrapping_add(0xfff + (magnitude >> 13 & 1)).wrapping_sub(0x3800_0000) >> 13;
    rounded & 0x7fff | bits >> 16 & 0x8000
}

/// Both halves, each by itself.
#[inline(always)]
pub fn packed(low: u32, high: u32) -> u32 {
    low & 0xffff | high << 16
}

/// A number times a power of two, in two steps so that none of them overflows alone.
#[inline(always)]
pub fn ldexp(v: f32, n: i32) -> f32 {
    let n = n.clamp(-252, 252);
    let half = n / 2;
    let power = |n: i32| f(((n + 127) as u32) << 23);
    v * power(half) * power(n - half)
}

/// A quotient with what the special cases of its operands make of it.
#[inline(always)]
pub fn div_fixup(q: u32, d: u32, n: u32) -> u32 {
    let (magnitude_d, magnitude_n) = (d & 0x7fff_ffff, n & 0x7fff_ffff);
    let sign = (d ^ n) & 0x8000_0000;
    let infinite = |m: u32| m == 0x7f80_0000;
    let mut r = sign | q & 0x7fff_ffff;
    let (exponent_d, exponent_n) = ((magnitude_d >> 23) as i32, (magnitude_n >> 23) as i32);
    if exponent_n - exponent_d < -150 {
        r = sign;
    }
    if (magnitude_n == 0) | infinite(magnitude_d) {
        r = sign;
    }
    if (magnitude_d == 0) | infinite(magnitude_n) {
        r = sign | 0x7f80_0000;
    }
    if (magnitude_n == 0) & (magnitude_d == 0) | infinite(magnitude_n) & infinite(magnitude_d) {
        r = 0xffc0_0000;
    }
    if magnitude_d > 0x7f80_0000 {
        r = d | 0x0040_0000;
    }
    if magnitude_n > 0x7f80_0000 {
        r = n | 0x0040_0000;
    }
    r
}

/// What a division scales, and whether it does.
#[inline(always)]
pub fn div_scale(v: u32, d: u32, n: u32) -> (u32, bool) {
    let exponent = |bits: u32| (bits >> 23 & 0xff) as i32;
    let (of_d, of_n) = (exponent(d), exponent(n));
    let (up, down) = (v.wrapping_add(64 << 23), v.wrapping_sub(64 << 23));
    let far = of_n - of_d >= 96;
    let tiny = (of_d == 0) | (of_n - of_d <= -126) | (of_n <= 23);
    let r = if far & (v == d) | tiny { up } else { v };
    let r = if of_d >= 253 { down } else { r };
    let nan = (d & 0x7fff_ffff == 0) | (n & 0x7fff_ffff == 0);
    (if nan { 0x7fc0_0000 } else { r }, far | tiny)
}
