//! The MODE register at the start of a case: whole, or by named fields over the default.
//!
//! The default is what a compute driver sets for code that wants everything: round to nearest, keep all denormals, `dx10_clamp` and
//! `ieee` on, `fp16_ovfl` off. gfx12 has neither `dx10_clamp` nor `ieee` and behaves as if both were on; `fp16_ovfl` begins with gfx9.
//! A case which asks for what a generation cannot do is not for that generation.

use crate::isa::{Gen, Target};
use std::fmt;

/// A field of MODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Rounding of f32.
    Round32,
    /// Rounding of f16 and f64.
    Round16_64,
    /// Denormals of f32.
    Denorm32,
    /// Denormals of f16 and f64.
    Denorm16_64,
    /// Clamping makes NaN zero.
    Dx10Clamp,
    /// Signalling NaN are quieted by instructions that pass values on.
    Ieee,
    /// Overflow of f16 gives the largest number.
    Fp16Ovfl,
}

/// Names of rounding modes: the row is the number.
pub const ROUNDS: &[&str] = &["nearest", "up", "down", "zero"];
/// Names of denormal modes: the row is the number.
pub const DENORMS: &[&str] = &["flush", "flush_out", "flush_in", "keep"];

impl Field {
    /// Every field.
    pub const ALL: [Field; 7] = [
        Field::Round32,
        Field::Round16_64,
        Field::Denorm32,
        Field::Denorm16_64,
        Field::Dx10Clamp,
        Field::Ieee,
        Field::Fp16Ovfl,
    ];

    /// `round32`
    #[must_use]
    pub fn name(self) -> &'static str {
        ["round32", "round16_64", "denorm32", "denorm16_64", "dx10_clamp", "ieee", "fp16_ovfl"][self as usize]
    }

    /// The names of its values; nothing where they are numbers.
    #[must_use]
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Field::Round32 | Field::Round16_64 => ROUNDS,
            Field::Denorm32 | Field::Denorm16_64 => DENORMS,
            _ => &[],
        }
    }

    /// Its lowest bit and its width.
    #[must_use]
    pub fn bits(self) -> (u32, u32) {
        match self {
            Field::Round32 => (0, 2),
            Field::Round16_64 => (2, 2),
            Field::Denorm32 => (4, 2),
            Field::Denorm16_64 => (6, 2),
            Field::Dx10Clamp => (8, 1),
            Field::Ieee => (9, 1),
            Field::Fp16Ovfl => (23, 1),
        }
    }

    /// Whether a generation has it.
    #[must_use]
    pub fn exists(self, generation: Gen) -> bool {
        match self {
            Field::Dx10Clamp | Field::Ieee => generation < Gen::Gfx12,
            Field::Fp16Ovfl => generation >= Gen::Gfx9,
            _ => true,
        }
    }

    /// What a generation without the field behaves like, and the default of the others.
    #[must_use]
    pub fn default(self) -> u32 {
        match self {
            Field::Round32 | Field::Round16_64 | Field::Fp16Ovfl => 0,
            Field::Denorm32 | Field::Denorm16_64 => 3,
            Field::Dx10Clamp | Field::Ieee => 1,
        }
    }
}

/// MODE as a case sets it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Mode {
    /// The whole register; the default where nothing is said.
    pub whole: Option<u32>,
    /// Fields over it, in order.
    pub fields: Vec<(Field, u32)>,
}

impl Mode {
    /// The field that a target lacks and needs, if any.
    #[must_use]
    pub fn missing(&self, target: Target) -> Option<Field> {
        let lacks = |field: Field, value: u32| !field.exists(target.generation()) && value != field.default();
        self.fields.iter().find(|(field, value)| lacks(*field, *value)).map(|(field, _)| *field)
    }

    /// The register on a target.
    #[must_use]
    pub fn bits(&self, target: Target) -> u32 {
        let default = || Field::ALL.into_iter().map(|field| (field, field.default())).collect();
        let (start, base): (u32, Vec<_>) = self.whole.map_or_else(|| (0, default()), |whole| (whole, Vec::new()));
        base.iter().chain(&self.fields).filter(|(field, _)| field.exists(target.generation())).fold(
            start,
            |mode, &(field, value)| {
                let (low, width) = field.bits();
                let mask = ((1 << width) - 1) << low;
                mode & !mask | value << low & mask
            },
        )
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(whole) = self.whole {
            write!(f, "{whole:#x}")?;
        }
        for (i, (field, value)) in self.fields.iter().enumerate() {
            let comma = if i > 0 || self.whole.is_some() { ", " } else { "" };
            write!(f, "{comma}{}=", field.name())?;
            match field.values().get(*value as usize) {
                Some(name) => f.write_str(name)?,
                None => write!(f, "{value}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Arch;

    #[test]
    fn fields_over_the_default() {
        let target = |name| Target::new(Arch::find(name).expect("a processor"));
        assert_eq!(Mode::default().bits(target("gfx1100")), 0x3f0);
        assert_eq!(Mode::default().bits(target("gfx1200")), 0xf0);
        let mode = Mode { whole: None, fields: vec![(Field::Round32, 3), (Field::Denorm32, 0), (Field::Ieee, 0)] };
        assert_eq!(mode.bits(target("gfx803")), 0x1c3);
        assert_eq!(mode.missing(target("gfx803")), None);
        assert_eq!(mode.missing(target("gfx1200")), Some(Field::Ieee));
        assert_eq!(mode.to_string(), "round32=zero, denorm32=flush, ieee=0");
        let whole = Mode { whole: Some(0x1f), fields: vec![(Field::Fp16Ovfl, 1)] };
        assert_eq!(whole.bits(target("gfx900")), 0x0080_001f);
        assert_eq!(whole.missing(target("gfx803")), Some(Field::Fp16Ovfl));
    }
}
