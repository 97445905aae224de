//! Simpler values.

use crate::case::value::{Lit, Value};
use crate::isa::types::Ty;

/// What a value might be instead, the simplest first; nothing where it is as simple as can be.
pub(super) fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Lit(lit) => literals(*lit).into_iter().map(Value::Lit).collect(),
        Value::Address(name, offset) if *offset > 0 => vec![Value::Address(name.clone(), 0)],
        Value::Address(..) | Value::Any => Vec::new(),
        Value::Math(_) | Value::Scratch(_) => Vec::new(),
        Value::Descriptor(d) => {
            let plain = crate::case::value::Descriptor { buffer: d.buffer.clone(), ..Default::default() };
            if **d == plain { Vec::new() } else { vec![Value::Descriptor(Box::new(plain))] }
        }
        Value::List(list) => {
            // One for all, then only the first ones, then zeros for some.
            let mut some: Vec<Value> = Vec::new();
            for element in list.iter().filter(|v| **v != Value::Any && !matches!(v, Value::File(..))) {
                if !some.contains(element) && some.len() < 16 {
                    some.push(element.clone());
                }
            }
            let mut half = list.clone();
            half.truncate(list.len().div_ceil(2));
            if half.len() < list.len() {
                some.push(Value::List(half));
            }
            let bare = list.iter().filter_map(|v| if let Value::Lit(lit) = v { Some(*lit) } else { None });
            let bare: Vec<Lit> = bare.collect();
            if bare.len() == list.len() && list.len() <= 64 {
                for (n, lit) in bare.iter().enumerate().filter(|(_, lit)| lit.bits != 0) {
                    let mut other = list.clone();
                    other[n] = Value::Lit(Lit { bits: 0, ..*lit });
                    some.push(Value::List(other));
                }
            }
            some
        }
        Value::Pack(low, high) if **low == **high => Vec::new(),
        Value::Pack(low, high) => {
            vec![Value::Pack(low.clone(), low.clone()), Value::Pack(high.clone(), high.clone())]
        }
        // Patterns: one of their values for all.
        _ => {
            let ty = value.ty();
            let numbers = [1.0, 2.0, 1.5, -1.0, 3.0];
            let mut bits: Vec<u64> = numbers.iter().map(|n| ty.from_f64(*n)).collect();
            bits.extend(crate::case::edges::edges(ty).iter().copied());
            bits.dedup();
            bits.into_iter().map(|bits| Value::Lit(Lit { ty, bits })).collect()
        }
    }
}

/// Simpler numbers of the same type; only those that come earlier in the list of simple ones, so that there is an end to it.
fn literals(lit: Lit) -> Vec<Lit> {
    let Lit { ty, bits } = lit;
    let mut all: Vec<u64> = [0.0, 1.0, -1.0, 2.0].iter().map(|n| ty.from_f64(*n)).collect();
    if ty.bytes() == 4 && ty.layout().is_none() {
        all.extend([Ty::F32.from_f64(1.0), 1 << 31]);
    }
    let known = all.iter().position(|b| *b == bits).unwrap_or(all.len());
    all.truncate(known);
    if known >= 4 {
        // Fewer bits from below, and from above.
        let width = 8 * ty.bytes();
        all.extend([width / 2, width / 4, width / 8].map(|n| bits & !(ty.mask() >> (width - n))));
        all.extend([width / 2, width / 4].map(|n| bits & (ty.mask() >> n)));
        all.retain(|b| *b != bits && b.count_ones() <= bits.count_ones().max(8));
    }
    let mut seen = Vec::new();
    all.retain(|b| {
        !seen.contains(b) && {
            seen.push(*b);
            true
        }
    });
    all.into_iter().map(|bits| Lit { ty, bits }).collect()
}
