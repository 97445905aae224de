//! The emulator of R600 and R700.
//!
//! A thread group is up to 64 lanes (pixels in quads of four, or vertices) that execute one program together:
//!
//! - [`flow`]: which of them execute. Branches, loops and calls keep masks on a stack;
//! - [`alu`]: clauses of groups. A group is up to five operations, each a [meaning](super::sem) carried out on all lanes by a [`kernel`].
//!   [`clause`] executes them, once they are made [`ready`]; [`source`] has the sources that are more than registers;
//! - [`fetch`]: clauses of fetches, from [buffers](vertex) and [images](image);
//! - [`trace`]: the same, watched instruction by instruction;
//! - [`export`]: what leaves: pixels, positions, parameters, streams, the ring; and scratch and reduction buffers.
//!
//! A [`plan`] is the program with all fields read; [`run`] executes it from the first instruction to the one with END_OF_PROGRAM. What is
//! wrong with a program is an [`Error`] that names the instruction: nothing panics, and a program that does not end runs out of its
//! budget. What the manual leaves open is decided in [`choices`].
//!
//! ```
//! use wavediff::r600::Machine;
//! use wavediff::r600::emu::{Setup, Stage, Target, run};
//! // ALU: ADDR(2) CNT(1); EXPORT_DONE: PIX0, R0.xyzw EOP; x: ADD R0.x, R0.x, 1.0
//! let words = [0x0000_0002, 0xa000_0000, 0xc000_0000, 0x9420_0688, 0x801f_2000, 0x0000_0010];
//! let mut setup = Setup::new(Machine::R600, Stage::Ps, 4);
//! setup.gprs.insert(0, vec![[1.5f32.to_bits(), 0, 0, 0]; 4]);
//! let outcome = run(&words, &setup)?;
//! assert_eq!(outcome.exports[&Target::Pixel(0)][3].words[0], 2.5f32.to_bits());
//! # Ok::<(), wavediff::r600::emu::Error>(())
//! ```

pub mod alu;
pub mod choices;
mod clause;
pub mod export;
pub mod fetch;
pub mod flow;
pub mod image;
pub mod kernel;
pub mod mistakes;
pub mod plan;
mod ready;
mod setup;
mod source;
pub mod trace;
pub mod vertex;

pub use setup::{Exported, LoopConstant, Outcome, Primitive, Resource, Setup, Stage, Target};

use crate::isa::r600::does::{Around, Loop};
use flow::{Flow, Mode, Trip};
use kernel::{Host, LANES, Lanes};
use mistakes::Mistake;
use plan::{Action, Branch, Cond, Plan, Step};
use std::collections::BTreeMap;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// Control flow leads to where no instruction stands.
    #[error("no instruction of control flow stands here")]
    Nowhere,
    /// The opcode is none.
    #[error("{:08x} {:08x} is no instruction", words[0], words[1])]
    NoInstruction {
        /// The words.
        words: [u32; 2],
    },
    /// The clause reaches beyond the program, or over something else.
    #[error("there is no clause where the instruction says")]
    NoClause,
    /// The clause ends before its literals.
    #[error("the clause ends before the literals of its group")]
    NoLiterals,
    /// Two instructions of a group want the same unit.
    #[error("the unit of {name} is taken by another instruction of the group")]
    SlotTaken {
        /// The instruction.
        name: &'static str,
    },
    /// A reduction does not fill the four vector units.
    #[error("{name} is not in all four vector units of its group")]
    NotFour {
        /// The instruction.
        name: &'static str,
    },
    /// A field has a value that means nothing.
    #[error("{value} is reserved in {field}")]
    Reserved {
        /// The field.
        field: &'static str,
        /// The value.
        value: u32,
    },
    /// What is not emulated.
    #[error("{what} is not emulated")]
    Unsupported {
        /// What it is.
        what: &'static str,
    },
    /// No data format of vertex fetches.
    #[error("data format {number} is not emulated")]
    Format {
        /// Its number.
        number: u32,
    },
    /// A constant of lines that the clause does not lock.
    #[error("constant {number} lies in lines that the clause does not lock")]
    NotLocked {
        /// Its number among those of the lines.
        number: i64,
    },
    /// No constant buffer.
    #[error("there is no constant buffer {bank}")]
    NoBank {
        /// Its number.
        bank: u32,
    },
    /// Nothing is bound.
    #[error("there is no {what} at resource {number}")]
    NoResource {
        /// What is wanted.
        what: &'static str,
        /// Its number.
        number: u32,
    },
    /// A semantic without a register.
    #[error("semantic {number} has no register")]
    NoSemantic {
        /// Its number.
        number: u32,
    },
    /// Nothing to pop.
    #[error("the stack is empty")]
    StackEmpty,
    /// Another entry is on top.
    #[error("{found} is on top of the stack")]
    StackKind {
        /// What it is.
        found: &'static str,
    },
    /// The stack is full.
    #[error("the stack needs {used} entries and has {limit}")]
    StackOverflow {
        /// What is needed.
        used: u32,
        /// What is there.
        limit: u32,
    },
    /// A break or continue outside of a loop.
    #[error("no loop runs")]
    NoLoop,
    /// An instruction of another program type.
    #[error("{what} belongs to another program type")]
    Stage {
        /// What it is.
        what: &'static str,
    },
    /// The program does not end.
    #[error("the program has executed {budget} instructions and not ended")]
    Budget {
        /// How many it may execute.
        budget: u64,
    },
    /// More lanes than 64, or none.
    #[error("{lanes} lanes: there are 1 to 64")]
    LaneCount {
        /// How many were asked for.
        lanes: u32,
    },
}

impl Fault {
    /// Every name that [`Fault::name`] gives.
    pub const NAMES: [&'static str; 20] = [
        "nowhere",
        "no_instruction",
        "no_clause",
        "no_literals",
        "slot_taken",
        "not_four",
        "reserved",
        "unsupported",
        "format",
        "not_locked",
        "no_bank",
        "no_resource",
        "no_semantic",
        "stack_empty",
        "stack_kind",
        "stack_overflow",
        "no_loop",
        "stage",
        "budget",
        "lanes",
    ];

    /// The word for it in case files: `expect: trap stack_empty`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Nowhere => "nowhere",
            Fault::NoInstruction { .. } => "no_instruction",
            Fault::NoClause => "no_clause",
            Fault::NoLiterals => "no_literals",
            Fault::SlotTaken { .. } => "slot_taken",
            Fault::NotFour { .. } => "not_four",
            Fault::Reserved { .. } => "reserved",
            Fault::Unsupported { .. } => "unsupported",
            Fault::Format { .. } => "format",
            Fault::NotLocked { .. } => "not_locked",
            Fault::NoBank { .. } => "no_bank",
            Fault::NoResource { .. } => "no_resource",
            Fault::NoSemantic { .. } => "no_semantic",
            Fault::StackEmpty => "stack_empty",
            Fault::StackKind { .. } => "stack_kind",
            Fault::StackOverflow { .. } => "stack_overflow",
            Fault::NoLoop => "no_loop",
            Fault::Stage { .. } => "stage",
            Fault::Budget { .. } => "budget",
            Fault::LaneCount { .. } => "lanes",
        }
    }
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{at}: {fault}", if *fetch { "fetch program, " } else { "" })]
pub struct Error {
    /// The instruction of control flow, as its pair of words.
    pub at: u32,
    /// Whether it stands in the fetch program.
    pub fetch: bool,
    /// What it is.
    pub fault: Fault,
}

/// A program that runs.
pub(super) struct Run<'a> {
    setup: &'a Setup,
    host: Host,
    flow: Flow,
    /// Elements of registers, results of the group before, constants of the clause: see [`ready`].
    file: Vec<&'a mut Lanes>,
    address: [Lanes; 4],
    room: Option<clause::Room<'a>>,
    outcome: Outcome,
    /// Who looks on.
    watcher: Option<trace::Watcher<'a>>,
}

/// Registers that there are.
const GPRS: u32 = 128;

/// Executes a program.
///
/// # Errors
/// It does something that is wrong, or that is not emulated.
pub fn run(words: &[u32], setup: &Setup) -> Result<Outcome, Error> {
    let plan = Plan::new(setup.machine, words, setup);
    let fetch = Plan::new(setup.machine, &setup.fetch, setup);
    execute(&plan, &fetch, setup)
}

/// The same, and each instruction is seen when it is done.
///
/// # Errors
/// As [`run`].
pub fn watched(words: &[u32], setup: &Setup, see: trace::See<'_>) -> Result<Outcome, Error> {
    let plan = Plan::new(setup.machine, words, setup);
    let fetch = Plan::new(setup.machine, &setup.fetch, setup);
    carry_out(&plan, &fetch, setup, Some(see))
}

/// Executes a program that is ready, with its fetch program.
///
/// # Errors
/// As [`run`].
pub fn execute(plan: &Plan, fetch: &Plan, setup: &Setup) -> Result<Outcome, Error> {
    carry_out(plan, fetch, setup, None)
}

fn carry_out<'a>(plan: &Plan, fetch: &Plan, setup: &'a Setup, see: Option<trace::See<'a>>) -> Result<Outcome, Error> {
    let begin = |fault| Error { at: 0, fetch: false, fault };
    let size = ready::CONSTANTS + plan.constants().max(fetch.constants()) + clause::Room::SIZE;
    let mut lanes = vec![Lanes::splat(0); size];
    let mut run = Run::new(setup, &mut lanes).map_err(begin)?;
    run.watcher = see.map(|see| trace::Watcher::new(see, &run.file));
    let (mut at, mut in_fetch) = (0, false);
    let (mut next, mut done) = (0, 0);
    loop {
        if setup.stop == Some(done) {
            break;
        }
        done = done.wrapping_add(1);
        let plan = if in_fetch { fetch } else { plan };
        let error = |fault| Error { at, fetch: in_fetch, fault };
        // The next one in the list, but behind a jump.
        let step = match plan.nth(next, at) {
            Some(step) => step,
            None => {
                let (n, step) = plan.at(at).ok_or_else(|| error(Fault::Nowhere))?;
                next = n;
                step
            }
        };
        let ends = step.ends && !in_fetch;
        run.comes(at, in_fetch, step);
        let onward = run.spend().and_then(|()| run.step(step)).map_err(error)?;
        run.over(step);
        if ends {
            break;
        }
        match onward {
            Onward::Next => at += 1,
            Onward::To(to) => at = to,
            Onward::Fetch => (at, in_fetch) = (0, true),
            Onward::Back { to, fetch } => {
                at = to;
                in_fetch = in_fetch && !fetch;
            }
            Onward::End => break,
        }
        next += 1;
    }
    Ok(run.finish())
}

/// Where control flow goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Onward {
    /// To the instruction behind.
    Next,
    /// To another one.
    To(u32),
    /// Into the fetch program.
    Fetch,
    /// Back from a subroutine.
    Back { to: u32, fetch: bool },
    /// Out.
    End,
}

impl<'a> Run<'a> {
    /// A run whose registers lie in lanes of zeros.
    fn new(setup: &'a Setup, file: &'a mut [Lanes]) -> Result<Run<'a>, Fault> {
        if !(1..=LANES as u32).contains(&setup.lanes) {
            return Err(Fault::LaneCount { lanes: setup.lanes });
        }
        let lanes = u64::MAX >> (LANES as u32 - setup.lanes);
        let (room, file) = file.split_first_chunk_mut().ok_or(Fault::LaneCount { lanes: setup.lanes })?;
        let mut file: Vec<&mut Lanes> = file.iter_mut().collect();
        for (&gpr, values) in &setup.gprs {
            for element in 0..4 {
                let Some(to) = file[..ready::PREVIOUS].get_mut((gpr * 4 + element) as usize) else { continue };
                for (to, value) in to.0.iter_mut().zip(values) {
                    *to = value[element as usize];
                }
            }
        }
        let count = setup.lanes as usize;
        let outcome = Outcome {
            ring: vec![BTreeMap::new(); count],
            primitives: vec![Vec::new(); count],
            scratch: vec![vec![[0; 4]; setup.scratch_elements() as usize]; count],
            reduction: vec![[0; 4]; setup.reduction_elements() as usize],
            ..Outcome::default()
        };
        Ok(Run {
            setup,
            host: Host::new(),
            flow: Flow::new(lanes, setup.valid, setup.nstack, setup.mistake),
            file,
            address: [const { Lanes::splat(0) }; 4],
            room: Some(clause::Room::new(room)),
            outcome,
            watcher: None,
        })
    }

    fn finish(mut self) -> Outcome {
        self.outcome.killed = self.setup.valid & self.flow.lanes & !self.flow.valid;
        let count = self.setup.lanes as usize;
        let vectors = self.file[..ready::PREVIOUS].chunks_exact(4);
        self.outcome.gprs =
            vectors.map(|four| (0..count).map(|lane| std::array::from_fn(|e| four[e].0[lane])).collect()).collect();
        self.outcome
    }

    /// Counts an instruction.
    fn spend(&mut self) -> Result<(), Fault> {
        self.outcome.steps += 1;
        let budget = self.setup.budget;
        if self.outcome.steps > budget { Err(Fault::Budget { budget }) } else { Ok(()) }
    }

    /// Whether the program has the register.
    fn has(&self, gpr: u32) -> bool {
        self.setup.has_gpr(gpr)
    }

    /// A register; one that the program does not have is register 0.
    fn gpr(&self, gpr: u32, element: u32) -> &Lanes {
        let gpr = if self.has(gpr) { gpr } else { 0 };
        &*self.file[(gpr * 4 + (element & 3)) as usize]
    }

    /// A register that the loop index may be added to; none beyond those that the program has.
    fn register(&self, gpr: u32, indexed: bool) -> Option<u32> {
        if !indexed {
            return self.has(gpr).then_some(gpr);
        }
        let gpr = u32::try_from(i64::from(gpr) + i64::from(self.flow.index)).ok()?;
        (gpr < self.setup.ngpr.min(GPRS)).then_some(gpr)
    }

    /// The pixels an instruction starts from.
    fn base(&self, mode: Mode) -> u64 {
        let mode = match mode {
            Mode::WholeQuad if self.setup.has(Mistake::QuadIgnored) => Mode::Normal,
            Mode::Valid if self.setup.has(Mistake::ValidIgnored) => Mode::Normal,
            Mode::Normal if self.setup.has(Mistake::KilledStop) => Mode::Valid,
            mode => mode,
        };
        mode.of(self.flow.active, self.flow.valid, self.flow.lanes)
    }

    /// Whether the condition of an instruction holds, which is the same for all pixels.
    fn holds(&self, cond: Cond) -> bool {
        let cond = match cond {
            Cond::Bool(n) if self.setup.has(Mistake::BooleanInverted) => Cond::NotBool(n),
            Cond::NotBool(n) if self.setup.has(Mistake::BooleanInverted) => Cond::Bool(n),
            cond => cond,
        };
        match cond {
            Cond::Active => true,
            Cond::Never => false,
            Cond::Bool(n) => self.setup.bools >> (n & 31) & 1 != 0,
            Cond::NotBool(n) => self.setup.bools >> (n & 31) & 1 == 0,
        }
    }

    /// The pixels that pass the test of a branch.
    fn passing(&self, mode: Mode, branch: &Branch) -> u64 {
        if self.holds(branch.cond) { self.base(mode) } else { 0 }
    }

    fn step(&mut self, step: &Step) -> Result<Onward, Fault> {
        let mode = step.mode;
        match &step.action {
            Action::Nop => {}
            Action::Bad(fault) => return Err(fault.clone()),
            Action::Alu(around, clause) => {
                let clause = clause.as_ref().map_err(Clone::clone)?;
                self.alu(*around, clause, mode)?;
            }
            Action::Fetch(fetches) => {
                for (n, fetch) in fetches.iter().enumerate() {
                    self.spend()?;
                    let whole = fetch.whole_quad || mode == Mode::WholeQuad;
                    let lanes = self.base(if whole { Mode::WholeQuad } else { mode });
                    self.fetch(fetch, lanes)?;
                    self.done(trace::Part::Fetch(n), lanes);
                }
            }
            Action::LoopStart(kind, branch) => return self.loop_start(*kind, branch, mode),
            Action::LoopEnd(branch) => {
                if self.flow.end_loop()? {
                    return Ok(Onward::To(branch.to));
                }
            }
            Action::Leave(for_good, branch) => {
                let pixels = self.passing(mode, branch);
                self.flow.leave(pixels, *for_good)?;
                if self.flow.all_left()? {
                    return Ok(Onward::To(branch.to));
                }
            }
            Action::Push(always, branch) => {
                let pixels = self.passing(mode, branch);
                if pixels == 0 && !always {
                    return self.jump(branch);
                }
                self.flow.push()?;
                self.flow.active = pixels;
                if pixels == 0 {
                    return Ok(Onward::To(branch.to));
                }
            }
            Action::Pop(branch) => {
                self.flow.pop(branch.pops)?;
                self.flow.active = self.passing(mode, branch);
            }
            Action::Jump(branch) => {
                if self.passing(mode, branch) == 0 {
                    return self.jump(branch);
                }
                if self.setup.has(Mistake::PopsAlways) {
                    self.flow.pop(branch.pops)?;
                }
            }
            Action::Else(branch) => {
                let pushed = mode.of(self.flow.pushed()?, self.flow.valid, self.flow.lanes);
                let pushed = if self.setup.has(Mistake::ElseForAll) { self.flow.lanes } else { pushed };
                self.turn(if self.holds(branch.cond) { pushed } else { 0 });
                if self.flow.active == 0 {
                    return self.jump(branch);
                }
            }
            Action::Call(branch) => {
                let pixels = self.passing(mode, branch);
                if self.flow.call(step.at + 1, pixels, branch.deeper, false)? {
                    return Ok(Onward::To(branch.to));
                }
            }
            Action::CallFetch(branch) => {
                let pixels = self.passing(mode, branch);
                if !matches!(self.setup.stage, Stage::Vs | Stage::Es) {
                    return Err(Fault::Stage { what: "CALL_FS" });
                }
                if !self.setup.fetch.is_empty() && self.flow.call(step.at + 1, pixels, branch.deeper, true)? {
                    return Ok(Onward::Fetch);
                }
            }
            Action::Return(branch) => {
                if self.setup.stage == Stage::Fs && !self.flow.in_call() {
                    return Ok(Onward::End);
                }
                if self.holds(branch.cond) {
                    let (to, fetch) = self.flow.ret()?;
                    return Ok(Onward::Back { to, fetch });
                }
            }
            Action::Kill(branch) => {
                if self.setup.stage != Stage::Ps {
                    return Err(Fault::Stage { what: "KILL" });
                }
                self.flow.valid &= !self.passing(mode, branch);
                if self.flow.valid == 0 {
                    return self.jump(branch);
                }
            }
            Action::Emit(vertex, cut) => {
                if self.setup.stage != Stage::Gs {
                    return Err(Fault::Stage { what: "EMIT_VERTEX, EMIT_CUT_VERTEX or CUT_VERTEX" });
                }
                self.emit(*vertex, *cut, self.base(mode));
            }
            Action::Export(export) => self.export(export, self.base(mode))?,
            Action::Memory(memory) => self.memory(memory, self.base(mode))?,
        }
        Ok(Onward::Next)
    }

    /// Pops and jumps.
    fn jump(&mut self, branch: &Branch) -> Result<Onward, Fault> {
        self.flow.pop(branch.pops)?;
        Ok(Onward::To(branch.to))
    }

    /// Makes those active, of the pixels given, that are not.
    fn turn(&mut self, pixels: u64) {
        self.flow.active = (self.flow.active & !pixels) | (pixels & !self.flow.active);
    }

    /// An ALU clause with what is done to the stack around it.
    fn alu(&mut self, around: Around, clause: &alu::Clause, mode: Mode) -> Result<(), Fault> {
        let late = self.setup.has(Mistake::PushAfter) && around == Around::PushBefore;
        if matches!(around, Around::PushBefore | Around::ElseAfter) && !late {
            self.flow.push()?;
        }
        let lanes = self.base(mode);
        let execute = self.clause(clause, lanes)?;
        // Pixels that only helped return to what they were.
        let mut off = self.flow.active & lanes & !execute;
        if self.setup.has(Mistake::BreakPassing) && matches!(around, Around::Continue | Around::Break) {
            off = self.flow.active & lanes & execute;
        }
        match around {
            Around::Continue => self.flow.leave(off, false)?,
            Around::Break => self.flow.leave(off, true)?,
            _ => self.flow.active &= !off,
        }
        match around {
            Around::PopAfter => self.flow.pop(1)?,
            Around::Pop2After => self.flow.pop(if self.setup.has(Mistake::PopsOnce) { 1 } else { 2 })?,
            Around::PushBefore if late => self.flow.push()?,
            Around::ElseAfter if self.setup.has(Mistake::ElseAfterPlain) => {}
            Around::ElseAfter => {
                let pushed = self.flow.pushed()?;
                self.turn(pushed);
            }
            _ => {}
        }
        Ok(())
    }

    fn loop_start(&mut self, kind: Loop, branch: &Branch, mode: Mode) -> Result<Onward, Fault> {
        let constant = self.setup.loops.get(&branch.constant).copied().unwrap_or_default();
        let more = u32::from(self.setup.has(Mistake::LoopOnceMore) && constant.count > 0);
        let counted = Trip { count: Some(constant.count + more), index: Some(constant.first), step: constant.step };
        let trip = match kind {
            Loop::Counted => counted,
            Loop::CountedNoIndex if self.setup.has(Mistake::RepeatMovesIndex) => counted,
            Loop::CountedNoIndex => Trip { index: None, ..counted },
            Loop::Endless => Trip::default(),
        };
        let entering = if trip.count == Some(0) { 0 } else { self.passing(mode, branch) };
        if entering == 0 {
            return self.jump(branch);
        }
        self.flow.start_loop(entering, trip)?;
        Ok(Onward::Next)
    }
}
