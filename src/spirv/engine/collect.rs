//! What the waves of a batch leave: messages, exports, registers, LDS, the first trap.

use super::{Member, Run};
use crate::case::Export;
use crate::engine::dispatch::{Dispatch, MAX_EXPORTS, MAX_MESSAGES};
use crate::engine::keep::Keeper;
use crate::engine::{EngineError, Message, Ran, Stop, Trap, Unsupported};
use crate::memory::lds::Lds;
use crate::spirv::state::{self, head};
use crate::vulkan::Buffer;

/// Messages that there is room for in a dispatch.
pub(super) const MESSAGES: u32 = 4096;
/// The first word of exports: behind the messages.
pub(super) const FIRST_EXPORT: usize = 1 + (MESSAGES * state::MESSAGE) as usize;

/// How many exports of a wave there is room for: twice as many as stand in the program, for those in loops.
pub(super) fn room_of_exports(dispatch: &Dispatch<'_>) -> u32 {
    const LEAST: u32 = 8;
    let exports = dispatch.program.steps.iter().filter(|step| step.export.is_some()).count() as u32;
    if exports == 0 { 0 } else { (2 * exports).max(LEAST) }
}

fn too_many(instruction: &str, most: usize, of_what: &str) -> Result<(), EngineError> {
    let needs = format!("more than {most} {of_what}");
    Err(Unsupported { instruction: instruction.to_owned(), needs }.into())
}

impl Run<'_> {
    /// The last group whose messages and exports count: what ran behind the first trap did so by chance.
    fn last_group(&self, members: &[Member]) -> u64 {
        let trapped = members.iter().find(|member| matches!(member.wave.stop, Some(Stop::Trap(_))));
        trapped.filter(|_| !self.pauses()).map_or(u64::MAX, |member| member.group)
    }

    /// The messages of the waves of a batch.
    pub(super) fn collect_messages(
        &self,
        messages: &Buffer,
        members: &[Member],
        ran: &mut Ran,
    ) -> Result<(), EngineError> {
        let words: Vec<u32> = messages.read(0, FIRST_EXPORT).map_err(|e| self.engine.failed(e))?;
        if words[0] > MESSAGES {
            return too_many("s_sendmsg", MESSAGES as usize, "messages");
        }
        let mut sent: Vec<&[u32]> = words[1..].chunks(state::MESSAGE as usize).take(words[0] as usize).collect();
        // Those of one wave keep their order; waves come in theirs.
        sent.sort_by_key(|message| message[0]);
        let last = self.last_group(members);
        for message in sent {
            let Some(member) = members.get(message[0] as usize).filter(|member| member.group <= last) else { continue };
            if ran.messages.len() >= MAX_MESSAGES {
                return too_many("s_sendmsg", MAX_MESSAGES, "messages");
            }
            ran.messages.push(Message {
                group: member.id,
                wave: member.wave.index,
                pc: u64::from(message[1]) * 4,
                message: message[2] as u16,
                m0: message[3],
            });
        }
        Ok(())
    }

    /// What the waves of a batch exported; their records have the counts.
    pub(super) fn collect_exports(
        &self,
        messages: &Buffer,
        members: &[Member],
        records: &[u32],
        ran: &mut Ran,
    ) -> Result<(), EngineError> {
        if self.exports == 0 {
            return Ok(());
        }
        let program = self.job.dispatch.program;
        let lanes = self.job.dispatch.lanes as usize;
        let (room, words) = (self.exports as usize, state::export::WORDS as usize);
        let all: Vec<u32> =
            messages.read(4 * FIRST_EXPORT, members.len() * room * words).map_err(|e| self.engine.failed(e))?;
        let last = self.last_group(members);
        let counts = records.chunks(self.layout.words() as usize).map(|record| record[head::EXPORTS as usize] as usize);
        let of_waves = members.iter().zip(counts).zip(all.chunks(room * words));
        for ((member, count), all) in of_waves.filter(|((member, _), _)| member.group <= last) {
            if count > room {
                return too_many("exp", room, "exports");
            }
            if ran.exports.len() + count > MAX_EXPORTS {
                return too_many("exp", MAX_EXPORTS, "exports");
            }
            ran.exports.extend(all.chunks(words).take(count).filter_map(|words| {
                let step = words[state::export::STEP as usize];
                let of = program.steps.get(step as usize)?.export.as_deref()?;
                let exec = state::export::EXEC as usize;
                let elements = words[state::export::LANES as usize..].chunks(state::export::ELEMENTS as usize);
                Some(Export {
                    group: member.id,
                    wave: member.wave.index,
                    pc: u64::from(step) * 4,
                    target: of.target,
                    row: of.row.then_some(words[state::export::M0 as usize]),
                    enabled: of.enabled,
                    half: of.half,
                    done: of.done,
                    valid: of.valid,
                    exec: u64::from(words[exec]) | u64::from(words[exec + 1]) << 32,
                    lanes: elements.take(lanes).map(|lane| [lane[0], lane[1], lane[2], lane[3]]).collect(),
                })
            }));
        }
        Ok(())
    }

    /// What the waves of a batch leave.
    pub(super) fn collect(&self, members: &[Member], lds: &[Lds], first: u64, keeper: &Keeper<'_>, ran: &mut Ran) {
        let dispatch = self.job.dispatch;
        let program = dispatch.program;
        for members in members.chunk_by(|a, b| a.group == b.group) {
            let id = members[0].id;
            ran.stats.wave_instructions += members.iter().map(|m| m.wave.steps).sum::<u64>();
            ran.stats.paused += members.iter().filter(|m| m.wave.stop == Some(Stop::Paused)).count() as u32;
            let number = members[0].group;
            keeper.put(number, id, members.iter().map(|m| &m.wave), lds[(number - first) as usize].words());
            let trapped = members.iter().find_map(|m| match &m.wave.stop {
                Some(Stop::Trap(cause)) => Some((m, (**cause).clone())),
                _ => None,
            });
            if let Some((member, cause)) = trapped
                && ran.trap.is_none()
            {
                let pc = member.wave.pc;
                ran.trap = Some(Trap {
                    kind: cause.kind,
                    group: id,
                    wave: member.wave.index,
                    pc: u64::from(pc) * 4,
                    instruction: program.text(pc),
                    lane: cause.lane,
                    address: cause.address,
                });
                if dispatch.limits.pause.is_none() {
                    return;
                }
            }
        }
    }
}
