//! Buffer memory: MUBUF and MTBUF.

use super::{Access, Flags, atomic, field, has, place, scalar, vector};
use crate::isa::does::{Does, Way};
use crate::isa::memory::{extend, is_signed};
use crate::isa::operand::Part;
use crate::isa::row::{Family, Traits};
use crate::memory::format::Format;
use crate::program::build::{Builder, Code};

pub(super) fn take(builder: &mut Builder, code: &Code<'_>, access: &mut Access) -> Option<()> {
    let (row, m, words) = (code.form.row, code.form.memory, code.words);
    // Cache control has no buffer.
    let Some(resource) = place(code, Part::Rsrc) else { return Some(()) };
    let rsrc = resource.span.get(words) << if resource.span.width == 5 { 2 } else { 0 };
    access.base = scalar(builder, rsrc);
    access.soffset = scalar(builder, field(code, Part::Soffset)?);
    access.data = vector(field(code, Part::Data).unwrap_or(0), m.acc.get(words) != 0);
    access.addr = vector(field(code, Part::Addr).unwrap_or(0), false);
    let offset = m.offset.get(words);
    access.offset = if is_signed(code.form) { extend(offset, m.offset.width).into() } else { offset.into() };
    let set = |span: crate::isa::format::Span| span.get(words) != 0;
    access.flags.set(Flags::OFFEN, set(m.offen));
    access.flags.set(Flags::IDXEN, set(m.idxen));
    access.flags.set(Flags::ADDR64, set(m.addr64));
    access.flags.set(Flags::TFE, set(m.tfe));
    access.flags.set(Flags::LDS, set(m.lds) || has(code, Traits::LDS));
    access.flags.set(Flags::D16, has(code, Traits::D16));
    match row.does {
        Does::Atomic(what) => {
            atomic(builder, code, what, access);
        }
        Does::Load(moved) | Does::Store(moved) if moved.way == Way::Formatted => {
            access.components = (access.item.bytes() / 4) as u8;
            if row.family == Family::Mtbuf {
                access.format = Some(Format::decode(m.format.get(words), &builder.target));
            }
        }
        Does::Load(_) | Does::Store(_) => {}
        _ => return None,
    }
    Some(())
}
