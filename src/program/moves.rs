//! What moves the operands of an instruction at run time, or skips it.
//!
//! `v_movrel*` and `v_swaprel` add parts of M0 to the numbers of their registers. On gfx8 and gfx9 the mode "GPR index"
//! (MODE bit 27) does so for all vector arithmetic: M0\[7:0\] is added to the roles which M0\[15:12\] enables; a source that
//! is the old destination has the destination's role. On gfx6 to gfx9 the mode VSKIP (MODE bit 28) makes every vector
//! instruction, memory and export included, do nothing.
//!
//! Only programs that contain an instruction able to set those bits have steps that ask for them. A wave that is started with
//! the bits set runs a program without such instructions as if they were clear, unless the program was
//! [told so](super::Program::beginning_with).
//!
//! Registers beyond the last: a source is v0 instead; with such a destination nothing is done. Constants, scalar registers and
//! accumulation registers stay where they are. Which of two reversed operands (`v_subrev`) the enables mean is not public:
//! here it is the order of the text.

use super::{MAX_SOURCES, Step};
use crate::isa::does::{Amount, Control, Does, Lanes};
use crate::isa::operand::Class;
use crate::isa::row::{Family, Inst};
use crate::isa::symbols::hwreg::{self, id, mode};
use crate::isa::{Gen, Target};

/// How the operands of a step move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves {
    /// Registers of each source.
    pub dwords: [u8; MAX_SOURCES],
    /// Registers of the destination.
    pub dst_dwords: u8,
    /// The role of each source in GPR index mode: a bit of M0\[15:12\].
    pub roles: [u8; MAX_SOURCES],
    /// The first source is written too.
    pub swaps: bool,
    /// How the instruction itself moves its sources.
    pub src: Amount,
    /// How the instruction itself moves its destination.
    pub dst: Amount,
    /// GPR index mode and VSKIP are looked at.
    pub modes: bool,
    /// GPR index mode concerns it.
    pub indexed: bool,
}

impl Moves {
    /// The destination's bit among the roles.
    pub const DST_ROLE: u8 = 8;

    pub(super) fn of(row: &Inst) -> Moves {
        let has_dst = row.family == Family::Vopc || row.dst.class != Class::None;
        let dst_dwords = if row.dst.class == Class::None { 1 } else { row.dst.ty.dwords() };
        let mut moves = Moves {
            dwords: [dst_dwords; MAX_SOURCES],
            dst_dwords,
            // What is behind the sources of the text is the old destination.
            roles: [Moves::DST_ROLE; MAX_SOURCES],
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

/// Has the modes looked at in a program that may set GPR index mode or VSKIP.
pub(super) fn wrap(target: Target, words: &[u32], steps: &mut [Step]) {
    if target.generation() <= Gen::Gfx9 && steps.iter().any(|step| sets_modes(step, words)) {
        wrap_all(steps);
    }
}

/// Whether waves that begin with a MODE are in one of the two.
pub(super) fn begins_in(target: Target, word: u32) -> bool {
    let index_mode = word >> mode::GPR_INDEX & 1 != 0 && target.generation() >= Gen::Gfx8;
    target.generation() <= Gen::Gfx9 && (index_mode || word >> mode::VSKIP & 1 != 0)
}

/// Has the modes looked at in a program whose waves may be in one of them.
pub(super) fn wrap_all(steps: &mut [Step]) {
    for step in steps {
        let Some(row) = step.row.filter(|row| is_vector(row.family)) else { continue };
        let moves = step.moves.get_or_insert_with(|| Box::new(Moves::of(row)));
        moves.modes = true;
        moves.indexed = is_arithmetic(row.family);
    }
}

/// Whether an instruction may set one of the modes: a write of MODE counts if its field has one of the bits.
fn sets_modes(step: &Step, words: &[u32]) -> bool {
    match step.does() {
        Some(Does::Control(Control::SetVskip | Control::GprIndexOn)) => true,
        Some(Does::Control(Control::SetReg)) => {
            let (register, first, width) = hwreg::unpack(words[step.at as usize] & 0xffff);
            register == id::MODE && first <= mode::VSKIP && first + width > mode::GPR_INDEX
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
