//! Lists as files: read, checked line by line, and written again as they were.

use super::About;
use crate::files;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A line of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A case, or a pattern, and why.
    Entry { case: String, reason: String },
    /// A remark, or nothing.
    Other(String),
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub path: PathBuf,
    pub about: About,
    pub lines: Vec<Line>,
}

impl List {
    /// `golden/expect/emu-fails.txt:3`
    pub fn place(&self, line: usize) -> String {
        format!("{}:{}", self.path.display(), line + 1)
    }

    /// Reads the text of a file.
    pub fn parse(path: &Path, about: About, text: &str) -> Result<List> {
        let mut list = List { path: path.to_owned(), about, lines: Vec::new() };
        for (n, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                list.lines.push(Line::Other(line.to_owned()));
                continue;
            }
            let (case, reason) = line.split_once('\t').unwrap_or((line, ""));
            let (case, reason) = (case.trim().to_owned(), reason.trim().to_owned());
            if reason.is_empty() {
                bail!("{}: `{case}` has no reason: a line is the case, a tab, and why", list.place(n));
            }
            if case.is_empty() {
                bail!("{}: the case is missing before the tab", list.place(n));
            }
            list.lines.push(Line::Entry { case, reason });
        }
        Ok(list)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            let _ = match line {
                Line::Entry { case, reason } => writeln!(text, "{case}\t{reason}"),
                Line::Other(other) => writeln!(text, "{other}"),
            };
        }
        text
    }
}

/// The lists in a folder that are for an engine, by its slug: those whose name is the slug, or its first words.
pub fn load(folder: &Path, slug: &str) -> Result<Vec<List>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut lists = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("{} can not be read", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".txt") else { continue };
        let Some((engine, about)) =
            About::ALL.into_iter().find_map(|a| Some((stem.strip_suffix(a.name())?.strip_suffix('-')?, a)))
        else {
            continue;
        };
        if slug.strip_prefix(engine).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')) {
            let text = files::read_text(&path, files::TEXT)?;
            lists.push(List::parse(&path, about, &text)?);
        }
    }
    // The order of a folder is chance; the longest name, which says most about the engine, comes first.
    lists.sort_by_key(|list| (std::cmp::Reverse(list.path.as_os_str().len()), list.path.clone()));
    Ok(lists)
}
