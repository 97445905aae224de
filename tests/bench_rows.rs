//! Measuring programs: each ALU row of a processor has them or a reason, they run, and they are what they say.
//!
//! That copies wait for each other, or do not, is checked of the assembled program by what its steps read and write.
//! What the model of the clock makes of them must be its table, which is our own: that is evidence for probes and model, not for the figures.
//! Planted and noticed: a clock more for results of the transcendental unit; a bank that gives two words a clock.

#[path = "support/thorough.rs"]
mod thorough;

use std::collections::BTreeMap;
use thorough::tries;
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::engine::Engine;
use wavediff::isa::does::{Does, Idle};
use wavediff::isa::form::Table;
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::{Arch, Target};
use wavediff::laws::{Density, instructions};
use wavediff::program::uses::{Other, Set};
use wavediff::program::{Program, Step};
use wavediff::timing::Machine;
use wavediff::timing::bench::{Meter, Problem, cost, expected};
use wavediff::timing::probe::pattern::{Group, patterns};
use wavediff::timing::probe::{FAMILIES, Kind, Probe, Reason, clocks, probes};

/// Numbers of copies, and one with which results have turned more than once. That is not run.
const COPIES: [u32; 4] = [0, 4, 9, MANY];
const MANY: u32 = 40;

/// Processors, a few of each kind, with sizes of waves.
#[rustfmt::skip]
const PROCESSORS: [(&str, u32); 14] = [
    ("gfx600", 64), ("gfx700", 64), ("gfx803", 64), ("gfx900", 64), ("gfx906", 64), ("gfx908", 64), ("gfx90a", 64), ("gfx942", 64),
    ("gfx1010", 32), ("gfx1030", 32), ("gfx1030", 64), ("gfx1100", 32), ("gfx1150", 64), ("gfx1200", 32),
];

/// Chains: the processor, the row, the partner, and what passes.
#[rustfmt::skip]
const CHAINS: &[(&str, &str, Option<&str>, &[&str])] = &[
    ("gfx900",  "s_add_u32",           None,                        &["s24"]),
    ("gfx900",  "s_addc_u32",          None,                        &["s24", "scc"]),
    ("gfx900",  "s_bfm_b64",           None,                        &["s24"]),
    ("gfx900",  "s_cmp_eq_i32",        Some("s_cselect_b32"),       &["scc"]),
    ("gfx900",  "s_cmpk_eq_i32",       Some("s_cselect_b32"),       &["scc"]),
    ("gfx900",  "s_cmovk_i32",         None,                        &["s24"]),
    ("gfx900",  "v_add_f32",           None,                        &["v4"]),
    ("gfx900",  "v_addc_u32",          None,                        &["v4"]),
    ("gfx900",  "v_cvt_f64_f32",       None,                        &["v4"]),
    ("gfx900",  "v_cvt_f32_f64",       None,                        &["v4"]),
    ("gfx900",  "v_fma_f64",           None,                        &["v[8:9]"]),
    ("gfx900",  "v_cmp_eq_f32",        Some("v_cndmask_b32"),       &["vcc"]),
    ("gfx900",  "s_and_saveexec_b64",  None,                        &["s[24:25]", "exec"]),
    ("gfx900",  "v_cmpx_eq_f32",       None,                        &["exec"]),
    ("gfx1100", "v_cmp_eq_f32",        Some("v_cndmask_b32"),       &["vcc_lo"]),
    ("gfx1100", "v_readlane_b32",      Some("v_mov_b32"),           &["s24"]),
    ("gfx1100", "v_readfirstlane_b32", Some("v_mov_b32"),           &["s24"]),
    ("gfx1100", "v_writelane_b32",     Some("v_readfirstlane_b32"), &["v4"]),
    ("gfx1100", "v_mqsad_u32_u8",      None,                        &["v[8:11]"]),
    ("gfx1100", "v_dual_mul_f32",      None,                        &["v4"]),
    ("gfx1100", "v_dual_and_b32",      None,                        &["v21"]),
    ("gfx908",  "v_accvgpr_read_b32",  Some("v_accvgpr_write_b32"), &["v4"]),
];

fn target(name: &str, lanes: u32) -> Target {
    Target::new(Arch::find(name).expect("a processor")).wave(lanes).expect("a size")
}

/// What one step writes and another reads of registers and SCC.
fn meet(writes: &Set, reads: &Set) -> bool {
    let vectors = writes.vectors.iter().zip(reads.vectors).any(|(a, b)| a & b != 0);
    vectors || writes.scalars & reads.scalars != 0 || (writes.other & reads.other).contains(Other::SCC)
}

/// The steps between the two readings of the clock.
fn measured(program: &Program) -> Vec<&Step> {
    let mut at = 0;
    let mut steps = Vec::new();
    while let Some(step) = program.steps.get(at as usize) {
        steps.push(step);
        at = step.next;
    }
    let clock = |step: &&Step| program.uses(step).reads.other.contains(Other::CLOCK);
    let first = steps.iter().position(clock).expect("the first reading");
    let last = steps.iter().rposition(clock).expect("the second reading");
    steps[first + 1..last].iter().copied().filter(|step| step.does() != Some(Does::Idle(Idle::Wait))).collect()
}

/// Holds the steps of a program to what the probe says of them.
fn check(probe: &Probe, program: &Program, n: usize) {
    let name = format!("{} {} {:?}", program.target.arch.name, probe.name(), probe.kind);
    let steps = measured(program);
    let links = if probe.partner().is_some() { 2 } else { 1 };
    assert!(steps.len() > n * links, "{name}: something waits for the last copy");
    let uses: Vec<_> = steps.iter().map(|step| program.uses(step)).collect();
    for (at, step) in steps[..n * links].iter().enumerate() {
        let row = step.row.expect("a row");
        let partner = probe.partner().is_some() && at % 2 == 1;
        // Of a dual instruction the row is that of the first half.
        let dual = probe.row.family == Family::Vopd;
        let expected = if partner { probe.partner().expect("it") } else { probe.row };
        assert!(dual || std::ptr::eq(row, expected), "{name}: {} stands there", row.name);
    }
    for i in 0..n * links {
        for j in i + 1..n * links {
            let meets = meet(&uses[i].writes, &uses[j].reads);
            match probe.kind {
                Kind::Latency if j == i + 1 => assert!(meets, "{name}: link {i}"),
                Kind::Latency => {}
                Kind::Rate => {
                    let far = probe.spread().is_some_and(|spread| (j - i) as u32 >= spread);
                    assert!(!meets || far, "{name}: copy {j} waits for {i}");
                }
            }
        }
    }
    // The wait reads the last result, and a scalar instruction reads that.
    let behind = &steps[n * links..];
    let last = behind.last().expect("a wait");
    assert_eq!(last.vectors, 0, "{name}: {}", program.text(last.at));
    let results = n > 0 && program.uses(steps[n * links - 1]).writes != Set::default();
    let noted = |set: &Set| set.scalars != 0 || set.vectors != [0; 8] || set.other.contains(Other::SCC);
    if results && noted(&uses[n * links - 1].writes) {
        assert!(meet(&uses[n * links - 1].writes, &uses[n * links].reads), "{name}: nobody waits for the last copy");
    }
    for pair in uses[n * links..].windows(2) {
        assert!(meet(&pair[0].writes, &pair[1].reads), "{name}: the wait is a chain");
    }
}

/// Whether engines execute the plain instruction of a row.
fn executes(target: Target, row: &'static Inst) -> bool {
    let table = Table::of(target);
    let mut first = None;
    if let Some(form) = table.forms.iter().find(|form| std::ptr::eq(form.row, row)) {
        instructions(form, Density { full: false, mixed: 0, seed: 0 }, &mut |words| {
            first.get_or_insert(words.to_vec());
        });
    }
    let program = Program::new(target, &first.unwrap_or_default(), 0);
    program.steps.first().is_some_and(|step| step.row.is_some() && step.executes)
}

/// Assembles and runs the probes of a processor.
fn run(name: &str, lanes: u32) -> BTreeMap<(Kind, Option<Reason>), Vec<&'static str>> {
    let target = target(name, lanes);
    let mut counts: BTreeMap<_, Vec<&'static str>> = BTreeMap::new();
    for (row, kind, probe) in probes(target) {
        assert!(FAMILIES.contains(&row.family));
        let reason = probe.as_ref().err().copied();
        counts.entry((kind, reason)).or_default().push(row.name);
        let probe = match probe {
            Ok(probe) => probe,
            Err(Reason::NotExecuted) => {
                assert!(!executes(target, row), "{name}: {} is executed", row.name);
                continue;
            }
            Err(_) => continue,
        };
        assert_eq!(probe.link().is_empty(), kind == Kind::Rate, "{name} {}", probe.name());
        for n in COPIES {
            let what = format!("{name} {} {kind:?} {n}", probe.name());
            let case = probe.case(n).unwrap_or_else(|error| panic!("{what}: {error}\n{}", probe.source(n)));
            let text = case.program(target).unwrap_or_else(|error| panic!("{what}: {error}\n{}", probe.source(n)));
            check(&probe, &Program::new(target, &text.words(), 0), n as usize);
            if n == MANY {
                continue;
            }
            let outcome = Emulator::default().run(&case, target).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(outcome.trap, None, "{what}");
            let clocks = clocks(&outcome);
            // The emulator's clock moves on by so much whenever it is read.
            assert_eq!(clocks, Some(64), "{what}\n{}", probe.source(n));
            let exec = outcome.waves.first().map_or(0, |wave| wave.exec);
            assert_eq!(exec.count_ones(), outcome.waves[0].wave_size, "{what}: all lanes are on again");
        }
    }
    for ((kind, reason), rows) in &counts {
        match reason {
            None => println!("{name} {lanes} {kind:?}: {} rows", rows.len()),
            Some(reason) => println!("{name} {lanes} {kind:?}: {} not, {reason}: {}", rows.len(), rows.join(" ")),
        }
    }
    counts
}

/// Each row has its probes on processors of all kinds, and the reasons that say that something is missing here are rare.
#[test]
fn every_row_is_measured_or_has_a_reason() {
    for (name, lanes) in PROCESSORS.into_iter().step_by(tries(2, 1)) {
        let counts = run(name, lanes);
        for ((kind, reason), rows) in counts {
            let none = match reason {
                Some(Reason::Operands | Reason::Unchained | Reason::Interpolates | Reason::Memory) => rows.len(),
                _ => 0,
            };
            assert_eq!(none, 0, "{name} {kind:?} {reason:?}: {rows:?}");
        }
    }
}

/// A probe of a row by its name.
fn probe(name: &str, row: &str, kind: Kind) -> Result<Probe, Reason> {
    let target = target(name, if name.starts_with("gfx1") { 32 } else { 64 });
    let mut all = probes(target).filter(|(found, k, _)| found.name == row && *k == kind);
    all.next().expect("the row").2
}

/// What rows of each kind are chained by.
#[test]
fn chains_are_as_short_as_they_can_be() {
    for (name, row, partner, link) in CHAINS {
        let probe = probe(name, row, Kind::Latency).unwrap_or_else(|reason| panic!("{name} {row}: {reason}"));
        assert_eq!(probe.partner().map(|row| row.name), *partner, "{name} {row}: {:?}", probe.copies(2));
        assert_eq!(probe.link(), *link, "{name} {row}: {:?}", probe.copies(2));
    }
}

/// Rows that read what they write in every form have no rate, others that add to their result have one at a distance.
#[test]
fn what_waits_for_itself_is_told() {
    assert_eq!(probe("gfx900", "s_addc_u32", Kind::Rate).err(), Some(Reason::Serial));
    assert_eq!(probe("gfx900", "v_cmpx_eq_f32", Kind::Rate).err(), Some(Reason::Serial));
    assert_eq!(probe("gfx900", "v_addc_u32", Kind::Rate).map(|probe| probe.name()), Ok("v_addc_co_u32_e64"));
    assert_eq!(probe("gfx900", "v_mac_f32", Kind::Rate).map(|probe| probe.spread()), Ok(Some(16)));
    assert_eq!(probe("gfx900", "v_add_f32", Kind::Rate).map(|probe| probe.spread()), Ok(None));
    assert_eq!(probe("gfx900", "v_nop", Kind::Latency).err(), Some(Reason::NoResult));
    assert_eq!(probe("gfx900", "s_movk_i32", Kind::Latency).err(), Some(Reason::NoSource));
}

/// On the emulator under the clock every row has the rate and the latency of the model's table: that the probes measure what they say, and that the
/// model has no way around its table.
#[test]
fn the_model_gives_back_its_table() {
    for (name, lanes) in
        [("gfx600", 64), ("gfx900", 64), ("gfx1030", 32), ("gfx1100", 32), ("gfx1100", 64), ("gfx1200", 32)]
    {
        let target = target(name, lanes);
        let clocked = Clocked::new(Emulator::default(), 0);
        let (mut compared, mut wrong) = (0, Vec::new());
        for (_, kind, probe) in probes(target) {
            let Ok(probe) = probe else { continue };
            let Some(expected) = expected(&probe) else {
                wrong.push(format!("{} {kind:?}: the table has nothing", probe.name()));
                continue;
            };
            match cost(&probe, Meter::Clock, &|case| clocked.run(case, target)) {
                Ok(cost) if (cost.each - expected).abs() < 0.01 => compared += 1,
                Ok(cost) => wrong.push(format!("{} {kind:?}: {cost:?}, and the table has {expected}", probe.name())),
                Err(problem) => wrong.push(format!("{} {kind:?}: {problem}", probe.name())),
            }
        }
        println!("{name}, waves of {lanes}: {compared} costs");
        assert!(
            wrong.is_empty(),
            "{name}: {} of {}: {:#?}",
            wrong.len(),
            wrong.len() + compared,
            &wrong[..wrong.len().min(40)]
        );
        assert!(compared > 500, "{name}: {compared}");
    }
}

/// Walks through memory cost the latency of the smallest cache that has room for them, whatever the others cost; a load of the data share
/// costs as many clocks as its banks are asked for different words, which is told here by arithmetic; a branch that is taken costs what the
/// table says.
/// Where copies take no more time, or less, there is no cost.
#[test]
fn what_takes_no_more_time_has_no_cost() {
    let target = target("gfx1100", 32);
    let probe = probe("gfx1100", "v_and_b32", Kind::Latency).expect("a probe");
    let emulator = Emulator::default();
    let cost_if = |seconds: fn(u64) -> f64| {
        let run = |case: &_| {
            let mut outcome = emulator.run(case, target)?;
            outcome.stats.seconds = seconds(outcome.stats.wave_instructions);
            Ok(outcome)
        };
        cost(&probe, Meter::Time { runs: 1 }, &run)
    };
    for seconds in [|_| 1.0, |instructions| 1.0 - instructions as f64 * 1e-9] {
        assert!(matches!(cost_if(seconds), Err(Problem::Flat)));
    }
    let each = cost_if(|instructions| instructions as f64 * 1e-9).expect("a cost").each;
    assert!((each - 1.0).abs() < 1e-3, "{each}");
}

#[test]
fn patterns_find_caches_and_banks() {
    for (name, lanes) in [("gfx600", 64), ("gfx900", 64), ("gfx1030", 32), ("gfx1100", 64), ("gfx1200", 32)] {
        let target = target(name, lanes);
        let machine = Machine::of(target.arch);
        let (paths, interval) = (machine.paths, f64::from(machine.interval));
        let clocked = Clocked::new(Emulator::default(), 0);
        let (mut walks, mut strides, mut branches) = (0, 0, 0);
        for pattern in patterns(target) {
            let cost = cost(&pattern, Meter::Clock, &|case| clocked.run(case, target)).expect(&pattern.name).each;
            let (instruction, order) = pattern.name.split_once(", ").expect("an order");
            let words: Vec<&str> = order.split(' ').collect();
            match (pattern.group, pattern.kind) {
                (Group::Memory, Kind::Latency) => {
                    let unit = if words[1] == "MiB" { 1 << 20 } else { 1 << 10 };
                    let size = words[0].parse::<u32>().expect("a size") * unit;
                    let scalar = instruction.starts_with("s_");
                    let near = if scalar { paths.scalar } else { paths.vector };
                    let far = if scalar { paths.scalar_shared } else { paths.shared.latency };
                    let latency = match () {
                        () if size <= near.bytes => near.latency,
                        () if size <= paths.shared.bytes => far,
                        () => far + paths.beyond,
                    };
                    let over = cost - f64::from(latency);
                    // What steers the loop is not wholly taken away.
                    assert!((0.0..=2.0 + 2.0 * interval).contains(&over), "{name}, {}: {cost}", pattern.name);
                    walks += 1;
                }
                (Group::Lds, Kind::Rate) if matches!(instruction, "ds_read_b32" | "ds_load_b32") => {
                    let words = match words[..] {
                        ["one", ..] => 0,
                        ["side", ..] => 1,
                        [bytes, ..] => bytes.parse::<u32>().expect("bytes") / 4,
                        [] => unreachable!(),
                    };
                    // Lanes come by as many as there are banks; those meet in a bank whose words are a multiple of its number apart.
                    let banks = u32::from(paths.banks);
                    let meet = if words == 0 {
                        1
                    } else {
                        (1..=banks).rev().find(|n| banks % n == 0 && words % n == 0).expect("one")
                    };
                    let clocks = f64::from(meet * lanes / banks).max(interval);
                    assert!((cost - clocks).abs() < 0.01, "{name}, {}: {cost}, not {clocks}", pattern.name);
                    strides += 1;
                }
                (Group::Branch, _) if words[0] == "taken" => {
                    assert!((cost - f64::from(machine.taken)).abs() < 0.01, "{name}, {}: {cost}", pattern.name);
                    branches += 1;
                }
                _ => assert!(cost >= 1.0, "{name}, {}: {cost}", pattern.name),
            }
        }
        assert_eq!((walks, strides, branches), (12, 8, 2), "{name}");
    }
}
