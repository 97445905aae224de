//! The plan of an injection: a program with its frame as words, and the registers that the machine is told.

use super::block::{HELD, Layout, NOWHERE, PAUSED, head};
use super::engine::Spoil;
use super::frame::{Frame, Users, stored};
use super::needs::Needs;
use super::prefix::Prefix;
use crate::asm::Assembler;
use crate::asm::source::{NoFiles, assemble_with};
use crate::engine::registers::Registers;
use crate::engine::{EngineError, Stop, Unsupported};
use crate::isa::{Gen, Target};
use crate::object::descriptor::vgpr_block;
use crate::program::Program;
use crate::program::uses::Other;

/// What an injection is made for.
#[derive(Clone, Copy)]
pub struct Wanted<'p> {
    /// The program.
    pub program: &'p Program,
    /// Where waves begin in it, each once.
    pub entries: &'p [u32],
    /// Lanes of a wave.
    pub lanes: u32,
    /// Waves of a group.
    pub waves: u32,
    /// Bytes of LDS of a group.
    pub lds: u32,
    /// Vector registers that are looked at, beside those that the program names.
    pub vgprs: u32,
    /// Where a wave finds what the driver gives it.
    pub users: Users,
    /// After how many steps waves are paused.
    pub pause: Option<u64>,
    /// Whether LDS and scratch are to appear in the flat address space where the card has them.
    pub same_apertures: bool,
    /// Whether waves have scratch memory.
    pub scratch: bool,
    /// Changes the frame, for tests.
    pub spoil: Option<&'p Spoil>,
}

/// A program with its frame.
#[derive(Clone, Debug)]
pub struct Injection {
    /// The machine code.
    pub words: Vec<u32>,
    /// What blocks of waves are like.
    pub layout: Layout,
    /// Bytes of LDS of a group, in whole granules.
    pub lds: u32,
    /// The scalar registers that a wave is given and that come back, by operand code.
    pub stored: u128,
    /// Where waves begin in the program, by number.
    entries: Vec<u32>,
    target: Target,
}

/// Where what belongs to the group of a wave lies.
#[derive(Clone, Copy, Debug)]
pub struct Wave {
    /// How many waves the group has.
    pub of_group: u32,
    /// The address of its LDS.
    pub lds: u64,
    /// The address of its counter.
    pub counter: u64,
}

/// Bytes in which LDS is counted: a multiple of every granule, and of a row.
const LDS_GRANULE: u32 = 512;
/// Registers of a wave that all waves of a group find room for on one compute unit: by generation, in all lanes of a SIMD, and
/// how many of those a group is spread over.
const SIMDS: u32 = 4;

impl Injection {
    /// Plans one.
    ///
    /// # Errors
    /// What the program does cannot be had natively, and that by name.
    pub fn new(wanted: &Wanted<'_>) -> Result<Injection, EngineError> {
        let Wanted { program, entries, lanes, waves, users, .. } = *wanted;
        let mut needs = Needs::of(program, entries)?;
        if let Some(at) = needs.apertures.filter(|_| !wanted.same_apertures) {
            let needs = "LDS and scratch where the graphics driver has them in the flat address space".to_owned();
            return Err(Unsupported { instruction: program.text(at), needs }.into());
        }
        if needs.flat_scratch && wanted.scratch && target_has_hidden_scratch(program.target.generation()) {
            let needs = "scratch memory of the driver's".to_owned();
            return Err(Unsupported { instruction: "the dispatch".to_owned(), needs }.into());
        }
        let prefix = wanted.pause.map(|steps| Prefix::of(program, entries, waves, needs.free, steps)).transpose()?;
        let counted = match prefix {
            Some(Prefix::Straight(pauses)) => {
                needs.ends.retain(|(at, _)| !pauses.contains(at));
                needs.ends.extend(pauses.into_iter().map(|at| (at, at | PAUSED)));
                None
            }
            Some(Prefix::Counted(counted)) => Some(counted),
            None => None,
        };
        // The frame itself has two.
        let layout = Layout { lanes, vgprs: needs.vgprs.max(wanted.vgprs).clamp(2, 256) };
        let unsupported = |needs: String| Unsupported { instruction: "the dispatch".to_owned(), needs };
        let target = program.target;
        let per_simd = waves.div_ceil(SIMDS) * layout.vgprs;
        // gfx10 and later have four times as many for waves of 32 lanes, and twice as many for those of 64.
        let room = if target.generation() >= Gen::Gfx10 { 256 * 128 / lanes } else { 256 };
        if per_simd > room {
            return Err(unsupported(format!("{waves} waves with {} vector registers at once", layout.vgprs)).into());
        }
        let lds = wanted.lds.next_multiple_of(LDS_GRANULE);
        if lds > 64 << 10 {
            return Err(unsupported(format!("{lds} bytes of LDS")).into());
        }
        let named: u128 = program.steps.iter().fold(0, |all, step| {
            let uses = program.uses(step);
            all | uses.reads.scalars | uses.writes.scalars
        });
        let trapsts = target.generation() < Gen::Gfx12
            && program.steps.iter().any(|step| program.uses(step).reads.other.contains(Other::TRAPSTS));
        let frame = Frame { program, needs: &needs, entries, layout, waves, lds, users, trapsts, counted };
        let stored = stored(target, frame.kept(), named);
        let text = frame.text(stored)?;
        let text = wanted.spoil.map_or_else(|| text.clone(), |spoil| spoil(&text));
        let words = assemble(target, &text)?;
        Ok(Injection { words, layout, lds, stored, entries: entries.to_vec(), target })
    }

    /// Writes the block of a wave.
    pub fn encode(&self, wave: &Registers, place: Wave, block: &mut [u32]) {
        self.layout.encode(wave, block);
        let mut put = |at: u32, v: u32| block[at as usize] = v;
        put(head::PRESENT, u32::from(wave.stop != Some(Stop::End)));
        put(head::OTHERS, place.of_group.saturating_sub(1));
        put(head::ENTRY, self.entries.iter().position(|entry| *entry == wave.pc).unwrap_or(0) as u32);
        for (at, address) in [(head::LDS, place.lds), (head::COUNTER, place.counter)] {
            put(at, address as u32);
            put(at + 1, (address >> 32) as u32);
        }
    }

    /// Takes what a wave left; whether it came to its end. A wave that the group lacks stays as it is.
    pub fn decode(&self, block: &[u32], wave: &mut Registers) -> bool {
        if wave.stop == Some(Stop::End) {
            return true;
        }
        let end = block[head::END as usize];
        if end == NOWHERE {
            return false;
        }
        self.layout.decode(block, self.stored, wave);
        wave.pc = end & !(PAUSED | HELD);
        wave.steps = 1;
        wave.stop = Some(match end {
            _ if end & HELD != 0 => Stop::Barrier,
            _ if end & PAUSED != 0 => Stop::Paused,
            _ => Stop::End,
        });
        true
    }

    /// How long a wave was in its program, in ticks of the shader clock.
    #[must_use]
    pub fn ticks(&self, block: &[u32]) -> u64 {
        let pair = |at: u32| u64::from(block[at as usize]) | u64::from(block[at as usize + 1]) << 32;
        let ticks = pair(head::ENDED).wrapping_sub(pair(head::BEGAN));
        // The clock of gfx11 has 20 bits.
        if self.target.generation() == Gen::Gfx11 { ticks & 0xf_ffff } else { ticks }
    }

    /// RSRC1 for it, from that of a template.
    #[must_use]
    pub fn rsrc1(&self, template: u32) -> u32 {
        let arch = self.target.arch;
        let vgprs = self.layout.vgprs.div_ceil(vgpr_block(arch, self.layout.lanes == 32)) - 1;
        // As many scalar registers as there are: the last ones are VCC and its like.
        let sgprs = match arch.generation {
            Gen::Gfx6 | Gen::Gfx7 => 104 / 8 - 1,
            Gen::Gfx8 | Gen::Gfx9 => 112 / 8 - 1,
            _ => 0,
        };
        template & !0x3ff | vgprs | sgprs << 6
    }

    /// RSRC2 for it, from that of a template: the number of the group in one dimension, one number of work-items, no
    /// scratch memory, LDS.
    #[must_use]
    pub fn rsrc2(&self, template: u32) -> u32 {
        const GROUP_X: u32 = 1 << 7;
        const USERS: u32 = 0x1f << 1;
        const HANDLER: u32 = 1 << 6;
        let granule = if self.target.generation() == Gen::Gfx6 { 256 } else { 512 };
        template & (USERS | HANDLER) | GROUP_X | (self.lds / granule) << 15
    }
}

/// Where scratch memory of flat accesses is only where the driver has put it: the frame cannot say where.
fn target_has_hidden_scratch(generation: Gen) -> bool {
    matches!(generation, Gen::Gfx7 | Gen::Gfx8) || generation >= Gen::Gfx11
}

/// Assembles a frame.
fn assemble(target: Target, text: &str) -> Result<Vec<u32>, EngineError> {
    let assembly = assemble_with("frame", text, &Assembler::new(target), target, &NoFiles);
    let module = assembly.module.as_ref().and_then(|module| module.section(".text"));
    let Some(section) = module else {
        let reason = assembly.diagnostics.first().map_or_else(String::new, ToString::to_string);
        return Err(
            Unsupported { instruction: "the frame".to_owned(), needs: format!("code in reach: {reason}") }.into()
        );
    };
    Ok(section.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}
