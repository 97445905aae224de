//! What moves the operands of an instruction at run time, or skips it.
//!
//! `v_movrel*` and `v_swaprel` add parts of M0 to the numbers of their registers. On gfx8 and gfx9 the mode "GPR index" (MODE bit 27) does so for all
//! vector arithmetic: M0\[7:0\] is added to the roles which M0\[15:12\] enables; a source that is the old destination has the destination's role. On gfx6 to
//! gfx9 the mode VSKIP (MODE bit 28) makes every vector instruction, memory and export included, do nothing.
//!
//! Only programs that contain an instruction able to set those bits pay for them: the steps of their vector instructions are [wrapped](wrap). A
//! wave that is started with the bits set runs a program without such instructions as if they were clear.
//!
//! Registers beyond the last: a source is v0 instead; with such a destination nothing is done. Constants, scalar registers and accumulation
//! registers stay where they are. Which of two reversed operands (`v_subrev`) the enables mean is not public: here it is the order of the text.

use super::kernel::{MAX_SOURCES, STRIDE};
use super::plan::{self, Action, From, Prepare, Step, Vector};
use super::run::Group;
use super::salu::{GPR_INDEX, VSKIP};
use super::wave::{Wave, file};
use crate::fault::planted;
use crate::isa::does::{Amount, Control, Does, Lanes};
use crate::isa::form::{Form, Table};
use crate::isa::operand::Class;
use crate::isa::row::Family;
use crate::isa::{Gen, Target};

impl Amount {
    /// What it is of M0.
    fn of(self, m0: u32) -> u32 {
        match self {
            Amount::None => 0,
            Amount::Whole => m0 & if planted!(VectorAmountLow) { 0x7 } else { u32::MAX },
            Amount::Low => m0 >> if planted!(VectorAmountsSwapped) { 16 } else { 0 } & 0x3ff,
            Amount::High => m0 >> if planted!(VectorAmountsSwapped) { 0 } else { 16 } & 0x3ff,
        }
    }
}

/// How the operands of a step move.
pub struct Moves {
    /// What the step does when its operands are where they belong.
    run: Action,
    /// Registers of each source.
    pub(crate) dwords: [u8; MAX_SOURCES],
    /// Registers of the destination.
    pub(crate) dst_dwords: u8,
    /// The role of each source in GPR index mode: a bit of M0\[15:12\].
    pub(crate) roles: [u8; MAX_SOURCES],
    /// The first source is written too.
    pub(crate) swaps: bool,
    /// How the instruction itself moves its sources.
    pub(crate) src: Amount,
    /// How the instruction itself moves its destination.
    pub(crate) dst: Amount,
    /// GPR index mode and VSKIP are looked at.
    pub(crate) modes: bool,
    /// GPR index mode concerns it.
    pub(crate) indexed: bool,
}

/// The destination's bit among the roles.
pub(crate) const DST_ROLE: u8 = 8;

impl Moves {
    fn of(form: &Form, run: Action) -> Moves {
        let row = form.row;
        let has_dst = row.family == Family::Vopc || row.dst.class != Class::None;
        let dst_dwords = if row.dst.class == Class::None { 1 } else { row.dst.ty.dwords() };
        let mut moves = Moves {
            run,
            dwords: [dst_dwords; MAX_SOURCES],
            dst_dwords,
            // What is behind the sources of the text is the old destination.
            roles: [DST_ROLE; MAX_SOURCES],
            swaps: matches!(row.does, Does::Lanes(Lanes::Swap | Lanes::SwapHalves | Lanes::SwapRelative)),
            src: Amount::None,
            dst: Amount::None,
            modes: false,
            indexed: false,
        };
        let sources = row.src.iter().filter(|o| !matches!(o.class, Class::Tied | Class::MaskIn | Class::MaskOut));
        for (i, operand) in sources.enumerate().take(if has_dst || !row.src.is_empty() { 3 } else { 0 }) {
            moves.dwords[i] = operand.ty.dwords();
            moves.roles[i] = 1 << i;
        }
        moves
    }
}

/// Lets M0 move the registers of a step.
pub(super) fn relative(form: &Form, step: &mut Step, src: Amount, dst: Amount) {
    step.moves = Some(Box::new(Moves { src, dst, ..Moves::of(form, step.run) }));
    step.run = Action::always(run);
}

/// Wraps the steps of a program that may set GPR index mode or VSKIP.
pub(super) fn wrap(target: Target, words: &[u32], steps: &mut [Step]) {
    if target.generation() > Gen::Gfx9 {
        return;
    }
    let table = Table::of(target);
    let form = |at: usize| plan::form(table, &words[at..]);
    let sets = |at: usize| form(at).is_some_and(|form| sets_modes(form, words[at]));
    let scalar = |step: &Step| matches!(step.family(), Some(Family::Sop1 | Family::Sopk | Family::Sopc | Family::Sopp));
    if steps.iter().enumerate().any(|(at, step)| scalar(step) && sets(at)) {
        wrap_all(target, words, steps);
    }
}

/// Whether waves that begin with a mode are in one of the two.
pub(super) fn begins_in(target: Target, mode: u32) -> bool {
    let index_mode = mode >> GPR_INDEX & 1 != 0 && target.generation() >= Gen::Gfx8;
    target.generation() <= Gen::Gfx9 && (index_mode || mode >> VSKIP & 1 != 0)
}

/// Wraps the steps of a program whose waves may be in one of the modes.
pub(super) fn wrap_all(target: Target, words: &[u32], steps: &mut [Step]) {
    let table = Table::of(target);
    let form = |at: usize| plan::form(table, &words[at..]);
    for (at, step) in steps.iter_mut().enumerate() {
        let Some(form) = form(at).filter(|form| is_vector(form.row.family)) else { continue };
        let moves = step.moves.get_or_insert_with(|| Box::new(Moves::of(form, step.run)));
        moves.modes = true;
        moves.indexed = is_arithmetic(form.row.family);
        step.run = Action::always(run);
    }
}

/// Whether an instruction may set one of the modes: a write of MODE counts if its field has one of the bits.
fn sets_modes(form: &Form, word: u32) -> bool {
    match form.row.does {
        Does::Control(Control::SetVskip | Control::GprIndexOn) => true,
        Does::Control(Control::SetReg) => {
            let (register, first, width) = super::salu::hwreg(word & 0xffff);
            register == super::hwreg::MODE && first <= VSKIP && first + width > GPR_INDEX
        }
        _ => false,
    }
}

fn is_vector(family: Family) -> bool {
    !matches!(family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp | Family::Smem)
}

fn is_arithmetic(family: Family) -> bool {
    use Family::*;
    matches!(family, Vop1 | Vop2 | Vopc | Vop3 | Vop3p)
}

/// A step whose operands move, or that may be skipped.
fn run(wave: &mut Wave, step: &Step, group: &mut Group<'_>) -> u32 {
    let Some(moves) = &step.moves else { return step.next };
    let mode = if moves.modes { wave.env.mode } else { 0 };
    if mode >> VSKIP & 1 != 0 && !planted!(VskipIgnored) {
        return step.next;
    }
    let m0 = wave.m0();
    let enabled = if moves.indexed && mode >> GPR_INDEX & 1 != 0 { (m0 >> 12 & 15) as u8 } else { 0 };
    let reversed = enabled.reverse_bits() >> 4;
    let enabled = if enabled != 0 && planted!(IndexRolesReversed) { reversed } else { enabled };
    if enabled == 0 && moves.src == Amount::None && moves.dst == Amount::None {
        return moves.run.run(wave, step, group);
    }
    let shift = Shift { moves, enabled, m0 };
    match shift.step(step) {
        Some(moved) => moves.run.run(wave, &moved, group),
        None => step.next,
    }
}

/// Operands on their way.
struct Shift<'a> {
    moves: &'a Moves,
    enabled: u8,
    m0: u32,
}

impl Shift<'_> {
    /// The register `by` behind the one at an offset, if there are as many as the operand has; none behind the last.
    fn register(at: u32, by: u32, dwords: u8) -> Option<u32> {
        let first = (at / STRIDE as u32).wrapping_add(by);
        let end = (u64::from(first) + u64::from(dwords)) * STRIDE as u64;
        (end <= u64::from(file::AGPR)).then(|| first * STRIDE as u32)
    }

    fn index(&self, role: u8) -> u32 {
        if self.enabled & role != 0 { self.m0 & if planted!(IndexSixBits) { 0x3f } else { 0xff } } else { 0 }
    }

    fn dst(&self, at: u32) -> Option<u32> {
        let by =
            self.moves.dst.of(self.m0).wrapping_add(if planted!(IndexDstStays) { 0 } else { self.index(DST_ROLE) });
        if at >= file::AGPR { Some(at) } else { Self::register(at, by, self.moves.dst_dwords) }
    }

    fn source(&self, n: usize, at: u32) -> Option<u32> {
        let own = if self.moves.roles[n] == DST_ROLE { self.moves.dst } else { self.moves.src };
        let by = own.of(self.m0).wrapping_add(self.index(self.moves.roles[n]));
        if at >= file::AGPR {
            return Some(at);
        }
        match Self::register(at, by, self.moves.dwords[n]) {
            Some(at) => Some(at),
            None if self.moves.swaps => None,
            None => Some(if planted!(VectorBeyondKept) { at } else { 0 }),
        }
    }

    /// The step with its operands moved; none where it must not be executed.
    fn step(&self, step: &Step) -> Option<Step> {
        let mut src = step.src;
        for (n, at) in src.iter_mut().enumerate() {
            if step.vectors >> n & 1 != 0 {
                *at = self.source(n, *at)?;
            }
        }
        let dst = if step.vectors & Step::DST != 0 { self.dst(step.dst)? } else { step.dst };
        let vector = match &step.vector {
            Some(v) => Some(Box::new(self.vector(v, step.vectors)?)),
            None => None,
        };
        let out = if step.out == step.dst { dst } else { step.out };
        Some(Step { dst, out, src, vector, memory: None, moves: None, ..*step })
    }

    fn vector(&self, v: &Vector, vectors: u8) -> Option<Vector> {
        let mut prepare = v.prepare.clone();
        for p in &mut prepare {
            if let From::File(at) = p.from {
                p.from = From::File(self.source(source_number(p), at)?);
            }
        }
        let more = match &v.more {
            Some(other) => Some(Box::new(self.step(&Step { vectors, ..copy(other) })?)),
            None => None,
        };
        Some(Vector { prepare, more, ..*v })
    }
}

/// Which source a temporary belongs to.
pub(crate) fn source_number(p: &Prepare) -> usize {
    ((p.to - file::source(0)) / (file::source(1) - file::source(0))) as usize % MAX_SOURCES
}

/// A step without what memory instructions need.
fn copy(step: &Step) -> Step {
    let vector = step.vector.as_ref().map(|v| {
        Box::new(Vector {
            prepare: v.prepare.clone(),
            more: v.more.as_deref().map(|other| Box::new(copy(other))),
            ..**v
        })
    });
    Step { vector, memory: None, moves: None, ..*step }
}
