//! The answers of a reduction in a file beside its output, so that the next call need not ask again.
//!
//! The same case and the same answers give the same way, so the way itself is not written down: the call that goes on takes it again, from memory. A
//! line is the hash of a candidate and the answer; the first line is the hash of what the answers depend on besides.

use crate::files;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use wavediff::case::Case;
use wavediff::reduce::Verdict;

/// Answers, in a file.
pub struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<u64, Verdict>,
}

/// FNV-1a: the same in every build.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Journal {
    /// Begins a journal, or goes on with one that is about the same thing.
    pub fn open(path: &Path, about: &str, resume: bool) -> io::Result<Journal> {
        let head = format!("{:016x} reduce", hash(about));
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(io::Error::other("it is being written by another reduction"));
        }
        let mut old = Vec::new();
        if resume {
            (&file).take(files::JOURNAL).read_to_end(&mut old)?;
        }
        let old = String::from_utf8(old).unwrap_or_default();
        let mut lines = old.split_inclusive('\n');
        let mut known = HashMap::new();
        let mut whole = 0;
        if lines.next().is_some_and(|line| line.trim_end() == head) {
            whole = head.len() + 1;
            // A line that was cut off has no end.
            for line in lines.take_while(|line| line.ends_with('\n')) {
                let Some((hash, verdict)) = line.trim_end().split_once(' ') else { break };
                let Ok(hash) = u64::from_str_radix(hash, 16) else { break };
                known.insert(hash, if verdict == "kept" { Verdict::Kept } else { Verdict::Lost });
                whole += line.len();
            }
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            writeln!(file, "{head}")?;
        }
        Ok(Journal { path: path.to_owned(), file, known })
    }

    /// What is known of a candidate.
    pub fn known(&self, case: &Case) -> Option<Verdict> {
        self.known.get(&hash(&case.to_string())).copied()
    }

    /// Writes an answer down. A disk that is full costs the memory, not the reduction.
    pub fn tell(&mut self, case: &Case, verdict: Verdict) {
        let hash = hash(&case.to_string());
        self.known.insert(hash, verdict);
        let word = if verdict == Verdict::Kept { "kept" } else { "lost" };
        let _ = writeln!(self.file, "{hash:016x} {word}");
    }

    /// The end: nobody needs the answers any more.
    pub fn done(self) {
        drop(self.file);
        let _ = std::fs::remove_file(self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(n: u32) -> Case {
        Case { budget: Some(n.into()), ..Case::default() }
    }

    #[test]
    fn answers_outlive_the_process() {
        let path = std::env::temp_dir().join(format!("wavediff-journal-{}", std::process::id()));
        let mut first = Journal::open(&path, "a", false).expect("a file");
        first.tell(&case(1), Verdict::Kept);
        first.tell(&case(2), Verdict::Lost);
        drop(first);
        // The last line is cut off, as a kill may do.
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, &text[..text.len() - 3]).expect("a file");
        let mut second = Journal::open(&path, "a", true).expect("a file");
        assert!(Journal::open(&path, "a", true).is_err(), "one at a time");
        assert_eq!(second.known(&case(1)), Some(Verdict::Kept));
        assert_eq!(second.known(&case(2)), None);
        second.tell(&case(3), Verdict::Lost);
        drop(second);
        let third = Journal::open(&path, "a", true).expect("a file");
        assert_eq!([1, 2, 3].map(|n| third.known(&case(n))), [Some(Verdict::Kept), None, Some(Verdict::Lost)]);
        drop(third);
        // Answers about something else are worth nothing.
        let other = Journal::open(&path, "b", true).expect("a file");
        assert_eq!(other.known(&case(1)), None);
        other.done();
        assert!(!path.exists());
    }
}
