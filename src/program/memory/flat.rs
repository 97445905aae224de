//! Flat, global and scratch memory.

use super::{Access, Flags, atomic, field, has, place, scalar, vector};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::{Does, Way};
use crate::isa::memory::{extend, is_signed, no_address, no_saddr};
use crate::isa::operand::Part;
use crate::isa::row::{Family, Traits};
use crate::program::build::{Builder, Code};

pub(super) fn take(builder: &mut Builder, code: &Code<'_>, access: &mut Access) -> Option<()> {
    let (row, m, words) = (code.form.row, code.form.memory, code.words);
    let accumulation = m.acc.get(words) != 0;
    let register = |part| field(code, part).map(|n| vector(n, accumulation));
    access.dst = register(Part::Vdst).unwrap_or(0);
    access.data = register(Part::Data).unwrap_or(0);
    address(builder, code, access);
    access.flags.set(Flags::TFE, m.tfe.get(words) != 0);
    access.flags.set(Flags::LDS, has(code, Traits::LDS) || m.lds.get(words) != 0);
    match row.does {
        Does::Atomic(what) => {
            atomic(builder, code, what, access);
        }
        Does::Load(moved) => access.flags.set(Flags::TOGETHER, moved.way == Way::Transposed),
        Does::Store(_) => {}
        // Cache control.
        Does::Idle(_) => {}
        _ => return None,
    }
    Some(())
}

/// Takes the address apart: which registers there are, and the offset.
fn address(builder: &mut Builder, code: &Code<'_>, access: &mut Access) {
    let (form, words) = (code.form, code.words);
    let (m, g) = (form.memory, builder.generation());
    let family = form.row.family;
    let offset = m.offset.get(words);
    access.offset = if is_signed(form) && !planted!(OffsetUnsigned) {
        i64::from(extend(offset, m.offset.width))
    } else {
        i64::from(offset)
    };
    let code_of_saddr = m.saddr.get(words);
    let saddr = (m.saddr.width != 0 && family != Family::Flat && code_of_saddr != no_saddr(g)).then_some(code_of_saddr);
    let nowhere = family == Family::Scratch && g == Gen::Gfx10 && code_of_saddr == no_address(g);
    let saddr = if nowhere { None } else { saddr };
    let has_vector = match family {
        Family::Scratch if m.sve.width != 0 => m.sve.get(words) != 0,
        Family::Scratch => !nowhere && saddr.is_none(),
        _ => place(code, Part::Addr).is_some(),
    };
    access.flags.set(Flags::VADDR, has_vector);
    access.flags.set(Flags::SADDR, saddr.is_some());
    if let Some(n) = field(code, Part::Addr) {
        access.addr = vector(n, false);
    }
    if let Some(code) = saddr {
        access.base = scalar(builder, code);
    }
}
