//! Kinds of instructions, as a timeline colours them: units that are alike, and what has no unit by its family.

use wavediff::isa::does::{Control, Does};
use wavediff::isa::row::{Family, Inst};
use wavediff::program::Program;
use wavediff::timing::Unit;

/// What an instruction keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Scalar arithmetic.
    Scalar,
    /// What goes elsewhere in the program.
    Branch,
    /// Scalar loads.
    ScalarMemory,
    /// The vector unit at its full rate.
    Vector,
    /// The vector unit at a lower one.
    Slow,
    /// Roots, exponentials and their kin.
    Transcendental,
    /// Products of matrices.
    Matrix,
    /// LDS.
    Lds,
    /// Loads, stores, atomics, images.
    Memory,
    /// Exports.
    Export,
    /// Nothing: waits, hints, barriers, ends.
    Idle,
}

impl Kind {
    /// All of them, in the order of legends.
    pub const ALL: [Kind; 11] = [
        Kind::Vector,
        Kind::Slow,
        Kind::Transcendental,
        Kind::Matrix,
        Kind::Scalar,
        Kind::Branch,
        Kind::ScalarMemory,
        Kind::Lds,
        Kind::Memory,
        Kind::Export,
        Kind::Idle,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Scalar => "scalar",
            Kind::Branch => "branch",
            Kind::ScalarMemory => "scalar memory",
            Kind::Vector => "vector",
            Kind::Slow => "slow vector",
            Kind::Transcendental => "transcendental",
            Kind::Matrix => "matrix",
            Kind::Lds => "LDS",
            Kind::Memory => "memory",
            Kind::Export => "export",
            Kind::Idle => "no unit",
        }
    }

    /// That of an instruction of a program.
    pub fn of(program: &Program, step: u32) -> Kind {
        program.steps.get(step as usize).and_then(|step| step.row).map_or(Kind::Idle, Kind::of_row)
    }

    fn of_row(row: &Inst) -> Kind {
        match row.does {
            Does::Control(
                Control::Branch(_) | Control::Call | Control::SetPc | Control::TrapReturn | Control::SwapPc,
            ) => {
                return Kind::Branch;
            }
            Does::Control(Control::Barrier | Control::BarrierSignal { .. } | Control::BarrierLeave) => {
                return Kind::Idle;
            }
            _ => {}
        }
        match Unit::of(row) {
            Some(Unit::Immediate | Unit::End) => Kind::Idle,
            Some(Unit::Scalar | Unit::ScalarMultiply | Unit::ScalarMultiplyWide | Unit::ScalarFloat) => Kind::Scalar,
            Some(Unit::Call) => Kind::Branch,
            Some(Unit::ScalarMemory) => Kind::ScalarMemory,
            Some(Unit::Plain | Unit::Convert | Unit::Interpolation) => Kind::Vector,
            Some(Unit::Wide | Unit::Swap | Unit::Multiply | Unit::Double | Unit::DoubleAdd | Unit::DoubleConvert) => {
                Kind::Slow
            }
            Some(Unit::Transcendental | Unit::ScalarTranscendental) => Kind::Transcendental,
            Some(Unit::MatrixOfHalves | Unit::MatrixOfBytes) => Kind::Matrix,
            Some(Unit::LdsRead | Unit::LdsWrite) => Kind::Lds,
            Some(Unit::MemoryRead | Unit::MemoryWrite) => Kind::Memory,
            None => Kind::of_family(row.family),
        }
    }

    /// Of what has no unit.
    fn of_family(family: Family) -> Kind {
        match family {
            Family::Mubuf | Family::Mtbuf | Family::Mimg | Family::Flat | Family::Global | Family::Scratch => {
                Kind::Memory
            }
            Family::Ds | Family::Ldsdir => Kind::Lds,
            Family::Exp => Kind::Export,
            Family::Mai => Kind::Matrix,
            Family::Vintrp | Family::Vop3Interp => Kind::Vector,
            _ => Kind::Idle,
        }
    }
}
