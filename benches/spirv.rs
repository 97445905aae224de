//! The translator: machine instructions a second to SPIR-V, without what a driver makes of it, and kernels of it on a device beside the emulator.
//!
//! `cargo bench --bench spirv` measures the translation with criterion; then, where there is a Vulkan device, it prints the time of one dispatch of
//! a program on the emulator and on the device, which took turns.

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::time::{Duration, Instant};
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::engine::Emulator;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::keep::Wanted;
use wavediff::engine::registers::Registers;
use wavediff::engine::{Job, Runner};
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::program::Program;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::spirv::lower::{Options, translate};
use wavediff::vulkan;

/// What compiled kernels are mostly made of.
const MIX: &str = "
    v_add_co_u32 v4, vcc, v1, v2
    v_and_b32 v5, v3, v4
    v_lshlrev_b32 v6, 2, v5
    v_mul_f32 v7, v1, v2
    s_add_u32 s4, s2, s3
    v_fma_f32 v8, v7, v2, v3
    v_cmp_lt_f32 vcc, v8, v1
    v_cndmask_b32 v9, v8, v1, vcc
    s_and_b64 s[6:7], s[4:5], vcc
    v_xor_b32 v10, v9, v6
    v_add_f32 v11, v10, v8
    s_lshl_b32 s8, s4, 3
";

/// Assembles and plans.
fn program(gpu: &str, source: &str) -> Program {
    let target = Target::new(Arch::find(gpu).expect(gpu));
    let module = match assemble("bench.s", source, &Assembler::new(target), target) {
        Ok(module) => module,
        Err(problems) => panic!("{problems:?}"),
    };
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let words: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Program::new(target, &words, 0x1000)
}

fn translation(c: &mut Criterion) {
    let source = format!("{}s_endpgm\n", MIX.repeat(400));
    let program = program("gfx900", &source);
    let instructions = 12 * 400 + 1;
    let mut group = c.benchmark_group("translate");
    group.throughput(Throughput::Elements(instructions));
    for model in Model::ALL {
        let options = Options::new(program.target, model, 64);
        group.bench_function(model.name(), |b| b.iter(|| black_box(translate(&program, &options).words.len())));
    }
    // Where an invocation has two lanes of a wave.
    let options = Options { subgroup: 32, ..Options::new(program.target, Model::Subgroup, 64) };
    group.bench_function("subgroup of 32", |b| b.iter(|| black_box(translate(&program, &options).words.len())));
    group.finish();
}

/// A loop of vector arithmetic in each of many groups.
fn beside_the_emulator() {
    let gpu = match vulkan::Vulkan::load(&vulkan::Options::default())
        .and_then(|v| v.choose(&vulkan::Choice::default()).cloned())
    {
        Ok(gpu) => gpu,
        Err(reason) => return println!("no device: {reason}"),
    };
    for (what, body) in [
        ("integers", "v_add_u32 v4, v1, v2\nv_xor_b32 v1, v4, v3\nv_lshlrev_b32 v2, 1, v1\n"),
        ("f32", "v_fma_f32 v4, v1, v2, v3\nv_mul_f32 v1, v4, v2\nv_add_f32 v2, v1, v3\n"),
    ] {
        let source = format!(
            "s_movk_i32 s0, 100\nagain:\n{body}s_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 again\ns_endpgm\n"
        );
        let program = program("gfx900", &source);
        let memory = Memory::new();
        let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
            for n in 0..4 {
                for lane in 0..64 {
                    wave.set_vgpr(n, lane, 0x3f80_0000 + (n * 64 + lane) as u32);
                }
            }
        };
        let dispatch = Dispatch { groups: [64, 1, 1], ..Dispatch::of_one(&program, &memory, 64, &setup) };
        let job = Job { dispatch: &dispatch, lds: None, keep: Wanted::Nothing, timeout: None };
        let instructions = 64.0 * (2.0 + 100.0 * 6.0);
        let mut emulator = Duration::MAX;
        let mut device = Model::ALL.map(|model| (model, Duration::MAX));
        for _ in 0..3 {
            let start = Instant::now();
            let _ = Emulator::default().run(&job);
            emulator = emulator.min(start.elapsed());
            for (model, best) in &mut device {
                let Ok(device) = gpu.open() else { continue };
                let engine = Vulkan::new(device, *model);
                if engine.run(&job).is_ok() {
                    *best = engine.costs().host.min(*best);
                }
            }
        }
        let rate = |time: Duration| instructions / time.as_secs_f64() / 1e6;
        let rates = device.map(|(model, best)| format!("{} {:.2}", model.name(), rate(best))).join(", ");
        println!(
            "{what}: emulator on one thread {:.1} M wave-instructions/s; {} {rates}",
            rate(emulator),
            gpu.caps.name
        );
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    translation(&mut criterion);
    criterion.final_summary();
    beside_the_emulator();
}
