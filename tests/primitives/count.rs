//! How long the bodies are: operations on words, after constants are folded, equal operations merged, and unused ones left out.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use wavediff::isa::Gen;
use wavediff::spirv::soft::{Class, Int, Modes, Prim, Value};

/// A value: a constant, or something that the program computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Id {
    Const(u32),
    Node(usize),
}
use Id::Const;

type Key = (&'static str, [Id; 3]);

/// Builds a body and counts. Pairs are two words, as in SPIR-V without 64-bit integers; truth values are words here.
#[derive(Default)]
pub struct Counter {
    nodes: RefCell<Vec<Key>>,
    known: RefCell<HashMap<Key, usize>>,
}

const NO: Id = Const(0);

impl Counter {
    fn node(&self, name: &'static str, args: [Id; 3]) -> Id {
        let key = (name, args);
        let mut nodes = self.nodes.borrow_mut();
        Id::Node(*self.known.borrow_mut().entry(key).or_insert_with(|| {
            nodes.push(key);
            nodes.len() - 1
        }))
    }
    fn input(&self, n: usize) -> Id {
        self.node("input", [Const(n as u32), NO, NO])
    }
    fn two(&self, name: &'static str, a: Id, b: Id, fold: impl Fn(u32, u32) -> u32) -> Id {
        match (a, b) {
            (Const(a), Const(b)) => Const(fold(a, b)),
            _ => self.node(name, [a, b, NO]),
        }
    }
    fn one(&self, name: &'static str, a: Id, fold: impl Fn(u32) -> u32) -> Id {
        match a {
            Const(a) => Const(fold(a)),
            Id::Node(_) => self.node(name, [a, NO, NO]),
        }
    }
    /// Operations that the results need.
    fn count(&self, results: &[Id]) -> usize {
        let nodes = self.nodes.borrow();
        let mut seen = HashSet::new();
        let mut open = results.to_vec();
        while let Some(id) = open.pop() {
            if let Id::Node(n) = id
                && seen.insert(n)
            {
                open.extend(nodes[n].1);
            }
        }
        seen.iter().filter(|&&n| nodes[n].0 != "input").count()
    }
}

type D = (Id, Id);

impl Int for Counter {
    type W = Id;
    type D = D;
    type C = Id;

    fn w(&self, v: u32) -> Id {
        Const(v)
    }
    fn d(&self, v: u64) -> D {
        (Const(v as u32), Const((v >> 32) as u32))
    }
    fn c(&self, v: bool) -> Id {
        Const(v.into())
    }
    fn add(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), x) | (x, Const(0)) => x,
            _ => self.two("add", a, b, u32::wrapping_add),
        }
    }
    fn sub(&self, a: Id, b: Id) -> Id {
        if b == NO { a } else { self.two("sub", a, b, u32::wrapping_sub) }
    }
    fn mul(&self, a: Id, b: Id) -> Id {
        if a == NO || b == NO { NO } else { self.two("mul", a, b, u32::wrapping_mul) }
    }
    fn mulhi_u(&self, a: Id, b: Id) -> Id {
        if a == NO || b == NO {
            return NO;
        }
        self.two("mulhi_u", a, b, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32)
    }
    fn mulhi_s(&self, a: Id, b: Id) -> Id {
        self.two("mulhi_s", a, b, |a, b| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32)
    }
    fn and(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), _) | (_, Const(0)) => NO,
            (Const(u32::MAX), x) | (x, Const(u32::MAX)) => x,
            _ => self.two("and", a, b, |a, b| a & b),
        }
    }
    fn or(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), x) | (x, Const(0)) => x,
            _ => self.two("or", a, b, |a, b| a | b),
        }
    }
    fn xor(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), x) | (x, Const(0)) => x,
            _ => self.two("xor", a, b, |a, b| a ^ b),
        }
    }
    fn not(&self, a: Id) -> Id {
        self.one("not", a, |a| !a)
    }
    fn shl(&self, a: Id, n: Id) -> Id {
        if a == NO || n == NO { a } else { self.two("shl", a, n, |a, n| a << (n & 31)) }
    }
    fn shr(&self, a: Id, n: Id) -> Id {
        if a == NO || n == NO { a } else { self.two("shr", a, n, |a, n| a >> (n & 31)) }
    }
    fn sar(&self, a: Id, n: Id) -> Id {
        if a == NO || n == NO { a } else { self.two("sar", a, n, |a, n| (a as i32 >> (n & 31)) as u32) }
    }
    fn eq(&self, a: Id, b: Id) -> Id {
        if a == b { Const(1) } else { self.two("eq", a, b, |a, b| (a == b).into()) }
    }
    fn lt_u(&self, a: Id, b: Id) -> Id {
        if a == b || b == NO { NO } else { self.two("lt_u", a, b, |a, b| (a < b).into()) }
    }
    fn lt_s(&self, a: Id, b: Id) -> Id {
        if a == b { NO } else { self.two("lt_s", a, b, |a, b| ((a as i32) < b as i32).into()) }
    }
    fn sel(&self, c: Id, t: Id, f: Id) -> Id {
        match c {
            Const(c) => [f, t][c as usize],
            Id::Node(_) if t == f => t,
            Id::Node(_) => self.node("sel", [c, t, f]),
        }
    }
    fn clz(&self, a: Id) -> Id {
        self.one("clz", a, u32::leading_zeros)
    }
    fn ctz(&self, a: Id) -> Id {
        self.one("ctz", a, u32::trailing_zeros)
    }
    fn min_u(&self, a: Id, b: Id) -> Id {
        self.two("min_u", a, b, u32::min)
    }
    fn max_u(&self, a: Id, b: Id) -> Id {
        self.two("max_u", a, b, u32::max)
    }
    fn min_s(&self, a: Id, b: Id) -> Id {
        self.two("min_s", a, b, |a, b| (a as i32).min(b as i32) as u32)
    }
    fn max_s(&self, a: Id, b: Id) -> Id {
        self.two("max_s", a, b, |a, b| (a as i32).max(b as i32) as u32)
    }
    fn nz(&self, a: Id) -> Id {
        self.one("nz", a, |a| (a != 0).into())
    }
    fn bit(&self, c: Id) -> Id {
        self.one("bit", c, |c| c)
    }
    fn mul_wide_u(&self, a: Id, b: Id) -> D {
        (self.mul(a, b), self.mulhi_u(a, b))
    }
    fn add_d(&self, a: D, b: D) -> D {
        let low = self.add(a.0, b.0);
        // Without a low word there is no carry.
        let carry = if a.0 == NO || b.0 == NO { NO } else { self.bit(self.lt_u(low, b.0)) };
        (low, self.add(self.add(a.1, b.1), carry))
    }
    fn sub_d(&self, a: D, b: D) -> D {
        (self.sub(a.0, b.0), self.sub(self.sub(a.1, b.1), self.bit(self.lt_u(a.0, b.0))))
    }
    fn mul_d(&self, a: D, b: D) -> D {
        let (low, high) = self.mul_wide_u(a.0, b.0);
        (low, self.add(high, self.add(self.mul(a.0, b.1), self.mul(a.1, b.0))))
    }
    fn and_d(&self, a: D, b: D) -> D {
        (self.and(a.0, b.0), self.and(a.1, b.1))
    }
    fn or_d(&self, a: D, b: D) -> D {
        (self.or(a.0, b.0), self.or(a.1, b.1))
    }
    fn xor_d(&self, a: D, b: D) -> D {
        (self.xor(a.0, b.0), self.xor(a.1, b.1))
    }
    fn not_d(&self, a: D) -> D {
        (self.not(a.0), self.not(a.1))
    }
    fn shl_d(&self, a: D, n: Id) -> D {
        let over = self.shr(self.shr(a.0, Const(1)), self.not(n));
        let (low, high) = (self.shl(a.0, n), self.or(self.shl(a.1, n), over));
        let far = self.nz(self.and(n, Const(32)));
        (self.sel(far, NO, low), self.sel(far, low, high))
    }
    fn shr_d(&self, a: D, n: Id) -> D {
        let over = self.shl(self.shl(a.1, Const(1)), self.not(n));
        let (low, high) = (self.or(self.shr(a.0, n), over), self.shr(a.1, n));
        let far = self.nz(self.and(n, Const(32)));
        (self.sel(far, high, low), self.sel(far, NO, high))
    }
    fn eq_d(&self, a: D, b: D) -> Id {
        self.both(self.eq(a.0, b.0), self.eq(a.1, b.1))
    }
    fn ltu_d(&self, a: D, b: D) -> Id {
        let low = self.both(self.eq(a.1, b.1), self.lt_u(a.0, b.0));
        self.either(self.lt_u(a.1, b.1), low)
    }
    fn sel_d(&self, c: Id, t: D, f: D) -> D {
        (self.sel(c, t.0, f.0), self.sel(c, t.1, f.1))
    }
    fn clz_d(&self, a: D) -> Id {
        self.sel(self.eq(a.1, NO), self.add(self.clz(a.0), Const(32)), self.clz(a.1))
    }
    fn ctz_d(&self, a: D) -> Id {
        self.sel(self.eq(a.0, NO), self.add(self.ctz(a.1), Const(32)), self.ctz(a.0))
    }
    fn pair(&self, lo: Id, hi: Id) -> D {
        (lo, hi)
    }
    fn lo(&self, a: D) -> Id {
        a.0
    }
    fn hi(&self, a: D) -> Id {
        a.1
    }
    fn zext(&self, a: Id) -> D {
        (a, NO)
    }
    fn both(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), _) | (_, Const(0)) => NO,
            (Const(_), x) | (x, Const(_)) => x,
            _ => self.node("both", [a, b, NO]),
        }
    }
    fn either(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), x) | (x, Const(0)) => x,
            (Const(_), _) | (_, Const(_)) => Const(1),
            _ => self.node("either", [a, b, NO]),
        }
    }
    fn differ(&self, a: Id, b: Id) -> Id {
        match (a, b) {
            (Const(0), x) | (x, Const(0)) => x,
            (Const(_), x) | (x, Const(_)) => self.negate(x),
            _ => self.node("differ", [a, b, NO]),
        }
    }
    fn negate(&self, a: Id) -> Id {
        self.one("negate", a, |a| 1 - a)
    }
}

/// The length of a body, with MODE a value or a constant.
pub fn length(prim: Prim, generation: Gen, mode: Option<u32>) -> usize {
    let k = Counter::default();
    let mode = mode.map_or_else(|| k.input(99), Const);
    let modes = Modes { mode, generation };
    let args: Vec<Value<Counter>> = (prim.signature().0.iter().enumerate())
        .map(|(i, class)| match class {
            Class::W => Value::W(k.input(2 * i)),
            Class::D => Value::D((k.input(2 * i), k.input(2 * i + 1))),
            Class::C => Value::C(k.input(2 * i)),
        })
        .collect();
    let results: Vec<Id> = (prim.eval(&k, &modes, &args).into_iter())
        .flat_map(|value| match value {
            Value::W(w) | Value::C(w) => vec![w],
            Value::D((low, high)) => vec![low, high],
        })
        .collect();
    k.count(&results)
}

/// Drivers compile every body wherever it is used: none may grow unseen.
#[test]
fn lengths() {
    let print = std::env::var_os("LENGTHS").is_some();
    for prim in Prim::all() {
        let [free, keep] = [None, Some(0x2f0)].map(|mode| length(prim, Gen::Gfx11, mode));
        if print {
            println!("{:<40} {free:4} {keep:4}", format!("{prim:?}"));
        }
        let most = match prim.name() {
            "add_f32" | "sub_f32" | "mul_f32" => 120,
            "fma_f32" => 220,
            _ => 900,
        };
        assert!(free <= most, "{prim:?} has {free} operations");
    }
}
