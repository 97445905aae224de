//! What waves find when they begin: numbers of groups and work-items, LDS, scratch memory, lanes, MODE. Small programs write it
//! down, on one chip of each generation that has it another way. Expected values are worked out by hand from ABI_FACTS sections 4, 8
//! and 9 and VGPU_FACTS sections 5.3 and 5.4.

mod support;

use support::{DATA, HIGH, Machine, packet, pair, program, set};
use wavediff_vgpu::card::{Engine, Ring};

/// Bit of the initiator: waves of 32 lanes.
const WAVE32: u32 = 1 << 15;
/// The initiator of an ordinary dispatch, and of one that counts from START.
const ORDINARY: u32 = 0x5;
const FROM_START: u32 = 0x1;

/// How a chip spells the instructions that all programs here need.
struct Speech {
    chip: &'static str,
    /// Whether it has no `global_*`, and stores by the V# in s[12:15].
    old: bool,
    /// How the mnemonic of a store of one word ends.
    word: &'static str,
}

const fn speech(chip: &'static str, old: bool, word: &'static str) -> Speech {
    Speech { chip, old, word }
}

const SPEECHES: &[Speech] = &[
    speech("tahiti", true, "dword"),
    speech("bonaire", true, "dword"),
    speech("polaris10", true, "dword"),
    speech("vega10", false, "dword"),
    speech("navi10", false, "dword"),
    speech("navi21", false, "dword"),
    speech("navi31", false, "b32"),
    speech("gfx1201", false, "b32"),
];

fn of(chip: &str) -> &'static Speech {
    SPEECHES.iter().find(|speech| speech.chip == chip).expect("fits")
}

impl Speech {
    /// A program, in which `STORE VALUE AT OFFSET` stores behind the address in s[0:1].
    fn program(&self, text: &str) -> String {
        let mut program = String::new();
        if self.old {
            program.push_str("s_mov_b32 s12, s0\ns_mov_b32 s13, s1\ns_mov_b32 s14, -1\ns_mov_b32 s15, 0x27000\n");
        }
        for line in text.lines().map(str::trim) {
            match line.strip_prefix("STORE ").and_then(|rest| rest.split_once(" AT ")) {
                Some((value, offset)) if self.old => {
                    program.push_str(&format!("buffer_store_dword {value}, {offset}, s[12:15], 0 offen\n"));
                }
                Some((value, offset)) => {
                    program.push_str(&format!("global_store_{} {offset}, {value}, s[0:1]\n", self.word));
                }
                None => program.push_str(&format!("{line}\n")),
            }
        }
        program.push_str("s_endpgm\n");
        program
    }
}

/// A dispatch by its registers.
#[derive(Clone, Copy)]
struct Grid {
    rsrc1: u32,
    rsrc2: u32,
    threads: [u32; 3],
    start: [u32; 3],
    dims: [u32; 3],
    initiator: u32,
}

/// One group of some work-items, and the address of the data in s[0:1].
const ONE: Grid = Grid {
    rsrc1: 0x002c_0080,
    rsrc2: 2 << 1,
    threads: [64, 1, 1],
    start: [0; 3],
    dims: [1, 1, 1],
    initiator: ORDINARY,
};

impl Grid {
    fn packets(&self) -> Vec<u32> {
        let [x, y, z] = self.dims;
        [
            program(self.rsrc2, self.threads),
            set(0xb848, &[self.rsrc1]),
            set(0xb810, &self.start),
            set(0xb900, &pair(DATA)),
            packet(0x15, &[x, y, z, self.initiator]),
        ]
        .concat()
    }
}

/// Numbers of a group: in SGPRs behind the user's, with the workgroup info behind them; from gfx12 on in trap temporaries.
#[test]
fn groups_know_their_numbers() {
    // Each wave writes x | y << 8 | z << 16, and its info, to the place of its numbers and of its own number in the group.
    let text = "
        s_lshl_b32 s8, s4, 2
        s_or_b32 s8, s8, s3
        s_lshl_b32 s8, s8, 2
        s_or_b32 s8, s8, s2
        s_lshl_b32 s8, s8, 1
        s_or_b32 s8, s8, s6
        s_lshl_b32 s8, s8, 3
        v_mov_b32_e32 v2, s8
        s_lshl_b32 s9, s4, 8
        s_or_b32 s9, s9, s3
        s_lshl_b32 s9, s9, 8
        s_or_b32 s9, s9, s2
        v_mov_b32_e32 v3, s9
        STORE v3 AT v2
        s_or_b32 s8, s8, 4
        v_mov_b32_e32 v2, s8
        v_mov_b32_e32 v3, s5
        STORE v3 AT v2";
    // The number of a wave in s6, from the info; what of the info the waves 0 and 1 of two must have.
    let old = ("s_lshr_b32 s6, s5, 6\ns_and_b32 s6, s6, 63", [1 << 31 | 2, 1 << 6 | 2]);
    let new = ("s_lshr_b32 s6, s5, 20\ns_and_b32 s6, s6, 31", [1 << 31 | 2, 1 << 20 | 2]);
    let ttmp = (
        "s_mov_b32 s2, ttmp9
         s_and_b32 s3, ttmp7, 0xffff
         s_lshr_b32 s4, ttmp7, 16
         s_mov_b32 s5, ttmp8
         s_lshr_b32 s6, ttmp8, 25
         s_and_b32 s6, s6, 31",
        [0, 1 << 25],
    );
    for (chip, (number, info)) in [
        ("tahiti", old),
        ("polaris10", old),
        ("vega10", old),
        ("navi10", old),
        ("navi21", new),
        ("navi31", new),
        ("gfx1201", ttmp),
    ] {
        let machine = Machine::new(chip);
        machine.code(&of(chip).program(&format!("{number}\n{text}")));
        // Groups 1 and 2, 2 and 3, 3; two waves of 64 lanes each.
        let rsrc2 = 2 << 1 | 7 << 7 | 1 << 10;
        let (start, dims, threads) = ([1, 2, 3], [3, 4, 4], [128, 1, 1]);
        let grid = Grid { rsrc2, start, dims, threads, initiator: FROM_START, ..ONE };
        machine.run(Engine::Compute, &grid.packets()).expect("fits");
        // Bits 11:6 of newer infos count waves too, where ACO looks for them in waves of 64 lanes.
        let mask = if chip.starts_with("navi2") || chip == "navi31" { !(63 << 6) } else { !0 };
        let mut expected = vec![0; 2 * 2 * 4 * 4 * 4];
        for (x, y) in [(1, 2), (2, 2), (1, 3), (2, 3)] {
            for wave in [0, 1] {
                let at = (((3 * 4 + y) * 4 + x) * 2 + wave) * 2;
                expected[at] = (x | y << 8 | 3 << 16) as u32;
                expected[at + 1] = info[wave];
            }
        }
        let mut found = machine.words(DATA, expected.len());
        found.iter_mut().skip(1).step_by(2).for_each(|word| *word &= mask);
        assert!(found == expected, "{chip}: {:x?}", found.iter().filter(|word| **word != 0).collect::<Vec<_>>());
    }
}

/// Numbers of work-items: a register for each, or ten bits each of v0; x runs fastest.
#[test]
fn work_items_know_their_numbers() {
    let lane = "v_mbcnt_lo_u32_b32 v4, -1, 0\nv_mbcnt_hi_u32_b32 v4, -1, v4\nv_lshlrev_b32_e32 v4, 2, v4\n";
    let old_lane = "v_mbcnt_lo_u32_b32_e64 v4, -1, 0\nv_mbcnt_hi_u32_b32_e64 v4, -1, v4\nv_lshlrev_b32_e32 v4, 2, v4\n";
    let apart = "v_lshlrev_b32_e32 v1, 10, v1\nv_lshlrev_b32_e32 v2, 20, v2\nv_or_b32_e32 v0, v0, v1\nv_or_b32_e32 v0, v0, v2\n";
    for (chip, lane, join) in [
        ("tahiti", old_lane, apart),
        ("polaris10", lane, apart),
        ("navi21", lane, apart),
        ("navi31", lane, ""),
        ("gfx1201", lane, ""),
    ] {
        // One component, or three.
        for wanted in [0u32, 2] {
            let machine = Machine::new(chip);
            let join = if wanted == 0 { "" } else { join };
            machine.code(&of(chip).program(&format!("{lane}{join}STORE v0 AT v4")));
            let grid = Grid { rsrc2: 2 << 1 | wanted << 11, threads: [4, 2, 3], ..ONE };
            machine.run(Engine::Graphics, &grid.packets()).expect("fits");
            let expected: Vec<u32> = (0..24)
                .map(|n| (n % 4, if wanted == 0 { [0, 0] } else { [n / 4 % 2, n / 8] }))
                .map(|(x, [y, z])| x | y << 10 | z << 20)
                .chain([0; 8])
                .collect();
            assert_eq!(machine.words(DATA, 32), expected, "{chip}, {wanted}");
        }
    }
}

/// LDS of one granule: 256 bytes on gfx6, 512 on all others. What is stored behind its end is lost.
#[test]
fn local_memory_has_the_size_of_its_granules() {
    for (chip, bytes, store, load, wait) in [
        ("tahiti", 256u32, "ds_write_b32", "ds_read_b32", "s_waitcnt lgkmcnt(0)"),
        ("bonaire", 512, "ds_write_b32", "ds_read_b32", "s_waitcnt lgkmcnt(0)"),
        ("polaris10", 512, "ds_write_b32", "ds_read_b32", "s_waitcnt lgkmcnt(0)"),
        ("navi21", 512, "ds_write_b32", "ds_read_b32", "s_waitcnt lgkmcnt(0)"),
        ("navi31", 512, "ds_store_b32", "ds_load_b32", "s_waitcnt lgkmcnt(0)"),
        ("gfx1201", 512, "ds_store_b32", "ds_load_b32", "s_wait_dscnt 0x0"),
    ] {
        let machine = Machine::new(chip);
        let one = |at: u32, to: u32| {
            format!(
                "v_mov_b32_e32 v1, {at:#x}\nv_mov_b32_e32 v2, 7\n{store} v1, v2\n{wait}\n{load} v3, v1\n{wait}
                 v_mov_b32_e32 v4, {to}\nSTORE v3 AT v4\n"
            )
        };
        let text = format!("s_mov_b32 m0, -1\n{}{}", one(bytes - 4, 0), one(bytes, 4));
        machine.code(&of(chip).program(&text));
        machine.put(DATA, &[!0, !0]);
        let grid = Grid { rsrc2: 2 << 1 | 1 << 15, threads: [1, 1, 1], ..ONE };
        machine.run(Engine::Graphics, &grid.packets()).expect("fits");
        assert_eq!(machine.words(DATA, 2), [7, 0], "{chip}");
    }
}

/// Scratch memory where buffer instructions reach it: the V# is made from the ring in the first user SGPRs, and the offset of the
/// wave is the last system SGPR. Lanes interleave by words.
#[test]
fn scratch_by_buffers() {
    for (chip, word) in [("tahiti", "0xea7000"), ("bonaire", "0xea7000"), ("polaris10", "0xe87000")] {
        let machine = Machine::new(chip);
        // User data: the ring. s2 is the group's number, s3 the offset.
        machine.code(&format!(
            "s_mov_b32 s8, s0\ns_mov_b32 s9, s1\ns_mov_b32 s10, -1\ns_mov_b32 s11, {word}
             buffer_store_dword v0, off, s[8:11], s3 offset:4
             s_endpgm"
        ));
        let rsrc2 = 1 | 2 << 1 | 1 << 7;
        let stream = [
            program(rsrc2, [128, 1, 1]),
            set(0xb900, &[DATA as u32, 1 << 31]),
            // Waves of 2048 bytes.
            set(0xb860, &[2 | 2 << 12]),
            packet(0x15, &[1, 1, 1, ORDINARY]),
        ];
        machine.run(Engine::Graphics, &stream.concat()).expect("fits");
        assert_waves_at(&machine, DATA, 2048, chip);
    }
}

/// Scratch memory where flat instructions reach it by a register that the program writes: gfx9 and gfx10. The ring's address has the
/// sign bit, which the program extends.
#[test]
fn scratch_by_flat_addresses() {
    for (chip, flat) in [
        ("vega10", "s_add_u32 flat_scratch_lo, s0, s3\ns_addc_u32 flat_scratch_hi, s1, 0x7fff0000"),
        (
            "navi10",
            "s_add_u32 s8, s0, s3\ns_addc_u32 s9, s1, 0x7fff0000
             s_setreg_b32 hwreg(20), s8\ns_setreg_b32 hwreg(21), s9",
        ),
    ] {
        let machine = Machine::new(chip);
        machine.code(&format!("{flat}\nv_mov_b32_e32 v1, 4\nscratch_store_dword v1, v0, off\ns_endpgm"));
        let [low, _] = pair(HIGH);
        let stream = [
            program(1 | 2 << 1 | 1 << 7, [128, 1, 1]),
            set(0xb900, &[low, 0x8000_8000]),
            set(0xb860, &[2 | 2 << 12]),
            packet(0x15, &[1, 1, 1, ORDINARY]),
        ];
        machine.run(Engine::Graphics, &stream.concat()).expect("fits");
        assert_waves_at(&machine, HIGH, 2048, chip);
    }
}

/// Scratch memory where the hardware knows it: gfx11 and gfx12, in units of 256 bytes. SCRATCH_BASE counts by 256 bytes as well.
#[test]
fn scratch_by_the_hardware() {
    for chip in ["navi31", "gfx1201"] {
        let machine = Machine::new(chip);
        machine.code("scratch_store_b32 off, v0, off offset:4\ns_endpgm");
        for (base, high) in [(DATA, 0), (HIGH, 0x80)] {
            let stream = [
                program(1 | 2 << 1 | 1 << 7, [128, 1, 1]),
                set(0xb840, &[(base >> 8) as u32, high]),
                // Waves of 2304 bytes, which are no units of 1024.
                set(0xb860, &[2 | 9 << 12]),
                packet(0x15, &[1, 1, 1, ORDINARY]),
            ];
            machine.run(Engine::Graphics, &stream.concat()).expect("fits");
            assert_waves_at(&machine, base, 2304, chip);
        }
    }
}

/// Two waves of 64 lanes have each written the number of the work-item to its second word of scratch.
fn assert_waves_at(machine: &Machine, base: u64, wave_bytes: u64, chip: &str) {
    for wave in 0..2u32 {
        let at = base + wave_bytes * u64::from(wave);
        let expected: Vec<u32> = (64 * wave..64 * wave + 64).collect();
        assert_eq!(machine.words(at + 256, 64), expected, "{chip} wave {wave}");
        assert_eq!(machine.words(at, 64), [0; 64], "{chip} wave {wave}");
    }
}

/// A size of scratch memory that needs more than 13 bits: the second wave lies 4 MiB behind the first, where nothing is mapped.
#[test]
fn scratch_may_be_large() {
    for chip in ["navi31", "gfx1201"] {
        let machine = Machine::new(chip);
        machine.code("scratch_store_b32 off, v0, off offset:4\ns_endpgm");
        let stream = [
            program(1 | 2 << 1 | 1 << 7, [128, 1, 1]),
            set(0xb840, &[(DATA >> 8) as u32, 0]),
            set(0xb860, &[2 | 0x4001 << 12]),
            packet(0x15, &[1, 1, 1, ORDINARY]),
        ];
        let lost = machine.run(Engine::Graphics, &stream.concat()).expect_err("it goes wrong").to_string();
        assert!(lost.contains("wave 1") && lost.contains("bad address"), "{chip}: {lost}");
    }
}

/// A group whose waves have no scratch memory is refused.
#[test]
fn scratch_must_suffice_for_a_group() {
    let machine = Machine::new("navi31");
    machine.code("s_endpgm");
    let stream = [program(1 | 2 << 1, [128, 1, 1]), set(0xb860, &[1 | 9 << 12]), packet(0x15, &[1, 1, 1, ORDINARY])];
    let lost = machine.run(Engine::Graphics, &stream.concat()).expect_err("it goes wrong").to_string();
    assert!(lost.contains("the waves of a group with scratch memory"), "{lost}");
}

/// Lanes of a wave by the initiator; the same code with both, one behind the other.
#[test]
fn waves_have_32_or_64_lanes() {
    for chip in ["navi10", "navi31", "gfx1201"] {
        let machine = Machine::new(chip);
        let lane = "v_mbcnt_lo_u32_b32 v4, -1, 0\nv_mbcnt_hi_u32_b32 v4, -1, v4\nv_lshlrev_b32_e32 v5, 2, v0\n";
        machine.code(&of(chip).program(&format!("{lane}STORE v4 AT v5")));
        let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
        for (initiator, lanes) in [(ORDINARY, 64), (ORDINARY | WAVE32, 32), (ORDINARY, 64)] {
            machine.put(DATA, &[!0; 64]);
            machine.run_on(&mut ring, &Grid { initiator, ..ONE }.packets()).expect("fits");
            assert_eq!(machine.words(DATA, 64), (0..64).map(|n| n % lanes).collect::<Vec<u32>>(), "{chip} {lanes}");
        }
    }
    // Older ones have no such bit.
    let machine = Machine::new("vega10");
    machine.code(&of("vega10").program(
        "v_mbcnt_lo_u32_b32 v4, -1, 0\nv_mbcnt_hi_u32_b32 v4, -1, v4\nv_lshlrev_b32_e32 v5, 2, v0\nSTORE v4 AT v5",
    ));
    machine.run(Engine::Graphics, &Grid { initiator: ORDINARY | WAVE32, ..ONE }.packets()).expect("fits");
    assert_eq!(machine.words(DATA, 64), (0..64).collect::<Vec<u32>>());
}

/// Instructions that are there for waves of 32 lanes only, in code that waves of 64 have run before, and pass over.
#[test]
fn instructions_may_depend_on_lanes() {
    let machine = Machine::new("navi31");
    // s2 says whether to pass over.
    machine.code(&of("navi31").program(
        "v_mov_b32_e32 v1, 0
         v_mov_b32_e32 v2, 1
         s_cmp_eq_u32 s2, 0
         s_cbranch_scc1 2
         v_dual_mov_b32 v2, 7 :: v_dual_mov_b32 v3, 8
         STORE v2 AT v1",
    ));
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    for (initiator, passes, left) in [(ORDINARY, 0, 1), (ORDINARY | WAVE32, 1, 7)] {
        let grid = Grid { initiator, rsrc2: 3 << 1, threads: [1, 1, 1], ..ONE };
        let stream = [set(0xb908, &[passes]), grid.packets()].concat();
        machine.run_on(&mut ring, &stream).expect("fits");
        assert_eq!(machine.words(DATA, 1), [left]);
    }
    // What waves of 64 lanes have not, they do not execute.
    let grid = Grid { rsrc2: 3 << 1, threads: [1, 1, 1], ..ONE };
    assert!(machine.run_on(&mut ring, &grid.packets()).is_err());
}

/// A wave finds nothing of those that ran before it, of other programs with other lanes: registers that nobody sets are zero here, and
/// constants are those of its own program.
#[test]
fn waves_find_nothing_of_earlier_ones() {
    let machine = Machine::new("navi31");
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    for (initiator, number) in [(ORDINARY, 0x1234), (ORDINARY | WAVE32, 0x5678)] {
        // What is there in the beginning, and a literal for lanes.
        machine.code(&of("navi31").program(&format!(
            "v_lshlrev_b32_e32 v1, 4, v0
             v_mov_b32_e32 v2, s20
             STORE v20 AT v1
             v_add_nc_u32_e32 v1, 4, v1
             STORE v2 AT v1
             v_add_nc_u32_e32 v1, 4, v1
             v_xor_b32_e32 v3, {number:#x}, v0
             STORE v3 AT v1
             v_mov_b32_e32 v20, -1
             s_mov_b32 s20, -1"
        )));
        machine.put(DATA, &[!0; 256]);
        machine.run_on(&mut ring, &Grid { initiator, ..ONE }.packets()).expect("fits");
        let expected: Vec<u32> = (0..64).flat_map(|n| [0, 0, n ^ number, !0]).collect();
        assert_eq!(machine.words(DATA, 256), expected, "{initiator:#x}");
    }
}

/// Denormals by RSRC1, with the same code one behind the other: the smallest one times 1 is 0 or itself.
#[test]
fn waves_begin_with_the_mode_of_the_registers() {
    let machine = Machine::new("polaris10");
    let text = "v_mov_b32_e32 v1, 1\nv_mul_f32_e32 v1, 1.0, v1\nv_mov_b32_e32 v2, 0\nSTORE v1 AT v2";
    machine.code(&of("polaris10").program(text));
    let mut ring = Ring::new(&machine.card, Engine::Graphics, 0);
    for (denormals, left) in [(0u32, 0u32), (3, 1), (0, 0)] {
        machine.put(DATA, &[!0]);
        let rsrc1 = ONE.rsrc1 & !(3 << 16) | denormals << 16;
        machine.run_on(&mut ring, &Grid { rsrc1, ..ONE }.packets()).expect("fits");
        assert_eq!(machine.words(DATA, 1), [left], "denormals {denormals}");
    }
}
