//! From the steps of a program to a module.
//!
//! One invocation, or one workgroup, carries a wave from where its [record](super::state) says to where it stops. The body is a loop around a switch
//! over the [blocks](super::cfg); within a block, steps are written one behind the other. Scalar registers, and the vector registers in
//! the models in which an invocation is a lane, are variables, loaded before the loop and stored behind it. Where a driver wants it,
//! blocks are [cut](super::segments).

mod blocks;
mod control;
mod cross;
mod fork;
mod known;
mod matrix;
mod memory;
mod moves;
mod run;
mod scalar;
mod vector;

use super::alg::{Spirv, Truth, Word};
use super::fault::Fault;
use super::functions::Functions;
use super::lanes::{Exchange, Lane, Model};
use super::module::{Id, Module};
use super::state::{self, Layout, binding, head, push, status};
use crate::emu::plan::{Program, STOP, Step};
use crate::emu::run::Apertures;
use crate::emu::wave::{file, slot};
use crate::isa::sem::Alg;
use crate::isa::{Gen, Target, regs};
use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(in crate::spirv) use memory::Helper;

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
    /// Blocks are [cut](super::segments) where much would be written out: for drivers that take long for large modules.
    pub cut: bool,
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
            apertures: crate::emu::launch::apertures(target.arch),
            waves: 2,
            pausing: false,
            lines: false,
            cut: false,
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
    /// The module.
    pub words: Vec<u32>,
    /// Invocations of a workgroup, which is one wave or several.
    pub invocations: u32,
    /// Waves of a workgroup.
    pub waves: u32,
    /// What its subgroups have to be like: full, and of so many invocations.
    pub subgroup: Option<u32>,
    /// Only one wave may be on the device at a time: some of its accesses are atomic among lanes of a wave, not among waves.
    pub alone: bool,
    /// The steps that blocks begin at.
    pub blocks: BTreeSet<u32>,
    /// Steps without a translation.
    pub missing: Vec<Missing>,
    /// The vector registers that it names. Where the records have fewer it is of no use.
    pub used: Layout,
}

/// Waves of a workgroup where each invocation is one.
const SERIAL_WAVES: u32 = 8;

/// Rounds of loops that a wave may take in one dispatch. llvmpipe of Mesa 22.3 ends all loops of an invocation, without a word, when they have gone
/// round 65,535 times in all; with the rounds of one block more this stays below.
pub const FUEL: u32 = 1 << 15;

const BIT: Helper = Helper { name: "bit", results: 1, body: bit };

/// Why a step was not translated.
pub(super) type Lowered = Result<(), String>;

/// A translation under way.
pub(super) struct Lower<'p> {
    pub(super) m: Module,
    pub(super) functions: Functions,
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
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
    /// Instructions that are being carried out together.
    pub(super) together: Cell<usize>,
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

/// Translates a program.
#[must_use]
pub fn translate(program: &Program, options: &Options) -> Translation {
    let m = Module::new();
    let state = m.storage_buffer(binding::STATE, "state");
    let memory = m.storage_buffer(binding::MEMORY, "memory");
    let regions = m.storage_buffer(binding::REGIONS, "regions");
    let lds = m.storage_buffer(binding::LDS, "lds");
    let messages = m.storage_buffer(binding::MESSAGES, "messages");
    let push = m.push_constants(push::COUNT);
    let lower = Lower {
        m,
        functions: Functions::default(),
        program,
        options,
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
        push,
        record: Cell::default(),
        own: Cell::default(),
        out: Cell::default(),
        file: Cell::default(),
        depth: Cell::default(),
        active: RefCell::default(),
        together: Cell::new(1),
        shift: RefCell::default(),
        exchange: Exchange::default(),
        source: Cell::default(),
        site: Cell::default(),
        fuel: Cell::default(),
        rounds: Cell::default(),
        alone: Cell::default(),
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
        if !serial && (moves || self.options.cut) {
            let words = self.options.layout.registers().max(1) * self.slots();
            self.file.set(Some(m.variable(m.array(m.int(), words))));
        }
        if !serial && self.options.cut {
            self.scalars.set(Some(m.variable(m.array(m.int(), state::VGPRS))));
        }
        self.source.set(self.options.lines.then(|| m.text("machine code")));
        let begin = m.place();
        let (blocks, missing) = self.blocks();
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
        Translation { words: m.words(0x0001_0300), invocations, waves, subgroup, alone, blocks, missing, used }
    }

    /// Computes the addresses that the blocks and the prologue name.
    fn addresses(&self) {
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        let ty = m.pointer(StorageClass::Function, m.int());
        for ((all, n), id) in self.pointers.borrow().iter() {
            m.effect(Op::AccessChain, &[ty, *id, *all, m.constant(*n)]);
        }
        for (offset, id) in self.bases.borrow().iter() {
            m.effect(Op::IAdd, &[m.int(), *id, self.record.get(), m.constant(*offset)]);
        }
        let passing = self.passing.take();
        if !passing.is_empty() {
            let all = m.variable(m.array(m.int(), passing.len() as u32));
            for (n, id) in (0..).zip(&passing) {
                m.effect(Op::AccessChain, &[ty, *id, all, m.constant(n)]);
            }
            // A driver leaves it one variable if its words are counted through.
            self.each_below(passing.len() as u32, |n| {
                m.store(m.chain(StorageClass::Function, all, &[k.id(n)]), m.constant(0));
            });
        }
    }

    /// The algebra of a lane.
    pub(super) fn alg(&self, lane: Word) -> Spirv<'_> {
        Spirv::new(&self.m, &self.functions, self.target, Word::Known(0), lane)
    }

    /// The algebra with the modes of the wave.
    pub(super) fn floats(&self, lane: Word) -> Spirv<'_> {
        let mode = self.cell(head::MODE);
        Spirv::new(&self.m, &self.functions, self.target, mode, lane).with(self.options.fault)
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

    /// A pointer to a word of the wave's record.
    fn recorded(&self, at: Word) -> Id {
        let at = self.alg(Word::Known(0)).add(Word::Id(self.record.get()), at);
        self.word_of(self.state, at)
    }

    /// A word of the record as it was at the beginning.
    pub(super) fn peek(&self, at: u32) -> Word {
        Word::Id(self.m.load(self.recorded(Word::Known(at))))
    }

    fn cell_variable(&self, at: u32) -> Id {
        match self.scalars.get() {
            Some(all) => self.pointer_into(all, at),
            None => self.variable_of(&self.cells, at, self.m.int()),
        }
    }

    /// A pointer to a word of a variable that is several: the prologue makes it, once.
    fn pointer_into(&self, all: Id, n: u32) -> Id {
        *self.pointers.borrow_mut().entry((all, n)).or_insert_with(|| self.m.id())
    }

    /// The variable with a number; 0 stands for none.
    fn variable_of(&self, all: &RefCell<Vec<Id>>, n: u32, ty: Id) -> Id {
        let mut all = all.borrow_mut();
        let n = n as usize;
        if n >= all.len() {
            all.resize(n + 1, 0);
        }
        if all[n] == 0 {
            all[n] = self.m.variable(ty);
        }
        all[n]
    }

    /// The variables there are, by number.
    fn variables(all: &RefCell<Vec<Id>>) -> Vec<(u32, Id)> {
        (0..).zip(all.borrow().iter().copied()).filter(|(_, id)| *id != 0).collect()
    }

    /// A scalar of the record.
    pub(super) fn cell(&self, at: u32) -> Word {
        let load = || Word::Id(self.m.load(self.cell_variable(at)));
        self.known_value(&self.known.cells, at, Word::Known(0), load)
    }

    /// Writes a scalar of the record.
    pub(super) fn set_cell(&self, at: u32, v: Word) {
        if at.wrapping_sub(state::SGPRS + slot::EXEC as u32) < 2 {
            self.active.borrow_mut().clear();
        }
        self.m.store(self.cell_variable(at), self.alg(Word::Known(0)).id(v));
        self.now_holds(&self.known.cells, at, Word::Known(0), v);
    }

    /// A slot of the plan's scalar registers.
    pub(super) fn s(&self, at: u32) -> Word {
        let k = self.alg(Word::Known(0));
        let n = at as usize;
        let half = |v: u64, n: usize| Word::Known((v >> (32 * n)) as u32);
        match n {
            0..slot::SINK => self.cell(state::SGPRS + at),
            slot::VCCZ => k.bit(self.is_zero(self.mask_at(slot::VCC as u32))),
            slot::EXECZ => k.bit(self.is_zero(self.exec())),
            slot::SCC => self.cell(head::SCC),
            slot::SHARED..slot::PRIVATE => {
                half(self.aperture(self.options.apertures.shared, n - slot::SHARED), n & 1 ^ slot::SHARED & 1)
            }
            slot::PRIVATE..slot::CONSTANTS => {
                half(self.aperture(self.options.apertures.private, n - slot::PRIVATE), n & 1 ^ slot::PRIVATE & 1)
            }
            _ if n >= slot::CONSTANTS => {
                Word::Known(self.program.scalar_constants.get(n - slot::CONSTANTS).copied().unwrap_or(0))
            }
            _ => Word::Known(0),
        }
    }

    /// Base or limit of an aperture: 4 GiB from the base.
    fn aperture(&self, base: u64, n: usize) -> u64 {
        if n < 2 { base } else { base | 0xffff_ffff }
    }

    /// Writes a slot; what is no register takes nothing.
    pub(super) fn set_s(&self, at: u32, v: Word) {
        if (at as usize) < slot::SINK {
            self.set_cell(state::SGPRS + at, v);
        }
    }

    /// Two slots.
    pub(super) fn s64(&self, at: u32) -> (Word, Word) {
        (self.s(at), self.s(at + 1))
    }

    /// Writes two slots.
    pub(super) fn set_s64(&self, at: u32, v: (Word, Word)) {
        self.set_s(at, v.0);
        if at as usize + 1 < slot::SINK && !self.has(Fault::ScalarHighKept) {
            self.set_s(at + 1, v.1);
        }
    }

    /// The condition.
    pub(super) fn scc(&self) -> Truth {
        self.alg(Word::Known(0)).nz(self.cell(head::SCC))
    }

    pub(super) fn set_scc(&self, c: Truth) {
        let k = self.alg(Word::Known(0));
        self.set_cell(head::SCC, k.bit(c));
    }

    /// M0.
    pub(super) fn m0(&self) -> Word {
        self.s(u32::from(regs::m0_code(self.generation())))
    }

    /// A mask in scalar registers: the upper half is zero in waves of 32 lanes.
    pub(super) fn mask_at(&self, at: u32) -> (Word, Word) {
        if self.options.lanes == 64 { self.s64(at) } else { (self.s(at), Word::Known(0)) }
    }

    /// Writes a mask.
    pub(super) fn set_mask(&self, at: u32, mask: (Word, Word)) {
        self.set_s(at, mask.0);
        if self.options.lanes == 64 && at as usize + 1 < slot::SINK && !self.has(Fault::MaskHighLost) {
            self.set_s(at + 1, mask.1);
        }
    }

    /// The lanes that are active.
    pub(super) fn exec(&self) -> (Word, Word) {
        self.mask_at(slot::EXEC as u32)
    }

    pub(super) fn is_zero(&self, mask: (Word, Word)) -> Truth {
        let k = self.alg(Word::Known(0));
        k.eq(k.or(mask.0, mask.1), k.w(0))
    }

    /// A lane's bit of a mask.
    pub(super) fn bit_of(&self, mask: (Word, Word), lane: Word) -> Truth {
        let low = self.alg(lane).lt_u(lane, Word::Known(32));
        self.bit_in_half(mask, low, lane)
    }

    /// A lane's bit of a mask, where it is known whether that is in the lower half.
    pub(super) fn bit_in_half(&self, mask: (Word, Word), low: Truth, lane: Word) -> Truth {
        let k = self.alg(lane);
        if self.options.model == Model::Serial {
            // It is asked for in every loop over lanes.
            return k.nz(self.call(BIT, 0, &[mask.0, mask.1, lane])[0]);
        }
        let word = if self.options.lanes == 64 { k.sel(low, mask.0, mask.1) } else { mask.0 };
        k.nz(k.and(k.shr(word, lane), k.w(1)))
    }

    /// The variable with the words of a vector register.
    fn vector_variable(&self, n: u32) -> Id {
        let ty = match self.slots() {
            1 => self.m.int(),
            slots => self.m.array(self.m.int(), slots),
        };
        self.variable_of(&self.vectors, n, ty)
    }

    /// The number of a vector register in the file: accumulation registers from 256 on.
    pub(super) fn register(at: u32) -> u32 {
        at / state::STRIDE
    }

    /// The word of a register in the record.
    fn word_of_register(&self, n: u32) -> Word {
        self.used.set(self.used.get().with(n));
        Word::Known(self.options.layout.register(n))
    }

    /// The first word of a register in the buffer of records: the prologue computes it, once.
    fn base_of_register(&self, n: u32) -> Word {
        let Word::Known(offset) = self.word_of_register(n) else { return Word::Known(0) };
        Word::Id(*self.bases.borrow_mut().entry(offset).or_insert_with(|| self.m.id()))
    }

    /// Whether an offset into the file is a register, not a temporary or a constant.
    pub(super) fn is_register(at: u32) -> bool {
        at < file::source(0)
    }

    /// A lane's word at an offset into the plan's vector file: a register, or a constant.
    pub(super) fn v(&self, at: u32, lane: Lane) -> Word {
        if at >= file::CONSTANTS {
            let n = ((at - file::CONSTANTS) / state::STRIDE) as usize;
            return Word::Known(self.program.vector_constants.get(n).copied().unwrap_or(0));
        }
        let n = Self::register(at);
        let load = || Word::Id(self.m.load(self.vector_place(n, lane)));
        self.known_value(&self.known.vectors, n, lane.slot, load)
    }

    /// A pointer to a lane's word of a vector register: in the record, in the variable of the register, or in the one of all.
    fn vector_place(&self, n: u32, lane: Lane) -> Id {
        let k = self.alg(Word::Known(0));
        if self.options.model == Model::Serial {
            let make = || self.word_of(self.state, k.add(self.base_of_register(n), lane.number));
            return self.known_place(&self.known.vectors, n, lane.slot, make);
        }
        if self.file.get().is_some() {
            let word = k.sub(self.word_of_register(n), k.w(state::VGPRS));
            return self.word_of_file(k.shri(word, state::STRIDE.trailing_zeros()), lane.slot);
        }
        self.word_of_variable(self.vector_variable(n), lane.slot)
    }

    /// A pointer to the word of a slot.
    fn word_of_variable(&self, variable: Id, slot: Word) -> Id {
        match (self.slots(), slot) {
            (1, _) => variable,
            (_, Word::Known(slot)) => self.pointer_into(variable, slot),
            (_, Word::Id(slot)) => self.m.chain(StorageClass::Function, variable, &[slot]),
        }
    }

    /// A pointer to the word of a register and slot in the variable of all.
    fn word_of_file(&self, n: Word, slot: Word) -> Id {
        let k = self.alg(Word::Known(0));
        let file = self.file.get().unwrap_or_default();
        match k.add(k.mul(n, k.w(self.slots())), slot) {
            Word::Known(n) => self.pointer_into(file, n),
            n => self.m.chain(StorageClass::Function, file, &[k.id(n)]),
        }
    }

    /// A pointer to a lane's word of a vector register whose number is known at run time.
    pub(super) fn moving(&self, n: Word, lane: Lane) -> Id {
        let k = self.alg(Word::Known(0));
        if self.options.model != Model::Serial {
            return self.word_of_file(n, lane.slot);
        }
        self.recorded(k.add(k.shli(n, state::STRIDE.trailing_zeros()), k.add(k.w(state::VGPRS), lane.number)))
    }

    /// Writes a lane's word.
    pub(super) fn set_v(&self, at: u32, lane: Lane, v: Word) {
        let n = Self::register(at);
        self.m.store(self.vector_place(n, lane), self.alg(Word::Known(0)).id(v));
        self.now_holds(&self.known.vectors, n, lane.slot, v);
    }

    /// Writes a lane's word where a condition holds.
    pub(super) fn set_v_if(&self, at: u32, lane: Lane, c: Truth, v: Word) {
        if c == Truth::Known(true) {
            return self.set_v(at, lane, v);
        }
        let old = self.v(at, lane);
        self.set_v(at, lane, self.alg(lane.number).sel(c, v, old));
    }

    /// The number of the invocation's lane.
    pub(super) fn own_lane(&self) -> Word {
        Word::Id(self.own.get())
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

    /// Loads what the blocks use.
    fn prologue(&self) {
        self.begin_exchange();
        let (m, k) = (&self.m, self.alg(Word::Known(0)));
        if let Some(all) = self.scalars.get() {
            self.each_below(state::VGPRS, |n| {
                m.store(m.chain(StorageClass::Function, all, &[k.id(n)]), m.load(self.recorded(n)));
            });
            if self.has(Fault::PrologueWithoutMode) {
                self.set_cell(head::MODE, k.w(0));
            }
        }
        for (at, variable) in Self::variables(&self.cells) {
            let lost = at == head::MODE && self.has(Fault::PrologueWithoutMode);
            let v = if lost { Word::Known(0) } else { self.peek(at) };
            m.store(variable, k.id(v));
        }
        self.each_register(|place, record| m.store(place, m.load(record)));
    }

    /// Every vector register that is in a variable, in every slot: its place, and its word in the record.
    fn each_register(&self, each: impl Fn(Id, Id)) {
        let k = self.alg(Word::Known(0));
        let variables = Self::variables(&self.vectors);
        if !variables.is_empty() {
            self.each_slot(|number, slot| {
                for (n, variable) in &variables {
                    let at = k.add(self.word_of_register(*n), number);
                    each(self.word_of_variable(*variable, slot), self.recorded(at));
                }
            });
        }
        if self.file.get().is_none() {
            return;
        }
        let one = |n: Word| {
            self.each_slot(|number, slot| {
                let at = k.add(k.w(state::VGPRS), k.add(k.shli(n, state::STRIDE.trailing_zeros()), number));
                each(self.word_of_file(n, slot), self.recorded(at));
            });
        };
        match self.options.layout.registers() {
            0 => {}
            all if self.options.cut || self.slots() > 1 => self.each_below(all, one),
            all => (0..all).map(Word::Known).for_each(one),
        }
    }

    /// Stores it again. Of the scalars, which all lanes have alike, lane 0 stores one copy.
    fn epilogue(&self) {
        let k = self.alg(Word::Known(0));
        // All lanes have read the record before the first one writes it.
        self.barrier();
        self.each_register(|place, record| self.m.store(record, self.m.load(place)));
        let first = match self.options.model {
            Model::Serial => Truth::Known(true),
            Model::Workgroup | Model::Subgroup => k.eq(self.own_lane(), k.w(0)),
        };
        if self.scalars.get().is_some() && self.has(Fault::EpilogueWithoutScc) {
            self.set_cell(head::SCC, self.peek(head::SCC));
        }
        self.when(first, || {
            if let Some(all) = self.scalars.get() {
                self.each_below(state::VGPRS, |n| {
                    let v = self.m.load(self.m.chain(StorageClass::Function, all, &[k.id(n)]));
                    self.m.store(self.recorded(n), v);
                });
            }
            for (at, variable) in Self::variables(&self.cells) {
                if at == head::SCC && self.has(Fault::EpilogueWithoutScc) {
                    continue;
                }
                self.m.store(self.recorded(Word::Known(at)), self.m.load(variable));
            }
        });
    }

    /// The step at a guest address, or [`STOP`] where there is no code: jumps through registers.
    pub(super) fn step_at(&self, address: (Word, Word)) -> Word {
        let k = self.alg(Word::Known(0));
        let offset = k.sub_d((k.mask(address.0, !3), address.1), k.d(self.program.base));
        let at = k.shri(offset.0, 2);
        let inside = k.both(k.eq(offset.1, k.w(0)), k.lt_u(at, k.w(self.program.steps.len() as u32)));
        k.sel(inside, at, k.w(STOP))
    }
}

/// Mask, lane: the lane's bit.
fn bit(l: &Lower<'_>, _: u32, a: &[Word]) -> Vec<Word> {
    let k = l.alg(Word::Known(0));
    let word = k.sel(k.lt_u(a[2], k.w(32)), a[0], a[1]);
    vec![k.and(k.shr(word, a[2]), k.w(1))]
}
