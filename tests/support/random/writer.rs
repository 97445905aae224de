//! What a program does: variables, branches, loops, and what it leaves.

use super::{Class, Dialect, Dice, Hole, Kind, Row, Type};
use std::fmt::Write as _;

/// How deep expressions are.
const DEPTH: u32 = 3;

/// A variable.
#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
    /// Whether it may be assigned to: counters of loops may not.
    free: bool,
}

/// Writes the text of a program that has a word `l`, the number of an item in its group, `item`, one in all groups, an array `o` of words
/// to be left, and a constant `LEFT`, how many words of it an item has.
pub struct Writer<'a> {
    pub dice: &'a mut Dice,
    pub dialect: &'static Dialect,
    /// The types that the program has.
    pub types: Vec<&'static Type>,
    /// Their letters, and those of what else it has.
    letters: String,
    pub text: String,
    /// How many words an item leaves.
    pub left: u32,
    scope: Vec<Variable>,
    named: u32,
    indent: usize,
}

impl<'a> Writer<'a> {
    /// One of a program with types of some letters; a word and whether something holds are among them. Other letters are for [`Hole::Has`].
    pub fn new(dice: &'a mut Dice, dialect: &'static Dialect, letters: &str) -> Writer<'a> {
        let types = letters.chars().filter_map(|letter| dialect.types.iter().find(|ty| ty.letter == letter)).collect();
        Writer {
            dice,
            dialect,
            types,
            letters: letters.to_owned(),
            text: String::new(),
            left: 0,
            scope: Vec::new(),
            named: 0,
            indent: 1,
        }
    }

    /// A line of the program.
    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 4 * self.indent);
    }

    /// The type of one component with a letter.
    pub fn scalar(&self, letter: char) -> Kind {
        Kind { of: self.dialect.named(letter), n: 1 }
    }

    /// Whether the program has a type, or something else.
    pub fn has(&self, letter: char) -> bool {
        self.letters.contains(letter)
    }

    /// A word.
    pub fn word(&mut self, depth: u32) -> String {
        self.expression(self.scalar('u'), depth)
    }

    /// Variables of every type that differ from item to item, and some that do not; arrays that fit into registers, or do not.
    pub fn begin(&mut self) {
        self.line("uint big[40];");
        self.line("for (uint n = 0u; n < 40u; n++) big[n] = n * l + 77u;");
        self.line("uint array[8] = { 1u, l, 3u, ~l, 5u, l << 5u, l * 7u, 8u };");
        for of in self.types.clone() {
            if of.class == Class::Bool {
                continue;
            }
            for n in [1, 1, 1 + self.dice.below(4)] {
                let kind = Kind { of, n };
                let parts: Vec<String> = (0..n).map(|_| self.given(of)).collect();
                let value = (self.dialect.cast)(&kind.name(), &parts.join(", "));
                self.declare(kind, &value);
            }
        }
    }

    /// A number out of memory, of an item or of all.
    fn given(&mut self, of: &Type) -> String {
        let index = match self.dice.below(3) {
            0 => format!("{}u", self.dice.below(256)),
            1 => format!("(item + {}u) & 255u", self.dice.below(256)),
            _ => format!("item * {}u & 255u", self.dice.below(256)),
        };
        self.dice.of(of.given).replace('@', &index)
    }

    fn name(&mut self) -> String {
        self.named += 1;
        format!("v{}", self.named)
    }

    fn kind(&mut self) -> Kind {
        let of = *self.dice.of(&self.types);
        let n = match self.dice.below(10) {
            _ if of.class == Class::Bool => 1,
            0..=5 => 1,
            6 | 7 => 2,
            8 => 3,
            _ => 4,
        };
        Kind { of, n }
    }

    /// A new variable; its name.
    pub fn declare(&mut self, kind: Kind, value: &str) -> String {
        let name = self.hold(kind, value);
        self.rest(&name, kind);
        self.scope.push(Variable { name: name.clone(), kind, free: true });
        name
    }

    /// A float comes to rest.
    fn rest(&mut self, name: &str, kind: Kind) {
        if kind.of.class == Class::Float {
            self.line(&format!("{name} = fold({name});"));
        }
    }

    /// A statement, which has others in it down to a depth.
    pub fn statement(&mut self, depth: u32) {
        match self.dice.below(if depth == 0 { 7 } else { 14 }) {
            6 => self.returned(),
            0 | 1 => {
                let kind = self.kind();
                let value = self.expression(kind, DEPTH);
                self.declare(kind, &value);
            }
            2..=4 => self.assigned(),
            5 => self.stored(),
            7..=9 => self.branch(depth),
            10 | 11 => self.repeated(depth),
            12 => self.chosen(depth),
            // In a branch, so that not all leave it; in a loop the last one wins.
            _ => {
                let value = self.word(2);
                self.leave(&value);
            }
        }
    }

    fn assigned(&mut self) {
        let free: Vec<Variable> = self.scope.iter().filter(|variable| variable.free).cloned().collect();
        if free.is_empty() {
            return;
        }
        let Variable { name, kind, .. } = self.dice.of(&free).clone();
        let value = self.expression(kind, DEPTH);
        self.line(&format!("{name} = {value};"));
        self.rest(&name, kind);
    }

    /// Something is stored in memory of the item.
    fn stored(&mut self) {
        let (place, kind) = self.one_of(self.dialect.places());
        let value = self.expression(kind, 2);
        self.line(&format!("{place} = {value};"));
    }

    /// Memory of the item is changed by an atomic.
    fn returned(&mut self) {
        let (value, kind) = self.one_of(self.dialect.returning.iter());
        self.declare(kind, &value);
    }

    /// The text of one of some rows, with its type.
    fn one_of(&mut self, rows: impl Iterator<Item = &'static Row>) -> (String, Kind) {
        let dialect = self.dialect;
        let rows: Vec<&Row> = rows.filter(|row| self.can(row.text, row.kind(dialect))).collect();
        let row = *self.dice.of(&rows);
        let kind = row.kind(dialect);
        (self.filled(row.text, kind, 2), kind)
    }

    /// Statements with variables of their own.
    fn block(&mut self, depth: u32) {
        let known = self.scope.len();
        self.indent += 1;
        for _ in 0..1 + self.dice.below(3) {
            self.statement(depth - 1);
        }
        self.indent -= 1;
        self.scope.truncate(known);
    }

    /// A name for a value: qualified as all are, where a condition would not be.
    fn hold(&mut self, kind: Kind, value: &str) -> String {
        let name = self.name();
        self.line(&format!("{}{} {name} = {value};", self.dialect.qualifier, kind.name()));
        name
    }

    fn condition(&mut self) -> String {
        let kind = self.scalar('b');
        let value = self.expression(kind, 2);
        self.hold(kind, &value)
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.condition();
        self.line(&format!("if ({condition}) {{"));
        self.block(depth);
        if self.dice.percent(40) {
            self.line("} else {");
            self.block(depth);
        }
        self.line("}");
    }

    fn repeated(&mut self, depth: u32) {
        let times = self.word(1);
        let most = *self.dice.of(&[3, 3, 7, 15]);
        let word = self.scalar('u');
        let end = self.hold(word, &format!("({times}) & {most}u"));
        let name = self.name();
        self.line(&format!("for (uint {name} = 0u; {name} < {end}; {name}++) {{"));
        self.scope.push(Variable { name, kind: word, free: false });
        if self.dice.percent(30) {
            self.indent += 1;
            let condition = self.condition();
            let way = *self.dice.of(&["break", "continue"]);
            self.line(&format!("if ({condition}) {way};"));
            self.indent -= 1;
        }
        self.block(depth);
        self.scope.pop();
        self.line("}");
    }

    fn chosen(&mut self, depth: u32) {
        let value = self.word(2);
        let name = self.hold(self.scalar('u'), &value);
        self.line(&format!("switch ({name} & 3u) {{"));
        for case in 0..1 + self.dice.below(3) {
            self.line(&format!("case {case}u: {{"));
            self.block(depth);
            self.line("}");
            if self.dice.percent(70) {
                self.line("    break;");
            }
        }
        self.line("default: {");
        self.block(depth);
        self.line("} }");
    }

    /// The words `s` that a group shares are written between barriers, one by each of so many items, and changed by atomics that know no order.
    pub fn share(&mut self, size: u32) {
        let Dialect { barrier, atomics, .. } = self.dialect;
        self.between_barriers("s", self.scalar('u'));
        if self.dice.percent(50) {
            let change = *self.dice.of(atomics);
            let (at, value) = (self.word(1), self.word(2));
            self.line(&format!("{change}s[({at}) % {size}u], {value});"));
            self.line(barrier);
        }
    }

    /// Each item writes its element of an array that a group shares.
    pub fn between_barriers(&mut self, array: &str, kind: Kind) {
        let stored = self.expression(kind, 2);
        self.line(self.dialect.barrier);
        self.line(&format!("{array}[l] = {stored};"));
        self.line(self.dialect.barrier);
    }

    /// An atomic in memory that knows no order: each kind has words of its own, of the 192 in `t`.
    pub fn count(&mut self) {
        let n = self.dice.below(6);
        let (at, value) = (self.word(1), self.word(2));
        self.line(&format!("{}t[{} + (({at}) & 31u)], {value});", self.dialect.atomics[n as usize], 32 * n));
    }

    /// A word is left.
    fn leave(&mut self, value: &str) {
        self.line(&format!("o[LEFT * item + {}u] = {value};", self.left));
        self.left += 1;
    }

    /// All variables are left.
    pub fn end(&mut self) {
        for Variable { name, kind, .. } in self.scope.clone() {
            for part in ["x", "y", "z", "w"].into_iter().take(kind.n as usize) {
                let part = if kind.n == 1 { name.clone() } else { format!("{name}.{part}") };
                kind.of.words.iter().for_each(|word| self.leave(&word.replace('@', &part)));
            }
        }
        (0..8).for_each(|n| self.leave(&format!("array[{n}]")));
        (0..40).step_by(7).for_each(|n| self.leave(&format!("big[{n}]")));
    }

    /// The type of a hole in a text of another; nothing where the hole is no expression.
    fn wanted(&self, hole: &Hole, around: Kind) -> Option<Kind> {
        let Hole::Of { letter, n, .. } = *hole else { return None };
        let of = if letter == 'x' { around.of } else { self.dialect.named(letter) };
        Some(Kind { of, n: n.unwrap_or(around.n) })
    }

    /// Whether the program has what a row of a type needs.
    fn can(&self, text: &str, kind: Kind) -> bool {
        self.has(kind.of.letter)
            && Hole::all(text).all(|hole| match (&hole, self.wanted(&hole, kind)) {
                (Hole::Has(what), _) => self.has(*what),
                (_, wanted) => wanted.is_none_or(|wanted| self.has(wanted.of.letter)),
            })
    }

    /// An expression of a type.
    pub fn expression(&mut self, kind: Kind, depth: u32) -> String {
        if depth == 0 || self.dice.percent(12) {
            return self.leaf(kind);
        }
        let rows: Vec<&str> = self.dialect.rows(kind).filter(|text| self.can(text, kind)).collect();
        if rows.is_empty() {
            return self.leaf(kind);
        }
        let row = *self.dice.of(&rows);
        self.filled(row, kind, depth)
    }

    /// The text of a row of a type, with expressions in its holes.
    fn filled(&mut self, mut rest: &str, kind: Kind, depth: u32) -> String {
        let mut text = String::new();
        while let Some((before, (hole, behind))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            text += before;
            rest = behind;
            let hole = Hole::of(hole);
            text += &match (&hole, self.wanted(&hole, kind)) {
                (Hole::Of { leaf: true, .. }, Some(wanted)) => self.leaf(wanted),
                (_, Some(wanted)) => self.expression(wanted, depth - 1),
                (Hole::Bits, None) => match kind.of.class {
                    Class::Whole(bits) => (bits - 1).to_string(),
                    _ => panic!("`{text}` is shifted"),
                },
                (Hole::Has(_), None) => String::new(),
                (_, None) => kind.name(),
            };
        }
        text + rest
    }

    /// A variable, a number, or what an item is given.
    fn leaf(&mut self, kind: Kind) -> String {
        let known = self.scope.iter().filter(|variable| variable.kind == kind);
        let known: Vec<String> = known.map(|variable| variable.name.clone()).collect();
        if !known.is_empty() && self.dice.percent(85) {
            return self.dice.of(&known).clone();
        }
        let given: Vec<&str> = self.dialect.leaves.iter().filter(|row| row.fits(kind)).map(|row| row.text).collect();
        if !given.is_empty() && self.dice.percent(60) {
            return (*self.dice.of(&given)).to_owned();
        }
        self.dialect.literal(kind, self.dice)
    }
}
