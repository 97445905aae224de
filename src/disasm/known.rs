//! Which operands the assembler reads back, by how their places are read.
//!
//! It reads the operands of an instruction one by one: whether `v7` stands for its code at a place depends on what may stand there, not on
//! the mnemonic and not on the other operands. So what one proof showed of a place holds for all places that are read alike, and of a
//! code for its class ([`super::classes`]). What operands share is the constant bus: an instruction that reads more than one value over it,
//! in whatever way, is none of these.

use super::classes::{Classes, number_of, sort_of};
use crate::isa::Target;
use crate::isa::form::{Form, FormFlags, Kind, NO_BIT, Slot};
use crate::isa::format::Span;
use crate::isa::row::Traits;

/// What a code costs that nobody has proved yet: more than anything may.
pub(super) const UNKNOWN: u8 = 0x20;
/// What all places of an instruction cost at most: one value from the constant bus.
pub(super) const MOST: u8 = 1;

/// The costs of codes: 1 for a value from the constant bus, 0 for another one that is known.
pub(super) type Costs = [u8; 512];

/// The number of the reading of places that are not there: they cost nothing.
pub(super) const NOWHERE: u8 = 0;

/// What is known.
pub(super) struct Known {
    readings: Vec<Option<Reading>>,
    classes: Vec<Classes>,
    /// The costs at places of each reading.
    pub(super) costs: Vec<Costs>,
}

/// How a place is read.
#[derive(Clone, Copy, PartialEq)]
struct Reading {
    /// The place, without what says where in the words it is.
    slot: Slot,
    /// Whether the constant bus counts it.
    counted: bool,
    /// The classes of its values, as a number in the list, where it has any.
    classes: Option<u8>,
}

impl Known {
    /// Nothing yet.
    pub(super) fn new() -> Known {
        Known { readings: vec![None], classes: Vec::new(), costs: vec![[0; 512]] }
    }

    /// The number of the reading of a place without signs and halves.
    pub(super) fn number(&mut self, target: &Target, form: &Form, slot: &Slot) -> Option<u8> {
        let counted = form.flags.contains(FormFlags::VALU) && slot.source != NO_BIT && slot.kind != Kind::Vcc;
        let classes = sort_of(target, form, slot).and_then(|sort| number_of(target, sort, &mut self.classes));
        let span = Span { lo: 0, ..slot.span };
        let source = if counted { 0 } else { NO_BIT };
        let slot = Slot { span, source, neg: NO_BIT, abs: NO_BIT, sext: NO_BIT, silent_sext: NO_BIT, ..*slot };
        let slot = Slot { acc: if slot.acc == NO_BIT { NO_BIT } else { 0 }, ..slot };
        let reading = Some(Reading { slot, counted, classes });
        let number = self.readings.iter().position(|known| *known == reading).unwrap_or_else(|| {
            self.readings.push(reading);
            self.costs.push([UNKNOWN; 512]);
            self.readings.len() - 1
        });
        u8::try_from(number).ok()
    }

    /// A value of a field was read back, whose codes are `above` it: others of its class are too.
    pub(super) fn learn(&mut self, reading: u8, value: u16, above: u16) {
        let reading = usize::from(reading);
        let Some(Reading { slot, counted, classes }) = self.readings[reading] else { return };
        let costs = &mut self.costs[reading];
        if costs[usize::from(value | above)] != UNKNOWN {
            return;
        }
        let classes = classes.map(|number| &self.classes[usize::from(number)].of);
        let most = if slot.span.width == 0 { 0 } else { slot.span.max() as u16 };
        for other in 0..=most {
            let alike = classes.map_or(other == value, |of| of[usize::from(other)] == of[usize::from(value)]);
            let code = other | above;
            // LDS is read where no other place of the line says otherwise.
            if alike && code != LDS {
                costs[usize::from(code)] = u8::from(counted && !is_free(code));
            }
        }
    }

    /// What a form reads from the constant bus that no place says.
    pub(super) fn besides(form: &Form) -> u8 {
        let traits = Traits::READS_M0 | Traits::READS_VCC;
        let more = form.flags.contains(FormFlags::READS_VCC) || form.row.traits.intersects(traits);
        u8::from(more)
    }
}

/// LDS, as a source.
const LDS: u16 = 254;

/// Whether a code is no value from the constant bus: a vector register or a constant.
fn is_free(code: u16) -> bool {
    matches!(code, 128..=208 | 240..=248 | 256..)
}
