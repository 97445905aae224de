//! Instructions as the hardware reads them.
//!
//! A field that nothing uses holds anything: the register of an address that is `off`, a constant that a bit turns off, the third source of an
//! instruction with two, a selector of an operand that has no halves. Compilers leave what they like there (ACO writes 0x80 where the address of a
//! buffer would be), and hardware does not look. [`decode()`] takes of this what LLVM's disassembler takes; here such fields
//! are set to what the assembler would write, and what is left is decoded. So those who execute code see one form of each
//! instruction, and no operand in a field that is none.
//!
//! Reserved values of fields that are used stay refusals, with the field and its value.

use super::decode::form_at;
use super::{Decoded, Held, Reason, decode, families};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot, Table};
use crate::isa::format::Span;
use crate::isa::operand::Part;
use crate::isa::regs;
use crate::isa::row::{Family, Traits};

/// Words that hold any instruction, with a zero behind it: families look at a word behind their own.
const WORDS: usize = 6;

/// An instruction as it is executed.
#[derive(Clone, Copy)]
pub struct Executed<'t> {
    /// The form and the length.
    pub decoded: Decoded<'t>,
    /// The words, with idle fields as the assembler writes them, and what follows.
    pub words: [u32; WORDS],
}

/// Decodes the instruction at the beginning of `words` as the hardware does.
///
/// # Errors
/// Why the bits are no instruction.
pub fn executed<'t>(table: &'t Table, words: &[u32]) -> Result<Executed<'t>, Reason> {
    let len = words.len().min(WORDS);
    let mut read = [0; WORDS];
    read[..len].copy_from_slice(&words[..len]);
    let mut signs = [0; WORDS];
    if let Some(form) = form_at(table, &read[..len]) {
        signs = silent_signs(form, &read);
        read.iter_mut().zip(signs).for_each(|(word, sign)| *word &= !sign);
        settle(table, form, &mut read, len);
    }
    let decoded = decode(table, &read[..len]).or_else(|reason| interpolated(table, &read[..len]).ok_or(reason))?;
    read.iter_mut().zip(signs).for_each(|(word, sign)| *word |= sign);
    let form = decoded.form;
    let reserved = |slot: &&Slot| {
        let scalar = match slot.kind {
            Kind::Source | Kind::Memory(Part::Soffset) => slot.span.bits() >= 8,
            Kind::SdwaSource(scalar) => scalar.get(&read) != 0,
            _ => false,
        };
        scalar && regs::is_only_shown(&table.target, slot.span.get(&read))
    };
    match form.slots.iter().find(reserved) {
        Some(slot) => {
            let held = Held::of(&table.target, form, &read, slot.span);
            Err(Reason::BadField { row: form.row.name, held })
        }
        None => Ok(Executed { decoded, words: read }),
    }
}

/// How many words belong together at the beginning of `words`, whether they are an instruction or not: an instruction with reserved bits takes its
/// second word with it, and a literal.
#[must_use]
pub fn extent(table: &Table, words: &[u32]) -> usize {
    let all = match executed(table, words) {
        Ok(executed) => usize::from(executed.decoded.len),
        Err(_) => form_at(table, words).map_or(1, |form| {
            let mut read = [0; WORDS];
            read[..words.len().min(WORDS)].copy_from_slice(&words[..words.len().min(WORDS)]);
            let literal = |slot: &Slot| slot.kind == Kind::Source && slot.span.get(&read) == 255;
            let may = form.flags.contains(FormFlags::MAY_LITERAL) && form.slots.iter().any(literal);
            usize::from(form.words) + usize::from(may || form.flags.contains(FormFlags::HAS_LITERAL))
        }),
    };
    all.clamp(1, words.len().max(1))
}

/// Interpolation takes scalar registers as sources too, which the assembler refuses and a gfx1100 reads.
fn interpolated<'t>(table: &'t Table, words: &[u32]) -> Option<Decoded<'t>> {
    let form = form_at(table, words).filter(|form| form.row.family == Family::Vinterp)?;
    (words.len() >= usize::from(form.words)).then_some(())?;
    let mut vectors = [0; WORDS];
    vectors[..words.len()].copy_from_slice(words);
    for slot in form.slots.iter().filter(|slot| slot.kind == Kind::Source) {
        let code = slot.span.get(words);
        if (128..256).contains(&code) {
            return None;
        }
        slot.span.set(&mut vectors, code | 0x100);
    }
    decode(table, &vectors[..words.len()]).ok()
}

/// The bits that extend signs and have no text, as far as they are set.
fn silent_signs(form: &Form, words: &[u32; WORDS]) -> [u32; WORDS] {
    let mut signs = [0; WORDS];
    for bit in form.slots.iter().map(|slot| slot.silent_sext).filter(|bit| *bit != NO_BIT) {
        Span::new(bit, bit).set(&mut signs, u32::MAX);
    }
    std::array::from_fn(|n| signs[n] & words[n])
}

/// Writes into idle fields what the assembler writes there.
fn settle(table: &Table, form: &Form, words: &mut [u32; WORDS], len: usize) {
    // The upper bit of a flat offset, which the other instructions of its format have as a sign.
    let sign = form.row.family == Family::Flat && table.target.generation() == Gen::Gfx10 && planted!(FlatOffset12);
    let kept = if sign { 1 << 11 } else { 0 };
    let idle = form.base.iter().zip(form.idle.iter().map(|idle| idle & !kept));
    for (word, (base, idle)) in words.iter_mut().zip(idle).take(len) {
        *word = *word & !idle | base & idle;
    }
    let clear = |words: &mut [u32; WORDS], span: Span, unused: u32| {
        let value = span.get(words) & !unused | span.get(&form.base) & unused;
        span.set(words, value);
    };
    for slot in &form.slots {
        match slot.kind {
            // The destination of an SDWA compare that writes `vcc`.
            Kind::SdwaSdst(named) if named.get(words) == 0 => clear(words, slot.span, u32::MAX),
            // What is always to go to LDS does, whatever the bit says.
            Kind::Memory(Part::Rsrc) if form.row.traits.contains(Traits::LDS) && form.memory.lds.width != 0 => {
                form.memory.lds.set(words, 1);
            }
            _ => {}
        }
    }
    for m in &form.mods {
        match m.id {
            Mod::OpSel if m.span.width == 4 => clear(words, m.span, 7 & !((1 << form.row.selectors()) - 1)),
            Mod::NegLo | Mod::NegHi => clear(words, m.span, !form.row.negatable()),
            _ => {}
        }
    }
    if let Some(idle) = families::idle(form.row.family) {
        let before = *words;
        idle(&table.target, form, &before, &mut |span| clear(words, span, u32::MAX));
    }
}
