//! Exports. There is no opcode: the one row has code 0 everywhere.

use crate::isa::arch::{Gen, Variants};
use crate::isa::does::names::*;
use crate::isa::operand::names::*;
use crate::isa::operand::{Opnd, Part};
use crate::isa::row::names::*;
use crate::isa::row::*;

const TGT: Opnd = part(Part::ExpTarget, 1);
const SRC: Opnd = part(Part::ExpSource, 1);

/// Processors which export: gfx90a and its successors have no graphics.
const EXPORTS: Variants = Variants::all().difference(Variants::CDNA2);

/// Exports.
#[rustfmt::skip]
pub static EXP: &[Inst] = &[
    //            gfx6   gfx7   gfx8   gfx9  gfx10  gfx11  gfx12   dst  sources
    exp("exp", [0x000, 0x000, 0x000, 0x000, 0x000, 0x000, 0x000], NO,  &[TGT, SRC, SRC, SRC, SRC]).does(EXPORT).on(&[EXPORTS]).renamed(&[(Gen::Gfx12, "export")]).alias(&[(G12, "exp")]),
];
const _: () = check(EXP);
