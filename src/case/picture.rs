//! `image(...)` and `sampler(...)`: descriptors of images (T#) and samplers (S#) of a case.
//!
//! `image(BUFFER + OFFSET, KEY=VALUE, ...)` is eight words: sizes are in texels, counts are counts, and what is not written is as a
//! driver would set it: a plain 2D image of one level, linear, of format `32_float`, components in order. `sampler(KEY=VALUE, ...)` is
//! four words: the nearest texel of the nearest level, the image repeated. Keys beside those of [`KEYS`] are fields of the descriptor
//! with their raw values ([`Fields`]).

use super::CaseError;
use super::values::Reader;
use crate::asm::{AsmError, AsmResult, Problem, near};
use crate::isa::symbols::dim::DIMS;
use crate::isa::{Gen, Target};
use crate::memory::image::Dim;
use crate::memory::image::fields::{Field, Fields, SamplerField};
use crate::memory::image::format::TexelFormat;
use std::fmt::{self, Formatter, Write as _};

/// An image descriptor, as written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    /// The buffer that has the texels.
    pub buffer: String,
    /// Bytes behind its start.
    pub offset: u64,
    /// The number of the dimension in instructions.
    pub dim: u8,
    /// `8_8_8_8_unorm`
    pub format: Option<String>,
    /// `xyzw`, with `0` and `1`.
    pub dst_sel: Option<[u8; 4]>,
    /// What [`KEYS`] say, in their order.
    pub counts: [Option<u32>; KEYS.len()],
    /// Fields with their raw values.
    pub raw: Vec<(&'static str, u32)>,
}

/// Counts of an image.
pub const KEYS: [&str; 9] =
    ["width", "height", "depth", "layers", "levels", "samples", "pitch", "first_layer", "first_level"];

/// A sampler, as written: fields with their raw values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampling {
    /// `clamp_x=2`
    pub raw: Vec<(&'static str, u32)>,
}

/// The field of a name.
pub(super) fn named<F: Fields>(name: &str) -> Option<F> {
    F::ALL.iter().copied().find(|field| field.name() == name)
}

pub(super) fn wrong(field: &'static str, value: String, target: Target) -> CaseError {
    CaseError::Descriptor { field, value, target: target.arch.name.to_owned() }
}

/// Sets a field, if the value fits.
pub(super) fn put(field: impl Fields, words: &mut [u32], value: u64, target: Target) -> Result<(), CaseError> {
    let generation = target.generation();
    if value >> field.bits(generation) != 0 {
        return Err(wrong(field.name(), value.to_string(), target));
    }
    field.set(words, generation, value);
    Ok(())
}

/// What the field of an address holds, in 256 bytes, for a place behind the start of a buffer.
pub(super) fn base(buffer: u64, offset: u64, target: Target) -> Result<u64, CaseError> {
    let base = buffer.wrapping_add(offset);
    match base & 0xff {
        0 => Ok(base >> 8 & 0xff_ffff_ffff),
        _ => Err(wrong("base", format!("{base:#x}, which is no multiple of 256"), target)),
    }
}

impl Picture {
    /// What a key says, if it is written.
    pub(super) fn count(&self, key: &str) -> Option<u32> {
        self.counts[KEYS.iter().position(|known| *known == key)?]
    }

    /// The eight words for a buffer at an address.
    ///
    /// # Errors
    /// A generation has no such format, or a value does not fit.
    pub fn words(&self, address: u64, target: Target) -> Result<[u32; 8], CaseError> {
        let generation = target.generation();
        let wrong = |field, value| wrong(field, value, target);
        let mut words = [0; 8];
        let mut put = |field: Field, value: u64| put(field, &mut words, value, target);
        let dim = Dim::of_instruction(self.dim);
        let one = |key| u64::from(self.count(key).unwrap_or(1).max(1));
        put(Field::Base, base(address, self.offset, target)?)?;
        let name = self.format.as_deref().unwrap_or("32_float");
        let (number, num) = TexelFormat::numbers(name, &target).ok_or_else(|| wrong("format", name.to_owned()))?;
        put(Field::Format, number.into())?;
        put(Field::NumFormat, num.into())?;
        put(Field::Width, one("width") - 1)?;
        put(Field::Height, one("height") - 1)?;
        put(Field::Type, 8 + u64::from(self.dim))?;
        let mut selects = 0;
        for (n, letter) in self.dst_sel.unwrap_or(*b"xyzw").into_iter().enumerate() {
            selects |= super::descriptor::select(letter) << (3 * n);
        }
        put(Field::DstSel, selects.into())?;
        let (levels, samples) = (one("levels"), one("samples"));
        if !samples.is_power_of_two() {
            return Err(wrong("samples", samples.to_string()));
        }
        let first_level = self.count("first_level").unwrap_or(0);
        if samples > 1 {
            put(Field::LastLevel, samples.ilog2().into())?;
            put(Field::MaxMip, if generation >= Gen::Gfx9 { samples.ilog2().into() } else { 0 })?;
        } else {
            put(Field::BaseLevel, first_level.into())?;
            put(Field::LastLevel, levels - 1)?;
            put(Field::MaxMip, if generation >= Gen::Gfx9 { levels - 1 } else { 0 })?;
        }
        // Up to gfx8 sizes are padded where there are levels.
        put(Field::Pow2Pad, u64::from(generation <= Gen::Gfx8 && levels > 1))?;
        let first = self.count("first_layer").unwrap_or(0);
        let layers = one("layers") * if dim == Dim::Cube { 6 } else { 1 };
        if dim == Dim::D3 {
            put(Field::Depth, one("depth") - 1)?;
        } else if dim.has_layers() && generation <= Gen::Gfx8 {
            // The depth of cubes counts cubes.
            put(Field::Depth, one("layers") - 1)?;
            put(Field::LastArray, layers - 1)?;
        } else if dim.has_layers() {
            put(Field::Depth, layers - 1)?;
        }
        put(Field::BaseArray, first.into())?;
        if self.count("pitch") == Some(0) {
            return Err(wrong("pitch", "0".to_owned()));
        }
        match (generation, self.count("pitch")) {
            (Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9, pitch) => {
                let rows = TexelFormat::decode_pair(number, num, &target).map_or(4, |format| format.bytes());
                let unit = if generation == Gen::Gfx9 { 256 / rows.clamp(1, 16) } else { 64 };
                put(Field::Pitch, pitch.map_or_else(|| one("width").next_multiple_of(unit.into()), u64::from) - 1)?;
            }
            (_, Some(pitch)) => {
                let low = Field::Depth.bits(generation);
                put(Field::Depth, u64::from(pitch - 1) & ((1 << low) - 1))?;
                put(Field::Pitch, u64::from(pitch - 1) >> low)?;
            }
            (_, None) => {}
        }
        // Linear.
        put(Field::Mode, if generation <= Gen::Gfx8 { 8 } else { 0 })?;
        for (name, value) in &self.raw {
            if let Some(field) = named::<Field>(name) {
                put(field, u64::from(*value))?;
            }
        }
        Ok(words)
    }
}

impl Sampling {
    /// The four words.
    ///
    /// # Errors
    /// A value does not fit.
    pub fn words(&self, target: Target) -> Result<[u32; 4], CaseError> {
        let generation = target.generation();
        let mut words = [0; 4];
        // Nearest levels, none left out.
        SamplerField::FilterMip.set(&mut words, generation, 1);
        SamplerField::MaxLod.set(&mut words, generation, 0xfff);
        for (name, value) in &self.raw {
            if let Some(field) = named::<SamplerField>(name) {
                put(field, &mut words, (*value).into(), target)?;
            }
        }
        Ok(words)
    }
}

impl Reader<'_> {
    /// What stands in `image(...)`.
    pub(super) fn picture(&mut self) -> AsmResult<Picture> {
        self.expect(b'(', "`(`")?;
        let (buffer, offset) = self.buffer_place()?;
        let mut picture = Picture {
            buffer,
            offset,
            dim: Dim::D2.number(),
            format: None,
            dst_sel: None,
            counts: [None; KEYS.len()],
            raw: Vec::new(),
        };
        while self.cur.eat(b',') {
            let (key, span) = self.name("a field of the descriptor")?;
            self.expect(b'=', "`=`")?;
            match key {
                "dim" => {
                    let (token, span) = self.token();
                    let known = DIMS.iter().find(|dim| dim.name.eq_ignore_ascii_case(token));
                    let names = DIMS.iter().map(|dim| dim.name);
                    picture.dim = known.ok_or_else(|| near::unknown(span, "dimension", token, names))?.value as u8;
                }
                "format" => {
                    let (token, span) = self.token();
                    let name = token.to_ascii_lowercase();
                    if !TexelFormat::exists(&name) {
                        let rule = "unknown format: it is named like `8_8_8_8_unorm`";
                        return Err(AsmError::new(span, Problem::Named { rule, name: token.to_owned() }));
                    }
                    picture.format = Some(name);
                }
                "dst_sel" => picture.dst_sel = Some(self.selects()?),
                _ => match (KEYS.iter().position(|known| *known == key), named::<Field>(key)) {
                    (Some(n), _) => picture.counts[n] = Some(self.number("the field", u64::from(u32::MAX))? as u32),
                    (_, Some(field)) => {
                        picture.raw.push((field.name(), self.number("the field", u64::from(u32::MAX))? as u32));
                    }
                    _ => {
                        let fields = Field::ALL.iter().map(|field| field.name());
                        let keys = KEYS.into_iter().chain(["dim", "format", "dst_sel"]).chain(fields);
                        return Err(near::unknown(span, "field of the descriptor", key, keys));
                    }
                },
            }
        }
        self.expect(b')', "`,` or `)`")?;
        Ok(picture)
    }

    /// `KEY=VALUE`: the name of a field, and what it holds.
    pub(super) fn raw<F: Fields>(&mut self, what: &'static str, max: u64) -> AsmResult<(&'static str, u64)> {
        let (key, span) = self.name(what)?;
        self.expect(b'=', "`=`")?;
        let names = || F::ALL.iter().map(|field| field.name());
        let unknown = || near::unknown(span, what.trim_start_matches("a "), key, names());
        let field = named::<F>(key).ok_or_else(unknown)?;
        Ok((field.name(), self.number("the field", max)?))
    }

    /// What stands in `sampler(...)`.
    pub(super) fn sampling(&mut self) -> AsmResult<Sampling> {
        self.expect(b'(', "`(`")?;
        let mut sampling = Sampling::default();
        while !self.cur.eat(b')') {
            if !sampling.raw.is_empty() {
                self.expect(b',', "`,` or `)`")?;
            }
            let (name, value) = self.raw::<SamplerField>("a field of the sampler", u32::MAX.into())?;
            sampling.raw.push((name, value as u32));
        }
        Ok(sampling)
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "image({}", self.buffer)?;
        if self.offset > 0 {
            write!(f, " + {}", self.offset)?;
        }
        if let Some(dim) = DIMS.iter().find(|dim| dim.value as u8 == self.dim) {
            write!(f, ", dim={}", dim.name.to_ascii_lowercase())?;
        }
        if let Some(format) = &self.format {
            write!(f, ", format={format}")?;
        }
        for (name, value) in KEYS.iter().zip(self.counts) {
            if let Some(value) = value {
                write!(f, ", {name}={value}")?;
            }
        }
        if let Some(sel) = self.dst_sel {
            f.write_str(", dst_sel=")?;
            sel.iter().try_for_each(|c| f.write_char(char::from(*c)))?;
        }
        self.raw.iter().try_for_each(|(name, value)| write!(f, ", {name}={value}"))?;
        f.write_char(')')
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("sampler(")?;
        for (n, (name, value)) in self.raw.iter().enumerate() {
            write!(f, "{}{name}={value}", if n > 0 { ", " } else { "" })?;
        }
        f.write_char(')')
    }
}

#[cfg(test)]
mod tests {
    use crate::case::Case;
    use crate::isa::{Arch, Target};

    /// What a case with this line says on a processor.
    fn problem(line: &str, arch: &str) -> Option<String> {
        let text = format!("; isa: all\n; buffer texels[4096]\n; buffer near[256] at 0x300010\n; {line}\ns_nop 0\n");
        let case = match Case::parse(&text, "one.s") {
            Ok(case) => case,
            Err(error) => return Some(error.to_string()),
        };
        case.initial(Target::new(Arch::find(arch).expect(arch))).err().map(|error| error.to_string())
    }

    #[test]
    fn what_does_not_fit_is_said() {
        for arch in ["gfx600", "gfx900", "gfx1030", "gfx1200"] {
            for (line, word) in [
                ("s[0:7] = image(texels, pitch=0)", "pitch"),
                ("s[0:7] = image(texels, samples=3)", "samples"),
                ("s[0:7] = image(texels, width=200000)", "width"),
                ("s[0:7] = image(texels + 16)", "base"),
                ("s[0:7] = image(near)", "base"),
                ("s[0:7] = image(texels, mode=40)", "mode"),
                ("s[0:7] = image(texels, format=8_9_uint)", "format"),
                ("s[0:7] = image(texels, lenght=3)", "lenght"),
                ("s[0:3] = sampler(clamp_x=8)", "clamp_x"),
                ("s[0:3] = sampler(clamp=1)", "clamp"),
            ] {
                let said = problem(line, arch);
                assert!(said.as_ref().is_some_and(|said| said.contains(word)), "{arch} {line}: {said:?}");
            }
            for line in ["s[0:7] = image(texels, dim=cube, layers=2)", "s[0:3] = sampler(clamp_x=7, mag=1)"] {
                assert_eq!(problem(line, arch), None, "{arch} {line}");
            }
        }
    }

    /// Of two cubes: the depth counts cubes up to gfx8, and faces behind.
    #[test]
    fn cubes_are_counted_as_processors_do() {
        use crate::memory::image::fields::{Field, Fields};
        for (arch, depth) in [("gfx600", 1), ("gfx803", 1), ("gfx900", 11), ("gfx1100", 11)] {
            let target = Target::new(Arch::find(arch).expect(arch));
            let text = "; isa: all\n; buffer texels[4096]\n; s[0:7] = image(texels, dim=cube, layers=2)\ns_nop 0\n";
            let case = Case::parse(text, "one.s").expect("a case");
            let initial = case.initial(target).expect("a start");
            let words: [u32; 8] = std::array::from_fn(|n| initial.sgpr(n as u32, 0));
            assert_eq!(Field::Depth.get(&words, target.generation()), depth, "{arch}");
        }
    }
}
