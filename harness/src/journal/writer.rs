//! Journals as they are written: by one process at a time, which has a lock on the file, and never over another journal.
//!
//! The lock is the system's, on the file itself: it ends with the process, however that ends. Where a file system knows no locks there is none.

use super::read::is_begun;
use super::{Header, Journal, Line, Unit, line};
use crate::files;
use anyhow::{Context, Result, anyhow, bail};
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The journal that a command line asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'p> {
    /// A new one.
    pub new: Option<&'p Path>,
    /// The new one may take the place of an old one.
    pub force: bool,
    /// One to go on with.
    pub resume: Option<&'p Path>,
}

/// Opens the journal of a run, with its header; gives what it has already.
pub fn open<'u>(
    wanted: Wanted<'_>,
    header: &Header,
    units: impl IntoIterator<Item = &'u str>,
) -> Result<(Option<Writer>, Journal)> {
    let mut known = Journal { header: header.clone(), ..Journal::default() };
    let writer = match wanted {
        Wanted { resume: Some(path), .. } => {
            let (writer, found) = Writer::resume(path, header, &units.into_iter().collect())?;
            known = found.unwrap_or(known);
            Some(writer)
        }
        Wanted { new: Some(path), force, .. } => Some(Writer::create(path, force, header)?),
        _ => None,
    };
    Ok((writer, known))
}

/// A journal that is written.
pub struct Writer {
    file: File,
    path: PathBuf,
    /// Not a device or a pipe.
    regular: bool,
}

impl Writer {
    /// Begins a journal. A file that has something in it is replaced only if that is said.
    pub fn create(path: &Path, force: bool, header: &Header) -> Result<Writer> {
        let mut writer = Writer::locked(path, true)?;
        if writer.regular {
            let about = writer.file.metadata().with_context(|| writer.failed())?;
            if about.len() > 0 && !force {
                bail!("{} is there already: go on with it (--resume {0}), or write over it (--force)", path.display());
            }
            writer.file.set_len(0).with_context(|| writer.failed())?;
        }
        writer.begin(header)?;
        Ok(writer)
    }

    /// Goes on behind the whole lines of a journal of the same run. Nothing: it was cut off inside its header, which is written again.
    pub fn resume(path: &Path, header: &Header, units: &HashSet<&str>) -> Result<(Writer, Option<Journal>)> {
        let mut writer = Writer::locked(path, false)?;
        let bytes = files::read_from(&writer.file, &format!("`{}`", path.display()), files::JOURNAL)?;
        let journal = if is_begun(&bytes) { None } else { Some(Journal::named(&bytes, path)?) };
        if let Some(journal) = &journal {
            journal.fits(path, header, units)?;
        }
        let whole = journal.as_ref().map_or(0, |journal| journal.whole);
        let behind = |mut file: &File| file.set_len(whole).and_then(|()| file.seek(SeekFrom::Start(whole)));
        behind(&writer.file).with_context(|| format!("{} can not be continued", path.display()))?;
        match &journal {
            Some(_) => writer.line(&Line::Header(header.clone()))?,
            None => writer.begin(header)?,
        }
        Ok((writer, journal))
    }

    /// Opens a file that nobody else writes.
    fn locked(path: &Path, new: bool) -> Result<Writer> {
        let name = path.display();
        let opened = OpenOptions::new().read(!new).write(true).create(new).truncate(false).open(path);
        let file =
            opened.with_context(|| format!("{name} can not be {}", if new { "written" } else { "continued" }))?;
        let regular = file.metadata().is_ok_and(|about| about.is_file());
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => bail!("{name} is being written by another run"),
            Err(TryLockError::Error(error)) if regular && error.kind() != ErrorKind::Unsupported => {
                return Err(error).with_context(|| format!("{name} can not be locked"));
            }
            _ => {}
        }
        Ok(Writer { file, path: path.to_owned(), regular })
    }

    fn begin(&mut self, header: &Header) -> Result<()> {
        // Twice: see the head of the journal.
        (0..2).try_for_each(|_| self.line(&Line::Header(header.clone())))
    }

    fn failed(&self) -> String {
        format!("the journal {} can not be written", self.path.display())
    }

    /// Writes a line, and sees that it is in the file.
    pub fn line(&mut self, line: &Line) -> Result<()> {
        let bytes = line::encode(line)?;
        self.file.write_all(&bytes).with_context(|| self.failed())?;
        if self.regular {
            self.file.sync_data().with_context(|| self.failed())?;
        }
        Ok(())
    }
}

impl Journal {
    /// Whether a run may go on with this journal.
    fn fits(&self, path: &Path, header: &Header, units: &HashSet<&str>) -> Result<()> {
        let (name, had) = (path.display(), &self.header);
        let other =
            |what: &str, had: String, has: String| anyhow!("{name} is of {what} {had}, and this run is of {has}");
        if had.version != header.version {
            return Err(other("version", had.version.clone(), header.version.clone()));
        }
        if had.shard != header.shard {
            let named = |shard: Option<[u32; 2]>| shard.map_or("all".to_owned(), |[k, n]| format!("part {k} of {n}"));
            bail!("{name} is of {}, and this run is of {}; see --shard", named(had.shard), named(header.shard));
        }
        if had.plan != header.plan || had.engines != header.engines || had.seed != header.seed {
            bail!("{name} is of another run: suites, processors, engines, numbers or files are not the same");
        }
        if had.units != header.units {
            bail!("{name} is of {} units, and this run is of {}", had.units, header.units);
        }
        let engine = |name: &str| had.engines.iter().any(|engine| engine.name == name);
        let known = |unit: &&Unit| units.contains(unit.unit.as_str()) && engine(&unit.engine);
        if let Some(unit) = self.units.iter().find(|unit| !known(unit)) {
            bail!("{name} has {} on {}, which this run does not have", unit.unit, unit.engine);
        }
        Ok(())
    }
}
