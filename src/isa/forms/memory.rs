//! Scalar, buffer, flat, global and scratch memory: one form a row.
//!
//! The places are [`Kind::Memory`]: their families encode them together. The fields lie in [`Form::memory`](crate::isa::form::Form).

use crate::isa::form::{Builder, Kind, Mod, NO_BIT, Slot, TableBuilder};
use crate::isa::format::{Format, Span};
use crate::isa::memory::Fields;
use crate::isa::operand::{Class, Opnd, Part};
use crate::isa::row::{Family, Inst, Traits};
use crate::isa::{Gen, Variants};

/// Builds the form of a memory row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let g = b.generation();
    let format = b.format(format_name(row.family, g));
    let mut f = Builder::new(row, row.name_in(g), format, op);
    let mut fields = Fields::of(format);
    for opnd in std::iter::once(&row.dst).chain(row.src) {
        if let Some((part, span)) = place(format, row.family, *opnd) {
            let mut slot = Slot::new(Kind::Memory(part), opnd.ty, span);
            if matches!(part, Part::Data | Part::Vdst) {
                slot.acc = if fields.acc.width == 0 { NO_BIT } else { fields.acc.lo };
            }
            f.slot(slot);
        }
    }

    prune(row, b, &mut fields);
    // On gfx12 untyped buffer instructions have a format too, without a meaning; LLVM sets it to 1.
    if row.family == Family::Mubuf && fields.format.width != 0 {
        f.preset(fields.format, 1);
        fields.format = Span::NONE;
    }
    if fields.saddr.width != 0 && !has(row, Part::Saddr) {
        let unused = match (row.family, g) {
            (Family::Flat, Gen::Gfx9) => 0,
            _ => crate::isa::memory::no_saddr(g),
        };
        f.idle(fields.saddr, unused);
        fields.saddr = Span::NONE;
    }

    // In scalar instructions a constant has a modifier only where a register may stand beside it.
    let beside = g >= Gen::Gfx9 && has(row, Part::Offset) && !has(row, Part::Soffset);
    if fields.offset.width != 0 && (row.family != Family::Smem || beside) {
        f.mod_at(Mod::Offset, fields.offset);
    }
    for (id, span) in [
        (Mod::Offen, fields.offen),
        (Mod::Idxen, fields.idxen),
        (Mod::Addr64, fields.addr64),
        (Mod::Format, fields.format),
        (Mod::Lds, fields.lds),
        (Mod::Tfe, fields.tfe),
        (Mod::Glc, fields.glc),
        (Mod::Slc, fields.slc),
        (Mod::Dlc, fields.dlc),
        (Mod::Scc, fields.scc),
        (Mod::Th, fields.th),
        (Mod::Scope, fields.scope),
        (Mod::Nv, fields.nv),
    ] {
        if span.width != 0 {
            f.mod_at(id, span);
        }
    }
    for span in [fields.offset, fields.soffset, fields.imm, fields.soffset_en, fields.sve, fields.acc] {
        f.know(span);
    }
    f.memory(fields);

    let mut names = vec![row.name_in(g)];
    names.extend(row.aliases.iter().filter(|(on, _)| on.contains(b.target.arch.variant)).map(|(_, n)| *n));
    b.add(f, &names);
}

/// Whether one of the row's operands is `part`.
fn has(row: &Inst, part: Part) -> bool {
    std::iter::once(&row.dst).chain(row.src).any(|o| o.class == Class::Part(part))
}

/// Takes away the fields which the row does not use: they are zero.
fn prune(row: &Inst, b: &TableBuilder, fields: &mut Fields) {
    const NONE: Span = Span::NONE;
    let traits = row.traits;
    let buffer = matches!(row.family, Family::Mubuf | Family::Mtbuf);
    let addressed = [Part::Addr, Part::Saddr, Part::Soffset, Part::Offset].iter().any(|p| has(row, *p));
    let data = has(row, Part::Data) || has(row, Part::Vdst);
    if !addressed {
        fields.offset = NONE;
    }
    if !has(row, Part::Offset) {
        (fields.imm, fields.soffset_en) = (NONE, NONE);
    }
    if !has(row, Part::Offset) && !has(row, Part::Soffset) {
        fields.soffset = NONE;
    }
    if !has(row, Part::Addr) || !buffer {
        (fields.offen, fields.idxen, fields.addr64) = (NONE, NONE, NONE);
    }
    if !has(row, Part::Addr) {
        fields.sve = NONE;
    }
    if !(traits.contains(Traits::MAY_LDS) || traits.contains(Traits::LDS) && buffer) {
        fields.lds = NONE;
    }
    // A status word goes with data that is loaded; flat memory has it on gfx7 and gfx8.
    let status = row.family == Family::Mubuf || row.family == Family::Flat && has(row, Part::Vdst);
    if !status || !data || traits.contains(Traits::ATOMIC) {
        fields.tfe = NONE;
    }
    if !data {
        fields.acc = NONE;
    }
    let policy = match row.family {
        Family::Smem => has(row, Part::Sdata) && addressed,
        Family::Mubuf if !addressed => traits.contains(Traits::SCOPED) && b.target.is(Variants::G940),
        _ => true,
    };
    if !policy {
        (fields.glc, fields.dlc, fields.scc) = (NONE, NONE, NONE);
        (fields.th, fields.scope, fields.nv) = (NONE, NONE, NONE);
    }
    if !policy || buffer && !addressed {
        fields.slc = NONE;
    }
}

fn format_name(family: Family, g: Gen) -> &'static str {
    match family {
        Family::Smem if g <= Gen::Gfx7 => "SMRD",
        Family::Smem => "SMEM",
        Family::Mubuf | Family::Mtbuf if g == Gen::Gfx12 => "VBUFFER",
        Family::Mubuf => "MUBUF",
        Family::Mtbuf => "MTBUF",
        Family::Global if g == Gen::Gfx12 => "VGLOBAL",
        Family::Global => "GLOBAL",
        Family::Scratch if g == Gen::Gfx12 => "VSCRATCH",
        Family::Scratch => "SCRATCH",
        _ if g == Gen::Gfx12 => "VFLAT",
        _ => "FLAT",
    }
}

/// What an operand is, and the field it lies in; a destination of a store field is data.
fn place(format: &Format, family: Family, opnd: Opnd) -> Option<(Part, Span)> {
    let part = match opnd.class {
        Class::Part(part) => part,
        Class::Number => Part::Number,
        _ => return None,
    };
    let buffer = matches!(family, Family::Mubuf | Family::Mtbuf);
    let names: &[&str] = match part {
        Part::Vdst => &["VDST"],
        Part::Data if buffer => &["VDATA"],
        Part::Data => &["DATA", "VSRC"],
        Part::Addr => &["ADDR", "VADDR"],
        Part::Rsrc => &["SRSRC", "RSRC"],
        Part::Soffset => &["SOFFSET"],
        Part::Saddr => &["SADDR"],
        Part::Sbase => &["SBASE"],
        Part::Sdata if format.name == "SMRD" => &["SDST"],
        Part::Sdata | Part::Number => &["SDATA"],
        Part::Offset => &["OFFSET", "IOFFSET"],
        _ => &[],
    };
    names.iter().find_map(|n| format.field(n)).map(|span| (part, span))
}
