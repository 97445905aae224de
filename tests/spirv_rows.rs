//! Every row of arithmetic on a Vulkan device against the emulator.
//!
//! Instructions come from the rows, with operands and modifiers by chance; registers hold edge values of every type. Some thirty instructions stand
//! in one program, each behind two that set EXEC and in front of some that keep what it wrote, and eight groups run it with registers of
//! their own. Where a program differs, its prefixes say which instruction did it. What has no translation is counted by reason.
//!
//! Drivers take their time to compile so many floats in integers: one in `SPIRV_EVERY` programs is tried (16), 1 tries all. `SPIRV_ROWS=gfx600,gfx1100`
//! chooses processors, `SPIRV_MIXED=N` how many instructions a form gives beside the plain one, `SPIRV_MODEL` a model, `SPIRV_ONLY` rows by a
//! part of their names.

#[path = "spirv/rows.rs"]
mod rows;
#[path = "spirv/setup.rs"]
mod setup;

use rows::{Draw, TOGETHER, differs, samples};
use std::collections::{BTreeMap, BTreeSet};
use wavediff::emu::plan::Program;
use wavediff::isa::{Arch, Target};
use wavediff::laws::Chance;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;

fn main() {
    let Some(gpu) = setup::gpu() else { return };
    let names = std::env::var("SPIRV_ROWS").unwrap_or_else(|_| "gfx600,gfx1100".to_owned());
    let number = |name: &str, usual| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (mixed, every) = (number("SPIRV_MIXED", 1), number("SPIRV_EVERY", 16).max(1));
    let wanted = std::env::var("SPIRV_MODEL").ok();
    let only = std::env::var("SPIRV_ONLY").ok();
    let mut bad = 0;
    for name in names.split(',') {
        let arch = Arch::find(name).expect("a processor");
        for lanes in [64, 32] {
            let Some(target) = Target::new(arch).wave(lanes) else { continue };
            for model in Model::ALL {
                if wanted.as_deref().is_some_and(|w| w != model.name()) {
                    continue;
                }
                let engine = Vulkan::new(gpu.open().expect("a device"), model);
                bad += compare(&engine, target, lanes, (mixed, every), only.as_deref());
            }
        }
    }
    if bad > 0 {
        println!("{bad} instructions differ");
        std::process::exit(1);
    }
}

fn compare(engine: &Vulkan, target: Target, lanes: u32, (mixed, every): (usize, usize), only: Option<&str>) -> usize {
    let draw = Draw { target, lanes, mixed, model: engine.model };
    let (all, left_out) = samples(draw, |form| only.is_none_or(|only| form.row.name.contains(only)));
    let mut wrong: BTreeMap<&'static str, String> = BTreeMap::new();
    let start = std::time::Instant::now();
    let mut chance = Chance::new(3);
    let mut tried = 0;
    for chunk in all.chunks(TOGETHER).step_by(if only.is_some() { 1 } else { every }) {
        tried += chunk.len();
        let seed = chance.next_u64();
        let mut from = 0;
        // Behind an instruction that differs the others are tried on their own.
        while from < chunk.len() {
            let rest = &chunk[from..];
            match differs(engine, target, lanes, rest, seed) {
                None => break,
                Some(_) => {
                    let at = (1..=rest.len()).find(|n| differs(engine, target, lanes, &rest[..*n], seed).is_some());
                    let at = at.unwrap_or(rest.len());
                    let why = differs(engine, target, lanes, &rest[..at], seed).unwrap_or_default();
                    let sample = &rest[at - 1];
                    let text = Program::plan(target, &sample.words, 0).text(0);
                    wrong.entry(sample.row).or_insert_with(|| format!("{text}: {why}"));
                    from += at;
                }
            }
        }
    }
    let rows: BTreeSet<&str> = all.iter().map(|s| s.row).collect();
    println!(
        "{} wave{lanes} {}: {tried} of {} instructions of {} rows, {} rows differ, {:.1} s",
        target.arch.name,
        engine.model.name(),
        all.len(),
        rows.len(),
        wrong.len(),
        start.elapsed().as_secs_f64()
    );
    for why in wrong.values() {
        println!("    {why}");
    }
    for (needs, rows) in &left_out {
        let rows: Vec<&str> = rows.iter().copied().collect();
        println!("    not translated, needs {needs}: {}", rows.join(" "));
    }
    wrong.len()
}
