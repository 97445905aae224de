//! Float functions of a module: each is written once, when something first calls it.
//!
//! The first parameter is MODE, then come the operands; a pair is two words. What the bodies compute stands in [`super::soft`].

use super::alg::{Spirv, Truth, Word};
use super::module::{Id, Module};
use super::soft::{self, BF16, Class, Core, F16, F32, F64, Format, Modes, Narrow, Numbers, Prim, Value, Wide};
use crate::isa::Target;
use crate::isa::sem::Alg;
use rspirv::spirv::Op;
use std::cell::RefCell;
use std::collections::HashMap;

/// A float function of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// A primitive of the algebra.
    Prim(Prim),
    /// An f16 source of mixed precision as f32.
    Widen,
    /// An output modifier: 1 twice, 2 four times, 3 half; and whether it rounds to nearest in every mode.
    Omod(Width, u8, bool),
    /// A result clamped to [0, 1].
    Clamp(Width),
    /// A step of a matrix product of gfx12: four products and a sum, from bf16 or f16, into their format or f32.
    Dot4 {
        /// The factors are bf16.
        bf16: bool,
        /// The sum has their format.
        narrow: bool,
    },
    /// A step of a matrix product of CDNA: the products of the numbers in so many words, and a sum.
    Products(Core, Numbers, u8),
}

/// The widths of floats that modifiers know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "they say themselves")]
pub enum Width {
    F16,
    F32,
    F64,
}

impl Width {
    fn format(self) -> Format {
        match self {
            Width::F16 => F16,
            Width::F32 => F32,
            Width::F64 => F64,
        }
    }
}

impl Function {
    fn name(self) -> String {
        match self {
            Function::Prim(prim) => prim.name().to_owned(),
            Function::Widen => "widen".to_owned(),
            Function::Omod(width, omod, nearest) => {
                format!("omod{omod}_{width:?}{}", if nearest { "_nearest" } else { "" }).to_lowercase()
            }
            Function::Clamp(width) => format!("clamp_{width:?}").to_lowercase(),
            Function::Dot4 { bf16, narrow } => {
                let from = if bf16 { "bf16" } else { "f16" };
                format!("dot4_{}_{from}", if narrow { from } else { "f32" })
            }
            Function::Products(core, numbers, words) => {
                let of = match numbers {
                    Numbers::Small([a, b]) => {
                        format!("{}_{}", if a { "bf8" } else { "fp8" }, if b { "bf8" } else { "fp8" })
                    }
                    numbers => format!("{numbers:?}"),
                };
                format!("products_{core:?}_{of}_{words}").to_lowercase()
            }
        }
    }

    /// What it takes and gives.
    pub(super) fn signature(self) -> (&'static [Class], &'static [Class]) {
        match self {
            Function::Prim(prim) => prim.signature(),
            Function::Omod(Width::F64, ..) | Function::Clamp(Width::F64) => (&[Class::D], &[Class::D]),
            Function::Widen | Function::Omod(..) | Function::Clamp(_) => (&[Class::W], &[Class::W]),
            Function::Dot4 { .. } => (&[Class::W; 5], &[Class::W]),
            Function::Products(_, _, words) => (&[Class::W; 9][..2 * usize::from(words.min(4)) + 1], &[Class::W]),
        }
    }

    fn eval<'m>(self, k: &Spirv<'m>, m: &Modes<Spirv<'m>>, args: &[Value<Spirv<'m>>]) -> Vec<Value<Spirv<'m>>> {
        let value = match (self, args) {
            (Function::Prim(prim), _) => return prim.eval(k, m, args),
            (Function::Widen, &[Value::W(a)]) => Value::W(soft::widen(k, m, a)),
            (Function::Omod(width, omod, nearest), &[Value::W(a)]) => {
                let with = soft::omod::<_, Narrow>(k, m, width.format(), omod, nearest, a);
                Value::W(k.sel(soft::omod_applies(k, m, width.format()), with, a))
            }
            (Function::Omod(width, omod, nearest), &[Value::D(a)]) => {
                let with = soft::omod::<_, Wide>(k, m, width.format(), omod, nearest, a);
                Value::D(k.sel_d(soft::omod_applies(k, m, width.format()), with, a))
            }
            (Function::Clamp(width), &[Value::W(a)]) => Value::W(soft::clamp::<_, Narrow>(k, m, width.format(), a)),
            (Function::Clamp(width), &[Value::D(a)]) => Value::D(soft::clamp::<_, Wide>(k, m, width.format(), a)),
            (Function::Dot4 { bf16, narrow }, &[Value::W(a), Value::W(x), Value::W(b), Value::W(y), Value::W(c)]) => {
                let format = if bf16 { BF16 } else { F16 };
                Value::W(soft::dot4(k, m, format, narrow, [a, x], [b, y], c))
            }
            (Function::Products(core, numbers, _), args) => {
                let words: Vec<Word> =
                    args.iter().filter_map(|arg| if let Value::W(w) = arg { Some(*w) } else { None }).collect();
                let (c, factors) = words.split_last().map_or((Word::Known(0), &[][..]), |(c, factors)| (*c, factors));
                let (a, b) = factors.split_at(factors.len() / 2);
                Value::W(soft::add_products(k, m, core, numbers, a, b, c))
            }
            _ => Value::W(Word::Known(0)),
        };
        vec![value]
    }
}

/// The float functions that a module needs, with their ids.
#[derive(Default)]
pub struct Functions {
    known: RefCell<HashMap<Function, Id>>,
    wanted: RefCell<Vec<Function>>,
    /// MODE, where it is the same whoever calls: bodies are much shorter then.
    mode: Option<u32>,
}

impl Functions {
    /// Functions of a machine whose MODE never changes.
    #[must_use]
    pub fn with_mode(mode: u32) -> Functions {
        Functions { mode: Some(mode), ..Functions::default() }
    }

    /// Writes the functions that have been called, and those which they call.
    pub fn write(&self, m: &Module, target: Target) {
        loop {
            let Some(function) = self.wanted.borrow_mut().pop() else { return };
            let id = self.known.borrow()[&function];
            soft_function(m, self, target, function, id);
        }
    }

    pub(super) fn id(&self, m: &Module, function: Function) -> Id {
        *self.known.borrow_mut().entry(function).or_insert_with(|| {
            self.wanted.borrow_mut().push(function);
            m.id()
        })
    }
}

/// The types of what a function returns.
pub(super) fn result_types(m: &Module, sorts: &[Class]) -> Vec<Id> {
    let (int, boolean) = (m.int(), m.boolean());
    sorts
        .iter()
        .flat_map(|sort| match sort {
            Class::W => vec![int],
            Class::D => vec![int, int],
            Class::C => vec![boolean],
        })
        .collect()
}

/// Writes the body of a float function: MODE comes first, then the operands.
fn soft_function(m: &Module, functions: &Functions, target: Target, function: Function, id: Id) {
    let (args, results) = function.signature();
    let mut types = vec![m.int()];
    types.extend(result_types(m, args));
    let returns = result_types(m, results);
    let ret = if let [ty] = returns[..] { ty } else { m.structure(&returns) };
    m.name(id, &function.name());
    let parameters = m.begin_function(id, ret, &types);
    let mut words = parameters[1..].iter().copied();
    let mut next = || words.next().unwrap_or(0);
    let values: Vec<Value<Spirv<'_>>> = args
        .iter()
        .map(|sort| match sort {
            Class::W => Value::W(Word::Id(next())),
            Class::D => {
                let lo = next();
                Value::D((Word::Id(lo), Word::Id(next())))
            }
            Class::C => Value::C(Truth::Id(next())),
        })
        .collect();
    let mode = functions.mode.map_or(Word::Id(parameters[0]), Word::Known);
    let k = Spirv::new(m, functions, target, mode, Word::Known(0));
    let modes = Modes { mode, generation: target.generation() };
    let results = function.eval(&k, &modes, &values);
    let mut ids = Vec::with_capacity(returns.len());
    for value in results {
        match value {
            Value::W(w) => ids.push(k.id(w)),
            Value::D((lo, hi)) => ids.extend([k.id(lo), k.id(hi)]),
            Value::C(c) => ids.push(k.truth_id(c)),
        }
    }
    let result = if let [id] = ids[..] { id } else { m.op(Op::CompositeConstruct, ret, &ids) };
    m.effect(Op::ReturnValue, &[result]);
    m.end_function();
}
