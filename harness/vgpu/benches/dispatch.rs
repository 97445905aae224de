//! What a dispatch costs beside its work: `cargo bench -p wavediff-vgpu --bench dispatch`.
//!
//! - `small`: a submission of one dispatch of one small group, whose shader was met before;
//! - `thousand`: a command buffer of a thousand of them, per dispatch;
//! - `packets`: a command buffer of packets that set registers, per packet;
//! - `empty`: a submission of nothing but a filler.

#[path = "../tests/support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use support::{DATA, Machine, packet, pair, program, set};
use wavediff_vgpu::card::{Engine, Ring};

/// Chips that are measured: an old one and a new one.
const CHIPS: [(&str, &str); 2] = [
    (
        "polaris10",
        "v_mov_b32_e32 v1, s0
         v_mov_b32_e32 v2, s1
         v_lshlrev_b32_e32 v3, 2, v0
         v_add_u32_e32 v1, vcc, v1, v3
         flat_store_dword v[1:2], v0
         s_endpgm",
    ),
    (
        "navi31",
        "v_lshlrev_b32_e32 v1, 2, v0
         global_store_b32 v1, v0, s[0:1]
         s_endpgm",
    ),
];

fn benches(c: &mut Criterion) {
    for (chip, code) in CHIPS {
        let machine = Machine::new(chip);
        machine.code(code);
        let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
        let mut run = |words: &[u32]| machine.run_on(&mut ring, words).expect("it runs");
        run(&[program(2 << 1, [64, 1, 1]), set(0xb900, &pair(DATA))].concat());
        let dispatch = packet(0x15, &[1, 1, 1, 5]);
        let user = set(0xb900, &pair(DATA));
        let mut group = c.benchmark_group(chip);
        let mut measure = |name: &str, of: &[u32], count: usize| {
            let words: Vec<u32> = of.iter().copied().cycle().take(of.len() * count).collect();
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(name, |b| b.iter(|| run(&words)));
        };
        measure("small", &dispatch, 1);
        measure("thousand", &dispatch, 1000);
        measure("packets", &user, 1000);
        measure("empty", &[0xffff_1000], 1);
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    benches(&mut criterion);
    criterion.final_summary();
}
