//! Wrong bits in what is stored.
//!
//! Memory does not know which instruction stores. While one runs whose stores are
//! [wrong](spoiling), each value that the thread stores has a bit changed.

use std::cell::Cell;

/// The bit that is wrong: small enough for a byte, too large for a tolerance.
pub(crate) const BIT: u32 = 1 << 5;

thread_local! {
    static WATCH: Cell<Watch> = const { Cell::new(Watch { spoils: false, stored: false }) };
}

#[derive(Clone, Copy)]
struct Watch {
    spoils: bool,
    stored: bool,
}

/// Runs something whose stores are wrong, or right; says whether there were any.
pub(crate) fn spoiling<R>(spoils: bool, run: impl FnOnce() -> R) -> (R, bool) {
    let before = WATCH.replace(Watch { spoils, stored: false });
    let result = run();
    (result, WATCH.replace(before).stored)
}

/// What becomes of a value, of any size, on its way to memory: the bits that change.
#[inline(always)]
pub(crate) fn stored() -> u32 {
    if cfg!(debug_assertions) {
        let watch = WATCH.get();
        WATCH.set(Watch { stored: true, ..watch });
        if watch.spoils {
            return BIT;
        }
    }
    0
}
