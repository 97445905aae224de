//! Speed by class of instruction: what one takes for a wave, beside a loop over the lanes in Rust.
//!
//! `cargo bench --bench classes` prints the table, `-- f16 dpp` the rows whose names have one of these words, and `-- --markdown` the table as
//! README has it. The loop ([`bounds`]) computes what the instruction computes, on the same numbers, with the vector instructions of the host; both take turns.
//! A figure is the least time of some runs, each of thousands of instructions without a branch between them but one in 32.

#[path = "../support/mod.rs"]
mod support;

mod bounds;
mod values;

use bounds::{Bound, TIMES, f, h, packed, rh, z};
use std::hint::black_box;
use support::{in_turn, looped, program_of};
use values::Values::{self, F16, F32, F64, Integers, Offsets};
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;

/// How many turns the emulator and the loop take.
const TURNS: usize = 12;
/// How often the loop of 32 instructions runs.
const LOOPS: usize = 200;

/// All denormals kept, rounding to nearest.
const KEEP: u32 = 0x3f0;
/// Denormals of f32 flushed, as kernels start.
const FLUSH: u32 = 0x3c0;
/// Rounding to zero, denormals kept.
const ZERO: u32 = 0x3ff;

/// A class of instructions: one that stands for it.
struct Class {
    name: &'static str,
    gpu: &'static str,
    lanes: u32,
    mode: u32,
    values: Values,
    line: &'static str,
    bound: Bound,
}

const fn class(
    name: &'static str,
    gpu: &'static str,
    mode: u32,
    values: Values,
    line: &'static str,
    bound: Bound,
) -> Class {
    Class { name, gpu, lanes: 64, mode, values, line, bound }
}

impl Class {
    /// The same in waves of 32 lanes.
    const fn narrow(self) -> Class {
        Class { lanes: 32, ..self }
    }
}

/// `{d}` is a destination register, `{e}` the one behind it, `{s}` one of four sources.
#[rustfmt::skip]
const CLASSES: &[Class] = &[
    class("u32 add",               "gfx900",  KEEP,  Integers, "v_add_u32 v{d}, v1, v{s}",                       |v| bounds::words(v, |a, _, c| a.wrapping_add(c))),
    class("u32 add, SGPR",         "gfx900",  KEEP,  Integers, "v_add_u32 v{d}, s4, v{s}",                       |v| bounds::words(v, |_, _, c| c.wrapping_add(3))),
    class("u32 mul_lo",            "gfx900",  KEEP,  Integers, "v_mul_lo_u32 v{d}, v1, v{s}",                    |v| bounds::words(v, |a, _, c| a.wrapping_mul(c))),
    class("u64 mad",               "gfx900",  KEEP,  Integers, "v_mad_u64_u32 v[{d}:{e}], vcc, v2, v3, v[4:5]",  |v| bounds::pairs(v, |a, b, _| u64::from(a as u32).wrapping_mul(a >> 32).wrapping_add(b))),
    class("perm",                  "gfx900",  KEEP,  Integers, "v_perm_b32 v{d}, v1, v2, v{s}",                  |v| bounds::words(v, |a, b, c| {
        let both = u64::from(a) << 32 | u64::from(b);
        let byte = |n: u32| {
            let select = c >> (8 * n) & 0xff;
            let found = (both >> (8 * (select & 7))) as u32 & 0xff;
            let sign = ((both >> (16 * (select & 3) + 15)) as u32 & 1) * 0xff;
            let byte = if select < 8 { found } else if select < 12 { sign } else { 0xff };
            (if select == 12 { 0 } else { byte }) << (8 * n)
        };
        byte(0) | byte(1) | byte(2) | byte(3)
    })),
    class("f32 add",               "gfx900",  KEEP,  F32,      "v_add_f32 v{d}, v1, v{s}",                       |v| bounds::words(v, |a, _, c| (f(a) + f(c)).to_bits())),
    class("f32 fma",               "gfx900",  KEEP,  F32,      "v_fma_f32 v{d}, v1, v2, v{s}",                   |v| bounds::words(v, |a, b, c| f(a).mul_add(f(b), f(c)).to_bits())),
    class("f32 fma, flushed",      "gfx900",  FLUSH, F32,      "v_fma_f32 v{d}, v1, v2, v{s}",                   |v| bounds::words(v, |a, b, c| z(f(z(a)).mul_add(f(z(b)), f(z(c))).to_bits()))),
    class("f32 fma, neg and abs",  "gfx900",  KEEP,  F32,      "v_fma_f32 v{d}, -v1, |v2|, v{s}",                |v| bounds::words(v, |a, b, c| (-f(a)).mul_add(f(b).abs(), f(c)).to_bits())),
    class("f32 fma, clamp",        "gfx900",  KEEP,  F32,      "v_fma_f32 v{d}, v1, v2, v{s} clamp",             |v| bounds::words(v, |a, b, c| bounds::clamped(f(a).mul_add(f(b), f(c))).to_bits())),
    class("f32 fma, omod",         "gfx900",  FLUSH, F32,      "v_fma_f32 v{d}, v1, v2, v{s} mul:2",             |v| bounds::words(v, |a, b, c| z((f(z(a)).mul_add(f(z(b)), f(z(c))) * 2.0).to_bits()))),
    class("f32 add, to zero",      "gfx900",  ZERO,  F32,      "v_add_f32 v{d}, v1, v{s}",                       |v| bounds::words(v, |a, _, c| bounds::sum_to_zero(f(a), f(c)).to_bits())),
    class("f32 fma, to zero",      "gfx900",  ZERO,  F32,      "v_fma_f32 v{d}, v1, v2, v{s}",                   |v| bounds::words(v, |a, b, c| bounds::fma_to_zero(f(a), f(b), f(c)).to_bits())),
    class("f32 max",               "gfx900",  KEEP,  F32,      "v_max_f32 v{d}, v1, v{s}",                       |v| bounds::words(v, |a, _, c| f(a).max(f(c)).to_bits())),
    class("f32 med3",              "gfx900",  KEEP,  F32,      "v_med3_f32 v{d}, v1, v2, v{s}",                  |v| bounds::words(v, |a, b, c| f(a).max(f(b)).min(f(a).min(f(b)).max(f(c))).to_bits())),
    class("f32 ldexp",             "gfx900",  KEEP,  Integers, "v_ldexp_f32 v{d}, v1, v3",                       |v| bounds::words(v, |a, _, c| bounds::ldexp(f(a), c as i32).to_bits())),
    class("f32 cmp_class",         "gfx900",  KEEP,  F32,      "v_cmp_class_f32 vcc, v1, v{s}",                  |v| bounds::words_and_bits(v, |a, _, c| (0, (a & 0x7f80_0000 == 0x7f80_0000) & (c & 1 != 0)))),
    class("f32 div_scale",         "gfx900",  KEEP,  F32,      "v_div_scale_f32 v{d}, vcc, v1, v1, v{s}",        |v| bounds::words_and_bits(v, |a, _, c| bounds::div_scale(a, a, c))),
    class("f32 div_fmas",          "gfx900",  KEEP,  F32,      "v_div_fmas_f32 v{d}, v1, v2, v{s}",              |v| bounds::words(v, |a, b, c| f(a).mul_add(f(b), f(c)).to_bits())),
    class("f32 div_fixup",         "gfx900",  KEEP,  F32,      "v_div_fixup_f32 v{d}, v1, v2, v{s}",             |v| bounds::words(v, bounds::div_fixup)),
    class("f32 rcp",               "gfx900",  KEEP,  F32,      "v_rcp_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| (1.0 / f(c)).to_bits())),
    class("f32 sqrt",              "gfx900",  KEEP,  F32,      "v_sqrt_f32 v{d}, v{s}",                          |v| bounds::words(v, |_, _, c| f(c).sqrt().to_bits())),
    class("f32 rsq",               "gfx900",  KEEP,  F32,      "v_rsq_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| ((1.0 / f64::from(f(c)).sqrt()) as f32).to_bits())),
    class("f32 exp",               "gfx900",  KEEP,  F32,      "v_exp_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| (f64::from(f(c)).exp2() as f32).to_bits())),
    class("f32 log",               "gfx900",  KEEP,  F32,      "v_log_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| (f64::from(f(c)).log2() as f32).to_bits())),
    class("f32 sin",               "gfx900",  KEEP,  F32,      "v_sin_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| ((f64::from(f(c)) * std::f64::consts::TAU).sin() as f32).to_bits())),
    class("f32 exp, gfx11",        "gfx1100", KEEP,  F32,      "v_exp_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| (f64::from(f(c)).exp2() as f32).to_bits())),
    class("f32 log, gfx11",        "gfx1100", KEEP,  F32,      "v_log_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| (f64::from(f(c)).log2() as f32).to_bits())),
    class("f32 sin, gfx11",        "gfx1100", KEEP,  F32,      "v_sin_f32 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| ((f64::from(f(c)) * std::f64::consts::TAU).sin() as f32).to_bits())),
    class("f32 to u32",            "gfx900",  KEEP,  F32,      "v_cvt_u32_f32 v{d}, v{s}",                       |v| bounds::words(v, |_, _, c| f(c) as u32)),
    class("f32 to two f16",        "gfx900",  KEEP,  F32,      "v_cvt_pkrtz_f16_f32 v{d}, v1, v{s}",             |v| bounds::words(v, |a, _, c| packed(rh(f(a & !0x1fff)), rh(f(c & !0x1fff))))),
    class("f64 fma",               "gfx900",  KEEP,  F64,      "v_fma_f64 v[{d}:{e}], v[2:3], v[4:5], v[4:5]",   |v| bounds::pairs(v, |a, b, c| f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits())),
    class("f64 rcp",               "gfx900",  KEEP,  F64,      "v_rcp_f64 v[{d}:{e}], v[2:3]",                   |v| bounds::pairs(v, |a, _, _| (1.0 / f64::from_bits(a)).to_bits())),
    class("f64 sqrt",              "gfx900",  KEEP,  F64,      "v_sqrt_f64 v[{d}:{e}], v[2:3]",                  |v| bounds::pairs(v, |a, _, _| f64::from_bits(a).sqrt().to_bits())),
    class("f16 add",               "gfx900",  KEEP,  F16,      "v_add_f16 v{d}, v1, v{s}",                       |v| bounds::words(v, |a, _, c| rh(h(a) + h(c)))),
    class("f16 fma",               "gfx900",  KEEP,  F16,      "v_fma_f16 v{d}, v1, v2, v{s}",                   |v| bounds::words(v, |a, b, c| rh(h(a) * h(b) + h(c)))),
    class("f16 exp",               "gfx900",  KEEP,  F16,      "v_exp_f16 v{d}, v{s}",                           |v| bounds::words(v, |_, _, c| rh(h(c).exp2()))),
    class("f16 fma, packed",       "gfx900",  KEEP,  F16,      "v_pk_fma_f16 v{d}, v1, v2, v{s}",                |v| bounds::words(v, |a, b, c| packed(rh(h(a) * h(b) + h(c)), rh(h(a >> 16) * h(b >> 16) + h(c >> 16))))),
    class("u16 mul, packed",       "gfx900",  KEEP,  Integers, "v_pk_mul_lo_u16 v{d}, v1, v{s}",                 |v| bounds::words(v, |a, _, c| packed(a.wrapping_mul(c), (a >> 16).wrapping_mul(c >> 16)))),
    class("f16 mixed with f32",    "gfx906",  KEEP,  F16,      "v_fma_mix_f32 v{d}, v1, v2, v{s} op_sel_hi:[1,1,0]", |v| bounds::words(v, |a, b, c| h(a).mul_add(h(b), f(c)).to_bits())),
    class("f16 dot2",              "gfx906",  KEEP,  F16,      "v_dot2_f32_f16 v{d}, v1, v2, v{s}",              |v| bounds::words(v, |a, b, c| h(a >> 16).mul_add(h(b >> 16), h(a).mul_add(h(b), f(c))).to_bits())),
    // Two operations of 32 lanes.
    class("two at once",           "gfx1100", KEEP,  F32,      "v_dual_fmac_f32 v8, v1, v2 :: v_dual_mul_f32 v9, v3, v4", |v| bounds::words(v, |a, b, c| f(a).mul_add(f(b), f(c)).to_bits())).narrow(),
    class("sdwa",                  "gfx900",  KEEP,  Integers, "v_add_u32_sdwa v{d}, v1, v{s} dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:WORD_1", |v| bounds::words(v, |a, _, c| ((a & 0xffff) + (c >> 16)) << 16)),
    class("dpp quad_perm",         "gfx900",  KEEP,  F32,      "v_mov_b32_dpp v{d}, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", |v| bounds::lanes(v, |lane| lane ^ 1)),
    class("dpp row_shr",           "gfx900",  KEEP,  F32,      "v_mov_b32_dpp v{d}, v3 row_shr:1 row_mask:0xf bank_mask:0xf", |v| bounds::lanes(v, |lane| if lane % 16 == 0 { lane } else { lane - 1 })),
    class("dpp8",                  "gfx1100", KEEP,  F32,      "v_mov_b32_dpp v{d}, v3 dpp8:[7,6,5,4,3,2,1,0]",  |v| bounds::lanes(v, |lane| lane ^ 7)),
    class("ds_swizzle",            "gfx900",  KEEP,  F32,      "ds_swizzle_b32 v{d}, v3 offset:0x8055",          |v| bounds::lanes(v, |lane| lane & !3 | 1)),
    class("ds_bpermute",           "gfx900",  KEEP,  Offsets(4), "ds_bpermute_b32 v{d}, v0, v3",                 bounds::load::<1, 4>),
    class("permlanex16",           "gfx1100", KEEP,  F32,      "v_permlanex16_b32 v{d}, v3, s4, s5",             |v| bounds::lanes(v, |lane| lane ^ 16)),
    class("LDS read b32",          "gfx900",  KEEP,  Offsets(4), "ds_read_b32 v{d}, v0",                         bounds::load::<1, 4>),
    class("LDS read u8",           "gfx900",  KEEP,  Offsets(1), "ds_read_u8 v{d}, v0",                          bounds::load::<1, 1>),
    class("LDS read b128",         "gfx900",  KEEP,  Offsets(16), "ds_read_b128 v[8:11], v0",                    bounds::load::<4, 4>),
    class("LDS write b32",         "gfx900",  KEEP,  Offsets(4), "ds_write_b32 v0, v{s}",                        bounds::store::<1, 4>),
    class("LDS write b8",          "gfx900",  KEEP,  Offsets(1), "ds_write_b8 v0, v{s}",                         bounds::store::<1, 1>),
    class("LDS add",               "gfx900",  KEEP,  Offsets(4), "ds_add_u32 v0, v{s}",                          |v| bounds::atomic(v, u32::wrapping_add)),
    class("LDS max f32",           "gfx900",  KEEP,  Offsets(4), "ds_max_f32 v0, v{s}",                          |v| bounds::atomic(v, |a, b| f(a).max(f(b)).to_bits())),
    class("global load b32",       "gfx900",  KEEP,  Offsets(4), "global_load_dword v{d}, v0, s[8:9]",           bounds::load::<1, 4>),
    class("global load b32, far",  "gfx900",  KEEP,  Offsets(68), "global_load_dword v{d}, v0, s[8:9]",          bounds::load::<1, 4>),
    class("global load b64",       "gfx900",  KEEP,  Offsets(8), "global_load_dwordx2 v[{d}:{e}], v0, s[8:9]",   bounds::load::<2, 4>),
    class("global load b128",      "gfx900",  KEEP,  Offsets(16), "global_load_dwordx4 v[8:11], v0, s[8:9]",     bounds::load::<4, 4>),
    class("global load u8",        "gfx900",  KEEP,  Offsets(1), "global_load_ubyte v{d}, v0, s[8:9]",           bounds::load::<1, 1>),
    class("flat load b32",         "gfx900",  KEEP,  Offsets(4), "flat_load_dword v{d}, v[6:7]",                 bounds::load::<1, 4>),
    class("global store b32",      "gfx900",  KEEP,  Offsets(4), "global_store_dword v0, v{s}, s[8:9]",          bounds::store::<1, 4>),
    class("global store b64",      "gfx900",  KEEP,  Offsets(8), "global_store_dwordx2 v0, v[4:5], s[8:9]",      bounds::store::<2, 4>),
    class("global store b8",       "gfx900",  KEEP,  Offsets(1), "global_store_byte v0, v{s}, s[8:9]",           bounds::store::<1, 1>),
    class("global atomic add",     "gfx900",  KEEP,  Offsets(4), "global_atomic_add v0, v{s}, s[8:9]",           |v| bounds::atomic(v, u32::wrapping_add)),
    // In memory that threads may share.
    class("global atomic add, shared", "gfx900", KEEP, Offsets(4), "global_atomic_add v0, v{s}, s[8:9]",         bounds::shared_add),
    class("buffer load b32",       "gfx900",  KEEP,  Offsets(4), "buffer_load_dword v{d}, v0, s[12:15], 0 offen", bounds::load::<1, 4>),
    class("buffer load b128",      "gfx900",  KEEP,  Offsets(16), "buffer_load_dwordx4 v[8:11], v0, s[12:15], 0 offen", bounds::load::<4, 4>),
    class("buffer store b32",      "gfx900",  KEEP,  Offsets(4), "buffer_store_dword v{s}, v0, s[12:15], 0 offen", bounds::store::<1, 4>),
    class("buffer load format",    "gfx900",  KEEP,  Offsets(16), "buffer_load_format_xyzw v[8:11], v0, s[12:15], 0 offen", bounds::load::<4, 4>),
    class("buffer store format",   "gfx900",  KEEP,  Offsets(16), "buffer_store_format_xyzw v[3:6], v0, s[12:15], 0 offen", bounds::store::<4, 4>),
    class("wmma f16",              "gfx1100", KEEP,  F16,      "v_wmma_f32_16x16x16_f16 v[16:23], v[0:7], v[8:15], v[16:23]",  |v| bounds::product(v, |a: f32, b, c| a * b + c)).narrow(),
    class("wmma bf16",             "gfx1100", KEEP,  F16,      "v_wmma_f32_16x16x16_bf16 v[16:23], v[0:7], v[8:15], v[16:23]", |v| bounds::product(v, |a: f32, b, c| a * b + c)).narrow(),
    class("wmma iu8",              "gfx1100", KEEP,  Integers, "v_wmma_i32_16x16x16_iu8 v[16:23], v[0:3], v[8:11], v[16:23]",  |v| bounds::product(v, |a: i32, b, c| a.wrapping_mul(b).wrapping_add(c))).narrow(),
    class("wmma fp8, gfx12",       "gfx1200", KEEP,  F16,      "v_wmma_f32_16x16x16_fp8_fp8 v[16:23], v[0:1], v[8:9], v[16:23]", |v| bounds::product(v, |a: f32, b, c| a * b + c)).narrow(),
];

/// Where the memory of the lanes begins.
const BASE: u64 = 0x1_0000_0000;

/// What an instruction takes, and its loop, in nanoseconds.
fn measure(class: &Class) -> (f64, f64) {
    let arch = Arch::find(class.gpu).expect(class.gpu);
    let target = Target::new(arch);
    let target = if arch.has_wave32() { target.wave(class.lanes).expect("a width that it has") } else { target };
    let body: String = (0..32)
        .map(|n| {
            let (d, s) = (8 + 2 * (n % 4), 3 + n % 4);
            let line = class.line.replace("{d}", &d.to_string()).replace("{e}", &(d + 1).to_string());
            line.replace("{s}", &s.to_string()) + "\n"
        })
        .collect();
    let program = program_of(target, &format!("s_mov_b32 m0, -1\n{}", looped(&body, LOOPS)));
    let plan = Plan::new(&program);
    let mut memory = Memory::new();
    memory.map_bytes("memory", BASE, &1f32.to_le_bytes().repeat(0x4000), true).expect("memory");
    let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
        wave.mode = class.mode;
        (wave.s[4], wave.s[5]) = (3, 7);
        wave.set_pair(8, BASE);
        // A buffer of 64 KiB, four floats an element.
        wave.set_pair(12, BASE);
        (wave.s[14], wave.s[15]) = (0x10000, 0x0007_7fac);
        for lane in 0..class.lanes as usize {
            (0..16).for_each(|register| wave.set_vgpr(register, lane, class.values.of(register, lane)));
        }
    };
    let one = Dispatch::of_one(&program, &memory, class.lanes, &setup);
    let dispatch = Dispatch { lds: 0x10000, alone: !class.name.ends_with("shared"), ..one };
    let run = || {
        let finished = grid::run(&dispatch, &plan, &Hooks::default());
        if let Some(trap) = finished.groups.iter().find_map(|group| group.trap.as_ref()) {
            panic!("{}: {trap:?}", class.name);
        }
        finished.steps
    };
    let [emulated, bound] =
        in_turn(TURNS, [&mut || _ = black_box(run()), &mut || (class.bound)(black_box(class.values))]);
    (emulated * 1e9 / (LOOPS * 32) as f64, bound * 1e9 / TIMES as f64)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let asked = |word: &str| std::env::args().any(|arg| arg == word);
    // `cargo test --benches` only asks whether it runs.
    if asked("--test") {
        return;
    }
    let markdown = asked("--markdown");
    if !markdown {
        println!("nanoseconds for a wave, the loop in Rust, and how many times as long:");
    }
    let mut measured: Vec<(&str, f64, f64)> = Vec::new();
    for class in
        CLASSES.iter().filter(|class| words.is_empty() || words.iter().any(|word| class.name.contains(&**word)))
    {
        let (emulated, bound) = measure(class);
        if !markdown {
            println!("  {:<24}{emulated:>9.1}{bound:>9.1}{:>8.1}", class.name, emulated / bound);
        }
        measured.push((class.name, emulated, bound));
    }
    if markdown {
        // Two columns: what is long is not read.
        let head = "| class | ns | loop | times ";
        println!("{head}{head}|\n|---|--:|--:|--:|---|--:|--:|--:|");
        let half = measured.len().div_ceil(2);
        let cells =
            |(name, ns, bound): &(&str, f64, f64)| format!("| {name} | {ns:.0} | {bound:.1} | {:.1} ", ns / bound);
        for (n, left) in measured.iter().take(half).enumerate() {
            println!("{}{}|", cells(left), measured.get(half + n).map_or("| | | | ".to_owned(), cells));
        }
    }
    let worst = measured.iter().max_by(|(_, a, b), (_, c, d)| (a / b).total_cmp(&(c / d)));
    if let Some((name, ns, bound)) = worst {
        println!("the most: {:.1} times, {name}", ns / bound);
    }
}
