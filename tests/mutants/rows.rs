//! The rows that the emulator executes, on one processor of each kind, and the evidence for each.

use crate::evidence::Kind;
use crate::judge::Noticed;
use crate::record::Record;
use std::collections::BTreeMap;
use wavediff::fault::{Mutant, Part};
use wavediff::isa::{Arch, Target};
use wavediff::program::coverage::{self, Fidelity};

/// One processor of each kind: of each variant that is looked at.
pub const PROCESSORS: [&str; 9] =
    ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940", "gfx1030", "gfx1100", "gfx1200"];

/// Rows without a result that could be wrong: waiting, hints, caches. A star stands for any end.
#[rustfmt::skip]
const WITHOUT_RESULT: &[&str] = &[
    "s_nop", "s_sleep*", "s_setprio", "s_setkill", "s_wakeup", "s_icache_inv", "s_incperflevel", "s_decperflevel", "s_ttracedata*",
    "s_inst_prefetch", "s_clause", "s_version", "s_delay_alu", "s_singleuse_vdst", "s_wait_*", "s_waitcnt*", "s_barrier_signal",
    "s_endpgm*", "s_code_end", "s_dcache_*", "s_gl1_inv", "s_prefetch_*", "s_buffer_prefetch_data", "s_atc_probe*", "ds_nop",
    "s_alloc_vgpr", "global_inv", "global_wb*", "buffer_gl*_inv", "buffer_gl0_inv", "buffer_gl1_inv", "buffer_inv*", "buffer_wb*", "v_nop", "v_pipeflush",
    // A clock that no machine has.
    "s_memtime", "s_memrealtime",
];

/// Whether a name is what a pattern says: a star at its end stands for anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

/// A row on a processor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    pub family: &'static str,
    pub name: &'static str,
    pub arch: &'static str,
    /// What of it some test has seen.
    pub parts: Vec<Part>,
}

/// What there is for a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// Nothing that could be wrong.
    NoResult,
    /// A test notices every part, and the worst of these is of a kind.
    Of(Kind),
    /// A part, or all, may be wrong.
    None,
}

impl Evidence {
    pub const fn name(self) -> &'static str {
        match self {
            Evidence::NoResult => "no result",
            Evidence::Of(kind) => kind.name(),
            Evidence::None => "none",
        }
    }
}

/// All rows that are executed and could be wrong, and how many could not.
pub fn all(record: &Record) -> Vec<Row> {
    let mut rows = Vec::new();
    for arch in PROCESSORS {
        let target = Target::new(Arch::find(arch).expect("a processor"));
        for covered in coverage::of(target) {
            if matches!(covered.fidelity, Fidelity::Unsupported(_)) {
                continue;
            }
            let (family, name) = (covered.family(), covered.row.name);
            let parts = Part::ALL.into_iter().filter(|part| {
                let mutant = Mutant::Row { row: name.to_owned(), arch, part: *part };
                !record.of(&crate::judge::item(&mutant)).is_empty()
            });
            rows.push(Row { family, name, arch, parts: parts.collect() });
        }
    }
    rows
}

impl Row {
    /// Whether it has no result that could be wrong.
    pub fn is_without_result(&self) -> bool {
        WITHOUT_RESULT.iter().any(|pattern| fits(pattern, self.name))
    }

    /// The mutants of it, one a part.
    pub fn mutants(&self) -> impl Iterator<Item = Mutant> + '_ {
        let mutant = |part: &Part| Mutant::Row { row: self.name.to_owned(), arch: self.arch, part: *part };
        self.parts.iter().filter(|_| !self.is_without_result()).map(mutant)
    }

    /// The evidence for it, given who noticed its mutants.
    pub fn evidence(&self, noticed: &BTreeMap<Mutant, Option<Noticed>>) -> Evidence {
        if self.is_without_result() {
            return Evidence::NoResult;
        }
        let of = |mutant: Mutant| match noticed.get(&mutant) {
            Some(Some(noticed)) => Evidence::Of(noticed.kind),
            _ => Evidence::None,
        };
        self.mutants().map(of).max().unwrap_or(Evidence::None)
    }
}
