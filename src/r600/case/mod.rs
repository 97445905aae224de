//! Cases of R600 and R700: assembly with a header which says what a thread group finds and what it is expected to leave.
//!
//! The file looks like a [case](crate::case) of the other machines, and values, files, rules of comparison and messages are theirs. The
//! places are this machine's own: registers of four elements, exports by target, constants, resources. `docs/r600.md` describes them.
//!
//! ```
//! use wavediff::r600::Machine;
//! use wavediff::r600::case::Case;
//! use wavediff::r600::emu::run;
//! let text = "; isa: r600\n; R0.x = f32 ramp(0, 1)\n; expect: pixel0.x = f32 ramp(1, 1)\n\
//!     ALU:\n 0 x: ADD R0.x, R0.x, 1.0\nEXPORT_DONE: PIX0, R0.xyzw EOP\n";
//! let case = Case::parse(text, "add.s")?;
//! let ready = case.ready(Machine::R600)?;
//! assert_eq!(case.check(Machine::R600, &run(&ready.words, &ready.setup))?, []);
//! # Ok::<(), wavediff::case::CaseError>(())
//! ```
//!
//! - [`place`]: what a case gives values to, and what it looks at;
//! - `parse`, `print`: text to data and back: what is printed parses to the same case;
//! - `ready`: a case for one machine: its words, and the [setup](super::emu::Setup) of a run;
//! - [`check`]: expectations against an outcome.

pub mod check;
mod parse;
pub mod place;
mod print;
mod ready;

pub use check::{Mismatch, verdict};
pub use place::{Elements, Place};
pub use ready::Ready;

use super::emu::image::{Compare, Shape};
use super::emu::vertex::Element;
use super::emu::{LoopConstant, Stage};
use crate::case::header::statements;
use crate::case::{Body, CaseError, Reach, Rule, Value};
use crate::isa::r600::Machine;
use crate::isa::types::Ty;
use crate::r600::assemble::declared;
use std::collections::BTreeMap;

/// The most lanes of a thread group.
pub const MAX_LANES: u32 = 64;
/// The most bytes of all memory of a case.
pub const MAX_MEMORY: u64 = 64 << 20;

/// One case, as parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The file, as messages name it.
    pub name: String,
    /// Remarks (`;; text`), which mean nothing.
    pub remarks: Vec<String>,
    /// Where the expected values come from.
    pub source: Option<String>,
    /// The machines it is for.
    pub machines: Vec<Machine>,
    /// The program type.
    pub stage: Stage,
    /// Lanes of the thread group.
    pub lanes: u32,
    /// Which of them are valid at the start; all where nothing is said.
    pub valid: Option<u64>,
    /// How many registers the program has; all but the temporaries of a clause where nothing is said.
    pub registers: Option<u32>,
    /// How many of the last registers live for a clause; four where nothing is said.
    pub temporaries: Option<u32>,
    /// Entries of the stack; not counted where nothing is said.
    pub stack: Option<u32>,
    /// Elements of the scratch buffer of a lane.
    pub scratch: u32,
    /// Elements of the reduction buffer.
    pub reduction: u32,
    /// What is added to the index of fetches of type vertex and of type instance.
    pub offsets: [u32; 2],
    /// The last instruction of a group goes to the trans slot if it can.
    pub last_is_trans: bool,
    /// Instructions of control flow, groups and fetches; the engine's own limit where nothing is said.
    pub budget: Option<u64>,
    /// Stops behind so many instructions of control flow; runs to the end where nothing is said.
    pub stop: Option<u32>,
    /// The file with the words, where they are not assembled from the body.
    pub code: Option<String>,
    /// Boolean constants: a bit each.
    pub bools: u32,
    /// Integer constants.
    pub loops: BTreeMap<u32, LoopConstant>,
    /// The registers of semantic fetches.
    pub semantics: BTreeMap<u32, u32>,
    /// Constant buffers by bank.
    pub banks: BTreeMap<u32, Memory>,
    /// The constant file.
    pub constants: Option<Memory>,
    /// Memory by name, in order.
    pub buffers: Vec<(String, Memory)>,
    /// What is bound, by the number that a fetch names.
    pub resources: BTreeMap<u32, Bound>,
    /// Values of registers at the start; a later one for the same place wins where its brackets apply.
    pub init: Vec<Init>,
    /// What to look at beside what is expected.
    pub observe: Vec<Observe>,
    /// What is expected; a later one for the same place replaces an earlier one where its brackets apply.
    pub expect: Vec<Expect>,
    /// The assembly; behind a line `.fetch` that of the fetch program.
    pub body: Body,
    /// Which files it may read. That is not said by its text.
    pub reach: Reach,
}

impl Default for Case {
    fn default() -> Case {
        Case {
            name: String::new(),
            remarks: Vec::new(),
            source: None,
            machines: Vec::new(),
            stage: Stage::Ps,
            lanes: MAX_LANES,
            valid: None,
            registers: None,
            temporaries: None,
            stack: None,
            scratch: 0,
            reduction: 0,
            offsets: [0; 2],
            last_is_trans: false,
            budget: None,
            stop: None,
            code: None,
            bools: 0,
            loops: BTreeMap::new(),
            semantics: BTreeMap::new(),
            banks: BTreeMap::new(),
            constants: None,
            buffers: Vec::new(),
            resources: BTreeMap::new(),
            init: Vec::new(),
            observe: Vec::new(),
            expect: Vec::new(),
            body: Body::default(),
            reach: Reach::default(),
        }
    }
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Memory {
    /// Its bytes; what the contents need where nothing is said.
    pub size: Option<u32>,
    /// What is in it; zeroes where nothing is said, and behind the end of a list or file.
    pub contents: Option<Value>,
}

/// What is bound to the number of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Records of a buffer.
    Vertex {
        /// The buffer.
        buffer: String,
        /// Bytes from a record to the next.
        stride: u32,
        /// The format for instructions that name none.
        format: Option<Element>,
    },
    /// Texels of a buffer.
    Image {
        /// The buffer.
        buffer: String,
        /// What coordinates mean.
        shape: Shape,
        /// Width, height, and depth or layers.
        size: [u32; 3],
        /// The format of a texel.
        format: Element,
        /// Coordinates beyond the edges are repeated.
        repeat: bool,
        /// What SAMPLE_C asks.
        compare: Compare,
    },
}

/// Which machines a line is for: all where none is named.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Select(pub Vec<Machine>);

impl Select {
    /// Whether it speaks of a machine.
    #[must_use]
    pub fn matches(&self, machine: Machine) -> bool {
        self.0.is_empty() || self.0.contains(&machine)
    }
}

/// A value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    /// When it applies.
    pub select: Select,
    /// Where: a register.
    pub place: Place,
    /// What.
    pub value: Value,
}

/// A place that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observe {
    /// The type in which it is shown; what the case says of the place elsewhere where nothing is said here.
    pub ty: Option<Ty>,
    /// Where.
    pub place: Place,
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
    /// A fault: one of [`Fault::NAMES`](super::emu::Fault::NAMES), and the place of the instruction of control flow.
    Trap {
        /// Its name.
        kind: &'static str,
        /// The pair of words.
        at: Option<u32>,
    },
}

/// Whether a text is a case of these machines: its header names one of them, or its assembly does where the header names none.
#[must_use]
pub fn is_one(text: &str) -> bool {
    let (header, end) = statements(text);
    let isa = header.iter().find_map(|(_, line)| line.trim_start().strip_prefix("isa")?.trim_start().strip_prefix(':'));
    match isa {
        Some(list) => list.split(',').any(|name| Machine::find(name.split(';').next().unwrap_or("").trim()).is_some()),
        None => text.get(end..).and_then(declared).is_some(),
    }
}

impl Case {
    /// Reads a case. It may read files from its own folder and below, until its [`Reach`] is set.
    ///
    /// # Errors
    /// [`CaseError::Text`] with everything that is wrong with its header. The assembly is not looked at.
    pub fn parse(text: &str, name: &str) -> Result<Case, CaseError> {
        parse::case(text, name).map_err(CaseError::Text)
    }

    /// Whether it is for a machine.
    ///
    /// # Errors
    /// [`CaseError::NotFor`] if it is not.
    pub fn require(&self, machine: Machine) -> Result<(), CaseError> {
        if self.machines.contains(&machine) {
            return Ok(());
        }
        Err(CaseError::NotFor { case: self.name.clone(), target: machine.name().to_owned() })
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, CaseError> {
        let read = self.reach.files(&self.name).read(&self.name, name);
        read.map_err(|error| CaseError::File { file: name.to_owned(), reason: error.to_string() })
    }

    /// What is expected of a machine: for each place the last line.
    pub fn expected(&self, machine: Machine) -> Vec<(&Place, &Value, Rule)> {
        let mut all: Vec<(&Place, &Value, Rule)> = Vec::new();
        for expect in self.expect.iter().filter(|expect| expect.select.matches(machine)) {
            if let What::Value { place, value, rule } = &expect.what {
                all.retain(|(known, ..)| *known != place);
                all.push((place, value, *rule));
            }
        }
        all
    }

    /// What is looked at, each place once, with the type in which it is shown: what `observe` names, and what is expected.
    #[must_use]
    pub fn observed(&self, machine: Machine) -> Vec<(Place, Ty)> {
        let expected = self.expected(machine);
        let begun = |place: &Place| {
            let init = self.init.iter().rev().find(|init| init.select.matches(machine) && init.place == *place);
            init.map(|init| init.value.ty())
        };
        let typed = |place: &Place| {
            let of_expected = expected.iter().find(|(known, ..)| *known == place).map(|(_, value, _)| value.ty());
            of_expected.or_else(|| begun(place)).unwrap_or(place.integer())
        };
        let mut all: Vec<(Place, Ty)> = Vec::new();
        for Observe { ty, place } in &self.observe {
            all.push((place.clone(), ty.unwrap_or_else(|| typed(place))));
        }
        for (place, value, _) in &expected {
            if !all.iter().any(|(known, _)| known == *place) {
                all.push(((*place).clone(), value.ty()));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "\
;; A remark.
; source: by hand
; isa: r600, rv770
; stage: vs
; lanes: 4
; valid: 0x7
; registers: 12
; temporaries: 2
; stack: 3
; scratch: 8
; reduction: 4
; vertex_offset: 1
; instance_offset: 2
; prefer_vector: 0
; budget: 1000
; stop: 99
; bools: 0x9
; loop[3] = 4, -2, 1
; semantic[20] = R7
; kcache[2][64] = ramp(0, 1)
; constants = [f32 1.0, 2.0, 3.0, 4.0]
; buffer data[64] = f32 ramp(1.0, 0.5)
; resource[160] = vertex(data, stride=16, format=32_32_FLOAT)
; resource[161] = vertex(data, stride=4)
; resource[18] = image(data, 2d, size=2x2, format=8_8_8_8, int, signed, swap=8IN32, repeat, compare=less)
; R0.x = lane
; init[rv770]: R1.xyz = f32 random_f32(3)
; observe: f32 R2, killed
; expect: param0.xy = [1, _, 3], ulp(0)
";

    #[test]
    fn what_is_printed_is_the_same_case() {
        let text = ALL.replace("f32 random_f32(3)", "random_f32(3)").replace(", ulp(0)", "");
        let more = "; expect[r600]: stream0[16].x = 7\n; expect: ring[3] = 1\n; expect: pos60.mask = 15\n\
            ; expect: killed = 0x2\n; expect: scratch[1].w = 5\n; expect: reduction[0].x = 5\nNOP EOP\n.fetch\nRETURN\n";
        let text = format!("{text}{more}");
        let case = Case::parse(&text, "x.s").unwrap_or_else(|error| panic!("{error}"));
        let printed = case.to_string();
        let again = Case::parse(&printed, "x.s").unwrap_or_else(|error| panic!("{error}\n{printed}"));
        // A body begins on another line only if the header is another.
        assert_eq!(case, again, "{printed}");
        assert_eq!(printed, again.to_string());
        assert_eq!(case.resources.len(), 3);
        assert_eq!(case.loops[&3], LoopConstant { count: 4, first: -2, step: 1 });
    }

    #[test]
    fn whose_case_it_is() {
        assert!(is_one("; isa: rv770\nNOP EOP\n"));
        assert!(is_one("; source: x\n.arch r600\nNOP EOP\n"));
        assert!(!is_one("; isa: gfx600\ns_endpgm\n"));
        assert!(!is_one("; R0.x = 1\nNOP EOP\n"));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let error = |line: &str| match Case::parse(&format!("; isa: r600\n; {line}\nNOP EOP\n"), "x.s") {
            Ok(_) => panic!("`{line}` is taken"),
            Err(error) => error.to_string(),
        };
        for (line, wanted) in [
            ("isa: r600", "this key was given before"),
            ("stage: xs", "unknown stage `xs`"),
            ("lanes: 65", "64"),
            ("R128.x = 1", "there is no such register"),
            ("R0.q = 1", "element"),
            ("R0.x = f64 1.0", "wider than 32 bits"),
            ("R0.x = address(data)", "has no addresses"),
            ("resource[1] = vertex(nothing, stride=4)", "unknown buffer `nothing`"),
            ("resource[1] = image(data, 4d)", "unknown shape `4d`"),
            ("expect: trap halt", "unknown fault `halt`"),
            ("expect: pixel0.x = _", "expects nothing"),
            ("kcache[2] = ramp(0, 1)", "needs a size"),
            ("init: pixel0.x = 1", "registers alone"),
            ("unknown: 1", "unknown key `unknown`"),
            ("expect[gfx6]: R0.x = 1", "unknown machine `gfx6`"),
        ] {
            let found = error(line);
            assert!(found.contains(wanted), "`{line}`: {found}");
        }
    }
}
