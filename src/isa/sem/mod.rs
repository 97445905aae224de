//! What instructions mean: each operation written once, as an expression over [`Alg`].
//!
//! A meaning is what happens to one lane (or to the one value of a scalar instruction): from source values to result values. It knows
//! nothing of registers, modifiers, EXEC or encodings; those are applied outside, by whoever interprets the meaning. An `Alg` gives the
//! values their body: plain integers make it an emulator's kernel, SPIR-V ids make it a translation, strings make it prose. Each `Alg`
//! implements the primitives on its own, so that two engines share the composition and not the arithmetic.
//!
//! Meanings are found by the name of their row ([`find`]). A name with `@gfx12` behind it holds from that generation on, a name with ` co`
//! is the row that writes a carry mask, and one with ` clamp` is what the row means when its integer result saturates.
//!
//! The kinds of the results are what the instruction writes, whatever type the row's destination has for the sake of the text: 16 bits (of
//! a register whose other half is a matter of the generation), or 32. Output modifiers and the float clamp apply to results of float kinds.
//!
//! There is no branching on values: an expression selects. What would be intricate as an expression (division steps, cube faces, dot
//! products with silicon's own rounding) is a primitive of its own.

mod alg;
pub mod bits;
pub mod byte;
pub mod compare;
pub mod convert;
pub mod dot;
pub mod find;
pub mod float;
pub mod float16;
pub mod float64;
pub mod formula;
pub mod int;
pub mod int16;
pub mod packed;
pub mod scalar;
pub mod scalar_compare;
pub mod scalar_float;
pub mod signature;
pub mod wrong;

pub use alg::{Alg, Cmp};
pub use signature::Signature;

/// What kind of value an operand or result is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// 16 bits; the bits above are undefined in a source, and ignored in a result.
    U16,
    /// 32 bits.
    U32,
    /// 64 bits.
    U64,
    /// 128 bits.
    U128,
    /// A 16-bit float, as [`Class::U16`].
    F16,
    /// A 32-bit float.
    F32,
    /// A 64-bit float.
    F64,
    /// A lane's bit of a mask, or SCC.
    Bit,
}

impl Class {
    /// Registers of 32 bits; a bit has none.
    #[must_use]
    pub const fn dwords(self) -> usize {
        match self {
            Class::Bit => 0,
            Class::U16 | Class::U32 | Class::F16 | Class::F32 => 1,
            Class::U64 | Class::F64 => 2,
            Class::U128 => 4,
        }
    }

    /// Whether output modifiers and float clamping apply.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Class::F16 | Class::F32 | Class::F64)
    }

    /// Whether only half a register is meant.
    #[must_use]
    pub const fn is_16(self) -> bool {
        matches!(self, Class::U16 | Class::F16)
    }
}

/// Where the sources of a meaning come from.
pub trait Sources<A: Alg> {
    /// Source `n`, of 16 or 32 bits.
    fn word(&self, n: usize) -> A::W;
    /// Source `n`, of 64 bits.
    fn pair(&self, n: usize) -> A::D;
    /// Source `n`, of 128 bits.
    fn quad(&self, n: usize) -> A::Q;
    /// The bit of a mask, or SCC: there is one such source at most.
    fn bit(&self, n: usize) -> A::C;
}

/// Where the results of a meaning go.
pub trait Results<A: Alg> {
    /// A result of 16 or 32 bits.
    fn word(&mut self, v: A::W);
    /// A result of 64 bits.
    fn pair(&mut self, v: A::D);
    /// A result of 128 bits.
    fn quad(&mut self, v: A::Q);
    /// The bit of a mask, or SCC.
    fn bit(&mut self, v: A::C);
}

/// One value, or several: the sources or the results of a meaning.
pub trait Shape {
    /// The values in an algebra.
    type Of<A: Alg>: Copy;
    /// What they are, in order.
    const CLASSES: &'static [Class];
    /// The values, of which the first is source `n`.
    fn read<A: Alg>(from: &impl Sources<A>, n: usize) -> Self::Of<A>;
    /// Hands the values over.
    fn write<A: Alg>(v: Self::Of<A>, to: &mut impl Results<A>);
}

/// A single kind of value.
pub trait Kind: Shape {}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $body:ident $access:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name;
        impl Shape for $name {
            type Of<A: Alg> = A::$body;
            const CLASSES: &'static [Class] = &[Class::$name];
            #[inline(always)]
            fn read<A: Alg>(from: &impl Sources<A>, n: usize) -> A::$body {
                from.$access(n)
            }
            #[inline(always)]
            fn write<A: Alg>(v: A::$body, to: &mut impl Results<A>) {
                to.$access(v);
            }
        }
        impl Kind for $name {}
    )*};
}
kinds! {
    /// See [`Class::U16`].
    U16 = W word,
    /// See [`Class::U32`].
    U32 = W word,
    /// See [`Class::U64`].
    U64 = D pair,
    /// See [`Class::U128`].
    U128 = Q quad,
    /// See [`Class::F16`].
    F16 = W word,
    /// See [`Class::F32`].
    F32 = W word,
    /// See [`Class::F64`].
    F64 = D pair,
    /// See [`Class::Bit`].
    Bit = C bit,
}

macro_rules! shapes {
    ($($($kind:ident $n:tt)*;)*) => {$(
        impl<$($kind: Kind),*> Shape for ($($kind,)*) {
            type Of<Z: Alg> = ($($kind::Of<Z>,)*);
            const CLASSES: &'static [Class] = &[$($kind::CLASSES[0]),*];
            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the shape of nothing")]
            fn read<Z: Alg>(from: &impl Sources<Z>, n: usize) -> Self::Of<Z> {
                ($($kind::read::<Z>(from, n + $n),)*)
            }
            #[inline(always)]
            #[allow(unused_variables, reason = "the shape of nothing")]
            fn write<Z: Alg>(v: Self::Of<Z>, to: &mut impl Results<Z>) {
                $($kind::write::<Z>(v.$n, to);)*
            }
        }
    )*};
}
shapes! {
    ;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}

/// Kinds of meanings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// The float modes have no say.
    Int,
    /// They have.
    Float,
    /// Of floats, by the transcendental unit, of which there are several.
    Unit,
    /// The same of one scalar.
    Once,
}

/// The meaning of an instruction.
pub trait Meaning: 'static {
    /// The sources.
    type Args: Shape;
    /// The results.
    type Ret: Shape;
    /// What kind of a meaning it is.
    const SECTION: Section;
    /// Whether the float modes of the wave have a say.
    const FLOAT: bool = !matches!(Self::SECTION, Section::Int);
    /// How it is written, as `a b = k.add(a, b)`: the names of the sources, and what becomes of them.
    const TEXT: &'static str;
    /// The results of one lane.
    fn eval<A: Alg>(k: &A, args: <Self::Args as Shape>::Of<A>) -> <Self::Ret as Shape>::Of<A>;
}

/// Who wants to see every meaning.
pub trait Visitor {
    /// One meaning and the name of its row.
    fn visit<M: Meaning>(&mut self, name: &'static str);
}

/// Every meaning of a vector instruction.
pub fn vector<V: Visitor>(v: &mut V) {
    int::visit(v);
    int16::visit(v);
    bits::visit(v);
    byte::visit(v);
    float::visit(v);
    float16::visit(v);
    float64::visit(v);
    convert::visit(v);
    packed::visit(v);
    dot::visit(v);
    compare::visit(v);
}

/// Every meaning of a scalar instruction that computes.
pub fn scalar<V: Visitor>(v: &mut V) {
    scalar::visit(v);
    scalar_compare::visit(v);
    scalar_float::visit(v);
}

/// Meanings, one a line: `"name" = |k, a, b| expression;`, in sections by the kinds of their sources and results. The word in
/// front is the [`Section`].
macro_rules! meanings {
    ($($section:ident $args:tt -> $ret:tt { $($name:literal = |$k:pat_param $(, $a:ident)*| $body:expr;)* })*) => {
        /// Shows every meaning of this file.
        #[allow(unused_variables, reason = "a move uses no primitive")]
        pub fn visit<V: $crate::isa::sem::Visitor>(v: &mut V) {
            #[allow(unused_imports, reason = "a file need not use every kind")]
            use $crate::isa::sem::{Alg, Bit, Cmp, F16, F32, F64, Meaning, Shape, U16, U32, U64, U128};
            $($({
                struct M;
                impl Meaning for M {
                    type Args = $args;
                    type Ret = $ret;
                    const SECTION: $crate::isa::sem::Section = $crate::isa::sem::section!($section);
                    const TEXT: &'static str = concat!($(stringify!($a), " ",)* "= ", stringify!($body));
                    #[inline(always)]
                    #[allow(unused_parens, reason = "one source is no tuple")]
                    fn eval<A: Alg>($k: &A, ($($a),*): <$args as Shape>::Of<A>) -> <$ret as Shape>::Of<A> {
                        $body
                    }
                }
                v.visit::<M>($name);
            })*)*
        }
    };
}
pub(crate) use meanings;

macro_rules! section {
    (int) => {
        $crate::isa::sem::Section::Int
    };
    (float) => {
        $crate::isa::sem::Section::Float
    };
    (unit) => {
        $crate::isa::sem::Section::Unit
    };
    (once) => {
        $crate::isa::sem::Section::Once
    };
}
pub(crate) use section;
