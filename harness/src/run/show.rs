//! Outcomes for people and for programs: registers and memory in hex and in their type, traps, counts.

use crate::explain::push_table;
use serde_json::{Value, json};
use std::fmt::Write as _;
use wavediff::case::value::Place;
use wavediff::case::{Export, Exported, Exports, Initial, Observe};
use wavediff::engine::KernelOutcome;
use wavediff::engine::{Message, Outcome, State, Stats, Trap, WaveState};
use wavediff::isa::types::Ty;

/// Something that was looked at: one element after another, of lanes or of memory.
pub struct Observed {
    /// `v[0:1]`, `buffer out`.
    place: String,
    ty: Ty,
    /// Its group and the wave in it; nothing for buffers.
    wave: Option<([u32; 3], u32)>,
    /// The lane of the first element, where they are those of lanes.
    lanes: Option<u32>,
    bits: Vec<u64>,
}

impl Observed {
    /// Words of a place that is no lane's.
    pub fn words(place: String, ty: Ty, bits: Vec<u64>) -> Observed {
        Observed { place, ty, wave: None, lanes: None, bits }
    }

    /// Those of lanes from one on.
    pub fn lanes_from(place: String, ty: Ty, first: u32, bits: Vec<u64>) -> Observed {
        Observed { place, ty, wave: None, lanes: Some(first), bits }
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let mut all = json!({"place": self.place, "type": self.ty.name()});
        if let Some((group, wave)) = self.wave {
            all["group"] = json!(group);
            all["wave"] = json!(wave);
        }
        if let Some(first) = self.lanes.filter(|first| *first > 0) {
            all["first_lane"] = json!(first);
        }
        all["bits"] = self.bits.iter().map(|bits| json!(self.ty.hex(*bits))).collect();
        all["values"] = self.bits.iter().map(|bits| json!(self.ty.show(*bits))).collect();
        all
    }
}

/// Everything that a case looks at.
pub fn observe(initial: &Initial<'_>, outcome: &Outcome) -> Vec<Observed> {
    let types = initial.case.types(initial.target);
    let mut seen = Seen { all: Vec::new(), left: MOST };
    for place in initial.case.observed(initial.target) {
        let ty = types.of(&place);
        match &place {
            Place::Buffer(name, offset) => {
                if let Some(bytes) = outcome.buffer(name) {
                    seen.put(memory(&place, ty, None, bytes, *offset, seen.left));
                }
            }
            Place::Lds(offset) => {
                for (n, first) in initial.waves.firsts().enumerate() {
                    let Some(lds) = outcome.lds_of(n).filter(|_| seen.left > 0) else { break };
                    seen.put(memory(&place, ty, Some((first.group, 0)), lds, *offset, seen.left));
                }
            }
            _ => {
                for wave in &initial.waves {
                    if seen.left == 0 {
                        break;
                    }
                    if let Some(state) = outcome.state(&wave) {
                        let (id, lanes) = ((wave.group, wave.index), wave.lanes(initial.wave_size));
                        of_wave(&mut seen, &place, ty, id, (&state, &outcome.exports), lanes);
                    }
                }
            }
        }
    }
    seen.all
}

/// What was looked at so far, and how many values there is room for.
struct Seen {
    all: Vec<Observed>,
    left: usize,
}

/// What was left of a kernel: `names` are its buffers with what they are called, `live` the lanes of a wave that carry work-items.
pub fn of_kernel(
    wanted: &[Observe],
    outcome: &KernelOutcome,
    names: &[(String, usize)],
    live: &dyn Fn(&WaveState) -> u32,
) -> Vec<Observed> {
    let mut seen = Seen { all: Vec::new(), left: MOST };
    for Observe { ty, place } in wanted {
        let ty = ty.unwrap_or(place.integer());
        match place {
            Place::Buffer(name, offset) => {
                let number = names.iter().find(|(known, _)| known == name).map(|(_, number)| *number);
                let bytes = outcome.buffers.iter().find(|(output, _)| Some(output.argument) == number);
                if let Some((_, bytes)) = bytes {
                    seen.put(memory(place, ty, None, bytes, *offset, seen.left));
                }
            }
            Place::Lds(offset) => {
                let firsts = outcome.waves.iter().filter(|wave| wave.index == 0);
                for (wave, lds) in firsts.zip(&outcome.lds) {
                    if seen.left == 0 {
                        break;
                    }
                    seen.put(memory(place, ty, Some((wave.group, 0)), &lds.bytes, *offset, seen.left));
                }
            }
            _ => {
                for state in &outcome.waves {
                    if seen.left == 0 {
                        break;
                    }
                    let id = (state.group, state.index);
                    of_wave(&mut seen, place, ty, id, (&State::Whole(state), &outcome.exports), live(state));
                }
            }
        }
    }
    seen.all
}

impl Seen {
    fn put(&mut self, observed: Observed) {
        self.left = self.left.saturating_sub(observed.bits.len() + ENTRY);
        self.all.push(observed);
    }
}

/// More values are not collected, however many waves there are: each is a text in the end.
const MOST: usize = 1 << 20;
/// As many values take what their place and wave do.
const ENTRY: usize = 16;

fn memory(place: &Place, ty: Ty, wave: Option<([u32; 3], u32)>, bytes: &[u8], offset: u32, most: usize) -> Observed {
    let bytes = bytes.get(offset as usize..).unwrap_or_default();
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let bits = bytes.chunks(ty.bytes() as usize).take(most).map(element).collect();
    Observed { place: place.to_string(), ty, wave, lanes: None, bits }
}

/// What a wave has in a place that is no memory: its state, and what all waves exported.
fn of_wave(
    seen: &mut Seen,
    place: &Place,
    ty: Ty,
    id: ([u32; 3], u32),
    (state, exported): (&State<'_>, &[Export]),
    lanes: u32,
) {
    let mine = || Exports::of(exported, id.0, id.1);
    match place {
        Place::Export(what) => exports(seen, *what, ty, id, mine(), lanes),
        Place::Valid => {
            let bits = mine().valid().into_iter().collect();
            seen.put(Observed { place: place.to_string(), ty, wave: Some(id), lanes: None, bits });
        }
        _ => registers(seen, place, ty, id, state, lanes),
    }
}

fn registers(seen: &mut Seen, place: &Place, ty: Ty, id: ([u32; 3], u32), state: &State<'_>, lanes: u32) {
    let wave = Some(id);
    let Place::Regs { file, first, count } = *place else {
        let bits = state.single(place).unwrap_or(0);
        seen.put(Observed { place: place.to_string(), ty, wave, lanes: None, bits: vec![bits] });
        return;
    };
    let width = ty.bytes().div_ceil(4).min(count);
    for first in (first..first + count).step_by(width.max(1) as usize) {
        let word = |n: u32, lane: u32| u64::from(state.register(file, n, lane).unwrap_or(0));
        let element = |lane| (first..first + width).rev().fold(0, |all, n| all << 32 | word(n, lane));
        let lanes = if file.is_per_lane() { lanes } else { 1 };
        let place = Place::Regs { file, first, count: width }.to_string();
        let first = file.is_per_lane().then_some(0);
        seen.put(Observed { place, ty, wave, lanes: first, bits: (0..lanes).map(element).collect() });
    }
}

/// What the lanes of a wave exported: those that did.
fn exports(seen: &mut Seen, what: Exported, ty: Ty, id: ([u32; 3], u32), mine: Exports<'_>, lanes: u32) {
    let mut lane = 0;
    while lane < lanes && seen.left > 0 {
        let bits: Vec<u64> = (lane..lanes).map_while(|lane| mine.get(what, lane).map(u64::from)).collect();
        let next = lane + bits.len().max(1) as u32;
        if !bits.is_empty() {
            let place = Place::Export(what).to_string();
            seen.put(Observed { place, ty, wave: Some(id), lanes: Some(lane), bits });
        }
        lane = next;
    }
}

/// Elements of memory in a row.
const PER_ROW: usize = 8;
/// More rows are counted, not shown.
const ROWS: usize = 200;

/// For people: equal lanes in one row, memory by rows of elements.
pub fn table(out: &mut String, observed: &[Observed]) {
    let mut rows: Vec<[String; 4]> = Vec::new();
    let several = observed.iter().any(|o| o.wave.is_some_and(|wave| wave != ([0; 3], 0)));
    for o in observed {
        let mut name = o.place.clone();
        if let (Some(([x, y, z], wave)), true) = (o.wave, several) {
            let _ = write!(name, " ({x},{y},{z}) wave {wave}");
        }
        let row = |name: &str, place: String, bits: &[u64]| {
            let hex: Vec<String> = bits.iter().map(|bits| o.ty.hex(*bits)).collect();
            let shown: Vec<String> = bits.iter().map(|bits| o.ty.show(*bits)).collect();
            [format!("  {name}"), place, hex.join(" "), format!("{} {}", o.ty, shown.join(" "))]
        };
        if let Some(begin) = o.lanes {
            for (at, count, some) in lane_rows(&o.bits) {
                let first = begin as usize + at;
                let last = first + count - 1;
                let lanes = if first == last { format!("lane {first}") } else { format!("lanes {first}-{last}") };
                rows.push(row(if at == 0 { &name } else { "" }, lanes, &some));
            }
        } else if o.bits.len() <= 1 {
            rows.push(row(&name, String::new(), &o.bits));
        } else {
            for (n, some) in o.bits.chunks(PER_ROW).enumerate() {
                let at = format!("[{}]", n * PER_ROW * o.ty.bytes() as usize);
                rows.push(row(if n == 0 { &name } else { "" }, at, some));
            }
        }
        if rows.len() > ROWS {
            break;
        }
    }
    if rows.len() > ROWS {
        rows.truncate(ROWS);
        push_table(out, &rows);
        out.push_str("  and more; --json has all of it\n");
    } else {
        push_table(out, &rows);
    }
}

/// Values side by side in rows: as many as there are of one value, or a few different ones. Where a row begins, how many values it stands
/// for, and these.
pub fn lane_rows(bits: &[u64]) -> Vec<(usize, usize, Vec<u64>)> {
    const FEW: usize = 4;
    let mut rows = Vec::new();
    let mut start = 0;
    while start < bits.len() {
        let rest = &bits[start..];
        let equal = rest.iter().take_while(|b| **b == rest[0]).count();
        if equal >= FEW || equal == rest.len() {
            rows.push((start, equal, vec![rest[0]]));
            start += equal;
            continue;
        }
        // Up to the next run of equal ones.
        let until = (1..rest.len().min(FEW))
            .find(|n| rest.len() >= n + FEW && rest[*n..n + FEW].iter().all(|b| *b == rest[*n]))
            .unwrap_or(rest.len().min(FEW));
        rows.push((start, until, rest[..until].to_vec()));
        start += until;
    }
    rows
}

/// A trap for programs.
pub fn trap_json(trap: &Trap) -> Value {
    json!({
        "kind": trap.kind.name(), "what": trap.kind.to_string(), "group": trap.group, "wave": trap.wave, "pc": trap.pc,
        "instruction": trap.instruction, "lane": trap.lane, "address": trap.address.map(|a| format!("{a:#x}")),
    })
}

/// A message for people.
pub fn message(message: &Message) -> String {
    let Message { group: [x, y, z], wave, pc, message, m0 } = message;
    format!("message {message:#x} with m0 {m0:#x} from group ({x}, {y}, {z}) wave {wave} at {pc:#06x}")
}

/// A message for programs.
pub fn message_json(message: &Message) -> Value {
    json!({
        "group": message.group, "wave": message.wave, "pc": message.pc, "message": message.message, "m0": message.m0,
    })
}

/// An export for programs.
pub fn export_json(export: &Export) -> Value {
    let Export { group, wave, pc, row, half, done, valid, exec, lanes, .. } = export;
    json!({
        "group": group, "wave": wave, "pc": pc, "target": export.name(), "row": row, "elements": export.elements(),
        "half": half, "done": done, "valid": valid, "exec": format!("{exec:#x}"), "lanes": lanes,
    })
}

fn millions_a_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds / 1e6 } else { 0.0 }
}

/// What was executed, for people.
pub fn stats(out: &mut String, stats: &Stats) {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let total = stats.wave_instructions.max(1) as f64;
    for (family, count) in &stats.families {
        let share = format!("{:.1}%", 100.0 * *count as f64 / total);
        rows.push([format!("  {}", format!("{family:?}").to_uppercase()), count.to_string(), share]);
    }
    push_table(out, &rows);
    let _ = writeln!(
        out,
        "  {} wave-instructions and {} lane-operations in {:.3} s: {:.2} M and {:.2} M a second, counting",
        stats.wave_instructions,
        stats.lane_operations,
        stats.seconds,
        millions_a_second(stats.wave_instructions, stats.seconds),
        millions_a_second(stats.lane_operations, stats.seconds),
    );
    if let Some(ticks) = stats.ticks {
        let _ = writeln!(out, "  {ticks} ticks of the shader clock in the longest wave");
    }
}

/// What was executed, for programs.
pub fn stats_json(stats: &Stats) -> Value {
    let families: serde_json::Map<String, Value> =
        stats.families.iter().map(|(family, n)| (format!("{family:?}").to_uppercase(), json!(n))).collect();
    let mut all = json!({"wave_instructions": stats.wave_instructions, "seconds": stats.seconds});
    if !stats.families.is_empty() {
        all["families"] = families.into();
        all["lane_operations"] = json!(stats.lane_operations);
    }
    if let Some(ticks) = stats.ticks {
        all["ticks"] = json!(ticks);
    }
    all
}
