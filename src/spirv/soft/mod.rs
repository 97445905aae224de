//! Floats in integers, without branches on values: what the machines compute, to the bit, as code that a GPU can run.
//!
//! Drivers' own floats flush, round and treat NaNs as they like, so the translation computes every float in integers, as the emulator's `Exact`
//! does. This is not that code: it is written from the definitions a second time, so that the emulator and the translation do not share mistakes.
//!
//! A function here is written over [`Int`], integers that may be numbers of the host or values of a program being built; so the same text is
//! tested on the host and emitted as SPIR-V. Nothing in it depends on a value in the way of control: what has cases computes all of them and
//! selects. MODE is a value as well ([`Modes`]); the generation is known when the function is built. An algebra that folds constants
//! and merges equal operations gives much shorter bodies, also where MODE is a constant.
//!
//! What a builder needs is the table [`Prim`]: the name, the signature and the function of every float primitive of
//! [`Alg`](crate::isa::sem::Alg). Beside it stand [`omod`], [`clamp`] and [`widen`], which wrap instructions.
//!
//! The formats up to 32 bits are computed in words, f64 in pairs of words ([`Word`]). Every result that is rounded passes through one function,
//! `round::round`.

mod arith;
mod choose;
mod convert;
mod cube;
mod divide;
mod dot;
mod exp;
mod fp8;
mod fused;
mod int;
mod modes;
mod prim;
mod root;
mod round;
mod silicon;
mod trig;
mod value;
mod whole;
mod word;

pub use arith::*;
pub use choose::*;
pub use convert::*;
pub use cube::*;
pub use divide::*;
pub use dot::*;
pub use exp::*;
pub use fp8::{f32_of_fp8, fp8_of_f32, fp8_of_f32_sr};
pub use fused::{Core, Numbers, add_products};
pub use int::Int;
pub use modes::{BF16, F16, F32, F64, Format, Modes, Rules};
pub use prim::{Class, Prim};
pub use root::{rcp, rsq, sqrt};
pub use trig::*;
pub use value::Value;
pub use whole::*;
pub use word::{Narrow, Wide, Word};
