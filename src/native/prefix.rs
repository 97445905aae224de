//! Prefixes: a program that stops after so many steps.
//!
//! Where waves go straight on, it ends in front of the step that comes then, and all words up to there are its own. Where they branch, only a
//! run tells how often a wave comes by a step. So the frame holds a copy in which every instruction counts down first, in scalar registers that
//! the frame has for itself; SCC is put aside for that. The instructions are the program's own, but for the offsets of branches, and for
//! hints about those that follow, which are others now.
//!
//! At a barrier all waves come to have executed as many as the one with the most, for a wave that waits does not stand still. So they leave
//! what they have left in a word of the group, wait, take what is least, and wait again, lest the next barrier's is there before all have taken
//! this one's. A wave that is paused says so in another word and ends, which opens the barrier for the others: they are held there all the same.

use super::block::group as word;
use super::block::{HELD, PAUSED, VECTORS, head};
use super::frame::{Text, line};
use super::needs::{Free, Reserved, reached};
use crate::engine::Unsupported;
use crate::isa::Gen;
use crate::isa::does::{Control, Does, Idle};
use crate::program::barrier::Barrier;
use crate::program::{Program, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How waves are paused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// Where they go straight on: in front of these steps, of which each has one at most.
    Straight(Vec<u32>),
    /// By counting.
    Counted(Counted),
}

/// A program that counts its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// How many it has.
    pub steps: u32,
    /// Where several waves meet at barriers: what the frame needs for that.
    pub meeting: Option<Meeting>,
}

/// Scalar registers that the frame has for barriers, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Four, from a multiple of four: the descriptor of the words of the group.
    group: u32,
    /// Two, from a multiple of two: EXEC of the program.
    exec: u32,
}

impl Meeting {
    fn of(mut free: Free) -> Option<Meeting> {
        Some(Meeting { group: free.take(4)?, exec: free.take(2)? })
    }

    /// A bit for each of them.
    #[must_use]
    pub fn mask(self) -> u128 {
        0xf << self.group | 3 << self.exec
    }
}

impl Prefix {
    /// How waves are paused that have executed so many steps, from where they begin.
    ///
    /// # Errors
    /// Waves meet before, or the program goes on in ways that cannot be copied.
    pub fn of(program: &Program, entries: &[u32], waves: u32, free: Free, steps: u64) -> Result<Prefix, Unsupported> {
        if let Some(pauses) = straight(program, entries, steps) {
            return Ok(Prefix::Straight(pauses));
        }
        let mut meeting = None;
        for step in reached(program, entries) {
            let refused = |needs: &str| Unsupported { instruction: program.text(step.at), needs: needs.to_owned() };
            if let Some(needs) = refusal(step, waves) {
                return Err(refused(needs));
            }
            if waves > 1 && is_meeting(program, step) {
                meeting = Some(Meeting::of(free).ok_or_else(|| refused("six more scalar registers for a prefix"))?);
            }
        }
        Ok(Prefix::Counted(Counted { steps: u32::try_from(steps).unwrap_or(u32::MAX), meeting }))
    }
}

/// Where waves are that have executed so many steps, or none where they end before; nothing where they come to a branch or a barrier.
fn straight(program: &Program, entries: &[u32], steps: u64) -> Option<Vec<u32>> {
    let (mut pauses, mut passed) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut at = *entry;
        for _ in 0..steps {
            passed.push(at);
            let Some(step) = program.steps.get(at as usize) else { break };
            if step.does() == Some(Does::Control(Control::End)) {
                break;
            }
            if step.breaks_flow() {
                return None;
            }
            at = step.next;
        }
        if !passed.contains(&at) {
            pauses.push(at);
        }
    }
    // Others come by there, and go on.
    (!pauses.iter().any(|at| passed.contains(at))).then_some(pauses)
}

/// Whether the waves of a group meet at a step. On gfx12 they do where they wait.
fn is_meeting(program: &Program, step: &Step) -> bool {
    step.does() == Some(Does::Control(Control::Barrier))
        && Barrier::of_wait(program.target.generation(), step.imm) == Barrier::Group
}

/// What keeps a step from being counted.
fn refusal(step: &Step, waves: u32) -> Option<&'static str> {
    let Some(Does::Control(control)) = step.does() else { return None };
    match control {
        Control::BarrierSignal { asks_first: true } | Control::BarrierState | Control::BarrierLeave if waves > 1 => {
            Some("a prefix in which nobody asks how many waves have come to a barrier")
        }
        Control::SubvectorBegin | Control::SubvectorEnd => Some("a prefix without loops over halves of a wave"),
        _ => None,
    }
}

impl Text<'_> {
    /// How many steps there are, and where the words of the group lie.
    pub(super) fn begin_counting(&mut self, counted: Counted) {
        if let Some(meeting) = counted.meeting {
            self.load(2, "vcc", head::COUNTER);
            self.wait();
            self.describe(meeting.group, "vcc_lo", "vcc_hi");
            // Which stood there.
            self.load(2, "vcc", head::SCC);
            self.wait();
        }
        line!(self, "s_mov_b32 s{}, {:#x}", self.reserved().offset, counted.steps);
    }

    /// The program with a count in front of each of its steps.
    pub(super) fn counted(&mut self) {
        let (program, entries) = (self.frame.program, self.frame.entries);
        let steps: BTreeMap<u32, &Step> = reached(program, entries).map(|step| (step.at, step)).collect();
        let mut behind = None;
        for step in steps.values() {
            if let Some(next) = behind.filter(|next| *next != step.at) {
                line!(self, "s_branch at{next}");
            }
            self.count(step.at);
            behind = self.own(step);
        }
        if let Some(next) = behind {
            line!(self, "s_branch at{next}");
        }
        // Where there is no code a wave ends without a word.
        let led = steps.values().flat_map(|step| step.exits().steps()).chain(entries.iter().copied());
        for at in led.filter(|at| !steps.contains_key(at)).collect::<BTreeSet<_>>() {
            line!(self, "at{at}:");
            line!(self, "s_endpgm");
        }
        line!(self, "paused:");
        line!(self, "s_cmp_lg_u32 s{}, 0", self.reserved().scc);
        line!(self, "s_branch leave");
    }

    /// Leaves the program in front of a step where no more steps are wanted.
    fn count(&mut self, at: u32) {
        let Reserved { scc, end, offset: left, .. } = self.reserved();
        line!(self, "at{at}:");
        line!(self, "s_cselect_b32 s{scc}, 1, 0");
        line!(self, "s_mov_b32 s{end}, {:#x}", at | PAUSED);
        line!(self, "s_sub_u32 s{left}, s{left}, 1");
        line!(self, "s_cbranch_scc1 paused");
        if self.frame.program.target.generation() == Gen::Gfx10 {
            // What gfx10.1 wants where a branch stands between accesses to LDS and to memory.
            line!(self, "s_waitcnt_vscnt null, 0x0");
        }
        line!(self, "s_cmp_lg_u32 s{scc}, 0");
    }

    /// The step itself; gives the one behind it, if it goes there.
    fn own(&mut self, step: &Step) -> Option<u32> {
        let program = self.frame.program;
        match (step.does(), step.row) {
            (Some(Does::Control(Control::End)), _) => {
                line!(self, "s_mov_b32 s{}, {:#x}", self.reserved().end, step.next);
                line!(self, "s_branch leave");
            }
            (Some(Does::Control(Control::Branch(_))), Some(row)) => {
                line!(self, "{} at{}", row.name_in(program.target.generation()), step.target);
            }
            (Some(Does::Idle(Idle::Hint)), _) => line!(self, "s_nop 0"),
            // Who waits says that it has come, too.
            (Some(Does::Control(Control::BarrierSignal { asks_first: false })), _) => {}
            (Some(Does::Control(Control::Barrier)), _) => {
                if let Some(meeting) = self.frame.meeting().filter(|_| is_meeting(program, step)) {
                    self.meet(meeting, step.next);
                }
            }
            _ => {
                for word in &program.words[step.at as usize..step.next as usize] {
                    line!(self, ".long {word:#010x}");
                }
            }
        }
        step.exits().next
    }

    /// The barrier, at which waves agree on how many steps are left.
    fn meet(&mut self, Meeting { group, exec }: Meeting, behind: u32) {
        let Reserved { scc, end, mode, offset: left, .. } = self.reserved();
        self.put_aside(exec);
        self.first_row("store");
        self.wait();
        self.one_lane();
        line!(self, "s_not_b32 s{left}, s{left}");
        self.change(group, "umax", word::LEFT, &format!("s{left}"), &format!("s{end}"));
        self.lines(self.frame.dialect().barrier);
        self.change(group, "umax", word::LEFT, "0", &format!("s{left}"));
        line!(self, "s_not_b32 s{left}, s{left}");
        self.change(group, "or", word::PAUSED, "0", &format!("s{end}"));
        line!(self, "s_cmp_lg_u32 s{end}, 0");
        self.lines(self.frame.dialect().barrier);
        self.full_exec();
        self.settle();
        self.first_row("load");
        self.wait();
        line!(self, "s_mov_b32 exec_lo, s{exec}");
        line!(self, "s_mov_b32 exec_hi, s{}", exec + 1);
        line!(self, "s_setreg_b32 hwreg(HW_REG_MODE), s{mode}");
        self.settle();
        line!(self, "s_mov_b32 s{end}, {:#x}", behind | PAUSED | HELD);
        line!(self, "s_cbranch_scc1 paused");
        line!(self, "s_cmp_lg_u32 s{scc}, 0");
    }

    /// The first vector register, in its row of the block. The scalar register of offsets has the count.
    fn first_row(&mut self, action: &str) {
        let Reserved { block, end, .. } = self.reserved();
        line!(self, "s_mov_b32 s{end}, {:#x}", 4 * VECTORS);
        line!(self, "buffer_{action}_dword v0, off, s[{block}:{}], s{end}", block + 3);
    }

    /// Tells the others of the group of a pause.
    pub(super) fn tell(&mut self, meeting: Meeting) {
        let end = self.reserved().end;
        self.one_lane();
        line!(self, "s_lshr_b32 s{end}, s{end}, 31");
        self.change(meeting.group, "or", word::PAUSED, &format!("s{end}"), &format!("s{end}"));
        self.full_exec();
    }
}
