//! Operands: which registers stand in the places of a form, and the text of an instruction with them.
//!
//! A [`Line`] is an instruction whose registers may turn: copy `i` of it has them `i` steps further on. What it reads are
//! constants, registers from the lowest on; what it writes lies behind them.

use crate::asm::Assembler;
use crate::asm::expr::NoSymbols;
use crate::isa::Target;
use crate::isa::does::{Does, Lanes};
use crate::isa::form::{Allow, Form, Kind, NO_BIT, Slot};
use crate::isa::operand::{Class, Symbol, Ty};
use crate::isa::row::{Family, Inst};
use crate::program::Program;
use crate::program::uses::{Other, Set, Uses};
use std::fmt;

/// The first scalar register that bodies may use; those below belong to the program around them.
pub(super) const SCALARS: u32 = 8;
/// The first one that they write.
pub(super) const SCALAR_RESULTS: u32 = 24;
/// Behind the last one.
pub(super) const SCALARS_END: u32 = 64;
/// Registers that results turn through: as many results as fit, and not more than [`TURNS`].
const VECTORS: u32 = 128;
/// The same for results so wide that there are hardly two of them.
const MANY_VECTORS: u32 = 256;
/// Copies until a register is written again.
const TURNS: u32 = 16;

/// Vector registers that are constants in any case: partners read them.
pub(super) const CONSTANTS: u32 = 4;

/// What kind of register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bank {
    Vector,
    Accumulation,
    Scalar,
}

/// A register, or several that follow each other, in the place of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub bank: Bank,
    /// The first of copy 0.
    pub first: u32,
    /// Registers.
    pub words: u32,
    /// How many further it is in the next copy.
    pub step: u32,
    /// Copies until it is the first again.
    pub turns: u32,
    /// The lower half is named.
    pub low: bool,
}

impl Register {
    /// Registers that are the same in every copy.
    pub fn fixed(bank: Bank, first: u32, words: u32) -> Register {
        Register { bank, first, words, step: 0, turns: 1, low: false }
    }

    /// That of a copy.
    pub fn of(self, copy: u32) -> Register {
        Register { first: self.first + copy % self.turns * self.step, step: 0, turns: 1, ..self }
    }

    /// The first of its registers, whole.
    pub fn word(self) -> Register {
        Register { words: 1, low: false, ..self }
    }

    /// Behind the last register of all copies.
    pub fn end(self) -> u32 {
        self.first + (self.turns - 1) * self.step + self.words
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.bank {
            Bank::Vector => 'v',
            Bank::Accumulation => 'a',
            Bank::Scalar => 's',
        };
        let half = if self.low { ".l" } else { "" };
        match self.words {
            1 => write!(f, "{letter}{}{half}", self.first),
            _ => write!(f, "{letter}[{}:{}]", self.first, self.first + self.words - 1),
        }
    }
}

/// What stands in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A register.
    Register(Register),
    /// VCC, which is named and not encoded.
    Vcc,
    /// A number, or a word.
    Text(String),
    /// The name of the second half of a dual instruction.
    Second(&'static str),
}

/// An instruction.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its name.
    pub name: &'static str,
    /// Its operands.
    pub operands: Vec<Operand>,
    /// Which of them it writes.
    pub results: Vec<usize>,
    /// Which of them it reads.
    pub sources: Vec<usize>,
    /// Which of its results are masks of lanes.
    pub masks: Vec<usize>,
    /// VCC, as it is written.
    pub vcc: &'static str,
}

impl Line {
    /// An instruction of a form, whose results turn; nothing for operands which no measured row has. Of a dual instruction only the results
    /// and sources of one half count.
    pub fn of(target: &Target, form: &Form, second: bool) -> Option<Line> {
        let mask = if target.wave32() { 1 } else { 2 };
        let halves = form.slots.iter().position(|slot| matches!(slot.kind, Kind::Dual(_)));
        let mut line = Line {
            name: form.name,
            operands: Vec::new(),
            results: Vec::new(),
            sources: Vec::new(),
            masks: Vec::new(),
            vcc: if target.wave32() { "vcc_lo" } else { "vcc" },
        };
        let mut written = Vec::new();
        let (mut vector, mut scalar) = (0, SCALARS);
        for (at, slot) in form.slots.iter().enumerate() {
            let words = if slot.ty == Ty::Mask { mask } else { u32::from(slot.ty.dwords()) };
            let counts = halves.is_none_or(|half| (at > half) == second);
            let operand = match slot.kind {
                Kind::Source if names_lane(form, slot) => Operand::Text("0".to_owned()),
                Kind::Source | Kind::Sgpr | Kind::Vgpr | Kind::DualVdst => {
                    let is_result = is_result(form, slot);
                    if is_result {
                        written.push(at);
                    }
                    if is_result && counts {
                        line.results.push(at);
                        if slot.ty == Ty::Mask {
                            line.masks.push(at);
                        }
                    } else if !is_result && counts {
                        line.sources.push(at);
                    }
                    let bank = bank(slot);
                    let next = if bank == Bank::Scalar { &mut scalar } else { &mut vector };
                    *next = next.next_multiple_of(if words > 1 { 2 } else { 1 });
                    let mut register = Register::fixed(bank, *next, words);
                    register.low = slot.half != NO_BIT && bank == Bank::Vector;
                    // A vector instruction may read one scalar register on some generations: all its scalars are that one.
                    let alone = bank == Bank::Scalar && is_vector(form.row.family);
                    if !is_result && !alone {
                        *next += words;
                    }
                    Operand::Register(register)
                }
                Kind::Vcc => Operand::Vcc,
                Kind::Word { text, .. } => Operand::Text(text.to_owned()),
                Kind::Dual(name) => Operand::Second(name),
                Kind::Literal if slot.ty.is_16() => Operand::Text("0x3c00".to_owned()),
                Kind::Literal => Operand::Text("0x3f800000".to_owned()),
                Kind::Simm | Kind::Uimm | Kind::PlainImm | Kind::OptImm => Operand::Text("1".to_owned()),
                Kind::Symbolic(Symbol::Hwreg) => Operand::Text("hwreg(HW_REG_MODE)".to_owned()),
                _ => return None,
            };
            line.operands.push(operand);
        }
        line.turn(&written, vector.max(CONSTANTS));
        Some(line)
    }

    /// Puts results behind what is read, and lets them turn.
    fn turn(&mut self, written: &[usize], vector: u32) {
        let (mut vector, mut scalar) = (vector.next_multiple_of(4), SCALAR_RESULTS);
        let wide = |operand: &Operand| matches!(operand, Operand::Register(r) if r.words >= 8);
        let end = if written.iter().any(|at| wide(&self.operands[*at])) { MANY_VECTORS } else { VECTORS };
        let count = written.len().max(1) as u32;
        let share = (end - vector) / count;
        for (n, at) in written.iter().enumerate() {
            let Operand::Register(register) = &mut self.operands[*at] else { continue };
            let (next, room) = match register.bank {
                Bank::Scalar => (&mut scalar, SCALARS_END - SCALAR_RESULTS),
                _ => (&mut vector, share),
            };
            let aligned = match register.words {
                1 => *next + n as u32 % 2,
                2 => next.next_multiple_of(2),
                _ => next.next_multiple_of(4),
            };
            register.first = aligned;
            register.step = register.words;
            register.turns = ((room - 4.min(room)) / register.words).clamp(1, TURNS);
            *next = register.end();
        }
    }

    /// The register in a place.
    pub fn register(&self, at: usize) -> Option<Register> {
        match self.operands.get(at) {
            Some(Operand::Register(register)) => Some(*register),
            _ => None,
        }
    }

    /// The same with results that stay where they are.
    pub fn still(&self) -> Line {
        let mut line = self.clone();
        for operand in &mut line.operands {
            if let Operand::Register(register) = operand {
                *register = register.of(0);
            }
        }
        line
    }

    /// The same with another first register in a place.
    pub fn moved(&self, at: usize, first: u32) -> Line {
        let mut line = self.clone();
        if let Some(Operand::Register(register)) = line.operands.get_mut(at) {
            register.first = first;
        }
        line
    }

    /// How many copies have results of their own.
    pub fn turns(&self) -> u32 {
        self.results.iter().filter_map(|at| self.register(*at)).map(|register| register.turns).min().unwrap_or(TURNS)
    }

    /// The text of a copy.
    pub fn text(&self, copy: u32) -> String {
        let mut text = self.name.to_owned();
        let mut before = " ";
        for operand in &self.operands {
            match operand {
                Operand::Register(register) => text += &format!("{before}{}", register.of(copy)),
                Operand::Vcc => text += &format!("{before}{}", self.vcc),
                Operand::Text(word) => text += &format!("{before}{word}"),
                Operand::Second(name) => text += &format!(" :: {name}"),
            }
            before = if matches!(operand, Operand::Second(_)) { " " } else { ", " };
        }
        text
    }

    /// Behind the last vector register and the last accumulation register that any copy names.
    pub fn ends(&self) -> (u32, u32) {
        let end = |bank| {
            let registers = self.operands.iter().filter_map(|operand| match operand {
                Operand::Register(register) if register.bank == bank => Some(register.end()),
                _ => None,
            });
            registers.max().unwrap_or(0)
        };
        (end(Bank::Vector), end(Bank::Accumulation))
    }
}

/// Whether a place is written. The scalar comparisons with a constant have their source where others have the result.
fn is_result(form: &Form, slot: &Slot) -> bool {
    let exchanged = matches!(form.row.does, Does::Lanes(Lanes::Swap | Lanes::SwapHalves));
    let compares = form.row.family == Family::Sopk && form.row.dst.class == Class::None;
    exchanged || slot.source == NO_BIT && !compares
}

/// Whether a source is the number of a lane. It stays a constant: hardware before gfx10 does not wait for a register there.
fn names_lane(form: &Form, slot: &Slot) -> bool {
    matches!(form.row.does, Does::Lanes(Lanes::Read | Lanes::Write)) && slot.source != 0 && slot.source != NO_BIT
}

/// Whether a family is of vector instructions.
pub(super) const fn is_vector(family: Family) -> bool {
    !matches!(family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc)
}

/// The bank of a place: vector registers where they may stand.
fn bank(slot: &Slot) -> Bank {
    match slot.kind {
        Kind::Sgpr => Bank::Scalar,
        _ if slot.allow.contains(Allow::VGPR) || slot.allow.is_empty() => Bank::Vector,
        _ if slot.allow.contains(Allow::AGPR) => Bank::Accumulation,
        _ => Bank::Scalar,
    }
}

/// An instruction as a step of a program.
#[derive(Clone, Copy)]
pub(super) struct Known {
    /// Its row.
    pub row: &'static Inst,
    /// What it reads and writes.
    pub uses: Uses,
}

/// What some instructions are as steps; nothing where the assembler refuses one, or nobody knows what one does.
pub(super) fn known(target: Target, texts: impl IntoIterator<Item = String>) -> Option<Vec<Known>> {
    let assembler = Assembler::new(target);
    let (mut words, mut starts) = (Vec::new(), Vec::new());
    for text in texts {
        let encoded = assembler.encode(&text, &NoSymbols).ok()?;
        starts.push(words.len());
        words.extend(&encoded.words[..usize::from(encoded.len)]);
    }
    let program = Program::new(target, &words, 0);
    let known = |at: usize| {
        let step = program.steps.get(at).filter(|step| step.executes)?;
        Some(Known { row: step.row?, uses: program.uses(step) })
    };
    starts.into_iter().map(known).collect()
}

/// What one writes and another reads: registers and the scalar condition. The modes and the exceptions that stuck hold up nothing.
pub(super) fn shared(writes: &Set, reads: &Set) -> Set {
    Set {
        scalars: writes.scalars & reads.scalars,
        vectors: std::array::from_fn(|n| writes.vectors[n] & reads.vectors[n]),
        other: writes.other & reads.other & Other::SCC,
    }
}

/// Whether nothing is in a set.
pub(super) fn is_empty(set: &Set) -> bool {
    *set == Set::default()
}
