//! Matrix instructions: products of small matrices whose elements are spread over the lanes of a wave.
//!
//! [`wmma`] are those of RDNA, [`mfma`] those of CDNA. Sparse ones are beside the dense ones of their generation: two of each four elements of a
//! row of A are there, and with them the same two of each column of B are multiplied.

mod mfma;
mod wmma;

use super::kernel::STRIDE;
use super::plan::{Run, Step};
use super::wave::Wave;
use crate::fault::planted;
use crate::isa::Gen;
use crate::program::place::file as place;
use crate::program::{self, Modifiers};

/// The function of a product. What is multiplied its row says.
pub(super) fn run(step: &program::Step, generation: Gen) -> Run {
    if step.dst == place::NOWHERE {
        |_, step, _| step.next
    } else if generation == Gen::Gfx9 {
        mfma::product
    } else {
        wmma::product
    }
}

/// `bits` of a register's lane, from bit `first` on.
fn field(wave: &Wave, at: u32, register: u32, lane: u32, first: u32, bits: u32) -> u32 {
    let word = wave.file[(at + register * STRIDE as u32 + lane) as usize].get();
    word >> first & (u32::MAX >> (32 - bits))
}

/// Which element of a row the kept one of this number is: two bits of an index for each, after its group of four.
fn kept(indices: u32, number: u32, element: u32) -> u32 {
    let element = if planted!(MatrixIndicesSwapped) { element ^ 1 } else { element };
    4 * (number / 2) + (indices >> (2 * element) & 3)
}

/// The indices of the elements that a lane of A has, of which there are so many.
fn indices(wave: &Wave, step: &Step, of_lane: u32, lane: u32) -> u32 {
    let first = Modifiers(step.imm).first_index(wave.env.target.generation(), of_lane);
    field(wave, step.src[2], 0, lane, 0, 32) >> if planted!(MatrixFirstSet) { 0 } else { first }
}
