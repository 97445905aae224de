//! How a wave gets from snippet to snippet, by the number that is next in its list.
//!
//! [`Jumps::Computed`]: snippets are equally long, and behind each follows the same tail, which takes the number and jumps
//! to where the snippet of that number must be.
//!
//! ```text
//! s_cselect_b32 s64, 1, 0           SCC is kept: it flows from snippet to snippet
//! s_and_b32     s65, s62, 0xff
//! s_lshr_b64    s[62:63], s[62:63], 8
//! s_mul_i32     s65, s65, STRIDE    snippets are equally long
//! s_add_u32     s60, s65, BASE
//! s_cmp_lg_u32  s64, 0
//! s_setpc_b64   s[60:61]
//! ```
//!
//! [`Jumps::Compared`]: for engines on which code lies anywhere, so that nobody can say beforehand which address to compute.
//! Behind each snippet stands a branch to one place for all, which takes the number and halves what it may be until one
//! snippet is left; in front of each stands what gives SCC back.
//!
//! ```text
//!          s_cmp_lg_u32  s64, 0     number 0, the end
//!          s_endpgm
//!          s_cmp_lg_u32  s64, 0     number 1
//!          ...                      its snippet: here waves begin
//!          s_branch      next
//!          ...
//! next:    s_cselect_b32 s64, 1, 0
//!          s_and_b32     s65, s62, 0xff
//!          s_lshr_b64    s[62:63], s[62:63], 8
//!          s_cmp_lt_u32  s65, HALF
//!          s_cbranch_scc1 lower     and so on
//! ```
//!
//! What a wave leaves is the same either way, but for the address to jump to, which then nobody computes, and the place of
//! the end.

use super::code::{LITERAL, Writer, int};
use super::coverage::Refuses;
use super::pool::{BASE, LEFT, NEXT, NUMBER, SCC, Snippet};

/// How waves get from snippet to snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jumps {
    /// To an address that is computed from the number.
    Computed,
    /// By comparing the number.
    Compared,
}

impl Jumps {
    /// The way that engines take: addresses are computed, unless one of them refuses the jump to such an address.
    pub fn that_run(writer: Writer, refuses: &Refuses<'_>) -> Jumps {
        let jump = writer.sop1("s_setpc_b64", 0, NEXT);
        if refuses(&[jump]).is_some() { Jumps::Compared } else { Jumps::Computed }
    }

    /// Snippets with all that leads from one to the next, and the step at which each begins.
    pub fn between(self, writer: Writer, snippets: &[Snippet]) -> (Vec<u32>, Vec<u32>) {
        let (mut words, starts) = match self {
            Jumps::Computed => computed(writer, snippets),
            Jumps::Compared => compared(writer, snippets),
        };
        // Whoever reads ahead finds words.
        words.resize(words.len() + 8, writer.sopp("s_endpgm", 0));
        (words, starts)
    }
}

fn computed(writer: Writer, snippets: &[Snippet]) -> (Vec<u32>, Vec<u32>) {
    const TAIL: u32 = 10;
    let longest = snippets.iter().map(|s| s.words.len()).max().unwrap_or(0) as u32;
    let stride = longest + TAIL;
    let end = writer.sopp("s_endpgm", 0);
    let (mut words, mut starts) = (vec![end], Vec::new());
    for snippet in snippets {
        words.resize(words.len().next_multiple_of(stride as usize), end);
        starts.push(words.len() as u32);
        words.extend(&snippet.words);
        words.extend([
            writer.sop2("s_cselect_b32", SCC, int(1), int(0)),
            writer.sop2("s_and_b32", NUMBER, LEFT, LITERAL),
            0xff,
            writer.sop2("s_lshr_b64", LEFT, LEFT, int(8)),
            writer.sop2("s_mul_i32", NUMBER, NUMBER, LITERAL),
            stride * 4,
            writer.sop2("s_add_u32", NEXT, NUMBER, LITERAL),
            BASE,
            writer.sopc("s_cmp_lg_u32", SCC, int(0)),
            writer.sop1("s_setpc_b64", 0, NEXT),
        ]);
    }
    (words, starts)
}

fn compared(writer: Writer, snippets: &[Snippet]) -> (Vec<u32>, Vec<u32>) {
    /// What gives SCC back in front of a snippet, and the branch behind it.
    const AROUND: usize = 2;
    let scc = writer.sopc("s_cmp_lg_u32", SCC, int(0));
    let mut words = vec![scc, writer.sopp("s_endpgm", 0)];
    let next = words.len() + snippets.iter().map(|s| s.words.len() + AROUND).sum::<usize>();
    let mut starts = Vec::new();
    for snippet in snippets {
        words.push(scc);
        starts.push(words.len() as u32);
        words.extend(&snippet.words);
        words.push(branch(writer, "s_branch", words.len(), next));
    }
    words.extend([
        writer.sop2("s_cselect_b32", SCC, int(1), int(0)),
        writer.sop2("s_and_b32", NUMBER, LEFT, LITERAL),
        0xff,
        writer.sop2("s_lshr_b64", LEFT, LEFT, int(8)),
    ]);
    let places: Vec<usize> = std::iter::once(0).chain(starts.iter().map(|start| *start as usize - 1)).collect();
    let search = search(writer, &places, 0, words.len());
    words.extend(search);
    (words, starts)
}

/// Leads the numbers from `first` on to their places; the first word of it stands at `at`.
fn search(writer: Writer, places: &[usize], first: usize, at: usize) -> Vec<u32> {
    /// Words of a decision.
    const DECISION: usize = 3;
    if let &[place] = places {
        return vec![branch(writer, "s_branch", at, place)];
    }
    let half = places.len() / 2;
    let (lower, upper) = places.split_at(half);
    let upper = search(writer, upper, first + half, at + DECISION);
    let lower_at = at + DECISION + upper.len();
    let mut words = vec![
        writer.sopc("s_cmp_lt_u32", NUMBER, LITERAL),
        (first + half) as u32,
        branch(writer, "s_cbranch_scc1", at + DECISION - 1, lower_at),
    ];
    words.extend(upper);
    words.extend(search(writer, lower, first, lower_at));
    words
}

/// A branch that stands at a word and leads to another. Pools are far shorter than branches reach.
fn branch(writer: Writer, name: &str, at: usize, to: usize) -> u32 {
    writer.sopp(name, (to as u32).wrapping_sub(at as u32 + 1))
}
