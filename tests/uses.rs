//! What steps are said to read and write, against what they do.
//!
//! [`Program::uses`] is a table of its own: the emulator does not look at it. So an instruction is executed from a state, and
//! once more from one in which everything that it is not said to read is otherwise. What it changes must be among what it is
//! said to write, and must come out the same. The other way round, each register that it is said to read must matter: with
//! another value of it alone something comes out otherwise, in one of several states at least.
//!
//! Planted and noticed: an operand of 64 bits read as one word, M0 forgotten for LDS before gfx9. Met on the way: packed
//! results that were said to be read, exceptions of conversions that were not said to be raised.

#[path = "support/step.rs"]
mod step;

use std::collections::BTreeMap;
use step::step;
use wavediff::case::Export;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::emu::wave::Wave;
use wavediff::engine::dispatch::{Dispatch, Limits};
use wavediff::engine::registers::Registers;
use wavediff::engine::{Stop, TrapKind};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::isa::{Arch, Target};
use wavediff::laws::{Density, instructions};
use wavediff::program::place::file;
use wavediff::program::uses::{Other, Set, Uses};
use wavediff::program::{Program, Step};
use wavediff::suite::Suite;
use wavediff::suite::draw::{Single, suite_of};
use wavediff::suite::single::{Batch, Ready};
use wavediff::suite::stage::{Place, Stage, Variant};

const PROCESSORS: [(&str, u32); 11] = [
    ("gfx600", 64),
    ("gfx700", 64),
    ("gfx803", 64),
    ("gfx900", 64),
    ("gfx90a", 64),
    ("gfx940", 64),
    ("gfx1030", 32),
    ("gfx1030", 64),
    ("gfx1100", 32),
    ("gfx1100", 64),
    ("gfx1200", 32),
];
/// States that each instruction is tried in.
const STATES: u32 = 5;

/// What a run left.
struct Left {
    wave: Wave,
    before: Vec<u32>,
    memory: Vec<Vec<u8>>,
    lds: Vec<u32>,
    /// Messages with what M0 was.
    messages: Vec<(u32, u32)>,
    /// What was exported, of the lanes that are on.
    exports: Vec<Exported>,
}

/// What a lane mask and the elements of its lanes are.
type Exported = (u64, Vec<Option<[u32; 4]>>);

fn exported(export: &Export) -> Exported {
    let lanes = (0..).zip(&export.lanes).map(|(lane, elements)| (export.exec >> lane & 1 != 0).then_some(*elements));
    (export.exec, lanes.collect())
}

impl Left {
    fn trapped(&self) -> bool {
        matches!(&self.wave.stop, Some(Stop::Trap(cause)) if !matches!(cause.kind, TrapKind::Budget { .. }))
    }

    fn vector_before(&self, n: u32, lane: u32) -> u32 {
        self.before[(n * 64 + lane) as usize]
    }

    fn vector(&self, n: u32, lane: u32) -> u32 {
        self.wave.vgpr(n as usize, lane as usize)
    }
}

/// One instruction on its stage.
struct Bench<'b> {
    ready: &'b Ready<'b>,
    target: Target,
    lanes: u32,
    uses: Uses,
}

impl Bench<'_> {
    /// Executes the instruction in a state of the stage that is changed first.
    fn run(&self, input: u32, change: &(dyn Fn(&mut Registers) + Sync)) -> Left {
        let stage = Stage::new(self.ready, vec![Place { single: 0, input }], Variant::default()).expect("a stage");
        let (program, starts) = (&self.ready.program, &self.ready.starts);
        let before = std::sync::Mutex::new(Vec::new());
        let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
            stage.set_up(program, starts, 0, wave);
            change(wave);
            let words = wave.file[..file::NOWHERE as usize * 64].iter().map(std::cell::Cell::get);
            *before.lock().expect("a lock") = words.collect();
        };
        // Behind the instruction stands an end: the budget stops the wave in front of it, but where the flow is all there is.
        let dispatch = Dispatch {
            lds: 1024,
            apertures: stage.ground.apertures,
            scratch_per_lane: 256,
            limits: Limits { instructions: 1, pause: None },
            ..Dispatch::of_one(program, &stage.memory, self.lanes, &setup)
        };
        let fill = |_: [u32; 3], words: &mut [u32]| stage.fill_lds(0, words);
        let hooks = Hooks { lds: Some(&fill), keep: true, ..Hooks::default() };
        let mut finished = grid::run(&dispatch, &Plan::new(program), &hooks);
        let mut done = finished.groups.pop().expect("the group");
        let wave = done.waves.pop().expect("the wave");
        let memory = stage.regions(0).map(|(_, region)| region.to_bytes()).collect();
        let before = before.into_inner().expect("a lock");
        Left {
            wave,
            before,
            memory,
            lds: done.lds,
            messages: done.messages.iter().map(|sent| (sent.message, sent.m0)).collect(),
            exports: done.exports.iter().map(exported).collect(),
        }
    }

    /// Changes everything that is not read.
    fn disturb(&self, wave: &mut Registers) {
        let reads = &self.uses.reads;
        for code in (0..128).filter(|code| !reads.has_scalar(*code) && !self.is_special(*code)) {
            wave.s[code as usize] ^= 0x5a5a_a5a5;
        }
        for (n, register) in (0..file::NOWHERE).zip(wave.file.chunks(64)) {
            if !reads.has_vector(n) {
                register.iter().for_each(|cell| cell.set(cell.get() ^ 0xa5a5_5a5a));
            }
        }
        let other = reads.other;
        wave.scc ^= !other.contains(Other::SCC);
        if !other.contains(Other::MODE) {
            wave.mode ^= 0xff;
        }
        if !other.contains(Other::TRAPSTS) {
            wave.trapsts ^= 0x40;
        }
    }

    /// Codes that are no register, or must stay what they are: null.
    fn is_special(&self, code: u32) -> bool {
        wavediff::isa::regs::null_code(self.target.generation()).map(u32::from) == Some(code)
    }

    /// What is otherwise in two runs, in what the instruction writes; lanes that kept what they had are alike.
    fn difference(&self, a: &Left, b: &Left) -> Option<String> {
        let writes = &self.uses.writes;
        if a.wave.stop != b.wave.stop || a.wave.pc != b.wave.pc {
            return Some(format!("{:?} at {} and {:?} at {}", a.wave.stop, a.wave.pc, b.wave.stop, b.wave.pc));
        }
        for code in writes.scalars() {
            let (x, y) = (a.wave.s[code as usize], b.wave.s[code as usize]);
            if x != y {
                return Some(format!("scalar {code}: {x:#x} and {y:#x}"));
            }
        }
        for n in writes.vectors() {
            for lane in 0..self.lanes {
                let (x, y) = (a.vector(n, lane), b.vector(n, lane));
                let kept = x == a.vector_before(n, lane) && y == b.vector_before(n, lane);
                if x != y && !kept {
                    return Some(format!("vector {n} lane {lane}: {x:#x} and {y:#x}"));
                }
            }
        }
        let other = writes.other;
        if other.contains(Other::SCC) && a.wave.scc != b.wave.scc {
            return Some("SCC".to_owned());
        }
        if other.contains(Other::MODE) && a.wave.mode != b.wave.mode {
            return Some("MODE".to_owned());
        }
        if other.contains(Other::HWREGS) && a.wave.hwregs != b.wave.hwregs {
            return Some("hardware registers".to_owned());
        }
        if a.memory != b.memory {
            return Some("memory".to_owned());
        }
        if a.lds != b.lds {
            return Some("LDS".to_owned());
        }
        if a.exports != b.exports {
            return Some("exports".to_owned());
        }
        (a.messages != b.messages).then(|| "messages".to_owned())
    }

    /// What it changed that it is not said to write.
    fn unsaid(&self, left: &Left, before: &Registers) -> Option<String> {
        let writes = &self.uses.writes;
        for code in 0..128 {
            if left.wave.s[code as usize] != before.s[code as usize] && !writes.has_scalar(code) {
                return Some(format!("scalar {code}"));
            }
        }
        for n in (0..file::NOWHERE).filter(|n| !writes.has_vector(*n)) {
            if (0..64).any(|lane| left.vector(n, lane) != left.vector_before(n, lane)) {
                return Some(format!("vector {n}"));
            }
        }
        let other = writes.other;
        let is = |part, differs: bool, name: &str| (differs && !other.contains(part)).then(|| name.to_owned());
        is(Other::SCC, left.wave.scc != before.scc, "SCC")
            .or_else(|| is(Other::MODE, left.wave.mode != before.mode, "MODE"))
            .or_else(|| is(Other::TRAPSTS, left.wave.trapsts != before.trapsts, "TRAPSTS"))
            .or_else(|| is(Other::HWREGS, left.wave.hwregs != before.hwregs, "hardware registers"))
            .or_else(|| is(Other::FORKS, left.wave.fork_depth != before.fork_depth, "forks"))
            .or_else(|| is(Other::MESSAGES, !left.messages.is_empty(), "messages"))
    }

    /// The state in which an input begins.
    fn before(&self, input: u32) -> Registers {
        let stage = Stage::new(self.ready, vec![Place { single: 0, input }], Variant::default()).expect("a stage");
        let mut wave = Registers::new(self.target, self.lanes);
        stage.set_up(&self.ready.program, &self.ready.starts, 0, &mut wave);
        wave
    }
}

/// The words of a register, from a state.
fn held(wave: &Registers, (vector, n): (bool, u32)) -> Vec<u32> {
    match vector {
        true => wave.file[n as usize * 64..][..64].iter().map(std::cell::Cell::get).collect(),
        false => vec![wave.s[n as usize]; 64],
    }
}

/// Other values of a register.
const CHANGES: [fn(u32) -> u32; 6] =
    [|v| !v, |_| 0, |v| v ^ 0x8000_0001, |v| v ^ 0x0f0f_0f0f, |v| v ^ 4, |v| v ^ 0x4000_4000];

/// Registers that are read without an effect that shows here: a part of the names of the rows, and why.
const SILENT: &[(&str, &str)] = &[
    ("cmpst", "what is compared is equal to no random word of memory"),
    ("cmpswap", "what is compared is equal to no random word of memory"),
    ("cmp_f_", "it is never true"),
    ("cmpx_f_", "it is never true"),
    ("cmps_f_", "it is never true"),
    ("cmpsx_f_", "it is never true"),
    ("_t_", "it is always true"),
    ("_tru_", "it is always true"),
    ("eq_f64", "two words are made equal one at a time"),
    ("eq_i64", "two words are made equal one at a time"),
    ("eq_u64", "two words are made equal one at a time"),
    ("s_cmp_lg_u64", "two words are made equal one at a time"),
    ("s_cbranch_vccnz", "the label of the example is what comes next anyway"),
    ("buffer_atomic_cond_sub", "no example is in range and takes something away"),
    ("ds_or_src2_b64", "what its only example takes from LDS is there already"),
    ("s_atomic_inc_x2", "the upper word decides"),
    ("ds_gws_", "what becomes of a resource shows only in waves that come by later"),
    ("gs_reg_rtn", "what is counted shows only to whoever counts next"),
    ("global_atomic_ordered_add", "no random word of memory is the turn of a lane"),
    ("tbuffer_store_format_xyzw", "its only examples have no format"),
    ("s_buffer_", "hardware takes a descriptor whole; of the fourth word nothing is asked for scalar loads"),
];

/// How a register is changed.
#[derive(Clone, Copy)]
enum Change {
    /// To a value that follows from its own.
    To(fn(u32) -> u32),
    /// To that of another.
    As((bool, u32)),
}

fn suite(form: &Form) -> Suite {
    match form.row.family {
        _ if suite_of(form) == Some(Suite::Matrix) => Suite::Matrix,
        Family::Ds => Suite::Lds,
        Family::Smem | Family::Mubuf | Family::Mtbuf | Family::Flat | Family::Global | Family::Scratch => Suite::Memory,
        _ => Suite::Lanes,
    }
}

/// Registers of a set, by what they are called in messages.
fn registers(set: &Set) -> Vec<(bool, u32)> {
    set.scalars().map(|n| (false, n)).chain(set.vectors().map(|n| (true, n))).collect()
}

#[derive(Default)]
struct Tally {
    examples: usize,
    unsaid: Vec<String>,
    unread: Vec<String>,
    /// By row: examples in which a register that is said to be read never mattered, of all.
    silent: BTreeMap<&'static str, (usize, usize, String)>,
}

fn example(target: Target, lanes: u32, (form, words): (&'static Form, &[u32]), exact: bool, tally: &mut Tally) {
    let single = Single { name: "one".to_owned(), words: words.to_vec(), row: form.row.name, number: 7 };
    let batch = Batch { suite: suite(form), target, lanes, seed: 5, inputs: STATES, singles: vec![single] };
    let ready = batch.ready();
    let step: &Step = &ready.program.steps[0];
    if !step.executes || ready.program.text(0).starts_with(".long") {
        return;
    }
    let uses = ready.program.uses(step);
    if uses.moved || uses.reads.other.intersects(Other::CLOCK | Other::FORKS) {
        return;
    }
    let text = || format!("{}: {}", target.arch.name, ready.program.text(0));
    let bench = Bench { ready: &ready, target, lanes, uses };
    tally.examples += 1;
    let mut mattered: Vec<bool> = vec![false; registers(&uses.reads).len()];
    let mut ran = false;
    // No state has a descriptor of an image, so that all is out of range: what is read of an address does not show.
    let image = form.row.family == Family::Mimg;
    // One example of a row is enough.
    let shown = !exact || image || tally.silent.get(form.row.name).is_some_and(|(silent, all, _)| silent < all);
    for input in 0..STATES {
        let usual = bench.run(input, &|_| ());
        if usual.trapped() {
            continue;
        }
        ran = true;
        if let Some(what) = bench.unsaid(&usual, &bench.before(input)) {
            tally.unsaid.push(format!("{}: {what}", text()));
            return;
        }
        let other = bench.run(input, &|wave| bench.disturb(wave));
        if let Some(what) = bench.difference(&usual, &other) {
            tally.unread.push(format!("{}: {what}", text()));
            return;
        }
        if shown {
            continue;
        }
        for (mattered, (vector, n)) in mattered.iter_mut().zip(registers(&uses.reads)).filter(|(m, _)| !**m) {
            // What another register has makes the two equal.
            let others = registers(&uses.reads).into_iter().map(Change::As);
            for change in CHANGES.into_iter().map(Change::To).chain(others) {
                let changed = bench.run(input, &|wave: &mut Registers| {
                    let new: Vec<u32> = match change {
                        Change::To(other) => held(wave, (vector, n)).into_iter().map(other).collect(),
                        Change::As(register) => held(wave, register),
                    };
                    match vector {
                        true => wave.file[n as usize * 64..][..64].iter().zip(new).for_each(|(cell, v)| cell.set(v)),
                        false => wave.s[n as usize] = new[0],
                    }
                });
                *mattered |= bench.difference(&usual, &changed).is_some();
                if *mattered {
                    break;
                }
            }
        }
    }
    let silent: Vec<String> = mattered
        .iter()
        .zip(registers(&uses.reads))
        .filter(|(mattered, _)| !**mattered)
        .map(|(_, (vector, n))| format!("{}{n}", if vector { "v" } else { "s" }))
        .collect();
    if !ran || shown {
        return;
    }
    let entry = tally.silent.entry(form.row.name).or_default();
    entry.1 += 1;
    if !silent.is_empty() {
        entry.0 += 1;
        entry.2 = format!("{}: {}", text(), silent.join(" "));
    }
}

fn processor(name: &str, lanes: u32, count: usize, exact: bool) -> Tally {
    let target = Target::new(Arch::find(name).expect("a processor"));
    let target = target.wave(lanes).unwrap_or(target);
    let target = Program::new(target, &[], 0).target;
    let mut tally = Tally::default();
    for form in &Table::of(target).forms {
        let mut examples: Vec<Vec<u32>> = Vec::new();
        instructions(form, Density { full: false, mixed: 2 * count, seed: 3 }, &mut |words| {
            examples.push(words.to_vec());
        });
        // The first ones are plain; the last ones are mixed.
        let plain = examples.len().saturating_sub(2 * count);
        let some = examples.iter().take(1).chain(examples.iter().skip(plain));
        let ours = some.filter(|words| {
            let program = Program::new(target, words, 0);
            program.steps[0].form.is_some_and(|f| std::ptr::eq(f, form)) && program.steps[0].executes
        });
        for words in ours.take(count) {
            example(target, lanes, (form, words), exact, &mut tally);
        }
    }
    tally
}

/// Holds it on some processors, with so many examples of each form at most; `exact` also that what is read matters, which takes
/// many examples to show.
fn hold(processors: &[(&str, u32)], count: usize, exact: bool) {
    let (mut wrong, mut examples) = (Vec::new(), 0);
    // By row, on all processors: examples in which a register that is said to be read never mattered, of all.
    let mut silent: BTreeMap<&str, (usize, usize, String)> = BTreeMap::new();
    let tallies = std::thread::scope(|scope| {
        let run = |(name, lanes): &(&str, u32)| processor(name, *lanes, count, exact);
        let halves = processors.chunks(processors.len().div_ceil(2));
        let threads: Vec<_> =
            halves.map(|half| scope.spawn(move || half.iter().map(run).collect::<Vec<_>>())).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect::<Vec<_>>()
    });
    for tally in tallies {
        examples += tally.examples;
        assert!(tally.examples > 500, "{} examples", tally.examples);
        wrong.extend(tally.unsaid.iter().map(|text| format!("writes without saying so: {text}")));
        wrong.extend(tally.unread.iter().map(|text| format!("depends on something unsaid: {text}")));
        for (row, (some, all, text)) in tally.silent.into_iter().filter(|_| exact) {
            let entry = silent.entry(row).or_default();
            *entry = (entry.0 + some, entry.1 + all, text);
        }
    }
    // One example may hide what another shows: a constant, a register that stands for two operands, an address out of range.
    for (part, why) in SILENT {
        let needed = silent.iter().any(|(row, (some, all, _))| row.contains(part) && some == all);
        assert!(needed || !exact, "nothing is silent because {why}: {part}");
    }
    let hidden = |(_, (some, all, _)): &(&&str, &(usize, usize, String))| some == all;
    for (row, (.., text)) in silent.iter().filter(hidden) {
        if !SILENT.iter().any(|(part, _)| row.contains(part)) {
            wrong.push(format!("does not matter: {text}"));
        }
    }
    eprintln!("{examples} examples");
    let first: Vec<_> = wrong.iter().take(80).cloned().collect();
    assert!(wrong.is_empty(), "{} of {examples}:\n{}", wrong.len(), first.join("\n"));
}

#[test]
fn what_steps_read_and_write_is_what_they_are_said_to() {
    hold(&[("gfx700", 64), ("gfx90a", 64), ("gfx1030", 32), ("gfx1200", 32)], 3, false);
}

/// On every processor, or one of so many; that what is read matters shows on all of them together.
#[test]
#[ignore = "takes minutes"]
fn everywhere() {
    let some: Vec<_> = PROCESSORS.iter().copied().step_by(step()).collect();
    hold(&some, 8, step() == 1);
}
