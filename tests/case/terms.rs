//! Numbers of the dispatch and random arithmetic.

use proptest::prelude::*;
use wavediff::case::math::{Half, Math, Op};
use wavediff::case::value::{IDS, Id, Lit, Value};
use wavediff::isa::types::Ty;

/// Scratch memory apart: these cases have none.
pub fn id() -> impl Strategy<Value = Id> {
    let ids: Vec<Id> = IDS.iter().map(|(_, id)| *id).filter(|id| *id != Id::ScratchOffset).collect();
    prop::sample::select(ids)
}

/// Terms of ids, numbers and halves of addresses, with an operator at the top: what has none is no term.
pub fn math() -> impl Strategy<Value = Math> {
    let number = (0u64..1 << 20).prop_map(|bits| Value::Lit(Lit { ty: Ty::U32, bits }));
    let address = (0u64..9).prop_map(|offset| Math::Leaf(Value::Address("data".into(), offset)));
    let halves = (prop::sample::select([Half::Low, Half::High].as_slice()), address);
    let leaf = prop_oneof![
        2 => id().prop_map(|id| Math::Leaf(Value::Id(id))),
        2 => number.prop_map(Math::Leaf),
        1 => halves.prop_map(|(half, inside)| Math::Half(half, Box::new(inside))),
    ];
    let ops = [Op::Or, Op::Xor, Op::And, Op::Shl, Op::Shr, Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem];
    let two = move |inner: BoxedStrategy<Math>| {
        (prop::sample::select(ops.to_vec()), inner.clone(), inner)
            .prop_map(|(op, a, b)| Math::Two(op, Box::new(a), Box::new(b)))
            .boxed()
    };
    let leaf = leaf.boxed();
    let inner = prop_oneof![leaf.clone(), two(leaf.clone())].boxed();
    two(prop_oneof![leaf, two(inner)].boxed())
}
