//! Random programs, for two engines to differ on.
//!
//! A program is text that the assembler takes: clauses of random groups, branches, loops, fetches and buffers, each nested in others. It
//! ends, because loops count and branches lead forward; it means one thing, because nothing is read that was not written or given. All
//! follows from the seed, the machine and the version.

use super::case::{Bound, Case, Elements, Expect, Init, Memory, Observe, Place};
use super::emu::vertex::Element;
use super::emu::{LoopConstant, Stage, Target};
use super::sem;
use crate::case::Body;
use crate::case::random::Class as Values;
use crate::case::value::Value;
use crate::isa::examples::Chance;
use crate::isa::r600::does::Does;
use crate::isa::r600::{Class, Machine, ROWS, Row, Units};
use crate::isa::types::Ty;
use std::fmt::Write as _;

/// Changes with everything that changes what follows from a seed.
pub const VERSION: u32 = 1;

/// Registers that programs use.
const REGISTERS: usize = 12;
/// Groups of a clause at most.
const GROUPS: usize = 6;
/// How deep branches and loops nest.
const DEPTH: u32 = 3;
/// Bytes of the buffer that is fetched from.
const BYTES: u32 = 256;
/// Elements of scratch memory.
const SCRATCH: u32 = 4;

/// How many inputs a program is worth running with: a device takes long to compile it, and no time to run it.
pub const INPUTS: u32 = 16;

/// A random program of a machine as a case, with one of its inputs. It expects nothing: engines are compared.
#[must_use]
pub fn case(machine: Machine, seed: u64, input: u32) -> Case {
    let mut writer = Writer { chance: Chance::new(seed), machine, text: String::new(), labels: 0, loops: 0 };
    let pieces = 2 + writer.chance.below(4);
    for _ in 0..pieces {
        writer.piece(0);
    }
    writer.end();
    let Writer { text, .. } = writer;
    let mut chance = Chance::new(seed ^ u64::from(input) << 48 ^ 1);
    let value = |chance: &mut Chance| {
        let seed = chance.next_u64() >> 32;
        match chance.below(5) {
            0 => Value::Edges(Ty::F32, 1 + chance.below(5) as u32),
            1 => Value::Random(Ty::U32, seed, Values::Small),
            2 => Value::Random(Ty::U32, seed, Values::Any),
            _ => Value::Random(Ty::F32, seed, Values::Normal),
        }
    };
    let init = (0..REGISTERS as u32).map(|n| {
        let (select, place) = (super::case::Select::default(), Place::Register(n, Elements::ALL));
        Init { select, place, value: value(&mut chance) }
    });
    let init: Vec<Init> = init.collect();
    let memory = |chance: &mut Chance, bytes: u32| Memory { size: Some(bytes), contents: Some(value(chance)) };
    let format = Element { data: 35, ..Element::default() };
    let bound = Bound::Vertex { buffer: "data".to_owned(), stride: 16, format: Some(format) };
    Case {
        name: format!("random/{}/{seed:016x}:{input}", machine.name()),
        machines: vec![machine],
        stage: Stage::Ps,
        lanes: [64, 64, 16, 7][chance.below(4)],
        valid: (chance.below(4) == 0).then(|| chance.next_u64()),
        scratch: SCRATCH,
        bools: chance.next_u64() as u32,
        loops: (0..4).map(|n| (n, loop_constant(&mut chance))).collect(),
        banks: [(0, memory(&mut chance, 512))].into(),
        constants: None,
        buffers: vec![("data".to_owned(), memory(&mut chance, BYTES))],
        resources: [(1, bound)].into(),
        init,
        observe: vec![Observe { ty: None, place: Place::Export(Target::Pixel(0), Elements::ALL) }],
        expect: Vec::<Expect>::new(),
        body: Body { text, line: 1 },
        ..Case::default()
    }
}

fn loop_constant(chance: &mut Chance) -> LoopConstant {
    LoopConstant { count: chance.below(5) as u32, first: chance.below(4) as i32, step: chance.below(3) as i32 - 1 }
}

/// The ALU instructions of a machine that groups are made of.
#[must_use]
pub fn rows(machine: Machine) -> Vec<&'static Row> {
    let there = |row: &&Row| {
        let alu = matches!(row.class, Class::Op2 | Class::Op3) && row.code(machine).is_some();
        alu && !matches!(row.does, Does::Nop)
    };
    ROWS.iter().filter(there).collect()
}

/// What an instruction does to more than its register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Predicate,
    Kill,
    Address,
}

pub(super) fn kind(row: &Row) -> Kind {
    match row.does {
        does if does.sets_predicate() => Kind::Predicate,
        Does::Kill(..) => Kind::Kill,
        Does::MoveAddress(_) => Kind::Address,
        _ => Kind::Plain,
    }
}

struct Writer {
    chance: Chance,
    machine: Machine,
    text: String,
    labels: u32,
    /// Loops that are open.
    loops: u32,
}

impl Writer {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels)
    }

    /// A piece of a program.
    fn piece(&mut self, depth: u32) {
        match self.chance.below(12) {
            0 | 1 if depth < DEPTH => self.branch(depth),
            2 if depth < DEPTH => self.counted(depth),
            3 => self.fetch(),
            4 => self.scratch(),
            5 if self.loops > 0 => self.leave(),
            6 if depth == 0 => self.kill(),
            _ => self.clause("ALU", None),
        }
    }

    /// `ALU_PUSH_BEFORE`, `JUMP`, `ELSE`, `POP`
    fn branch(&mut self, depth: u32) {
        let (other, after) = (self.label(), self.label());
        self.clause("ALU_PUSH_BEFORE", Some("UPDATE_EXEC_MASK UPDATE_PRED"));
        self.line(&format!("JUMP ADDR({other})"));
        self.piece(depth + 1);
        self.line(&format!("{other}:"));
        self.line(&format!("ELSE ADDR({after}) POP_CNT(1)"));
        self.piece(depth + 1);
        self.line(&format!("POP ADDR({after}) POP_CNT(1)"));
        self.line(&format!("{after}:"));
    }

    /// A loop that counts.
    fn counted(&mut self, depth: u32) {
        let (top, end) = (self.label(), self.label());
        let (start, constant) = (["LOOP_START", "LOOP_START_NO_AL"][self.chance.below(2)], self.chance.below(4));
        self.line(&format!("{start} ADDR({end}) CF_CONST({constant})"));
        self.line(&format!("{top}:"));
        self.loops += 1;
        for _ in 0..1 + self.chance.below(2) {
            self.piece(depth + 1);
        }
        self.loops -= 1;
        self.line(&format!("LOOP_END ADDR({top})"));
        self.line(&format!("{end}:"));
    }

    /// Some pixels leave the loop, or its iteration.
    fn leave(&mut self) {
        let name = ["ALU_BREAK", "ALU_CONTINUE"][self.chance.below(2)];
        self.clause(name, Some("UPDATE_EXEC_MASK"));
    }

    fn kill(&mut self) {
        self.line("ALU: KCACHE0(CB0:0-15)");
        let rows: Vec<&Row> = rows(self.machine).into_iter().filter(|row| kind(row) == Kind::Kill).collect();
        let row = rows[self.chance.below(rows.len())];
        let sources = self.sources(row, false, false);
        self.line(&format!("0 x: {} ____, {sources}", row.name));
    }

    /// A fetch of a vertex.
    fn fetch(&mut self) {
        let (to, from) = (self.register(), self.register());
        let swizzle = ["xyzw", "wzyx", "xx0_", "1yz_"][self.chance.below(4)];
        let element = ["x", "y", "z", "w"][self.chance.below(4)];
        // Indices are small numbers: what lies beyond the buffer is zero.
        self.line("ALU:");
        let (mask, slot) = ([15, 31][self.chance.below(2)], element);
        self.line(&format!("0 {slot}: AND_INT R{from}.{element}, R{from}.{element}, {mask}"));
        self.line("VTX:");
        let offset = self.chance.below(20);
        self.line(&format!(
            "VFETCH R{to}.{swizzle}, R{from}.{element}, fc1 NO_INDEX_OFFSET FORMAT(32_32_32_32_FLOAT) OFFSET({offset})"
        ));
    }

    /// Scratch memory, written and read.
    fn scratch(&mut self) {
        let (from, to, at) = (self.register(), self.register(), self.chance.below(SCRATCH as usize));
        let mask = ["xyzw", "x_z_", "_y_w"][self.chance.below(3)];
        self.line(&format!("MEM_SCRATCH: WRITE[{at}], R{from}.{mask} ARRAY_SIZE({SCRATCH}) ELEM_SIZE(3)"));
        self.line(&format!("MEM_SCRATCH: READ[{at}], R{to}.xyzw ARRAY_SIZE({SCRATCH}) ELEM_SIZE(3)"));
    }

    fn register(&mut self) -> usize {
        self.chance.below(REGISTERS)
    }

    /// A clause; the last group of one that sets predicates has an instruction that does, with these words behind it.
    fn clause(&mut self, name: &str, predicate: Option<&str>) {
        self.line(&format!("{name}: KCACHE0(CB0:0-15)"));
        let groups = 1 + self.chance.below(GROUPS);
        let (mut address, mut set) = (false, false);
        for n in 0..groups {
            let last = n + 1 == groups;
            match predicate.filter(|_| last) {
                Some(words) => self.predicate(words),
                None if self.chance.below(8) == 0 && !last => {
                    address |= self.address();
                }
                None if self.chance.below(10) == 0 && !last => {
                    self.predicate("UPDATE_PRED");
                    set = true;
                }
                None => self.group(n > 0, address, set),
            }
        }
    }

    /// A group that sets a predicate.
    fn predicate(&mut self, words: &str) {
        let rows: Vec<&Row> = rows(self.machine)
            .into_iter()
            .filter(|row| kind(row) == Kind::Predicate && row.units(self.machine.chip) != Units::Trans)
            .collect();
        let row = rows[self.chance.below(rows.len())];
        let sources = self.sources(row, false, false);
        let comma = if sources.is_empty() { "" } else { ", " };
        self.line(&format!("0 x: {} ____{comma}{sources} {words}", row.name));
    }

    /// A group that loads the address register.
    fn address(&mut self) -> bool {
        let rows: Vec<&Row> = rows(self.machine).into_iter().filter(|row| kind(row) == Kind::Address).collect();
        let row = rows[self.chance.below(rows.len())];
        let from = self.register();
        self.line(&format!("0 x: {} ____, R{from}.x", row.name));
        true
    }

    /// A group of plain instructions.
    fn group(&mut self, behind: bool, address: bool, predicated: bool) {
        let chip = self.machine.chip;
        let all: Vec<&Row> = rows(self.machine).into_iter().filter(|row| kind(row) == Kind::Plain).collect();
        if self.chance.below(8) == 0 {
            let reductions: Vec<&&Row> = all.iter().filter(|row| row.units(chip) == Units::Reduction).collect();
            let row = reductions[self.chance.below(reductions.len())];
            let to = self.register();
            for (n, slot) in ["x", "y", "z", "w"].iter().enumerate() {
                let sources = self.sources(row, behind, false);
                let written = if self.chance.below(3) > 0 { format!("R{to}.{slot}") } else { "____".to_owned() };
                let number = if n == 0 { "0 " } else { "" };
                self.line(&format!("{number}{slot}: {} {written}, {sources}", row.name));
            }
            return;
        }
        let slots: Vec<&str> = ["x", "y", "z", "w", "t"].into_iter().filter(|_| self.chance.below(2) == 0).collect();
        let slots = if slots.is_empty() { vec!["x"] } else { slots };
        let vectors: Vec<&str> = slots.iter().copied().filter(|slot| *slot != "t").collect();
        let mut first = true;
        for slot in slots {
            // In t stands what only t can do, and what finds the slot of its element taken.
            let fits = |row: &&&Row| match row.units(chip) {
                Units::Any => slot != "t" || !vectors.is_empty(),
                Units::Vector => slot != "t",
                Units::Trans => slot == "t",
                Units::Reduction => false,
            };
            let fitting: Vec<&&Row> = all.iter().filter(fits).collect();
            let row = fitting[self.chance.below(fitting.len())];
            let sources = self.sources(row, behind, address);
            let element = match (slot, row.units(chip)) {
                ("t", Units::Any) => vectors[self.chance.below(vectors.len())],
                ("t", _) => ["x", "y", "z", "w"][self.chance.below(4)],
                _ => slot,
            };
            let to = self.register();
            let float = sem::find(row.name).is_some_and(|meaning| meaning.ret[0].is_float());
            let factor = if float && row.class == Class::Op2 {
                ["", "", "", "*2", "*4", "/2"][self.chance.below(6)]
            } else {
                ""
            };
            let clamp = if float && self.chance.below(8) == 0 { " CLAMP" } else { "" };
            let when = if predicated { ["", "", " PRED_ZERO", " PRED_ONE"][self.chance.below(4)] } else { "" };
            let number = if first { "0 " } else { "" };
            first = false;
            self.line(&format!("{number}{slot}: {}{factor} R{to}.{element}, {sources}{clamp}{when}", row.name));
        }
    }

    /// The sources of an instruction.
    fn sources(&mut self, row: &Row, behind: bool, address: bool) -> String {
        let meaning = sem::find(row.name);
        // An instruction has one index for all its operands.
        let index = match (address, self.loops > 0) {
            (true, true) => [Some("AR.x"), Some("aL")][self.chance.below(2)],
            (true, false) => Some("AR.x"),
            (false, true) => Some("aL"),
            (false, false) => None,
        };
        let mut text = String::new();
        for n in 0..usize::from(row.sources) {
            let float = meaning.is_none_or(|meaning| meaning.args.get(n).is_some_and(|class| class.is_float()));
            let one = self.source(behind, index);
            let (negated, absolute) = (self.chance.below(5) == 0, self.chance.below(6) == 0);
            let one = if float && absolute && row.class == Class::Op2 { format!("|{one}|") } else { one };
            let sign = if float && negated { "-" } else { "" };
            let _ = write!(text, "{}{sign}{one}", if n > 0 { ", " } else { "" });
        }
        text
    }

    fn source(&mut self, behind: bool, index: Option<&str>) -> String {
        let element = ["x", "y", "z", "w"][self.chance.below(4)];
        match (self.chance.below(16), index) {
            (0, _) => ["0", "1.0", "0.5", "1"][self.chance.below(4)].to_owned(),
            (1, _) => format!("KC0[{}].{element}", self.chance.below(16)),
            (2 | 3, _) if behind => format!("PV.{element}"),
            (4, _) if behind => "PS".to_owned(),
            (5 | 6, Some(index)) => format!("R[{}+{index}].{element}", self.register()),
            (7, _) => ["2.5", "0x3fc00001", "7", "0x80000000"][self.chance.below(4)].to_owned(),
            _ => format!("R{}.{element}", self.register()),
        }
    }

    /// What leaves the program: four registers, and its end.
    fn end(&mut self) {
        for (n, register) in [0, 3, 6, 9].into_iter().enumerate() {
            let (done, end) = if n == 3 { ("EXPORT_DONE", " EOP") } else { ("EXPORT", "") };
            self.line(&format!("{done}: PIX{n}, R{register}.xyzw{end}"));
        }
    }
}
