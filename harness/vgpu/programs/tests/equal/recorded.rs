//! What lavapipe left of the programs, recorded: its compiler takes longer than all chips do.
//!
//! A line a program: how many words it leaves and their digest, or which feature lavapipe lacks. A digest says whether words are
//! equal and not how far they are apart, so programs whose results may be apart are not in it. A chip whose words are not those
//! recorded is compared with lavapipe itself, which is also asked again for a sample of the recording.

use crate::compare::{Line, Lines};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use wavediff::suite::digest::Digest;

/// What asks for the recording to be made again, of all programs.
pub const UPDATE: &str = "WAVEDIFF_UPDATE_LAVAPIPE";

/// Programs by name.
pub struct Recorded(BTreeMap<String, Known>);

/// How a program ended on lavapipe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// With so many words that have this digest.
    Words(usize, u64),
    /// Not at all: for this reason.
    Skipped(String),
}

impl Known {
    /// What is recorded of a line: nothing where results may be apart, or where the program failed.
    pub fn of(line: &Line) -> Option<Known> {
        match line {
            Line::Words(words, None) => {
                Some(Known::Words(words.len(), Digest::of_words(words.iter().map(|word| u64::from(*word)))))
            }
            Line::Skipped(why) => Some(Known::Skipped(why.clone())),
            Line::Words(_, Some(_)) | Line::Failed(_) => None,
        }
    }

    /// Whether what a chip left is what is asked of it: these words, or any that its program finds right itself where lavapipe cannot
    /// run it; which programs a chip skips is [looked at elsewhere](crate::compare::skipped).
    fn allows(&self, line: &Line) -> bool {
        match (self, line) {
            (_, Line::Failed(_)) => false,
            (_, Line::Skipped(_)) | (Known::Skipped(_), Line::Words(..)) => true,
            (known, line) => Known::of(line).as_ref() == Some(known),
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Known::Words(number, digest) => write!(f, "{number}\t{digest:016x}"),
            Known::Skipped(why) => write!(f, "skipped\t{why}"),
        }
    }
}

impl Recorded {
    /// Reads the recording.
    pub fn read() -> Recorded {
        let path = path();
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let known = |line: &str| {
            let mut fields = line.splitn(3, '\t');
            let (name, first, second) = (fields.next()?, fields.next()?, fields.next()?);
            let known = match first {
                "skipped" => Known::Skipped(second.to_owned()),
                number => Known::Words(number.parse().ok()?, u64::from_str_radix(second, 16).ok()?),
            };
            Some((name.to_owned(), known))
        };
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Recorded(lines.map(|line| known(line).unwrap_or_else(|| panic!("`{line}` records nothing"))).collect())
    }

    /// Whether the program of that name is recorded.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether what a chip left is as recorded.
    pub fn allows(&self, name: &str, line: &Line) -> bool {
        self.0.get(name).is_some_and(|known| known.allows(line))
    }

    /// The programs that lavapipe cannot run, and why.
    pub fn skipped(&self) -> BTreeMap<&str, String> {
        self.0
            .iter()
            .filter_map(|(name, known)| match known {
                Known::Skipped(why) => Some((name.as_str(), why.clone())),
                Known::Words(..) => None,
            })
            .collect()
    }

    /// Whether lavapipe leaves what is recorded.
    pub fn is(&self, lines: &Lines) -> Result<(), String> {
        let wrong = lines.iter().filter(|(name, line)| Known::of(line).as_ref() != self.0.get(*name));
        let names: Vec<&str> = wrong.map(|(name, _)| name.as_str()).collect();
        if names.is_empty() {
            return Ok(());
        }
        Err(format!("lavapipe leaves something else than is recorded of {}: {UPDATE}=1 records it", names.join(", ")))
    }

    /// Writes what is to be recorded of these lines.
    pub fn write(lines: &Lines) -> Result<(), String> {
        let known = lines.iter().filter_map(|(name, line)| Some(format!("{name}\t{}\n", Known::of(line)?)));
        let head =
            "# A program, how many words lavapipe leaves of it and their digest, or what it lacks: see README.md.\n";
        let text: String = std::iter::once(head.to_owned()).chain(known).collect();
        let path = path();
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../golden/oracle/vulkan/lavapipe.tsv")
}
