//! Plans: the steps of a [program] bound to functions.
//!
//! A bound step is a function, and where its operands lie as offsets into the scalar registers and the vector file of a
//! [`Wave`]. What an operand needs before a kernel reads it, and a result behind it, goes through temporaries there, so that a
//! source of a kernel is an offset whatever it is. A word that is no instruction has a step that traps when it is executed,
//! and one that nobody can execute says so by name.

use super::dpp::Dpp;
use super::group::{self, Group};
use super::kernel::packed::{Part, Parts};
use super::kernel::{self, Kernels, Level, STRIDE, VARIANTS};
use super::modes::{self, Moves};
use super::vector::{Merge, Taken};
use super::wave::{Wave, file, slot};
use super::{export, lanes, memory, salu, vector};
use crate::fault;
use crate::isa::Gen;
use crate::isa::does::{self, Does, Interpolate, Lanes};
use crate::isa::row::{Family, Inst};
use crate::isa::sem::Class;
use crate::memory::plane::Parameter;
use crate::program::extent::Extent;
use crate::program::memory::image::Image;
use crate::program::{self, Access, Export, Half, MAX_SOURCES, Post, Program, Source};
use crate::timing::machine::Machine;
use crate::timing::recall::Known;
use std::sync::{Arc, OnceLock};

/// What a step does: gives the next step, or [`STOP`](crate::program::STOP).
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

    /// Does it.
    #[inline(always)]
    #[allow(unsafe_code, reason = "kernels are compiled for vector instructions; the tables hold those the host has")]
    pub fn run(&self, wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
        // SAFETY: what is no safe function is a kernel of a level, and levels are to be had for what the host has.
        unsafe { (self.0[wave.variant])(wave, step, group) }
    }
}

/// A step of a program, ready to be executed.
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
    /// How a result of 16 bits meets what is there.
    pub merge: Merge,
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
    /// What a memory instruction needs. Its vector places are offsets into the file.
    pub memory: Option<Box<Access>>,
    /// What an export needs.
    pub export: Option<Box<Export>>,
    /// The function behind [`Step::run`], where something has to be done first.
    pub inner: Action,
    /// Which places lie in the vector file: a bit for each source, and [`program::Step::DST`] for the destination.
    pub vectors: u8,
    /// Where the operands really are, if the instruction or a mode moves them at run time.
    pub moves: Option<Box<Moves>>,
    /// Which lane each lane reads, where the instruction says so.
    pub sources: Option<Arc<[u32; STRIDE]>>,
    /// The row of the instruction; nothing where the word is none.
    pub row: Option<&'static Inst>,
    /// The name of the meaning that it carries out, which may be a wrong one on purpose; empty where it has none.
    pub meaning: &'static str,
}

/// What a vector instruction needs besides its kernel.
pub struct Vector {
    /// Operands to bring into temporaries.
    pub prepare: Vec<Prepare>,
    /// DPP: how lanes move.
    pub dpp: Option<Arc<Dpp>>,
    /// What the result is.
    pub class: Class,
    /// The parts of its sources that a kernel of a packed instruction reads.
    pub parts: Parts,
    /// What a kernel that takes parts reads of its sources.
    pub taken: [Taken; MAX_SOURCES],
    /// What happens to the result.
    pub post: Post,
    /// The second operation.
    pub more: Option<Box<Step>>,
    /// The same step with prepared operands, of one whose kernel takes parts.
    pub in_pieces: Option<Box<Step>>,
}

/// Where an operand comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum From {
    /// Vector registers or constants: an offset into the file.
    File(u32),
    /// Scalar registers: a slot.
    Scalar(u32),
    /// A value in LDS, at M0.
    LdsDirect,
    /// A parameter in LDS.
    Parameter(Parameter),
}

impl From {
    fn of(from: program::From) -> From {
        match from {
            program::From::Vector(at) => From::File(file::of(at)),
            program::From::Scalar(at) => From::Scalar(at),
            program::From::LdsDirect => From::LdsDirect,
            program::From::Parameter(parameter) => From::Parameter(parameter),
        }
    }
}

/// An operand to bring into a temporary.
#[derive(Clone, Copy, Debug)]
pub struct Prepare {
    /// Where it comes from.
    pub from: From,
    /// Where the kernel reads it.
    pub to: u32,
    /// What is done to it.
    pub of: Source,
    /// What of that is done to its word, or to the upper one.
    pub taken: Taken,
}

/// A program ready to be executed.
pub struct Plan<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its steps.
    pub bound: Arc<Bound>,
    /// What is known of it under the clock.
    clocked: OnceLock<Known>,
}

/// Steps with their functions, and what was found out about them: the same wherever the program lies.
pub struct Bound {
    /// Whose kernels they have.
    pub level: Level,
    /// The steps.
    pub steps: Box<[Step]>,
    /// Where a wave began when it was first asked, and how far the vector registers reach that it may write.
    extent: OnceLock<(u32, Extent)>,
    /// The same, and how many steps it takes at most.
    most: OnceLock<(u32, Option<u32>)>,
}

impl<'p> Plan<'p> {
    /// Binds a program to the kernels of the host.
    #[must_use]
    pub fn new(program: &'p Program) -> Plan<'p> {
        Plan::at(Level::of_host(), program)
    }

    /// Binds a program to the kernels of a level.
    #[must_use]
    pub fn at(level: Level, program: &'p Program) -> Plan<'p> {
        let steps = program.steps.iter().map(|step| bind(program, level, step)).collect();
        Plan::again(program, &Arc::new(Bound { level, steps, extent: OnceLock::new(), most: OnceLock::new() }))
    }

    /// What is known of it under the clock of its processor.
    pub(super) fn clocked(&self) -> &Known {
        self.clocked.get_or_init(|| Known::of(self.program, Machine::of(self.program.target.arch)))
    }

    /// The same plan for the same program, wherever that lies now: for those who keep programs and run them again.
    #[must_use]
    pub fn again(program: &'p Program, bound: &Arc<Bound>) -> Plan<'p> {
        Plan { program, bound: bound.clone(), clocked: OnceLock::new() }
    }

    /// How far the vector registers reach that a wave may write which begins at a step.
    pub(super) fn extent(&self, entry: u32) -> Extent {
        if self.program.vgprs < program::place::file::VGPRS {
            return Extent { vectors: self.program.vgprs, accumulators: 0 };
        }
        // Nearly all waves of a dispatch begin at the same step.
        let (first, extent) = self.bound.extent.get_or_init(|| (entry, self.program.extent(entry)));
        if *first == entry { *extent } else { Extent::ALL }
    }

    /// How many steps a wave takes at most that begins at a step: nothing where steps may be taken again, or where nobody has looked.
    pub(super) fn most_steps(&self, entry: u32) -> Option<u32> {
        let (first, most) = self.bound.most.get_or_init(|| (entry, self.program.most_steps(entry)));
        most.filter(|_| *first == entry)
    }
}

/// A step with its function.
fn bind(program: &Program, level: Level, step: &program::Step) -> Step {
    if step.row.is_none() {
        return Step::of(step, group::illegal);
    }
    let bound = match step.meaning {
        _ if !step.executes => None,
        Some(_) if !step.family().is_some_and(is_scalar) => computing(level, step),
        _ => function(step, program.target.generation()).map(|run| Step::of(step, run).exchanged()),
    };
    let Some(mut bound) = bound else { return Step::of(step, group::unsupported) };
    bound.sources = memory::sources(step, program.target.generation()).map(Arc::new);
    if reads_on_demand(step) && !runs_once(step) {
        (bound.inner, bound.run) = (bound.run, Action::always(group::refreshed));
    }
    if let Some(moves) = &step.moves {
        bound.moves = Some(Box::new(Moves { run: bound.run, of: (**moves).clone() }));
        bound.run = Action::always(modes::run);
    }
    bound
}

/// The function of an instruction without a kernel.
fn function(step: &program::Step, generation: Gen) -> Option<Run> {
    match step.family()? {
        family if is_scalar(family) => salu::run(step),
        _ if step.memory.is_some() => memory::run(step),
        Family::Exp => export::run(step),
        _ => lanes::run(step, generation),
    }
}

fn is_scalar(family: Family) -> bool {
    matches!(family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp)
}

/// Whether it is done once, whatever EXEC says: a function of a scalar.
fn runs_once(step: &program::Step) -> bool {
    step.does() == Some(Does::Lanes(Lanes::ScalarFunction))
}

/// Whether a step reads a slot that must be computed before.
fn reads_on_demand(step: &program::Step) -> bool {
    let is = |at: u32| (slot::VCCZ..slot::SHARED).contains(&(at as usize));
    let scalar = |n: usize| step.vectors >> n & 1 == 0 && is(step.src[n]);
    let source = |p: &Source| matches!(p.from, program::From::Scalar(at) if is(at));
    (0..MAX_SOURCES).any(scalar)
        || is(step.mask_src)
        || step.memory.as_ref().is_some_and(|access| is(access.base) || is(access.soffset))
        || step.vector.as_ref().is_some_and(|v| v.sources.iter().any(source))
        || step.second().is_some_and(reads_on_demand)
}

/// A vector instruction that computes: one operation or two, and the function that does what they need beside their kernels.
fn computing(level: Level, step: &program::Step) -> Option<Step> {
    let mut bound = operation(level, step, 0)?;
    if runs_once(step) {
        // The kernel runs as that of any vector instruction; where the result belongs is for those who run it.
        (bound.imm, bound.dst) = (bound.dst, file::RESULT[0]);
        bound.target = slot::ZERO as u32;
        for p in bound.vector.iter_mut().flat_map(|v| &mut v.prepare) {
            if let From::Scalar(at) = p.from {
                bound.target = at;
                p.from = From::Scalar(lanes::SOURCE);
            }
        }
    }
    if let Some(packed) = packed(level, step) {
        bound.pack(packed, step);
    } else if let (Some(second), Some(v)) = (step.second(), &mut bound.vector) {
        v.more = Some(Box::new(operation(level, second, 1)?));
    }
    let parts = if step.moves.is_some() || runs_once(step) { None } else { parts(level, step, &bound) };
    bound.run = bound.composed(level, step.moves.is_some());
    if let Some(kernel) = parts {
        bound.take_parts(level, kernel, operation(level, step, 0)?);
    }
    if runs_once(step) {
        (bound.inner, bound.run) = (bound.run, Action::always(lanes::once));
    } else if let Some(Does::Lanes(Lanes::Interpolate(Interpolate { toward_zero: true, .. }))) = step.does() {
        (bound.inner, bound.run) = (bound.run, Action::always(lanes::toward_zero));
    } else if let Some(Does::Lanes(Lanes::Parameter(does::Parameter::Load) | Lanes::Direct)) = step.does() {
        (bound.inner, bound.run) = (bound.run, Action::always(lanes::whole_quads));
    }
    Some(bound)
}

/// The kernel that does both operations of a step, which are the same for the two halves of a register.
fn packed(level: Level, step: &program::Step) -> Option<Action> {
    let (first, second) = (step.vector.as_deref()?, step.second()?.vector.as_deref()?);
    let (low, high) = (first.post, second.post);
    let whole = (low.half, high.half) == (Half::Low, Half::High) && !low.clamp && !high.clamp;
    if whole { kernel::of(level, step.meaning?)?.packed } else { None }
}

/// The kernel that takes the parts of the operands by itself and puts its result into a part of its register, where there is any part, and nothing
/// else to do.
fn parts(level: Level, step: &program::Step, bound: &Step) -> Option<Action> {
    let v = bound.vector.as_deref()?;
    let (Post { omod, clamp, exec, .. }, merge) = (v.post, Merge::of(&v.post));
    if omod != 0 || clamp || exec || v.more.is_some() || v.dpp.is_some() || !merge.is_unsigned() {
        return None;
    }
    let takes = |p: &Prepare| p.is_simple() && p.of.dwords == 1;
    let is_part = v.post.select != 6 || v.prepare.iter().any(|p| p.taken != Taken::ALL);
    if !is_part || !v.prepare.iter().all(takes) {
        return None;
    }
    let signed = v.prepare.iter().any(|p| p.taken.is_signed());
    kernel::of(level, step.meaning?)?.parts[usize::from(signed)]
}

/// A kernel behind what prepares its operands.
fn prepared(level: Level, all: &[Prepare], kernel: Action) -> Action {
    match all {
        [] => kernel,
        [p @ Prepare { from: From::Scalar(_), of: Source { dwords: 1, .. }, .. }]
            if level.short().is_some() && p.is_simple() =>
        {
            Action::kernels([level.with_scalar(); VARIANTS])
        }
        some if some.iter().all(Prepare::is_simple) => Action::always(vector::with_simple),
        _ => Action::always(vector::prepared),
    }
}

/// An operation of a vector instruction, its first or its second, with its kernel.
fn operation(level: Level, step: &program::Step, number: usize) -> Option<Step> {
    let Kernels { name, action, ret, .. } = kernel::of(level, step.meaning?)?;
    let mut bound = Step::of(step, vector::full);
    (bound.kernel, bound.meaning) = (*action, name);
    (bound.out, bound.mask_out) = (file::RESULT[number], slot::RESULT[number] as u32);
    if let Some(v) = &step.vector {
        let mut prepare = Vec::with_capacity(v.sources.len());
        for source in &v.sources {
            let n = usize::from(source.number);
            let to = file::source(n) + (number * STRIDE) as u32;
            match From::of(source.from) {
                From::File(at) if source.is_plain() => bound.src[n] = at,
                from => {
                    bound.src[n] = to;
                    prepare.push(Prepare::new(from, to, *source));
                }
            }
        }
        let dpp = v.dpp.map(|dpp| Arc::new(Dpp::new(dpp)));
        bound.vector = Some(Box::new(Vector {
            prepare,
            dpp,
            class: ret[0],
            parts: Parts::default(),
            taken: [Taken::ALL; MAX_SOURCES],
            post: v.post,
            more: None,
            in_pieces: None,
        }));
    }
    Some(bound.exchanged())
}

impl Step {
    /// A step that is done by a function.
    fn of(step: &program::Step, run: Run) -> Step {
        let run = Action::always(run);
        let place = |bit: u8, at: u32| if step.vectors & bit != 0 { file::of(at) } else { at };
        Step {
            run,
            src: std::array::from_fn(|n| place(1 << n, step.src[n])),
            out: file::RESULT[0],
            merge: Merge::WHOLE,
            mask_src: step.mask_src,
            mask_out: slot::RESULT[0] as u32,
            next: step.next,
            kernel: run,
            at: step.at,
            target: step.target,
            dst: place(program::Step::DST, step.dst),
            mask_dst: step.mask_dst,
            imm: step.imm,
            vector: None,
            memory: step.memory.as_deref().map(|access| Box::new(placed(access, step.family()))),
            export: step.export.clone(),
            inner: run,
            vectors: step.vectors,
            moves: None,
            sources: None,
            row: step.row,
            meaning: step.meaning.map_or("", |meaning| meaning.name),
        }
    }

    /// Its sources exchanged, where that is the mistake which is planted.
    fn exchanged(mut self) -> Step {
        if cfg!(debug_assertions) {
            fault::exchange(self.meaning, &mut self.src);
        }
        self
    }

    /// Has one kernel do both halves: it chooses and negates those of its sources, so that these are read where they are.
    fn pack(&mut self, kernel: Action, step: &program::Step) {
        let (Some(v), Some(low), Some(second)) = (&mut self.vector, &step.vector, step.second()) else { return };
        let Some(high) = &second.vector else { return };
        for (parts, of) in v.parts.iter_mut().zip([low, high]) {
            for source in &of.sources {
                let (down, sign) = (if source.high { 16 } else { 0 }, u32::from(source.neg) << 15);
                parts[usize::from(source.number)] = Part { down, sign };
            }
        }
        v.prepare.clear();
        for source in &low.sources {
            let n = usize::from(source.number);
            match From::of(source.from) {
                From::File(at) => self.src[n] = at,
                from => {
                    self.src[n] = file::source(n);
                    v.prepare.push(Prepare::new(from, self.src[n], Source { high: false, neg: false, ..*source }));
                }
            }
        }
        (v.post.half, self.kernel) = (Half::Whole, kernel);
    }

    /// Becomes the step whose kernel takes parts, which an unprepared one is made into.
    fn take_parts(&mut self, level: Level, kernel: Action, unprepared: Step) {
        let pieces = std::mem::replace(self, unprepared);
        (self.out, self.mask_out, self.kernel) = (self.dst, self.mask_dst, kernel);
        let Some(v) = &mut self.vector else { return };
        self.merge = Merge::of(&v.post);
        // Scalars are still spread.
        let all = std::mem::take(&mut v.prepare);
        for p in all {
            let n = usize::from(p.of.number);
            v.taken[n] = p.taken;
            match p.from {
                From::File(at) => self.src[n] = at,
                _ => v.prepare.push(Prepare { taken: Taken::ALL, ..p }),
            }
        }
        self.run = prepared(level, &v.prepare, kernel);
        v.in_pieces = Some(Box::new(pieces));
    }

    /// Has the kernel write where the result belongs, if nothing happens to it but that it meets the rest of its register; gives the function that
    /// does what else there is to do.
    fn composed(&mut self, level: Level, moves: bool) -> Action {
        let alone = |v: &Vector| v.dpp.is_none() && v.more.is_none() && (v.post.is_plain() || v.merges_only());
        match self.vector.as_deref_mut() {
            Some(v) if v.more.is_some() => {
                let Some(second_first) = v.in_turn(&self.src, self.dst).filter(|_| !moves) else {
                    return Action::always(vector::together);
                };
                (self.out, self.mask_out) = (self.dst, self.mask_dst);
                if let Some(second) = &mut v.more {
                    (second.out, second.mask_out) = (second.dst, second.mask_dst);
                }
                Action::always(if second_first { vector::in_turn::<true> } else { vector::in_turn::<false> })
            }
            Some(v) if level.short().is_some() && v.clamps_only() && self.mask_dst == slot::SINK as u32 => {
                let mut all = [level.with_clamp(); VARIANTS];
                all[kernel::variant(kernel::EXACT, 32)..].fill(vector::finished);
                Action::kernels(all)
            }
            Some(v) if !alone(v) => {
                let simple = v.dpp.is_none() && v.prepare.iter().all(Prepare::is_simple);
                Action::always(if simple { vector::finished } else { vector::full })
            }
            v => {
                (self.out, self.mask_out) = (self.dst, self.mask_dst);
                match v {
                    None => self.kernel,
                    Some(v) => {
                        self.merge = Merge::of(&v.post);
                        prepared(level, &v.prepare, self.kernel)
                    }
                }
            }
        }
    }

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
}

impl Vector {
    /// Whether nothing happens to the result but that it meets the rest of its register, which kernels do. (Debug builds do that behind them: there
    /// is what makes mistakes of it.)
    fn merges_only(&self) -> bool {
        let Post { omod, clamp, exec, .. } = self.post;
        self.class.is_16() && omod == 0 && !clamp && !exec && !cfg!(debug_assertions)
    }

    /// Whether an f32 is clamped, of operands that need nothing, and nothing else happens.
    fn clamps_only(&self) -> bool {
        let plain = Post { clamp: false, ..self.post };
        let alone = self.prepare.is_empty() && self.dpp.is_none() && self.more.is_none() && plain.is_plain();
        alone && self.post.clamp && self.class == Class::F32
    }

    /// Whether two operations can be done one after the other, each writing where its result belongs, as if both read before either writes: whether the
    /// second comes first then. (Not so in debug builds, as [above](Vector::merges_only).) Their operands have a register each.
    fn in_turn(&self, src: &[u32; MAX_SOURCES], dst: u32) -> Option<bool> {
        let second = self.more.as_deref()?;
        let other = second.vector.as_deref()?;
        let plain = |v: &Vector| v.post.is_plain() && v.dpp.is_none() && v.class.dwords() == 1;
        if cfg!(debug_assertions) || !plain(self) || !plain(other) || self.class == Class::Bit {
            return None;
        }
        // What is prepared is read before.
        let (second_sees, first_sees) = (second.src.contains(&dst), src.contains(&second.dst));
        if second_sees && first_sees { None } else { Some(second_sees) }
    }
}

impl Prepare {
    fn new(from: From, to: u32, of: Source) -> Prepare {
        Prepare { from, to, of, taken: Taken::of(&of) }
    }

    /// Whether it is a register as it is, in all lanes, or one of its parts, with its sign changed. (In debug builds that is done where mistakes are made
    /// of it.)
    fn is_simple(&self) -> bool {
        let Source { halves, widen, permuted, quad, .. } = self.of;
        let in_place = halves.is_none() && !widen && !permuted && quad.is_none();
        match self.from {
            From::Scalar(_) | From::File(_) => self.of.is_plain() || in_place && !cfg!(debug_assertions),
            From::LdsDirect | From::Parameter(_) => false,
        }
    }
}

/// An access whose vector places are offsets into the file.
fn placed(access: &Access, family: Option<Family>) -> Access {
    let Access { data, data1, dst, addr, .. } = *access;
    // The data of scalar memory are scalar registers.
    let data = if family == Some(Family::Smem) { data } else { file::of(data) };
    let image = access.image.as_deref().map(|image| {
        let registers = image.registers.iter().map(|register| file::of(*register)).collect();
        Box::new(Image { registers, ..image.clone() })
    });
    Access { data, data1: file::of(data1), dst: file::of(dst), addr: file::of(addr), image, ..access.clone() }
}
