//! Proves texts, and remembers: once for each shape of an instruction ([`super::shape`]), and what is known by then needs no printer either
//! ([`super::lines`], [`super::template`]).

use super::classes::Classes;
use super::lines::{Lines, Row, Texts, texts};
use super::proved::Shapes;
use super::shape::{Plan, Shape};
use super::template::Templates;
use super::{Decoded, print};
use crate::asm::Assembler;
use crate::asm::expr::NoSymbols;
use crate::isa::Target;
use crate::isa::form::Table;
use crate::isa::table::pair;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What provers of one target learn from each other, and the texts of its operands.
#[derive(Clone)]
pub struct Proved {
    shapes: Arc<Mutex<Shapes>>,
    texts: Texts,
}

impl Proved {
    /// Nothing yet.
    #[must_use]
    pub fn new(target: Target) -> Proved {
        Proved { shapes: Arc::default(), texts: texts(Table::of(target)) }
    }

    fn lock(&self) -> MutexGuard<'_, Shapes> {
        self.shapes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a shape comes by before a template is worth its while.
const OFTEN: u16 = 8;

/// Proves texts. One a thread: it remembers.
pub struct Prover {
    table: &'static Table,
    assembler: Assembler,
    lines: Lines,
    templates: Templates,
    plans: Vec<Option<Box<Plan>>>,
    classes: Vec<Classes>,
    proved: Shapes,
    /// How often a shape comes by before a template of it is made.
    often: u16,
    /// What this one and others proved.
    shared: Proved,
}

impl Prover {
    /// Nothing is proved yet.
    #[must_use]
    pub fn new(target: Target) -> Prover {
        Prover::beside(target, &Proved::new(target))
    }

    /// One of several, for the same target.
    #[must_use]
    pub fn beside(target: Target, others: &Proved) -> Prover {
        let table = Table::of(target);
        Prover {
            table,
            assembler: Assembler::new(target),
            lines: Lines::new(table, &others.texts),
            templates: Templates::new(table),
            plans: table.forms.iter().map(|_| None).collect(),
            classes: Vec::new(),
            proved: Shapes::default(),
            often: OFTEN,
            shared: others.clone(),
        }
    }

    /// The same, with a template for each shape that comes by a second time: so that tests see many.
    #[must_use]
    pub fn eager(self) -> Prover {
        Prover { often: 1, ..self }
    }

    /// Appends the text of an instruction, which stands for its words, and tells whether that was known. The words may have others
    /// behind them.
    ///
    /// # Errors
    /// Why the text does not stand for the words; it is appended all the same.
    pub fn text(&mut self, decoded: &Decoded<'_>, words: &[u32], out: &mut Vec<u8>) -> Result<bool, String> {
        let mut row = [0; _];
        let both = pair(words[0], words.get(1).copied().unwrap_or(0));
        if let Some(end) = self.known(self.table.number(decoded.form) as u16, words, both, &mut row) {
            out.extend_from_slice(&row[1..end]);
            return Ok(true);
        }
        self.print(decoded, words, out).map(|()| false)
    }

    /// The same of an instruction that is not known.
    pub(super) fn print(&mut self, decoded: &Decoded<'_>, words: &[u32], out: &mut Vec<u8>) -> Result<(), String> {
        let text = out.len();
        print(self.table, decoded, words, out);
        self.prove(decoded, &out[text..], words)
    }

    /// Writes the text of an instruction behind the first byte of a row, if it needs no proof any more, and gives where it ends.
    #[inline(always)]
    pub(super) fn known(&mut self, number: u16, words: &[u32], both: u64, row: &mut Row) -> Option<usize> {
        if let Some(end) = self.lines.known(number, both, row) {
            return Some(end);
        }
        self.templates.known(number, words, &self.classes, row)
    }

    /// The shape of an instruction of this table; its words may have others behind them.
    #[inline]
    pub fn shape(&mut self, decoded: &Decoded<'_>, words: &[u32]) -> Option<Shape> {
        let number = self.table.number(decoded.form);
        let plan = self.plans.get_mut(number)?;
        let plan = plan.get_or_insert_with(|| Box::new(Plan::new(self.table, decoded.form, &mut self.classes)));
        Some(plan.shape(number, decoded.len.into(), words, &self.classes))
    }

    /// Whether a text stands for the words of an instruction, which may have others behind them.
    ///
    /// # Errors
    /// Why it does not.
    #[inline]
    fn prove(&mut self, decoded: &Decoded<'_>, text: &[u8], words: &[u32]) -> Result<(), String> {
        let shape = self.shape(decoded, words);
        match shape.and_then(|shape| self.proved.seen(&shape)) {
            // Not all of a shape have the same template: what comes by later may want another one.
            Some(often) if often >= self.often && often.is_power_of_two() => self.make_template(decoded, words),
            Some(_) => {}
            None => self.prove_first(shape, text, &words[..usize::from(decoded.len)])?,
        }
        self.lines.learn(decoded, words);
        Ok(())
    }

    /// Makes a template of an instruction whose shape comes by often.
    #[cold]
    fn make_template(&mut self, decoded: &Decoded<'_>, words: &[u32]) {
        if let Some(Some(plan)) = self.plans.get(self.table.number(decoded.form)) {
            self.templates.make(decoded, words, plan, &self.classes);
        }
    }

    /// Proves what this one did not prove yet.
    #[cold]
    fn prove_first(&mut self, shape: Option<Shape>, text: &[u8], words: &[u32]) -> Result<(), String> {
        let Some(shape) = shape else { return self.assemble(text, words) };
        if self.shared.lock().seen(&shape).is_none() {
            self.assemble(text, words)?;
            let mut shared = self.shared.lock();
            // Another one may have proved it meanwhile.
            if shared.seen(&shape).is_none() {
                shared.insert(&shape);
            }
        }
        self.proved.insert(&shape);
        Ok(())
    }

    /// The plain proof: whether a text assembles to these words.
    ///
    /// # Errors
    /// Why it does not.
    pub fn assemble(&self, text: &[u8], words: &[u32]) -> Result<(), String> {
        let text = std::str::from_utf8(text).unwrap_or_default();
        match self.assembler.encode(text, &NoSymbols) {
            Ok(e) if e.fixup.is_none() && e.words[..usize::from(e.len)] == *words => Ok(()),
            Ok(_) => Err("this text assembles to other bytes".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}
