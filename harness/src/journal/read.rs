//! Journals as they are read: what is whole counts, what is damaged is named.

use super::{FORMAT, Header, Journal, Line, line};
use crate::files;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;

/// What every journal begins with.
const HEADER: &[u8] = b"{\"kind\":\"header\"";

/// Whether bytes are the beginning of a header and nothing else: a run that was cut off while it wrote its first line. Some file systems leave zeroes
/// of what had not been written when the power went.
pub fn is_begun(bytes: &[u8]) -> bool {
    let cut = HEADER.starts_with(bytes) || bytes.starts_with(HEADER) || bytes.iter().all(|byte| *byte == 0);
    cut && !bytes.contains(&b'\n')
}

impl Header {
    /// What two headers of one journal differ in, in words; nothing if they are of one run.
    pub fn differs(&self, other: &Header) -> Option<&'static str> {
        let differ = [
            (self.version != other.version, "version"),
            (self.plan != other.plan, "plan"),
            (self.seed != other.seed, "seed"),
            (self.shard != other.shard, "shard"),
            (self.units != other.units, "number of units"),
            (self.engines != other.engines, "list of engines"),
        ];
        differ.into_iter().find_map(|(differs, what)| differs.then_some(what))
    }
}

impl Journal {
    /// Reads a journal. That lines are damaged is among what was left out.
    pub fn read(path: &Path) -> Result<Journal> {
        Journal::named(&files::read(path, files::JOURNAL)?, path)
    }

    /// Reads the bytes of a journal that has a name.
    pub(super) fn named(bytes: &[u8], path: &Path) -> Result<Journal> {
        let name = path.display();
        if is_begun(bytes) {
            bail!(
                "{name} is no journal of a conformance run: it was cut off inside its header; `conform --resume` begins it again"
            );
        }
        let mut journal =
            Journal::parse(bytes).with_context(|| format!("{name} is no journal of a conformance run"))?;
        if let Some(lines) = journal.damage() {
            journal.header.left_out.push(format!("{name}: {lines}"));
        }
        Ok(journal)
    }

    /// Which lines are damaged, in words.
    pub fn damage(&self) -> Option<String> {
        const NAMED: usize = 10;
        let named: Vec<String> = self.damaged.iter().take(NAMED).map(u64::to_string).collect();
        let more = if self.damaged.len() > NAMED { " and more" } else { "" };
        match self.damaged.len() {
            0 => None,
            1 => {
                Some(format!("line {} is damaged and does not count; `conform --resume` runs its unit again", named[0]))
            }
            n => Some(format!(
                "{n} lines are damaged and do not count ({}{more}); `conform --resume` runs their units again",
                named.join(", ")
            )),
        }
    }

    /// Reads the bytes of a journal. What stands behind the last end of line was cut off while it was written.
    pub fn parse(bytes: &[u8]) -> Result<Journal> {
        let mut journal = Journal::default();
        let mut headers = 0;
        for (n, line) in (1..).zip(bytes.split_inclusive(|b| *b == b'\n')) {
            let Some(text) = line.strip_suffix(b"\n") else {
                journal.cut = true;
                break;
            };
            journal.whole += line.len() as u64;
            let (found, whole) = line::find(text);
            if !whole {
                journal.damaged.push(n);
            }
            for line in found {
                journal.take(line, &mut headers).with_context(|| format!("line {n}"))?;
            }
        }
        if headers == 0 {
            if let Some(format) = other_format(bytes) {
                bail!("format {format}, and this program knows {FORMAT}");
            }
            bail!("there is no header, or none that is whole");
        }
        Ok(journal)
    }

    fn take(&mut self, line: Line, headers: &mut u32) -> Result<()> {
        match line {
            Line::Header(header) if header.format != FORMAT => {
                bail!("format {}, and this program knows {FORMAT}", header.format)
            }
            Line::Header(header) => {
                self.end = None;
                if *headers == 0 {
                    self.header = header;
                } else if let Some(what) = self.header.differs(&header) {
                    bail!("a header with another {what}: two runs are mixed");
                }
                *headers += 1;
            }
            Line::Unit(unit) => self.units.push(unit),
            Line::End(end) => self.end = Some(end),
        }
        Ok(())
    }
}

/// The format that the first line says it has, if it is a header: those of other formats may have no checksum.
fn other_format(bytes: &[u8]) -> Option<u64> {
    let first: Value = serde_json::from_slice(bytes.split(|b| *b == b'\n').next()?).ok()?;
    let format = first["format"].as_u64()?;
    (first["kind"] == "header" && format != u64::from(FORMAT)).then_some(format)
}
