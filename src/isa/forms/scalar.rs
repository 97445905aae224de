//! Scalar instructions: one form each.

use crate::isa::form::{Allow, Builder, FormFlags, Kind, Slot, TableBuilder};
use crate::isa::format::Span;
use crate::isa::operand::{Class, Opnd, Symbol};
use crate::isa::row::{Family, Inst};

/// Builds the form of a scalar row.
pub(super) fn build(b: &mut TableBuilder, row: &'static Inst, op: u32) {
    let format = b.format(match row.family {
        Family::Sop1 => "SOP1",
        Family::Sop2 => "SOP2",
        Family::Sopk => "SOPK",
        Family::Sopc => "SOPC",
        _ => "SOPP",
    });
    let name = row.name_in(b.generation());
    let mut f = Builder::new(row, name, format, op);
    let mut source = 0;
    let takes_literal = row.src.iter().any(|o| o.class == Class::Literal);
    // SETREG writes the register first, although the number of the hardware register comes first in the text.
    if row.dst.class != Class::None {
        f.slot(destination(row.dst, f.field("SDST")));
    }
    for opnd in row.src {
        let slot = match opnd.class {
            Class::Plain | Class::Scalar | Class::Sgpr if row.family == Family::Sopk => {
                Some(destination(*opnd, f.field("SDST")))
            }
            Class::Plain | Class::Scalar | Class::Sgpr => {
                let mut slot = Slot::new(Kind::Source, opnd.ty, f.field(["SSRC0", "SSRC1"][source]));
                slot.allow = match opnd.class {
                    Class::Sgpr => Allow::SGPR,
                    Class::Scalar => Allow::SGPR | Allow::INLINE,
                    _ => Allow::SCALAR,
                };
                // A literal of its own (fmaak, fmamk) is the only one.
                slot.source = source as u8;
                source += 1;
                Some(slot)
            }
            Class::Literal => Some(Slot::new(Kind::Literal, opnd.ty, Span::NONE)),
            Class::Simm16 => Some(Slot::new(Kind::Simm, opnd.ty, f.field("SIMM16"))),
            Class::Uimm16 => Some(Slot::new(Kind::Uimm, opnd.ty, f.field("SIMM16"))),
            Class::Plain16 => Some(Slot::new(Kind::PlainImm, opnd.ty, f.field("SIMM16"))),
            Class::OptImm16 => Some(Slot::new(Kind::OptImm, opnd.ty, f.field("SIMM16"))),
            Class::Target => Some(Slot::new(Kind::Target, opnd.ty, f.field("SIMM16"))),
            Class::Symbolic(symbol) => {
                let field = if row.family == Family::Sopc { "SSRC1" } else { "SIMM16" };
                if row.family == Family::Sopc {
                    source += 1;
                }
                let mut span = f.field(field);
                if symbol == Symbol::GprIdx {
                    // Four bits say what is indexed; the others must be zero.
                    span.width = 4;
                }
                Some(Slot::new(Kind::Symbolic(symbol), opnd.ty, span))
            }
            Class::Message => Some(Slot::new(Kind::Message, opnd.ty, f.field("SSRC0"))),
            Class::Barrier => Some(Slot::new(Kind::Barrier, opnd.ty, f.field("SSRC0"))),
            Class::Tied | Class::None => None,
            Class::Vgpr
            | Class::Agpr
            | Class::VgprOrLds
            | Class::ScalarOrLds
            | Class::AnyScalar
            | Class::Matrix
            | Class::MatrixOrInline
            | Class::MaskOut
            | Class::MaskIn
            | Class::Number
            | Class::Part(_) => unreachable!("{} is no scalar operand of {}", opnd.ty.dwords(), row.name),
        };
        if let Some(slot) = slot {
            f.slot(slot);
        }
    }
    if row.family == Family::Sopk && row.src.iter().any(|o| o.class == Class::Literal) {
        // s_setreg_imm32_b32: the destination field is not used.
        f.know(Span::new(0, 0));
    }
    if takes_literal {
        f.flags(FormFlags::HAS_LITERAL);
    } else if source > 0 && row.family != Family::Sopk && row.src.iter().any(|o| o.class == Class::Plain) {
        f.flags(FormFlags::MAY_LITERAL);
    }
    let mut names = vec![name];
    names.extend(row.aliases.iter().filter(|(on, _)| on.contains(b.target.arch.variant)).map(|(_, n)| *n));
    b.add(f, &names);
}

fn destination(opnd: Opnd, span: Span) -> Slot {
    let mut slot = Slot::new(Kind::Sgpr, opnd.ty, span);
    slot.allow = Allow::SGPR;
    slot
}
