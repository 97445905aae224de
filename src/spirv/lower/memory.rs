//! Memory instructions.

use super::{Lower, Lowered};
use crate::emu::plan::Step;
use crate::isa::row::Inst;
use crate::spirv::alg::Word;

impl Lower<'_> {
    /// A memory instruction.
    pub(super) fn access(&self, _: &Step, row: &'static Inst) -> Lowered {
        Err(format!("a translation of {}", row.name))
    }

    /// A value in LDS at M0.
    pub(super) fn lds_word_at_m0(&self) -> Word {
        Word::Known(0)
    }
}
