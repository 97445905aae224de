//! What the primitives are tried on.

use super::Class;
use wavediff::spirv::soft::{F16, F32, F64, Format};

/// A small generator (splitmix64): the same numbers every time.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    /// MODE: rounding, denormals, clamp, IEEE, overflow.
    pub fn mode(&mut self) -> u32 {
        self.next() as u32 & 0x0080_03ff
    }
}

/// What the operands of a primitive are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Floats of one format.
    Float(Format),
    /// Pairs of 16-bit floats of a format, then an f32 or one of them.
    Pairs(Format),
    /// Bytes that are floats, then an f32.
    Bytes,
    /// Integers.
    Integer,
}

const BF16: Format = wavediff::spirv::soft::BF16;

impl Kind {
    pub fn of(name: &str) -> Kind {
        let from = name.split("_of_").last().unwrap_or(name);
        if name.starts_with("dot2") {
            Kind::Pairs(if name.ends_with("bf16") { BF16 } else { F16 })
        } else if name.starts_with("dot4") || from.starts_with("fp8") {
            Kind::Bytes
        } else if name.contains("_of_") && (from.starts_with('i') || from.starts_with('u')) {
            Kind::Integer
        } else if from.contains("f64") {
            Kind::Float(F64)
        } else if from.contains("f16") {
            Kind::Float(F16)
        } else {
            Kind::Float(F32)
        }
    }

    /// All tuples of edge values.
    pub fn each_edge(self, n: usize, mut visit: impl FnMut(&[u64])) {
        let edges = match self {
            Kind::Float(f) => float_edges(f, if n == 3 { 13 } else { 99 }),
            Kind::Integer => {
                (0..=32).flat_map(|i| [0, 1, u32::MAX].map(|d| (1u64 << i).wrapping_add(d.into()))).collect()
            }
            Kind::Pairs(_) | Kind::Bytes => return,
        };
        match n {
            1 => edges.iter().for_each(|&a| visit(&[a])),
            2 => edges.iter().for_each(|&a| edges.iter().for_each(|&b| visit(&[a, b]))),
            _ => {
                for &a in &edges {
                    for &b in &edges {
                        for &c in &edges {
                            visit(&[a, b, c, c & 1]);
                        }
                    }
                }
            }
        }
    }

    /// Operands that have something to do with each other.
    pub fn random(self, random: &mut Random, takes: &[Class]) -> Vec<u64> {
        let mut args: Vec<u64> = match self {
            Kind::Float(f) => floats(f, random, takes.len()),
            Kind::Integer => takes.iter().map(|_| random.next() >> random.below(64)).collect(),
            Kind::Pairs(f) => {
                let [a, b] = [0; 2].map(|_| {
                    let pair = floats(f, random, 2);
                    pair[0] & 0xffff | pair[1] << 16
                });
                let wide = if random.below(2) == 0 { F32 } else { f };
                let c = floats(wide, random, 1)[0];
                // Now and then one that vanishes beside the products.
                vec![a, b, if random.below(4) == 0 { c & (wide.sign() | 3) } else { c }]
            }
            Kind::Bytes => vec![random.next(), random.next(), floats(F32, random, 1)[0]],
        };
        // A condition, or an integer beside a float.
        for (arg, class) in args.iter_mut().zip(takes).skip(1) {
            if *class == Class::W && self == Kind::Float(F64)
                || *class == Class::C
                || random.below(8) == 0 && self != Kind::Float(F64)
            {
                let n = random.next();
                *arg = if n & 64 == 0 { n % 600 } else { (n % 600).wrapping_neg() };
            }
        }
        args
    }
}

/// Values at which something happens, the most important ones first.
fn float_edges(f: Format, most: usize) -> Vec<u64> {
    let one = f.one();
    let quiet = f.inf() | f.quiet();
    let small = [0, 1, f.step() - 1, f.step(), one, f.max(), f.inf(), f.inf() | 1, quiet | 5];
    let more = [
        f.step() + 1,
        2 * f.step(),
        one - 1,
        one + 1,
        one - f.step(),
        one + f.step(),
        one + (f.step() >> 1),
        one + 3 * (f.step() >> 1),
        one + (u64::from(f.man) << f.man),
        one - (u64::from(f.man) << f.man),
        one - ((u64::from(f.man) + 1) << f.man),
        one - ((u64::from(f.man) + 1) << f.man) + 1,
        one + (u64::from(f.man) << f.man) - 1,
        f.step() / 2,
        f.step() / 2 + 1,
        3,
        f.max() - f.step(),
        f.inf() | (f.quiet() - 1),
        f.inf() | f.quiet(),
        f.inf() | f.fraction(),
    ];
    let mut edges = Vec::new();
    for a in small.into_iter().chain(more) {
        if edges.len() < most {
            edges.extend([a, a | f.sign()]);
        }
    }
    edges
}

/// The bits of a fraction: few set, few clear, or any.
fn fraction(f: Format, random: &mut Random) -> u64 {
    let any = random.next();
    let bit = || 1u64 << ((any >> 8) % u64::from(f.man));
    let fraction = match any & 7 {
        0 => 0,
        1 => u64::MAX,
        2 => bit(),
        3 => bit().wrapping_neg(),
        4 => bit() - 1,
        5 => any >> 3 >> (any & 63),
        _ => any >> 11,
    };
    fraction & f.fraction()
}

/// Numbers of near exponents, now and then anything.
pub fn floats(f: Format, random: &mut Random, n: usize) -> Vec<u64> {
    let fields = 1 << f.exp;
    let base = match random.below(4) {
        0 => random.below(fields),
        1 => f.bias() as u64 + random.below(8) - 4,
        2 => random.below(6),
        _ => fields - 1 - random.below(6),
    };
    let mut made: Vec<u64> = Vec::new();
    for i in 0..n {
        let sign = (random.next() & 1) * f.sign();
        let near = random.below(2 * u64::from(f.man) + 6).wrapping_sub(u64::from(f.man) + 3);
        let field = match random.below(8) {
            0 => random.below(fields),
            1 => f.bias() as u64,
            2 | 3 => base.wrapping_add(near),
            _ => base.wrapping_add(random.below(5)).wrapping_sub(2),
        };
        let mut a = sign | (field % fields) << f.man | fraction(f, random);
        // What nearly cancels a sum or a product before it.
        if i > 0 && random.below(4) == 0 {
            a = made[i - 1] ^ ((random.next() & 1) * f.sign());
            a = a.wrapping_add(random.below(5)).wrapping_sub(2);
        }
        if i == 2 && random.below(2) == 0 {
            a = product(f, made[0], made[1]) ^ f.sign();
            a = a.wrapping_add(random.below(5)).wrapping_sub(2);
        }
        if random.below(16) == 0 {
            a = random.next();
        }
        made.push(a);
    }
    made.resize(4, random.next());
    // What lies above an f16 must not matter.
    if f.exp + f.man < 31 { made.iter().map(|a| a & 0xffff | random.next() << 16).collect() } else { made }
}

/// About the product of two patterns.
fn product(f: Format, a: u64, b: u64) -> u64 {
    if f == F32 {
        u64::from((f32::from_bits(a as u32) * f32::from_bits(b as u32)).to_bits())
    } else if f == F64 {
        (f64::from_bits(a) * f64::from_bits(b)).to_bits()
    } else {
        let exponents = (a & f.inf()).wrapping_add(b & f.inf()).wrapping_sub(f.one());
        (a ^ b) & f.sign() | exponents & f.inf() | a & f.fraction()
    }
}
