//! Programs: code decoded once into steps.
//!
//! A step is a function and where its operands lie: offsets into the scalar registers and the vector file of a [`Wave`]. There is a step for
//! every word of the code, so that a jump needs no search: the program counter is the number of a word. A word that is no
//! instruction has a step that traps when it is executed, and one that the emulator cannot execute says so by name.

mod operand;
mod salu;
mod valu;

use super::kernel::{EXACT, Kernels, Level, MAX_SOURCES, VARIANTS, variant};
use super::run::Group;
use super::wave::{VGPRS, Wave, file, slot};
use crate::disasm::{self, Decoded, Executed};
use crate::fault;
use crate::isa::form::{Form, Table};
use crate::isa::row::{Family, Inst};
use crate::isa::{Gen, Target};
use std::collections::HashMap;

pub use operand::{From, Prepare};
pub use valu::{Dpp, Half, Post, Vector};

/// What a step does: gives the next step, or [`STOP`].
pub type Run = fn(&mut Wave, &Step, &mut Group<'_>) -> u32;

/// As [`Run`], compiled for vector instructions.
///
/// # Safety
/// The host must have those instructions.
pub(super) type Kernel = unsafe fn(&mut Wave, &Step, &mut Group<'_>) -> u32;

/// What a step does, by [variant of the kernels](super::kernel::variant).
#[derive(Clone, Copy)]
pub struct Action([Kernel; VARIANTS]);

impl Action {
    /// The same whatever the modes.
    pub(super) const fn always(run: Run) -> Action {
        Action([run; VARIANTS])
    }

    /// Kernels of a level, and levels are the host's.
    pub(super) const fn kernels(kernels: [Kernel; VARIANTS]) -> Action {
        Action(kernels)
    }

    /// Those of all other modes in every mode: the kernels that compute in integers.
    pub(super) const fn exact(self) -> Action {
        let [narrow, wide] = [self.0[variant(EXACT, 32)], self.0[variant(EXACT, 64)]];
        Action([narrow, wide, narrow, wide, narrow, wide])
    }

    /// Does it.
    #[inline(always)]
    #[allow(unsafe_code, reason = "kernels are compiled for vector instructions; the tables hold those the host has")]
    pub fn run(&self, wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        // SAFETY: what is no safe function is a kernel of a level, and levels are to be had for what the host has.
        unsafe { (self.0[wave.variant])(wave, step, group) }
    }
}

/// No next step: the wave's `stop` says why.
pub const STOP: u32 = u32::MAX;

/// One instruction, ready to be executed.
///
/// What every vector instruction needs stands in front, close together.
#[repr(C)]
pub struct Step {
    /// What it does.
    pub run: Action,
    /// Where the sources lie: in the scalar registers or in the vector file.
    pub src: [u32; MAX_SOURCES],
    /// Where a kernel leaves its result: at the destination, or where it is finished.
    pub out: u32,
    /// Where a mask is read: a scalar register.
    pub mask_src: u32,
    /// Where a kernel leaves a mask: where it is written, or where it is finished.
    pub mask_out: u32,
    /// The step that follows.
    pub next: u32,
    /// The kernel of a vector instruction.
    pub kernel: Action,
    /// The number of its first word.
    pub at: u32,
    /// The step that a branch leads to.
    pub target: u32,
    /// Where the result goes: in the scalar registers or in the vector file.
    pub dst: u32,
    /// Where a mask is written: a scalar register.
    pub mask_dst: u32,
    /// An immediate.
    pub imm: u32,
    /// What else a vector instruction needs: operands to prepare, results to finish.
    pub vector: Option<Box<Vector>>,
    /// What a memory instruction needs.
    pub memory: Option<Box<super::memory::Access>>,
    /// The function behind [`Step::run`], where operands must be refreshed first.
    pub inner: Action,
    /// Which places lie in the vector file: a bit for each source, and [`Step::DST`] for the destination.
    pub vectors: u8,
    /// Where the operands really are, if the instruction or a mode moves them at run time.
    pub moves: Option<Box<super::modes::Moves>>,
    /// The row of the instruction; nothing where the word is none.
    pub row: Option<&'static Inst>,
    /// The name of the meaning, for engines with other functions; empty where the instruction has none.
    pub meaning: &'static str,
    /// The source is a value in LDS, at M0, where the function of the step says so and no operand.
    pub reads_lds: bool,
    /// Whether the emulator executes it.
    pub executes: bool,
}

impl Step {
    /// The destination's bit in [`Step::vectors`].
    pub const DST: u8 = 1 << MAX_SOURCES;

    /// Does it. In a debug build, as it is [recorded or made wrong](crate::fault).
    #[inline(always)]
    pub fn execute(&self, wave: &mut Wave, group: &mut Group<'_>) -> u32 {
        if cfg!(debug_assertions) {
            return super::spoil::execute(wave, self, group);
        }
        self.run.run(wave, self, group)
    }

    /// The family of the instruction.
    #[must_use]
    pub fn family(&self) -> Option<Family> {
        self.row.map(|row| row.family)
    }

    /// Exchanges the sources of its operations where that is the mistake which is planted.
    fn exchange_sources(&mut self) {
        fault::exchange(self.meaning, &mut self.src);
        if let Some(more) = self.vector.as_mut().and_then(|v| v.more.as_mut()) {
            more.exchange_sources();
        }
    }

    /// Takes the kernels of a meaning.
    pub(super) fn computes(&mut self, kernels: &Kernels) {
        self.kernel = kernels.action;
        self.meaning = kernels.name;
    }

    /// The kernel leaves its result to be finished, as that of the first or the second operation of its instruction.
    pub(super) fn is_operation(&mut self, n: usize) {
        (self.out, self.mask_out) = (file::RESULT[n], slot::RESULT[n] as u32);
    }

    /// The kernel writes where the result belongs.
    pub(super) fn writes_through(&mut self) {
        (self.out, self.mask_out) = (self.dst, self.mask_dst);
    }

    pub(super) fn new(run: Run, at: u32, next: u32) -> Step {
        let run = Action::always(run);
        Step {
            run,
            src: [slot::ZERO as u32; MAX_SOURCES],
            out: file::RESULT[0],
            mask_src: slot::ZERO as u32,
            mask_out: slot::RESULT[0] as u32,
            next,
            kernel: run,
            at,
            target: STOP,
            dst: slot::SINK as u32,
            mask_dst: slot::SINK as u32,
            imm: 0,
            vector: None,
            memory: None,
            inner: run,
            vectors: 0,
            moves: None,
            row: None,
            meaning: "",
            reads_lds: false,
            executes: true,
        }
    }
}

/// Code ready to be executed.
pub struct Program {
    /// What it is for.
    pub target: Target,
    /// Whose kernels its steps have.
    pub level: Level,
    /// The address of its first word.
    pub base: u64,
    /// Its words.
    pub words: Vec<u32>,
    /// A step a word.
    pub steps: Vec<Step>,
    /// What stands behind the scalar registers.
    pub scalar_constants: Vec<u32>,
    /// What stands behind the vector registers, a word for each register.
    pub vector_constants: Vec<u32>,
    /// How many vector registers waves are given or name: those are cleared for the next group. All, with the accumulation registers, where nothing
    /// else is known.
    pub vgprs: u32,
    /// Whether it reads the exceptions that float operations raise: then all of them are computed where exceptions are seen.
    pub reads_exceptions: bool,
}

/// A plan under construction.
pub(super) struct Planner {
    pub(super) target: Target,
    pub(super) level: Level,
    table: &'static Table,
    reads_exceptions: bool,
    scalars: Vec<u32>,
    scalar_at: HashMap<(u64, u8), u32>,
    vectors: Vec<u32>,
    vector_at: HashMap<(u128, u8), u32>,
}

/// One instruction while its step is made.
pub(super) struct Code<'a> {
    pub(super) form: &'a Form,
    /// Its words, and what follows.
    pub(super) words: &'a [u32],
    /// Its length in words.
    pub(super) len: u8,
    /// The number of its first word.
    pub(super) at: u32,
}

impl Code<'_> {
    /// The literal constant, if a source asks for it.
    pub(super) fn literal(&self) -> u32 {
        self.words.get(usize::from(self.form.words)).copied().unwrap_or(0)
    }
}

impl Program {
    /// Plans `words` for a target, with the first word at the guest address `base`.
    #[must_use]
    pub fn plan(target: Target, words: &[u32], base: u64) -> Program {
        Program::plan_at(Level::of_host(), target, words, base)
    }

    /// The same program for waves that begin with a MODE. GPR index mode and VSKIP, which MODE may have, are else looked at only where the program sets them.
    #[must_use]
    pub fn beginning_with(mut self, mode: u32) -> Program {
        if super::modes::begins_in(self.target, mode) {
            super::modes::wrap_all(self.target, &self.words, &mut self.steps);
        }
        self
    }

    /// As [`Program::plan`], with the kernels of a level.
    #[must_use]
    pub fn plan_at(level: Level, target: Target, words: &[u32], base: u64) -> Program {
        let target = target.executing();
        let mut planner = Planner {
            target,
            level,
            table: Table::of(target),
            reads_exceptions: false,
            scalars: Vec::new(),
            scalar_at: HashMap::new(),
            vectors: Vec::new(),
            vector_at: HashMap::new(),
        };
        let mut steps: Vec<Step> = (0..words.len()).map(|at| planner.step(&words[at..], at as u32)).collect();
        super::modes::wrap(target, words, &mut steps);
        Program {
            target,
            level,
            base,
            words: words.to_vec(),
            steps,
            scalar_constants: planner.scalars,
            vector_constants: planner.vectors,
            vgprs: VGPRS,
            reads_exceptions: planner.reads_exceptions,
        }
    }

    /// The step at a guest address; [`STOP`] where there is no code.
    #[must_use]
    pub fn step_at(&self, address: u64) -> u32 {
        // The two lowest bits of the program counter are always zero.
        let offset = (address & !3).wrapping_sub(self.base) / 4;
        if offset < self.steps.len() as u64 { offset as u32 } else { STOP }
    }

    /// The guest address of a step.
    #[must_use]
    pub fn address_of(&self, step: u32) -> u64 {
        self.base.wrapping_add(u64::from(step) * 4)
    }

    /// The text of the instruction at a step.
    #[must_use]
    pub fn text(&self, step: u32) -> String {
        // The longest instruction and the word behind it, not all that is left of a long program.
        const WORDS: usize = 8;
        let Some(words) = self.words.get(step as usize..) else { return String::new() };
        let words = &words[..words.len().min(WORDS)];
        let table = Table::of(self.target);
        // As the disassembler has it, where it does.
        let read = disasm::decode(table, words).map(|decoded| (decoded, words.to_vec()));
        let read = read.or_else(|_| disasm::executed(table, words).map(|e| (e.decoded, e.words.to_vec())));
        match read {
            Ok((decoded, mut words)) => {
                // Families look at a word behind their own.
                words.resize(words.len().max(usize::from(decoded.len) + 1), 0);
                let mut text = Vec::new();
                disasm::print(table, &decoded, &words, &mut text);
                String::from_utf8_lossy(&text).into_owned()
            }
            Err(reason) => format!(".long {:#010x} ; {reason}", words.first().copied().unwrap_or(0)),
        }
    }

    /// The instruction at a step.
    ///
    /// # Errors
    /// Why there is none.
    pub fn executed(&self, step: u32) -> Result<Executed<'static>, disasm::Reason> {
        disasm::executed(Table::of(self.target), self.words.get(step as usize..).unwrap_or_default())
    }
}

/// The form of the instruction at the beginning of `words`, as it is executed.
pub(super) fn form(table: &'static Table, words: &[u32]) -> Option<&'static Form> {
    disasm::executed(table, words).ok().map(|executed| executed.decoded.form)
}

impl Planner {
    /// The step of the instruction at the beginning of `words`.
    fn step(&mut self, words: &[u32], at: u32) -> Step {
        let Ok(executed) = disasm::executed(self.table, words) else {
            return Step::new(super::run::illegal, at, at + 1);
        };
        let Decoded { form, len } = executed.decoded;
        let code = Code { form, words: &executed.words, len, at };
        let planned = self.plan(&code);
        let executes = planned.is_some();
        let mut step = planned.unwrap_or_else(|| Step::new(super::run::unsupported, at, at + u32::from(len)));
        step.executes = executes;
        step.next = at + u32::from(len);
        step.row = Some(form.row);
        if cfg!(debug_assertions) {
            step.exchange_sources();
        }
        step
    }

    fn plan(&mut self, code: &Code<'_>) -> Option<Step> {
        use Family::*;
        match code.form.row.family {
            Sop1 | Sop2 | Sopk | Sopc | Sopp => self.scalar(code),
            Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Mai | Vinterp => self.vector(code),
            Vopd => self.dual(code),
            Smem | Ds | Mubuf | Mtbuf | Flat | Global | Scratch => super::memory::plan(self, code),
            Vop3Interp | Vintrp | Ldsdir | Mimg | Exp => None,
        }
    }

    fn generation(&self) -> Gen {
        self.target.generation()
    }

    /// The slot of a scalar constant of one or two words.
    fn scalar_constant(&mut self, v: u64, dwords: u8) -> u32 {
        let next = (slot::CONSTANTS + self.scalars.len()) as u32;
        let scalars = &mut self.scalars;
        *self.scalar_at.entry((v, dwords)).or_insert_with(|| {
            scalars.push(v as u32);
            // A pair may be read where one word was meant: the upper word is always there.
            scalars.push((v >> 32) as u32);
            next
        })
    }

    /// The offset of a vector constant of up to four words.
    fn vector_constant(&mut self, v: u128, dwords: u8) -> u32 {
        let next = file::CONSTANTS + (self.vectors.len() * super::kernel::STRIDE) as u32;
        let vectors = &mut self.vectors;
        *self.vector_at.entry((v, dwords)).or_insert_with(|| {
            vectors.extend((0..dwords).map(|i| (v >> (32 * u32::from(i))) as u32));
            next
        })
    }
}
