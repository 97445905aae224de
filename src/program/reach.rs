//! Code of which nobody says how long it is: found by following it.
//!
//! A command processor is told where a shader begins and not where it ends. What belongs to it is what a wave can reach: from
//! the entry on, past every instruction and along every label, until the program ends. Jumps to addresses in registers are not
//! followed.

use super::Program;
use super::build::Builder;
use crate::isa::Target;
use crate::isa::form::Table;
use std::collections::HashSet;

/// Words of an instruction at most, and of what its families look at behind it.
const WINDOW: usize = 8;
/// Where the entry is counted from, so that labels may lie before it.
const ENTRY: u32 = 1 << 30;

/// Why code is not taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// Nothing is mapped at the entry.
    #[error("nothing is mapped at {0:#x}, where the program begins")]
    Entry(u64),
    /// More than is taken apart at once.
    #[error("the program from {entry:#x} on reaches over more than {limit} words")]
    Long {
        /// Where it begins.
        entry: u64,
        /// The most words.
        limit: u32,
    },
}

/// What is reached from an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The address of the first word, at or before the entry.
    pub base: u64,
    /// The words from there to the last one that is reached.
    pub words: Vec<u32>,
    /// Whether a jump goes where registers say: then there may be more.
    pub computed: bool,
}

impl Reached {
    /// The words that a wave can reach from an entry; `fetch` gives the word at an address, where there is one.
    ///
    /// # Errors
    /// There is none at the entry, or they are more than `limit`.
    pub fn from(
        target: Target,
        entry: u64,
        limit: u32,
        mut fetch: impl FnMut(u64) -> Option<u32>,
    ) -> Result<Reached, ReachError> {
        let entry = entry & !3;
        fetch(entry).ok_or(ReachError::Entry(entry))?;
        let address = |at: u32| entry.wrapping_add_signed((i64::from(at) - i64::from(ENTRY)) * 4);
        let mut builder = Builder::new(Table::of(target.executing()));
        let (mut first, mut end, mut computed) = (ENTRY, ENTRY + 1, false);
        let (mut open, mut met) = (vec![ENTRY], HashSet::new());
        while let Some(mut at) = open.pop() {
            while met.insert(at) {
                let window: Vec<u32> = (at..).take(WINDOW).map_while(|n| fetch(address(n))).collect();
                if window.is_empty() {
                    break;
                }
                let step = builder.step(&window, at);
                first = first.min(at);
                end = end.max(step.next.min(at + window.len() as u32));
                if end - first > limit {
                    return Err(ReachError::Long { entry, limit });
                }
                let exits = step.exits();
                computed |= exits.computed;
                open.extend(exits.target);
                match exits.next {
                    Some(next) => at = next,
                    None => break,
                }
            }
        }
        let words = (first..end).map(|n| fetch(address(n)).unwrap_or(0)).collect();
        Ok(Reached { base: address(first), words, computed })
    }

    /// Takes them apart.
    #[must_use]
    pub fn program(&self, target: Target) -> Program {
        Program::new(target, &self.words, self.base)
    }
}
