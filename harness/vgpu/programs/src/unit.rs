//! A GLSL shader with what it is given, as its first lines say; those of `shaders/vulkan` too, which `tests/radv.rs` reads with this
//! file.
//!
//! ```text
//! // in 0.0 1024 u32 7          a storage buffer: bytes, type, seed of its contents
//! // uniform 0.1 64 f32 3       a uniform buffer
//! // out 1.0[2] 512             one of an array of storage buffers, of zeroes, to be compared
//! // inout 0.2 64 u32 5         the same with contents
//! // push 7 0x3f800000          words of push constants
//! // spec 0 64                  a specialization constant: number and word
//! // groups 4 2 1               how many groups; 1 1 1 where nothing is said
//! // base 1 0 2                 the first group (vkCmdDispatchBase)
//! // repeat 8                   so many dispatches, a barrier after each
//! // needs shader_float64       features without which the program is left out
//! // without tahiti hawaii      chips whose driver lacks a feature of it: for `tests/radv.rs`
//! // near f32 4 WHY             outputs are of this type and may be so many ulps apart; else they are equal to the bit
//! // within f32 1e-5 WHY        outputs may differ by so much
//! ```
//!
//! (What they say of images is for `gpu/pictures.rs`.)

/// How a shader uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Storage,
    Uniform,
}

/// A buffer.
#[derive(Clone, Debug)]
pub struct Bind {
    pub set: u32,
    pub binding: u32,
    pub element: u32,
    pub kind: Kind,
    pub output: bool,
    pub bytes: Vec<u8>,
}

/// How far results may be from those of another device.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// `ulp` or `within`.
    pub rule: String,
    /// `f32`, `f16` or `f64`.
    pub ty: String,
    /// How far.
    pub far: f64,
}

/// A shader with what it is given.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub source: &'static str,
    pub binds: Vec<Bind>,
    pub push: Vec<u8>,
    pub spec: Vec<(u32, u32)>,
    pub groups: [u32; 3],
    pub base: Option<[u32; 3]>,
    pub repeat: u32,
    pub needs: Vec<&'static str>,
    pub without: Vec<&'static str>,
    pub bound: Option<Bound>,
}

impl Unit {
    /// Reads the first lines of a shader.
    pub fn parse(source: &'static str) -> Unit {
        let mut unit = Unit { source, groups: [1; 3], repeat: 1, ..Unit::default() };
        for line in source.lines().map_while(|line| line.strip_prefix("//")) {
            let words: Vec<&'static str> = line.split_whitespace().collect();
            match words[..] {
                [kind @ ("in" | "out" | "inout" | "uniform"), place, bytes, ref contents @ ..]
                    if place.contains('.') =>
                {
                    unit.binds.push(bind(kind, place, bytes, contents));
                }
                ["push", ref values @ ..] => unit.push = values.iter().flat_map(|v| number(v).to_le_bytes()).collect(),
                ["spec", id, value] => unit.spec.push((number(id), number(value))),
                ["groups", x, y, z] => unit.groups = [number(x), number(y), number(z)],
                ["base", x, y, z] => unit.base = Some([number(x), number(y), number(z)]),
                ["repeat", times] => unit.repeat = number(times),
                ["needs", ref names @ ..] => unit.needs.extend_from_slice(names),
                ["without", ref chips @ ..] => unit.without.extend_from_slice(chips),
                ["near", ty, far, ..] => unit.bound = Some(bound("ulp", ty, far)),
                ["within", ty, far, ..] => unit.bound = Some(bound("within", ty, far)),
                _ => {}
            }
        }
        unit.binds.sort_by_key(|bind| (bind.set, bind.binding, bind.element));
        unit
    }
}

fn bind(kind: &str, place: &str, bytes: &str, contents: &[&str]) -> Bind {
    let (place, element) = place.split_once('[').unwrap_or((place, "0]"));
    let (set, binding) = place.split_once('.').expect("SET.BINDING");
    let bytes = number(bytes) as usize;
    Bind {
        set: number(set),
        binding: number(binding),
        element: number(element.trim_end_matches(']')),
        kind: if kind == "uniform" { Kind::Uniform } else { Kind::Storage },
        output: matches!(kind, "out" | "inout"),
        bytes: match *contents {
            [ty, seed] => random(ty, number(seed), bytes),
            _ => vec![0; bytes],
        },
    }
}

fn bound(rule: &str, ty: &str, far: &str) -> Bound {
    Bound { rule: rule.to_owned(), ty: ty.to_owned(), far: far.parse().expect("how far results may be") }
}

fn number(text: &str) -> u32 {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// Random contents: small floats, or words.
pub fn random(ty: &str, seed: u32, bytes: usize) -> Vec<u8> {
    let mut state = u64::from(seed) << 17 | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    let words = (0..bytes.div_ceil(4)).map(|n| match ty {
        "f32" => ((next() % 20_001) as f32 / 1000.0 - 10.0).to_bits(),
        // Halves between -2 and 2.
        "f16" => {
            let mut half = || (next() & 0x8000) | (0x3000 + next() % 0x1000);
            half() | half() << 16
        }
        "ramp" => seed.wrapping_add(n as u32),
        "small" => next() % seed.max(1),
        _ => next() ^ next() << 9,
    });
    words.flat_map(u32::to_le_bytes).take(bytes).collect()
}
