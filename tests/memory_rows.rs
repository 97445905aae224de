//! Every row of memory instructions that the emulator executes, against models that this test has
//! written itself.
//!
//! A row's name is looked up in [`table`], which says what it does: operation, width, count, half,
//! sign, whether it returns. A family's file has the forms of its addresses, and where they lead:
//! offsets, scalar addresses, indices, M0, strides, two addresses, misaligned and out of range
//! ones. Each runs with several EXEC masks and with numbers that carry, overflow, are equal, or are
//! floats of every kind; and every register, the whole of memory and the whole of LDS must be as
//! the model leaves them. The models use plain integers, and LLVM's software floats for float
//! atomics; nothing of `src/memory`. Formulas are those of MEMORY_FACTS; what it leaves open is
//! done as `wavediff explain --choices` says, and a comment says so.
//!
//! The names of the tests begin with where their expected values come from: `floats` are software
//! floats, `rows` these formulas, and `text` is the pseudo-code of AMD's guides, which say what
//! happens at the places that the models give ([`text`]). A plain run takes each family on every
//! second processor, CI on all.

#[path = "memory_rows/arith.rs"]
mod arith;
#[path = "support/bench.rs"]
mod bench;
#[path = "memory_rows/buffer.rs"]
mod buffer;
#[path = "memory_rows/chip.rs"]
mod chip;
#[path = "memory_rows/ds.rs"]
mod ds;
#[path = "memory_rows/exchange.rs"]
mod exchange;
#[path = "memory_rows/flat.rs"]
mod flat;
#[path = "memory_rows/formats.rs"]
mod formats;
#[path = "support/guide_names.rs"]
mod guide_names;
#[path = "pseudocode/mod.rs"]
#[allow(unused_imports, reason = "its own tests belong to another program")]
mod pseudocode;
#[path = "memory_rows/run.rs"]
mod run;
#[path = "memory_rows/smem.rs"]
mod smem;
#[path = "memory_rows/state.rs"]
mod state;
#[path = "memory_rows/table.rs"]
mod table;
#[path = "memory_rows/text.rs"]
mod text;
#[path = "support/thorough.rs"]
mod thorough;
#[path = "support/trials.rs"]
mod trials;
#[path = "memory_rows/vsharp.rs"]
mod vsharp;

use chip::{CHIPS, Chip};
use libtest_mimic::{Arguments, Failed};
use run::Bench;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use table::{ATOMICS, TOGETHER, WITHOUT_RESULT};
use thorough::tries;
use wavediff::fault;
use wavediff::isa::row::Inst;
use wavediff::program::coverage::{self, Covered, Fidelity};

/// A family of rows.
struct Family {
    name: &'static str,
    /// Runs a row, by its names in the table and in the text, if it knows it.
    check: fn(&mut Bench, &str, &str) -> bool,
    /// Whether a processor has such rows.
    has: fn(Chip) -> bool,
    /// Whether there are float atomics among them.
    floats: fn(Chip) -> bool,
    /// Rows with a text that can be run, on gfx1100 and gfx1200 with waves of 32, and on gfx940.
    texts: [usize; 3],
}

const FAMILIES: &[Family] = &[
    Family { name: "DS", check: ds::check, has: |_| true, floats: |_| true, texts: [98, 102, 98] },
    Family {
        name: "FLAT",
        check: flat::check,
        has: |chip| chip.generation >= 7,
        floats: |chip| !matches!(chip.name, "gfx803" | "gfx900"),
        texts: [48, 50, 48],
    },
    Family {
        name: "GLOBAL",
        check: flat::check,
        has: |chip| chip.generation >= 9,
        floats: |chip| !chip.is("gfx900"),
        texts: [51, 52, 48],
    },
    Family {
        name: "SCRATCH",
        check: flat::check,
        has: |chip| chip.generation >= 9,
        floats: |_| false,
        texts: [22, 22, 22],
    },
    Family {
        name: "MUBUF",
        check: buffer::check,
        has: |_| true,
        floats: |chip| !matches!(chip.name, "gfx803" | "gfx900"),
        texts: [67, 68, 66],
    },
    Family { name: "MTBUF", check: formats::check, has: |_| true, floats: |_| false, texts: [16, 16, 16] },
    Family { name: "SMEM", check: smem::check, has: |_| true, floats: |_| false, texts: [10, 20, 74] },
];

/// Whether the result of a row is one of software floats.
fn is_float(row: &str) -> bool {
    ATOMICS.iter().filter(|atomic| atomic.op.is_float()).any(|atomic| {
        let (stem, ty) = atomic.ds;
        let memory = atomic.memory.iter().any(|name| row.ends_with(&format!("_atomic_{name}")));
        memory || row.starts_with(&format!("ds_{stem}")) && row.ends_with(ty)
    })
}

/// Where expected values come from: also the beginning of the names of tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Rows,
    Floats,
    Text,
}

impl Source {
    const ALL: [Source; 3] = [Source::Rows, Source::Floats, Source::Text];

    const fn name(self) -> &'static str {
        match self {
            Source::Rows => "rows",
            Source::Floats => "floats",
            Source::Text => "text",
        }
    }

    /// Whether rows of a family on a processor are for it.
    fn is_for(self, family: &Family, chip: Chip) -> bool {
        let here = match self {
            Source::Rows => true,
            Source::Floats => (family.floats)(chip),
            Source::Text => true,
        };
        here && (family.has)(chip)
    }

    /// Whether a row of a processor is one for it.
    fn takes(self, row: &Inst, has_text: bool) -> bool {
        match self {
            Source::Rows => !is_float(row.name),
            Source::Floats => is_float(row.name),
            Source::Text => !is_float(row.name) && has_text,
        }
    }
}

/// What the emulator executes on a processor: asked once.
fn covered(chip: Chip) -> Arc<Vec<Covered>> {
    static ASKED: Mutex<BTreeMap<&str, Arc<Vec<Covered>>>> = Mutex::new(BTreeMap::new());
    let mut asked = ASKED.lock().expect("what was asked");
    let executed = |covered: &Covered| !matches!(covered.fidelity, Fidelity::Unsupported(_));
    let ask = || Arc::new(coverage::of(chip.target()).into_iter().filter(executed).collect());
    asked.entry(chip.name).or_insert_with(ask).clone()
}

/// Runs the rows of a family on a processor.
fn run(family: &Family, chip: Chip, source: Source) -> Result<(), Failed> {
    if source == Source::Text && !text::guides(chip).iter().any(|guide| text::reference(*guide).is_some()) {
        println!("skipped: no guide's pseudo-code is there");
        return Ok(());
    }
    let mut bench = Bench::new(chip);
    let mut unknown = Vec::new();
    let mut rows = 0;
    for covered in covered(chip).iter() {
        let (row, name) = (covered.row.name, covered.name);
        if covered.family() != family.name || WITHOUT_RESULT.contains(&row) {
            continue;
        }
        bench.text = if source == Source::Text { text::of(covered.row, chip) } else { None };
        if !source.takes(covered.row, bench.text.is_some()) {
            continue;
        }
        // Stacks have models in `tests/rays`; the text of the guide is not what drivers rely on.
        if row.starts_with("ds_bvh_stack_") || TOGETHER.iter().any(|start| row.starts_with(start)) {
            continue;
        }
        if !fault::concerns(covered.row, chip.target().arch) {
            continue;
        }
        let before = bench.runs;
        if !(family.check)(&mut bench, row, name) {
            unknown.push(row);
        }
        rows += usize::from(bench.runs > before);
    }
    let what = format!("{rows} rows, {} runs", bench.runs);
    let own = [("gfx1100", 32), ("gfx1200", 32), ("gfx940", 64)].iter().position(|own| *own == (chip.name, chip.lanes));
    let expected = match own.filter(|_| source == Source::Text && text::all_are_there()) {
        Some(own) => family.texts[own]..family.texts[own] + 1,
        None => 1..usize::MAX,
    };
    if !fault::is_narrow() && !expected.contains(&rows) {
        return Err(format!("{what}, where {expected:?} rows are expected").into());
    }
    if !unknown.is_empty() {
        return Err(format!("{what}; not in the table: {}", unknown.join(" ")).into());
    }
    if !bench.wrong.is_empty() {
        let most = std::env::var("MOST").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
        let shown: Vec<&str> = bench.wrong.iter().take(most).map(String::as_str).collect();
        return Err(format!("{what}; {} wrong:\n{}", bench.wrong.len(), shown.join("\n")).into());
    }
    Ok(())
}

fn main() {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    let step = tries(2, 1);
    for (c, chip) in CHIPS.into_iter().enumerate() {
        for (f, family) in FAMILIES.iter().enumerate() {
            let usual = (c + f).is_multiple_of(step);
            for source in Source::ALL.into_iter().filter(|source| source.is_for(family, chip)) {
                let (name, lanes) = (family.name.to_lowercase(), chip.lanes);
                let title = format!("{}::{name}::{}::wave{lanes}", source.name(), chip.name);
                trials.push(trials::trial(title, move || run(family, chip, source)).with_ignored_flag(!usual));
            }
        }
    }
    trials::run(&args, trials);
}
