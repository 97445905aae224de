//! Traces tell the truth about memory: whatever an instruction changes lies where the trace says that it went, a fault is at one of these addresses, and
//! what loads bring is there, changed or not. Tried on every memory instruction that the cases of `tests/cases` execute.

#[path = "support/work.rs"]
mod work;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use wavediff::case::value::{File, Place as Where};
use wavediff::case::{Case, Observe, wave_size};
use wavediff::emu::engine::Emulator;
use wavediff::emu::group::Drive;
use wavediff::emu::memory::TouchedSpace;
use wavediff::emu::traced::record::{Event, Filter, Index, Place, Recorder};
use wavediff::emu::traced::wave as traced;
use wavediff::isa::types::Ty;

/// Every step of a case on each of its processors.
fn events(case: &Case, see: &mut dyn FnMut(&Event, u32)) {
    for target in case.targets() {
        let all = Mutex::new(Vec::new());
        let make = |_| -> Box<Drive<'_>> {
            Box::new(|wave, group, limits| {
                let mut put = |event: Event| all.lock().unwrap_or_else(PoisonError::into_inner).push(event);
                traced(wave, group, limits, &mut Recorder::new(Filter::default(), &mut put));
            })
        };
        // Long loops say nothing new.
        let mut emulator = Emulator::default();
        emulator.options.budget = Some(4096);
        let _ = emulator.run_case(case, target, Some(&make));
        let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.iter().for_each(|event| see(event, wave_size(target)));
    }
}

/// Whether a word of a region was touched.
fn covers(place: &Place, region: &str, at: u64) -> bool {
    let start = match (place.at.space, &place.region) {
        (TouchedSpace::Lds, _) if region == "lds" => place.at.address,
        (TouchedSpace::Memory | TouchedSpace::Scratch, Some((name, offset))) if name == region => *offset,
        _ => return false,
    };
    let bytes = u64::from(place.at.bytes);
    start < at + 4 && at < start + bytes
}

/// What was looked at.
#[derive(Default)]
struct Tally {
    /// Instructions that touched memory.
    seen: BTreeSet<String>,
    stores: u32,
    faults: u32,
}

/// Looks at a step, that of a case in waves of so many lanes.
fn look(case: &Case, event: &Event, lanes: u32, tally: &mut Tally) {
    let name = event.instruction.split(' ').next().unwrap_or_default().to_owned();
    let what = || format!("{}, {lanes} lanes: {event:#?}", case.name);
    // An access may go on where the next buffer begins; it is named after the first.
    let follows = |name: &str| case.buffers.iter().any(|b| b.behind && b.name == name);
    let memory = event.writes.iter().filter(|item| item.index == Index::Byte);
    for item in memory.filter(|item| !follows(&item.place)) {
        for (at, _) in &item.values {
            let found = event.touched.iter().any(|place| covers(place, &item.place, *at));
            assert!(found, "{}[{at:#x}] was written and not touched: {}", item.place, what());
            tally.stores += 1;
        }
    }
    if let Some((address, lane)) = event.trap.as_ref().and_then(|trap| Some((trap.address?, trap.lane)))
        && !event.touched.is_empty()
    {
        // Of LDS there is no guest address: its own is told.
        let start = |p: &Place| p.at.guest.unwrap_or(p.at.address);
        let near = |p: &&Place| p.at.lane == lane && (start(p)..start(p) + 64).contains(&address);
        assert!(event.touched.iter().any(|p| near(&p)), "the fault at {address:#x} is elsewhere: {}", what());
        tally.faults += 1;
    }
    if !event.touched.is_empty() {
        tally.seen.insert(name.clone());
    }
    // Loads bring something to every active lane, but into LDS.
    let loads = ["_load_", "ds_read", "ds_load"].iter().any(|word| name.contains(word));
    let to_lds = name.contains("lds") || event.instruction.contains(" lds");
    if loads && !to_lds && event.trap.is_none() && event.exec != 0 && !name.contains("prefetch") {
        let register = |item: &&wavediff::emu::traced::record::Item| item.index != Index::Byte;
        let first = event.writes.iter().find(register);
        let first = first.unwrap_or_else(|| panic!("the load brings nothing: {}", what()));
        if first.index == Index::Lane {
            assert_eq!(first.values.len(), event.exec.count_ones() as usize, "{}", what());
        }
    }
}

#[test]
fn addresses_are_those_of_the_access() {
    let cases = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let entries = ["pass", "fail"].map(|folder| std::fs::read_dir(cases.join(folder)).expect("a folder"));
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "s")).collect();
    let tallies = work::each(&paths, |_, path| {
        let mut tally = Tally::default();
        if let Ok(text) = std::fs::read_to_string(path) {
            let case = Case::parse(&text, &path.to_string_lossy()).expect("a case");
            events(&case, &mut |event, lanes| look(&case, event, lanes, &mut tally));
        }
        tally
    });
    // What the cases have is enough to notice a kind of memory that is forgotten.
    for kind in ["global_", "flat_", "scratch_", "buffer_", "tbuffer_", "ds_", "s_load", "s_buffer_load"] {
        let mut seen = tallies.iter().flat_map(|tally| &tally.seen);
        assert!(seen.any(|name| name.starts_with(kind)), "no case touches memory by {kind}");
    }
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum::<u32>();
    let (stores, faults) = (sum(|tally| tally.stores), sum(|tally| tally.faults));
    assert!(stores > 1000 && faults > 20, "{stores} words stored, {faults} faults");
}

/// What `--show` takes.
#[test]
fn command_lines_name_places_with_types() {
    let parse = |text| Observe::parse(text, ["out"]);
    let v = |first, count| Where::Regs { file: File::Vector, first, count };
    assert_eq!(parse("v2:f32"), Ok(Observe { ty: Some(Ty::F32), place: v(2, 1) }));
    assert_eq!(parse("v[2:3]:f64"), Ok(Observe { ty: Some(Ty::F64), place: v(2, 2) }));
    assert_eq!(parse("v[2:3]"), Ok(v(2, 2).into()));
    assert_eq!(parse("out[16]:i16"), Ok(Observe { ty: Some(Ty::I16), place: Where::Buffer("out".to_owned(), 16) }));
    for wrong in ["v2:f64", "v2:f31", "in:f32", "out[x]", "", "v2 v3", "scc:u64"] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
