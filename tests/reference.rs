//! The emulator against the interpreter of the guides' pseudo-code: single instructions over edge values, in all their plain forms, with
//! modifiers, in every mode. Without a guide's text ([`pseudocode::guides`]) its tests say that they are skipped.

#[path = "pseudocode/mod.rs"]
mod pseudocode;

#[path = "reference/bench.rs"]
mod bench;
#[path = "reference/expect.rs"]
mod expect;
#[path = "support/guide_names.rs"]
mod guide_names;
#[path = "reference/state.rs"]
mod state;
#[path = "reference/text.rs"]
mod text;

use bench::{Bench, Machine, Tally, is_float, machine, rows};
use pseudocode::{Guide, Reference};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use text::guide_name;
use wavediff::fault;
use wavediff::isa::Gen;
use wavediff::isa::row::{Family, Inst};

/// The text of a guide, whose instructions have the names of RDNA3's: by these goes the rest of this test.
fn reference(guide: Guide, machines: &[Machine]) -> Option<Reference> {
    let Some(mut reference) = Reference::load(guide) else {
        println!("skipped: the pseudo-code of {guide:?} is not there");
        return None;
    };
    for row in machines.iter().flat_map(rows) {
        reference.call(guide_name(row), guide_names::guide_name(guide, row));
    }
    Some(reference)
}

/// Instructions after which the wave is not at another instruction.
const TRAPS: &[&str] = &["S_TRAP"];

/// Why a row is not tried at all.
fn why_not(name: &str) -> &'static str {
    if TRAPS.contains(&name) { "ends the wave's turn" } else { "no formal text" }
}

/// Compares rows on all cores, in the order of their names.
fn compare(
    reference: &Reference,
    machine: &Machine,
    rows: &[&'static Inst],
    all_modes: bool,
) -> BTreeMap<String, Tally> {
    let bench = Bench { reference, machine, all_modes };
    let queue = Mutex::new(rows.iter());
    let found = Mutex::new(BTreeMap::new());
    // Of a planted mistake the first row that shows it is enough.
    let enough = |found: &BTreeMap<String, Tally>| {
        fault::mutant().is_some() && found.values().any(|tally| !tally.differences.is_empty())
    };
    let work = || loop {
        if enough(&found.lock().expect("the results")) {
            return;
        }
        let Some(row) = queue.lock().expect("the queue").next() else { return };
        let tally = bench.row(row);
        let mut found = found.lock().expect("the results");
        let all: &mut Tally = found.entry(guide_name(row)).or_default();
        all.compared += tally.compared;
        tally.unknown.into_iter().for_each(|(why, n)| *all.unknown.entry(why).or_default() += n);
        all.differences.extend(tally.differences);
    };
    std::thread::scope(|scope| {
        for _ in 1..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
        work();
    });
    found.into_inner().expect("the results")
}

/// The rows of a machine that the reference has a text of, and the names of the others.
fn split(reference: &Reference, machine: &Machine) -> (Vec<&'static Inst>, Vec<String>) {
    let rows = rows(machine).into_iter().filter(|row| fault::concerns(row, machine.target.arch));
    let (known, others): (Vec<&Inst>, Vec<&Inst>) = rows.partition(|row| {
        if TRAPS.contains(&guide_name(row).as_str()) {
            return false;
        }
        let entry = reference.entry(&guide_name(row));
        entry.is_some_and(|e| e.formal && e.program.is_ok())
    });
    (known, others.iter().map(|row| guide_name(row)).collect())
}

fn report(what: &str, found: &BTreeMap<String, Tally>) {
    let compared = found.values().filter(|t| t.compared > 0).count();
    let cases: usize = found.values().map(|t| t.compared).sum();
    println!("{what}: {compared} rows, {cases} results");
    let wrong: Vec<String> = found
        .iter()
        .filter(|(_, t)| !t.differences.is_empty())
        .map(|(name, t)| format!("{name}\n    {}", t.differences[..t.differences.len().min(4)].join("\n    ")))
        .collect();
    assert!(wrong.is_empty(), "{what}: {} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Rows of gfx1100 that are not compared, with the reason.
#[rustfmt::skip]
const LEFT_OUT: &[(&str, &str)] = &[
    ("S_BARRIER", "no formal text"),
    ("S_CLAUSE", "no formal text"),
    ("S_CODE_END", "no formal text"),
    ("S_DECPERFLEVEL", "no formal text"),
    ("S_DELAY_ALU", "no formal text"),
    ("S_DENORM_MODE", "no formal text"),
    ("S_ENDPGM", "no formal text"),
    ("S_ENDPGM_ORDERED_PS_DONE", "no formal text"),
    ("S_ENDPGM_SAVED", "no formal text"),
    ("S_GETREG_B32", "names a hardware register, which other tests do"),
    ("S_ICACHE_INV", "no formal text"),
    ("S_INCPERFLEVEL", "no formal text"),
    ("S_ROUND_MODE", "no formal text"),
    ("S_SENDMSG", "no formal text"),
    ("S_SENDMSGHALT", "no formal text"),
    ("S_SENDMSG_RTN_B32", "no formal text"),
    ("S_SENDMSG_RTN_B64", "no formal text"),
    ("S_SETHALT", "no formal text"),
    ("S_SETKILL", "no formal text"),
    ("S_SETPRIO", "no formal text"),
    ("S_SETREG_B32", "names a hardware register, which other tests do"),
    ("S_SETREG_IMM32_B32", "names a hardware register, which other tests do"),
    ("S_SET_INST_PREFETCH_DISTANCE", "no formal text"),
    ("S_SLEEP", "no formal text"),
    ("S_SUBVECTOR_LOOP_BEGIN", "no formal text"),
    ("S_SUBVECTOR_LOOP_END", "no formal text"),
    ("S_TRAP", "ends the wave's turn"),
    ("S_TTRACEDATA", "no formal text"),
    ("S_TTRACEDATA_IMM", "no formal text"),
    ("S_WAITCNT", "no formal text"),
    ("S_WAITCNT_DEPCTR", "no formal text"),
    ("S_WAITCNT_EXPCNT", "no formal text"),
    ("S_WAITCNT_LGKMCNT", "no formal text"),
    ("S_WAITCNT_VMCNT", "no formal text"),
    ("S_WAITCNT_VSCNT", "no formal text"),
    ("S_WAIT_EVENT", "no formal text"),
    ("S_WAIT_IDLE", "no formal text"),
    ("S_WAKEUP", "no formal text"),
    ("V_INTERP_P10_RTZ_F16_F32", "no formal text"),
    ("V_INTERP_P2_RTZ_F16_F32", "no formal text"),
    ("V_NOP", "no formal text"),
    ("V_PIPEFLUSH", "no formal text"),
    ("V_WMMA_BF16_16X16X16_BF16", "what it gives is not known"),
    ("V_WMMA_F16_16X16X16_F16", "what it gives is not known"),
];

#[test]
fn gfx1100() {
    let Some(reference) = reference(Guide::Rdna3, &[]) else { return };
    let machine = machine("gfx1100", 32);
    let (rows, others) = split(&reference, &machine);
    let found = compare(&reference, &machine, &rows, true);
    let mut left: BTreeMap<&str, String> =
        others.iter().map(|name| (name.as_str(), why_not(name).to_owned())).collect();
    for (name, tally) in found.iter().filter(|(_, t)| t.compared == 0) {
        left.insert(name, tally.unknown.keys().cloned().collect::<Vec<_>>().join("; "));
    }
    for (name, tally) in &found {
        if tally.compared > 0 && !tally.unknown.is_empty() {
            println!("{name}: {} compared, not {:?}", tally.compared, tally.unknown);
        }
    }
    report("gfx1100", &found);
    if fault::is_narrow() {
        return;
    }
    assert!(found.values().filter(|t| t.compared > 0).count() > 600, "too few rows");
    let listed: BTreeMap<&str, String> = LEFT_OUT.iter().map(|(name, why)| (*name, (*why).to_owned())).collect();
    let shown = |map: &BTreeMap<&str, String>| {
        map.iter().map(|(name, why)| format!("    (\"{name}\", \"{why}\"),\n")).collect::<String>()
    };
    assert_eq!(shown(&left), shown(&listed));
}

/// Floats that mean the same on every generation in the usual mode.
#[rustfmt::skip]
const FLOATS: &[&str] = &[
    "v_cubeid_f32", "v_cubesc_f32", "v_cubetc_f32", "v_cubema_f32", "v_mullit_f32", "v_trig_preop_f64", "v_pack_b32_f16",
    "v_exp_f16", "v_log_f16", "v_rcp_f16", "v_rsq_f16", "v_sqrt_f16", "v_sin_f16", "v_cos_f16",
    "v_exp_f32", "v_log_f32", "v_rcp_f32", "v_rsq_f32", "v_sqrt_f32", "v_sin_f32", "v_cos_f32", "v_rcp_iflag_f32",
    "v_rcp_f64", "v_rsq_f64", "v_sqrt_f64",
];

/// Whether a row means the same on every generation: integers and bits, comparisons of floats, and some of them.
fn everywhere(row: &Inst) -> bool {
    (!is_float(row) || row.family == Family::Vopc || FLOATS.contains(&row.name)) && !row.name.starts_with("v_wmma_")
}

/// Sines and cosines, whose range was smaller before gfx9.
fn is_turn(row: &Inst) -> bool {
    row.name.starts_with("v_sin_") || row.name.starts_with("v_cos_")
}

#[test]
fn integers_on_every_generation() {
    let Some(reference) = reference(Guide::Rdna3, &[]) else { return };
    let mut all = BTreeMap::new();
    for (name, lanes) in [
        ("gfx600", 64),
        ("gfx700", 64),
        ("gfx803", 64),
        ("gfx900", 64),
        ("gfx90a", 64),
        ("gfx940", 64),
        ("gfx1030", 32),
        ("gfx1100", 64),
        ("gfx1200", 32),
    ] {
        let machine = machine(name, lanes);
        let is_old = machine.target.generation() < Gen::Gfx9;
        let (mut rows, _) = split(&reference, &machine);
        rows.retain(|row| everywhere(row) && !(is_old && is_turn(row)));
        for (row, tally) in compare(&reference, &machine, &rows, false) {
            all.insert(format!("{name} {row}"), tally);
        }
    }
    report("other processors", &all);
}

/// Rows that a guide says something else of, by the beginnings of their names, with the reason.
#[rustfmt::skip]
const OTHERWISE: &[(Guide, &str, &str)] = &[
    (Guide::Rdna3Later, "V_INTERP_P2_RTZ_F16_F32", "a result of 32 bits, where the name has a half"),
    (Guide::Rdna4, "V_INTERP_P2_RTZ_F16_F32", "a result of 32 bits, where the name has a half"),
    (Guide::Rdna4, "S_MAXIMUM_F",     "of two NaNs a signalling one; silicon has the first"),
    (Guide::Rdna4, "S_MINIMUM_F",     "as S_MAXIMUM_F"),
    (Guide::Rdna4, "V_MAXIMUM",       "as S_MAXIMUM_F"),
    (Guide::Rdna4, "V_MINIMUM",       "as S_MAXIMUM_F"),
    (Guide::Rdna4, "V_PK_MAXIMUM_F16", "as S_MAXIMUM_F"),
    (Guide::Rdna4, "V_PK_MINIMUM_F16", "as S_MAXIMUM_F"),
    (Guide::Rdna4, "V_DOT2_F32_",     "each generation adds in its own way"),
    (Guide::Cdna4, "V_DOT2_F32_F16",  "each generation adds in its own way"),
    (Guide::Cdna4, "V_DOT2C_F32_F16", "each generation adds in its own way"),
    (Guide::Cdna4, "V_MIN_F",         "+0 == -0 in it; of two NaNs the second, where RDNA3's guide and silicon have the first"),
    (Guide::Cdna4, "V_MAX_F",         "as V_MIN_F"),
    (Guide::Cdna4, "V_MIN3_F",        "as V_MIN_F"),
    (Guide::Cdna4, "V_MAX3_F",        "as V_MIN_F"),
    (Guide::Cdna4, "V_MED3_F",        "as V_MIN_F"),
    (Guide::Cdna4, "V_PK_MIN_F16",    "as V_MIN_F"),
    (Guide::Cdna4, "V_PK_MAX_F16",    "as V_MIN_F"),
    (Guide::Cdna4, "V_MADAK_F16",     "clears the upper half, which LLVM (by experiment) and Mesa say stays"),
    (Guide::Cdna4, "V_MADMK_F16",     "as V_MADAK_F16"),
    (Guide::Cdna4, "V_DIV_FIXUP_LEGACY_F16", "has numbers of 64 bits for halves"),
    (Guide::Cdna4, "V_LSHL_ADD_U64",  "counts above 4, which the guide of CDNA3 does not allow"),
    (Guide::Cdna4, "S_SET_GPR_IDX_IDX", "writes M0, which is not looked at"),
    (Guide::Cdna4, "V_PK_MOV_B32",    "takes bits above 31 of 32"),
    (Guide::Cdna4, "S_CBRANCH_G_FORK", "goes where a stack says"),
    (Guide::Cdna4, "S_CBRANCH_I_FORK", "goes where a stack says"),
];

/// Processors by their own guides, in the usual mode: so many rows at least, and those that are listed do differ.
fn by_its_own_guide(guide: Guide, machines: &[Machine], least: usize) {
    let Some(reference) = reference(guide, machines) else { return };
    let mut all = BTreeMap::new();
    let listed = || OTHERWISE.iter().filter(|(of, ..)| *of == guide).map(|(_, name, _)| *name);
    let mut alike: BTreeSet<&str> = listed().collect();
    for machine in machines {
        let (rows, _) = split(&reference, machine);
        for (row, tally) in compare(&reference, machine, &rows, false) {
            if let Some(name) = listed().find(|name| row.starts_with(name)) {
                if !tally.differences.is_empty() {
                    alike.remove(name);
                }
                continue;
            }
            if !tally.unknown.is_empty() {
                println!("{row}: {} compared, not {:?}", tally.compared, tally.unknown);
            }
            all.insert(format!("{} {row}", machine.target.arch.name), tally);
        }
    }
    report(&format!("{guide:?}"), &all);
    if fault::is_narrow() {
        return;
    }
    let compared = all.values().filter(|tally| tally.compared > 0).count();
    assert!(compared >= least, "{compared} rows, of {least}");
    assert!(alike.is_empty(), "these are as {guide:?} says: {alike:?}");
}

#[test]
fn rdna3_later() {
    by_its_own_guide(Guide::Rdna3Later, &[machine("gfx1100", 32)], 630);
}

#[test]
fn rdna4() {
    by_its_own_guide(Guide::Rdna4, &[machine("gfx1200", 32)], 650);
}

#[test]
fn cdna4() {
    by_its_own_guide(Guide::Cdna4, &[machine("gfx90a", 64), machine("gfx940", 64)], 950);
}
