//! Interpolation of parameters that lie in LDS.
//!
//! Each instruction is a meaning that exists anyway, a multiply-add or a move, one or two of whose sources are [parameters](plane): those
//! of the primitive that a quad of lanes is of. Up to gfx9 products are rounded before they are added, as those of `v_mad_f32` are;
//! gfx10, whose later members have no such instruction, fuses them ([`choices`](crate::memory::choices)).

use super::build::{Builder, Code};
use super::operand::From;
use super::vector::{Half, Vector};
use super::{Source, Step};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::Parameter;
use crate::isa::form::{Kind, Mod, NO_BIT, Slot};
use crate::isa::rules;
use crate::isa::sem::{self, Class, Signature};
use crate::memory::plane::{self, Part};

const P0: Part = Part::One(0);
const P10: Part = Part::One(1);
const P20: Part = Part::One(2);
/// The parts by the number that `v_interp_mov_f32` names them with.
const BY_SLOT: [Part; 3] = [P10, P20, P0];

/// What a place of an instruction gives.
enum Given<'a> {
    /// A parameter.
    Plane(Part),
    /// The register of a place.
    Place(&'a Slot),
    /// The destination as it was.
    Old,
}

impl Builder {
    /// The step of an instruction that reads parameters.
    pub(super) fn parameter(&mut self, code: &Code<'_>, does: Parameter) -> Option<Step> {
        let [dst, places @ ..] = &code.form.slots[..] else { return None };
        let at = places.iter().find(|slot| matches!(slot.kind, Kind::Attr(_)));
        let (attribute, channel) = at.map_or((0, 0), |slot| attribute(code, slot));
        let mut registers = places.iter().filter(|slot| !matches!(slot.kind, Kind::Attr(_)));
        let fused = self.generation() >= Gen::Gfx10;
        let choose = |one, other| if fused { one } else { other };
        use Given::{Old, Place, Plane};
        let (meaning, given) = match does {
            Parameter::First => {
                (choose("v_fma_f32", "v_mad_f32"), vec![Plane(P10), Place(registers.next()?), Plane(P0)])
            }
            Parameter::Second => (choose("v_fma_f32", "v_mad_f32"), vec![Plane(P20), Place(registers.next()?), Old]),
            Parameter::FirstOfHalves { register } => {
                let coordinate = Place(registers.next()?);
                let first = if register { Place(registers.next()?) } else { Plane(P0) };
                (choose("v_fma_mix_f32", "v_mad_mix_f32"), vec![Plane(P10), coordinate, first])
            }
            Parameter::SecondOfHalves => {
                let (coordinate, first) = (Place(registers.next()?), Place(registers.next()?));
                (choose("v_fma_mixlo_f16", "v_mad_mixlo_f16"), vec![Plane(P20), coordinate, first])
            }
            Parameter::Move => {
                let slot = registers.next()?.span.get(code.words);
                let slot = if planted!(SlotsFromFirst) { (slot + 2) % 3 } else { slot };
                ("v_mov_b32", vec![Plane(*BY_SLOT.get(slot as usize)?)])
            }
            Parameter::Load => ("v_mov_b32", vec![Plane(Part::OfLane)]),
        };
        let halves = match does {
            Parameter::FirstOfHalves { .. } => [true, false, true],
            Parameter::SecondOfHalves => [true, false, false],
            _ => [false; 3],
        };
        let meaning = sem::signature::vector(meaning)?;
        let mut step = Step::computing(code.at, meaning);
        let From::Vector(to) = self.vector_operand(code, dst, 1).0 else { return None };
        step.dst = to;
        let mut v = Vector::default();
        for (n, given) in given.into_iter().enumerate() {
            let (from, place) = match given {
                Plane(part) => (From::Parameter(plane::Parameter { attribute, channel, part }), None),
                Place(place) => (self.vector_operand(code, place, 1).0, Some(place)),
                Old => (From::Vector(to), None),
            };
            let mut p = Source::new(n, from, meaning.args.get(n).copied().unwrap_or(Class::U32));
            if let Some(place) = place {
                p.neg = place.neg != NO_BIT && code.bit(place.neg);
                p.abs = place.abs != NO_BIT && code.bit(place.abs);
            }
            p.widen = halves[n];
            let ignored = if place.is_some() { planted!(FirstHighIgnored) } else { planted!(ParameterHighIgnored) };
            p.high = halves[n] && code.modifier(Mod::High) != 0 && !ignored;
            v.sources.push(p);
        }
        self.finish(code, meaning, &mut v);
        step.vector = Some(Box::new(v));
        Some(step)
    }

    /// What is done to the result.
    fn finish(&self, code: &Code<'_>, meaning: &Signature, v: &mut Vector) {
        let class = meaning.ret[0];
        if class.is_float() {
            v.post.clamp = code.modifier(Mod::Clamp) != 0;
            v.post.omod = code.modifier(Mod::Omod) as u8;
        }
        if class.is_16() {
            let keeps = match self.generation() {
                Gen::Gfx9 if planted!(InterpolatedHalfCleared) => false,
                Gen::Gfx9 => !rules::is_legacy_on_gfx9(code.form.row),
                generation => generation > Gen::Gfx9,
            };
            v.post.half = if keeps { Half::Low } else { Half::LowZero };
        }
    }

    /// A load of a value in LDS at M0.
    pub(super) fn direct(&mut self, code: &Code<'_>) -> Option<Step> {
        let meaning = sem::signature::vector("v_mov_b32")?;
        let mut step = Step::computing(code.at, meaning);
        let From::Vector(to) = self.vector_operand(code, code.form.slots.first()?, 1).0 else { return None };
        step.dst = to;
        let sources = vec![Source::new(0, From::LdsDirect, Class::U32)];
        step.vector = Some(Box::new(Vector { sources, ..Vector::default() }));
        Some(step)
    }
}

/// The attribute that an operand names, and its channel.
fn attribute(code: &Code<'_>, slot: &Slot) -> (u8, u8) {
    let Kind::Attr(channel) = slot.kind else { return (0, 0) };
    (slot.span.get(code.words) as u8, channel.get(code.words) as u8)
}
