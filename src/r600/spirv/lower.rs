//! From a plan to a module: what all parts of the translation stand on.
//!
//! Words of the head that change are variables, loaded from the record before the loop over sites and stored behind it. What is the same
//! for all lanes every invocation computes for itself; what lanes do stands in [`each_lane`](Lower::each_lane).

use super::mistakes::Mistake;
use super::state::{GPRS, LANES, Layout, REGISTERS, STACK, binding, entry, head, status};
use super::{Lanes, Raised};
use crate::isa::sem::{Alg, Class};
use crate::isa::{Arch, Target};
use crate::r600::emu::Setup;
use crate::r600::sem;
use crate::spirv::alg::{Pair, Spirv, Truth, Word};
use crate::spirv::functions::Functions;
use crate::spirv::lanes::{DONT_UNROLL, EVERYTHING, RELAXED, WORKGROUP};
use crate::spirv::meaning::{Operand, Writer, Writers};
use crate::spirv::module::{Id, Module};
use rspirv::spirv::{BuiltIn, Op, StorageClass};
use std::cell::{Cell, RefCell};
use std::sync::OnceLock;

/// A translation under way.
pub(super) struct Lower<'s> {
    pub(super) m: Module,
    pub(super) functions: Functions,
    target: Target,
    pub(super) setup: &'s Setup,
    pub(super) lanes: Lanes,
    pub(super) mistake: Option<Mistake>,
    pub(super) layout: Layout,
    /// Banks of constants and numbers of resources that the program names, in the order of their parts of the input.
    pub(super) banks: Vec<u32>,
    pub(super) resources: Vec<u32>,
    state: Id,
    input: Id,
    /// What changes of the head.
    variables: Vec<Id>,
    /// What does not change of the head.
    fixed: RefCell<Vec<Word>>,
    /// The number of the invocation's lane, where it has one.
    own: Cell<Word>,
    /// Bits that lanes gather: [`TURNS`] memories of [`GATHERED`] masks, and whose turn it is.
    gathered: Cell<Id>,
    turn: Cell<Id>,
    /// Where a block goes when it is left.
    pub(super) out: Cell<Id>,
    /// The instruction in hand: its place, and whether it is one of the fetch program.
    pub(super) place: Cell<(u32, bool)>,
    /// What can be wrong, with its place, in the order of its codes.
    pub(super) faults: RefCell<Vec<((u32, bool), Raised)>>,
    /// Rounds of loops of the block so far, and loops of all blocks.
    pub(super) rounds: Cell<u32>,
    pub(super) loops: Cell<u32>,
}

/// Masks that are gathered at once.
const GATHERED: u32 = 2;
/// Memories that they are gathered in, one after the other: each exchange clears the one of the next.
const TURNS: u32 = 3;

/// The mode of float operations: to nearest even, denormals flushed.
const MODE: u32 = 0;

impl<'s> Lower<'s> {
    pub(super) fn new(
        setup: &'s Setup,
        lanes: Lanes,
        mistake: Option<Mistake>,
        layout: Layout,
        (banks, resources): (Vec<u32>, Vec<u32>),
    ) -> Lower<'s> {
        let m = Module::new();
        let state = m.storage_buffer(binding::STATE, "state");
        let input = m.storage_buffer(binding::INPUT, "input");
        Lower {
            m,
            functions: Functions::with_mode(MODE),
            // That of an early machine, of which no bits of the transcendental unit are known.
            target: Target::new(Arch::find("gfx600").expect("a processor of the table")),
            setup,
            lanes,
            mistake,
            layout,
            banks,
            resources,
            state,
            input,
            variables: Vec::new(),
            fixed: RefCell::default(),
            own: Cell::new(Word::Known(0)),
            gathered: Cell::default(),
            turn: Cell::default(),
            out: Cell::default(),
            place: Cell::default(),
            faults: RefCell::default(),
            rounds: Cell::default(),
            loops: Cell::default(),
        }
    }

    /// Begins the entry point: what of the head changes becomes variables.
    pub(super) fn begin(&mut self) {
        let local = self.m.built_in(BuiltIn::LocalInvocationIndex, self.m.int());
        self.m.begin_entry(self.lanes.invocations());
        if self.lanes == Lanes::Workgroup {
            self.own.set(Word::Id(self.m.load(local)));
            let memory = self.m.array(self.m.int(), TURNS * GATHERED * 2);
            self.gathered.set(self.m.global(StorageClass::Workgroup, memory));
            self.turn.set(self.m.variable(self.m.int()));
        }
        for n in 0..head::CHANGING {
            let variable = self.m.variable(self.m.int());
            self.m.store(variable, self.k().id(self.word(Word::Known(n))));
            self.variables.push(variable);
        }
        *self.fixed.borrow_mut() = (0..head::WORDS).map(|n| self.word(Word::Known(n))).collect();
        if self.lanes == Lanes::Workgroup {
            self.m.store(self.turn.get(), self.m.constant(0));
            self.first_lane(|| {
                for n in 0..TURNS * GATHERED * 2 {
                    self.m.store(self.gathered_word(Word::Known(n)), self.m.constant(0));
                }
            });
            self.barrier();
        }
    }

    /// Ends the entry point: what of the head has changed goes back to the record.
    pub(super) fn end(&self) {
        self.barrier();
        self.first_lane(|| {
            for n in 0..head::CHANGING {
                self.put_word(Word::Known(n), self.get(n));
            }
        });
        self.m.effect(Op::Return, &[]);
        self.m.end_function();
    }

    /// Writes the float functions that were called.
    pub(super) fn write_functions(&self) {
        let open = self.m.lay_aside();
        self.functions.write(&self.m, self.target);
        self.m.take_up(open);
    }

    /// The algebra of what is the same for all lanes.
    pub(super) fn k(&self) -> Spirv<'_> {
        Spirv::new(&self.m, &self.functions, self.target, Word::Known(MODE), Word::Known(0))
    }

    /// Whether a mistake is planted.
    pub(super) fn has(&self, mistake: Mistake) -> bool {
        cfg!(debug_assertions) && self.mistake == Some(mistake)
    }

    /// The results of a meaning.
    pub(super) fn meaning(&self, name: &str, sources: &[Word]) -> (Word, Truth) {
        let Some(writer) = writer(name) else { return (Word::Known(0), Truth::Known(false)) };
        let sources: Vec<Operand> = sources.iter().map(|word| Operand::words(&[*word])).collect();
        let results = (writer.write)(&self.k(), &sources);
        let word = results.first().map_or(Word::Known(0), |result| result.words[0]);
        (word, results.get(1).map_or(Truth::Known(false), |result| result.bit))
    }

    // Buffers.

    fn chain(&self, buffer: Id, at: Word) -> Id {
        self.m.chain(StorageClass::StorageBuffer, buffer, &[self.m.constant(0), self.k().id(at)])
    }

    /// A word of the record.
    pub(super) fn word(&self, at: Word) -> Word {
        Word::Id(self.m.load(self.chain(self.state, at)))
    }

    /// Writes a word of the record.
    pub(super) fn put_word(&self, at: Word, v: Word) {
        self.m.store(self.chain(self.state, at), self.k().id(v));
    }

    /// A word of what the program finds.
    pub(super) fn found(&self, at: Word) -> Word {
        Word::Id(self.m.load(self.chain(self.input, at)))
    }

    /// Where a register of a lane lies: one below [`GPRS`].
    pub(super) fn register_at(&self, gpr: Word, element: u32, lane: Word) -> Word {
        let k = self.k();
        let number = k.add(k.shli(gpr, 2), k.w(element & 3));
        k.add(k.add(k.mul(number, k.w(LANES)), k.w(REGISTERS)), lane)
    }

    /// The four words of a register.
    pub(super) fn vector(&self, gpr: Word, lane: Word) -> [Word; 4] {
        std::array::from_fn(|element| self.word(self.register_at(gpr, element as u32, lane)))
    }

    /// Whether the program has a register.
    pub(super) fn has_gpr(&self, gpr: Word) -> Truth {
        let (k, setup) = (self.k(), self.setup);
        let own = k.lt_u(gpr, k.w(setup.ngpr.min(GPRS)));
        let first = GPRS.saturating_sub(setup.temps);
        let of_clause = k.lt_u(k.sub(gpr, k.w(first)), k.w(GPRS - first));
        k.either(own, of_clause)
    }

    /// Whether the program has a register of its own.
    pub(super) fn has_own(&self, gpr: Word) -> Truth {
        let k = self.k();
        k.lt_u(gpr, k.w(self.setup.ngpr.min(GPRS)))
    }

    // What is the same for all lanes.

    /// A word of the head.
    pub(super) fn get(&self, n: u32) -> Word {
        match self.variables.get(n as usize) {
            Some(variable) => Word::Id(self.m.load(*variable)),
            None => self.fixed.borrow()[n as usize],
        }
    }

    /// Changes a word of the head.
    pub(super) fn put(&self, n: u32, v: Word) {
        self.m.store(self.variables[n as usize], self.k().id(v));
    }

    /// A mask of the head.
    pub(super) fn mask(&self, n: u32) -> Pair {
        (self.get(n), self.get(n + 1))
    }

    /// Changes a mask of the head.
    pub(super) fn put_mask(&self, n: u32, mask: Pair) {
        self.put(n, mask.0);
        self.put(n + 1, mask.1);
    }

    /// Whether a mask has no lane.
    pub(super) fn is_none(&self, mask: Pair) -> Truth {
        let k = self.k();
        k.eq(k.or(mask.0, mask.1), k.w(0))
    }

    /// Where a word of an entry of the stack lies; entries count from 0. Behind a fault the number may be anything.
    fn entry_at(&self, entry: Word, n: u32) -> Word {
        let k = self.k();
        let entry = k.min_u(entry, k.w(STACK - 1));
        k.add(k.mul(entry, k.w(entry::WORDS)), k.w(self.layout.stack() + n))
    }

    /// A word of an entry of the stack.
    pub(super) fn entry(&self, entry: Word, n: u32) -> Word {
        self.word(self.entry_at(entry, n))
    }

    /// A mask of an entry.
    pub(super) fn entry_mask(&self, at: Word, n: u32) -> Pair {
        (self.entry(at, n), self.entry(at, n + 1))
    }

    /// Changes words of an entry, which all have read that read it before.
    pub(super) fn put_entry(&self, at: Word, words: &[(u32, Word)]) {
        self.barrier();
        self.first_lane(|| words.iter().for_each(|(n, word)| self.put_word(self.entry_at(at, *n), *word)));
        self.barrier();
    }

    // Faults.

    /// The code of a fault of the instruction in hand.
    pub(super) fn code(&self, raised: Raised) -> Word {
        let mut faults = self.faults.borrow_mut();
        faults.push((self.place.get(), raised));
        Word::Known(faults.len() as u32)
    }

    /// Notes a fault where something is the case; the first one counts.
    ///
    /// The block is not left: what comes behind a fault has no effect that anyone sees. Drivers turn each way out of a block into a
    /// branch around the rest of it, and llvmpipe ignores conditions that are nested too deeply (`LP_MAX_TGSI_NESTING`): in blocks of some
    /// dozen clauses faults were seen that were none.
    pub(super) fn raise_if(&self, c: Truth, code: Word, operand: Word) {
        let k = self.k();
        self.when(k.both(c, self.runs()), || {
            self.put(head::STATUS, k.w(status::FAULT));
            self.put(head::CODE, code);
            self.put(head::OPERAND, operand);
        });
    }

    /// Leaves the block: not often in one, see [`Lower::raise_if`].
    pub(super) fn leave(&self) {
        self.m.branch(self.out.get());
        self.m.label(self.m.id());
    }

    /// Whether no fault is noted, and the program has not ended.
    fn runs(&self) -> Truth {
        let k = self.k();
        k.eq(self.get(head::STATUS), k.w(status::RUNS))
    }

    /// Ends the program where something is the case and nothing was wrong.
    pub(super) fn end_if(&self, c: Truth) {
        self.when(self.k().both(c, self.runs()), || self.put(head::STATUS, Word::Known(status::ENDED)));
    }

    /// Counts instructions.
    pub(super) fn spend(&self, count: Word) {
        let k = self.k();
        let steps = k.add(self.get(head::STEPS), count);
        self.put(head::STEPS, steps);
        self.raise_if(k.lt_u(self.get(head::BUDGET), steps), self.code(Raised::Budget), k.w(0));
    }

    // Flow of the module.

    /// Does something where something is the case.
    pub(super) fn when(&self, c: Truth, body: impl FnOnce()) {
        match c {
            Truth::Known(true) => body(),
            Truth::Known(false) => {}
            Truth::Id(c) => {
                let (yes, after) = (self.m.id(), self.m.id());
                self.m.branch_if(c, yes, after, after);
                self.m.label(yes);
                body();
                self.m.branch(after);
                self.m.label(after);
            }
        }
    }

    /// A variable with a value.
    pub(super) fn variable(&self, v: Word) -> Id {
        let variable = self.m.variable(self.m.int());
        self.m.store(variable, self.k().id(v));
        variable
    }

    /// Does something for each number below another.
    pub(super) fn each_below(&self, end: Word, rounds: u32, body: impl FnOnce(Word)) {
        let (m, k) = (&self.m, self.k());
        self.rounds.set(self.rounds.get() + rounds);
        self.loops.set(self.loops.get() + 1);
        let counter = self.variable(k.w(0));
        let [header, check, inside, next, exit] = [(); 5].map(|()| m.id());
        m.branch(header);
        m.label(header);
        m.effect(Op::LoopMerge, &[exit, next, DONT_UNROLL]);
        m.branch(check);
        m.label(check);
        let number = Word::Id(m.load(counter));
        m.effect(Op::BranchConditional, &[k.truth_id(k.lt_u(number, end)), inside, exit]);
        m.label(inside);
        body(number);
        m.branch(next);
        m.label(next);
        m.store(counter, k.id(k.add(number, k.w(1))));
        m.branch(header);
        m.label(exit);
    }

    // Lanes.

    /// Does something for each lane that there is, and where lanes are invocations for the others too.
    pub(super) fn each_lane(&self, body: impl FnOnce(Word)) {
        match self.lanes {
            Lanes::Workgroup => body(self.own.get()),
            Lanes::Serial => self.each_below(self.get(head::COUNT), LANES, body),
        }
    }

    /// Does something for each lane of a mask.
    pub(super) fn each_of(&self, mask: Pair, body: impl FnOnce(Word)) {
        self.each_lane(|lane| self.when(self.is_in(mask, lane), || body(lane)));
    }

    /// Does something for each lane of a mask, one after the other, the lowest first.
    pub(super) fn one_by_one(&self, mask: Pair, body: impl FnOnce(Word)) {
        self.barrier();
        let k = self.k();
        self.first_lane(|| {
            self.each_below(self.get(head::COUNT), LANES, |n| {
                let last = k.sub(self.get(head::COUNT), k.w(1));
                let lane = if self.has(Mistake::HighestFirst) { k.sub(last, n) } else { n };
                self.when(self.is_in(mask, lane), || body(lane));
            });
        });
        self.barrier();
    }

    /// Computes something of the lanes of quads, and behind that does something with it for each lane of a mask.
    pub(super) fn quads(&self, mask: Pair, of: impl Fn(Word) -> [Word; 4], body: impl Fn(Word, [Word; 4])) {
        let k = self.k();
        match self.lanes {
            Lanes::Workgroup => {
                self.barrier();
                let values = of(self.own.get());
                self.barrier();
                self.when(self.is_in(mask, self.own.get()), || body(self.own.get(), values));
            }
            Lanes::Serial => {
                let count = k.shri(k.add(self.get(head::COUNT), k.w(3)), 2);
                self.each_below(count, LANES / 4, |quad| {
                    let lanes = [0, 1, 2, 3].map(|n| k.add(k.shli(quad, 2), k.w(n)));
                    let values = lanes.map(&of);
                    for (lane, values) in lanes.into_iter().zip(values) {
                        self.when(self.is_in(mask, lane), || body(lane, values));
                    }
                });
            }
        }
    }

    /// Whether a lane is in a mask.
    pub(super) fn is_in(&self, (low, high): Pair, lane: Word) -> Truth {
        let k = self.k();
        let (low, high) = if self.has(Mistake::HalvesSwapped) { (high, low) } else { (low, high) };
        k.nz(k.mask(k.shr(k.sel(k.lt_u(lane, k.w(32)), low, high), lane), 1))
    }

    /// Does something in one invocation.
    fn first_lane(&self, body: impl FnOnce()) {
        match self.lanes {
            Lanes::Serial => body(),
            Lanes::Workgroup => self.when(self.k().eq(self.own.get(), self.k().w(0)), body),
        }
    }

    /// What invocations wrote before, all see behind it. All reach it.
    pub(super) fn barrier(&self) {
        if self.lanes == Lanes::Workgroup {
            let (scope, order) = (self.m.constant(WORKGROUP), self.m.constant(EVERYTHING));
            self.m.effect(Op::ControlBarrier, &[scope, scope, order]);
        }
    }

    fn gathered_word(&self, at: Word) -> Id {
        self.m.chain(StorageClass::Workgroup, self.gathered.get(), &[self.k().id(at)])
    }

    /// Does something for each lane of a mask, which gives truths; gives the masks of them. Others have none.
    pub(super) fn gather<const N: usize>(&self, mask: Pair, body: impl FnOnce(Word) -> [Truth; N]) -> [Pair; N] {
        let k = self.k();
        match self.lanes {
            Lanes::Serial => {
                let masks = [(); N].map(|()| [(); 2].map(|()| self.variable(k.w(0))));
                self.each_of(mask, |lane| {
                    for (halves, c) in masks.iter().zip(body(lane)) {
                        let bit = k.shl(k.bit(c), lane);
                        let low = k.lt_u(lane, k.w(32));
                        let parts = [k.sel(low, bit, k.w(0)), k.sel(low, k.w(0), bit)];
                        for (half, part) in halves.iter().zip(parts) {
                            let old = Word::Id(self.m.load(*half));
                            self.m.store(*half, k.id(k.or(old, part)));
                        }
                    }
                });
                masks.map(|halves| (Word::Id(self.m.load(halves[0])), Word::Id(self.m.load(halves[1]))))
            }
            Lanes::Workgroup => {
                debug_assert!(N as u32 <= GATHERED);
                let truths = [(); N].map(|()| self.variable(k.w(0)));
                self.each_of(mask, |lane| {
                    for (to, c) in truths.iter().zip(body(lane)) {
                        self.m.store(*to, k.id(k.bit(c)));
                    }
                });
                self.exchange(truths)
            }
        }
    }

    /// Masks of what each invocation has in variables.
    fn exchange<const N: usize>(&self, truths: [Id; N]) -> [Pair; N] {
        let (m, k, own) = (&self.m, self.k(), self.own.get());
        let turn = Word::Id(m.load(self.turn.get()));
        let next = k.sel(k.eq(turn, k.w(TURNS - 1)), k.w(0), k.add(turn, k.w(1)));
        m.store(self.turn.get(), k.id(next));
        let at = |turn: Word, n: u32| k.add(k.mul(turn, k.w(2 * GATHERED)), k.w(n));
        for (n, truth) in (0..).zip(truths) {
            self.when(k.nz(Word::Id(m.load(truth))), || {
                let half = k.add(at(turn, 2 * n), k.shri(own, 5));
                let operands = [m.constant(WORKGROUP), m.constant(RELAXED), k.id(k.shl(k.w(1), own))];
                m.word_op(Op::AtomicOr, &[&[self.gathered_word(half)][..], &operands].concat());
            });
        }
        self.first_lane(|| (0..2 * GATHERED).for_each(|n| m.store(self.gathered_word(at(next, n)), m.constant(0))));
        self.barrier();
        std::array::from_fn(|n| {
            let word = |half: u32| Word::Id(m.load(self.gathered_word(at(turn, 2 * n as u32 + half))));
            (word(0), word(1))
        })
    }
}

/// The writer of a meaning.
pub(super) fn writer(name: &str) -> Option<&'static Writer> {
    static TABLE: OnceLock<Writers> = OnceLock::new();
    TABLE.get_or_init(|| Writers::of(sem::visit)).get(sem::find(name)?.number)
}

/// Whether a meaning gives a float, which factors and the clamp change.
pub(super) fn gives_float(name: &str) -> bool {
    writer(name).is_some_and(|writer| writer.ret.first() == Some(&Class::F32))
}
