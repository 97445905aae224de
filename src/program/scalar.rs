//! Scalar instructions: all their operands are scalar places. Those that compute have a meaning; the others direct the wave.

use super::build::{Builder, Code};
use super::operand::literal_constant;
use super::{STOP, Step, barrier};
use crate::fault::planted;
use crate::isa::does::{Control, Does};
use crate::isa::form::{Kind, Slot};
use crate::isa::operand::{Class as Place, Ty};
use crate::isa::row::Family;
use crate::isa::rules;
use crate::isa::sem::{self, Class};
use crate::isa::symbols::hwreg;

impl Builder {
    /// The step of a scalar instruction.
    pub(super) fn scalar(&mut self, code: &Code<'_>) -> Option<Step> {
        let row = code.form.row;
        let mut step = Step::new(code.at);
        let mut slots = code.form.slots.iter();
        if row.dst.class != Place::None {
            let place = slots.next()?;
            step.dst = self.scalar_destination(place.span.get(code.words));
        }
        let meaning = match row.does {
            Does::Idle(_) | Does::Control(_) => None,
            _ => Some(self.scalar_meaning(row)?),
        };
        let mut n = 0;
        for place in slots {
            if let Kind::Target = place.kind {
                let offset = i64::from(place.span.get(code.words) as u16 as i16);
                let target = i64::from(code.at) + i64::from(code.len) + offset;
                step.target = u32::try_from(target).unwrap_or(STOP);
                step.imm = offset as u32;
                continue;
            }
            // An assembler takes some halves for words: a constant is what is computed with.
            let half = meaning.is_some_and(|meaning| meaning.args.get(n) == Some(&Class::F16));
            let ty = if half && !planted!(ScalarHalfConstantWide) { Ty::F16 } else { place.ty };
            *step.src.get_mut(n)? = self.scalar_place(code, place, ty, &mut step.imm);
            n += 1;
        }
        if sem::find::reads_dst(row) {
            *step.src.get_mut(n)? = step.dst;
            n += 1;
        }
        if let Does::Control(control) = row.does
            && !barrier::exists(control, self.generation(), step.imm)
        {
            return None;
        }
        let reads_register = row.does == Does::Control(Control::GetReg);
        self.reads_exceptions |= reads_register && hwreg::has_exceptions(step.imm, self.generation());
        if let Some(meaning) = meaning {
            // EXEC stands behind the sources of what combines with it.
            let exec = usize::from(sem::find::reads_exec(row));
            if meaning.values() != n + exec {
                return None;
            }
            step.meaning = Some(meaning);
        }
        Some(step)
    }

    /// The scalar place of an operand of a type, and its number where it is an immediate.
    fn scalar_place(&mut self, code: &Code<'_>, place: &Slot, ty: Ty, imm: &mut u32) -> u32 {
        let row = code.form.row;
        let field = place.span.get(code.words);
        match place.kind {
            Kind::Source => self.scalar_source(field, ty, rules::extends_literals(row), code.literal()),
            Kind::Sgpr => self.scalar_source(field, place.ty, false, 0),
            Kind::Literal => {
                let word = code.words.get(usize::from(code.form.words)).copied().unwrap_or(0);
                self.scalar_constant(literal_constant(word, place.ty, false), 2)
            }
            Kind::Barrier => {
                *imm = field;
                self.scalar_source(field, place.ty, false, 0)
            }
            Kind::Simm => {
                *imm = field;
                // SOPP's are numbers of their own; SOPK's are sign-extended.
                let v = if row.family == Family::Sopk { field as u16 as i16 as u32 } else { field };
                self.scalar_constant(u64::from(v), 2)
            }
            _ => {
                *imm = field;
                self.scalar_constant(u64::from(field), 2)
            }
        }
    }
}
