//! What the text reads from each operand, for a generator of values.

use super::ast::{Body, Expr, Stmt};
use super::value::Ty;

/// How an operand is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand {
    pub ty: Ty,
    /// Two values of 16 bits in one register.
    pub packed: bool,
}

/// S0, S1 and S2, and whether the old D0 is an operand too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    pub s: [Option<Operand>; 3],
    pub reads_d0: bool,
}

pub fn operands(name: &str, program: &[Stmt]) -> Operands {
    let mut seen = Seen::default();
    if name.starts_with("V_FMA_MIX") {
        let f32 = Operand { ty: Ty::of_suffix("f").unwrap_or(Ty::U(32)), packed: false };
        return Operands { s: [Some(f32); 3], reads_d0: false };
    }
    seen.block(program);
    let mut s = [0, 1, 2].map(|i| seen.reads[i].choice());
    if name.starts_with("V_FMAC_") {
        // The text of one of them calls the accumulator S2.
        s[2] = None;
    }
    Operands { s, reads_d0: seen.reads_d0 }
}

#[derive(Default)]
struct Seen {
    reads: [Reads; 3],
    reads_d0: bool,
    wrote_d0: bool,
}

#[derive(Default)]
struct Reads {
    types: Vec<(Ty, bool)>,
    highest: u32,
    upper_half: bool,
    any: bool,
}

impl Reads {
    /// A float if there is one; else the widest view; else what its slices reach.
    fn choice(&self) -> Option<Operand> {
        if !self.any {
            return None;
        }
        let float = self.types.iter().find(|(ty, _)| matches!(ty, Ty::F(_)));
        let whole = self.types.iter().filter(|(_, sliced)| !sliced).max_by_key(|(ty, _)| ty.width());
        let halves = self.types.iter().find(|(ty, sliced)| *sliced && ty.width() == 16);
        let (ty, sliced) = float.or(whole).or(halves).copied().unwrap_or((Ty::B(32), true));
        let reached = match self.highest {
            0..32 => ty,
            32..64 if ty.width() < 64 => Ty::U(64),
            64.. => Ty::B(128),
            _ => ty,
        };
        Some(Operand { ty: reached, packed: sliced && self.upper_half && ty.width() == 16 })
    }
}

impl Seen {
    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            match statement {
                Stmt::Assign(target, op, value) => {
                    self.expr(value);
                    let d0 = root(target) == Some("D0");
                    self.reads_d0 |= d0 && op.is_some() && !self.wrote_d0;
                    self.wrote_d0 |= d0;
                    self.target(target);
                }
                Stmt::If(arms, otherwise) => {
                    // What one arm writes, the others have not written.
                    let before = self.wrote_d0;
                    for (condition, block) in arms {
                        self.expr(condition);
                        self.wrote_d0 = before;
                        self.block(block);
                    }
                    self.wrote_d0 = before;
                    self.block(otherwise);
                }
                Stmt::For(_, from, to, block) => {
                    self.expr(from);
                    self.expr(to);
                    self.block(block);
                }
                Stmt::Return(value) | Stmt::Call(value) => self.expr(value),
                Stmt::Declare(..) | Stmt::Break | Stmt::Words(_) => {}
            }
        }
    }

    /// What a target reads: its indices.
    fn target(&mut self, target: &Expr) {
        match target {
            Expr::Index(base, index) => {
                self.expr(index);
                self.target(base);
            }
            Expr::Field(base, _) | Expr::Slice(base, ..) => self.target(base),
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        if let Some(name) = root(expr) {
            self.reads_d0 |= name == "D0" && !self.wrote_d0;
            if let Some(which) = ["S0", "S1", "S2"].iter().position(|s| *s == name) {
                self.read(which, expr, None);
            }
        }
        match expr {
            Expr::Field(base, _) => self.inside(base),
            Expr::Index(base, index) => {
                self.expr(index);
                self.inside(base);
            }
            Expr::Slice(base, from, to) => {
                self.expr(from);
                self.expr(to);
                self.inside(base);
            }
            Expr::Concat(parts) | Expr::Call(_, parts) => parts.iter().for_each(|p| self.expr(p)),
            Expr::Cast(_, inner) | Expr::Unary(_, inner) => self.expr(inner),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Choose(condition, yes, no) => [condition, yes, no].into_iter().for_each(|e| self.expr(e)),
            Expr::Lambda(_, body) => match &**body {
                Body::Value(value) => self.expr(value),
                Body::Block(block) => self.block(block),
            },
            Expr::Number(..) | Expr::Name(_) => {}
        }
    }

    /// The base of a view: an operand there has been seen already, an expression has not.
    fn inside(&mut self, base: &Expr) {
        match base {
            Expr::Name(_) => {}
            Expr::Index(inner, index) => {
                self.expr(index);
                self.inside(inner);
            }
            Expr::Field(inner, _) | Expr::Slice(inner, ..) => self.inside(inner),
            other => self.expr(other),
        }
    }

    fn read(&mut self, which: usize, expr: &Expr, outer: Option<Ty>) {
        let reads = &mut self.reads[which];
        reads.any = true;
        match expr {
            Expr::Field(base, suffix) => {
                let ty = Ty::of_suffix(suffix);
                if matches!(**base, Expr::Name(_)) {
                    reads.types.extend(ty.map(|ty| (ty, false)));
                } else {
                    self.read(which, base, ty);
                }
            }
            Expr::Slice(base, from, to) => {
                let constant = |e: &Expr| if let Expr::Number(_, bits) = e { *bits as u32 } else { 0 };
                reads.highest = reads.highest.max(constant(from)).max(constant(to));
                reads.upper_half |= constant(to) == 16;
                if matches!(**base, Expr::Name(_)) {
                    reads.types.extend(outer.map(|ty| (ty, true)));
                }
                self.read(which, base, None);
            }
            Expr::Index(base, _) => self.read(which, base, None),
            _ => {}
        }
    }
}

/// The name an expression is a view of.
fn root(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Name(name) => Some(name),
        Expr::Field(base, _) | Expr::Index(base, _) | Expr::Slice(base, ..) => root(base),
        _ => None,
    }
}
