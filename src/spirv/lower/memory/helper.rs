//! Functions of the module that memory instructions call.
//!
//! What every access does (find a region, put bytes together, judge a buffer) is written once a module, when it is first called for, as a
//! function from words to words. A body writes plain straight-line code with the structured forms below; it must not name the variables
//! of the entry point. Functions may call each other, but not themselves.

use super::Lower;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Pair, Truth, Word};
use crate::spirv::module::Id;
use rspirv::spirv::Op;
use std::cell::RefCell;
use std::collections::HashMap;

/// Writes a function: from its configuration and arguments to its results.
type Body = fn(&Lower<'_>, u32, &[Word]) -> Vec<Word>;

/// A function.
#[derive(Clone, Copy)]
pub(in crate::spirv) struct Helper {
    /// Its name in the module.
    pub(in crate::spirv) name: &'static str,
    /// How many words it returns.
    pub(in crate::spirv) results: u32,
    /// What it does.
    pub(in crate::spirv) body: Body,
}

/// A variable of 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Wide([Id; 2]);

/// The functions that a module needs.
#[derive(Default)]
pub(in crate::spirv) struct Helpers {
    known: RefCell<HashMap<(&'static str, u32), Id>>,
    wanted: RefCell<Vec<(Helper, u32, usize, Id)>>,
}

impl Lower<'_> {
    /// Calls a function. `config` tells functions of one body apart.
    pub(in crate::spirv) fn call(&self, helper: Helper, config: u32, args: &[Word]) -> Vec<Word> {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let id = *self.helpers.known.borrow_mut().entry((helper.name, config)).or_insert_with(|| {
            let id = m.id();
            self.helpers.wanted.borrow_mut().push((helper, config, args.len(), id));
            id
        });
        let mut operands = vec![id];
        operands.extend(args.iter().map(|w| k.id(*w)));
        let int = m.int();
        if helper.results == 1 {
            return vec![Word::Id(m.op(Op::FunctionCall, int, &operands))];
        }
        let ty = m.structure(&vec![int; helper.results as usize]);
        let result = m.op(Op::FunctionCall, ty, &operands);
        (0..helper.results).map(|n| Word::Id(m.word_op(Op::CompositeExtract, &[result, n]))).collect()
    }

    /// Writes the functions that have been called, and those which they call.
    pub(in crate::spirv) fn write_helpers(&self) {
        let m = &self.m;
        let k = self.alg(Word::Known(0));
        let int = m.int();
        loop {
            let Some((helper, config, args, id)) = self.helpers.wanted.borrow_mut().pop() else { return };
            let ret = if helper.results == 1 { int } else { m.structure(&vec![int; helper.results as usize]) };
            m.name(id, helper.name);
            let parameters = m.begin_function(id, ret, &vec![int; args]);
            let parameters: Vec<Word> = parameters.into_iter().map(Word::Id).collect();
            let results: Vec<Id> = (helper.body)(self, config, &parameters).into_iter().map(|w| k.id(w)).collect();
            let result = if let [id] = results[..] { id } else { m.op(Op::CompositeConstruct, ret, &results) };
            m.effect(Op::ReturnValue, &[result]);
            m.end_function();
        }
    }

    /// A variable of the open function, with a value.
    pub(super) fn var(&self, v: Word) -> Id {
        let id = self.m.variable(self.m.int());
        self.put(id, v);
        id
    }

    /// What a variable holds.
    pub(super) fn get(&self, variable: Id) -> Word {
        Word::Id(self.m.load(variable))
    }

    /// Writes a variable.
    pub(super) fn put(&self, variable: Id, v: Word) {
        self.m.store(variable, self.alg(Word::Known(0)).id(v));
    }

    /// Writes a variable, if.
    pub(super) fn put_if(&self, c: Truth, variable: Id, v: Word) {
        self.put(variable, self.alg(Word::Known(0)).sel(c, v, self.get(variable)));
    }

    /// A variable of 64 bits of the open function, with a value.
    pub(super) fn wide(&self, v: Pair) -> Wide {
        Wide([self.var(v.0), self.var(v.1)])
    }

    /// What a variable of 64 bits holds.
    pub(super) fn get_wide(&self, variable: Wide) -> Pair {
        let [low, high] = variable.0;
        (self.get(low), self.get(high))
    }

    /// Writes a variable of 64 bits.
    pub(super) fn put_wide(&self, variable: Wide, v: Pair) {
        let [low, high] = variable.0;
        self.put(low, v.0);
        self.put(high, v.1);
    }

    /// Writes a variable of 64 bits, if.
    pub(super) fn put_wide_if(&self, c: Truth, variable: Wide, v: Pair) {
        self.put_wide(variable, self.alg(Word::Known(0)).sel_d(c, v, self.get_wide(variable)));
    }

    /// Does something with each number below a count, at least with 0.
    pub(super) fn times(&self, count: Word, body: impl FnOnce(Word)) {
        self.times_while(count, |n| {
            body(n);
            Truth::Known(true)
        });
    }

    /// Does something with each number below a count, as long as it says so; at least with 0.
    pub(super) fn times_while(&self, count: Word, body: impl FnOnce(Word) -> Truth) {
        let k = self.alg(Word::Known(0));
        let next = self.var(k.w(0));
        self.repeat(|| {
            let n = self.get(next);
            let goes_on = body(n);
            let following = k.add(n, k.w(1));
            self.put(next, following);
            k.both(goes_on, k.lt_u(following, count))
        });
    }

    /// Does something again and again, as long as it says so.
    pub(super) fn repeat(&self, body: impl FnOnce() -> Truth) {
        let m = &self.m;
        let again = m.variable(m.int());
        let k = self.alg(Word::Known(0));
        let [header, inside, cont, exit] = [(); 4].map(|()| m.id());
        m.branch(header);
        m.label(header);
        m.effect(Op::LoopMerge, &[exit, cont, 0]);
        m.branch(inside);
        m.label(inside);
        let more = self.inside(body);
        self.put(again, k.bit(more));
        m.branch(cont);
        m.label(cont);
        let more = k.nz(self.get(again));
        m.effect(Op::BranchConditional, &[k.truth_id(more), header, exit]);
        m.label(exit);
    }
}
