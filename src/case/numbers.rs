//! Numbers of a header: whole ones in decimal, hexadecimal and binary, floats, and their types.

use super::value::Lit;
use crate::isa::types::Ty;

/// What numbers without a type are.
#[derive(Clone, Copy)]
pub(crate) struct Defaults {
    /// The type that was named before.
    pub named: Option<Ty>,
    /// Of whole numbers.
    pub integer: Ty,
    /// Of numbers with a point.
    pub float: Ty,
}

/// A number without a sign, in decimal, hexadecimal or binary; `_` between digits.
pub(crate) fn digits(token: &str) -> Option<u128> {
    let (digits, radix) = match token.get(..2) {
        Some("0x" | "0X") => (&token[2..], 16),
        Some("0b" | "0B") => (&token[2..], 2),
        _ => (token, 10),
    };
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    // `from_str_radix` takes a sign, which a token never has in front.
    if plain.is_empty() || !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return None;
    }
    u128::from_str_radix(&plain, radix).ok()
}

/// The constant of a token. The error is a rule; empty where the token is no number at all.
pub(crate) fn literal(token: &str, negative: bool, defaults: &Defaults) -> Result<Lit, &'static str> {
    let hex = token.starts_with("0x") || token.starts_with("0X");
    let suffix = Ty::ALL.into_iter().filter(|ty| !hex && token.ends_with(ty.name())).max_by_key(|ty| ty.name().len());
    let token = suffix.map_or(token, |ty| &token[..token.len() - ty.name().len()]);
    let named = suffix.or(defaults.named);
    let sign = |ty: Ty, bits: u64| {
        let sign = ty.layout().map_or(0, |l| l.sign());
        Lit { ty, bits: if negative { bits | sign } else { bits } }
    };
    if let "inf" | "nan" | "snan" = token {
        let ty = named.unwrap_or(defaults.float);
        let layout = ty.layout().ok_or("a whole number cannot be this")?;
        let mantissa = match token {
            "inf" => 0,
            "nan" => 1 << (layout.mantissa - 1),
            _ => 1,
        };
        return Ok(sign(ty, layout.infinity() | mantissa));
    }
    let whole = digits(token);
    let ty = match (named, whole) {
        (Some(ty), _) => ty,
        (None, None) => defaults.float,
        // A number that needs 64 bits has them.
        (None, Some(value)) if value > u128::from(defaults.integer.mask()) => Ty::U64,
        (None, Some(_)) => defaults.integer,
    };
    if ty.layout().is_some() {
        if whole.is_some() && token.starts_with("0x") {
            let bits = u64::try_from(whole.unwrap_or(0)).ok().filter(|bits| bits & !ty.mask() == 0);
            let bits = bits.ok_or("these bits do not fit the type")?;
            return if negative { Err("bits have no sign") } else { Ok(Lit { ty, bits }) };
        }
        let plain = !token.is_empty() && token.bytes().all(|c| c.is_ascii_digit() || b".eE+-".contains(&c));
        if !plain {
            return Err("");
        }
        let bits = if ty == Ty::F32 {
            token.parse::<f32>().ok().map(|v| v.to_bits().into())
        } else {
            token.parse::<f64>().ok().map(|v| ty.from_f64(v))
        };
        return bits.map(|bits| sign(ty, bits)).ok_or("");
    }
    let Some(value) = whole else {
        return Err(if token.contains('.') { "a whole number is needed for this type" } else { "" });
    };
    let limit = u128::from(ty.mask());
    let fits = if negative { value <= limit.div_ceil(2) } else { value <= limit };
    if !fits {
        return Err("the number does not fit the type");
    }
    let bits = if negative { (value as u64).wrapping_neg() & ty.mask() } else { value as u64 };
    Ok(Lit { ty, bits })
}
