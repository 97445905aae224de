//! Where waves go: exits of steps, blocks and edges.
//!
//! Control flow of a wave is scalar, so that all its lanes are in the same block. A block begins where a wave begins, where a
//! label leads, and behind whatever may go elsewhere or stop. Jumps to addresses in registers are not followed: where they
//! lead is known at run time. A trap leads to the handler, where the program [has one](Program::handled_by); exceptions lead
//! there too, from wherever they are raised, which is no exit of a step: the handler is one of the places where blocks begin.

use super::{Program, STOP, Step};
use crate::isa::does::{Condition, Control, Does};
use std::collections::BTreeMap;

/// Where a wave may be behind a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exits {
    /// At the step behind it; of a call, when it has come back.
    pub next: Option<u32>,
    /// Where its label leads.
    pub target: Option<u32>,
    /// At an address that is in registers, or on the stack of forks.
    pub computed: bool,
    /// It may stop: at the end, in a trap, at a barrier.
    pub stops: bool,
}

impl Exits {
    /// The steps that it names.
    pub fn steps(self) -> impl Iterator<Item = u32> {
        [self.target, self.next].into_iter().flatten()
    }
}

/// A run of steps that a wave goes through from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its first step.
    pub first: u32,
    /// Its last step.
    pub last: u32,
    /// Where it leads.
    pub exits: Exits,
}

impl Step {
    /// Where a wave may be behind it.
    #[must_use]
    pub fn exits(&self) -> Exits {
        let stops = Exits { stops: true, ..Exits::default() };
        let next = Exits { next: Some(self.next), ..Exits::default() };
        let target = (self.target != STOP).then_some(self.target);
        let Some(does) = self.does().filter(|_| self.executes) else { return stops };
        let Does::Control(control) = does else { return next };
        match control {
            Control::End | Control::CodeEnd => stops,
            // To the handler, which may come back; without one it stops.
            Control::Trap => Exits { target, stops: target.is_none(), next: target.and(next.next), computed: false },
            Control::Halt | Control::SendAndHalt | Control::Barrier => Exits { stops: true, ..next },
            Control::Branch(Condition::Always) => Exits { target, ..Exits::default() },
            Control::Branch(_) | Control::Call | Control::SubvectorBegin | Control::SubvectorEnd => {
                Exits { target, ..next }
            }
            Control::SetPc | Control::TrapReturn => Exits { computed: true, ..Exits::default() },
            Control::SwapPc | Control::ForkToRegister | Control::Join => Exits { computed: true, ..next },
            Control::ForkToLabel => Exits { target, computed: true, ..next },
            _ => next,
        }
    }

    /// Whether it may lead elsewhere than behind itself, or stop the wave on purpose.
    #[must_use]
    pub fn breaks_flow(&self) -> bool {
        self.row.is_none_or(|row| row.does.breaks_flow())
    }
}

impl Program {
    /// The blocks that can be reached from some steps, by their first steps.
    #[must_use]
    pub fn blocks(&self, entries: impl IntoIterator<Item = u32>) -> BTreeMap<u32, Block> {
        let inside = |at: &u32| (*at as usize) < self.steps.len();
        let handler = self.handler.map(|handler| handler.step);
        let mut open: Vec<u32> = entries.into_iter().chain(handler).filter(inside).collect();
        let mut blocks: BTreeMap<u32, Block> = BTreeMap::new();
        // Where each step that was met belongs, so that a label in the middle of a block cuts it.
        let mut owner: Vec<Option<u32>> = vec![None; self.steps.len()];
        while let Some(first) = open.pop() {
            match owner[first as usize] {
                Some(of) if of == first => continue,
                Some(of) => {
                    self.cut(&mut blocks, &mut owner, of, first);
                    continue;
                }
                None => {}
            }
            let mut at = first;
            let (last, exits) = loop {
                owner[at as usize] = Some(first);
                let step = &self.steps[at as usize];
                let exits = step.exits();
                let goes_on = exits.next.filter(inside).filter(|next| owner[*next as usize].is_none());
                match goes_on {
                    Some(next) if !step.breaks_flow() => at = next,
                    _ => break (at, exits),
                }
            };
            open.extend(exits.steps().filter(inside));
            blocks.insert(first, Block { first, last, exits });
        }
        blocks
    }

    /// How many steps a wave takes at most that begins at a step: nothing where a way leads back, or nobody knows where.
    #[must_use]
    pub fn most_steps(&self, entry: u32) -> Option<u32> {
        let blocks = self.blocks([entry]);
        let ahead = |block: &Block| !block.exits.computed && block.exits.steps().all(|step| step > block.last);
        // There is a step for each word, the second words of instructions too: a bound, not a count.
        blocks.values().all(ahead).then_some(self.steps.len() as u32)
    }

    /// Cuts the block `of` in front of a step inside of it.
    fn cut(&self, blocks: &mut BTreeMap<u32, Block>, owner: &mut [Option<u32>], of: u32, first: u32) {
        let Some(block) = blocks.get_mut(&of) else { return };
        let (end, exits) = (block.last, block.exits);
        let mut before = of;
        while self.steps[before as usize].next != first {
            before = self.steps[before as usize].next;
        }
        (block.last, block.exits) = (before, self.steps[before as usize].exits());
        let mut at = first;
        loop {
            owner[at as usize] = Some(first);
            if at == end {
                break;
            }
            at = self.steps[at as usize].next;
        }
        blocks.insert(first, Block { first, last: end, exits });
    }
}
