//! What is in buffers at the start: types, and patterns of values.
//!
//! `random(SEED)`: any bits. `uniform(SEED, LOW, HIGH)`: floats. `wide(SEED, E)`: floats with exponents from -E to E. `letters(SEED, N)`:
//! N different bytes from `a`. `ramp(START, STEP)`, `fill(V)`, `list(V, V, ...)`. `edges`: powers of two, and what lies beside them.

use half::f16;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// A whole number of so many bytes.
    Int(usize),
    /// A float of so many bytes.
    Float(usize),
}

impl Ty {
    /// `u32`, `f16`.
    pub fn parse(name: &str) -> Option<Ty> {
        let (kind, bits) = name.split_at_checked(1)?;
        let size = bits.parse::<usize>().ok()? / 8;
        match kind {
            "u" | "i" if matches!(size, 1 | 2 | 4 | 8) => Some(Ty::Int(size)),
            "f" if matches!(size, 2 | 4 | 8) => Some(Ty::Float(size)),
            _ => None,
        }
    }

    /// Its size in bytes.
    pub fn size(self) -> usize {
        match self {
            Ty::Int(size) | Ty::Float(size) => size,
        }
    }

    /// The bits of a number.
    fn of(self, v: f64) -> u64 {
        match self {
            Ty::Int(_) if v < 0.0 => v as i64 as u64,
            Ty::Int(_) => v as u64,
            Ty::Float(2) => f16::from_f64(v).to_bits().into(),
            Ty::Float(4) => (v as f32).to_bits().into(),
            Ty::Float(_) => v.to_bits(),
        }
    }

    /// The number of a float.
    pub fn float(self, bits: u64) -> Option<f64> {
        match self {
            Ty::Int(_) => None,
            Ty::Float(2) => Some(f16::from_bits(bits as u16).to_f64()),
            Ty::Float(4) => Some(f32::from_bits(bits as u32).into()),
            Ty::Float(_) => Some(f64::from_bits(bits)),
        }
    }
}

/// A pattern.
pub enum Values {
    /// Any bits.
    Random(u64),
    /// Floats between two.
    Uniform(u64, f64, f64),
    /// Floats of all exponents between one and its negative.
    Wide(u64, f64),
    /// Small letters, so many of them.
    Letters(u64, f64),
    /// Start and step.
    Ramp(f64, f64),
    /// What is listed, then zeroes; or one for all.
    List(Vec<u64>, bool),
    /// Powers of two, and what lies beside them.
    Edges,
}

impl Values {
    /// A pattern from its text.
    pub fn parse(text: &str) -> Option<Values> {
        if matches!(text, "" | "edges") {
            return Some(if text.is_empty() { Values::List(Vec::new(), false) } else { Values::Edges });
        }
        let (name, rest) = text.strip_suffix(')')?.split_once('(')?;
        let words: Vec<&str> = rest.split(", ").collect();
        let n = |at: usize| words.get(at)?.parse::<f64>().ok();
        let seed = || n(0).map(|n| n as u64);
        let bits = |word: &str| word.strip_prefix("0x").map_or(word.parse().ok(), |h| u64::from_str_radix(h, 16).ok());
        Some(match name {
            "random" => Values::Random(seed()?),
            "uniform" => Values::Uniform(seed()?, n(1)?, n(2)?),
            "wide" => Values::Wide(seed()?, n(1)?),
            "letters" => Values::Letters(seed()?, n(1)?),
            "ramp" => Values::Ramp(n(0)?, n(1)?),
            "fill" | "list" => Values::List(words.into_iter().map(bits).collect::<Option<_>>()?, name == "fill"),
            _ => return None,
        })
    }

    /// So many elements as bytes.
    pub fn bytes(&self, ty: Ty, count: usize) -> Vec<u8> {
        (0..count as u64).flat_map(|n| self.element(ty, n).to_le_bytes().into_iter().take(ty.size())).collect()
    }

    fn element(&self, ty: Ty, n: u64) -> u64 {
        let unit = |seed| (random(seed, n) >> 11) as f64 / (1u64 << 53) as f64;
        match self {
            Values::Random(seed) => random(*seed, n),
            Values::Uniform(seed, low, high) => ty.of(low + (high - low) * unit(*seed)),
            Values::Wide(seed, e) => {
                let bits = random(*seed, n);
                let exponent = ((bits >> 8) as f64 % (2.0 * e + 1.0) - e) as i32;
                let sign = if bits & 1 == 1 { -1.0 } else { 1.0 };
                ty.of(sign * (1.0 + unit(seed + 1000)) * f64::from(exponent).exp2())
            }
            Values::Letters(seed, most) => u64::from(b'a') + random(*seed, n) % *most as u64,
            Values::Ramp(start, step) => ty.of(start + step * n as f64),
            Values::List(list, false) => list.get(n as usize).copied().unwrap_or(0),
            Values::List(list, true) => list.first().copied().unwrap_or(0),
            Values::Edges => (1u64 << (n / 3 % (8 * ty.size() as u64))).wrapping_add(n % 3).wrapping_sub(1),
        }
    }
}

/// The n-th output of splitmix64.
fn random(seed: u64, n: u64) -> u64 {
    let z = seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
