//! Many dispatches in one process leave nothing behind: 100,000 of one small group each, with the memory of the process measured after
//! 10,000 and after all.
//!
//! A hundred bytes that stay of each dispatch are nine megabytes more between the two, and the test fails at [`MOST`]: `teeth.rs` plants
//! that leak and looks whether it is found.

mod support;

use support::{DATA, Machine, packet, pair, program, set};
use wavediff_vgpu::card::{Engine, Ring};

/// Dispatches of a submission.
const EACH: u32 = 100;
/// Dispatches before the memory is measured first, and between the two times.
const BEFORE: u32 = 10_000;
const BETWEEN: u32 = 90_000;
/// What the process may have grown by.
const MOST: u64 = 4 << 20;

/// Bytes of the process that are in memory.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Runs so many dispatches.
fn run(machine: &Machine, ring: &mut Ring, dispatches: u32) {
    let dispatch = packet(0x15, &[1, 1, 1, 5]);
    let submission: Vec<u32> = dispatch.iter().copied().cycle().take(dispatch.len() * EACH as usize).collect();
    for _ in 0..dispatches / EACH {
        machine.run_on(ring, &submission).expect("fits");
    }
}

#[test]
fn many_dispatches_leave_nothing() {
    let machine = Machine::new("navi31");
    // Each dispatch counts itself.
    machine.code(
        "v_mov_b32_e32 v1, 0
         v_mov_b32_e32 v2, 1
         s_mov_b64 exec, 1
         global_atomic_add_u32 v1, v2, s[0:1]
         s_endpgm",
    );
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    machine.run_on(&mut ring, &[program(2 << 1, [64, 1, 1]), set(0xb900, &pair(DATA))].concat()).expect("fits");
    run(&machine, &mut ring, BEFORE);
    let Some(before) = resident() else {
        println!("skipped: no /proc/self/status");
        return;
    };
    run(&machine, &mut ring, BETWEEN);
    let after = resident().expect("fits");
    assert_eq!(machine.words(DATA, 1), [BEFORE + BETWEEN]);
    println!("resident: {} KiB after {BEFORE}, {} KiB after {BETWEEN} more", before >> 10, after >> 10);
    assert!(after < before + MOST, "{} KiB became {} KiB", before >> 10, after >> 10);
}
