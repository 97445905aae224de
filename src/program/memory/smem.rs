//! Scalar memory: SMRD and SMEM. The address is a base (a pair, or a descriptor's), a constant and a scalar register.

use super::{Access, atomic, field, has, place, scalar};
use crate::fault::planted;
use crate::isa::Gen;
use crate::isa::does::Does;
use crate::isa::memory::{extend, null};
use crate::isa::operand::Part;
use crate::isa::row::Traits;
use crate::program::build::{Builder, Code};

pub(super) fn take(builder: &mut Builder, code: &Code<'_>, access: &mut Access) -> Option<()> {
    if let Some(data) = field(code, Part::Sdata) {
        access.data = builder.scalar_destination(data);
    }
    if let Some(sbase) = place(code, Part::Sbase) {
        access.base = scalar(builder, sbase.span.get(code.words) << 1);
    }
    // The scalar offset of scratch memory counts what a wave of 64 lanes has of a byte.
    access.soffset_shift = if has(code, Traits::SCRATCH) { 6 } else { 0 };
    let (register, constant) = offset(builder.generation(), code);
    access.offset = constant;
    if let Some(register) = register {
        access.soffset = scalar(builder, register);
    }
    match code.form.row.does {
        Does::Atomic(what) => {
            atomic(builder, code, what, access);
        }
        Does::Store(_) | Does::Load(_) | Does::Clock | Does::WaveNumber | Does::Idle(_) => {}
        _ => return None,
    }
    Some(())
}

/// The register and the constant of the offset.
fn offset(generation: Gen, code: &Code<'_>) -> (Option<u32>, i64) {
    let (m, words) = (code.form.memory, code.words);
    let value = m.offset.get(words);
    let signed = match extend(value, m.offset.width) {
        offset if offset < 0 && planted!(SmemOffsetUnsigned) => value.into(),
        offset => i64::from(offset),
    };
    let imm = m.imm.get(words) != 0;
    let soffset = m.soffset.get(words);
    match generation {
        // Before gfx8 the constant counts words.
        Gen::Gfx6 | Gen::Gfx7 if imm => (None, i64::from(value) * if planted!(SmemOffsetBytes) { 1 } else { 4 }),
        Gen::Gfx7 if value == 0xff && planted!(SmemLiteralBytes) => (None, words.get(1).copied().unwrap_or(0).into()),
        Gen::Gfx7 if value == 0xff => (None, i64::from(words.get(1).copied().unwrap_or(0)) * 4),
        Gen::Gfx8 if imm => (None, i64::from(value)),
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 => (Some(value), 0),
        Gen::Gfx9 => match (imm, m.soffset_en.get(words) != 0) {
            (true, true) => (Some(soffset).filter(|_| !planted!(SmemSoffsetLost)), signed),
            (true, false) => (None, signed),
            (false, true) => (Some(soffset), 0),
            (false, false) => (Some(value), 0),
        },
        Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => ((soffset != null(generation)).then_some(soffset), signed),
    }
}
