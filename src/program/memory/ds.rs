//! The data share: loads, stores and atomics on LDS or GDS, what crosses lanes, and what groups do to each other.

use super::{Access, Flags, atomic, vector};
use crate::fault::planted;
use crate::isa::does::{Does, Lanes, Way};
use crate::isa::form::{Mod, NO_BIT};
use crate::isa::operand::{Class, Part};
use crate::memory::atomic::Shape;
use crate::program::build::{Builder, Code};

pub(super) fn take(builder: &mut Builder, code: &Code<'_>, access: &mut Access) -> Option<()> {
    let global = code.modifier(Mod::Gds) != 0;
    if global && access.way == Way::LaneNumber {
        // M0 is a base and a size there, and the address here.
        return None;
    }
    access.flags.set(Flags::GDS, global);
    registers(code, access);
    access.offset = i64::from(code.modifier(Mod::Offset));
    if let Way::Two { stride } = access.way {
        two(code, access, stride);
    }
    let together = match code.form.row.does {
        Does::Idle(_) | Does::Load(_) | Does::Store(_) | Does::Stack(_) => false,
        Does::Across(_) | Does::Lanes(Lanes::Swizzle | Lanes::Permute) => true,
        Does::Lanes(Lanes::Bpermute { fetch_inactive }) => {
            access.flags.set(Flags::FETCH_INACTIVE, fetch_inactive);
            true
        }
        Does::Atomic(what) => atomic(builder, code, what, access).shape == Shape::Wave,
        _ => return None,
    };
    access.flags.set(Flags::TOGETHER, together || global);
    builder.across |= global;
    Some(())
}

/// The offsets of an access at two addresses: they count items, or so many of them.
fn two(code: &Code<'_>, access: &mut Access, stride: u32) {
    let bytes = if planted!(LdsOffsetsBytes) {
        1
    } else if planted!(LdsOffsetsWords) {
        4
    } else {
        access.item.bytes()
    };
    let scale = bytes * if stride > 1 && planted!(LdsStride32) { 32 } else { stride };
    access.offset = i64::from(code.modifier(Mod::Offset0) * scale);
    access.offset1 = code.modifier(if planted!(LdsFirstOffset) { Mod::Offset0 } else { Mod::Offset1 }) * scale;
}

/// The places of the registers. All data of one instruction are of the same file.
fn registers(code: &Code<'_>, access: &mut Access) {
    let row = code.form.row;
    let parts = std::iter::once(&row.dst).chain(row.src).filter_map(|o| match o.class {
        Class::Part(part) => Some(part),
        _ => None,
    });
    for (part, slot) in parts.zip(&code.form.slots) {
        let accumulation = slot.acc != NO_BIT && code.bit(slot.acc);
        let at = vector(slot.span.get(code.words), accumulation);
        match part {
            Part::Vdst => access.dst = at,
            Part::Data => access.data = at,
            Part::Data1 => access.data1 = at,
            _ => access.addr = at,
        }
    }
}
