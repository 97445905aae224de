//! Instructions that move values across lanes, between scalar and vector registers, or between registers whose numbers M0 has a say in.
//!
//! They have no kernel: what a lane gets depends on other lanes, on what is no lane at all, or EXEC does not say which lanes take part. The rows
//! say which these are ([`Lanes`]), [`run`] which function does it.

mod cross;
mod interp;
mod read;
mod scalar;

use super::group::Group;
use super::matrix;
use super::plan::{Run, Step};
use super::wave::Wave;
use crate::isa::Gen;
use crate::isa::does::{Does, Lanes};
use crate::program;

pub(super) use interp::{toward_zero, whole_quads};
pub(super) use scalar::{SOURCE, once};

/// The function of such an instruction; none where a meaning has it.
pub(super) fn run(step: &program::Step, generation: Gen) -> Option<Run> {
    Some(match step.does()? {
        Does::Product(_) => matrix::run(step, generation),
        Does::Idle(_) => nothing,
        Does::Lanes(lanes) => match lanes {
            Lanes::ReadFirst | Lanes::Read if step.reads_lds => read::read_lds,
            Lanes::ReadFirst | Lanes::Read if step.vectors & 1 == 0 => read::copy_scalar,
            Lanes::ReadFirst => read::read_first,
            Lanes::Read => read::read_lane,
            Lanes::Write if step.reads_lds => read::write_lds,
            Lanes::Write => read::write_lane,
            Lanes::Permute16 { cross: false, by_lane: false } => cross::by_scalars::<0>,
            Lanes::Permute16 { cross: true, by_lane: false } => cross::by_scalars::<16>,
            Lanes::Permute16 { cross: false, by_lane: true } => cross::by_register::<0>,
            Lanes::Permute16 { cross: true, by_lane: true } => cross::by_register::<16>,
            Lanes::Permute64 => cross::exchange_halves,
            Lanes::Swap | Lanes::SwapRelative => cross::swap_registers,
            Lanes::SwapHalves => cross::swap_16,
            Lanes::ClearExceptions => clear_exceptions,
            Lanes::MoveRelative { .. } | Lanes::Move | Lanes::ScalarFunction => return None,
            Lanes::Interpolate(_) | Lanes::Parameter(_) | Lanes::Direct => return None,
            // Through the hardware of LDS.
            Lanes::Swizzle | Lanes::Permute | Lanes::Bpermute { .. } => return None,
        },
        _ => return None,
    })
}

fn nothing(_: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    step.next
}

/// Forgets the exceptions that stuck.
fn clear_exceptions(wave: &mut Wave, step: &Step, _: &mut Group<'_>) -> u32 {
    /// The bits of TRAPSTS that float and integer operations set.
    const EXCEPTIONS: u32 = 0x7f;
    wave.trapsts &= !EXCEPTIONS;
    wave.env.raised.set(super::soft::Exceptions::empty());
    step.next
}
