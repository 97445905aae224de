//! What expressions languages write alike.

use super::{Row, one};

#[rustfmt::skip]
pub const ALIKE: &[Row] = &[
    // Words.
    one("u",           "({u} * 3u + {u})"),
    one("u",           "(({u} << 5u) + {u})"),
    one("u",           "(({u} & {u}) | (~{u} & {u}))"),
    one("ui",          "({x} + {x} + {x})"),
    one("u",           "({u} ^ {u} ^ {u})"),
    one("u",           "({u} | {u} | {u})"),
    one("u",           "(({u} & {u}) | {u})"),
    one("u",           "(({u} ^ {u}) + {u})"),
    one("u",           "(({u} + {u}) << 3u)"),
    one("u",           "({u} >> 16u)"),
    one("u",           "({u} & 0xffffu)"),
    one("u",           "(0xffffffffu >> ({u} & 31u))"),
    one("i",           "max(min({i}, {i}), {i})"),
    one("u",           "max(max({u}, {u}), {u})"),
    one("u",           "min(max({u}, 3u), 1000u)"),
    one("uif",         "({x2}).y"),
    one("uif",         "({x4}).z"),
    // Truth.
    one("b",           "({u} < {u})"),
    one("b",           "({u} >= {u})"),
    one("b",           "({u} == {u})"),
    one("b",           "({i} < {i})"),
    one("b",           "({i} <= {i})"),
    one("b",           "({i} != {i})"),
    one("b",           "({.f} < {.f})"),
    one("b",           "({.f} >= {.f})"),
    one("b",           "({.f} == {.f})"),
    one("b",           "({.f} != {.f})"),
    one("b",           "(({u} & 1u) == 0u)"),
    one("b",           "(!{b})"),
    one("b",           "({b} && {b})"),
    one("b",           "({b} || {b})"),
    one("b",           "({.h} < {.h})"),
    one("b",           "({U} < {U})"),
    one("b",           "({I} >= {I})"),
    one("b",           "({U} == {U})"),
    one("b",           "({.d} < {.d})"),
    one("b",           "({.d} == {.d})"),
    one("b",           "({s} < {s})"),
    one("b",           "({t} < {t})"),
    one("b",           "({c} < {c})"),
    one("b",           "({e} < {e})"),
    // Memory: a buffer of words, one of small numbers, one of floats.
    one("u",           "a[{u} & 255u]"),
    one("u",           "a[l & 255u]"),
    one("u",           "small[{u} & 255u]"),
    one("f",           "f[{u} & 255u]"),
];

/// Arrays of an item, which fit into registers, or do not.
pub const PLACES: &[Row] = &[one("u", "array[{u} & 7u]"), one("u", "big[{u} % 40u]")];
