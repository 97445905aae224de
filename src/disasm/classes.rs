//! Classes of the values of fields: two values of a class are read back alike by the assembler, or neither is.
//!
//! What a class keeps is what any rule looks at; the head of [`super::shape`] lists it.

use crate::isa::form::{Form, Kind, NO_BIT, Slot};
use crate::isa::operand::Part;
use crate::isa::row::Family;
use crate::isa::{Target, Variants, regs};

/// A class is a register that the constant bus may count; its value is 0.
pub(super) const COUNTED: u16 = 1 << 15;
/// A class is a register: a sign in front of it meets no other sign.
pub(super) const REGISTER: u16 = 1 << 14;

/// The class of each value of a field. A class is one of its values, with flags.
pub(super) struct Classes {
    sort: Sort,
    pub(super) of: Box<[u16; 512]>,
}

/// What the classes of a field are made by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Codes of sources, by the bits that a vector register keeps.
    Source(u16),
    /// Vector registers, by the bits that they keep.
    Vector(u16),
    /// Registers of an image: whether odd and even ones differ.
    Image(bool),
    /// Scalar registers that are counted in so many powers of two.
    Scalar(u16),
    /// 0 and anything else.
    Nothing,
    /// One class.
    Same,
    /// Scalar codes of a memory instruction.
    Offset,
}

/// The number of classes in a list, to which they are added where they are missing.
pub(super) fn number_of(target: &Target, sort: Sort, classes: &mut Vec<Classes>) -> Option<u8> {
    let number = classes.iter().position(|c| c.sort == sort).unwrap_or_else(|| {
        classes.push(Classes::new(target, sort));
        classes.len() - 1
    });
    u8::try_from(number).ok()
}

/// What the classes of the values of a place are made by, where it has any.
pub(super) fn sort_of(target: &Target, form: &Form, slot: &Slot) -> Option<Sort> {
    let half = if slot.half != NO_BIT && slot.half == slot.span.lo + 7 { 0x80 } else { 0 };
    // Resources and samplers are counted in fours where their field is short, bases in twos.
    let in_fours = if slot.span.width == 5 { 2 } else { 0 };
    let bits = if form.row.family == Family::Vopd { 3 } else { half };
    Some(match slot.kind {
        Kind::Source => Sort::Source(bits),
        Kind::Vgpr if form.row.family == Family::Mimg => Sort::Image(target.is(Variants::CDNA2)),
        Kind::Vgpr | Kind::SdwaSource(_) => Sort::Vector(bits),
        Kind::DualVdst => Sort::Same,
        Kind::Sgpr => Sort::Scalar(in_fours),
        Kind::Memory(Part::Vdst | Part::Data | Part::Data1 | Part::Addr) => Sort::Nothing,
        Kind::Memory(Part::Rsrc | Part::Samp) => Sort::Scalar(in_fours),
        Kind::Memory(Part::Sbase) => Sort::Scalar(1),
        Kind::Memory(Part::Sdata | Part::Saddr) => Sort::Scalar(0),
        Kind::Memory(Part::Soffset) => Sort::Offset,
        _ => return None,
    })
}

impl Classes {
    fn new(target: &Target, sort: Sort) -> Classes {
        let sgprs = regs::sgpr_count(target.generation());
        let plain = |code, shift: u16| code << shift < sgprs || shift == 0 && TRAP.contains(&code);
        // Registers without a meaning of their own, small integers, floats, by their signs: their texts differ in the number alone.
        let scalar = |code: u16| match code {
            129..=192 => 129,
            193..=208 => 193,
            240 | 242 | 244 | 246 => 240,
            241 | 243 | 245 | 247 => 241,
            _ if plain(code, 0) => COUNTED | REGISTER,
            _ => code,
        };
        let of = |n: u16| match sort {
            Sort::Source(_) | Sort::Offset if n < 256 => scalar(n),
            Sort::Source(bits) => 256 | REGISTER | n & bits,
            Sort::Offset => n,
            Sort::Vector(bits) => REGISTER | n & bits,
            Sort::Image(_) if n >= END => n,
            Sort::Image(paired) => n.min(if paired { 2 - n % 2 } else { 1 }),
            Sort::Scalar(shift) if plain(n, shift) => COUNTED | REGISTER,
            Sort::Scalar(_) => n,
            Sort::Nothing => n.min(1),
            Sort::Same => 0,
        };
        Classes { sort, of: Box::new(std::array::from_fn(|n| of(n as u16))) }
    }
}

/// Trap temporaries, and on older processors the addresses of trap handlers.
const TRAP: std::ops::Range<u16> = 108..124;

/// From here on the registers of an image may end behind the last one.
const END: u16 = 256 - 32;
