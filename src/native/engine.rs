//! The engine: a staged dispatch, in as many dispatches of the card as its groups need.

use super::card::{Card, Load};
use super::inject::{Injection, Wanted as Asked, Wave};
use crate::case::Case;
use crate::engine::dispatch::Dispatch;
use crate::engine::keep::{Keeper, Wanted};
use crate::engine::registers::Registers;
use crate::engine::stage::case::run_case;
use crate::engine::token::stored;
use crate::engine::{
    Engine, EngineError, Job, Options, Outcome, Ran, Runner, Stop, Support, Unsupported, ground::Ground, support,
};
use crate::isa::{Arch, Features, Target, Variants};
use crate::program::Program;
use std::cell::Cell;
use std::time::Duration;

/// A card as an engine.
pub struct Native<C> {
    /// The card.
    pub card: C,
    /// How to run.
    pub options: Options,
    name: String,
    timing: Cell<Timing>,
    /// Changes the frame, for tests of what notices that.
    #[doc(hidden)]
    pub spoil: Option<Box<Spoil>>,
}

/// Makes other assembly of that of a frame.
pub type Spoil = dyn Fn(&str) -> String + Send;

/// What an engine of this kind is, whatever its card.
pub trait Injecting: Engine + Runner {
    /// What a program asks for that the card does not have, from where waves begin.
    ///
    /// # Errors
    /// The first such thing.
    fn admits(&self, program: &Program, entries: &[u32]) -> Result<(), Unsupported>;
}

impl<C: Card> Injecting for Native<C> {
    fn admits(&self, program: &Program, entries: &[u32]) -> Result<(), Unsupported> {
        admits(self.card.arch(), program, entries)
    }
}

/// The same of a card of which only the processor is known.
///
/// # Errors
/// The first thing that it does not have.
pub fn admits(card: &Arch, program: &Program, entries: &[u32]) -> Result<(), Unsupported> {
    is_for(card, program.target)?;
    super::needs::Needs::of(program, entries).map(|_| ())
}

/// Whether machine code for a target is a card's.
fn is_for(card: &Arch, target: Target) -> Result<(), Unsupported> {
    if target.features.contains(Features::SALU_FLOAT) && card.variant == Variants::G1100 {
        // A case may say that they have them; what this card does then nobody knows.
        let needs = "scalar floats, which this processor is not known to have".to_owned();
        return Err(Unsupported { instruction: target.arch.name.to_owned(), needs });
    }
    // No instruction and no operand tells processors of a variant apart.
    if card.variant == target.arch.variant {
        return Ok(());
    }
    Err(Unsupported {
        instruction: target.arch.name.to_owned(),
        needs: format!("a card of that processor, and this is {}", card.name),
    })
}

/// What the last run took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// All dispatches, by the device's timestamps.
    pub device: Duration,
    /// The wave that was longest in its program, in ticks of the shader clock, with some of the frame around it.
    pub ticks: u64,
    /// How many dispatches there were.
    pub dispatches: u32,
}

/// Words of state on the card at once.
const STATE: usize = 32 << 20;
/// How long a dispatch may take: a card that takes longer is lost.
const DISPATCH: Duration = Duration::from_secs(120);
/// And one that stores a token, which is next to nothing.
const PATIENCE: Duration = Duration::from_secs(10);

impl<C: Card> Native<C> {
    /// An engine of a name on a card.
    #[must_use]
    pub fn new(name: String, card: C) -> Native<C> {
        Native { card, options: Options::default(), name, timing: Cell::default(), spoil: None }
    }

    /// What the last run took.
    #[must_use]
    pub fn timing(&self) -> Timing {
        self.timing.get()
    }

    /// Has the card store a token.
    ///
    /// # Errors
    /// It leaves something else, or nothing; or it fails.
    pub fn prove(&mut self, token: u32) -> Result<(), EngineError> {
        let before = self.options.timeout.replace(PATIENCE);
        let proved = stored(self, self.card.arch(), token);
        self.options.timeout = before;
        proved
    }
}

impl<C: Card> Engine for Native<C> {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, case: &Case, target: Target) -> Support {
        let Ok(assembled) = case.program(target) else { return Support::Exact };
        if case.trap_handler.is_some() {
            return Support::No(vec![super::needs::handler()]);
        }
        let program = Program::new(assembled.target, &assembled.words(), 0);
        let entry = u32::try_from(assembled.entry / 4).unwrap_or(u32::MAX);
        match self.admits(&program, &[entry]) {
            Ok(()) => support(&program),
            Err(missing) => Support::No(vec![missing]),
        }
    }

    fn run(&self, case: &Case, target: Target) -> Result<Outcome, EngineError> {
        is_for(self.card.arch(), target)?;
        let ground = Ground::of_driver(target.arch);
        let pinned = case.pinned(target, ground.first, ground.case_scratch())?;
        run_case(self, &self.options, &pinned, target)
    }
}

/// Where things are in the state of some groups, in words.
struct Plan {
    block: usize,
    lds: usize,
    groups: usize,
    waves: usize,
}

/// Words that the waves of a group share.
const GROUP: usize = super::block::group::WORDS as usize;

impl Plan {
    fn words(&self) -> usize {
        self.groups * (self.waves * self.block + self.lds + GROUP)
    }

    fn lds(&self, group: usize) -> usize {
        self.groups * self.waves * self.block + group * self.lds
    }

    fn counter(&self, group: usize) -> usize {
        self.lds(self.groups) + group * GROUP
    }
}

impl<C: Card> Runner for Native<C> {
    fn run(&self, job: &Job<'_>) -> Result<Ran, EngineError> {
        let dispatch = job.dispatch;
        self.timing.set(Timing::default());
        is_for(self.card.arch(), dispatch.program.target)?;
        let injection = self.inject(dispatch, job.keep)?;
        let plan = Plan {
            block: injection.layout.words() as usize,
            lds: injection.lds as usize / 4,
            groups: 1,
            waves: dispatch.waves as usize,
        };
        let at_once = (STATE / plan.words()).max(1) as u64;
        let keeper = Keeper::new(job.keep, dispatch);
        let mut ran = Ran::default();
        let mut first = 0;
        while first < dispatch.count() {
            let last = (first + at_once).min(dispatch.count());
            let plan = Plan { groups: (last - first) as usize, ..plan };
            ran.stats.paused += self.batch(job, &injection, &plan, first, &keeper)?;
            first = last;
        }
        keeper.end(None, &mut ran);
        let timing = self.timing.get();
        ran.stats.seconds = timing.device.as_secs_f64();
        ran.stats.ticks = Some(timing.ticks);
        Ok(ran)
    }

    fn working(&self, dispatch: &Dispatch<'_>, guest: u64) -> u64 {
        let waves = dispatch.count().saturating_mul(dispatch.waves.into());
        let wave = 4 * 256 * u64::from(dispatch.lanes) + 4096;
        // Blocks on both sides.
        2 * waves.saturating_mul(wave).min(4 * STATE as u64) + guest
    }
}

impl<C: Card> Native<C> {
    fn inject(&self, dispatch: &Dispatch<'_>, keep: Wanted<'_>) -> Result<Injection, EngineError> {
        let mut entries: Vec<u32> = Vec::new();
        let mut probe = Registers::new(dispatch.program.target, dispatch.lanes);
        for n in 0..dispatch.count() {
            for index in 0..dispatch.waves {
                begin(dispatch, n, index, &mut probe);
                if probe.stop.is_none() && !entries.contains(&probe.pc) {
                    entries.push(probe.pc);
                }
            }
        }
        let vgprs = match keep {
            Wanted::States(reported) => reported.vgprs,
            Wanted::Nothing | Wanted::Columns(..) => 0,
        };
        let users = self.card.users(dispatch.lanes, dispatch.waves)?;
        let Dispatch { program, lanes, waves, lds, .. } = *dispatch;
        let (pause, scratch) = (dispatch.limits.pause, dispatch.scratch_per_lane > 0);
        let same_apertures = dispatch.apertures == Ground::of_driver(self.card.arch()).apertures;
        let spoil = self.spoil.as_deref();
        Injection::new(&Asked {
            program,
            entries: &entries,
            lanes,
            waves,
            lds,
            vgprs,
            users,
            pause,
            same_apertures,
            scratch,
            spoil,
        })
    }

    fn batch(
        &self,
        job: &Job<'_>,
        injection: &Injection,
        plan: &Plan,
        first: u64,
        keeper: &Keeper<'_>,
    ) -> Result<u32, EngineError> {
        let dispatch = job.dispatch;
        let mut state = vec![0u32; plan.words()];
        let base = self.card.place(state.len())?;
        let address = |word: usize| base.wrapping_add(4 * word as u64);
        let mut waves = Vec::with_capacity(plan.groups * plan.waves);
        for group in 0..plan.groups {
            let n = first + group as u64;
            for index in 0..dispatch.waves {
                let mut wave = Registers::new(dispatch.program.target, dispatch.lanes);
                begin(dispatch, n, index, &mut wave);
                waves.push(wave);
            }
            let mine = &waves[group * plan.waves..];
            let of_group = mine.iter().filter(|wave| wave.stop.is_none()).count() as u32;
            let place = Wave { of_group, lds: address(plan.lds(group)), counter: address(plan.counter(group)) };
            for (index, wave) in mine.iter().enumerate() {
                let at = (group * plan.waves + index) * plan.block;
                injection.encode(wave, place, &mut state[at..at + plan.block]);
            }
            if let Some(fill) = job.lds
                && plan.lds > 0
            {
                let words = dispatch.lds.div_ceil(4) as usize;
                fill(dispatch.group(n), &mut state[plan.lds(group)..][..words]);
            }
        }
        let load = Load {
            injection,
            groups: plan.groups as u32,
            waves: dispatch.waves,
            state: &mut state,
            memory: dispatch.memory,
            apertures: dispatch.apertures,
            timeout: job.timeout.map_or(DISPATCH, |timeout| timeout.min(DISPATCH)),
        };
        let times = self.card.run(load)?;
        let mut timing = self.timing.get();
        timing.device += times.device.unwrap_or_default();
        timing.dispatches += 1;
        for (wave, block) in waves.iter_mut().zip(state.chunks(plan.block)) {
            let was_there = wave.stop.is_none();
            if !injection.decode(block, wave) {
                // The driver said nothing of it, and may be lost all the same.
                self.card.spoilt();
                return Err(EngineError::Crash {
                    device: self.name.clone(),
                    doing: "running the program",
                    reason: format!("wave {} of a group did not come to its end", wave.index),
                });
            }
            if was_there {
                timing.ticks = timing.ticks.max(injection.ticks(block));
            }
        }
        self.timing.set(timing);
        let paused = waves.iter().filter(|wave| wave.stop == Some(Stop::Paused)).count();
        for group in 0..plan.groups {
            let n = first + group as u64;
            let members = waves[group * plan.waves..][..plan.waves].iter();
            keeper.put(n, dispatch.group(n), members, &state[plan.lds(group)..][..plan.lds]);
        }
        Ok(paused as u32)
    }
}

/// A wave at its start.
fn begin(dispatch: &Dispatch<'_>, group: u64, index: u32, wave: &mut Registers) {
    wave.stop = None;
    wave.index = index;
    (dispatch.setup)(dispatch.group(group), index, wave);
}

#[cfg(test)]
mod tests {
    use super::super::block::{VECTORS, head};
    use super::super::card::Times;
    use super::super::frame::Users;
    use super::*;

    const TOKEN: u32 = 0x5eed_1234;

    /// A card on which a wave ends with this word in s0 and v0, or, without one, not at all.
    struct Leaving(Option<u32>);

    impl Card for Leaving {
        fn arch(&self) -> &'static Arch {
            Arch::find("gfx1100").expect("a processor")
        }

        fn users(&self, _: u32, _: u32) -> Result<Users, EngineError> {
            Ok(Users { blocks: 2, group: 4 })
        }

        fn place(&self, _: usize) -> Result<u64, EngineError> {
            Ok(0xffff_8002_0000_0000)
        }

        fn run(&self, load: Load<'_>) -> Result<Times, EngineError> {
            if let Some(word) = self.0 {
                load.state[head::END as usize] = 0;
                load.state[0] = word;
                load.state[VECTORS as usize] = word;
            }
            Ok(Times::default())
        }
    }

    /// What is said of a card that does not leave the token; its time is then what it was before.
    fn refused(left: Option<u32>) -> Option<String> {
        let mut native = Native::new("native:some card".to_owned(), Leaving(left));
        native.options.timeout = Some(Duration::from_secs(77));
        let refused = native.prove(TOKEN).err().map(|error| error.to_string());
        assert_eq!(native.options.timeout, Some(Duration::from_secs(77)));
        refused
    }

    #[test]
    fn a_card_has_to_store_the_token() {
        assert_eq!(refused(Some(TOKEN)), None);
        let other = refused(Some(7)).expect("it left something else");
        assert!(other.contains("of one that stores 0x5eed1234, it left 0x7 and 0x7"), "{other}");
        let nothing = refused(None).expect("it executed nothing");
        assert!(nothing.contains("did not come to its end"), "{nothing}");
    }
}
