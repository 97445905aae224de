//! What a run does not look for: mistakes of a program that silicon punishes and the emulator lets pass.
//!
//! `wavediff scan` and the book list them, so that nobody takes a green run for more than it is.

/// A kind of mistake that nothing looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// What it is.
    pub what: &'static str,
    /// What happens instead of noticing it.
    pub instead: &'static str,
    /// What may show it all the same.
    pub shown_by: &'static str,
}

/// All of them.
#[rustfmt::skip]
pub const UNCHECKED: &[Unchecked] = &[
    Unchecked {
        what: "missing waits",
        instead: "memory is read and written when its instruction is executed: a result is there without `s_waitcnt` or `s_wait_*`, and counters are always zero",
        shown_by: "nothing",
    },
    Unchecked {
        what: "hazards",
        instead: "an instruction sees what all before it wrote: missing `s_nop`, `s_delay_alu`, `s_wait_alu` and dependencies that the manuals ask for change nothing",
        shown_by: "nothing",
    },
    Unchecked {
        what: "uninitialised registers",
        instead: "a register that nobody has set is read like any other: in kernels it holds a mark with its number, in cases zero",
        shown_by: "`--fill`: kernels that leave something else with `--fill 1` and `--fill 2` read one",
    },
    Unchecked {
        what: "races between waves and lanes",
        instead: "`run` takes one order: waves of a group from the first, lanes from the lowest",
        shown_by: "`wavediff diff`, which tries others; `--reverse`, `--reverse-waves`, `--slice`, `--shuffle`",
    },
    Unchecked {
        what: "races between groups",
        instead: "groups run on several threads, begun in their order",
        shown_by: "nothing for certain; runs with other numbers of `--threads` may differ",
    },
    Unchecked {
        what: "caches",
        instead: "what is stored is seen by everybody at once: missing invalidations, write-backs and wrong scopes (`glc`, `slc`, `dlc`, `sc0`, `sc1`, `scope`) change nothing",
        shown_by: "nothing",
    },
    Unchecked {
        what: "registers beyond what a kernel declares",
        instead: "waves have all registers of the processor",
        shown_by: "`wavediff scan`: compare the registers that the code names with those of the kernel",
    },
];
