//! Exports. A source whose bit of EN is off is `off`; a compressed export names each of its two registers twice.

use super::super::Reason;
use super::super::operand::vgpr;
use super::memory::require;
use crate::isa::Target;
use crate::isa::form::{Form, Mod};
use crate::isa::symbols::export;

/// Checks the words, and gives their number.
#[inline]
pub(in crate::disasm) fn check(target: &Target, form: &Form, words: &[u32]) -> Result<u8, Reason> {
    let place = form.slots[0].span;
    require(target, form, words, place, export::is_valid(place.get(words), target))?;
    Ok(form.words)
}

/// Appends what stands behind the mnemonic.
pub(in crate::disasm) fn print(target: &Target, form: &Form, words: &[u32], out: &mut Vec<u8>) {
    let value = |id| form.mods.iter().find(|m| m.id == id).map_or(0, |m| m.span.get(words));
    out.push(b' ');
    export::print(form.slots[0].span.get(words), target, out);
    let compressed = value(Mod::Compr) != 0;
    for i in 0..4 {
        out.extend_from_slice(if i == 0 { b" " } else { b", " });
        if words[0] >> i & 1 == 0 {
            out.extend_from_slice(b"off");
        } else {
            let place = if compressed { i / 2 } else { i };
            vgpr(words[1] >> (8 * place) & 0xff, 1, out);
        }
    }
    for (id, name) in [(Mod::Done, " done"), (Mod::Compr, " compr"), (Mod::Vm, " vm"), (Mod::RowEn, " row_en")] {
        if value(id) != 0 {
            out.extend_from_slice(name.as_bytes());
        }
    }
}
