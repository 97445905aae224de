//! Whole random programs on a Vulkan device against the emulator, one after another in one process, under the validation layer where it is
//! installed: nothing hangs, nothing is left behind, and what both leave is the same.
//!
//! `SPIRV_PROGRAMS=1000` says how many (10, and 30 in CI), `SPIRV_SEED=N` where to begin, `SPIRV_MODEL=serial` in which lane model, `SPIRV_RENEW=N`
//! after how many pipelines the engine opens the device again.

#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use quickly::compile_quickly;
use std::collections::BTreeMap;
use thorough::tries;
use wavediff::emu::engine::Emulator;
use wavediff::engine::compare::{Difference, outcomes};
use wavediff::engine::{Engine, EngineError};
use wavediff::laws::settled;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan;

/// Memory of this process that is in use, in MiB; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib / 1024)
}

fn main() {
    compile_quickly();
    let Some(mut gpu) = setup::gpu() else { return };
    let validated = vulkan::Vulkan::load(&vulkan::Options { validate: true, ..vulkan::Options::default() });
    if let Ok(found) = validated.and_then(|v| v.choose(&vulkan::Choice::parse("0")).cloned()) {
        gpu = found;
    }
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual);
    let (count, seed) = (number("SPIRV_PROGRAMS", tries(10, 30)), number("SPIRV_SEED", 1));
    let wanted = std::env::var("SPIRV_MODEL").unwrap_or_else(|_| "workgroup".to_owned());
    let model = Model::ALL.into_iter().find(|m| m.name() == wanted).expect("a lane model");
    let mut engine = Vulkan::new(gpu.open().expect("a device"), model);
    engine.renew = u32::try_from(number("SPIRV_RENEW", engine.renew.into())).expect("a number of pipelines");
    let start = std::time::Instant::now();
    let (mut equal, mut trapped, mut bad) = (0, 0, 0);
    let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
    let mut memory = Vec::new();
    for n in seed..seed + count {
        if (n - seed).is_multiple_of(count.div_ceil(20).max(1)) {
            memory.push(resident());
            println!("{} programs, {} MiB, {} s", n - seed, resident(), start.elapsed().as_secs());
        }
        let (trial, expected) = settled(&n.to_le_bytes());
        let Some(expected) = expected else {
            *skipped.entry("the emulator refuses it".to_owned()).or_default() += 1;
            continue;
        };
        let got = match engine.run(&trial.case, trial.target) {
            Ok(got) => got,
            Err(EngineError::Unsupported(why)) => {
                *skipped.entry(format!("needs {}", why.needs)).or_default() += 1;
                continue;
            }
            Err(e) => panic!("program {n}: {e}\n{}", trial.case),
        };
        if expected.trap.is_some() {
            // What other waves had done by then is a matter of chance.
            trapped += 1;
            let kind = |trap: &Option<wavediff::engine::Trap>| trap.as_ref().map(|trap| trap.kind.name());
            if kind(&expected.trap) == kind(&got.trap) {
                continue;
            }
        }
        let differences = outcomes(&trial.case, trial.target, &expected, &got);
        if differences.is_empty() {
            equal += 1;
            continue;
        }
        // Lanes of one store may write the same bytes, and nothing says which is the last.
        let run = |emulator: Emulator| Engine::run(&emulator, &trial.case, trial.target);
        let races = Emulator::default().races(run, |a, b| outcomes(&trial.case, trial.target, a, b)).expect("outcomes");
        let differences: Vec<Difference> = differences.into_iter().filter(|d| !d.is_among(&races)).collect();
        if differences.is_empty() {
            *skipped.entry("the order of lanes decides".to_owned()).or_default() += 1;
            continue;
        }
        bad += 1;
        println!("program {n} on {}:\n{}", trial.target.arch.name, trial.case);
        for difference in differences.iter().take(3) {
            println!("    {}", difference.show("emulator", "device"));
        }
    }
    memory.push(resident());
    let seconds = start.elapsed().as_secs();
    println!("{count} programs: {equal} equal, {trapped} trap, {bad} differ; memory in MiB {memory:?}; {seconds} s");
    for (why, count) in skipped {
        println!("    {count} left out: {why}");
    }
    // What a device lacks is named above; that of CI lacks nothing that most programs need.
    let required = std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_some();
    assert!(!required || bad > 0 || equal >= count / 4, "few of the programs were compared");
    assert_eq!(engine.device().allocations(), 0, "memory of the device is left");
    drop(engine);
    println!("{} MiB when the device is closed", resident());
    if bad > 0 {
        std::process::exit(1);
    }
}
