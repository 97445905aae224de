//! Everything that is verified: tables of operations, each with what must come out of it.

mod arithmetic;
mod compare;
mod extremes;
mod functions;
mod integers;
mod narrow;
mod products;
mod scalar;

use super::Operation;
use super::inputs::Kind;
use super::reference::Format;

/// All operations.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let tables = [
        arithmetic::TABLE,
        products::TABLE,
        extremes::TABLE,
        functions::TABLE,
        narrow::TABLE,
        integers::TABLE,
        scalar::TABLE,
        scalar::COMPARE,
    ];
    tables.into_iter().chain(compare::tables()).flatten()
}

const F16: Kind = Kind::Float(Format::F16);
const F32: Kind = Kind::Float(Format::F32);
const F64: Kind = Kind::Float(Format::F64);
const I16: Kind = Kind::Int(16);
const I32: Kind = Kind::Int(32);
const I64: Kind = Kind::Int(64);
/// Two of them in one operand.
const TWO_F16: Kind = Kind::Two(Format::F16);
const TWO_F32: Kind = Kind::Two(Format::F32);

/// An operation without a flag, in vector registers.
macro_rules! operation {
    ($name:expr, $code:expr, $args:expr, $bits:literal, $modes:ident, |$m:pat_param, $v:pat_param| $reference:expr) => {
        Operation {
            name: $name,
            code: &$code,
            args: &$args,
            bits: $bits,
            flag: false,
            scalar: false,
            last: u32::MAX,
            modes: Modes::$modes,
            reference: |$m, $v| ($reference, 0),
        }
    };
}
use operation;

/// The first three operands.
fn three(v: &[u64; 4]) -> [u64; 3] {
    [v[0], v[1], v[2]]
}
