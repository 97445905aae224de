//! A walk as a straight program: a case that shows alone what a wave of a pool did.

use super::pool::Pool;
use super::start::{Palette, Start};
use crate::case::isa::Isa;
use crate::case::mode::Mode;
use crate::case::{Body, Case};
use crate::laws::Laws;

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
        mattr: Case::mattr_of(target),
        body: Body { text: Laws::of(target).source(&words), line: 1 },
        ..Case::default()
    };
    if let Some(contents) = pool.contents {
        contents.put(wave, &mut case);
    }
    case
}
