//! The ways to sample and to gather: every row of them, against what its name says.
//!
//! A name has parts: `_c` compares, `_b` has a bias, `_l` a level, `_lz` none, `_d` and `_cd` gradients (`_g16` halves), `_cl` a least level,
//! `_o` an offset. Each part is a value in a register, and one texel of one level follows from all of them. Lanes of a quad lie
//! two texels apart, so that without gradients the level is the first; gradients of four texels make it the second. The image
//! says of each texel where it is, so what a lane must get is known without any sampling. Filters are nearest.
//!
//! The order of the values, and what they do: the manuals' chapters on image addresses ("Image Address Registers", "Sampler").

use half::f16;
use std::collections::BTreeSet;
use wavediff::disasm;
use wavediff::emu::grid::{self, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::fault;
use wavediff::isa::does::{Does, Texels};
use wavediff::isa::form::{Form, Kind, Mod, Table};
use wavediff::isa::row::Family;
use wavediff::isa::{Arch, Gen, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::fields::{Field, Fields, SamplerField};
use wavediff::memory::image::format::TexelFormat;
use wavediff::memory::image::{Coordinates, Dim, Resource};
use wavediff::program::Program;

/// Processors, and how many such rows they have.
const PROCESSORS: [(&str, usize); 8] = [
    ("gfx600", 64),
    ("gfx700", 64),
    ("gfx803", 64),
    ("gfx900", 64),
    ("gfx90a", 1),
    ("gfx1030", 80),
    ("gfx1100", 55),
    ("gfx1200", 55),
];

/// Where the image lies, its sides, and how many levels it has.
const BASE: u64 = 0x10_0000_0000;
const BYTES: usize = 1 << 16;
const SIDE: u32 = 32;
const LEVELS: u32 = 5;
/// Registers: the first of the address, and of the result; the descriptor and the sampler.
const ADDRESS: u32 = 8;
const RESULT: u32 = 4;
const IMAGE: u32 = 8;
const SAMPLER: u32 = 16;

/// What parts of a name do.
const BIAS: f32 = 1.0;
const LEVEL: f32 = 1.0;
const LEAST: f32 = 3.0;
const OFFSET: [i32; 2] = [1, -2];
/// Texels that lanes of a quad are apart, and those of gradients.
const APART: u32 = 2;
const GRADIENT: f32 = 4.0;

/// What a texel holds: where it is.
fn texel(level: u32, x: u32, y: u32) -> f32 {
    (level * 10_000 + y * 100 + x) as f32
}

fn image(target: Target) -> [u32; 8] {
    let g = target.generation();
    let (number, num) = TexelFormat::numbers("32_float", &target).expect("a format of all");
    let mut words = [0; 8];
    for (field, value) in [
        (Field::Base, BASE >> 8),
        (Field::Format, number.into()),
        (Field::NumFormat, num.into()),
        (Field::Width, (SIDE - 1).into()),
        (Field::Height, (SIDE - 1).into()),
        (Field::Pitch, if g <= Gen::Gfx9 { 63 } else { 0 }),
        (Field::DstSel, 0o7654),
        (Field::Mode, if g <= Gen::Gfx8 { 8 } else { 0 }),
        (Field::Pow2Pad, 1),
        (Field::LastLevel, (LEVELS - 1).into()),
        (Field::MaxMip, (LEVELS - 1).into()),
        (Field::Type, 8 + u64::from(Dim::D2.number())),
    ] {
        field.set(&mut words, g, value);
    }
    words
}

fn memory(target: Target) -> Memory {
    let resource = Resource::decode(&image(target), &target).expect("a descriptor").expect("an image");
    let mut bytes = vec![0; BYTES];
    for level in 0..LEVELS {
        let side = SIDE >> level;
        for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
            let at = resource.at(Coordinates { x, y, z: 0, sample: 0, level }).expect("a texel");
            let at = (at.address - BASE) as usize;
            bytes[at..at + 4].copy_from_slice(&texel(level, x, y).to_le_bytes());
        }
    }
    let mut memory = Memory::new();
    memory.map_bytes("texels", BASE, &bytes, false).expect("memory");
    memory
}

/// Nearest texels of the nearest level, which compare as less or equal. Coordinates wrap.
fn sampler(target: Target) -> [u32; 4] {
    let mut words = [0; 4];
    for (field, value) in [(SamplerField::MaxLod, 0xfff), (SamplerField::FilterMip, 1), (SamplerField::Compare, 3)] {
        field.set(&mut words, target.generation(), value);
    }
    words
}

/// The parts of a name.
struct Way {
    gathers: bool,
    parts: BTreeSet<String>,
}

impl Way {
    fn of(name: &str) -> Way {
        let gathers = name.starts_with("image_gather4");
        let rest = name.trim_start_matches("image_gather4").trim_start_matches("image_sample");
        Way { gathers, parts: rest.split('_').filter(|part| !part.is_empty()).map(str::to_owned).collect() }
    }

    fn has(&self, part: &str) -> bool {
        self.parts.contains(part)
    }

    /// The level that is sampled.
    fn level(&self) -> u32 {
        let level = match self {
            _ if self.has("lz") => return 0,
            _ if self.has("l") => LEVEL,
            _ if self.has("d") || self.has("cd") => GRADIENT.log2(),
            _ => (APART as f32).log2(),
        };
        let level = level + if self.has("b") { BIAS } else { 0.0 };
        let level = if self.has("cl") { level.max(LEAST) } else { level };
        // What an instruction without a level gathers from is not published: the level of a sample, here as in `explain --choices`.
        level as u32
    }
}

/// The texel of level 0 that a lane is at: quads lie in a row of eight, each of four lanes.
fn place(lane: u32) -> [u32; 2] {
    let (quad, corner) = (lane / 4, lane % 4);
    [4 * (quad % 8) + APART * (corner & 1), 5 * (quad / 8) + APART * (corner >> 1)]
}

/// A coordinate in the middle of a texel, a little off it, so that four texels around it are clear too.
fn coordinate(texel: u32) -> f32 {
    (texel as f32 + 0.625) / SIDE as f32
}

/// The values of a lane's address, in order.
fn address(way: &Way, lane: u32) -> Vec<u32> {
    let mut all = Vec::new();
    if way.has("o") {
        all.push((OFFSET[0] & 0x3f) as u32 | ((OFFSET[1] & 0x3f) << 8) as u32);
    }
    if way.has("b") {
        all.push(BIAS.to_bits());
    }
    if way.has("c") {
        all.push(reference(lane).to_bits());
    }
    if way.has("d") || way.has("cd") {
        // By x, then by y: of both coordinates.
        let run = GRADIENT / SIDE as f32;
        let short = |v: f32| u32::from(f16::from_f32(v).to_bits());
        if way.has("g16") {
            all.extend([short(run), short(run) << 16]);
        } else {
            all.extend([run, 0.0, 0.0, run].map(f32::to_bits));
        }
    }
    all.extend(place(lane).map(|texel| coordinate(texel).to_bits()));
    if way.has("l") {
        all.push(LEVEL.to_bits());
    }
    if way.has("cl") {
        all.push(LEAST.to_bits());
    }
    all
}

/// What a lane compares with: some are less than the texel, some more.
fn reference(lane: u32) -> f32 {
    if lane.is_multiple_of(3) { 0.0 } else { 1e6 }
}

/// What a lane gets.
fn expected(way: &Way, lane: u32) -> Vec<f32> {
    let level = way.level();
    let side = (SIDE >> level) as i32;
    let at = |texel: u32| coordinate(texel) * side as f32;
    let [x, y] = place(lane).map(at);
    let [dx, dy] = if way.has("o") { OFFSET } else { [0, 0] };
    let get = |x: i32, y: i32| {
        let texel = texel(level, (x + dx).rem_euclid(side) as u32, (y + dy).rem_euclid(side) as u32);
        if way.has("c") { f32::from(reference(lane) <= texel) } else { texel }
    };
    if !way.gathers {
        return vec![get(x as i32, y as i32)];
    }
    // Counter-clockwise from the lower left.
    let [x, y] = [x - 0.5, y - 0.5].map(|v| v.floor() as i32);
    vec![get(x, y + 1), get(x + 1, y + 1), get(x + 1, y), get(x, y)]
}

/// The words of an instruction.
fn words(table: &'static Table, form: &Form, way: &Way) -> Option<Vec<u32>> {
    let mut words = [0u32; 8];
    words[..3].copy_from_slice(&form.base);
    for m in &form.mods {
        match m.id {
            Mod::Dmask => m.span.set(&mut words, 1),
            Mod::Dim => m.span.set(&mut words, Dim::D2.number().into()),
            _ => {}
        }
    }
    let mut scalars = [IMAGE, SAMPLER].into_iter();
    for (n, slot) in (0u32..).zip(&form.slots) {
        let code = match slot.kind {
            Kind::Sgpr => scalars.next()? / if slot.span.bits() == 5 { 4 } else { 1 },
            _ if n == 0 => RESULT,
            _ => ADDRESS + n - 1,
        };
        slot.span.set(&mut words, code);
    }
    let decoded = disasm::decode(table, &words).ok().filter(|decoded| std::ptr::eq(decoded.form, form))?;
    let mut words = words[..usize::from(decoded.len)].to_vec();
    words.push(table.forms.iter().find(|form| form.row.name == "s_endpgm")?.base[0]);
    let program = Program::new(table.target, &words, 0);
    let step = program.steps.first().filter(|step| step.executes)?;
    let image = step.memory.as_ref()?.image.as_ref()?;
    let behind_each_other: Vec<u32> = (ADDRESS..).take(address(way, 0).len()).collect();
    // Before gfx10 an instruction does not say its dimension, and another one may take more.
    assert!(image.registers.starts_with(&behind_each_other), "{}: {:?}", form.row.name, image.registers);
    Some(words)
}

fn is_way(form: &Form) -> bool {
    form.row.family == Family::Mimg && matches!(form.row.does, Does::Texels(Texels::Sample | Texels::Gather))
}

#[test]
fn names_say_what_is_sampled() {
    let (mut wrong, mut few) = (Vec::new(), Vec::new());
    for (name, rows) in PROCESSORS {
        let arch = Arch::find(name).expect("a processor");
        let target = Program::new(Target::new(arch), &[], 0).target;
        let (table, memory) = (Table::of(target), memory(target));
        let mut checked = 0;
        for form in table.forms.iter().filter(|form| is_way(form) && fault::concerns(form.row, arch)) {
            let way = Way::of(form.row.name);
            let Some(words) = words(table, form, &way) else { continue };
            let program = Program::new(target, &words, 0x1000);
            let setup = |_: [u32; 3], _: u32, wave: &mut Registers| {
                wave.s[IMAGE as usize..][..8].copy_from_slice(&image(target));
                wave.s[SAMPLER as usize..][..4].copy_from_slice(&sampler(target));
                wave.set_exec(u64::MAX);
                for lane in 0..wave.lanes {
                    for (register, word) in (ADDRESS as usize..).zip(address(&way, lane)) {
                        wave.set_vgpr(register, lane as usize, word);
                    }
                }
            };
            let lanes = if arch.has_wave32() { 32 } else { 64 };
            let dispatch = Dispatch::of_one(&program, &memory, lanes, &setup);
            let mut finished = grid::run(&dispatch, &Plan::new(&program), &Hooks { keep: true, ..Hooks::default() });
            let group = finished.groups.pop().expect("the group");
            if let Some(trap) = group.trap {
                wrong.push(format!("{name} {}: {trap:?}", form.row.name));
                continue;
            }
            checked += 1;
            for lane in 0..lanes {
                let want = expected(&way, lane);
                let got: Vec<f32> = (0..want.len())
                    .map(|n| f32::from_bits(group.waves[0].vgpr(RESULT as usize + n, lane as usize)))
                    .collect();
                if got != want {
                    wrong.push(format!("{name} {} lane {lane}: {got:?}, by the name {want:?}", form.row.name));
                    break;
                }
            }
        }
        few.extend((checked != rows && !fault::is_narrow()).then(|| format!("{name}: {checked} rows of {rows}")));
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(few.is_empty(), "{few:?}");
}
