//! Mistakes planted on purpose in the emulator: evidence from outside must notice each of them.
//!
//! Both engines take the meanings of instructions from one place, so their comparison is blind to a
//! mistake there. What can find it are tests whose expected values come from elsewhere, and whether
//! they do is found out by planting: a *mutant* is an emulator that is wrong in one way.
//! `tests/mutants.rs` plants one at a time and sees which tests notice.
//!
//! There are three kinds of mutants in the library. A [row](Mutant::Row) gives a wrong bit, on the processors of one variant; a
//! [meaning](Mutant::Meaning) is that of another row, or has its sources exchanged ([`meanings`]
//! lists them); a [mistake](Mistake) sits at one place in the code, in a condition that begins with
//! `planted!`; the virtual GPU has a list of its own ([`Mutant::Above`]), and plants those of
//! [dispatches](Mistake::DISPATCH) too. The environment variable `WAVEDIFF_MUTANT` names the mutant of a process,
//! `WAVEDIFF_COVERAGE` a file that is told what was [met](coverage), so that only the tests that
//! may notice are run.
//!
//! All of this is in debug builds only: else `planted!` is a constant `false`.

pub mod coverage;
pub mod meanings;
mod mistakes;
mod mutant;
pub(crate) mod spoil;

pub use mistakes::Mistake;
pub use mutant::{Mutant, Part};

use crate::isa::row::Inst;
use crate::isa::sem::find;
use crate::isa::{Arch, Variants};
use coverage::Item;
use std::sync::OnceLock;

/// The environment variable that names the mutant of a process.
pub const MUTANT: &str = "WAVEDIFF_MUTANT";

/// Whether this mistake is planted: `planted!(LanesReversed)`. Stands behind the conditions under
/// which the mistake matters, so that what is recorded as met is no more than that.
macro_rules! planted {
    ($mistake:ident) => {
        cfg!(debug_assertions) && $crate::fault::is_planted($crate::fault::Mistake::$mistake)
    };
}
pub(crate) use planted;

/// The mutant that this process is.
#[must_use]
pub fn mutant() -> Option<&'static Mutant> {
    static MUTANT: OnceLock<Option<Mutant>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return None;
    }
    let read = || {
        let name = std::env::var(self::MUTANT).ok()?;
        name.parse().inspect_err(|e| eprintln!("{}: {e}", self::MUTANT)).ok()
    };
    MUTANT.get_or_init(read).as_ref()
}

/// Whether the mutant is a wrong row on a processor: on those that it names and on the others of their variant, since no row tells these
/// apart. So what a gfx1201 left is evidence for gfx1200 too.
pub(crate) fn is_wrong_on(arch: &Arch) -> bool {
    static WRONG: OnceLock<Option<Variants>> = OnceLock::new();
    let read = || match mutant()? {
        Mutant::Row { arch, .. } => Some(Arch::find(arch)?.variant),
        _ => None,
    };
    *WRONG.get_or_init(read) == Some(arch.variant)
}

/// Most instructions of a wave: with a mistake a program may well not end.
pub(crate) fn budget() -> u64 {
    const ENOUGH: u64 = 1 << 22;
    if mutant().is_some() || coverage::is_on() { ENOUGH } else { u64::MAX }
}

/// Whether a mistake is planted; it has been met.
pub(crate) fn is_planted(mistake: Mistake) -> bool {
    coverage::met(|| Item::Mistake(mistake));
    matches!(mutant(), Some(Mutant::Mistake(planted)) if *planted == mistake)
}

/// The name of the meaning that is taken for another.
#[inline]
pub(crate) fn meaning(name: &str) -> &str {
    match mutant() {
        Some(Mutant::Meaning { of, by, .. }) if of == name => by,
        _ => name,
    }
}

/// Exchanges the sources of a meaning, where that is the mistake.
#[inline]
pub(crate) fn exchange(name: &str, sources: &mut [u32]) {
    if let Some(Mutant::Meaning { of, order: Some(order), .. }) = mutant()
        && of == name
    {
        let old = sources.to_vec();
        for (to, from) in sources.iter_mut().zip(order) {
            *to = old[*from];
        }
    }
}

/// Whether a row has anything to do with the mutant: tests that go through all rows leave out the
/// others.
#[must_use]
pub fn concerns(row: &Inst, arch: &Arch) -> bool {
    match mutant() {
        None | Some(Mutant::Mistake(_) | Mutant::Above(_)) => true,
        Some(Mutant::Row { row: name, .. }) => row.name == name && is_wrong_on(arch),
        Some(Mutant::Meaning { of, .. }) => {
            let mut keys = find::uses(row).iter().flat_map(|word| find::candidates(row, arch, word, true));
            keys.any(|key| key == *of)
        }
    }
}

/// Whether tests that go through all rows do so for some of them only.
#[must_use]
pub fn is_narrow() -> bool {
    matches!(mutant(), Some(Mutant::Row { .. } | Mutant::Meaning { .. }))
}
