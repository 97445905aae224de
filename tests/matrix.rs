//! Matrix instructions against two witnesses: AMD's Matrix Instruction Calculator says where elements lie, MMA-Sim how products are added (`golden/oracle/matrix`
//! has what they say, and how it was made).
//!
//! Places are tested with small integers, which are exact in every format and in every order: a place that is wrong gives another sum. Sums are
//! tested by running an instruction with row `n` of A, column `n` of B and element `n, n` of C of one case each.

#[path = "emu_lanes/machine.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod machine;
#[path = "support/sums.rs"]
mod sums;

use half::{bf16, f16};
use machine::{Machine, machines};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use sums::{Sum, lines};
use wavediff::emu::wave::Wave;

/// What elements are, by the names that instructions have for them.
fn bits(kind: &str) -> usize {
    match kind {
        "f64" => 64,
        "f32" | "xf32" | "i32" => 32,
        "f16" | "bf16" => 16,
        "fp8" | "bf8" | "i8" | "iu8" => 8,
        "iu4" => 4,
        _ => panic!("{kind}"),
    }
}

/// A small integer in a format.
fn encode(kind: &str, cdna: bool, v: i32) -> u64 {
    let float = v as f32;
    let tiny = |one: u64, two: u64| [two | 0x80, one | 0x80, 0, one, two][(v + 2) as usize];
    match kind {
        "f64" => f64::from(v).to_bits(),
        "f32" | "xf32" => float.to_bits().into(),
        "f16" => f16::from_f32(float).to_bits().into(),
        "bf16" => bf16::from_f32(float).to_bits().into(),
        "i32" => u64::from(v as u32),
        "i8" | "iu8" => u64::from(v as u8),
        "iu4" => u64::from(v as u8 & 15),
        "fp8" if cdna => tiny(0x40, 0x48),
        "bf8" if cdna => tiny(0x40, 0x44),
        "fp8" => tiny(0x38, 0x40),
        "bf8" => tiny(0x3c, 0x40),
        _ => panic!("{kind}"),
    }
}

/// The kinds of the sums, of A and of B that a name says.
fn kinds(name: &str) -> [&'static str; 3] {
    const ALL: [&str; 11] = ["xf32", "bf16", "f64", "f32", "f16", "fp8", "bf8", "i32", "iu8", "iu4", "i8"];
    let name = name.trim_end_matches("_1k");
    let rest = name.split_once("mac_").or(name.split_once("mfma_")).or(name.split_once("wmma_")).expect(name).1;
    let find = |text: &str| ALL.into_iter().find(|kind| text.ends_with(kind)).unwrap_or_else(|| panic!("{text}"));
    let sum = find(rest.split('_').next().expect(name));
    let b = find(rest);
    let before = rest[..rest.len() - b.len()].trim_end_matches('_');
    let a = if matches!(b, "fp8" | "bf8") { find(before) } else { b };
    [sum, a, b]
}

/// A place: the first register less that of the operand, the first bit there, and all lanes that have it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    register: usize,
    bit: usize,
    lanes: Vec<usize>,
}

fn places(text: &str) -> Vec<Place> {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text}"));
    let place = |text: &str| {
        let (at, lanes) = text.split_once(':').expect("a lane");
        let (register, bit) = at.split_once('.').expect("a bit");
        Place { register: number(register), bit: number(bit), lanes: lanes.split(',').map(number).collect() }
    };
    text.split(' ').map(place).collect()
}

/// Which operand, and the modifiers that move it: CBSZ, ABID, BLGP, OP_SEL.
type Setting = (char, [u32; 4]);

/// An instruction as the calculator has it.
struct Instruction {
    name: String,
    size: usize,
    depth: usize,
    blocks: usize,
    settings: BTreeMap<Setting, Vec<Place>>,
}

type Instructions = BTreeMap<(String, u32, String), Instruction>;

fn instructions() -> Instructions {
    let mut all = Instructions::new();
    for line in lines("layouts.tsv.zst") {
        let number = |n: usize| line[n].parse::<u32>().unwrap_or_else(|_| panic!("{line:?}"));
        let key = (line[0].clone(), number(1), line[2].clone());
        let new = || Instruction {
            name: line[2].clone(),
            size: number(3) as usize,
            depth: number(5) as usize,
            blocks: number(6) as usize,
            settings: BTreeMap::new(),
        };
        let matrix = line[7].chars().next().expect("a matrix");
        let setting = (matrix, [number(8), number(9), number(10), number(11)]);
        all.entry(key).or_insert_with(new).settings.insert(setting, places(&line[12]));
    }
    all
}

/// Where operands begin.
const A: usize = 16;
const B: usize = 32;
const INDEX: usize = 48;
const C: usize = 64;

/// Small numbers, one after the other.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Writes some bits of a place, in all its lanes.
fn put(wave: &Wave, first: usize, place: &Place, bits: usize, v: u64) {
    for &lane in &place.lanes {
        if bits == 64 {
            wave.set_vgpr(first + place.register, lane, v as u32);
            wave.set_vgpr(first + place.register + 1, lane, (v >> 32) as u32);
            continue;
        }
        let mask = (u64::from(u32::MAX) >> (32 - bits) << place.bit) as u32;
        let old = wave.vgpr(first + place.register, lane);
        wave.set_vgpr(first + place.register, lane, old & !mask | (v << place.bit) as u32 & mask);
    }
}

fn get(wave: &Wave, first: usize, place: &Place, bits: usize) -> u64 {
    let lane = place.lanes[0];
    let word = |n| u64::from(wave.vgpr(first + place.register + n, lane));
    if bits == 64 { word(0) | word(1) << 32 } else { word(0) >> place.bit & (u64::from(u32::MAX) >> (32 - bits)) }
}

/// An operand of so many registers; of gfx908 sums are in accumulation registers.
fn range(first: usize, count: usize, agpr: bool) -> String {
    let (letter, first) = if agpr { ('a', first - C) } else { ('v', first) };
    if count == 1 { format!("{letter}{first}") } else { format!("{letter}[{first}:{}]", first + count - 1) }
}

/// The text of an instruction, with so many registers for A, B and D.
fn text(machine: Machine, name: &str, counts: [usize; 3], modifiers: &str) -> String {
    let agpr = machine.name == "gfx908";
    let d = range(C, counts[2], agpr);
    let last = if name.contains("mac_") { range(INDEX, 1, false) } else { d.clone() };
    format!("{name} {d}, {}, {}, {last}{modifiers}", range(A, counts[0], false), range(B, counts[1], false))
}

/// How many registers places take.
fn registers(places: &[Place], bits: usize) -> usize {
    places.iter().map(|place| place.register + bits.div_ceil(32)).max().unwrap_or(1)
}

fn trial(machine: Machine, instruction: &Instruction, chosen: [Setting; 4], random: &mut Draw) -> Result<(), String> {
    let Instruction { name, size, depth, blocks, settings } = instruction;
    let (size, depth, blocks) = (*size, *depth, *blocks);
    let [sum, ka, kb] = kinds(name);
    let cdna = machine.name.starts_with("gfx9");
    let sparse = name.contains("mac_");
    let of = |setting: Setting| settings.get(&setting).unwrap_or_else(|| panic!("{name}: {setting:?}"));
    let [a, b, d] = [chosen[0], chosen[1], chosen[2]].map(of);
    let index = if sparse { of(chosen[3]) } else { &[][..] };
    let counts = [registers(a, bits(ka)), registers(b, bits(kb)), registers(d, bits(sum))];
    // Where half of A is there a place is that of a pair.
    let counts = if sparse { [registers(a, 2 * bits(ka)), counts[1], counts[2]] } else { counts };
    let [cbsz, abid, _, _] = if sparse { chosen[3].1 } else { chosen[0].1 };
    let (blgp, op_sel) = (chosen[1].1[2], chosen[if sparse { 3 } else { 2 }].1[3]);
    let mut modifiers = String::new();
    for (word, value) in [("cbsz", cbsz), ("abid", abid), ("blgp", blgp)] {
        if value != 0 {
            modifiers += &format!(" {word}:{value}");
        }
    }
    if op_sel != 0 && sparse {
        modifiers += &format!(" index_key:{op_sel}");
    } else if op_sel != 0 {
        modifiers += " op_sel:[0,0,1]";
    }
    if matches!(ka, "iu8" | "iu4") {
        modifiers += " neg_lo:[1,1,0]";
    }
    // Of gfx11 terms of other signs leave a trace.
    let value = |random: &mut Draw| match machine.name {
        "gfx1100" => 1 + random.below(2) as i32,
        _ => random.below(5) as i32 - 2,
    };

    let (mut sources, mut wanted) = ([HashMap::new(), HashMap::new()], Vec::new());
    let mut element = |n: usize, place: Place, random: &mut Draw| -> i32 {
        *sources[n].entry(place).or_insert_with(|| value(random))
    };
    let mut indices: HashMap<Place, [usize; 2]> = HashMap::new();
    let mut c = HashMap::new();
    for block in 0..blocks {
        for i in 0..size {
            for j in 0..size {
                let at = &d[(block * size + i) * size + j];
                let start = random.below(9) as i32;
                c.insert(at.clone(), start);
                let mut total = start;
                for k in 0..depth {
                    let line = (block * size + i) * depth + k;
                    let mut from = a[line].clone();
                    if sparse {
                        let pair = indices.entry(index[line].clone()).or_insert_with(|| {
                            let first = random.below(3) as usize;
                            [first, first + 1 + random.below(3 - first as u64) as usize]
                        });
                        let Some(half) = pair.iter().position(|index| *index == k % 4) else { continue };
                        from.bit += half * bits(ka);
                    }
                    total += element(0, from, random) * element(1, b[(block * depth + k) * size + j].clone(), random);
                }
                wanted.push((at.clone(), total));
            }
        }
    }
    let agpr = if machine.name == "gfx908" { 256 - C } else { 0 };
    let line = text(machine, name, counts, &modifiers);
    let wave = machine.run(&[&line], |wave| {
        for (n, kind) in [(0, ka), (1, kb)] {
            for (place, v) in &sources[n] {
                put(wave, [A, B][n], place, bits(kind), encode(kind, cdna, *v));
            }
        }
        for (place, pair) in &indices {
            put(wave, INDEX, place, 4, (pair[0] | pair[1] << 2) as u64);
        }
        for (place, v) in &c {
            put(wave, agpr + C, place, bits(sum), encode(sum, cdna, *v));
        }
    });
    for (place, v) in wanted {
        let (got, want) = (get(&wave, agpr + C, &place, bits(sum)), encode(sum, cdna, v));
        if got != want {
            let Place { register, lanes, .. } = place;
            return Err(format!("{machine:?}: {line}: register {register} lane {}: {got:#x}, not {want:#x}", lanes[0]));
        }
    }
    Ok(())
}

/// Every instruction of the calculator, in each setting of each operand that it has.
#[test]
fn elements_lie_where_amd_says() {
    let mut random = Draw(1);
    let (mut count, mut failures, mut rows) = (0, Vec::new(), BTreeSet::new());
    for ((arch, wave, _), instruction) in instructions() {
        let name = if arch == "gfx940" { "gfx942" } else { &arch };
        let machine = machines(&[name]).find(|m| m.lanes == wave).unwrap_or_else(|| panic!("{arch} {wave}"));
        let plain = ['A', 'B', 'D', 'K'].map(|matrix| (matrix, [0; 4]));
        for setting in instruction.settings.keys() {
            let chosen = plain.map(|other| if other.0 == setting.0 { *setting } else { other });
            failures.extend(trial(machine, &instruction, chosen, &mut random).err());
            count += 1;
        }
        rows.insert((arch, instruction.name));
    }
    println!("{count} layouts of {} instructions", rows.len());
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 1000 && rows.len() > 120, "{count} layouts of {} instructions", rows.len());
}

/// The instructions that add products of a type, with their depths, by processor.
fn adding(arch: &str, kind: &str) -> Vec<(Machine, String, usize)> {
    let all = instructions();
    let name = if arch == "gfx940" { "gfx942" } else { arch };
    let machine = machines(&[name]).next().expect("a machine");
    let of = all.iter().filter(|((of, ..), _)| of == arch).map(|(_, instruction)| instruction);
    let (plain, wide) = (kind.trim_end_matches("_1k"), kind.ends_with("_1k"));
    let fits = |name: &str| {
        let [_, a, b] = kinds(name);
        let same = if plain.len() > 4 { format!("{a}_{b}") == plain } else { a == plain && b == plain };
        same && name.ends_with("_1k") == wide && name.starts_with("v_mfma")
    };
    let found = of.filter(|instruction| fits(&instruction.name));
    let names: BTreeMap<String, usize> = found.map(|i| (i.name.clone(), i.depth)).collect();
    names.into_iter().map(|(name, depth)| (machine, name, depth)).collect()
}

/// Sums of each type on each processor, in the instruction whose depth is that of the case, or that takes it part by part.
#[test]
fn sums_are_what_silicon_makes() {
    let all = instructions();
    let mut cases: BTreeMap<(String, String), Vec<Sum>> = BTreeMap::new();
    for sum in Sum::all() {
        cases.entry((sum.arch.clone(), sum.kind.clone())).or_default().push(sum);
    }
    let (mut count, mut failures) = (0, Vec::new());
    for ((arch, kind), cases) in &cases {
        let found = adding(arch, kind);
        assert!(!found.is_empty(), "{arch} {kind}");
        let depth = cases[0].a.len();
        // The instructions whose whole depth a case has.
        let whole: Vec<_> = found.into_iter().filter(|(.., of)| *of == depth).collect();
        assert!(!whole.is_empty(), "{arch} {kind}: none of depth {depth}");
        for (machine, name, _) in whole {
            let instruction = &all[&(arch.clone(), 64, name.clone())];
            let size = instruction.size;
            let [sum, ka, kb] = kinds(&name);
            let [a, b, d] = ['A', 'B', 'D'].map(|matrix| &instruction.settings[&(matrix, [0; 4])]);
            let counts = [registers(a, bits(ka)), registers(b, bits(kb)), registers(d, bits(sum))];
            let line = text(machine, &name, counts, "");
            let first = if machine.name == "gfx908" { 256 } else { C };
            for some in cases.chunks(size) {
                let wave = machine.run(&[&line], |wave| {
                    for (n, case) in some.iter().enumerate() {
                        for k in 0..depth {
                            put(wave, A, &a[n * depth + k], bits(ka), case.a[k]);
                            put(wave, B, &b[k * size + n], bits(kb), case.b[k]);
                        }
                        put(wave, first, &d[n * size + n], bits(sum), case.c);
                    }
                });
                for (n, case) in some.iter().enumerate() {
                    count += 1;
                    let got = get(&wave, first, &d[n * size + n], bits(sum));
                    if !case.is(got) {
                        failures.push(format!("{machine:?}: {name}: {case:x?} gives {got:x}"));
                    }
                }
            }
        }
    }
    println!("{count} sums");
    let some = failures.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {count}:\n{some}", failures.len());
    assert!(count > 9000, "{count}");
}
