//! Probes: programs that measure what an instruction of the ALUs costs on a processor.
//!
//! A probe is for one row and one [kind](Kind) of cost. Its program reads the clock, executes `n` copies of the instruction, waits for the
//! last result, reads the clock again, and keeps the least difference of some rounds in [`CLOCKS`]; the first round brings the code to the
//! caches. Reading the clock and waiting cost the same whatever `n` is, so that the caller takes the slope between several `n`, or the
//! program of no copies away from the others.
//!
//! * Rate: no copy reads what another writes. Sources are registers that nobody writes, results turn through several registers. Where an
//!   instruction reads its own result, as accumulators do, every copy waits for the one that wrote its register [`Probe::spread`] copies
//!   before. Instructions that read SCC, VCC or EXEC and write it in every form have no rate: they are [serial](Reason::Serial).
//! * Latency: each copy reads what the one before wrote. Where a result cannot be a source, as the mask of a comparison, a
//!   [partner](Probe::partner) stands between, and a link costs both latencies.
//!
//! What a probe is held to be follows from what its steps read and write, not from names: `v_cmpx` is a chain through EXEC, `s_addc_u32`
//! through its sum and SCC.
//!
//! Vector instructions of gfx10 and later are queued: the wave reads the clock while they are under way. So behind the copies a scalar
//! instruction reads the last result, which `v_readfirstlane_b32` brings to it, and only then the clock is read.
//!
//! Registers begin with 1.0, and what becomes of that in a chain is not looked at. No probe touches memory, and what cannot be measured in
//! this way is said with a [reason](Reason).
//!
//! - `operands`: registers, and the text of an instruction with them;
//! - `chain`: copies that do not wait for each other, and those that do;
//! - `program`: the program around them, and the case;
//! - [`pattern`]: the programs for memory, the local data share and branches, which are not rows but orders of addresses.

mod chain;
mod operands;
pub mod pattern;
mod program;

pub use program::{CLOCKS, ROUNDS, clocks};

use crate::case::{Case, CaseError};
use crate::isa::does::{Control, Does, Idle, Lanes};
use crate::isa::form::{Form, Kind as Place, Table, Variant};
use crate::isa::row::{Family, Inst};
use crate::isa::{Target, gcn};
use chain::Body;
use operands::Line;
use std::collections::HashMap;
use std::fmt;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Clocks from one instruction to the next that does not wait for it.
    Rate,
    /// Clocks from one instruction to the next that does.
    Latency,
}

/// Why a row is not measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It decides where the wave goes on, or asks where it is.
    Flow,
    /// It waits, signals, sends or sleeps.
    Waits,
    /// It changes the modes.
    Modes,
    /// M0 or a mode says which registers it is about.
    Relative,
    /// It interpolates, which takes parameters in LDS.
    Interpolates,
    /// It goes to memory, or reads a clock.
    Memory,
    /// No engine executes it.
    NotExecuted,
    /// It is for waves of the other size.
    OtherWaves,
    /// Its operands are of a kind that no other measured row has.
    Operands,
    /// Each copy reads what the one before wrote, in every form.
    Serial,
    /// It has no result that an instruction could read.
    NoResult,
    /// It reads nothing.
    NoSource,
    /// Nothing brings its result to its source.
    Unchained,
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Reason::Flow => "it decides where the wave goes on",
            Reason::Waits => "it waits, signals or sleeps",
            Reason::Modes => "it changes the modes",
            Reason::Relative => "its registers are known at run time",
            Reason::Interpolates => "it interpolates",
            Reason::Memory => "it goes to memory",
            Reason::NotExecuted => "no engine executes it",
            Reason::OtherWaves => "it is for waves of the other size",
            Reason::Operands => "its operands are of no kind that is measured",
            Reason::Serial => "each copy reads what the one before wrote",
            Reason::NoResult => "it has no result to read",
            Reason::NoSource => "it reads nothing",
            Reason::Unchained => "nothing brings its result to its source",
        }
    }

    /// The reason that holds for all of a row, if there is one.
    fn of(row: &Inst) -> Option<Reason> {
        if row.does.is_relative() {
            return Some(Reason::Relative);
        }
        match row.does {
            Does::Computes | Does::CombinesExec { .. } | Does::Product(_) | Does::Idle(Idle::Nop) => None,
            Does::Control(Control::GetReg) => None,
            Does::Idle(_) => Some(Reason::Waits),
            Does::Lanes(Lanes::Interpolate(_) | Lanes::Parameter(_) | Lanes::Direct) => Some(Reason::Interpolates),
            Does::Lanes(_) => None,
            Does::Load(_) | Does::Store(_) | Does::Atomic(_) | Does::Clock | Does::WaveNumber => Some(Reason::Memory),
            Does::Texels(_) | Does::Ray(_) | Does::Stack(_) => Some(Reason::Memory),
            Does::Control(control) => Some(of_control(control)),
            Does::Exports => Some(Reason::NoResult),
            Does::Across(_) => Some(Reason::Waits),
            Does::Unknown(_) => Some(Reason::NotExecuted),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Why an instruction that directs the wave is not measured.
fn of_control(control: Control) -> Reason {
    use Control::*;
    match control {
        Barrier
        | BarrierSignal { .. }
        | BarrierState
        | BarrierLeave
        | Send
        | SendAndHalt
        | SendReturn { .. }
        | Halt
        | Trap => Reason::Waits,
        SetReg | RoundMode | DenormMode | SetVskip => Reason::Modes,
        MoveRelativeSource { .. } | MoveRelativeDestination { .. } | MoveRelativeBoth => Reason::Relative,
        GprIndexOn | GprIndexOff | GprIndex | GprIndexMode => Reason::Relative,
        _ => Reason::Flow,
    }
}

/// A measuring program of a row.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The row.
    pub row: &'static Inst,
    /// What it measures.
    pub kind: Kind,
    /// The processor.
    pub target: Target,
    body: Body,
}

impl Probe {
    /// The probe of a row.
    ///
    /// # Errors
    /// Why there is none.
    pub fn of(target: Target, row: &'static Inst, kind: Kind) -> Result<Probe, Reason> {
        Probe::of_forms(target, row, kind, &Forms::of(target))
    }

    fn of_forms(target: Target, row: &'static Inst, kind: Kind, forms: &Forms) -> Result<Probe, Reason> {
        if let Some(reason) = Reason::of(row) {
            return Err(reason);
        }
        let lines = forms.lines(target, row)?;
        let body = match kind {
            Kind::Rate => chain::rate(target, &lines),
            Kind::Latency => chain::latency(target, &lines),
        };
        Ok(Probe { row, kind, target, body: body? })
    }

    /// The name of the form that is measured.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.body.line.name
    }

    /// The row of what stands between two copies of a chain: its latency is in each link besides that of the row. Of a select by a mask and
    /// of a move from a scalar register it is the way from there that counts.
    #[must_use]
    pub fn partner(&self) -> Option<&'static Inst> {
        self.body.partner.as_ref().map(|(_, row)| *row)
    }

    /// What each copy of a chain leaves that the next one, or the partner, waits for: `v4`, `vcc_lo`, `exec`, `scc`. Of a rate nothing.
    #[must_use]
    pub fn link(&self) -> Vec<String> {
        self.body.link.names(&self.target)
    }

    /// How many copies back the copy is whose result each reads: one in a chain; nothing where there is none.
    #[must_use]
    pub fn spread(&self) -> Option<u32> {
        self.body.spread
    }

    /// The instructions between the two readings of the clock, without the wait for the last of them.
    #[must_use]
    pub fn copies(&self, n: u32) -> Vec<String> {
        let partner = self.body.partner.as_ref().map(|(text, _)| text.clone());
        (0..n).flat_map(|copy| [Some(self.body.line.text(copy)), partner.clone()]).flatten().collect()
    }

    /// The program with `n` copies, as the text of a case.
    #[must_use]
    pub fn source(&self, n: u32) -> String {
        program::source(self, n, ROUNDS)
    }

    /// The program with `n` copies. The branch back to the first of them reaches over some thousands.
    ///
    /// # Errors
    /// As [`Case::parse`].
    pub fn case(&self, n: u32) -> Result<Case, CaseError> {
        Case::parse(&self.source(n), self.name())
    }

    /// The same with another number of rounds, each of which executes all copies.
    ///
    /// # Errors
    /// As [`Case::parse`].
    pub fn rounds(&self, n: u32, rounds: u16) -> Result<Case, CaseError> {
        Case::parse(&program::source(self, n, rounds), self.name())
    }
}

/// The forms of each row on a processor, but SDWA and DPP.
struct Forms {
    plain: HashMap<*const Inst, Vec<&'static Form>>,
    /// Dual instructions whose other half is a move, by their half; the second half is meant where the flag is set.
    dual: HashMap<&'static str, (bool, &'static Form)>,
    generation: crate::isa::Gen,
}

/// The other half of dual instructions.
const OTHER_HALF: &str = "v_dual_mov_b32";

impl Forms {
    fn of(target: Target) -> Forms {
        let (mut plain, mut dual): (HashMap<_, Vec<_>>, HashMap<_, _>) = Default::default();
        let generation = target.generation();
        for form in Table::of(target).forms.iter().filter(|form| form.variant == Variant::Base) {
            let second = form.slots.iter().find_map(|slot| match slot.kind {
                Place::Dual(name) => Some(name),
                _ => None,
            });
            let first = form.row.name_in(generation);
            match second {
                Some(OTHER_HALF) => {
                    dual.insert(first, (false, form));
                }
                Some(name) if first == OTHER_HALF => {
                    dual.entry(name).or_insert((true, form));
                }
                Some(_) => {}
                None => plain.entry(std::ptr::from_ref(form.row)).or_default().push(form),
            }
        }
        Forms { plain, dual, generation }
    }

    /// The instruction in each form of a row.
    fn lines(&self, target: Target, row: &'static Inst) -> Result<Vec<Line>, Reason> {
        let forms: Vec<(bool, &Form)> = if row.family == Family::Vopd {
            self.dual.get(row.name_in(self.generation)).copied().into_iter().collect()
        } else {
            let plain = self.plain.get(&std::ptr::from_ref(row));
            plain.into_iter().flatten().map(|form| (false, *form)).collect()
        };
        if forms.is_empty() {
            return Err(Reason::OtherWaves);
        }
        let lines: Vec<Line> = forms.iter().filter_map(|(second, form)| Line::of(&target, form, *second)).collect();
        if lines.is_empty() { Err(Reason::Operands) } else { Ok(lines) }
    }
}

/// The families that probes are for.
pub const FAMILIES: [Family; 11] = [
    Family::Sop1,
    Family::Sop2,
    Family::Sopk,
    Family::Sopc,
    Family::Vop1,
    Family::Vop2,
    Family::Vopc,
    Family::Vop3,
    Family::Vop3p,
    Family::Mai,
    Family::Vopd,
];

/// Both probes of every row that a processor has in [`FAMILIES`], or why there is none.
pub fn probes(target: Target) -> impl Iterator<Item = (&'static Inst, Kind, Result<Probe, Reason>)> {
    let forms = Forms::of(target);
    let rows = gcn::rows().filter(move |row| FAMILIES.contains(&row.family) && row.opcode(target.arch).is_some());
    rows.flat_map(|row| [(row, Kind::Rate), (row, Kind::Latency)])
        .map(move |(row, kind)| (row, kind, Probe::of_forms(target, row, kind, &forms)))
}
