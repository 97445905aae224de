//! Every float primitive by name: what it takes, what it gives, and the function that computes it.
//!
//! A [`Prim`] is a function of a program to be built: its parameters that are constants of the translation (the operator of a comparison, the kind
//! of an 8-bit float) are part of it. The builder asks for the [`Prim::signature`], makes as many values, calls [`Prim::eval`] with its
//! algebra once, and from then on calls what came of it.

use super::{BF16, F16, F32, F64, Int, Modes, Narrow, Toward, Value, Whole, Wide};
use crate::isa::sem::{Alg, Cmp};

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Class {
    /// 32 bits.
    W,
    /// 64 bits.
    D,
    /// A truth value.
    C,
}

/// All values of a constant parameter.
trait Values: Sized + 'static {
    const ALL: &'static [Self];
}
impl Values for bool {
    const ALL: &'static [bool] = &[false, true];
}
impl Values for [bool; 2] {
    const ALL: &'static [[bool; 2]] = &[[false, false], [false, true], [true, false], [true, true]];
}
impl Values for Cmp {
    #[rustfmt::skip]
    const ALL: &'static [Cmp] = &[
        Cmp::F, Cmp::Lt, Cmp::Eq, Cmp::Le, Cmp::Gt, Cmp::Lg, Cmp::Ge, Cmp::O,
        Cmp::U, Cmp::Nge, Cmp::Nlg, Cmp::Ngt, Cmp::Nle, Cmp::Neq, Cmp::Nlt, Cmp::T,
    ];
}

macro_rules! table {
    ($k:ident, $m:ident;
        $($name:ident $(<$p:ident: $pt:ty>)? ($($a:ident: $t:ident),*) -> $r:ident = $soft:expr $(, $direct:expr)?;)*
    ) => {
        /// A float primitive of [`Alg`], with its constant parameters.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(non_camel_case_types, missing_docs, reason = "the names of the primitives")]
        pub enum Prim {
            $($name $({ $p: $pt })?,)*
            div_scale_f32,
            div_scale_f64,
        }

        impl Prim {
            /// All of them, with all values of their parameters.
            #[must_use]
            pub fn all() -> Vec<Prim> {
                let mut all = vec![Prim::div_scale_f32, Prim::div_scale_f64];
                $(table!(@each all, $name $(, $p: $pt)?);)*
                all
            }

            /// The name of the primitive, without the parameters.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Prim::$name { .. } => stringify!($name),)*
                    Prim::div_scale_f32 => "div_scale_f32",
                    Prim::div_scale_f64 => "div_scale_f64",
                }
            }

            /// What it takes and gives.
            #[must_use]
            pub fn signature(self) -> (&'static [Class], &'static [Class]) {
                match self {
                    $(Prim::$name { .. } => (&[$(Class::$t),*], &[Class::$r]),)*
                    Prim::div_scale_f32 => (&[Class::W; 3], &[Class::W, Class::C]),
                    Prim::div_scale_f64 => (&[Class::D; 3], &[Class::D, Class::C]),
                }
            }

            /// Computes it, in integers.
            ///
            /// # Panics
            /// If the values are not those of the signature.
            pub fn eval<K: Int>(self, $k: &K, $m: &Modes<K>, args: &[Value<K>]) -> Vec<Value<K>> {
                match (self, args) {
                    $((Prim::$name $({ $p })?, &[$(Value::$t($a)),*]) => vec![Value::$r($soft)],)*
                    (Prim::div_scale_f32, &[Value::W(v), Value::W(d), Value::W(n)]) => {
                        let (v, c) = super::div_scale::<K, Narrow>($k, $m, F32, v, d, n);
                        vec![Value::W(v), Value::C(c)]
                    }
                    (Prim::div_scale_f64, &[Value::D(v), Value::D(d), Value::D(n)]) => {
                        let (v, c) = super::div_scale::<K, Wide>($k, $m, F64, v, d, n);
                        vec![Value::D(v), Value::C(c)]
                    }
                    _ => panic!("{} of other values", self.name()),
                }
            }

            /// What an algebra itself says: for comparisons with [`Prim::eval`].
            ///
            /// # Panics
            /// If the values are not those of the signature.
            pub fn direct<A: Alg>(self, $k: &A, args: &[Value<A>]) -> Vec<Value<A>> {
                match (self, args) {
                    $((Prim::$name $({ $p })?, &[$(Value::$t($a)),*]) => {
                        vec![Value::$r(table!(@direct $k, $name ($($a),*) $(, $direct)?))]
                    })*
                    (Prim::div_scale_f32, &[Value::W(v), Value::W(d), Value::W(n)]) => {
                        let (v, c) = $k.div_scale_f32(v, d, n);
                        vec![Value::W(v), Value::C(c)]
                    }
                    (Prim::div_scale_f64, &[Value::D(v), Value::D(d), Value::D(n)]) => {
                        let (v, c) = $k.div_scale_f64(v, d, n);
                        vec![Value::D(v), Value::C(c)]
                    }
                    _ => panic!("{} of other values", self.name()),
                }
            }
        }
    };
    (@each $all:ident, $name:ident) => { $all.push(Prim::$name) };
    (@each $all:ident, $name:ident, $p:ident: $pt:ty) => {
        $all.extend(<$pt as Values>::ALL.iter().map(|&$p| Prim::$name { $p }))
    };
    (@direct $k:ident, $name:ident ($($a:ident),*)) => { Alg::$name($k, $($a),*) };
    (@direct $k:ident, $name:ident ($($a:ident),*), $direct:expr) => { $direct };
}

#[rustfmt::skip]
table! { k, m;
    add_f16(a: W, b: W) -> W = super::add::<K, Narrow>(k, m, F16, a, b);
    add_f32(a: W, b: W) -> W = super::add::<K, Narrow>(k, m, F32, a, b);
    add_f64(a: D, b: D) -> D = super::add::<K, Wide>(k, m, F64, a, b);
    sub_f16(a: W, b: W) -> W = super::sub::<K, Narrow>(k, m, F16, a, b);
    sub_f32(a: W, b: W) -> W = super::sub::<K, Narrow>(k, m, F32, a, b);
    sub_f64(a: D, b: D) -> D = super::sub::<K, Wide>(k, m, F64, a, b);
    mul_f16(a: W, b: W) -> W = super::mul::<K, Narrow>(k, m, F16, a, b);
    mul_f32(a: W, b: W) -> W = super::mul::<K, Narrow>(k, m, F32, a, b);
    mul_f64(a: D, b: D) -> D = super::mul::<K, Wide>(k, m, F64, a, b);
    fma_f16(a: W, b: W, c: W) -> W = super::fma(k, m, F16, a, b, c);
    fma_f32(a: W, b: W, c: W) -> W = super::fma(k, m, F32, a, b, c);
    fma_f64(a: D, b: D, c: D) -> D = super::fma_f64(k, m, a, b, c);
    min_f16(a: W, b: W) -> W = super::min::<K, Narrow>(k, m, F16, a, b);
    min_f32(a: W, b: W) -> W = super::min::<K, Narrow>(k, m, F32, a, b);
    min_f64(a: D, b: D) -> D = super::min::<K, Wide>(k, m, F64, a, b);
    max_f16(a: W, b: W) -> W = super::max::<K, Narrow>(k, m, F16, a, b);
    max_f32(a: W, b: W) -> W = super::max::<K, Narrow>(k, m, F32, a, b);
    max_f64(a: D, b: D) -> D = super::max::<K, Wide>(k, m, F64, a, b);
    minimum_f16(a: W, b: W) -> W = super::minimum::<K, Narrow>(k, m, F16, a, b);
    minimum_f32(a: W, b: W) -> W = super::minimum::<K, Narrow>(k, m, F32, a, b);
    minimum_f64(a: D, b: D) -> D = super::minimum::<K, Wide>(k, m, F64, a, b);
    maximum_f16(a: W, b: W) -> W = super::maximum::<K, Narrow>(k, m, F16, a, b);
    maximum_f32(a: W, b: W) -> W = super::maximum::<K, Narrow>(k, m, F32, a, b);
    maximum_f64(a: D, b: D) -> D = super::maximum::<K, Wide>(k, m, F64, a, b);
    med3_f16(a: W, b: W, c: W) -> W = super::med3::<K, Narrow>(k, m, F16, a, b, c);
    med3_f32(a: W, b: W, c: W) -> W = super::med3::<K, Narrow>(k, m, F32, a, b, c);
    med3_f64(a: D, b: D, c: D) -> D = super::med3::<K, Wide>(k, m, F64, a, b, c);
    ldexp_f16(a: W, n: W) -> W = super::ldexp::<K, Narrow>(k, m, F16, a, n);
    ldexp_f32(a: W, n: W) -> W = super::ldexp::<K, Narrow>(k, m, F32, a, n);
    ldexp_f64(a: D, n: W) -> D = super::ldexp::<K, Wide>(k, m, F64, a, n);
    trunc_f16(a: W) -> W = super::whole::<K, Narrow>(k, m, F16, a, Toward::Zero);
    trunc_f32(a: W) -> W = super::whole::<K, Narrow>(k, m, F32, a, Toward::Zero);
    trunc_f64(a: D) -> D = super::whole::<K, Wide>(k, m, F64, a, Toward::Zero);
    ceil_f16(a: W) -> W = super::whole::<K, Narrow>(k, m, F16, a, Toward::Up);
    ceil_f32(a: W) -> W = super::whole::<K, Narrow>(k, m, F32, a, Toward::Up);
    ceil_f64(a: D) -> D = super::whole::<K, Wide>(k, m, F64, a, Toward::Up);
    floor_f16(a: W) -> W = super::whole::<K, Narrow>(k, m, F16, a, Toward::Down);
    floor_f32(a: W) -> W = super::whole::<K, Narrow>(k, m, F32, a, Toward::Down);
    floor_f64(a: D) -> D = super::whole::<K, Wide>(k, m, F64, a, Toward::Down);
    rndne_f16(a: W) -> W = super::whole::<K, Narrow>(k, m, F16, a, Toward::Even);
    rndne_f32(a: W) -> W = super::whole::<K, Narrow>(k, m, F32, a, Toward::Even);
    rndne_f64(a: D) -> D = super::whole::<K, Wide>(k, m, F64, a, Toward::Even);
    fract_f16(a: W) -> W = super::fract::<K, Narrow>(k, m, F16, a);
    fract_f32(a: W) -> W = super::fract::<K, Narrow>(k, m, F32, a);
    fract_f64(a: D) -> D = super::fract::<K, Wide>(k, m, F64, a);
    frexp_mant_f16(a: W) -> W = super::frexp_mant::<K, Narrow>(k, m, F16, a);
    frexp_mant_f32(a: W) -> W = super::frexp_mant::<K, Narrow>(k, m, F32, a);
    frexp_mant_f64(a: D) -> D = super::frexp_mant::<K, Wide>(k, m, F64, a);
    frexp_exp_f16(a: W) -> W = super::frexp_exp::<K, Narrow>(k, m, F16, a);
    frexp_exp_f32(a: W) -> W = super::frexp_exp::<K, Narrow>(k, m, F32, a);
    frexp_exp_f64(a: D) -> W = super::frexp_exp::<K, Wide>(k, m, F64, a);
    div_fixup_f16(q: W, d: W, n: W) -> W = super::div_fixup::<K, Narrow>(k, m, F16, q, d, n);
    div_fixup_f32(q: W, d: W, n: W) -> W = super::div_fixup::<K, Narrow>(k, m, F32, q, d, n);
    div_fixup_f64(q: D, d: D, n: D) -> D = super::div_fixup::<K, Wide>(k, m, F64, q, d, n);
    div_fmas_f32(a: W, b: W, c: W, scaled: C) -> W = super::div_fmas_f32(k, m, a, b, c, scaled);
    div_fmas_f64(a: D, b: D, c: D, scaled: C) -> D = super::div_fmas_f64(k, m, a, b, c, scaled);
    exp_f32(a: W) -> W = super::exp_f32(k, m, a);
    exp_f16(a: W) -> W = super::exp_f16(k, m, a);
    log_f32(a: W) -> W = super::log_f32(k, m, a);
    log_f16(a: W) -> W = super::log_f16(k, m, a);
    sin_f32(a: W) -> W = super::sin_f32(k, m, a);
    sin_f16(a: W) -> W = super::sin_f16(k, m, a);
    cos_f32(a: W) -> W = super::cos_f32(k, m, a);
    cos_f16(a: W) -> W = super::cos_f16(k, m, a);
    finite_f32(a: W) -> W = super::finite::<K, Narrow>(k, F32, a);
    finite_f64(a: D) -> D = super::finite::<K, Wide>(k, F64, a);
    inf_to_zero_f32(a: W) -> W = super::inf_to_zero(k, a);
    rcp_f16(a: W) -> W = super::rcp::f16(k, m, a);
    rcp_f32(a: W) -> W = super::rcp::f32(k, m, a);
    rcp_f64(a: D) -> D = super::rcp::f64(k, m, a);
    rsq_f16(a: W) -> W = super::rsq::f16(k, m, a);
    rsq_f32(a: W) -> W = super::rsq::f32(k, m, a);
    rsq_f64(a: D) -> D = super::rsq::f64(k, m, a);
    sqrt_f16(a: W) -> W = super::sqrt::f16(k, m, a);
    sqrt_f32(a: W) -> W = super::sqrt::f32(k, m, a);
    sqrt_f64(a: D) -> D = super::sqrt::f64(k, m, a);
    mad_f32(a: W, b: W, c: W) -> W = super::mad(k, m, F32, a, b, c);
    mad_f16(a: W, b: W, c: W) -> W = super::mad(k, m, F16, a, b, c);
    mul_legacy_f32(a: W, b: W) -> W = super::mul_legacy(k, m, a, b);
    mad_legacy_f32(a: W, b: W, c: W) -> W = super::mad_legacy(k, m, a, b, c);
    fma_legacy_f32(a: W, b: W, c: W) -> W = super::fma_legacy(k, m, a, b, c);
    min_legacy_f32(a: W, b: W) -> W = super::min_legacy(k, m, a, b);
    max_legacy_f32(a: W, b: W) -> W = super::max_legacy(k, m, a, b);
    fma_f16_of_f32(a: W, b: W, c: W) -> W = super::fma_f16_of_f32(k, m, a, b, c);
    mad_f16_of_f32(a: W, b: W, c: W) -> W = super::mad_f16_of_f32(k, m, a, b, c);
    canonical_f16(a: W) -> W = super::canonical_f16(k, m, a);
    trig_preop_f64(a: D, segment: W) -> D = super::trig_preop(k, m, a, segment);
    cubeid_f32(x: W, y: W, z: W) -> W = super::cubeid(k, m, x, y, z);
    cubesc_f32(x: W, y: W, z: W) -> W = super::cubesc(k, m, x, y, z);
    cubetc_f32(x: W, y: W, z: W) -> W = super::cubetc(k, m, x, y, z);
    cubema_f32(x: W, y: W, z: W) -> W = super::cubema(k, m, x, y, z);
    mullit_f32(a: W, b: W, c: W) -> W = super::mullit(k, m, a, b, c);
    dot2_f32_f16(a: W, b: W, c: W) -> W = super::dot2_f32(k, m, F16, a, b, c);
    dot2_f32_bf16(a: W, b: W, c: W) -> W = super::dot2_f32(k, m, BF16, a, b, c);
    dot2_f16_f16(a: W, b: W, c: W) -> W = super::dot2_packed(k, m, F16, a, b, c);
    dot2_bf16_bf16(a: W, b: W, c: W) -> W = super::dot2_packed(k, m, BF16, a, b, c);
    dot4_f32_fp8<kinds: [bool; 2]>(a: W, b: W, c: W) -> W = super::dot4_f32_fp8(k, m, a, b, c, kinds), k.dot4_f32_fp8(a, b, c, kinds[0], kinds[1]);
    f32_of_fp8<bf8: bool>(a: W) -> W = super::f32_of_fp8(k, m, a, bf8), k.f32_of_fp8(a, bf8);
    fp8_of_f32<bf8: bool>(a: W) -> W = super::fp8_of_f32(k, m, a, bf8), k.fp8_of_f32(a, bf8);
    fp8_of_f32_sr<bf8: bool>(a: W, seed: W) -> W = super::fp8_of_f32_sr(k, m, a, seed, bf8), k.fp8_of_f32_sr(a, seed, bf8);
    f32_of_f16(a: W) -> W = super::f32_of_f16(k, m, a);
    f16_of_f32(a: W) -> W = super::f16_of_f32(k, m, a);
    f16_of_f32_rtz(a: W) -> W = super::f16_of_f32_rtz(k, m, a);
    f64_of_f32(a: W) -> D = super::f64_of_f32(k, m, a);
    f32_of_f64(a: D) -> W = super::f32_of_f64(k, m, a);
    f32_of_i32(a: W) -> W = super::f32_of_i32(k, m, a);
    f32_of_u32(a: W) -> W = super::f32_of_u32(k, m, a);
    f64_of_i32(a: W) -> D = super::f64_of_i32(k, a);
    f64_of_u32(a: W) -> D = super::f64_of_u32(k, a);
    f16_of_i16(a: W) -> W = super::f16_of_i16(k, m, a);
    f16_of_u16(a: W) -> W = super::f16_of_u16(k, m, a);
    i32_of_f32(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 32, true, Whole::Trunc);
    u32_of_f32(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 32, false, Whole::Trunc);
    i32_of_f64(a: D) -> W = super::integer::<K, Wide>(k, m, F64, a, 32, true, Whole::Trunc);
    u32_of_f64(a: D) -> W = super::integer::<K, Wide>(k, m, F64, a, 32, false, Whole::Trunc);
    i16_of_f16(a: W) -> W = super::integer::<K, Narrow>(k, m, F16, a, 16, true, Whole::Trunc);
    u16_of_f16(a: W) -> W = super::integer::<K, Narrow>(k, m, F16, a, 16, false, Whole::Trunc);
    i16_of_f32(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 16, true, Whole::Trunc);
    u16_of_f32(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 16, false, Whole::Trunc);
    i32_of_f32_nearest(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 32, true, Whole::Nearest);
    i32_of_f32_floor(a: W) -> W = super::integer::<K, Narrow>(k, m, F32, a, 32, true, Whole::Floor);
    f32_of_i4_off(a: W) -> W = super::f32_of_i4_off(k, a);
    snorm16_of_f32(a: W) -> W = super::norm16(k, m, F32, a, true);
    unorm16_of_f32(a: W) -> W = super::norm16(k, m, F32, a, false);
    snorm16_of_f16(a: W) -> W = super::norm16(k, m, F16, a, true);
    unorm16_of_f16(a: W) -> W = super::norm16(k, m, F16, a, false);
    u8_of_f32(a: W) -> W = super::u8_of_f32(k, m, a);
    cmp_f16<op: Cmp>(a: W, b: W) -> C = super::cmp::<K, Narrow>(k, m, F16, op, a, b), k.cmp_f16(op, a, b);
    cmp_f32<op: Cmp>(a: W, b: W) -> C = super::cmp::<K, Narrow>(k, m, F32, op, a, b), k.cmp_f32(op, a, b);
    cmp_f64<op: Cmp>(a: D, b: D) -> C = super::cmp::<K, Wide>(k, m, F64, op, a, b), k.cmp_f64(op, a, b);
    class_f16(a: W, mask: W) -> C = super::class::<K, Narrow>(k, F16, a, mask);
    class_f32(a: W, mask: W) -> C = super::class::<K, Narrow>(k, F32, a, mask);
    class_f64(a: D, mask: W) -> C = super::class::<K, Wide>(k, F64, a, mask);
}
