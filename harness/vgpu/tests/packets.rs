//! Packets one at a time: what each of them does to memory and registers, and that nothing which a stream may hold is more than an
//! error. Expected values are worked out by hand from ABI_FACTS section 9 and VGPU_FACTS section 5.

mod support;

use proptest::prelude::*;
use std::time::Duration;
use support::{CODE, DATA, HIGH, IB, Machine, SIZE, packet, pair, program, set};
use wavediff_vgpu::card::packets::PACKETS;
use wavediff_vgpu::card::registers::{Registers, SH};
use wavediff_vgpu::card::{Engine, Ib, Ring, Settings};

/// A program for tahiti: group id and lane to DATA + 4 * (16 * group + lane), by a flat-less buffer store.
/// User SGPRs: s0 address; s2 group id.
const TAHITI: &str = "
    s_mov_b32 s4, s0
    s_mov_b32 s5, s1
    s_mov_b32 s6, -1
    s_mov_b32 s7, 0x27000
    s_lshl_b32 s3, s2, 4
    v_add_i32_e32 v1, vcc, s3, v0
    v_lshlrev_b32_e32 v1, 2, v1
    v_mov_b32_e32 v2, s2
    v_lshlrev_b32_e32 v2, 8, v2
    v_or_b32_e32 v2, v2, v0
    buffer_store_dword v2, v1, s[4:7], 0 offen
    s_endpgm
";

/// User data of 2, group id x: RSRC2 bits.
const RSRC2: u32 = 2 << 1 | 1 << 7;

fn ready() -> Machine {
    let machine = Machine::new("tahiti");
    machine.code(TAHITI);
    machine
}

fn start(threads: [u32; 3]) -> Vec<u32> {
    [program(RSRC2, threads), set(0xb900, &pair(DATA))].concat()
}

/// What group and lane left: lane in bits 7:0, group above.
fn left(groups: std::ops::Range<u32>, lanes: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut words = vec![0; 16 * 8];
    for group in groups {
        for lane in 0..lanes(group) {
            words[(16 * group + lane) as usize] = group << 8 | lane;
        }
    }
    words
}

#[test]
fn dispatch_direct_runs_groups() {
    let machine = ready();
    let stream = [start([16, 1, 1]), packet(0x15, &[3, 1, 1, 0x5])].concat();
    machine.run(Engine::Graphics, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 128), left(0..3, |_| 16));
}

#[test]
fn no_groups_and_no_enable_bit_are_no_work() {
    for (dims, initiator) in [([0, 1, 1], 5), ([1, 0, 1], 5), ([1, 1, 0], 5), ([1, 1, 1], 4)] {
        let machine = ready();
        let [x, y, z] = dims;
        machine.run(Engine::Compute, &[start([16, 1, 1]), packet(0x15, &[x, y, z, initiator])].concat()).expect("fits");
        assert_eq!(machine.words(DATA, 128), vec![0; 128], "{dims:?} {initiator:#x}");
    }
}

/// vkCmdDispatchBase: the numbers of the packet are end values, and groups count from START.
#[test]
fn groups_count_from_start() {
    let machine = ready();
    let stream = [start([16, 1, 1]), set(0xb810, &[2, 0, 0]), packet(0x15, &[5, 1, 1, 0x1])].concat();
    machine.run(Engine::Graphics, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 128), left(2..5, |_| 16));
}

/// Bit 2 of the initiator: START is there, and does not count.
#[test]
fn groups_count_from_zero_where_the_initiator_says_so() {
    let machine = ready();
    let stream = [start([16, 1, 1]), set(0xb810, &[1, 0, 0]), packet(0x15, &[3, 1, 1, 0x5])].concat();
    machine.run(Engine::Graphics, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 128), left(0..3, |_| 16));
}

#[test]
fn the_last_group_is_partial() {
    // Partial size 3, full 16, and the bit of the initiator that makes it count.
    for (initiator, last) in [(0x7, 3), (0x5, 16)] {
        let machine = ready();
        let stream = [start([3 << 16 | 16, 1, 1]), packet(0x15, &[3, 1, 1, initiator])].concat();
        machine.run(Engine::Graphics, &stream).expect("fits");
        assert_eq!(machine.words(DATA, 128), left(0..3, |group| if group == 2 { last } else { 16 }));
    }
}

#[test]
fn dimensions_may_be_work_items() {
    let machine = ready();
    let stream = [start([16, 1, 1]), packet(0x15, &[35, 1, 1, 0x25])].concat();
    machine.run(Engine::Compute, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 128), left(0..3, |group| if group == 2 { 3 } else { 16 }));
}

#[test]
fn indirect_sizes_are_found_by_base_or_by_address() {
    let at = DATA + 0x8000;
    let by_base = [packet(0x11, &[1, at as u32, (at >> 32) as u32]), packet(0x16, &[16, 0x5])].concat();
    let by_address = packet(0x16, &[(at + 16) as u32, (at >> 32) as u32, 0x5]);
    for (engine, indirect) in
        [(Engine::Graphics, by_base.clone()), (Engine::Compute, by_base), (Engine::Compute, by_address)]
    {
        let machine = ready();
        machine.put(at + 16, &[2, 1, 1]);
        machine.run(engine, &[start([16, 1, 1]), indirect].concat()).expect("fits");
        assert_eq!(machine.words(DATA, 128), left(0..2, |_| 16), "{engine}");
    }
}

/// Registers keep their values from one submission to the next.
#[test]
fn registers_persist() {
    let machine = ready();
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    machine.run_on(&mut ring, &start([16, 1, 1])).expect("fits");
    machine.run_on(&mut ring, &packet(0x15, &[1, 1, 1, 0x5])).expect("fits");
    assert_eq!(machine.words(DATA, 128), left(0..1, |_| 16));
}

/// What each register becomes, by its byte address.
#[test]
fn registers_of_a_dispatch() {
    let mut registers = Registers::default();
    for (at, values) in [
        (0xb810, &[1u32, 2, 3][..]),
        (0xb81c, &[8, 4, 2]),
        (0xb830, &[0x1234_5678, 0x9a]),
        (0xb840, &[0x8765_4321, 0x12]),
        (0xb848, &[0x48, 0x4c]),
        (0xb860, &[0x60]),
        (0xb8a0, &[0xa0]),
        (0xb900, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
    ] {
        assert!(registers.set_all(SH, (at - 0xb000) / 4, values));
    }
    let compute = registers.compute([5, 6, 7], 0x2045);
    assert_eq!((compute.dims, compute.initiator), ([5, 6, 7], 0x2045));
    assert_eq!((compute.start, compute.threads), ([1, 2, 3], [8, 4, 2]));
    assert_eq!((compute.entry, compute.scratch), (0xffff_9a12_3456_7800, 0x1287_6543_2100));
    assert_eq!((compute.rsrc, compute.tmpring), ([0x48, 0x4c, 0xa0], 0x60));
    assert_eq!(compute.user, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
}

/// SET_SH_REG_INDEX has an index in the upper bits of its first word.
#[test]
fn an_index_is_no_part_of_a_register() {
    let machine = Machine::new("navi31");
    let user = (0xb900 - 0xb000) / 4;
    let show = packet(0x40, &[0x500, 0xb900 / 4, 0, DATA as u32, 0]);
    machine.run(Engine::Graphics, &[packet(0x9b, &[3 << 28 | user, 77]), show].concat()).expect("fits");
    assert_eq!(machine.words(DATA, 1), [77]);
}

/// From gfx9 on a driver's code lies above the sign bit: PGM_HI says so.
#[test]
fn code_may_lie_high() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    machine.code_at(
        HIGH,
        "v_mov_b32_e32 v0, 0
         v_mov_b32_e32 v1, 5
         global_store_b32 v0, v1, s[0:1]
         s_endpgm",
    );
    let entry = set(0xb830, &[0x4000, 0x80]);
    let stream = [program(RSRC2, [1, 1, 1]), set(0xb900, &[low, high]), entry, packet(0x15, &[1, 1, 1, 5])].concat();
    machine.run(Engine::Graphics, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 1), [5]);
}

/// New code at an old address is run, not the old one.
#[test]
fn code_that_changes_is_noticed() {
    let machine = ready();
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    let stream = [start([16, 1, 1]), packet(0x15, &[1, 1, 1, 0x5])].concat();
    machine.run_on(&mut ring, &stream).expect("fits");
    machine.code(&TAHITI.replace("v_or_b32_e32 v2, v2, v0", "v_mov_b32_e32 v2, 7"));
    machine.run_on(&mut ring, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 16), vec![7; 16]);
}

#[test]
fn registers_are_set_by_pairs_and_packed_pairs() {
    let machine = Machine::new("gfx1201");
    machine.code("s_endpgm");
    let user = |n: u32| (0xb900 - 0xb000) / 4 + n;
    let pairs = packet(0xba, &[user(0), 11, user(3), 22]);
    let packed = packet(0xbb, &[4, user(1) | user(2) << 16, 33, 44, user(5) | user(5) << 16, 55, 66]);
    // COPY_DATA of a register to memory shows them.
    let show = |n: u32| packet(0x40, &[0x500, (0xb900 + 4 * n) / 4, 0, DATA as u32 + 4 * n, 0]);
    let stream = [pairs, packed, (0..6).flat_map(show).collect()].concat();
    machine.run(Engine::Graphics, &stream).expect("fits");
    assert_eq!(machine.words(DATA, 6), [11, 33, 44, 22, 0, 66]);
}

#[test]
fn load_sh_reg_index_takes_registers_from_memory() {
    let machine = Machine::new("navi31");
    machine.put(DATA + 64, &[7, 8, 9, 10]);
    let [low, high] = pair(DATA + 64);
    let load = packet(0x63, &[low, high, (0xb918 - 0xb000) / 4, 3]);
    let show = |n: u32| packet(0x40, &[0x1_0500, (0xb918 + 4 * n) / 4, 0, DATA as u32 + 4 * n, 0]);
    machine.run(Engine::Graphics, &[load, show(0), show(2)].concat()).expect("fits");
    assert_eq!(machine.words(DATA, 5), [7, 8, 9, 0, 0]);
}

#[test]
fn write_data_goes_to_rising_addresses_or_to_one() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    let rising = packet(0x37, &[0x500, low, high, 1, 2, 3]);
    let one = packet(0x37, &[0x1_0500, low + 32, high, 4, 5, 6]);
    machine.run(Engine::Graphics, &[rising, one].concat()).expect("fits");
    assert_eq!(machine.words(DATA, 3), [1, 2, 3]);
    assert_eq!(machine.words(DATA + 32, 3), [6, 0, 0]);
    let [low, high] = pair(HIGH);
    machine.run(Engine::Graphics, &packet(0x37, &[0x500, low, high, 7])).expect("fits");
    // Without the sign bits in the upper half, as drivers write it, too.
    machine.run(Engine::Graphics, &packet(0x37, &[0x500, low + 4, high & 0xffff, 8])).expect("fits");
    assert_eq!(machine.words(HIGH, 2), [7, 8]);
}

#[test]
fn copy_data_takes_memory_registers_numbers_and_the_clock() {
    let machine = Machine::new("navi31");
    machine.put(DATA, &[1, 2]);
    let [low, high] = pair(DATA);
    let copy = |control: u32, source: [u32; 2], to: u32| packet(0x40, &[control, source[0], source[1], low + to, high]);
    let stream = [
        copy(0x501, [low, high], 16),
        copy(0x1_0501, [low, high], 32),
        copy(0x1_0505, [0x1111, 0x2222], 48),
        copy(0x1_0509, [0, 0], 64),
        // Memory to a register, and from there to memory.
        packet(0x40, &[0x001, low + 4, high, 0xb900 / 4, 0]),
        copy(0x500, [0xb900 / 4, 0], 80),
    ];
    let before = machine.card.now();
    machine.run(Engine::Graphics, &stream.concat()).expect("fits");
    assert_eq!(machine.words(DATA + 16, 2), [1, 0]);
    assert_eq!(machine.words(DATA + 32, 2), [1, 2]);
    assert_eq!(machine.words(DATA + 48, 2), [0x1111, 0x2222]);
    assert!((before..=machine.card.now()).contains(&machine.wide(DATA + 64)));
    assert_eq!(machine.words(DATA + 80, 2), [2, 0]);
}

/// Operations have the numbers of the texture cache's; bit 5 is the width.
#[test]
fn atomics_change_memory() {
    // Operation, what was there, operand, what is compared, what is there then.
    for (operation, old, data, compare, new) in [
        (0x07u32, 0x1_0000_0005u64, 9u64, 0u64, 0x1_0000_0009u64),
        (0x27, 0x1_0000_0005, 9, 0, 9),
        (0x08, 5, 9, 5, 9),
        (0x08, 5, 9, 6, 5),
        (0x28, 0x1_0000_0005, 9, 5, 0x1_0000_0005),
        (0x0f, 0xffff_ffff, 1, 0, 0),
        (0x2f, 0xffff_ffff, 1, 0, 0x1_0000_0000),
        (0x10, 5, 1, 0, 4),
        (0x15, 6, 3, 0, 2),
        (0x16, 6, 3, 0, 7),
        (0x17, 6, 3, 0, 5),
    ] {
        let machine = Machine::new("navi31");
        let [low, high] = pair(DATA);
        machine.put(DATA, &pair(old));
        let [[data, data_high], [compare, compare_high]] = [pair(data), pair(compare)];
        let body = [operation, low, high, data, data_high, compare, compare_high, 0];
        machine.run(Engine::Graphics, &packet(0x1e, &body)).expect("fits");
        assert_eq!(machine.wide(DATA), new, "operation {operation:#x} on {old:#x}");
    }
}

#[test]
fn dma_copies_fills_and_waits() {
    // 25 words, and a tail of three bytes.
    for (chip, bytes) in [("polaris10", 103u32), ("navi31", 103)] {
        let machine = Machine::new(chip);
        let source: Vec<u32> = (1..40).collect();
        machine.put(DATA, &source);
        let at = |n: u64| pair(DATA + n);
        let ([from, high], [to, _], [filled, _]) = (at(2), at(0x1001), at(0x2000));
        let copy = packet(0x50, &[0x6030_0000, from, high, to, high, bytes]);
        let fill = packet(0x50, &[0xc030_0000, 0xabcd_1234, 0, filled, high, 12]);
        let barrier = packet(0x50, &[0x8020_0000, 0, 0, 0, 0, 0]);
        machine.run(Engine::Graphics, &[copy, fill, barrier].concat()).expect("fits");
        let bytes_of = |at: u64, len: usize| {
            let mut out = vec![0; len];
            machine.memory.read_bytes(at, &mut out).expect("fits");
            out
        };
        assert_eq!(bytes_of(DATA + 0x1001, 103), bytes_of(DATA + 2, 103));
        assert_eq!(bytes_of(DATA + 0x1001 + 103, 4), [0; 4]);
        assert_eq!(machine.words(DATA + 0x2000, 4), [0xabcd_1234, 0xabcd_1234, 0xabcd_1234, 0]);
    }
}

/// A barrier has no bytes, a prefetch no destination, and a fill no source, whatever stands there.
#[test]
fn dma_leaves_memory_alone() {
    for chip in ["bonaire", "vega10", "navi31"] {
        let machine = Machine::new(chip);
        machine.put(DATA, &[1, 2, 3, 4]);
        let ([from, high], [to, _]) = (pair(DATA), pair(DATA + 8));
        let barrier = packet(0x50, &[0x8030_0000, from, high, to, high, 0x4000_0000]);
        machine.run(Engine::Graphics, &barrier).expect("fits");
        if chip != "bonaire" {
            machine.run(Engine::Graphics, &packet(0x50, &[0x6020_0000, from, high, to, high, 8])).expect("fits");
        }
        assert_eq!(machine.words(DATA, 4), [1, 2, 3, 4], "{chip}");
        machine.run(Engine::Graphics, &packet(0x50, &[0x4030_0000, from, high, to, high, 8])).expect("fits");
        assert_eq!(machine.words(DATA, 4), [1, 2, from, from], "{chip}");
    }
}

/// Bytes go in rising order: what lies just behind the source becomes its repetition.
#[test]
fn copies_onto_their_own_source_repeat_it() {
    let machine = Machine::new("navi31");
    machine.put(DATA, &[1, 2, 3, 4, 5]);
    let ([from, high], [to, _]) = (pair(DATA), pair(DATA + 4));
    machine.run(Engine::Graphics, &packet(0x50, &[0x6030_0000, from, high, to, high, 16])).expect("fits");
    assert_eq!(machine.words(DATA, 6), [1, 1, 1, 1, 1, 0]);
}

/// Bit 21 of the command is no part of the size up to gfx8, and is from gfx9 on.
#[test]
fn dma_sizes_have_the_width_of_the_generation() {
    for (chip, size) in [("polaris10", 8u32), ("navi31", 1 << 21 | 8)] {
        let machine = Machine::new(chip);
        let [low, high] = pair(DATA);
        let done = machine.run(Engine::Graphics, &packet(0x50, &[0x4000_0000, 5, 0, low, high, 1 << 21 | 8]));
        assert_eq!(done.is_ok(), u64::from(size) < SIZE, "{chip}: {done:?}");
        assert_eq!(machine.words(DATA, 2), [5, 5]);
    }
}

#[test]
fn cp_dma_of_gfx6() {
    let machine = Machine::new("tahiti");
    machine.put(DATA, &[1, 2, 3, 4]);
    let [low, high] = pair(DATA);
    let copy = packet(0x41, &[low + 4, high, low + 64, high, 8]);
    let fill = packet(0x41, &[9, 0xc000_0000, low + 128, high, 8]);
    machine.run(Engine::Graphics, &[copy, fill].concat()).expect("fits");
    assert_eq!(machine.words(DATA + 64, 3), [2, 3, 0]);
    assert_eq!(machine.words(DATA + 128, 3), [9, 9, 0]);
}

#[test]
fn ends_of_pipe_write_numbers_and_the_clock() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    let release = |data: u32, at: u32| packet(0x49, &[0x62f, data << 29, low + at, high, 0x1111, 0x2222, 0]);
    let before = machine.card.now();
    machine
        .run(Engine::Compute, &[release(0, 0), release(1, 8), release(2, 16), release(3, 24)].concat())
        .expect("fits");
    assert_eq!(machine.words(DATA, 6), [0, 0, 0x1111, 0, 0x1111, 0x2222]);
    let clock = machine.wide(DATA + 24);
    assert!((before..=machine.card.now()).contains(&clock));
    std::thread::sleep(Duration::from_millis(1));
    machine.run(Engine::Compute, &release(3, 24)).expect("fits");
    // A millisecond has so many ticks.
    assert!(machine.wide(DATA + 24) >= clock + u64::from(machine.card.chip.clock_khz));
}

#[test]
fn ends_of_pipe_of_old_graphics_rings() {
    let machine = Machine::new("tahiti");
    let low = DATA as u32;
    let eop = packet(0x47, &[0x528, low, 2 << 29, 0x77, 0x88]);
    let eos = packet(0x48, &[0x62f, low + 16, 2 << 29, 0x99]);
    machine.run(Engine::Graphics, &[eop, eos].concat()).expect("fits");
    assert_eq!(machine.words(DATA, 5), [0x77, 0x88, 0, 0, 0x99]);
}

#[test]
fn waits_compare_with_a_mask_and_give_up() {
    let watchdog = Duration::from_millis(100);
    let machine = Machine::with("navi31", Settings { watchdog, ..Settings::default() });
    let [low, high] = pair(DATA);
    machine.put(DATA, &[0x1234]);
    // Function, reference, mask, whether it holds.
    for (function, reference, mask, holds) in [
        (3, 0x34, 0xff, true),
        (4, 0x34, 0xff, false),
        (1, 0x1235, !0, true),
        (2, 0x1234, !0, true),
        (5, 0x1235, !0, false),
        (5, 0x1234, !0, true),
        (6, 0x1233, !0, true),
        (0, 0, 0, true),
    ] {
        let done = machine.run(Engine::Graphics, &packet(0x3c, &[0x10 | function, low, high, reference, mask, 4]));
        assert_eq!(done.is_ok(), holds, "function {function}");
        if let Err(lost) = done {
            assert!(lost.to_string().contains("waited 100ms"), "{lost}");
        }
    }
}

/// Another ring, or the host, ends a wait.
#[test]
fn a_wait_sees_what_others_write() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            machine.put(DATA, &[1]);
        });
        machine.run(Engine::Graphics, &packet(0x3c, &[0x13, low, high, 1, !0, 4])).expect("fits");
    });
}

#[test]
fn command_buffers_are_called_and_chained() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    let write = |at: u32| packet(0x37, &[0x500, low + at, high, 1]);
    let (called, chained) = (IB + 0x1000, IB + 0x2000);
    machine.put(called, &write(0));
    machine.put(chained, &write(4));
    let jump = |to: u64, chain: u32| packet(0x3f, &[to as u32, (to >> 32) as u32, chain << 20 | 1 << 23 | 5]);
    // What stands behind a chain is not read.
    machine.run(Engine::Graphics, &[jump(called, 0), write(8), jump(chained, 1), write(12)].concat()).expect("fits");
    assert_eq!(machine.words(DATA, 4), [1, 1, 1, 0]);
}

/// Fillers are of one word where they have the greatest length or are of type 2, and of any length else.
#[test]
fn fillers_are_passed_over() {
    let machine = Machine::new("navi31");
    let [low, high] = pair(DATA);
    let write = |at: u32| packet(0x37, &[0x500, low + at, high, 1]);
    let stream = [vec![0xffff_1000], write(0), vec![0x8000_0000], write(4), packet(0x10, &[0xffff_ffff; 5]), write(8)];
    machine.run(Engine::Graphics, &stream.concat()).expect("fits");
    assert_eq!(machine.words(DATA, 3), [1, 1, 1]);
}

#[test]
fn command_buffers_that_never_end_are_an_error() {
    let machine = Machine::new("navi31");
    for chain in [0, 1] {
        let lost = machine
            .run(Engine::Graphics, &packet(0x3f, &[IB as u32, 0, chain << 20 | 1 << 23 | 4]))
            .expect_err("it goes wrong");
        assert!(lost.to_string().contains("without end"), "{lost}");
    }
}

#[test]
fn cond_exec_passes_words_over() {
    for (value, expected) in [(0, [0, 1]), (1, [1, 1])] {
        let machine = Machine::new("navi31");
        let [low, high] = pair(DATA);
        machine.put(DATA + 256, &[value]);
        let write = |at: u32| packet(0x37, &[0x500, low + at, high, 1]);
        let cond = packet(0x22, &[low + 256, high, 0, 5]);
        machine.run(Engine::Compute, &[cond, write(0), write(4)].concat()).expect("fits");
        assert_eq!(machine.words(DATA, 2), expected);
    }
}

/// gfx6 has the count one word earlier.
#[test]
fn cond_exec_of_gfx6() {
    for (value, expected) in [(0, [0, 1]), (1, [1, 1])] {
        let machine = Machine::new("tahiti");
        let [low, high] = pair(DATA);
        machine.put(DATA + 256, &[value]);
        let write = |at: u32| packet(0x37, &[0x500, low + at, high, 1]);
        machine
            .run(Engine::Graphics, &[packet(0x22, &[low + 256, high, 5]), write(0), write(4)].concat())
            .expect("fits");
        assert_eq!(machine.words(DATA, 2), expected);
    }
}

/// A predicate holds until it is switched off, and no longer than a submission; it may have 64 bits.
#[test]
fn predicates_are_wide_and_end() {
    let machine = Machine::new("navi31");
    machine.put(DATA + 256, &[0, 1]);
    let [low, high] = pair(DATA);
    let asks = |at: u32| {
        let mut words = packet(0x37, &[0x500, low + at, high, 1]);
        words[0] |= 1;
        words
    };
    // Done where nothing is set: of these 64 bits one is, of the first 32 none.
    let wide = packet(0x20, &[3 << 16, low + 256, high]);
    let narrow = packet(0x20, &[4 << 16, low + 256, high]);
    let off = packet(0x20, &[0, 0, 0]);
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    let stream = [wide.clone(), asks(0), narrow, asks(4), wide.clone(), off, asks(8), wide].concat();
    machine.run_on(&mut ring, &stream).expect("fits");
    machine.run_on(&mut ring, &asks(12)).expect("fits");
    assert_eq!(machine.words(DATA, 4), [0, 1, 1, 1]);
}

/// Counters of the pipeline: all of them on a graphics ring, with invocations of compute shaders as the eleventh; that one alone
/// on a compute ring. A counter of samples says that it is written.
#[test]
fn events_write_counters() {
    let dispatch = [start([16, 1, 1]), packet(0x15, &[3, 1, 1, 0x5])].concat();
    let [low, high] = pair(DATA + 0x8000);
    let statistics = packet(0x46, &[0x21e, low, high]);
    let samples = packet(0x46, &[0x115, low + 256, high]);
    for (chip, engine, place) in
        [("tahiti", Engine::Graphics, 10), ("tahiti", Engine::Compute, 10), ("polaris10", Engine::Compute, 0)]
    {
        let machine = Machine::new(chip);
        machine.code(TAHITI.replace("v_add_i32", if chip == "tahiti" { "v_add_i32" } else { "v_add_u32" }).as_str());
        machine.run(engine, &[dispatch.clone(), statistics.clone(), samples.clone()].concat()).expect("fits");
        let mut counters = vec![0; 12];
        counters[place] = 48;
        let found: Vec<u64> = (0..12).map(|n| machine.wide(DATA + 0x8000 + 8 * n)).collect();
        assert_eq!(found, counters, "{chip} {engine}");
        assert_eq!(machine.wide(DATA + 0x8100), 1 << 63);
    }
}

/// The copy engine: counts are one less than what is meant from gfx9 on.
#[test]
fn sdma_copies_fills_writes_waits() {
    for (chip, less) in [("polaris10", 0), ("navi31", 1)] {
        let machine = Machine::new(chip);
        machine.put(DATA, &[1, 2, 3, 4, 5, 6, 7, 8]);
        let at = |n: u64| pair(DATA + n);
        let ([from, high], [copied, _], [filled, _], [written, _]) = (at(0), at(0x100), at(0x200), at(0x300));
        let ([fence, _], [clock, _]) = (at(0x400), at(0x500));
        let stream = [
            vec![0x0002_0000, 0xffff_ffff, 0xffff_ffff],
            vec![1, 16 - less, 0, from, high, copied, high],
            vec![0x8000_000b, filled, high, 0xabcd, 12 - less],
            vec![2, written, high, 3 - less, 7, 8, 9],
            vec![5, fence, high, 11],
            vec![0xb000_0008, fence, high, 11, !0, 0xfff_000a],
            vec![0x20d, clock, high],
        ];
        machine.run(Engine::Sdma, &stream.concat()).expect("fits");
        assert_eq!(machine.words(DATA + 0x100, 5), [1, 2, 3, 4, 0], "{chip}");
        assert_eq!(machine.words(DATA + 0x200, 4), [0xabcd, 0xabcd, 0xabcd, 0], "{chip}");
        assert_eq!(machine.words(DATA + 0x300, 4), [7, 8, 9, 0], "{chip}");
        assert_eq!(machine.words(DATA + 0x400, 2), [11, 0]);
        assert!((1..=machine.card.now()).contains(&machine.wide(DATA + 0x500)));
    }
}

/// Command buffers as long as there may be, over memory that there is not: an error where it ends, and no gigabytes before.
#[test]
fn command_buffers_may_say_any_length() {
    let machine = Machine::new("navi31");
    for (engine, filler) in [(Engine::Graphics, 0xffff_1000u32), (Engine::Compute, 0xffff_1000), (Engine::Sdma, 0)] {
        machine.put(IB, &vec![filler; SIZE as usize / 4]);
        let mut ring = Ring::new(&machine.card, engine, 0);
        for dwords in [SIZE as u32 / 4 + 1, u32::MAX] {
            let lost = ring.execute(&[Ib { address: IB, dwords }], &machine).expect_err("it goes wrong").to_string();
            assert!(lost.contains("is not mapped") && lost.contains("0x510000"), "{engine}: {lost}");
        }
    }
    // A write of the copy engine that is longer than its command buffer, and one that the buffer has and memory has not.
    let [low, high] = pair(DATA);
    let write = [2, low, high, 0xf_ffff, 1, 2];
    let lost = machine.run(Engine::Sdma, &write).expect_err("it goes wrong").to_string();
    assert!(lost.contains("ends behind its command buffer"), "{lost}");
    let mut ring = Ring::new(&machine.card, Engine::Sdma, 0);
    machine.put(IB, &write);
    assert!(ring.execute(&[Ib { address: IB, dwords: u32::MAX }], &machine).is_err());
}

#[test]
fn the_copy_engine_gives_up_waiting() {
    let machine = Machine::with("navi31", Settings { watchdog: Duration::from_millis(50), ..Settings::default() });
    let [low, high] = pair(DATA);
    let lost = machine.run(Engine::Sdma, &[0xb000_0008, low, high, 1, !0, 0]).expect_err("it goes wrong").to_string();
    assert!(lost.contains("waited 50ms"), "{lost}");
}

#[test]
fn predication_skips_packets_that_ask_for_it() {
    // Whether the word is set, whether what it says is to be done when set; whether it is done.
    for (value, when_set, done) in [(0, 1, 0), (5, 1, 1), (0, 0, 1), (5, 0, 0)] {
        for (chip, body) in [
            ("navi31", vec![4 << 16 | when_set << 8, DATA as u32 + 256, 0]),
            ("tahiti", vec![DATA as u32 + 256, 4 << 16 | when_set << 8]),
        ] {
            let machine = Machine::new(chip);
            machine.put(DATA + 256, &[value]);
            let [low, high] = pair(DATA);
            let mut asks = packet(0x37, &[0x500, low, high, 1]);
            asks[0] |= 1;
            let plain = packet(0x37, &[0x500, low + 4, high, 1]);
            machine.run(Engine::Graphics, &[packet(0x20, &body), asks, plain].concat()).expect("fits");
            assert_eq!(machine.words(DATA, 2), [done, 1], "{chip} {value} {when_set}");
        }
    }
}

#[test]
fn what_is_not_known_or_not_emulated_is_named() {
    let machine = Machine::new("navi31");
    for (stream, named) in [
        (packet(0x01, &[0]), "packet 0x01 at 0x500000"),
        (packet(0x2d, &[3, 0]), "DRAW_INDEX_AUTO at 0x500000: draws are not emulated"),
        (vec![0], "of a type that no driver emits"),
        (packet(0x15, &[1, 1, 1, 5])[..3].to_vec(), "ends behind its command buffer"),
        (packet(0x15, &[1]), "DISPATCH_DIRECT at 0x500000 has 1 words, and needs 4"),
        (packet(0x76, &[0x3ff, 1, 2]), "are not all in its range"),
        (packet(0x15, &[1, 1, 1, 5]), "no size may be zero"),
        (packet(0x46, &[0x220, 0, 0]), "event 0x20 with an address"),
        (packet(0x37, &[0x500, 4, 0, 1]), "is not mapped"),
    ] {
        let lost = machine.run(Engine::Graphics, &stream).expect_err("it goes wrong");
        assert!(lost.to_string().contains(named), "{lost}");
    }
}

#[test]
fn a_trap_of_a_shader_is_named() {
    let machine = Machine::new("tahiti");
    machine.code("s_mov_b32 s0, 0\ns_mov_b32 s1, 0\ns_load_dword s2, s[0:1], 0x0\ns_endpgm");
    let stream = [program(RSRC2, [16, 1, 1]), packet(0x15, &[1, 1, 1, 5])].concat();
    let lost = machine.run(Engine::Graphics, &stream).expect_err("it goes wrong").to_string();
    assert!(lost.contains("bad address: load of 4 bytes") && lost.contains("s_load_dword"), "{lost}");
    assert!(lost.contains("at address 0x200008") && lost.contains("group (0, 0, 0) wave 0"), "{lost}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Whatever a stream holds, the ring ends, with an error or without.
    #[test]
    fn streams_of_anything_end(words in prop::collection::vec(any::<u32>(), 1..200), engine in 0..3) {
        let machine = Machine::new("navi31");
        let engine = [Engine::Graphics, Engine::Compute, Engine::Sdma][engine as usize];
        let _ = machine.run(engine, &words);
    }

    /// The same with packets as the fuzzer grows them: on every chip, with addresses that there are and numbers near 2^32.
    #[test]
    fn streams_of_choices_end(data in prop::collection::vec(any::<u8>(), 1..600)) {
        wavediff_vgpu::laws::streams(&data);
    }

    /// The same with packets that there are, over addresses that there are.
    #[test]
    fn streams_of_packets_end(
        stream in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(word(), 1..12)), 1..30),
        chip in prop::sample::select(vec!["tahiti", "polaris10", "navi31", "gfx1201"]),
    ) {
        let machine = Machine::new(chip);
        machine.code("s_endpgm");
        let mut words = Vec::new();
        for (at, body) in stream {
            let row = &PACKETS[at.index(PACKETS.len())];
            // Waits end by the watchdog alone: there is a test of their own.
            if row.name != "WAIT_REG_MEM" {
                words.extend(packet(row.op, &body));
            }
        }
        let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
        machine.run_on(&mut ring, &start([16, 1, 1])).expect("fits");
        machine.put(IB, &words);
        let _ = ring.execute(&[Ib { address: IB, dwords: words.len() as u32 }], &machine);
    }
}

/// Words that mean something: addresses of the memory that there is, small numbers, flags, anything.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0),
        0u32..8,
        (DATA as u32)..(DATA + SIZE) as u32,
        (IB as u32)..(IB + SIZE) as u32,
        (CODE as u32)..(CODE + 64) as u32,
        (0u32..32).prop_map(|bit| 1 << bit),
        any::<u32>(),
    ]
}
