//! A timed run for programs.

use super::{clocks, each, executed, kind::Kind, pc, share, waits};
use serde_json::{Map, Value, json};
use wavediff::case::wave_size;
use wavediff::program::Program;
use wavediff::timing::{Event, Report, StepTime, WaveTime};

/// Everything, with instructions named by their places in bytes from the start of the program.
pub fn json(report: &Report, program: &Program) -> Value {
    let all = clocks(report);
    let instructions: Vec<Value> =
        executed(report).map(|(step, time)| instruction(program, step, time, share(time.clocks, all))).collect();
    json!({
        "arch": program.target.arch.name,
        "lanes": wave_size(program.target),
        "base": format!("{:#x}", program.base),
        "clocks": report.clocks,
        "compute_units": report.units,
        "occupancy": report.occupancy,
        "wave_count": report.all_waves,
        "waves": report.waves.iter().map(wave).collect::<Vec<_>>(),
        "instructions": instructions,
        "events": report.events.iter().map(event).collect::<Vec<_>>(),
        "left_out": report.left_out,
    })
}

fn wave(wave: &WaveTime) -> Value {
    json!({
        "group": wave.group, "wave": wave.wave, "compute_unit": wave.unit, "simd": wave.simd, "begin": wave.begin,
        "end": wave.end, "arrived": wave.arrived, "instructions": wave.instructions,
    })
}

fn instruction(program: &Program, step: u32, time: &StepTime, percent: f64) -> Value {
    let waits: Map<String, Value> =
        waits(time).into_iter().map(|(why, clocks)| (why.name().to_owned(), json!(clocks))).collect();
    json!({
        "pc": pc(step), "text": program.text(step), "kind": Kind::of(program, step).name(), "count": time.count,
        "clocks": time.clocks, "percent": percent, "clocks_per_execution": each(time), "waits": waits,
        "waits_on": time.on.map(pc),
    })
}

fn event(event: &Event) -> Value {
    json!({
        "group": event.group, "wave": event.wave, "pc": pc(event.step), "issue": event.issue, "start": event.start,
        "done": event.done, "waited_for": event.why.map(|(why, _)| why.name()),
        "waited_clocks": event.why.map_or(0, |(_, clocks)| clocks), "waits_on": event.on.map(pc),
    })
}
