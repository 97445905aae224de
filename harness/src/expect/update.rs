//! `--update-expect`: the lists as a run would have them.

use super::file::{Line, List};
use super::{About, Expectations, TODO, belongs};
use crate::files;
use crate::journal::Unit;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wavediff::engine::Status;

impl Expectations {
    /// Rewrites the lists from what came of the units, which [`Expectations::unit`] has seen: lines that a run has no need of go, cases that are not excused
    /// come, with [`TODO`] for a reason. Remarks and reasons stay. Returns the files that changed.
    pub fn update(&self, folder: &Path, units: &[Unit], whole: bool) -> Result<Vec<PathBuf>> {
        let results = || units.iter().flat_map(|u| &u.results);
        let passed: BTreeSet<&str> =
            results().filter(|r| r.status() == Some(Status::UnexpectedPass)).map(|r| r.case.as_str()).collect();
        let mut changed = Vec::new();
        for about in About::ALL {
            let mine = || self.lists.iter().enumerate().filter(|(_, list)| list.about == about);
            let mut lists: Vec<List> = Vec::new();
            for (at, list) in mine() {
                let mut new = list.clone();
                let mut n = 0;
                new.lines.retain(|line| {
                    n += 1;
                    match line {
                        Line::Entry { case, .. } => !self.unused((at, n - 1), whole) && !passed.contains(case.as_str()),
                        Line::Other(_) => true,
                    }
                });
                lists.push(new);
            }
            let cases: BTreeSet<&str> =
                results().filter(|r| belongs(r) == Some(about)).map(|r| r.case.as_str()).collect();
            if !cases.is_empty() {
                let lines = cases.iter().map(|case| Line::Entry { case: (*case).to_owned(), reason: TODO.to_owned() });
                match lists.first_mut() {
                    Some(list) => list.lines.extend(lines),
                    None => lists.push(self.begin(folder, about, lines.collect())),
                }
            }
            for list in lists {
                if mine().any(|(_, old)| *old == list) {
                    continue;
                }
                std::fs::create_dir_all(folder).with_context(|| format!("{} can not be made", folder.display()))?;
                files::write(&list.path, list.text().as_bytes())?;
                changed.push(list.path);
            }
        }
        Ok(changed)
    }

    /// A list that was not there.
    fn begin(&self, folder: &Path, about: About, lines: Vec<Line>) -> List {
        let what = match about {
            About::Fails => "do not pass",
            About::Flakes => "pass now and then",
            About::Skips => "are not run",
        };
        let remark = Line::Other(format!("# Cases that {what} on {}: case, tab, reason.", self.slug));
        let path = folder.join(format!("{}-{}.txt", self.slug, about.name()));
        List { path, about, lines: std::iter::once(remark).chain(lines).collect() }
    }
}
