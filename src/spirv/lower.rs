//! From the steps of a program to a module.
//!
//! One invocation, or one workgroup, carries a wave from where its [record](super::state) says to where it stops. The body is a loop around a switch
//! over the [blocks](super::cfg); within a block, steps are written one behind the other. Scalar registers, and the vector registers in
//! the models in which an invocation is a lane, are variables, loaded before the loop and stored behind it. Where a driver wants it,
//! blocks are [cut](super::segments).

mod blocks;
mod control;
mod cross;
mod export;
mod fork;
mod frame;
mod known;
mod matrix;
mod memory;
mod mfma;
mod moves;
mod registers;
mod run;
mod scalar;
mod traps;
mod vector;

use super::alg::{Spirv, Truth, Word};
use super::fault::Fault;
use super::functions::Functions;
use super::lanes::{Exchange, Model, SMALL};
use super::module::{Id, Module, Size, written_out};
use super::state::{self, Layout, binding, head, push, status};
use super::turns::Turns;
use crate::isa::sem::Alg;
use crate::isa::{Gen, Target};
use crate::launch::Apertures;
use crate::program::{Program, STOP, Step};
use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(in crate::spirv) use memory::Helper;
pub(crate) use memory::component;
pub(in crate::spirv) use memory::kind_number;

/// What a translation is to be like.
#[derive(Clone, Debug)]
pub struct Options {
    /// How lanes are carried out.
    pub model: Model,
    /// Lanes of a wave: 32 or 64.
    pub lanes: u32,
    /// Invocations of a subgroup, no more than lanes; only the model of subgroups looks at it.
    pub subgroup: u32,
    /// Vector and accumulation registers in the records.
    pub layout: Layout,
    /// The steps that waves begin or go on at.
    pub entries: BTreeSet<u32>,
    /// The steps that are translated: whoever comes to another one stops as at a place without a block.
    pub steps: Range<u32>,
    /// Where shared memory and scratch appear in the flat address space.
    pub apertures: Apertures,
    /// Waves of a group: one alone does not wait at barriers.
    pub waves: u32,
    /// Waves pause where their records say ([`head::PAUSE`]), after any step: each is a block, so that one module serves every prefix of a run.
    pub pausing: bool,
    /// Says in the module which step an instruction is of (`OpLine`, with the number of its first word as the line).
    pub lines: bool,
    /// Which blocks are [cut](super::segments) where lanes wait or much would be written out: for drivers that take long for large modules.
    pub cut: Cut,
    /// What goes wrong on purpose: for tests of the comparison.
    pub fault: Option<Fault>,
}

impl Options {
    /// Waves that begin at the first word, with room for all registers, in groups of several.
    #[must_use]
    pub fn new(target: Target, model: Model, lanes: u32) -> Options {
        Options {
            model,
            lanes,
            subgroup: lanes,
            layout: Layout { vgprs: 256, agprs: 256 },
            entries: BTreeSet::from([0]),
            steps: 0..u32::MAX,
            apertures: crate::launch::apertures(target.arch),
            waves: crate::spirv::engine::SEVERAL,
            pausing: false,
            lines: false,
            cut: Cut::Never,
            fault: None,
        }
    }
}

/// A step that is not translated: it traps when it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The step.
    pub step: u32,
    /// What it needs.
    pub needs: String,
}

/// A translated program.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The module; no words where it would have more [cases](Translation::cases) than there may be.
    pub words: Vec<u32>,
    /// The cases of its switch: at most [`MOST_CASES`].
    pub cases: usize,
    /// Invocations of a workgroup, which is one wave or several.
    pub invocations: u32,
    /// Waves of a workgroup.
    pub waves: u32,
    /// What its subgroups have to be like: full, and of so many invocations.
    pub subgroup: Option<u32>,
    /// Only one wave may be on the device at a time: some of its accesses are atomic among lanes of a wave, not among waves.
    pub alone: bool,
    /// Blocks are cut.
    pub cut: bool,
    /// Lanes wait so often that blocks are best cut there.
    waits: bool,
    /// The steps that blocks begin at.
    pub blocks: BTreeSet<u32>,
    /// Steps without a translation.
    pub missing: Vec<Missing>,
    /// The vector registers that it names. Where the records have fewer it is of no use.
    pub used: Layout,
    /// It looks things up in [tables](super::tables).
    pub looks_up: bool,
}

/// Cases that a switch may have (SPIR-V, 2.17, Universal Limits).
pub const MOST_CASES: usize = 16_383;

/// Waves of a workgroup where each invocation is one.
const SERIAL_WAVES: u32 = 8;

/// Rounds of loops that a wave may take in one dispatch. llvmpipe of Mesa 22.3 ends all loops of an invocation, without a word, when they have gone
/// round 65,535 times in all; with the rounds of one block more this stays below.
pub const FUEL: u32 = 1 << 15;

/// Why a step was not translated.
pub(super) type Lowered = Result<(), String>;

/// A translation under way.
pub(super) struct Lower<'p> {
    pub(super) m: Module,
    pub(super) functions: Functions,
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
    /// Blocks are cut where that is best.
    pub(super) cuts: bool,
    /// Whether waves take turns.
    pub(super) turns: Turns,
    /// Of the active lanes the first alone takes part in what is done for each lane.
    pub(super) first_alone: Cell<bool>,
    pub(super) target: Target,
    /// The variables of scalar cells, by their words in the record.
    cells: RefCell<Vec<Id>>,
    /// All of them as one variable, where blocks are cut: a driver that minds variables has one for all.
    scalars: Cell<Option<Id>>,
    /// The first words of registers in the buffer of records, by their places in a record.
    bases: RefCell<BTreeMap<u32, Id>>,
    /// What registers hold, as far as it is known.
    known: known::Known,
    /// Pointers to words of such variables.
    pointers: RefCell<BTreeMap<(Id, u32), Id>>,
    /// Pointers to what passes values between segments.
    passing: RefCell<Vec<Id>>,
    /// The variables of vector registers, where they are not in the record.
    vectors: RefCell<Vec<Id>>,
    pub(super) state: Id,
    pub(super) memory: Id,
    pub(super) regions: Id,
    pub(super) lds: Id,
    pub(super) messages: Id,
    /// The buffer of tables, where it is asked for.
    tables: Cell<Option<Id>>,
    push: Id,
    /// The first word of the wave's record.
    record: Cell<Id>,
    /// The number of the invocation's lane, where it has one.
    own: Cell<Id>,
    /// Where a block goes when it is left.
    out: Cell<Id>,
    /// All vector registers as one variable, where the program chooses registers at run time, or blocks are cut.
    file: Cell<Option<Id>>,
    /// Branches and loops that are open, and whether the lanes of slots are active, where that is known of the block outside of them.
    pub(super) depth: Cell<u32>,
    pub(super) active: RefCell<BTreeMap<u32, Truth>>,
    /// Words that what is done for a lane may have to be written for every slot; none where it is sure to call functions.
    pub(super) small: Cell<usize>,
    /// Where the operands of the step in hand move.
    pub(super) shift: RefCell<Option<moves::Shift>>,
    /// What lanes hand each other.
    pub(super) exchange: Exchange,
    /// The file that lines are of, where they are wanted.
    source: Cell<Option<Id>>,
    /// The variable of the case to go on with, where that is not at the program counter.
    site: Cell<Id>,
    /// The variable of the rounds that are left.
    fuel: Cell<Id>,
    /// Rounds of loops of the block so far.
    rounds: Cell<u32>,
    /// See [`Translation::alone`].
    alone: Cell<bool>,
    /// The functions that memory instructions call.
    helpers: memory::Helpers,
    /// Steps of the block so far.
    pub(super) steps: Cell<u32>,
    /// See [`Translation::used`].
    used: Cell<Layout>,
}

/// Whether blocks are [cut](super::segments).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// They are not.
    Never,
    /// They are, but in modules that are small as a whole.
    Large,
    /// They are.
    Always,
}

/// What a driver takes as it is: about a hundred of the larger instructions, or thousands of small ones.
pub const UNCUT: Size = Size { branches: 200, words: 150_000 };

/// Translates a program.
#[must_use]
pub fn translate(program: &Program, options: &Options) -> Translation {
    // What is cut keeps registers in memory, which costs a driver much in long blocks. In the serial model vector registers are there anyway.
    if options.cut == Cut::Large && options.model == Model::Workgroup {
        let whole = lower(program, options, false);
        if !whole.waits && written_out(&whole.words).fits(&UNCUT) {
            return whole;
        }
    }
    lower(program, options, options.cut != Cut::Never)
}

fn lower(program: &Program, options: &Options, cuts: bool) -> Translation {
    let m = Module::new();
    let state = m.storage_buffer(binding::STATE, "state");
    let memory = m.storage_buffer(binding::MEMORY, "memory");
    let regions = m.storage_buffer(binding::REGIONS, "regions");
    let lds = m.storage_buffer(binding::LDS, "lds");
    let messages = m.storage_buffer(binding::MESSAGES, "messages");
    let push = m.push_constants(push::COUNT);
    let turns = Turns::of(program, options.waves);
    let lower = Lower {
        m,
        functions: Functions::default(),
        program,
        options,
        cuts,
        turns,
        first_alone: Cell::default(),
        target: program.target,
        cells: RefCell::default(),
        scalars: Cell::default(),
        bases: RefCell::default(),
        known: known::Known::default(),
        pointers: RefCell::default(),
        passing: RefCell::default(),
        vectors: RefCell::default(),
        state,
        memory,
        regions,
        lds,
        messages,
        tables: Cell::default(),
        push,
        record: Cell::default(),
        own: Cell::default(),
        out: Cell::default(),
        file: Cell::default(),
        depth: Cell::default(),
        active: RefCell::default(),
        small: Cell::new(SMALL),
        shift: RefCell::default(),
        exchange: Exchange::default(),
        source: Cell::default(),
        site: Cell::default(),
        fuel: Cell::default(),
        rounds: Cell::default(),
        alone: Cell::new(turns.any()),
        helpers: memory::Helpers::default(),
        steps: Cell::default(),
        used: Cell::default(),
    };
    lower.run()
}

impl Lower<'_> {
    fn run(self) -> Translation {
        let m = &self.m;
        let serial = self.options.model == Model::Serial;
        let waves = if serial { SERIAL_WAVES } else { 1 };
        let subgroup = self.options.model == Model::Subgroup;
        let invocations = if serial { SERIAL_WAVES } else { self.options.lanes / self.slots() };
        let triple = m.triple();
        let group_id = m.built_in(BuiltIn::WorkgroupId, triple);
        let local = if subgroup {
            m.capability(Capability::GroupNonUniform);
            BuiltIn::SubgroupLocalInvocationId
        } else {
            BuiltIn::LocalInvocationIndex
        };
        let local = m.built_in(local, m.int());
        m.begin_entry(invocations);
        let k = self.alg(Word::Known(0));
        let group = m.op(Op::Load, triple, &[group_id]);
        let group = Word::Id(m.word_op(Op::CompositeExtract, &[group, 0]));
        let invocation = Word::Id(m.load(local));
        self.own.set(k.id(invocation));
        let wave = if serial { k.add(k.mul(group, k.w(waves)), invocation) } else { group };
        let inside = k.lt_u(wave, self.pushed(push::WAVES));
        let wave = k.add(wave, self.pushed(push::FIRST));
        let record = k.mul(wave, k.w(self.options.layout.words()));
        self.record.set(k.id(record));
        let (enter, end) = (m.id(), m.id());
        m.branch_if(k.truth_id(inside), enter, end, end);
        m.label(enter);
        let runs = k.eq(self.peek(head::STATUS), k.w(status::RUNS));
        let (go, done) = (m.id(), m.id());
        m.branch_if(k.truth_id(runs), go, done, done);
        m.label(go);
        let moves = self.program.steps.iter().any(|step| step.moves.is_some());
        if moves {
            // Which registers are named is known at run time.
            self.used.set(Layout::whole(self.generation()));
        }
        if !serial && (moves || self.cuts) {
            let words = self.options.layout.registers().max(1) * self.slots();
            self.file.set(Some(m.variable(m.array(m.int(), words))));
        }
        if !serial && self.cuts {
            self.scalars.set(Some(m.variable(m.array(m.int(), state::VGPRS))));
        }
        self.source.set(self.options.lines.then(|| m.text("machine code")));
        let begin = m.place();
        let blocks::Blocks { blocks, cases, missing, waits } = self.blocks();
        self.epilogue();
        m.branch(done);
        // What is loaded is known when everything has been written.
        m.place();
        self.prologue();
        let prologue = m.take(0);
        self.addresses();
        let addresses = m.take(0);
        m.put(begin, prologue);
        m.put(begin, addresses);
        m.label(done);
        m.branch(end);
        m.label(end);
        m.effect(Op::Return, &[]);
        m.end_function();
        let (alone, used) = (self.alone.get(), self.used.get());
        let subgroup = subgroup.then_some(self.options.subgroup);
        let words = if cases > MOST_CASES { Vec::new() } else { m.words(0x0001_0300) };
        let (cut, looks_up) = (self.cuts, self.tables.get().is_some());
        Translation { words, cases, invocations, waves, subgroup, alone, cut, waits, blocks, missing, used, looks_up }
    }

    /// The algebra of a lane.
    pub(super) fn alg(&self, lane: Word) -> Spirv<'_> {
        self.floats_by(Word::Known(0), lane)
    }

    /// The algebra with modes of its own.
    pub(super) fn floats_by(&self, mode: Word, lane: Word) -> Spirv<'_> {
        Spirv::new(&self.m, &self.functions, self.target, mode, lane)
    }

    /// The algebra with the modes of the wave.
    pub(super) fn floats(&self, lane: Word) -> Spirv<'_> {
        self.floats_by(self.cell(head::MODE), lane).with(self.options.fault)
    }

    /// Whether something goes wrong on purpose.
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.options.fault == Some(fault)
    }

    pub(super) fn generation(&self) -> Gen {
        self.target.generation()
    }

    /// A push constant.
    pub(super) fn pushed(&self, n: u32) -> Word {
        let pointer = self.m.chain(StorageClass::PushConstant, self.push, &[self.m.constant(n)]);
        Word::Id(self.m.load(pointer))
    }

    /// A pointer to a word of a buffer.
    pub(super) fn word_of(&self, buffer: Id, at: Word) -> Id {
        let at = self.alg(Word::Known(0)).id(at);
        self.m.chain(StorageClass::StorageBuffer, buffer, &[self.m.constant(0), at])
    }

    /// A word of the tables about images.
    pub(super) fn looked_up(&self, at: Word) -> Word {
        let tables = self.tables.get().unwrap_or_else(|| {
            let id = self.m.storage_buffer(binding::TABLES, "tables");
            self.tables.set(Some(id));
            id
        });
        Word::Id(self.m.load(self.word_of(tables, at)))
    }

    /// A pointer to a word of the wave's record.
    fn recorded(&self, at: Word) -> Id {
        let at = self.alg(Word::Known(0)).add(Word::Id(self.record.get()), at);
        self.word_of(self.state, at)
    }

    /// A word of the record as it was at the beginning.
    pub(super) fn peek(&self, at: u32) -> Word {
        Word::Id(self.m.load(self.recorded(Word::Known(at))))
    }

    /// The number of the invocation's lane.
    pub(super) fn own_lane(&self) -> Word {
        Word::Id(self.own.get())
    }

    /// Whether the invocation speaks for its wave.
    pub(super) fn leads(&self) -> Truth {
        let k = self.alg(Word::Known(0));
        match self.options.model {
            Model::Serial => Truth::Known(true),
            Model::Workgroup | Model::Subgroup => k.eq(self.own_lane(), k.w(0)),
        }
    }

    /// Leaves the block: goes on at a step.
    pub(super) fn goto(&self, at: Word) {
        self.count_steps();
        self.set_cell(head::PC, at);
        self.m.branch(self.out.get());
    }

    /// Leaves the block: the wave stops with a status, and goes on at a step if at all.
    pub(super) fn stop(&self, why: u32, at: u32) {
        self.set_cell(head::STATUS, Word::Known(why));
        self.goto(Word::Known(at));
    }

    /// Leaves the block: the host carries out the step.
    pub(super) fn ask_host(&self, step: &Step) {
        self.leave_if(Truth::Known(true), || self.stop(status::ASKS, step.at));
    }

    /// Adds the steps of the block to the count of the wave, and takes its rounds from what is left.
    fn count_steps(&self) {
        let k = self.alg(Word::Known(0));
        let steps = (self.cell(head::STEPS), self.cell(head::STEPS + 1));
        let steps = k.add_d(steps, k.d(self.steps.get().into()));
        self.set_cell(head::STEPS, steps.0);
        self.set_cell(head::STEPS + 1, steps.1);
        let fuel = self.fuel.get();
        let left = Word::Id(self.m.load(fuel));
        self.m.store(fuel, k.id(k.sub(left, k.w(self.rounds.get()))));
    }

    /// Leaves the block with a trap at a step.
    pub(super) fn trap_here(&self, step: &Step, kind: u32) {
        let detail = if self.has(Fault::TrapNumberLost) { 0 } else { step.imm };
        self.note_trap(kind, Word::Known(state::NO_LANE), (Word::Known(0), Word::Known(0)), Word::Known(detail));
        self.stop(status::TRAPPED, step.at);
    }

    /// Writes down what trapped.
    pub(super) fn note_trap(&self, kind: u32, lane: Word, address: (Word, Word), detail: Word) {
        self.set_cell(head::TRAP, Word::Known(kind));
        self.set_cell(head::LANE, lane);
        self.set_cell(head::ADDRESS, address.0);
        self.set_cell(head::ADDRESS + 1, address.1);
        self.set_cell(head::DETAIL, detail);
    }

    /// Does something that leaves the block if a condition holds; else goes on.
    pub(super) fn leave_if(&self, c: Truth, leave: impl FnOnce()) {
        let m = &self.m;
        let (yes, no) = (m.id(), m.id());
        m.branch_if(self.alg(Word::Known(0)).truth_id(c), yes, no, no);
        m.label(yes);
        self.inside(leave);
        m.label(no);
    }

    /// Does something where a condition holds.
    pub(super) fn when(&self, c: Truth, then: impl FnOnce()) {
        if c == Truth::Known(true) {
            return then();
        }
        let m = &self.m;
        let (yes, no) = (m.id(), m.id());
        m.branch_if(self.alg(Word::Known(0)).truth_id(c), yes, no, no);
        m.label(yes);
        self.inside(then);
        m.branch(no);
        m.label(no);
    }

    /// Writes what is inside of a branch or loop.
    pub(super) fn inside<T>(&self, body: impl FnOnce() -> T) -> T {
        self.depth.set(self.depth.get() + 1);
        let result = body();
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// The step at a guest address, or [`STOP`] where there is no code: jumps through registers.
    pub(super) fn step_at(&self, address: (Word, Word)) -> Word {
        let k = self.alg(Word::Known(0));
        let offset = k.sub_d((k.mask(address.0, !3), address.1), k.d(self.program.base));
        let at = k.shri(offset.0, 2);
        // Addresses have 48 bits.
        let inside = k.both(k.eq(k.mask(offset.1, 0xffff), k.w(0)), k.lt_u(at, k.w(self.program.steps.len() as u32)));
        k.sel(inside, at, k.w(STOP))
    }
}
