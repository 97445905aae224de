//! The clocks of steps: the program runs under the model's clock before it is traced, and each step of a wave finds its own by its number.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;
use wavediff::emu::traced::record::Event as Step;
use wavediff::timing::{Event, Report};

/// Steps of a compute unit that have clocks; those behind have none.
pub const MOST: usize = 1 << 20;

/// The clocks of all steps, by group and wave.
#[derive(Default)]
pub struct Clocks(HashMap<([u32; 3], u32), Vec<Event>>);

impl Clocks {
    /// Those of a run.
    pub fn of_run(report: &Report) -> Clocks {
        let mut all: HashMap<_, Vec<Event>> = HashMap::new();
        for event in &report.events {
            all.entry((event.group, event.wave)).or_default().push(*event);
        }
        // Events come as they start, and what is queued starts late.
        all.values_mut().for_each(|events| events.sort_by_key(|event| event.issue));
        Clocks(all)
    }

    /// Those of a step. A program that reads the clock may have gone another way under it, and then there are none.
    pub fn of(&self, step: &Step) -> Option<&Event> {
        let event = self.0.get(&(step.group, step.wave))?.get(usize::try_from(step.number).ok()?)?;
        (u64::from(event.step) * 4 == step.pc).then_some(event)
    }
}

/// `clock 12, starts 18, done 23; waited 4: dependency on 000010`
pub fn text(event: &Event) -> String {
    let mut out = format!("clock {}", event.issue);
    if event.start != event.issue {
        let _ = write!(out, ", starts {}", event.start);
    }
    let _ = write!(out, ", done {}", event.done);
    if let Some((why, clocks)) = event.why {
        let on = event.on.map_or(String::new(), |on| format!(" on {:06x}", u64::from(on) * 4));
        let _ = write!(out, "; waited {clocks}: {}{on}", why.name());
    }
    out
}

/// The same for programs.
pub fn json(event: &Event) -> Value {
    json!({
        "issue": event.issue, "start": event.start, "done": event.done,
        "waited_for": event.why.map(|(why, _)| why.name()), "waited_clocks": event.why.map_or(0, |(_, clocks)| clocks),
        "waits_on": event.on.map(|on| u64::from(on) * 4),
    })
}
