//! A walk as a straight program: a case that shows alone what a wave of a pool did.

use super::pool::Pool;
use super::start::{Palette, Start};
use crate::case::isa::Isa;
use crate::case::mode::Mode;
use crate::case::{Body, Case};
use crate::disasm;
use crate::isa::form::Table;

/// The first snippets of a walk.
pub(super) fn case(pool: &Pool, palette: &Palette, (start, wave): (&Start, u64), snippets: usize) -> Case {
    let (init, mode) = start.init(palette);
    let words = start.walk.iter().take(snippets).flat_map(|n| &pool.snippets[usize::from(*n)].words);
    let words: Vec<u32> = words.copied().collect();
    let target = pool.target;
    let mut case = Case {
        isa: Isa::only(target.arch),
        waves: vec![crate::case::wave_size(target)],
        init,
        mode: Mode { whole: Some(mode), fields: Vec::new() },
        body: Body { text: text(Table::of(target), &words), line: 1 },
        ..Case::default()
    };
    if let Some(contents) = pool.contents {
        contents.put(wave, &mut case);
    }
    case
}

/// Words as lines that mean them.
fn text(table: &Table, mut words: &[u32]) -> String {
    let laws = crate::laws::Laws::of(table.target);
    let mut lines = Vec::new();
    while let Some(first) = words.first() {
        let len = disasm::decode(table, words).map_or(1, |decoded| usize::from(decoded.len)).clamp(1, words.len());
        let line = laws.text(words).ok().map(|(text, _)| text);
        // What the text does not determine is written as numbers.
        match line.filter(|line| laws.words(line).is_ok_and(|again| again == words[..len])) {
            Some(line) => lines.push(line),
            None => {
                lines.extend(std::iter::once(first).chain(&words[1..len]).map(|word| format!(".long {word:#010x}")))
            }
        }
        words = &words[len..];
    }
    lines.join("\n")
}
