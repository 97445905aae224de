//! Random programs, for two engines to differ on.
//!
//! A [`Fuzzer`] makes [pools](pool): machine code of some dozens of snippets, each about an instruction that has been tried little
//! ([`coverage`]). A thousand waves or more run a pool, each taking its own walk through it with its own registers ([`start`]), so each is a
//! program of up to eight snippets. Both engines run the very same code. A wave that ends differently is written down as
//! a straight program, a case of its own ([`flat`]).
//!
//! Programs end, and mean one thing, because of how they are made: registers are those that a pool has, branches lead forward or count
//! down, addresses are masked. Everything follows from the seed, the target, the profile and the version.

mod code;
mod control;
pub mod coverage;
mod draw;
mod export;
mod flat;
mod image;
mod jumps;
mod memory;
pub mod operand;
pub mod pool;
mod profile;
mod run;
mod start;

pub use coverage::{Coverage, Pair};
pub use profile::Profile;
pub use run::{Finding, Round};

use crate::case::wave_size;
use crate::isa::Target;
use crate::isa::form::{Form, Table};
use crate::laws::Chance;
use crate::program::Program;
use crate::spirv::engine::{SEVERAL, missing};
use crate::spirv::lanes::Model;
use code::Writer;
use control::Control;
use coverage::Refuses;
use jumps::Jumps;
use memory::Contents;
use operand::Operand;
use pool::{Pool, Read, Snippet};

/// Changes with everything that changes what follows from a seed.
pub const VERSION: u32 = 4;

/// Snippets of a pool.
pub const SNIPPETS: usize = 28;

/// Makes pools, one behind the other.
pub struct Fuzzer {
    writer: Writer,
    jumps: Jumps,
    profile: Profile,
    seed: u64,
    /// Snippets of a pool of arithmetic; others have fewer, for they are longer.
    pub snippets: usize,
    /// Pools that were made.
    made: u64,
    /// What stands in branches and loops.
    bodies: Vec<&'static Form>,
    /// What was tried.
    pub coverage: Coverage,
}

impl Fuzzer {
    /// Pools for a target. `refuses` says why an engine does not carry an instruction out.
    #[must_use]
    pub fn new(target: Target, profile: Profile, seed: u64, refuses: &Refuses<'_>) -> Fuzzer {
        let table = Table::of(target);
        let coverage = Coverage::new(table, profile, seed, refuses);
        let writer = Writer { table };
        let jumps = Jumps::that_run(writer, refuses);
        Fuzzer { writer, jumps, profile, seed, snippets: SNIPPETS, made: 0, bodies: control::bodies(writer), coverage }
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// How many waves of a pool make sense where so many of one of arithmetic do: some profiles take longer.
    #[must_use]
    pub fn waves(&self, of_arithmetic: usize) -> usize {
        match self.profile {
            Profile::Alu => of_arithmetic,
            Profile::Lanes | Profile::Control => of_arithmetic.div_ceil(2),
            Profile::Memory | Profile::Export => of_arithmetic.div_ceil(16),
            Profile::Image => of_arithmetic.div_ceil(64),
        }
    }

    /// The next pool.
    #[must_use]
    pub fn pool(&mut self, refuses: &Refuses<'_>) -> Pool {
        let number = self.made;
        self.made += 1;
        let mut chance = Chance::new(self.seed ^ number << 32 ^ (self.profile as u64) << 24);
        // A driver may carry out all of a pool for every step of a wave.
        let count = match self.profile {
            Profile::Alu | Profile::Lanes => self.snippets,
            Profile::Control => self.snippets / 3,
            Profile::Memory | Profile::Export => self.snippets / 4,
            Profile::Image => self.snippets / 8,
        };
        let drawn = self.coverage.next(count, &mut chance, refuses);
        let snippets = drawn.iter().map(|drawn| self.snippet(drawn, &mut chance)).collect();
        let contents = matches!(self.profile, Profile::Memory | Profile::Image | Profile::Export)
            .then(|| Contents { seed: chance.next_u64() >> 40, texels: self.profile == Profile::Image });
        Pool::new(number, self.writer, self.jumps, snippets, contents)
    }

    /// An instruction with what must stand around it.
    fn snippet(&self, drawn: &draw::Drawn, chance: &mut Chance) -> Snippet {
        let mut words = pool::lanes(self.writer, chance);
        words.extend(&drawn.before);
        if self.profile == Profile::Control {
            let scalar = drawn.row.starts_with("s_");
            words.extend(Control::new(self.writer, &self.bodies, chance).around(drawn, scalar));
        } else {
            words.extend(&drawn.words);
        }
        let reads =
            drawn.places.iter().filter(|p| matches!(p.operand, Operand::Vector | Operand::Scalar | Operand::Special));
        Snippet {
            words,
            row: drawn.row,
            pairs: coverage::pairs(drawn).collect(),
            reads: reads.map(|p| Read { code: p.code, ty: p.ty, source: p.source }).collect(),
            shape: coverage::shape(drawn),
        }
    }
}

/// Why an instruction cannot be tried; nothing where it can. `model` is that of the translation, where one of the engines is one.
pub fn refusal(target: Target, model: Option<Model>) -> impl Fn(&[u32]) -> Option<String> + Copy {
    move |words| {
        let program = Program::new(target, words, 0);
        let mut at = 0;
        while let Some(step) = program.steps.get(at as usize) {
            let Some(row) = step.row else { return Some("an instruction".to_owned()) };
            if !step.executes {
                return Some(crate::program::coverage::needs(row).to_owned());
            }
            at = step.next.max(at + 1);
        }
        if program.across {
            return Some("groups that wait for each other".to_owned());
        }
        let model = model?;
        if program.reads_exceptions {
            return Some("float exceptions".to_owned());
        }
        missing(&program, model, wave_size(target), SEVERAL).into_iter().next().map(|missing| missing.needs)
    }
}
