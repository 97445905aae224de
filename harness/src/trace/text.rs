//! Steps for people and for programs: what was read and written, in hex and in its type, and where memory was touched.

use crate::run::show::lane_rows;
use serde_json::{Value, json};
use std::fmt::Write as _;
use wavediff::emu::memory::TouchedSpace;
use wavediff::emu::traced::record::{Event, Index, Item, Place, Shown};
use wavediff::isa::types::Ty;

fn shown(item: &Item, lanes: u64) -> impl Iterator<Item = (u64, u32)> + '_ {
    item.values.iter().copied().filter(move |(n, _)| item.index != Index::Lane || lanes >> (n & 63) & 1 == 1)
}

/// A step, with what is said of its clocks.
pub fn text(event: &Event, lanes: u64, clocks: Option<&str>) -> String {
    let mut out = String::new();
    let [x, y, z] = event.group;
    let _ = writeln!(
        out,
        "({x},{y},{z}):{} {:6}  {:06x}  {:48}  exec {:#x}",
        event.wave, event.number, event.pc, event.instruction, event.exec
    );
    if let Some(clocks) = clocks {
        let _ = writeln!(out, "    {clocks}");
    }
    items(&mut out, '<', &event.reads, lanes);
    addresses(&mut out, &event.touched, lanes);
    items(&mut out, '>', &event.writes, lanes);
    if let Some(trap) = &event.trap {
        let _ = writeln!(out, "    ! {trap}");
    }
    out
}

/// Items one behind the other; two registers that hold a wide value are shown together as well.
pub fn items(out: &mut String, mark: char, items: &[Item], lanes: u64) {
    let mut lower: Option<&Item> = None;
    for item in items {
        line(out, mark, item, lanes);
        let Some(Shown::One(ty)) = item.ty.filter(|ty| matches!(ty, Shown::One(ty) if ty.bytes() == 8)) else {
            lower = None;
            continue;
        };
        let pair = lower.filter(|low| low.ty == item.ty && low.index == Index::Lane && item.index == Index::Lane);
        match pair {
            Some(low) => {
                wide(out, mark, [low, item], ty, lanes);
                lower = None;
            }
            None => lower = Some(item),
        }
    }
}

/// A value of 64 bits in two registers.
fn wide(out: &mut String, mark: char, [low, high]: [&Item; 2], ty: Ty, lanes: u64) {
    let values: Vec<(u64, u64)> = shown(low, lanes)
        .filter_map(|(n, x)| {
            let (_, y) = high.values.iter().find(|(m, _)| *m == n)?;
            Some((n, u64::from(x) | u64::from(*y) << 32))
        })
        .collect();
    for side_by_side in values.chunk_by(|a, b| b.0 == a.0 + 1) {
        let bits: Vec<u64> = side_by_side.iter().map(|(_, v)| *v).collect();
        for (at, count, some) in lane_rows(&bits) {
            let words: Vec<String> = some.iter().map(|v| ty.show(*v)).collect();
            let lanes = numbers("lane", side_by_side[at].0, count as u64, 1);
            let _ = writeln!(out, "      {mark} {} and {}: {ty} {}  {lanes}", low.place, high.place, words.join(" "));
        }
    }
}

/// `lane 3`, `lanes 0-31`
fn numbers(what: &str, first: u64, count: u64, step: u64) -> String {
    match first + (count.max(1) - 1) * step {
        last if last == first => format!("{what} {first}"),
        last => format!("{what}s {first}-{last}"),
    }
}

/// Values in their type, if there is one and they fit into a register.
fn typed(ty: Option<Shown>, values: &[u64]) -> Option<String> {
    let all = |name: String, show: &dyn Fn(u64) -> String| {
        let shown: Vec<String> = values.iter().map(|v| show(*v)).collect();
        Some(format!("{name} {}", shown.join(" ")))
    };
    match ty? {
        Shown::One(ty) if ty.bytes() <= 4 => all(ty.to_string(), &|v| ty.show(v & ty.mask())),
        Shown::One(_) => None,
        Shown::Upper(ty) => all(ty.to_string(), &|v| ty.show(v >> 16)),
        Shown::Two(ty) => all(format!("2x{ty}"), &|v| format!("({}, {})", ty.show(v & 0xffff), ty.show(v >> 16))),
    }
}

/// Values that are equal or stand side by side share a line.
pub fn line(out: &mut String, mark: char, item: &Item, lanes: u64) {
    let values: Vec<(u64, u32)> = shown(item, lanes).collect();
    let step = if item.index == Index::Byte { 4 } else { 1 };
    match item.index {
        Index::Word => {
            let words: Vec<String> = values.iter().map(|(_, v)| format!("{v:#010x}")).collect();
            let bits: Vec<u64> = values.iter().map(|(_, v)| u64::from(*v)).collect();
            let wide: Vec<u64> = bits.chunks_exact(2).map(|pair| pair[0] | pair[1] << 32).collect();
            let typed = match item.ty {
                Some(Shown::One(ty)) if ty.bytes() == 8 && bits.len().is_multiple_of(2) => {
                    let shown: Vec<String> = wide.iter().map(|v| ty.show(*v)).collect();
                    Some(format!("{ty} {}", shown.join(" ")))
                }
                ty => typed(ty, &bits),
            };
            let typed = typed.map_or(String::new(), |typed| format!("  {typed}"));
            let _ = writeln!(out, "    {mark} {} = {}{typed}", item.place, words.join(" "));
        }
        Index::Lane | Index::Byte => {
            let what = if item.index == Index::Lane { "lane" } else { "byte" };
            for side_by_side in values.chunk_by(|a, b| b.0 == a.0 + step) {
                let bits: Vec<u64> = side_by_side.iter().map(|(_, v)| u64::from(*v)).collect();
                for (at, count, some) in lane_rows(&bits) {
                    let words: Vec<String> = some.iter().map(|v| format!("{v:#010x}")).collect();
                    let numbers = numbers(what, side_by_side[at].0, count as u64, step);
                    let typed = typed(item.ty, &some).map_or(String::new(), |typed| format!("  {typed}"));
                    let _ = writeln!(out, "    {mark} {} = {}  {numbers}{typed}", item.place, words.join(" "));
                }
            }
        }
    }
}

/// Where a place is, as people name it: the region and the bytes from its start.
fn place_name(place: &Place) -> String {
    let at = &place.at;
    match (at.space, &place.region) {
        (TouchedSpace::Lds, _) => format!("lds[{:#x}]", at.address),
        (TouchedSpace::Scratch, _) => format!("scratch[{:#x}]", at.address),
        (TouchedSpace::Memory, Some((name, offset))) => format!("{name}[{offset:#x}] = {:#x}", at.address),
        (TouchedSpace::Memory, None) => format!("{:#x}, which is not mapped", at.address),
    }
}

/// Lanes that go to places at equal distances share a line.
fn addresses(out: &mut String, places: &[Place], lanes: u64) {
    let wanted = |place: &&Place| place.at.lane.is_none_or(|lane| lanes >> (lane & 63) & 1 == 1);
    let places: Vec<&Place> = places.iter().filter(wanted).collect();
    let mut rest = &places[..];
    while let Some(first) = rest.first() {
        let alike = |place: &Place, n: usize| {
            let next = place.at.lane == first.at.lane.map(|lane| lane + n as u32) && first.at.lane.is_some();
            let region = |place: &Place| place.region.as_ref().map(|(name, _)| name.clone());
            next && (place.at.space, place.at.bytes, region(place)) == (first.at.space, first.at.bytes, region(first))
        };
        let distance = rest.get(1).map_or(0, |second| second.at.address.wrapping_sub(first.at.address));
        let run = (1..rest.len())
            .take_while(|n| {
                let steps = (*n as u64).wrapping_mul(distance);
                alike(rest[*n], *n) && rest[*n].at.address == first.at.address.wrapping_add(steps)
            })
            .count()
            + 1;
        let bytes = first.at.bytes;
        let lanes =
            first.at.lane.map_or(String::new(), |lane| format!("  {}", numbers("lane", lane.into(), run as u64, 1)));
        let step = match distance as i64 {
            _ if run == 1 => String::new(),
            0 => ", all there".to_owned(),
            step if step < 0 => format!(", {:#x} less each lane", step.unsigned_abs()),
            step => format!(", {step:#x} more each lane"),
        };
        let _ = writeln!(out, "    @ {}{step}, {bytes} bytes{lanes}", place_name(first));
        rest = &rest[run..];
    }
}

/// What was read or written, for programs.
pub fn item_json(item: &Item) -> Value {
    some_json(item, u64::MAX)
}

fn some_json(item: &Item, lanes: u64) -> Value {
    let index = match item.index {
        Index::Lane => "lane",
        Index::Word => "word",
        Index::Byte => "byte",
    };
    let values: Vec<Value> = shown(item, lanes).map(|(n, v)| json!([n, format!("{v:#010x}")])).collect();
    let mut all = json!({"place": item.place, "index": index, "values": values});
    if let Some(ty) = item.ty {
        all["type"] = match ty {
            Shown::One(ty) | Shown::Upper(ty) => json!(ty.name()),
            Shown::Two(ty) => json!(format!("2x{ty}")),
        };
        let each = |v: u32| {
            let typed = typed(Some(ty), &[v.into()])?;
            Some(typed.split_once(' ').map_or(String::new(), |(_, shown)| shown.to_owned()))
        };
        let shown: Option<Vec<String>> = shown(item, lanes).map(|(_, v)| each(v)).collect();
        if let Some(shown) = shown {
            all["shown"] = json!(shown);
        }
    }
    all
}

fn place_json(place: &Place) -> Value {
    let at = &place.at;
    let space = match at.space {
        TouchedSpace::Memory => "memory",
        TouchedSpace::Lds => "lds",
        TouchedSpace::Scratch => "scratch",
    };
    let mut all = json!({"lane": at.lane, "space": space, "address": format!("{:#x}", at.address), "bytes": at.bytes});
    if let Some((name, offset)) = &place.region {
        all["region"] = json!(name);
        all["offset"] = json!(offset);
    }
    all
}

/// A step, for programs.
pub fn json(event: &Event, lanes: u64) -> Value {
    let items = |items: &[Item]| -> Value { items.iter().map(|item| some_json(item, lanes)).collect() };
    let wanted = |place: &&Place| place.at.lane.is_none_or(|lane| lanes >> (lane & 63) & 1 == 1);
    let mut all = json!({
        "group": event.group, "wave": event.wave, "number": event.number, "pc": event.pc,
        "instruction": event.instruction, "exec": format!("{:#x}", event.exec),
        "reads": items(&event.reads), "writes": items(&event.writes),
        "addresses": event.touched.iter().filter(wanted).map(place_json).collect::<Vec<_>>(),
    });
    if let Some(trap) = &event.trap {
        all["trap"] = json!(trap.to_string());
    }
    all
}
