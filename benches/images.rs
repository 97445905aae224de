//! Image instructions of the emulator: the time of one for 64 lanes.
//!
//! `cargo bench --bench images` measures with criterion. A name says the processor's layout, the format and what is done; the lanes take
//! neighbouring texels of rows, as shaders do.

#[path = "support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use support::{image, looped, program_of};
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;

const TIMES: usize = 2000;

fn main() {
    let memory = image::texels();
    let criterion = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(1));
    let mut criterion = criterion.warm_up_time(Duration::from_millis(300)).configure_from_args();
    let mut group = criterion.benchmark_group("images");
    group.throughput(Throughput::Elements(TIMES as u64));
    for (name, format, mode, line) in image::ROWS {
        let program = program_of(image::target(), &looped(&format!("{line}\n"), TIMES));
        let setup = image::registers(name, format, *mode);
        let dispatch = Dispatch::of_one(&program, &memory, 64, &setup);
        let plan = Plan::new(&program);
        group.bench_function(*name, |bencher| {
            bencher.iter(|| {
                let finished = grid::run(&dispatch, &plan, &Hooks::default());
                assert!(
                    finished.groups.iter().all(|group| group.trap.is_none()),
                    "{name}: {:?}",
                    finished.groups[0].trap
                );
                black_box(finished.steps)
            });
        });
    }
    group.finish();
    criterion.final_summary();
}
