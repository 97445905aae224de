//! Images on a Vulkan device against the emulator: drawn descriptors of every kind that a processor has, one a wave.
//!
//! The translation takes descriptors apart on the device, so that a program of one instruction serves all of them. Descriptors that the
//! emulator refuses, one by one, must be refused on the device too. What addresses are right is in `tests/tiling.rs`, what texels are in
//! `tests/texels.rs`: here both engines must say the same.
//!
//! A plain run takes every second instruction on one processor, another one for each, CI each on every fourth. `WAVEDIFF_IMAGES` is how many
//! descriptors each instruction gets. Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/engines.rs"]
mod engines;
#[path = "support/quickly.rs"]
mod quickly;
#[path = "spirv/setup.rs"]
mod setup;
#[path = "support/thorough.rs"]
mod thorough;

use engines::Engines;
use libtest_mimic::{Arguments, Failed};
use quickly::compile_quickly;
use thorough::tries;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::engine::Emulator;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::keep::{Reported, Wanted};
use wavediff::engine::registers::Registers;
use wavediff::engine::{Job, Ran, Runner, TrapKind};
use wavediff::isa::{Arch, Gen, Target};
use wavediff::laws::Chance;
use wavediff::memory::guest::Memory;
use wavediff::memory::image::fields::{Field, Fields, SamplerField};
use wavediff::memory::image::sampler::Sampler;
use wavediff::memory::image::{Coordinates, Dim, Resource};
use wavediff::program::Program;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;

const BASE: u64 = 0x10_0000_0000;
/// Bytes of memory that a wave has for itself: images begin at a multiple of the largest block.
const CHUNK: u64 = 1 << 19;
/// The first register of the data; those of the address begin at 0.
const DATA: u32 = 16;
/// Registers that an address may have.
const ADDRESS: usize = 12;
const LANES: u32 = 64;
/// How many descriptors of any words each instruction gets, one by one.
const HOSTILE: usize = 6;

/// What is tried.
struct Kind {
    name: &'static str,
    /// Its row, behind `image_`, and what follows the operands; both but for the dimension.
    row: &'static str,
    rest: &'static str,
    /// Registers of data.
    data: u32,
    /// The dimension, by its number; up to gfx9 the descriptor has one of those with layers or of those without.
    dim: Dim,
    mip: bool,
    stores: bool,
    /// Of samples, the parts of the address: `o`ffset, `b`ias, `z` a reference, `g`radients, `x` coordinates, `l` a level, `c` a clamp.
    parts: &'static str,
}

const fn kind(name: &'static str, row: &'static str, rest: &'static str, data: u32, dim: Dim) -> Kind {
    Kind { name, row, rest, data, dim, mip: false, stores: false, parts: "" }
}

#[rustfmt::skip]
static KINDS: &[Kind] = &[
    Kind { mip: true, ..kind("load_mip_2d_array", "load_mip", "dmask:0xf unorm", 4, Dim::D2Array) },
    Kind { mip: true, ..kind("load_mip_3d", "load_mip", "dmask:0xf unorm", 4, Dim::D3) },
    kind("load_1d", "load", "dmask:0x9 unorm", 2, Dim::D1),
    kind("load_cube", "load", "dmask:0x6 unorm", 2, Dim::Cube),
    kind("load_1d_array", "load", "dmask:0x7 unorm tfe", 4, Dim::D1Array),
    kind("load_msaa_array", "load", "dmask:0xd unorm", 3, Dim::MsaaArray),
    kind("load_d16", "load", "dmask:0xb unorm d16", 2, Dim::D2),
    kind("load_pck", "load_pck_sgn", "dmask:0xf unorm", 4, Dim::D2),
    Kind { stores: true, ..kind("store_2d", "store", "dmask:0xf unorm", 4, Dim::D2) },
    Kind { stores: true, mip: true, ..kind("store_mip_3d", "store_mip", "dmask:0xb unorm", 3, Dim::D3) },
    Kind { stores: true, ..kind("atomic_add", "atomic_add", "dmask:0x1 unorm RETURN", 1, Dim::D2Array) },
    Kind { stores: true, ..kind("atomic_umax_x2", "atomic_umax", "dmask:0x3 unorm RETURN", 2, Dim::D2) },
    Kind { parts: "xl", ..kind("sample_l_2d", "sample_l", "dmask:0xf", 4, Dim::D2) },
    Kind { parts: "x", ..kind("sample_2d_array", "sample", "dmask:0x7", 3, Dim::D2Array) },
    Kind { parts: "gx", ..kind("sample_d_3d", "sample_d", "dmask:0xf", 4, Dim::D3) },
    Kind { parts: "x", ..kind("sample_cube", "sample", "dmask:0x5", 2, Dim::Cube) },
    Kind { parts: "ozx", ..kind("sample_c_lz_o", "sample_c_lz_o", "dmask:0x1", 1, Dim::D2) },
    Kind { parts: "bxc", ..kind("sample_b_cl_1d", "sample_b_cl", "dmask:0xf", 4, Dim::D1) },
    Kind { parts: "xl", ..kind("gather4_l", "gather4_l", "dmask:0x2", 4, Dim::D2Array) },
    Kind { parts: "x", ..kind("get_lod", "get_lod", "dmask:0x3", 2, Dim::D2) },
    Kind { mip: true, ..kind("get_resinfo", "get_resinfo", "dmask:0xf unorm", 4, Dim::D3) },
];

/// Processors: of gfx9 and later one for each layout.
static PROCESSORS: &[&str] = &["gfx600", "gfx704", "gfx803", "gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200"];

/// Coordinates that the instruction takes.
fn coordinates(kind: &Kind) -> u32 {
    let dim = kind.dim;
    if kind.row == "get_resinfo" {
        return 1;
    }
    if !kind.parts.is_empty() {
        return sample_address(kind, dim, &mut Chance::new(0)).len() as u32;
    }
    1 + [dim.has_rows(), dim.has_layers() || dim == Dim::D3, dim.has_samples(), kind.mip]
        .map(u32::from)
        .iter()
        .sum::<u32>()
}

/// The address of a sample, whose dimension is the one of the instruction.
fn sample_address(kind: &Kind, dim: Dim, chance: &mut Chance) -> Vec<u32> {
    let mut float = |low: f32, high: f32| {
        let v = low + (high - low) * (chance.next_u64() >> 40) as f32 / (1 << 24) as f32;
        match chance.below(40) {
            0 => [0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x3f80_0000, 0x5d00_0000][chance.below(7)],
            1 => ((v * 16.0).round() / 16.0).to_bits(),
            _ => v.to_bits(),
        }
    };
    let axes = dim.axes();
    let mut all = Vec::new();
    for part in kind.parts.chars() {
        match part {
            'o' => all.push(float(1.0, 2.0) << 9),
            'b' => all.push(float(-2.0, 3.0)),
            'z' => all.push(float(-0.2, 1.2)),
            'g' => all.extend((0..2 * axes).map(|_| float(-0.1, 0.1))),
            'l' => all.push(float(-1.0, 7.0)),
            'c' => all.push(float(0.0, 4.0)),
            _ => {
                let shift = if dim == Dim::Cube { 1.0 } else { 0.0 };
                all.extend((0..axes).map(|_| float(shift - 0.4, shift + 1.4)));
                if dim.has_layers() {
                    all.push(float(0.0, 6.0));
                }
            }
        }
    }
    all
}

fn target(arch: &str) -> Target {
    let target = Target::new(Arch::find(arch).expect("a processor"));
    target.wave(LANES).unwrap_or(target)
}

/// Whether a generation has the instruction.
fn has(kind: &Kind, g: Gen) -> bool {
    g >= Gen::Gfx8 || !kind.rest.contains("d16")
}

fn program(kind: &Kind, target: Target) -> Program {
    let g = target.generation();
    let packs = g >= Gen::Gfx9;
    let data = if kind.rest.contains("d16") && !packs { 3 } else { kind.data };
    let data = match data {
        1 => format!("v{DATA}"),
        n => format!("v[{DATA}:{}]", DATA + n - 1),
    };
    let count = coordinates(kind);
    let names = ["1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"];
    let layered = kind.dim.has_layers();
    let (address, dim) = match g {
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 => {
            let last = if kind.parts.is_empty() { 3 } else { count - 1 };
            (
                if last == 0 { "v0".to_owned() } else { format!("v[0:{last}]") },
                if layered { " da".to_owned() } else { String::new() },
            )
        }
        _ => {
            let list = match count {
                1 => "v0".to_owned(),
                n if g == Gen::Gfx12 && n > 4 => format!("[v0, v1, v2, v[3:{}]]", n - 1),
                n if g == Gen::Gfx12 => format!("[{}]", (0..n).map(|n| format!("v{n}")).collect::<Vec<_>>().join(", ")),
                n => format!("v[0:{}]", n - 1),
            };
            (list, format!(" dim:SQ_RSRC_IMG_{}", names[usize::from(kind.dim.number())]))
        }
    };
    let returns = if g == Gen::Gfx12 { "th:TH_ATOMIC_RETURN" } else { "glc" };
    let rest = kind.rest.replace("RETURN", returns);
    let rest = if g == Gen::Gfx12 { rest.replace("unorm ", "").replace("unorm", "") } else { rest };
    let row = match (kind.row, g) {
        ("atomic_add", Gen::Gfx12) => "atomic_add_uint",
        ("atomic_umax", Gen::Gfx12) => "atomic_max_uint",
        (row, _) => row,
    };
    let sampler = if kind.parts.is_empty() { "" } else { ", s[12:15]" };
    let source = format!("image_{row} {data}, {address}, s[0:7]{sampler} {rest}{dim}\ns_endpgm\n");
    let module = assemble("one.s", &source, &Assembler::new(target), target)
        .unwrap_or_else(|e| panic!("{}: {source}{e:?}", target.arch.name));
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    let code: Vec<u32> = text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Program::new(target, &code, 0x1000)
}

/// A wave: its descriptor, and a seed for its coordinates and data.
#[derive(Clone, Copy, Debug)]
struct Wave {
    words: [u32; 8],
    sampler: [u32; 4],
    seed: u64,
}

/// The values of the address of a lane: about the sides of the image, and in different places where that matters.
fn address(kind: &Kind, g: Gen, wave: &Wave, lane: u32) -> [u32; ADDRESS] {
    let words = &wave.words;
    let get = |field: Field| field.get(words, g) as u32;
    let dim = Dim::of_instruction((get(Field::Type) & 7) as u8);
    let mut chance = Chance::new(wave.seed ^ u64::from(lane) << 32);
    let mut below = |n: u32| chance.below(n as usize) as u32;
    let edge = |below: &mut dyn FnMut(u32) -> u32, side: u32| match below(16) {
        0 => side.saturating_sub(1),
        1 => side,
        2 if !kind.stores => u32::MAX,
        _ => below(side.max(1)),
    };
    let (width, height) = (get(Field::Width) + 1, get(Field::Height) + 1);
    let own = if g >= Gen::Gfx10 { kind.dim } else { dim.with_layers(kind.dim.has_layers()) };
    // Lanes that store do not meet: which of them would win is nobody's to say. Atomics do, where there are no rows.
    let (x, y) = match kind.stores {
        true if own.has_rows() || kind.row.starts_with("atomic") => (lane % 16, lane / 16),
        true => (lane, 0),
        false => (edge(&mut below, width), edge(&mut below, height)),
    };
    let z = if kind.stores { below(2) } else { edge(&mut below, get(Field::Depth).min(12) + 1) };
    let sample = below(1 << get(Field::LastLevel).min(4));
    let level = below(get(Field::LastLevel) + 2);
    let mut all = vec![x];
    if !kind.parts.is_empty() {
        // Neighbours are alike.
        all = sample_address(kind, own, &mut Chance::new(wave.seed ^ u64::from(lane / 4) << 32));
        for v in &mut all {
            *v = v.wrapping_add((lane % 4) << 12);
        }
    } else if kind.row == "get_resinfo" {
        all = vec![level];
    } else {
        let parts = [
            (own.has_rows(), y),
            (own.has_layers() || own == Dim::D3, z),
            (own.has_samples(), sample),
            (kind.mip, level),
        ];
        all.extend(parts.into_iter().filter(|(there, _)| *there).map(|(_, v)| v));
    }
    std::array::from_fn(|n| all.get(n).copied().unwrap_or(0))
}

/// Texels that a lane may ask for.
fn texel(kind: &Kind, g: Gen, wave: &Wave, lane: u32) -> Coordinates {
    let dim = Dim::of_instruction((Field::Type.get(&wave.words, g) & 7) as u8);
    let own = if g >= Gen::Gfx10 { kind.dim } else { dim.with_layers(kind.dim.has_layers()) };
    let values = address(kind, g, wave, lane);
    let mut n = 0;
    let mut next = |there: bool| {
        let v = if there { values[n] } else { 0 };
        n += usize::from(there);
        v
    };
    Coordinates {
        x: next(true),
        y: next(own.has_rows()),
        z: next(own.has_layers() || own == Dim::D3),
        sample: next(own.has_samples()),
        level: next(kind.mip),
    }
}

/// A drawn descriptor.
fn draw(kind: &Kind, target: Target, chance: &mut Chance) -> [u32; 8] {
    let g = target.generation();
    let mut words = [0; 8];
    let mut set = |field: Field, v: u64| field.set(&mut words, g, v);
    let mut below = |n: u64| chance.next_u64() % n;
    let dims: Vec<Dim> = match g {
        // The descriptor alone says it.
        Gen::Gfx6 | Gen::Gfx7 | Gen::Gfx8 | Gen::Gfx9 if kind.dim != Dim::D3 && below(2) == 0 => {
            Dim::ALL.into_iter().filter(|dim| dim.has_layers() == kind.dim.has_layers()).collect()
        }
        _ => vec![kind.dim],
    };
    let dim = dims[below(dims.len() as u64) as usize];
    let (number, num) = if g <= Gen::Gfx9 {
        (1 + below(63), [0, 1, 2, 3, 4, 5, 6, 7, 9][below(9) as usize])
    } else {
        (1 + below(if g == Gen::Gfx10 { 182 } else { 122 }), 0)
    };
    set(Field::Base, BASE >> 8);
    set(Field::Format, number);
    set(Field::NumFormat, num);
    let side = |below: &mut dyn FnMut(u64) -> u64| [below(8), below(40), below(160)][below(3) as usize];
    let width = side(&mut below);
    set(Field::Width, width);
    set(Field::Height, side(&mut below));
    set(Field::DstSel, if below(3) == 0 { below(1 << 12) } else { 0o7654 });
    let levels = if dim.has_samples() { below(5) } else { below(7) };
    set(Field::LastLevel, levels);
    set(Field::MaxMip, levels + if below(4) == 0 { below(3) } else { 0 });
    if !dim.has_samples() && below(3) == 0 {
        set(Field::BaseLevel, below(levels + 2).min(15));
    }
    let modes = if g == Gen::Gfx12 { 8 } else { 32 };
    set(Field::Mode, if below(5) == 0 { if g <= Gen::Gfx8 { 8 } else { 0 } } else { below(modes) });
    set(Field::Pow2Pad, u64::from(levels > 0));
    set(Field::Type, 8 + u64::from(dim.number()));
    set(Field::Depth, below(12));
    if g <= Gen::Gfx9 {
        set(Field::Pitch, (width + 1).next_multiple_of(64) - 1);
    }
    if below(3) == 0 {
        set(Field::BaseArray, below(4));
    }
    set(Field::LastArray, 3 + below(8));
    if below(6) == 0 {
        set(Field::Slices, 1);
    }
    // Bits of the base address that are no address.
    if below(3) == 0 {
        words[0] |= below(1 << 10) as u32;
    }
    if below(12) == 0 {
        words[1 + below(6) as usize] ^= 1 << below(32);
    }
    words
}

/// A descriptor and a sampler of any words, of which some fields are made likely: most go out of memory, or are refused.
fn any_words(kind: &Kind, target: Target, chance: &mut Chance) -> Wave {
    let drawn = draw(kind, target, chance);
    let g = target.generation();
    let mut words: [u32; 8] = std::array::from_fn(|_| chance.next_u64() as u32);
    for field in [Field::Type, Field::Format, Field::NumFormat, Field::Base, Field::Compressed, Field::Mode] {
        if field == Field::Type || chance.below(4) > 0 {
            field.set(&mut words, g, field.get(&drawn, g));
        }
    }
    Wave { words, sampler: std::array::from_fn(|_| chance.next_u64() as u32), seed: chance.next_u64() }
}

/// Whether the emulator follows a descriptor, and all that a wave touches is in its memory.
fn is_good(kind: &Kind, target: Target, wave: &Wave, number: u64) -> Option<bool> {
    let g = target.generation();
    let resource = match Resource::decode(&wave.words, &target) {
        Err(_) => return Some(false),
        Ok(None) => return Some(true),
        Ok(Some(resource)) => resource,
    };
    let format = resource.format;
    let atomic = if kind.data == 1 { 4 } else { 8 };
    if kind.row.starts_with("atomic") && format.atomic_bytes() != Some(atomic) {
        return Some(false);
    }
    if kind.row == "store" || kind.row == "store_mip" {
        // What is refused of lanes that are outside is another matter.
        if !format.is_storable() {
            return None;
        }
    }
    let chunk = BASE + number * CHUNK..BASE + (number + 1) * CHUNK;
    let inside = |lane: u32| {
        let at = resource.at(texel(kind, g, wave, lane));
        at.is_none_or(|at| chunk.contains(&at.address) && at.address + 16 <= chunk.end)
    };
    (0..LANES).all(inside).then_some(true)
}

fn run(engine: &dyn Runner, program: &Program, kind: &Kind, waves: &[Wave], memory: &Memory) -> Result<Ran, Failed> {
    let g = program.target.generation();
    let setup = |group: [u32; 3], _: u32, registers: &mut Registers| {
        let wave = &waves[group[0] as usize];
        registers.s[..8].copy_from_slice(&wave.words);
        registers.s[12..16].copy_from_slice(&wave.sampler);
        let mut chance = Chance::new(wave.seed);
        registers.set_exec(if wave.seed.is_multiple_of(4) { chance.next_u64() } else { u64::MAX });
        for lane in 0..LANES {
            for (n, v) in address(kind, g, wave, lane).into_iter().enumerate() {
                registers.set_vgpr(n, lane as usize, v);
            }
            for n in 0..5 {
                let v = match chance.below(4) {
                    0 => chance.next_u64() as u32,
                    1 => [0, 1, 0x3f80_0000, 0xbf80_0000, 0x7fc0_0000, 0x7f80_0000, 0x8000_0000][chance.below(7)],
                    _ => (chance.below(3000) as f32 / 2000.0 - 0.2).to_bits(),
                };
                registers.set_vgpr(DATA as usize + n, lane as usize, v);
            }
        }
    };
    let mut dispatch = Dispatch::of_one(program, memory, LANES, &setup);
    dispatch.groups[0] = waves.len() as u32;
    let keep = Wanted::States(Reported { vgprs: 24, agprs: 0 });
    Ok(engine.run(&Job { dispatch: &dispatch, lds: None, keep, timeout: None })?)
}

fn memory(chunks: usize) -> Memory {
    let mut chance = Chance::new(0x717e);
    let mut memory = Memory::new();
    let bytes: Vec<u8> = (0..chunks as u64 * CHUNK / 8).flat_map(|_| chance.next_u64().to_le_bytes()).collect();
    memory.map_bytes("texels", BASE, &bytes, true).expect("memory");
    memory
}

/// Whether the emulator gets through a sample; nothing where it leaves memory.
fn runs(kind: &Kind, program: &Program, wave: &Wave, all: &Memory) -> Option<bool> {
    match run(&Emulator::default(), program, kind, &[*wave], all).ok()?.trap {
        None => Some(true),
        Some(trap) => matches!(trap.kind, TrapKind::Unsupported { .. }).then_some(false),
    }
}

/// A drawn sampler.
fn sampler(target: Target, chance: &mut Chance) -> [u32; 4] {
    let mut words = [0; 4];
    for field in SamplerField::ALL {
        use SamplerField::*;
        let likely = match field {
            Unnormalized | Truncate | Reduce | BorderType | NoCubeWrap | LodBias | MinLod => chance.below(4) == 0,
            MaxAniso | BorderIndex => false,
            _ => true,
        };
        if likely {
            let v = chance.next_u64() & ((1 << field.bits(target.generation())) - 1);
            field.set(&mut words, target.generation(), v);
        }
    }
    words
}

/// Drawn waves that may run together, and some that are refused.
fn waves(kind: &Kind, target: Target, count: usize, program: &Program, all: &Memory) -> (Vec<Wave>, Vec<Wave>) {
    let mut chance = Chance::new(kind.name.bytes().fold(0x1a9e5, |all, byte| all.rotate_left(7) ^ u64::from(byte)));
    let (mut good, mut refused) = (Vec::new(), Vec::new());
    let mut rounds = 0;
    while (good.len() < count || refused.len() < 4) && rounds < 200_000 {
        rounds += 1;
        let number = good.len() as u64;
        let mut words = draw(kind, target, &mut chance);
        // 256 bytes are a unit.
        words[0] = words[0].wrapping_add(((number * CHUNK) >> 8) as u32);
        let wave = Wave { words, sampler: sampler(target, &mut chance), seed: chance.next_u64() };
        let verdict =
            if kind.parts.is_empty() { is_good(kind, target, &wave, number) } else { runs(kind, program, &wave, all) };
        match verdict {
            Some(true) if good.len() < count => good.push(wave),
            Some(false) if refused.len() < 4 => refused.push(wave),
            _ => {}
        }
    }
    (good, refused)
}

fn compare(engine: &Vulkan, arch: &'static str, kind: &Kind, count: usize) -> Result<(), Failed> {
    let target = target(arch);
    let program = program(kind, target);
    let (mine, theirs) = (memory(count), memory(count));
    let (good, refused) = waves(kind, target, count, &program, &mine);
    if good.len() < count {
        return Err(format!("{} descriptors", good.len()).into());
    }
    let expected = run(&Emulator::default(), &program, kind, &good, &mine)?;
    let got = run(engine, &program, kind, &good, &theirs)?;
    let is_sample = !kind.parts.is_empty();
    if let Some(trap) = expected.trap.as_ref().or(got.trap.as_ref()) {
        return Err(format!("{:?} {:?}: {trap:?}", expected.trap.is_some(), got.trap.is_some()).into());
    }
    let mut wrong = Vec::new();
    assert_eq!([expected.waves.len(), got.waves.len()], [count; 2]);
    for (n, (a, b)) in expected.waves.iter().zip(&got.waves).enumerate() {
        let registers = a.vgprs.iter().zip(&b.vgprs).enumerate();
        let first = registers.flat_map(|(r, (a, b))| (0..LANES as usize).map(move |lane| (r, lane, a[lane], b[lane])));
        if let Some((r, lane, a, b)) = first.into_iter().find(|(_, _, a, b)| a != b) {
            let wave = good[n];
            let decoded = Resource::decode(&wave.words, &target);
            let at = address(kind, target.generation(), &wave, lane as u32);
            let at = at.map(|v| if is_sample { f32::from_bits(v).to_string() } else { v.to_string() });
            wrong.push(format!(
                "wave {n}: v{r} lane {lane}: {b:#x}, emulator {a:#x}; {at:?} {:x?} {:?} {decoded:?}",
                wave.words,
                Sampler::decode(&wave.sampler, &target)
            ));
        }
    }
    let words = |memory: &Memory| -> Vec<u32> {
        let regions = memory.regions().iter();
        regions.flat_map(|r| r.words().iter().map(|w| w.load(std::sync::atomic::Ordering::Relaxed))).collect()
    };
    let (a, b) = (words(&mine), words(&theirs));
    for (n, wave) in good.iter().enumerate() {
        let range = n * CHUNK as usize / 4..(n + 1) * CHUNK as usize / 4;
        if let Some(at) = range.clone().find(|at| a[*at] != b[*at]) {
            let decoded = Resource::decode(&wave.words, &target);
            wrong.push(format!("wave {n}: word {}: {:#x}, emulator {:#x} {decoded:?}", at - range.start, b[at], a[at]));
        }
    }
    if !wrong.is_empty() {
        return Err(format!("{} of {count} differ: {}", wrong.len(), wrong[..wrong.len().min(3)].join("\n")).into());
    }
    let mut hostile = Chance::new(count as u64 + kind.data as u64);
    let any = (0..HOSTILE).map(|_| any_words(kind, target, &mut hostile));
    assert!(!refused.is_empty(), "nothing is refused");
    for wave in refused.into_iter().chain(any) {
        let small = memory(1);
        let [expected, got] = [&Emulator::default() as &dyn Runner, engine].map(|engine| {
            let ran = run(engine, &program, kind, &[wave], &small);
            ran.map(|ran| (ran.trap, ran.waves))
        });
        let (expected, got) = (expected?, got?);
        if expected.0 != got.0 {
            return Err(format!("{:x?}: {:?}, emulator {:?}", wave.words, got.0, expected.0).into());
        }
        if expected.1 != got.1 {
            return Err(format!("{:x?}: other registers", wave.words).into());
        }
    }
    Ok(())
}

fn main() {
    compile_quickly();
    let args = Arguments::from_args();
    let gpu = setup::gpu();
    let count = std::env::var("WAVEDIFF_IMAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(64);
    let (usual, others, step) = tries((PROCESSORS.len(), 39, 2), (4, 26, 1));
    let mut trials = Vec::new();
    for model in [Model::Workgroup, Model::Subgroup, Model::Serial] {
        let engines = Engines::new(gpu.as_ref(), model, |_| {});
        for (n, kind) in KINDS.iter().enumerate() {
            let having: Vec<&str> =
                PROCESSORS.iter().copied().filter(|arch| has(kind, target(arch).generation())).collect();
            for (p, arch) in having.iter().copied().enumerate() {
                // The other models differ in nothing that concerns descriptors.
                let turn = n + p;
                let usual = n.is_multiple_of(step) && turn.is_multiple_of(usual.min(having.len()));
                let plain = model == Model::Workgroup && usual || turn % others == model as usize;
                let title = format!("{}::{arch}::{}", model.name(), kind.name);
                trials.push(engines.trial(title, plain, move |engine| compare(engine, arch, kind, count)));
            }
        }
    }
    engines::run(args, trials);
}
