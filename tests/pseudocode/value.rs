//! Values of the language: bits with a type. Integers wrap at their width; `Ty::Wide` is an integer without a width, which sums and
//! products have while the result is to be saturated (CLAMP of an integer instruction).

use super::ast::{Binary, Unary};
use super::exact::{BF16, F16, F32, F64, Format};
use super::float::{self, Mode};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    U(u32),
    I(u32),
    B(u32),
    F(Format),
    Wide,
}

impl Ty {
    pub fn width(self) -> u32 {
        match self {
            Ty::U(w) | Ty::I(w) | Ty::B(w) => w,
            Ty::F(f) => f.width(),
            Ty::Wide => 128,
        }
    }

    /// The type a suffix names: `u`, `i24`, `f16`, `bf16`; 32 bits without a number.
    pub fn of_suffix(suffix: &str) -> Option<Ty> {
        let at = suffix.find(|c: char| c.is_ascii_digit()).unwrap_or(suffix.len());
        let (kind, digits) = suffix.split_at(at);
        let width = if digits.is_empty() { 32 } else { digits.parse().ok()? };
        Ty::of_letter(kind, width)
    }

    /// The type of `32'U(..)` and of `declare x : 32'U`.
    pub fn of_letter(kind: &str, width: u32) -> Option<Ty> {
        Some(match (kind, width) {
            ("u" | "U", 1..=128) => Ty::U(width),
            ("i" | "I", 1..=128) => Ty::I(width),
            // The one wider number, of 1201 bits, parses; nothing evaluates it.
            ("b" | "B", 1..=128 | 1201) => Ty::B(width),
            ("f" | "F", 16) => Ty::F(F16),
            ("f" | "F", 32) => Ty::F(F32),
            ("f" | "F", 64) => Ty::F(F64),
            ("bf", 16) => Ty::F(BF16),
            _ => return None,
        })
    }
}

pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub ty: Ty,
    pub bits: u128,
}

impl Value {
    pub fn new(ty: Ty, bits: u128) -> Self {
        Self { ty, bits: bits & mask(ty.width()) }
    }
    pub fn bit(set: bool) -> Self {
        Self::new(Ty::U(1), set.into())
    }
    pub fn int(value: i64) -> Self {
        Self::new(Ty::I(32), value as u128)
    }
    pub fn float(format: Format, bits: u64) -> Self {
        Self::new(Ty::F(format), bits.into())
    }

    pub fn truth(self) -> bool {
        self.bits != 0
    }

    /// The number an integer stands for.
    pub fn number(self) -> i128 {
        match self.ty {
            Ty::I(w) if w < 128 => ((self.bits << (128 - w)) as i128) >> (128 - w),
            _ => self.bits as i128,
        }
    }

    pub fn index(self) -> Result<u32, String> {
        u32::try_from(self.number()).map_err(|_| format!("{self:?} as an index"))
    }

    pub fn as_float(self) -> Result<(Format, u64), String> {
        match self.ty {
            Ty::F(format) => Ok((format, self.bits as u64)),
            _ => Err(format!("{self:?} is no float")),
        }
    }

    /// The same bits seen as another type: cut, or filled with zeros; a signed number that stays signed keeps its value.
    pub fn viewed(self, ty: Ty) -> Self {
        match (self.ty, ty) {
            (Ty::Wide, Ty::U(_) | Ty::I(_) | Ty::B(_)) => self,
            (Ty::I(_), Ty::I(_)) => Self::new(ty, self.number() as u128),
            _ => Self::new(ty, self.bits),
        }
    }

    /// The same value in another type. A float in another format keeps what its NaN carries.
    pub fn cast(self, ty: Ty, mode: &Mode) -> Result<Self, String> {
        match (self.ty, ty) {
            (Ty::F(from), Ty::F(to)) => Ok(Self::float(to, float::convert_raw(from, to, self.bits as u64, mode))),
            (Ty::F(_), _) => Ok(Self::new(ty, self.bits)),
            (_, Ty::F(_)) => Err(format!("an integer as {ty:?} without a named conversion")),
            (Ty::Wide, _) => Ok(self),
            _ => Ok(Self::new(ty, self.number() as u128)),
        }
    }

    pub fn slice(self, from: u32, to: u32) -> Self {
        if from >= to {
            return Self::new(Ty::B(from - to + 1), self.bits.checked_shr(to).unwrap_or(0));
        }
        let width = to - from + 1;
        let bits = (0..width).fold(0, |bits, i| bits | (self.bits >> (from + i) & 1) << (width - 1 - i));
        Self::new(Ty::B(width), bits)
    }

    pub fn unary(self, op: Unary) -> Result<Self, String> {
        Ok(match (op, self.ty) {
            (Unary::LogicalNot, _) => Self::bit(!self.truth()),
            (Unary::Plus, _) => self,
            (Unary::Minus, Ty::F(format)) => Self::float(format, self.bits as u64 ^ format.sign_bit()),
            (Unary::Minus, ty) => Self::new(ty, self.number().wrapping_neg() as u128),
            (Unary::Not, Ty::F(_)) => return Err("~ of a float".into()),
            (Unary::Not, ty) => Self::new(ty, !self.bits),
        })
    }
}

/// The type of `a op b`: the wider one, signed only when both are.
fn joined(a: Ty, b: Ty) -> Ty {
    let width = a.width().max(b.width());
    match (a, b) {
        (Ty::Wide, _) | (_, Ty::Wide) => Ty::Wide,
        (Ty::I(_), Ty::I(_)) => Ty::I(width),
        (Ty::B(_), Ty::B(_)) => Ty::B(width),
        _ => Ty::U(width),
    }
}

/// Whether sums are kept without a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    Wrap,
    Wide,
}

pub fn binary(op: Binary, a: Value, b: Value, sums: Sums, mode: &Mode) -> Result<Value, String> {
    match (op, a.ty, b.ty) {
        (Binary::And, ..) => Ok(Value::bit(a.truth() && b.truth())),
        (Binary::Or, ..) => Ok(Value::bit(a.truth() || b.truth())),
        (_, Ty::F(f), Ty::F(g)) if f == g => floats(op, f, a.bits as u64, b.bits as u64, mode),
        (_, Ty::F(_), _) | (_, _, Ty::F(_)) => Err(format!("{op:?} of {:?} and {:?}", a.ty, b.ty)),
        _ => integers(op, a, b, sums),
    }
}

fn floats(op: Binary, format: Format, a: u64, b: u64, mode: &Mode) -> Result<Value, String> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = float::compare(format, a, b);
    Ok(match op {
        Binary::Add => Value::float(format, float::add(format, a, b, mode)),
        Binary::Sub => Value::float(format, float::subtract(format, a, b, mode)),
        Binary::Mul => Value::float(format, float::multiply(format, a, b, mode)),
        Binary::Eq => Value::bit(order == Some(Equal)),
        Binary::Ne => Value::bit(order != Some(Equal)),
        Binary::LessOrGreater => Value::bit(order.is_some_and(|o| o != Equal)),
        Binary::Lt => Value::bit(order == Some(Less)),
        Binary::Le => Value::bit(matches!(order, Some(Less | Equal))),
        Binary::Gt => Value::bit(order == Some(Greater)),
        Binary::Ge => Value::bit(matches!(order, Some(Greater | Equal))),
        _ => return Err(format!("{op:?} of floats")),
    })
}

fn integers(op: Binary, a: Value, b: Value, sums: Sums) -> Result<Value, String> {
    let ty = joined(a.ty, b.ty);
    let sum_type = if sums == Sums::Wide { Ty::Wide } else { ty };
    // What is mixed with an unsigned operand of the same width is compared and extended as its own number: the text never mixes signs
    // where that would matter, which `tests::signs` watches.
    let (x, y) = (a.number(), b.number());
    let count = u32::try_from(y).unwrap_or(u32::MAX);
    Ok(match op {
        Binary::Add => Value::new(sum_type, x.wrapping_add(y) as u128),
        Binary::Sub => Value::new(sum_type, x.wrapping_sub(y) as u128),
        Binary::Mul => Value::new(sum_type, x.wrapping_mul(y) as u128),
        Binary::Div if y != 0 => Value::new(ty, (x / y) as u128),
        Binary::Rem if y != 0 => Value::new(ty, (x % y) as u128),
        Binary::BitOr => Value::new(ty, (x | y) as u128),
        Binary::BitXor => Value::new(ty, (x ^ y) as u128),
        Binary::BitAnd => Value::new(ty, (x & y) as u128),
        Binary::Shl => Value::new(a.ty, a.bits.checked_shl(count).unwrap_or(0)),
        Binary::Shr => Value::new(a.ty, (x >> count.min(127)) as u128),
        Binary::Eq => Value::bit(x == y),
        Binary::Ne | Binary::LessOrGreater => Value::bit(x != y),
        Binary::Lt => Value::bit(x < y),
        Binary::Le => Value::bit(x <= y),
        Binary::Gt => Value::bit(x > y),
        Binary::Ge => Value::bit(x >= y),
        _ => return Err(format!("{op:?} of integers {x} and {y}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(op: Binary, a: Value, b: Value) -> Value {
        binary(op, a, b, Sums::Wrap, &Mode::default()).expect("integers")
    }

    #[test]
    fn integers_wrap_at_their_width() {
        let most = Value::new(Ty::U(32), 0xffff_ffff);
        assert_eq!(number(Binary::Add, most, Value::new(Ty::U(32), 1)), Value::new(Ty::U(32), 0));
        assert_eq!(number(Binary::Mul, Value::int(-3), Value::int(5)).number(), -15);
        assert_eq!(number(Binary::Shr, Value::int(-8), Value::int(1)).number(), -4);
        assert_eq!(number(Binary::Shr, most, Value::int(4)).number(), 0x0fff_ffff);
    }

    #[test]
    fn slices_may_be_reversed() {
        let value = Value::new(Ty::U(32), 0x1);
        assert_eq!(value.slice(0, 31).bits, 0x8000_0000);
        assert_eq!(Value::new(Ty::U(32), 0xabcd).slice(15, 8).bits, 0xab);
    }
}
