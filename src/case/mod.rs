//! The case file: assembly with a header which says what state it starts in and what is expected.
//!
//! One text file is a test, the key of a recorded outcome, what a fuzzer leaves behind, and what bisection and reduction work on.
//! `docs/cases.md` describes the format. The smallest case is one instruction and one expectation:
//!
//! ```
//! use wavediff::case::Case;
//! use wavediff::isa::{Arch, Target};
//! let case = Case::parse("; v0 = 1.5\n; expect: v1 = 3.0\nv_add_f32 v1, v0, v0\n", "add.s")?;
//! let target = Target::new(Arch::find("gfx1100").expect("a processor"));
//! assert_eq!(case.program(target)?.text.len(), 8); // s_endpgm is implied
//! assert_eq!(case.initial(target)?.vgpr(0, 31, 0), 0x3fc0_0000);
//! # Ok::<(), wavediff::case::CaseError>(())
//! ```
//!
//! - [types](crate::isa::types), [`edges`], [`random`]: the values there are, with no thought of cases;
//! - [`value`], [`math`], [`isa`], [`mode`]: the parts of a header as data, [`Case`] the whole;
//! - `parse`, `clauses`, `values`, `numbers`, `print`: text to data and back: what is printed parses to the same case;
//! - [`initial`], [`waves`], `eval`, [`descriptor`], `rsrc`: a case for one target, with every pattern worked out;
//! - [`program`]: its assembly as bytes;
//! - `outcome`, `observed`, `trap`, `status`: what a run of it leaves behind, as whole states or as what the case looks at;
//! - [`check`]: expectations against an outcome.
//!
//! A pattern is evaluated where it is needed and never stored lane by lane, so that a case with a million work-items is as small as its text.

pub mod check;
pub(crate) mod clauses;
pub mod descriptor;
pub mod edges;
mod error;
pub(crate) mod eval;
mod export;
pub(crate) mod header;
pub mod initial;
pub mod isa;
pub mod math;
pub mod mode;
pub(crate) mod numbers;
mod observe;
mod observed;
mod outcome;
mod parse;
pub mod picture;
pub(crate) mod print;
pub mod program;
pub mod random;
mod rsrc;
mod status;
pub mod texels;
mod trap;
pub mod tree;
pub mod value;
pub(crate) mod values;
pub mod waves;

pub use check::{Mismatch, Rule};
pub use error::CaseError;
pub use export::{Export, Exported, Exports, Part};
pub use initial::Initial;
pub use observe::Observe;
pub use observed::{Columns, Observed};
pub use outcome::{Memory, Message, Outcome, State, Stats, WaveState};
pub use program::Program;
pub use status::Status;
pub use trap::{Trap, TrapKind};
pub use value::{Place, Value};

use crate::asm::source::{Below, Disk, Files};
use crate::isa::types::Ty;
use crate::isa::{ARCHS, Target};
use isa::{Isa, Select};
use mode::Mode;
use std::collections::{HashMap, HashSet};

/// The largest group.
pub const MAX_GROUP: u64 = 1024;
/// The most waves of one case.
pub const MAX_WAVES: u64 = 1 << 20;
/// The most buffers of one case: each is looked for by its name wherever a value names it.
pub const MAX_BUFFERS: usize = 1024;
/// The most bytes of all buffers of one case, and of a file.
pub const MAX_MEMORY: u64 = 256 << 20;
/// The most bytes of scratch memory that a lane has.
pub const MAX_SCRATCH: u32 = 1 << 20;
/// The most bytes of machine code that a file may hold.
pub const MAX_CODE: u64 = 1 << 20;
/// The lowest address that a buffer may have: below it lies the code.
pub const LOWEST: u64 = 1 << 21;
/// The most bytes of local memory: those of CDNA 4.
pub const MAX_LDS: u32 = 160 << 10;

/// Which files a case may read: whoever gives somebody a case gives him the wish to run it, and not his files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those in the folder of the case and below.
    #[default]
    Folder,
    /// All.
    Anywhere,
}

impl Reach {
    /// The files that the case of this name may read, or a kernel's assembly.
    #[must_use]
    pub fn files(self, case: &str) -> Box<dyn Files> {
        match self {
            Reach::Folder => Box::new(Below::folder_of(case)),
            Reach::Anywhere => Box::new(Disk),
        }
    }
}

/// One case, as parsed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Case {
    /// The file, as messages name it.
    pub name: String,
    /// Remarks (`;; text`), which mean nothing.
    pub remarks: Vec<String>,
    /// Where the expected values come from.
    pub source: Option<String>,
    /// The processors it is for.
    pub isa: Isa,
    /// The wave sizes it is for; none: the default of each processor.
    pub waves: Vec<u32>,
    /// Features of the assembler as LLVM's `--mattr` takes them, wave sizes apart.
    pub mattr: Option<String>,
    /// The grid in work-items; one wave where nothing is said.
    pub grid: Option<[u32; 3]>,
    /// The group in work-items; one wave where nothing is said.
    pub group: Option<[u32; 3]>,
    /// The label where it starts; the beginning where nothing is said.
    pub entry: Option<String>,
    /// The trap handler; none where nothing is said.
    pub trap_handler: Option<TrapHandler>,
    /// Bytes of local memory; what its contents need where nothing is said.
    pub lds: Option<u32>,
    /// Scratch memory; none where nothing is said.
    pub scratch: Option<Scratch>,
    /// `COMPUTE_PGM_RSRC1`, `2`, `3`: what the registers of the hardware ask for at the start.
    pub rsrc: Option<[u32; 3]>,
    /// The file with the machine code, where that is not assembled from the body.
    pub code: Option<String>,
    /// Instructions of one wave; the engine's own limit where nothing is said.
    pub budget: Option<u64>,
    /// Milliseconds of the whole run; the engine's own limit where nothing is said.
    pub timeout: Option<u64>,
    /// MODE at the start.
    pub mode: Mode,
    /// The buffers, in order.
    pub buffers: Vec<Buffer>,
    /// Values at the start; a later one for the same place wins where its brackets apply.
    pub init: Vec<Init>,
    /// What to look at beside what is expected.
    pub observe: Vec<Observe>,
    /// What is expected; a later one for the same place replaces an earlier one where its brackets apply.
    pub expect: Vec<Expect>,
    /// The assembly.
    pub body: Body,
    /// Which files it may read. That is not said by its text.
    pub reach: Reach,
}

/// The assembly of a case. Two are equal if their texts are, wherever they stand in their files.
#[derive(Clone, Debug)]
pub struct Body {
    /// The text behind the header, without white space at its end.
    pub text: String,
    /// The line of the file where it begins, from 1.
    pub line: u32,
}

impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        self.text == other.text
    }
}

impl Default for Body {
    fn default() -> Body {
        Body { text: String::new(), line: 1 }
    }
}

/// A buffer of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Its size in bytes; what the contents need where nothing is said.
    pub size: Option<u32>,
    /// Whether the program may store to it.
    pub writable: bool,
    /// Whether it begins where the buffer before it ends, and not behind a gap.
    pub behind: bool,
    /// Its address; where nothing is said, the next one that is free.
    pub at: Option<u64>,
    /// What is in it; zeroes where nothing is said, and behind the end of a list or file.
    pub contents: Option<Value>,
}

/// A trap handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrapHandler {
    /// The label where it begins.
    pub label: String,
    /// The buffer that TMA points to.
    pub memory: Option<String>,
}

/// Scratch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scratch {
    /// Bytes of a lane.
    pub bytes: u32,
    /// Where all of it begins; [`initial::SCRATCH_ADDRESS`] where nothing is said.
    pub at: Option<u64>,
}

/// A value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// When it applies.
    pub select: Select,
    /// Where. Buffers have their own contents and are not here.
    pub place: Place,
    /// What.
    pub value: Value,
}

/// An expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    /// When it applies.
    pub select: Select,
    /// What is expected.
    pub what: What,
}

/// What is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A value at the end.
    Value {
        /// Where.
        place: Place,
        /// What.
        value: Value,
        /// How closely.
        rule: Rule,
    },
    /// A trap.
    Trap {
        /// One of [`TrapKind::NAMES`].
        kind: &'static str,
        /// The number of an `s_trap`.
        number: Option<u8>,
        /// The label of the instruction that traps.
        at: Option<String>,
    },
}

impl What {
    /// Whether a kind of trap is this one; never for values.
    #[must_use]
    pub fn is_trap(&self, trap: &TrapKind) -> bool {
        match self {
            What::Value { .. } => false,
            What::Trap { kind, number, .. } => {
                *kind == trap.name() && number.is_none_or(|n| *trap == TrapKind::Software(n))
            }
        }
    }
}

/// The lanes of a wave: 32 where the target has only those, else 64.
#[must_use]
pub fn wave_size(target: Target) -> u32 {
    if target.wave32() && !target.wave64() { 32 } else { 64 }
}

impl Case {
    /// The targets that it is for: each processor with each wave size that it has, oldest first.
    #[must_use]
    pub fn targets(&self) -> Vec<Target> {
        let archs = ARCHS.iter().filter(|arch| self.isa.contains(arch)).map(Target::new);
        let sized = archs.flat_map(|target| {
            let default = self.waves.is_empty().then_some(target);
            default.into_iter().chain(self.waves.iter().filter_map(move |&lanes| target.wave(lanes)))
        });
        let mattr = self.mattr.as_deref().unwrap_or("");
        sized.filter_map(|target| target.with_mattr(mattr).ok()).filter(|t| self.mode.missing(*t).is_none()).collect()
    }

    /// Whether brackets mean a target of the case. Where it leaves the size of waves open, either may be asked for.
    #[must_use]
    pub fn is_meant(&self, select: &Select) -> bool {
        let sizes = |t: Target| if self.waves.is_empty() { [t.wave(32), t.wave(64)] } else { [Some(t), None] };
        select.is_always() || self.targets().into_iter().flat_map(sizes).flatten().any(|t| select.matches(t))
    }

    /// Whether it runs on a target: one of [`Case::targets`], or another wave size where the case leaves that open.
    ///
    /// # Errors
    /// [`CaseError::NotFor`] if it is not.
    pub fn require(&self, target: Target) -> Result<(), CaseError> {
        let size = self.waves.is_empty() || self.waves.contains(&wave_size(target));
        if size && self.isa.contains(target.arch) && self.mode.missing(target).is_none() {
            return Ok(());
        }
        let target = format!("{} with waves of {}", target.arch.name, wave_size(target));
        Err(CaseError::NotFor { case: self.name.clone(), target })
    }

    /// The same case with its buffers and its scratch memory where they are put: each from the first address on that is free, but
    /// those that say where they lie. Whoever runs or checks it finds them there.
    ///
    /// # Errors
    /// As [`Case::initial`].
    pub fn pinned(&self, target: Target, first: u64, scratch: u64) -> Result<Case, CaseError> {
        let mut next = first;
        let initial = self.initial_with(target, &*self.files(), &mut |_, size| {
            let address = next;
            next += (size / initial::PAGE + 2) * initial::PAGE;
            address
        })?;
        let places: Vec<u64> = initial.buffers.iter().map(|region| region.address).collect();
        let mut pinned = self.clone();
        for (buffer, address) in pinned.buffers.iter_mut().zip(places).filter(|(buffer, _)| !buffer.behind) {
            buffer.at = Some(address);
        }
        if let Some(memory) = &mut pinned.scratch {
            memory.at.get_or_insert(scratch);
        }
        Ok(pinned)
    }

    /// The files that it may read.
    fn files(&self) -> Box<dyn Files> {
        self.reach.files(&self.name)
    }

    /// Reads a case. It may read files from its own folder and below, until its [`Reach`] is set.
    ///
    /// # Errors
    /// [`CaseError::Text`] with everything that is wrong with its header. The assembly is not looked at: that needs a target.
    pub fn parse(text: &str, name: &str) -> Result<Case, CaseError> {
        parse::case(text, name).map_err(CaseError::Text)
    }

    /// The types in which places are shown.
    #[must_use]
    pub fn types(&self, target: Target) -> Types<'_> {
        let started = self.init.iter().filter(|init| init.select.matches(target));
        let started = started.map(|init| (&init.place, init.value.ty()));
        let expected = self.expect.iter().filter(|e| e.select.matches(target)).filter_map(|e| match &e.what {
            What::Value { place, value, .. } => Some((place, value.ty())),
            What::Trap { .. } => None,
        });
        let observed = self.observe.iter().filter_map(|observe| Some((&observe.place, observe.ty?)));
        // The last one said of a place counts.
        let places = started.chain(expected).chain(observed).collect();
        let contents = self.buffers.iter().filter_map(|b| Some((b.name.as_str(), b.contents.as_ref()?.ty())));
        // A file without a type is compared byte by byte, which is no way to read it.
        Types { places, buffers: contents.filter(|(_, ty)| *ty != Ty::U8).collect() }
    }

    /// What is looked at: what `observe` names and what is expected for a target, each once.
    #[must_use]
    pub fn observed(&self, target: Target) -> Vec<Place> {
        let expected = self.expect.iter().filter(|e| e.select.matches(target)).filter_map(|e| match &e.what {
            What::Value { place, .. } => Some(place),
            What::Trap { .. } => None,
        });
        let mut seen = HashSet::new();
        self.observe
            .iter()
            .map(|observe| &observe.place)
            .chain(expected)
            .filter(|place| seen.insert(*place))
            .cloned()
            .collect()
    }
}

/// The types in which the places of a case are shown: as `observe` says, as they are expected, as they begin.
#[derive(Clone, Debug)]
pub struct Types<'c> {
    places: HashMap<&'c Place, Ty>,
    /// By name, with the type of their contents.
    buffers: HashMap<&'c str, Ty>,
}

impl Types<'_> {
    /// The type of a place; nothing where the case says none.
    #[must_use]
    pub fn find(&self, place: &Place) -> Option<Ty> {
        let begins = || match place {
            Place::Buffer(name, _) => self.buffers.get(name.as_str()).copied(),
            _ => None,
        };
        self.places.get(place).copied().or_else(begins)
    }

    /// The type of a place, or an integer of its width.
    #[must_use]
    pub fn of(&self, place: &Place) -> Ty {
        self.find(place).unwrap_or(place.integer())
    }
}
