//! Comparisons: what the host's operators say of numbers and integers.

use super::super::reference::{D, H, Kind as Float, Machine, S, read};
use super::super::{Modes, Operation};
use super::{F16, F32, F64, I16, I32, I64, operation};
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// A table of comparisons of one type: each once, and once with EXEC for its result, which is 1 in lanes where it holds.
macro_rules! table {
    ($table:ident, $prefix:literal, $ty:literal, $kind:expr, $modes:ident, |$m:ident, $v:ident| $order:expr, [$($name:literal $how:expr),* $(,)?]) => {
        static $table: &[Operation] = &[
            $(
                operation!(
                    concat!("v_", $prefix, "_", $name, "_", $ty),
                    [concat!("v_", $prefix, "_", $name, "_", $ty, " vcc, {a}, {b}; v_cndmask_b32 {d}, 0, {1}, vcc")],
                    [$kind, $kind], 32, $modes, |$m, $v| holds($how, $order)
                ),
                operation!(
                    concat!("v_", $prefix, "x_", $name, "_", $ty),
                    [
                        concat!("s_mov_b64 s[40:41], exec; v_mov_b32 {d}, 0; v_", $prefix, "x_", $name, "_", $ty,
                            " vcc, {a}, {b}; v_mov_b32 {d}, {1}; s_mov_b64 exec, s[40:41]"),
                        concat!("s_mov_b64 s[40:41], exec; v_mov_b32 {d}, 0; v_", $prefix, "x_", $name, "_", $ty,
                            " {a}, {b}; v_mov_b32 {d}, {1}; s_mov_b64 exec, s[40:41]"),
                    ],
                    [$kind, $kind], 32, $modes, |$m, $v| holds($how, $order)
                ),
            )*
        ];
    };
}

/// The sixteen comparisons of floats.
macro_rules! floats {
    ($table:ident, $prefix:literal, $ty:literal, $kind:expr, $format:ty, $modes:ident) => {
        table!($table, $prefix, $ty, $kind, $modes, |m, v| order::<$format>(m, v), [
            "f" [], "lt" [Some(Less)], "eq" [Some(Equal)], "le" [Some(Less), Some(Equal)], "gt" [Some(Greater)],
            "lg" [Some(Less), Some(Greater)], "ge" [Some(Greater), Some(Equal)], "o" [Some(Less), Some(Equal), Some(Greater)], "u" [None],
            "nge" [Some(Less), None], "nlg" [Some(Equal), None], "ngt" [Some(Less), Some(Equal), None], "nle" [Some(Greater), None],
            "neq" [Some(Less), Some(Greater), None], "nlt" [Some(Greater), Some(Equal), None], "tru" [None, Some(Less), Some(Equal), Some(Greater)],
            "t" [None, Some(Less), Some(Equal), Some(Greater)],
        ]);
    };
}

/// The eight comparisons of integers.
macro_rules! integers {
    ($table:ident, $ty:literal, $kind:expr, |$v:ident| $order:expr) => {
        table!($table, "cmp", $ty, $kind, None, |_m, $v| Some($order), [
            "f" [], "lt" [Some(Less)], "eq" [Some(Equal)], "le" [Some(Less), Some(Equal)], "gt" [Some(Greater)], "ne" [Some(Less), Some(Greater)],
            "lg" [Some(Less), Some(Greater)], "ge" [Some(Greater), Some(Equal)], "t" [Some(Less), Some(Equal), Some(Greater)],
        ]);
    };
}

floats!(CMP_F16, "cmp", "f16", F16, H, Other);
floats!(CMP_F32, "cmp", "f32", F32, S, Single);
floats!(CMP_F64, "cmp", "f64", F64, D, Other);
floats!(CMPS_F32, "cmps", "f32", F32, S, Single);
floats!(CMPS_F64, "cmps", "f64", F64, D, Other);
integers!(CMP_I16, "i16", I16, |v| (v[0] as i16).cmp(&(v[1] as i16)));
integers!(CMP_U16, "u16", I16, |v| (v[0] as u16).cmp(&(v[1] as u16)));
integers!(CMP_I32, "i32", I32, |v| (v[0] as i32).cmp(&(v[1] as i32)));
integers!(CMP_U32, "u32", I32, |v| (v[0] as u32).cmp(&(v[1] as u32)));
integers!(CMP_I64, "i64", I64, |v| (v[0] as i64).cmp(&(v[1] as i64)));
integers!(CMP_U64, "u64", I64, |v| v[0].cmp(&v[1]));

/// The tables.
pub fn tables() -> [&'static [Operation]; 11] {
    [CMP_F16, CMP_F32, CMP_F64, CMPS_F32, CMPS_F64, CMP_I16, CMP_U16, CMP_I32, CMP_U32, CMP_I64, CMP_U64]
}

/// Whether an order is one of those for which the comparison holds.
pub fn holds<const N: usize>(how: [Option<Ordering>; N], order: Option<Ordering>) -> u64 {
    u64::from(how.contains(&order))
}

/// How two numbers of a format compare: not at all where one is a NaN.
pub fn order<K: Float>(m: &Machine, v: &[u64; 4]) -> Option<Ordering> {
    let [a, b] = [v[0], v[1]].map(|v| read::<K>(m.input(K::FORMAT, v)));
    a.partial_cmp(&b)
}
