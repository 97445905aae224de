//! What the emulator did in cases that a recording knows otherwise.
//!
//! A recording has a digest of each place that changed, and no values. So what is told of such a case is all on the side of the emulator: what the
//! instruction read and wrote there, beside the names of the places whose digests differ.

use super::pool::{single_of, split_input};
use std::collections::{BTreeMap, BTreeSet};
use wavediff::emu::traced::record::Event;
use wavediff::engine::ground::Ground;
use wavediff::engine::{EngineError, Status};
use wavediff::suite::judge::Verdict;
use wavediff::suite::stage::Place;
use wavediff::suite::{Content, Unit};

/// The instruction at work in the first input of each that is not as recorded, by the name of the case.
///
/// # Errors
/// There is no room for the memory of an input.
pub fn events(unit: &Unit, of_card: bool, verdicts: &[Verdict]) -> Result<BTreeMap<String, Event>, EngineError> {
    let mut all = BTreeMap::new();
    let failed: Vec<&Verdict> = verdicts.iter().filter(|verdict| verdict.status == Status::Fail).collect();
    let Content::Singles(batch) = &unit.content else { return Ok(all) };
    if failed.is_empty() {
        return Ok(all);
    }
    // On a card it ran with ordinary registers, and memory where the driver puts it.
    let tamed = of_card.then(|| batch.for_programs());
    let batch = tamed.as_ref().unwrap_or(batch);
    let ready = if of_card { batch.ready_on(Ground::of_driver(batch.target.arch)) } else { batch.ready() };
    let mut seen = BTreeSet::new();
    for verdict in failed {
        let (name, Some(input)) = split_input(&verdict.case) else { continue };
        let Some(single) = single_of(unit, name) else { continue };
        if !seen.insert(single) {
            continue;
        }
        let events = ready.events(Place { single, input })?;
        if let Some(event) = events.into_iter().next() {
            all.insert(verdict.case.clone(), event);
        }
    }
    Ok(all)
}
