//! R600 and R700 programs on Vulkan devices.
//!
//! ```text
//! words --plan--> instructions with their fields --translate--> module --engine--> record in, record out --> Outcome
//! ```
//!
//! A [plan](super::emu::plan) is what this translation and the [emulator](super::emu) have in common: which instruction it is. From there on
//! they share the [meanings](super::sem) and nothing else: here a meaning is evaluated in the algebra that writes SPIR-V, with floats
//! computed in integers ([`crate::spirv::alg`]).
//!
//! What depends on what a program finds (registers, constants, bytes of resources) is read from buffers ([`state`]), so that a module serves
//! many inputs; what is structure is in the module: the program, its stage, how many registers it has, formats and shapes of what is bound.
//!
//! - [`blocks`]: one loop around a switch over the places of control flow. It is the same for all lanes;
//! - [`flow`]: masks of lanes, and the stack;
//! - [`alu`]: a clause is straight code of one lane;
//! - [`fetch`], [`export`]: what lanes read and write beside registers;
//! - [`engine`]: the host's part. What goes wrong in a program comes back as the emulator's [`Error`](super::emu::Error), to the word.
//!
//! [`Lanes`] says how lanes are laid over a device. What cannot be carried out exactly is [`Refused`] before anything runs.

mod alu;
mod blocks;
pub mod engine;
mod export;
mod fetch;
mod flow;
mod lower;
pub mod mistakes;
pub mod state;

use super::emu::plan::{Action, FetchKind, Plan};
use super::emu::{Fault, Resource, Setup, Target};
use lower::Lower;
use mistakes::Mistake;
use state::Layout;
use std::collections::BTreeSet;

/// How the lanes of a thread group are carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Lanes {
    /// An invocation is a group, with a loop around what is done for each lane. It needs nothing of a device.
    Serial,
    /// An invocation is a lane, a workgroup a group.
    Workgroup,
}

impl Lanes {
    /// Both.
    pub const ALL: [Lanes; 2] = [Lanes::Workgroup, Lanes::Serial];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Lanes::Serial => "serial",
            Lanes::Workgroup => "workgroup",
        }
    }

    fn invocations(self) -> u32 {
        match self {
            Lanes::Serial => 1,
            Lanes::Workgroup => state::LANES,
        }
    }
}

/// What the translation does not carry out, though the emulator does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Steps are counted in a word.
    #[error("a budget of {budget} instructions: the translation counts to {most}")]
    Budget {
        /// How many.
        budget: u64,
        /// What it counts to.
        most: u64,
    },
    /// Bytes of what is bound are counted in a word.
    #[error("4 GiB and more at resource {number}")]
    Large {
        /// Where it is bound.
        number: u32,
    },
    /// The device has no buffer of this size.
    #[error("{words} words for the {what}: the device's buffers have {most}")]
    Room {
        /// What they are for.
        what: &'static str,
        /// How many are wanted.
        words: u64,
        /// How many there are.
        most: u64,
    },
    /// A module has no more cases than this (SPIR-V, 2.17, Universal Limits).
    #[error("{count} places of control flow that something leads to: a module has {most}")]
    Sites {
        /// How many there are.
        count: usize,
        /// How many a module has.
        most: usize,
    },
}

/// What can go wrong when a program runs, with what is known of it beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Raised {
    /// All is known.
    Fixed(Fault),
    /// There is no instruction.
    Nowhere,
    /// It has executed as many as it may.
    Budget,
    /// The constant of a set that is not locked; the loop index is added to its number.
    NotLocked {
        /// Its number.
        number: u32,
        /// Whether the index is added, which is the operand of the fault.
        indexed: bool,
    },
    /// There is no constant buffer.
    NoBank {
        /// Its number.
        bank: u32,
    },
    /// The stack is full; how many entries it needs is the operand.
    StackOverflow {
        /// As many as the program declares, or as there are at most.
        declared: bool,
    },
}

impl Raised {
    /// The fault that the emulator has.
    #[must_use]
    pub fn fault(&self, operand: u32, setup: &Setup) -> Fault {
        match *self {
            Raised::Fixed(ref fault) => fault.clone(),
            Raised::Nowhere => Fault::Nowhere,
            Raised::Budget => Fault::Budget { budget: setup.budget },
            Raised::NotLocked { number, indexed } => {
                let index = if indexed { i64::from(operand as i32) } else { 0 };
                Fault::NotLocked { number: i64::from(number) + index }
            }
            Raised::NoBank { bank } => Fault::NoBank { bank },
            Raised::StackOverflow { declared } => {
                let limit = setup.nstack.filter(|_| declared).unwrap_or(state::STACK);
                Fault::StackOverflow { used: operand, limit }
            }
        }
    }
}

/// A part of what a program finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::r600) enum Part {
    /// The constant file.
    File,
    /// A constant buffer, as the translation numbers those that the program names.
    Bank(u32),
    /// What is bound, by such a number.
    Resource(u32),
}

/// A translated program.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The module.
    pub words: Vec<u32>,
    /// Where things lie in a record.
    pub layout: Layout,
    /// The constant buffers that it reads, in the order of their parts of the input.
    pub banks: Vec<u32>,
    /// The numbers of what is bound that it reads.
    pub resources: Vec<u32>,
    /// What can be wrong, by the codes of the record from 1 on: the place, whether it is one of the fetch program, what it is.
    pub faults: Vec<((u32, bool), Raised)>,
    /// Places of control flow that something leads to.
    pub sites: usize,
}

/// Places that something leads to at most (SPIR-V, 2.17, Universal Limits).
const MOST_SITES: usize = 16_383;

/// Translates a program. Of what it finds only the structure matters: stage, registers, formats and shapes, which banks there are.
///
/// # Errors
/// It cannot be carried out exactly.
pub fn translate(
    plan: &Plan,
    fetch: &Plan,
    setup: &Setup,
    lanes: Lanes,
    mistake: Option<Mistake>,
) -> Result<Translation, Refused> {
    let mut names = Names::default();
    names.read(plan, setup);
    names.read(fetch, setup);
    let layout = Layout { targets: names.targets.into_iter().collect(), logs: names.logs };
    let parts = (names.banks.into_iter().collect(), names.resources.into_iter().collect());
    let mut lower = Lower::new(setup, lanes, mistake, layout, parts);
    lower.begin();
    let sites = lower.blocks([plan, fetch]);
    lower.end();
    if sites > MOST_SITES {
        return Err(Refused::Sites { count: sites, most: MOST_SITES });
    }
    Ok(Translation {
        words: lower.m.words(0x0001_0300),
        layout: lower.layout,
        banks: lower.banks,
        resources: lower.resources,
        faults: lower.faults.into_inner(),
        sites,
    })
}

/// What a program names.
#[derive(Default)]
struct Names {
    targets: BTreeSet<Target>,
    banks: BTreeSet<u32>,
    resources: BTreeSet<u32>,
    logs: bool,
}

impl Names {
    fn read(&mut self, plan: &Plan, setup: &Setup) {
        for step in plan.steps() {
            self.logs |= blocks::logs(&step.action) > 0;
            match &step.action {
                Action::Export(out) => self.targets.extend((0..out.count).filter_map(|n| export::target(out, n))),
                Action::Alu(_, Ok(clause)) => {
                    let named = clause.lines.iter().filter(|lines| lines.mode != 0).map(|lines| lines.bank);
                    self.banks.extend(named.filter(|bank| setup.banks.contains_key(bank)));
                }
                Action::Fetch(fetches) => {
                    let reads = fetches.iter().filter(|fetch| {
                        !matches!(fetch.kind, FetchKind::Bad(_) | FetchKind::SetGradients | FetchKind::Slopes(..))
                    });
                    let numbers = reads.map(|fetch| fetch.resource);
                    self.resources.extend(numbers.filter(|number| setup.resources.contains_key(number)));
                }
                _ => {}
            }
        }
    }
}

/// Whether everything that is bound can be told in words.
fn refused(setup: &Setup) -> Option<Refused> {
    /// Room for the groups of a clause.
    const MOST: u64 = u32::MAX as u64 - 4096;
    if setup.budget > MOST {
        return Some(Refused::Budget { budget: setup.budget, most: MOST });
    }
    setup.resources.iter().find_map(|(&number, resource)| match resource {
        Resource::Buffer(buffer) => (buffer.bytes.len() as u64 > MOST).then_some(Refused::Large { number }),
        Resource::Image(image) => {
            let texels = image.size.iter().map(|size| u64::from(*size)).try_fold(1u64, u64::checked_mul);
            let bytes = texels.and_then(|texels| texels.checked_mul(u64::from(image.format.bytes())));
            bytes.is_none_or(|bytes| bytes > MOST).then_some(Refused::Large { number })
        }
    })
}
