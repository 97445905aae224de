//! The smallest case that still shows something: delta debugging of cases.
//!
//! What is to be shown is a closure's business ([`reduce`]); nothing here knows of engines. A case is a body and a header, and both are made smaller by
//! passes that take turns until none of them finds anything: instructions are dropped, big pieces first; then waves, values at the start,
//! buffers, modes; lanes are switched off; and what is left of numbers is made simple. A candidate that the closure does not like is forgotten, one that it
//! likes is the case from then on. The same case and the same answers give the same way, so that whoever keeps the answers
//! can go on where they were left.
//!
//! - [`body`]: assembly as lines that may go;
//! - `values`: simpler values;
//! - `passes`: what is tried on a case;
//! - [`transplant`], [`from_kernel`]: a first guess from a bisection: the guilty instruction alone, in the state that it met.

pub mod body;
mod passes;
mod transplant;
mod values;

pub use crate::bisect::ddmin::ddmin;
pub use transplant::{MOST_TOUCHED, Obstacle, from_kernel, transplant};

use crate::case::Case;
use crate::case::isa::{Isa, Select};
use crate::isa::Target;
use std::collections::HashMap;

/// What a candidate is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It still shows what is to be shown.
    Kept,
    /// It does not, or it is no case at all.
    Lost,
}

/// Checks candidates, in order.
pub type Check<'c, E> = dyn FnMut(&[Case]) -> Result<Vec<Verdict>, E> + 'c;

/// What came of it.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The smallest case.
    pub case: Case,
    /// How many candidates were checked.
    pub checks: u64,
}

/// Makes a case as small as it gets. It must be [`Verdict::Kept`] itself.
///
/// # Errors
/// Whatever the closure fails with ends the search.
pub fn reduce<E>(
    case: &Case,
    target: Target,
    check: &mut dyn FnMut(&Case) -> Result<Verdict, E>,
) -> Result<Reduced, E> {
    reduce_many(case, target, 1, &mut |cases| cases.iter().map(&mut *check).collect())
}

/// The same with candidates `width` at a time, for closures that check them side by side. The first one that is kept counts.
///
/// # Errors
/// As [`reduce`].
pub fn reduce_many<'c, E>(
    case: &Case,
    target: Target,
    width: usize,
    check: &'c mut Check<'c, E>,
) -> Result<Reduced, E> {
    let mut search = Search { target, width: width.max(1), known: HashMap::new(), checks: 0, check };
    let mut case = case.clone();
    // What only the reader needs is dropped first, if that changes nothing.
    let plain = plain(&case, target);
    if let Some(at) = search.first(&[plain.clone(), unwrapped(&case, target)])? {
        case = if at == 0 { plain } else { unwrapped(&case, target) };
    }
    loop {
        let before = case.clone();
        for pass in passes::all() {
            pass(&mut case, &mut search)?;
        }
        if case == before {
            return Ok(Reduced { case, checks: search.checks });
        }
    }
}

/// How many instructions a case's body has, the end apart.
#[must_use]
pub fn instructions(case: &Case) -> usize {
    body::parse(&case.body.text).iter().filter(|line| line.code && !line.text.starts_with("s_endpgm")).count()
}

/// A case for one target, without expectations and remarks.
fn unwrapped(case: &Case, target: Target) -> Case {
    let mut one = case.clone();
    one.isa = Isa::only(target.arch);
    one.waves = if target.arch.has_wave32() { vec![crate::case::wave_size(target)] } else { Vec::new() };
    one.init.retain(|init| init.select.matches(target));
    one.init.iter_mut().for_each(|init| init.select = Select::default());
    (one.remarks, one.source, one.observe, one.expect) = Default::default();
    one
}

/// The same with a body of bare lines.
fn plain(case: &Case, target: Target) -> Case {
    let mut one = unwrapped(case, target);
    one.body.text = body::print(&body::parse(&case.body.text));
    one
}

/// A search under way.
struct Search<'c, E> {
    target: Target,
    width: usize,
    /// The answers so far, by the candidates' texts.
    known: HashMap<String, Verdict>,
    checks: u64,
    check: &'c mut Check<'c, E>,
}

impl<E> Search<'_, E> {
    /// The first of some candidates that is kept.
    fn first(&mut self, candidates: &[Case]) -> Result<Option<usize>, E> {
        for (n, some) in candidates.chunks(self.width).enumerate() {
            let texts: Vec<String> = some.iter().map(ToString::to_string).collect();
            let mut open: Vec<usize> = (0..some.len()).filter(|i| !self.known.contains_key(&texts[*i])).collect();
            open.dedup_by_key(|i| &texts[*i]);
            let cases: Vec<Case> = open.iter().map(|i| some[*i].clone()).collect();
            self.checks += cases.len() as u64;
            if !cases.is_empty() {
                for (i, verdict) in open.into_iter().zip((self.check)(&cases)?) {
                    self.known.insert(texts[i].clone(), verdict);
                }
            }
            let kept = texts.iter().position(|text| self.known.get(text) == Some(&Verdict::Kept));
            if let Some(at) = kept {
                return Ok(Some(n * self.width + at));
            }
        }
        Ok(None)
    }

    /// Takes the first of some candidates that is kept; says whether there is one.
    fn take(&mut self, case: &mut Case, candidates: Vec<Case>) -> Result<bool, E> {
        let candidates: Vec<Case> = candidates.into_iter().filter(|c| c != case).collect();
        let found = self.first(&candidates)?;
        if let Some(at) = found {
            *case = candidates.into_iter().nth(at).unwrap_or_default();
        }
        Ok(found.is_some())
    }
}
