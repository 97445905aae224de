//! How many ALU groups of R600 the emulator executes a second: 64 lanes, on one core.

use std::time::Instant;
use wavediff::r600::Machine;
use wavediff::r600::assemble::{Options, assemble};
use wavediff::r600::emu::plan::Plan;
use wavediff::r600::emu::{LoopConstant, Setup, Stage, execute};

/// Groups of five plain float operations, 24 of them in a loop.
fn floats() -> String {
    let mut text = String::from("LOOP_START ADDR(end) CF_CONST(0)\ntop:\nALU:\n");
    for n in 0..24 {
        let (to, from) = (2 + n % 6, 2 + (n + 1) % 6);
        text += &format!(
            "{n} x: ADD R{to}.x, R{from}.x, R1.x\n y: MUL R{to}.y, R{from}.y, R1.y\n z: MULADD R{to}.z, R{from}.z, R1.z, R1.w\n \
             w: MAX R{to}.w, R{from}.w, PV.x\n t: ADD R{to}.x, R{from}.y, -R1.z\n"
        );
    }
    text + "LOOP_END ADDR(top) CF_CONST(0)\nend:\nNOP EOP\n"
}

fn main() {
    const TURNS: u32 = 4000;
    let options = Options { machine: Some(Machine::R600), ..Options::default() };
    let words = assemble("floats", &floats(), options).words.expect("a program");
    let mut setup = Setup::new(Machine::R600, Stage::Ps, 64);
    setup.budget = u64::MAX;
    setup.loops.insert(0, LoopConstant { count: TURNS, ..LoopConstant::default() });
    for gpr in 0..8 {
        let lanes =
            (0..64).map(|lane| std::array::from_fn(|n| (1.0 + (gpr * 4 + n as u32 + lane) as f32 / 512.0).to_bits()));
        setup.gprs.insert(gpr, lanes.collect());
    }
    let (plan, fetch) = (Plan::new(Machine::R600, &words, &setup), Plan::new(Machine::R600, &[], &setup));
    let mut best = f64::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        execute(&plan, &fetch, &setup).expect("an outcome");
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{:.1} M groups/s of five float operations in 64 lanes", f64::from(TURNS * 24) / best / 1e6);
}
