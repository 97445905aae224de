//! The emulator at work: wave-instructions a second, and the same work done by plain Rust.
//!
//! `cargo bench --bench emu` measures with criterion; then it prints ratios, each from measurements that took turns, so that what else the machine
//! does touches both sides alike. `cargo bench --bench emu -- --ratios` prints only those,
//! `-- --ratios clock` those of the model of the clock alone.

#[path = "support/mod.rs"]
mod support;

use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};
use support::{Row, image, in_turn, looped, program, program_of};
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::engine::Emulator;
use wavediff::emu::grid::{self, Finished, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::emu::timed;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::launch::{self, Loaded};
use wavediff::memory::guest::Memory;
use wavediff::object::write_shared;
use wavediff::program::Program;

/// A grid ready to run.
struct Grid<'a> {
    plan: &'a Plan<'a>,
    memory: &'a Memory,
    groups: [u32; 3],
    waves: u32,
    threads: usize,
    setup: &'a (dyn Fn([u32; 3], u32, &mut Registers) + Sync),
}

impl Grid<'_> {
    /// Runs it; gives how many wave-instructions it took.
    fn run(&self) -> u64 {
        self.check(grid::run(&self.dispatch(), self.plan, &Hooks::default()))
    }

    /// The same under the clock.
    fn timed(&self) -> u64 {
        self.check(timed::run(&self.dispatch(), self.plan, &Hooks::default(), None, 0).0)
    }

    fn check(&self, finished: Finished) -> u64 {
        if let Some(trap) = finished.groups.iter().find_map(|group| group.trap.as_ref()) {
            panic!("{trap:?}");
        }
        finished.steps
    }

    fn dispatch(&self) -> Dispatch<'_> {
        Dispatch {
            groups: self.groups,
            waves: self.waves,
            lds: 0x2000,
            threads: self.threads,
            ..Dispatch::of_one(self.plan.program, self.memory, 64, self.setup)
        }
    }
}

/// The registers of the loops: numbers that stay in range.
fn numbers(_: [u32; 3], _: u32, wave: &mut Registers) {
    for lane in 0..64 {
        for register in 0..16 {
            wave.set_vgpr(register, lane, (1.0 + 0.01 * lane as f32 / (register + 1) as f32).to_bits());
        }
    }
}

fn one<'a>(plan: &'a Plan<'a>, memory: &'a Memory) -> Grid<'a> {
    Grid { plan, memory, groups: [1; 3], waves: 1, threads: 1, setup: &numbers }
}

/// Loops of one vector instruction, each on registers in turn.
const VECTOR: [(&str, &str); 6] = [
    ("v_fma_f32", "v_fma_f32 v{d}, v1, v2, v{s}"),
    ("v_add_f32", "v_add_f32 v{d}, v1, v{s}"),
    ("v_and_b32", "v_and_b32 v{d}, v1, v{s}"),
    ("v_cmp_lt_f32", "v_cmp_lt_f32 vcc, v1, v{s}"),
    ("v_cndmask_b32", "v_cndmask_b32 v{d}, v1, v{s}, vcc"),
    ("v_add_co_u32", "v_add_co_u32 v{d}, vcc, v1, v{s}"),
];

fn vector_loop(line: &str) -> String {
    let body: String = (0..32)
        .map(|n| line.replace("{d}", &(8 + n % 8).to_string()).replace("{s}", &(3 + n % 4).to_string()) + "\n")
        .collect();
    looped(&body, 1000)
}

/// Scalar instructions in the mix of address arithmetic and loops.
fn scalar_loop() -> String {
    let body: String = (0..8)
        .map(|n| {
            format!(
                "s_add_u32 s{a}, s{a}, s{b}\ns_and_b32 s{b}, s{a}, 0xff\ns_lshl_b32 s{c}, s{b}, 3\ns_cmp_lt_u32 s{c}, s{a}\n",
                a = 12 + n,
                b = 20 + n,
                c = 28 + n
            )
        })
        .collect();
    looped(&body, 1000)
}

/// How often the points of the Mandelbrot set are iterated.
const ITERATIONS: u32 = 2000;

/// z = z^2 + c, and how often |z| < 2 was seen.
fn mandelbrot() -> String {
    looped(
        "v_mul_f32 v4, v2, v2
v_mul_f32 v5, v3, v3
v_mul_f32 v6, v2, v3
v_add_f32 v7, v4, v5
v_cmp_gt_f32 vcc, 4.0, v7
v_addc_co_u32 v8, vcc, 0, v8, vcc
v_sub_f32 v2, v4, v5
v_add_f32 v2, v2, v0
v_fma_f32 v3, v6, 2.0, v1
",
        ITERATIONS as usize,
    )
}

/// A point for each lane, inside of the set, so that all go on to the end.
fn point(lane: usize) -> (f32, f32) {
    (-0.2 + 0.003 * lane as f32, 0.1 + 0.002 * lane as f32)
}

/// Round to nearest and all denormals kept, as the host computes.
const KEEP: u32 = 0x3f0;

/// The start of the iteration, in the mode of the host.
fn points(group: [u32; 3], index: u32, wave: &mut Registers) {
    flushing_points(group, index, wave);
    wave.mode = KEEP;
}

/// The same in the mode that kernels start in: f32 denormals are flushed.
fn flushing_points(_: [u32; 3], _: u32, wave: &mut Registers) {
    for lane in 0..64 {
        let (x, y) = point(lane);
        for (register, v) in [(0, x.to_bits()), (1, y.to_bits()), (2, 0), (3, 0), (8, 0)] {
            wave.set_vgpr(register, lane, v);
        }
    }
}

type Lanes = Row<f32>;
type Counts = Row<u32>;

const ZERO: Lanes = Row([0.0; 64]);

/// The same lane arithmetic: one loop over the lanes for all of it.
#[inline(always)]
fn fused(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
    let (mut x, mut y): (Lanes, Lanes) = (ZERO, ZERO);
    for _ in 0..iterations {
        for lane in 0..64 {
            let (xx, yy, xy) = (x.0[lane] * x.0[lane], y.0[lane] * y.0[lane], x.0[lane] * y.0[lane]);
            n.0[lane] += u32::from(xx + yy < 4.0);
            x.0[lane] = xx - yy + cx.0[lane];
            y.0[lane] = xy.mul_add(2.0, cy.0[lane]);
        }
        black_box((&mut x, &mut y));
    }
}

/// The same lane arithmetic: a loop over the lanes for each operation, as a wave does it, with `z` for every f32 that goes in and comes out.
#[inline(always)]
fn each(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32, z: impl Fn(f32) -> f32) {
    let (mut x, mut y): (Lanes, Lanes) = (ZERO, ZERO);
    let (mut xx, mut yy, mut xy, mut r): (Lanes, Lanes, Lanes, Lanes) = (ZERO, ZERO, ZERO, ZERO);
    for _ in 0..iterations {
        (0..64).for_each(|i| xx.0[i] = z(z(x.0[i]) * z(x.0[i])));
        black_box(&mut xx);
        (0..64).for_each(|i| yy.0[i] = z(z(y.0[i]) * z(y.0[i])));
        black_box(&mut yy);
        (0..64).for_each(|i| xy.0[i] = z(z(x.0[i]) * z(y.0[i])));
        black_box(&mut xy);
        (0..64).for_each(|i| r.0[i] = z(z(xx.0[i]) + z(yy.0[i])));
        black_box(&mut r);
        (0..64).for_each(|i| n.0[i] += u32::from(z(r.0[i]) < 4.0));
        black_box(&mut *n);
        (0..64).for_each(|i| x.0[i] = z(z(xx.0[i]) - z(yy.0[i])));
        black_box(&mut x);
        (0..64).for_each(|i| x.0[i] = z(z(x.0[i]) + z(cx.0[i])));
        black_box(&mut x);
        (0..64).for_each(|i| y.0[i] = z(z(xy.0[i]).mul_add(2.0, z(cy.0[i]))));
        black_box(&mut y);
    }
}

/// Denormals kept, as Rust does.
#[inline(always)]
fn separate(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
    each(cx, cy, n, iterations, |v| v);
}

/// Denormals flushed.
#[inline(always)]
fn flushed(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
    let z = |v: f32| {
        let bits = v.to_bits();
        f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
    };
    each(cx, cy, n, iterations, z);
}

macro_rules! levels {
    ($plain:ident $avx2:ident $avx512:ident $of:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
        fn $avx2(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
            $of(cx, cy, n, iterations);
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl")]
        fn $avx512(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
            $of(cx, cy, n, iterations);
        }
        /// With the vector instructions that the kernels of the emulator use on this host.
        #[allow(unsafe_code, reason = "what the host has is asked first")]
        fn $plain(cx: &Lanes, cy: &Lanes, n: &mut Counts, iterations: u32) {
            #[cfg(target_arch = "x86_64")]
            {
                let v3 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
                let v4 = is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl");
                if v3 && v4 {
                    // SAFETY: the host has them.
                    return unsafe { $avx512(cx, cy, n, iterations) };
                }
                if v3 {
                    // SAFETY: the host has them.
                    return unsafe { $avx2(cx, cy, n, iterations) };
                }
            }
            $of(cx, cy, n, iterations);
        }
    };
}
levels!(rust_fused fused_avx2 fused_avx512 fused);
levels!(rust_separate separate_avx2 separate_avx512 separate);
levels!(rust_flushed flushed_avx2 flushed_avx512 flushed);

/// Rows and columns of the matrices.
const N: u32 = 256;
const A: u64 = 0x1_0000_0000;
const B: u64 = 0x2_0000_0000;
const C: u64 = 0x3_0000_0000;

/// C = A B in tiles of 16 by 16: a group of 256 work-items loads a tile of each, then multiplies them out of LDS.
fn matmul() -> String {
    let mut steps = String::new();
    for k in (0..16).step_by(2) {
        // Two of a row of A, and two of a column of B, 16 words apart.
        steps += &format!(
            "ds_read2_b32 v[13:14], v8 offset0:{k} offset1:{}\nds_read2_b32 v[15:16], v9 offset0:{} offset1:{}\n",
            k + 1,
            16 * k,
            16 * (k + 1)
        );
        steps += "s_waitcnt lgkmcnt(0)\nv_mac_f32 v10, v13, v15\nv_mac_f32 v10, v14, v16\n";
    }
    format!(
        "s_mov_b32 m0, -1
v_and_b32 v1, 15, v0
v_lshrrev_b32 v2, 4, v0
s_lshl_b32 s18, s17, 4
v_add_i32 v3, vcc, s18, v2
s_lshl_b32 s19, s16, 4
v_add_i32 v4, vcc, s19, v1
v_lshlrev_b32 v5, 8, v3
v_add_i32 v17, vcc, v5, v4
v_add_i32 v5, vcc, v5, v1
v_lshlrev_b32 v5, 2, v5
v_lshlrev_b32 v6, 8, v2
v_add_i32 v6, vcc, v6, v4
v_lshlrev_b32 v6, 2, v6
v_lshlrev_b32 v17, 2, v17
v_lshlrev_b32 v7, 2, v0
v_lshlrev_b32 v8, 6, v2
v_lshlrev_b32 v9, 2, v1
v_add_i32 v9, vcc, 0x400, v9
v_mov_b32 v10, 0
s_mov_b32 s20, 16
tile:
buffer_load_dword v11, v5, s[4:7], 0 offen
buffer_load_dword v12, v6, s[8:11], 0 offen
s_waitcnt vmcnt(0)
ds_write_b32 v7, v11
ds_write_b32 v7, v12 offset:1024
s_waitcnt lgkmcnt(0)
s_barrier
{steps}v_add_i32 v5, vcc, 64, v5
v_add_i32 v6, vcc, 0x4000, v6
s_sub_u32 s20, s20, 1
s_cmp_lg_u32 s20, 0
s_barrier
s_cbranch_scc1 tile
buffer_store_dword v10, v17, s[12:15], 0 offen
s_endpgm
"
    )
}

fn matrices() -> Memory {
    let mut memory = Memory::new();
    let of = |f: fn(u32) -> f32| (0..N * N).flat_map(|n| f(n).to_le_bytes()).collect::<Vec<u8>>();
    memory.map_bytes("a", A, &of(|n| (n % 7) as f32 - 3.0), false).expect("memory");
    memory.map_bytes("b", B, &of(|n| (n % 5) as f32 - 2.0), false).expect("memory");
    memory.map_bytes("c", C, &of(|_| 0.0), true).expect("memory");
    memory
}

fn tiles(group: [u32; 3], index: u32, wave: &mut Registers) {
    for (at, base) in [(4, A), (8, B), (12, C)] {
        wave.set_pair(at, base);
        wave.s[at + 2] = N * N * 4;
        wave.s[at + 3] = 0xf000;
    }
    wave.s[16] = group[0];
    wave.s[17] = group[1];
    for lane in 0..64 {
        wave.set_vgpr(0, lane, index * 64 + lane as u32);
    }
}

/// Whether the product is right.
fn check_product(memory: &Memory) {
    let mut bytes = vec![0; (N * N * 4) as usize];
    memory.read_bytes(C, &mut bytes).expect("the product");
    for (n, c) in bytes.chunks_exact(4).enumerate().step_by(97) {
        let (row, column) = (n as u32 / N, n as u32 % N);
        let sum: f32 = (0..N).map(|k| (((row * N + k) % 7) as f32 - 3.0) * (((k * N + column) % 5) as f32 - 2.0)).sum();
        assert_eq!(f32::from_le_bytes([c[0], c[1], c[2], c[3]]), sum, "row {row}, column {column}");
    }
}

/// A code object with a small kernel.
fn code_object() -> Vec<u8> {
    let target = Target::new(Arch::find("gfx900").expect("gfx900"));
    let source = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\nv_add_f32 v0, v0, v0\n\
        v_fma_f32 v1, v0, v0, v1\ns_endpgm\n.section .rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n\
        .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n";
    let module = assemble("k.s", source, &Assembler::new(target), target).unwrap_or_else(|e| panic!("{e:?}"));
    write_shared(&module).expect("a code object")
}

/// Where a fresh process finds the code object, and says that it is one.
const START: &str = "WAVEDIFF_BENCH_START";

/// The time from the bytes to the end of a wave of three instructions, in this process, where nothing was made yet.
fn start(file: &str) {
    let bytes = std::fs::read(file).expect(file);
    let begin = Instant::now();
    let loaded = Loaded::load(&bytes).expect("a code object");
    let mut launch = launch::Dispatch::new(&loaded, "k", [64, 1, 1], [64, 1, 1], &[]).expect("a launch");
    let outcome = Emulator::default().run_kernel(&loaded, &mut launch, None).expect("a run");
    assert!(outcome.trap.is_none());
    println!("{}", begin.elapsed().as_nanos());
}

/// Fresh processes: the median.
fn fresh_start() -> Duration {
    let file = std::env::temp_dir().join(format!("wavediff-bench-{}.co", std::process::id()));
    std::fs::write(&file, code_object()).expect("a file");
    let program = std::env::current_exe().expect("this program");
    let mut times: Vec<u64> = (0..21)
        .map(|_| {
            let done = Command::new(&program).env(START, &file).output().expect("a process");
            String::from_utf8_lossy(&done.stdout).trim().parse().expect("nanoseconds")
        })
        .collect();
    let _ = std::fs::remove_file(&file);
    times.sort_unstable();
    Duration::from_nanos(times[times.len() / 2])
}

fn ratios() {
    let memory = Memory::new();
    println!("wave-instructions a second, one core, wave64:");
    for (name, line) in VECTOR {
        let program = program("gfx900", &vector_loop(line));
        let plan = Plan::new(&program);
        let grid = one(&plan, &memory);
        let steps = grid.run();
        let [time] = in_turn(30, [&mut || _ = black_box(grid.run())]);
        println!("  {name:<16}{:>7.0} M", steps as f64 / time / 1e6);
    }
    let program_ = program("gfx900", &scalar_loop());
    let plan = Plan::new(&program_);
    let grid = one(&plan, &memory);
    let steps = grid.run();
    let [time] = in_turn(30, [&mut || _ = black_box(grid.run())]);
    println!("  {:<16}{:>7.0} M", "scalar", steps as f64 / time / 1e6);

    let program_ = program("gfx900", &mandelbrot());
    let plan = Plan::new(&program_);
    let keep = Grid { setup: &points, ..one(&plan, &memory) };
    let flush = Grid { setup: &flushing_points, ..one(&plan, &memory) };
    let steps = keep.run();
    let (cx, cy): (Lanes, Lanes) = (Row(std::array::from_fn(|l| point(l).0)), Row(std::array::from_fn(|l| point(l).1)));
    let rust = |f: fn(&Lanes, &Lanes, &mut Counts, u32)| {
        let mut n = Row([0; 64]);
        f(black_box(&cx), black_box(&cy), &mut n, ITERATIONS);
        assert_eq!(n.0, [ITERATIONS; 64]);
    };
    let [emulated, flushing, fused, separate, flushed] = in_turn(
        30,
        [
            &mut || _ = black_box(keep.run()),
            &mut || _ = black_box(flush.run()),
            &mut || rust(rust_fused),
            &mut || rust(rust_separate),
            &mut || rust(rust_flushed),
        ],
    );
    println!("mandelbrot: {:.0} M wave-instructions a second", steps as f64 / emulated / 1e6);
    println!(
        "  denormals kept: {:.2} times a Rust loop over the lanes for each operation, {:.1} times one for all of them",
        emulated / separate,
        emulated / fused
    );
    println!(
        "  f32 denormals flushed: {:.2} times a Rust loop for each operation that does so too",
        flushing / flushed
    );

    let program_ = program("gfx600", &matmul());
    let memory = matrices();
    let plan = Plan::new(&program_);
    let grid =
        |threads| Grid { plan: &plan, memory: &memory, groups: [N / 16, N / 16, 1], waves: 4, threads, setup: &tiles };
    let (single, double) = (grid(1), grid(2));
    let steps = single.run();
    check_product(&memory);
    let [one, two] = in_turn(30, [&mut || _ = black_box(single.run()), &mut || _ = black_box(double.run())]);
    println!(
        "matrix product: {:.0} M wave-instructions a second; two threads {:.2} times one",
        steps as f64 / one / 1e6,
        one / two
    );
    println!(
        "start, from the bytes of a code object to the end of its first wave: {:.2} ms",
        fresh_start().as_secs_f64() * 1e3
    );
}

/// Matrix instructions, each with its processor and how it is written.
const MATRIX: [(&str, &str); 7] = [
    ("gfx908", "v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]"),
    ("gfx90a", "v_mfma_f32_32x32x8f16 v[16:31], v[0:1], v[2:3], v[16:31]"),
    ("gfx942", "v_mfma_f32_32x32x8_f16 v[16:31], v[0:1], v[2:3], v[16:31]"),
    ("gfx942", "v_mfma_f32_32x32x16_fp8_fp8 v[16:31], v[0:1], v[2:3], v[16:31]"),
    ("gfx942", "v_mfma_f32_32x32x2_f32 v[16:31], v0, v1, v[16:31]"),
    ("gfx942", "v_mfma_f64_16x16x4_f64 v[16:23], v[0:1], v[2:3], v[16:23]"),
    ("gfx942", "v_mfma_i32_32x32x16_i8 v[16:31], v[0:1], v[2:3], v[16:31]"),
];

/// Halves in registers, small enough that no sum overflows.
fn halves(_: [u32; 3], _: u32, wave: &mut Registers) {
    for lane in 0..64u32 {
        for register in 0..4 {
            let half = |n: u32| 0x2c00 + (lane * 37 + n * 113) % 0x400 + (lane & 1) * 0x8000;
            wave.set_vgpr(register as usize, lane as usize, half(register) | half(register + 9) << 16);
        }
    }
}

/// A product as a program has it that knows nothing of matrix cores.
fn plain_product(a: &[[f32; 8]; 32], b: &[[f32; 32]; 8], c: &mut [[f32; 32]; 32]) {
    for (row, a) in c.iter_mut().zip(a) {
        for (j, sum) in row.iter_mut().enumerate() {
            for (a, b) in a.iter().zip(b) {
                *sum += a * b[j];
            }
        }
    }
}

/// Matrix instructions, and one of them beside plain Rust.
fn matrix_ratios() {
    println!("matrix instructions:");
    let memory = Memory::new();
    const TIMES: usize = 1000;
    let (mut a, mut b, mut c) = ([[0.5f32; 8]; 32], [[0.25f32; 32]; 8], [[0.0f32; 32]; 32]);
    a.as_flattened_mut().iter_mut().enumerate().for_each(|(n, v)| *v = 1.0 + n as f32 / 64.0);
    b.as_flattened_mut().iter_mut().enumerate().for_each(|(n, v)| *v = 0.5 - n as f32 / 512.0);
    for (gpu, line) in MATRIX.into_iter().filter(|(gpu, line)| is_asked("matrix", &format!("{gpu} {line}"))) {
        let program = program(gpu, &looped(&format!("{line}\n"), TIMES));
        let plan = Plan::new(&program);
        let grid = Grid { setup: &halves, ..one(&plan, &memory) };
        let [emulated, rust] = in_turn(
            30,
            [&mut || _ = black_box(grid.run()), &mut || {
                for _ in 0..TIMES {
                    plain_product(black_box(&a), black_box(&b), black_box(&mut c));
                }
            }],
        );
        let name = line.split(' ').next().unwrap_or_default();
        let times = if name.contains("32x32x8") {
            format!("{:.1} times a plain product of f32 in Rust", emulated / rust)
        } else {
            String::new()
        };
        println!("  {gpu} {name:<28}{:>9.0} ns  {times}", emulated / TIMES as f64 * 1e9);
    }
}

/// The last word of a descriptor on gfx10: a buffer without records, of words.
const RAW: u32 = 3 << 28 | 20 << 12;

/// The same of elements of four floats.
const FLOATS: u32 = 3 << 28 | 77 << 12 | 0xfac;

/// What the model of the clock costs, against the emulator without it.
fn clock_ratios() {
    println!("under the clock, times as long as without: a program's first run, and another one");
    let none = Memory::new();
    let products = matrices();
    let fma = vector_loop(VECTOR[0].1);
    for (name, text, waves, gpus) in [
        ("v_fma_f32", &fma, 1, &["gfx900", "gfx1030"][..]),
        ("v_fma_f32, 16 waves", &fma, 16, &["gfx900", "gfx1030"]),
        ("mandelbrot", &mandelbrot(), 1, &["gfx900"]),
        ("scalar", &scalar_loop(), 1, &["gfx900", "gfx1030"]),
    ] {
        for gpu in gpus {
            let program = program(gpu, text);
            let plan = Plan::new(&program);
            clock_ratio(&format!("{name} of {gpu}"), &Grid { waves, setup: &points, ..one(&plan, &none) });
        }
    }
    let later = matmul().replace("v_mac_f32", "v_fmac_f32").replace("v_add_i32", "v_add_nc_u32").replace(", vcc,", ",");
    let short = "v_add_f32 v3, v3, v3\ns_endpgm\n".to_owned();
    for (name, gpu, text, word) in [
        ("matrix product", "gfx600", &matmul(), 0xf000),
        ("matrix product", "gfx1030", &later, RAW),
        ("gather", "gfx600", &gather("buffer_load_dword v3, v2, s[4:7], 0 offen"), 0xf000),
        ("gather", "gfx1030", &gather("buffer_load_dword v3, v2, s[4:7], 0 offen"), RAW),
        ("gather of four words", "gfx1030", &gather("buffer_load_dwordx4 v[4:7], v2, s[4:7], 0 offen"), RAW),
        ("gather of elements", "gfx1030", &gather("buffer_load_format_xyzw v[4:7], v2, s[4:7], 0 offen"), FLOATS),
        ("scatter", "gfx1030", &gather("buffer_store_dword v0, v2, s[12:15], 0 offen"), RAW),
        ("atomics", "gfx1030", &gather("buffer_atomic_add v0, v2, s[12:15], 0 offen"), RAW),
        ("global gather", "gfx1030", &gather("global_load_dword v3, v2, s[4:5]"), RAW),
        ("flat gather", "gfx1030", &gather(&flat("flat_load_dword v3, v[8:9]")), RAW),
        ("flat scatter", "gfx1030", &gather(&flat("flat_store_dword v[8:9], v0")), RAW),
        ("LDS at random", "gfx600", &gather(&shared("ds_read_b32 v3, v2")), 0xf000),
        ("LDS at random", "gfx1030", &gather(&shared("ds_read_b32 v3, v2")), RAW),
        ("LDS of two words", "gfx1030", &gather(&shared("ds_read_b64 v[4:5], v2")), RAW),
        ("LDS atomics", "gfx1030", &gather(&shared("ds_add_u32 v2, v0")), RAW),
        ("stream", "gfx600", &stream(), 0xf000),
        ("stream", "gfx1030", &stream(), RAW),
        ("scalar loads", "gfx600", &looped(&SCALAR_LOADS.repeat(8), 50), 0xf000),
        ("scalar loads", "gfx1030", &looped(&SCALAR_LOADS.repeat(8), 50), RAW),
        ("barriers", "gfx600", &looped("v_add_f32 v3, v3, v3\ns_barrier\n", 100), 0xf000),
        ("barriers", "gfx1030", &looped("v_add_f32 v3, v3, v3\ns_barrier\n", 100), RAW),
        ("short waves", "gfx600", &short, 0xf000),
        ("short waves", "gfx1030", &short, RAW),
    ] {
        let setup = |group: [u32; 3], index: u32, wave: &mut Registers| {
            tiles(group, index, wave);
            [7, 11, 15].into_iter().for_each(|register| wave.s[register] = word);
        };
        let program = program(gpu, text);
        let plan = Plan::new(&program);
        let groups = [N / 16, N / 16, 1];
        let grid = Grid { plan: &plan, memory: &products, groups, waves: 4, threads: 1, setup: &setup };
        clock_ratio(&format!("{name} of {gpu}"), &grid);
    }
    let texels = image::texels();
    for (name, format, mode, line) in image::ROWS {
        for (order, before) in [("in a row", ""), ("at random", image::AT_RANDOM)] {
            let program = program_of(image::target(), &looped(&format!("{before}{line}\ns_waitcnt vmcnt(0)\n"), 50));
            let plan = Plan::new(&program);
            let setup = image::registers(name, format, *mode);
            let grid = Grid { groups: [N / 16, N / 16, 1], waves: 4, setup: &setup, ..one(&plan, &texels) };
            clock_ratio(&format!("{name} {order}"), &grid);
        }
    }
}

/// Each lane goes wherever a number leads that follows from its last one: hardly a line of a cache twice.
fn gather(line: &str) -> String {
    let body = format!(
        "v_mul_lo_u32 v1, v1, s21
v_xor_b32 v1, v0, v1
v_lshrrev_b32 v2, 12, v1
v_and_b32 v2, s22, v2
{line}
s_waitcnt vmcnt(0) lgkmcnt(0)
v_xor_b32 v10, v3, v10
"
    );
    let start = "s_mov_b32 m0, -1
s_mov_b32 s21, 0x9e3779b1
s_mov_b32 s22, 0x3fffc
v_mov_b32 v1, 7
v_mov_b32 v10, 0
";
    start.to_owned() + &looped(&body, 50)
}

/// The same in a thousand bytes of LDS, by pairs of words.
fn shared(line: &str) -> String {
    format!("v_and_b32 v2, 0x3f8, v2\n{line}")
}

/// The same by addresses of 64 bits.
fn flat(line: &str) -> String {
    format!("v_add_co_u32 v8, vcc_lo, s12, v2\nv_add_co_ci_u32 v9, vcc_lo, s13, v7, vcc_lo\n{line}")
}

/// From memory to memory, lanes in a row.
fn stream() -> String {
    let body = "buffer_load_dword v3, v2, s[4:7], 0 offen
s_waitcnt vmcnt(0)
v_add_f32 v3, v3, v3
buffer_store_dword v3, v2, s[12:15], 0 offen
v_xor_b32 v2, s22, v2
";
    "s_mov_b32 s22, 0x1000\nv_lshlrev_b32 v2, 2, v0\n".to_owned() + &looped(&body.repeat(8), 50)
}

const SCALAR_LOADS: &str = "s_load_dword s24, s[4:5], 0x0
s_waitcnt lgkmcnt(0)
s_add_u32 s25, s25, s24
v_add_f32 v3, v3, v3
";

/// `clock scalar`: only what has this word in its name. Cargo has something to say behind it.
fn is_asked(part: &str, name: &str) -> bool {
    let mut words = std::env::args().skip_while(|arg| arg != part).skip(1).filter(|arg| !arg.starts_with("--"));
    words.all(|word| name.contains(&word))
}

fn clock_ratio(name: &str, grid: &Grid<'_>) {
    if !is_asked("clock", name) {
        return;
    }
    let begin = Instant::now();
    let steps = grid.run() as f64;
    // A few seconds each.
    let turns = (0.3 / begin.elapsed().as_secs_f64()).clamp(5.0, 30.0) as usize;
    let first = || {
        let plan = Plan::new(grid.plan.program);
        Grid { plan: &plan, ..*grid }.timed()
    };
    let [bare, first, again] = in_turn(
        turns,
        [&mut || _ = black_box(grid.run()), &mut || _ = black_box(first()), &mut || _ = black_box(grid.timed())],
    );
    let each = bare / steps * 1e9;
    println!("  {name:<42}{:>6.2}{:>6.2}{each:>10.1} ns without", first / bare, again / bare);
}

fn benches(c: &mut Criterion) {
    let memory = Memory::new();
    let mut group = c.benchmark_group("vector");
    for (name, line) in VECTOR {
        let program = program("gfx900", &vector_loop(line));
        let plan = Plan::new(&program);
        let grid = one(&plan, &memory);
        group.throughput(Throughput::Elements(grid.run()));
        group.bench_function(name, |b| b.iter(|| grid.run()));
    }
    group.finish();
    let mut group = c.benchmark_group("scalar");
    let scalar = program("gfx900", &scalar_loop());
    let plan = Plan::new(&scalar);
    let grid = one(&plan, &memory);
    group.throughput(Throughput::Elements(grid.run()));
    group.bench_function("mix", |b| b.iter(|| grid.run()));
    group.finish();
    let mut group = c.benchmark_group("mandelbrot");
    let loops = program("gfx900", &mandelbrot());
    let plan = Plan::new(&loops);
    let grid = Grid { setup: &points, ..one(&plan, &memory) };
    group.bench_function("wave64", |b| b.iter(|| grid.run()));
    group.finish();
    let mut group = c.benchmark_group("plan");
    let words: Vec<u32> = [program("gfx900", &mandelbrot()).words, program("gfx900", &scalar_loop()).words].concat();
    let words: Vec<u32> = words.iter().copied().cycle().take(100_000).collect();
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    group.throughput(Throughput::Elements(words.len() as u64));
    group.bench_function("100,000 words", |b| {
        b.iter(|| Plan::new(&Program::new(target, &words, 0x1000)).bound.steps.len());
    });
    group.finish();
    let mut group = c.benchmark_group("matrix product");
    let product = program("gfx600", &matmul());
    let memory = matrices();
    for threads in [1, 2] {
        let groups = [N / 16, N / 16, 1];
        let plan = Plan::new(&product);
        let grid = Grid { plan: &plan, memory: &memory, groups, waves: 4, threads, setup: &tiles };
        group.throughput(Throughput::Elements(grid.run()));
        group.bench_function(format!("{threads} threads"), |b| b.iter(|| grid.run()));
    }
    group.finish();
}

fn main() {
    if let Ok(file) = std::env::var(START) {
        return start(&file);
    }
    if !std::env::args().any(|arg| arg == "--ratios") {
        let measure = Duration::from_secs(2);
        let criterion = Criterion::default().sample_size(20).measurement_time(measure);
        let mut criterion = criterion.warm_up_time(Duration::from_millis(500)).configure_from_args();
        benches(&mut criterion);
        criterion.final_summary();
    }
    // `cargo test --benches` only asks whether it runs, and a profile is of what was chosen.
    if !std::env::args().any(|arg| arg == "--test" || arg == "--profile-time") {
        let asked = |word: &str| std::env::args().any(|arg| arg == word);
        if !asked("clock") && !asked("matrix") {
            ratios();
        }
        if !asked("clock") {
            matrix_ratios();
        }
        if !asked("matrix") {
            clock_ratios();
        }
    }
}
