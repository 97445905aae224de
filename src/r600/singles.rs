//! Instructions by themselves: ALU rows over inputs of all kinds, many in one program.
//!
//! Each row reads the same three registers and leaves its result in one of its own, so that what differs names its row. What an instruction
//! does beside its result is seen through others: a predicate by a move that it lets pass, an address by a read that it moves, a
//! kill by the mask of lanes that live.

use super::case::{Case, Elements, Init, Memory, Place, Select};
use super::random::{self, Kind, kind};
use crate::case::Body;
use crate::case::random::Class as Values;
use crate::case::value::Value;
use crate::isa::examples::Chance;
use crate::isa::r600::{Machine, Row, Units};
use crate::isa::types::Ty;
use std::fmt::Write as _;

/// Changes with everything that changes what an input is.
pub const INPUTS: u64 = 1;

/// How many rows a program has at most: registers behind the sources, two each.
pub const TOGETHER: usize = 24;
/// The registers of the sources: three vectors.
const SOURCES: u32 = 3;

/// The names of all rows.
#[must_use]
pub fn names(machine: Machine) -> Vec<&'static str> {
    random::rows(machine).iter().map(|row| row.name).collect()
}

/// The first register of the results of a row.
fn result(n: usize) -> usize {
    SOURCES as usize + 2 * n
}

/// Which of the rows of a program a register belongs to.
#[must_use]
pub fn row_of(register: u32) -> Option<usize> {
    Some((register.checked_sub(SOURCES)? / 2) as usize)
}

/// The case of some rows with an input.
#[must_use]
pub fn case(machine: Machine, names: &[&str], seed: u64, input: u32) -> Case {
    let rows = random::rows(machine);
    let mut text = String::new();
    for (n, name) in names.iter().enumerate() {
        let Some(row) = rows.iter().find(|row| row.name == *name) else { continue };
        single(machine, row, result(n), &mut text);
    }
    text.push_str("NOP EOP\n");
    let mut chance = Chance::new(seed ^ u64::from(input) << 40);
    let init = (0..SOURCES)
        .map(|n| {
            let value = value(n, input, &mut chance);
            Init { select: Select::default(), place: Place::Register(n, Elements::ALL), value }
        })
        .collect();
    let constants = Memory { size: Some(64), contents: Some(Value::Edges(Ty::F32, 1)) };
    Case {
        name: format!("alu/{}", machine.name()),
        machines: vec![machine],
        banks: [(0, constants)].into(),
        init,
        body: Body { text, line: 1 },
        ..Case::default()
    }
}

/// What a source holds: edge values against each other in the first inputs, then anything.
fn value(n: u32, input: u32, chance: &mut Chance) -> Value {
    let seed = chance.next_u64() >> 32;
    let ty = [Ty::F32, Ty::U32][input as usize & 1];
    match input {
        // Each lane has another pair, since the second moves slower than the first.
        0 | 1 => Value::Edges(ty, [1, 7, 3][n as usize % 3]),
        2 | 3 => Value::Random(ty, seed, Values::Edge),
        4 => Value::Random(Ty::F32, seed, Values::Near),
        5 => Value::Random(Ty::U32, seed, Values::Small),
        6 => Value::Random(Ty::F32, seed, Values::Normal),
        _ => Value::Random(ty, seed, Values::Any),
    }
}

/// A row in a clause of its own.
fn single(machine: Machine, row: &Row, to: usize, text: &mut String) {
    let units = row.units(machine.chip);
    let sources = |element: &str| {
        let all = (0..row.sources).map(|n| format!("R{n}.{element}"));
        all.collect::<Vec<String>>().join(", ")
    };
    let with = |dst: &str, element: &str| match row.sources {
        0 => dst.to_owned(),
        _ => format!("{dst}, {}", sources(element)),
    };
    let name = row.name;
    let _ = match (kind(row), units) {
        (_, Units::Reduction) => {
            let slots = ["x", "y", "z", "w"].map(|e| format!("{e}: {name} R{to}.{e}, {}\n", sources(e)));
            write!(text, "ALU:\n0 {}", slots.concat())
        }
        // The predicate lets a move pass, and its opposite another one.
        (Kind::Predicate, _) => writeln!(
            text,
            "ALU:\n0 x: {name} {} UPDATE_PRED\n1 x: MOV R{next}.x, 1.0 PRED_ONE\ny: MOV R{next}.y, 1.0 PRED_ZERO",
            with(&format!("R{to}.x"), "x"),
            next = to + 1,
        ),
        // Lanes that are killed go on; the mask of those that live is part of what is left.
        (Kind::Kill, _) => writeln!(text, "ALU:\n0 x: {name} {}", with(&format!("R{to}.x"), "x")),
        (Kind::Address, _) => {
            writeln!(text, "ALU:\n0 x: {name} {}\n1 x: MOV R{to}.x, R[0+AR.x].x", with("____", "x"))
        }
        (Kind::Plain, Units::Trans) => writeln!(text, "ALU:\n0 t: {name} {}", with(&format!("R{to}.x"), "x")),
        (Kind::Plain, _) => writeln!(
            text,
            "ALU:\n0 x: {name} {}\ny: {name} {}",
            with(&format!("R{to}.x"), "x"),
            with(&format!("R{to}.y"), "y")
        ),
    };
}
