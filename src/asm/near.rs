//! What a name that is not known may have meant: a near miss, or a name of other processors.

use super::error::{AsmError, Problem};
use crate::isa::arch::{ARCHS, Gen, Variants};
use std::ops::Range;

/// The candidate that a name was most likely meant to be: the nearest one within two insertions, deletions, substitutions,
/// or swaps of neighbours (one, in names of up to three letters). Case does not count.
pub fn near_miss<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = if name.len() <= 3 { 1 } else { 2 };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let closer = best.map_or(limit, |(distance, _)| distance - 1);
        if let Some(distance) = distance(name.as_bytes(), candidate.as_bytes(), closer) {
            if distance == 0 {
                return Some(candidate);
            }
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The longest name that is compared.
const LONGEST: usize = 64;

/// The distance of Damerau and Levenshtein (without edits between swapped letters), if it is at most `limit`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit || a.is_empty() || a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    let same = |i: usize, j: usize| a[i].eq_ignore_ascii_case(&b[j]);
    // Three rows of the table: the one before the last is for swaps.
    let mut before = [0usize; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = std::array::from_fn(|j| j);
    for i in 0..a.len() {
        let mut row = [0usize; LONGEST + 1];
        row[0] = i + 1;
        let mut least = row[0];
        for j in 0..b.len() {
            let mut d = (last[j] + usize::from(!same(i, j))).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j) {
                d = d.min(before[j - 1] + 1);
            }
            row[j + 1] = d;
            least = least.min(d);
        }
        if least > limit {
            return None;
        }
        (before, last) = (last, row);
    }
    Some(last[b.len()]).filter(|&d| d <= limit)
}

/// `exists on gfx11 and later`, `exists up to gfx9`, `exists on gfx940`.
#[must_use]
pub fn where_it_exists(on: Variants) -> String {
    let of = |g: Gen| ARCHS.iter().filter(|a| a.generation == g).fold(Variants::empty(), |set, a| set | a.variant);
    let whole: Vec<Gen> = Gen::ALL.into_iter().filter(|&g| on.contains(of(g))).collect();
    let exact = whole.iter().fold(Variants::empty(), |set, &g| set | of(g)) == on;
    if let (true, Some(&first), Some(&last)) = (exact, whole.first(), whole.last()) {
        let run = last as usize - first as usize + 1 == whole.len();
        match (first, last) {
            (Gen::Gfx6, Gen::Gfx12) if run => return "exists everywhere".to_owned(),
            (Gen::Gfx12, _) => {}
            (first, Gen::Gfx12) if run => return format!("exists on {} and later", first.name()),
            (Gen::Gfx6, last) if run && last != Gen::Gfx6 => return format!("exists up to {}", last.name()),
            _ => {}
        }
    }
    let mut names: Vec<&str> = whole.iter().map(|g| g.name()).collect();
    let rest = whole.iter().fold(on, |set, &g| set - of(g));
    for variant in rest.iter() {
        names.extend(ARCHS.iter().find(|a| a.variant == variant).map(|a| a.name));
    }
    format!("exists on {}", names.join(", "))
}

/// The error for a name that nothing here has.
#[must_use]
pub fn unknown<'a>(
    span: Range<usize>,
    what: &'static str,
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> AsmError {
    let near = near_miss(name, candidates).map(|n| format!("did you mean `{n}`?"));
    AsmError::new(span, Problem::UnknownName { what, name: name.to_owned(), near })
}

/// The error for a name that other processors have.
#[must_use]
pub fn elsewhere(span: Range<usize>, what: &'static str, name: &str, on: Variants) -> AsmError {
    AsmError::new(span, Problem::UnknownName { what, name: name.to_owned(), near: Some(where_it_exists(on)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses() {
        let names = ["HW_REG_MODE", "HW_REG_STATUS", "MSG_GS"];
        assert_eq!(near_miss("HW_REG_MOED", names), Some("HW_REG_MODE"));
        assert_eq!(near_miss("hw_reg_status", names), Some("HW_REG_STATUS"));
        assert_eq!(near_miss("HW_RG_STATUSS", names), Some("HW_REG_STATUS"));
        assert_eq!(near_miss("HW_REG_WRONG", names), None);
        assert_eq!(near_miss("", names), None);
        assert_eq!(near_miss("xy", ["xyz", "abc"]), Some("xyz"));
        assert_eq!(near_miss("ab", ["cd"]), None);
        assert_eq!(near_miss("ab", ["abcd", "abc"]), Some("abc"));
    }

    #[test]
    fn places() {
        assert_eq!(where_it_exists(Variants::G11 | Variants::G12), "exists on gfx11 and later");
        assert_eq!(where_it_exists(Variants::G6 | Variants::G7), "exists up to gfx7");
        assert_eq!(where_it_exists(Variants::G12), "exists on gfx12");
        assert_eq!(where_it_exists(Variants::G6), "exists on gfx6");
        assert_eq!(where_it_exists(Variants::G940), "exists on gfx940");
        assert_eq!(where_it_exists(Variants::G9 | Variants::G10), "exists on gfx9, gfx10");
        assert_eq!(where_it_exists(Variants::G1030 | Variants::G11), "exists on gfx11, gfx1030");
    }
}
