//! A wave of 32 lanes on the emulator, a ray each.

use super::scene::Ray;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::emu::grid::{self, Done, Hooks};
use wavediff::emu::plan::Plan;
use wavediff::engine::dispatch::Dispatch;
use wavediff::engine::registers::Registers;
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
use wavediff::memory::image::fields::Fields;
use wavediff::memory::rays::fields::TreeField;
use wavediff::program::Program;

/// Where the tree lies.
pub const BASE: u64 = 0x10_0000_0000;

/// A program on a processor.
pub struct Machine {
    pub target: Target,
    program: Program,
}

/// The words of a text.
pub fn words(target: Target, text: &str) -> Vec<u32> {
    let module = assemble("one.s", text, &Assembler::new(target), target).unwrap_or_else(|e| panic!("{e:?}"));
    let text = module.sections.iter().find(|s| s.name == ".text").map(|s| &s.bytes[..]).unwrap_or_default();
    text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

pub fn target(arch: &str) -> Target {
    Target::new(Arch::find(arch).expect("a processor")).wave(32).expect("waves of 32")
}

/// The descriptor of a tree at [`BASE`].
pub fn descriptor(target: Target, fields: &[(TreeField, u64)]) -> [u32; 4] {
    let mut words = [0; 4];
    let usual = [(TreeField::Base, BASE >> 8), (TreeField::Size, u64::MAX >> 22), (TreeField::Type, 8)];
    for (field, value) in usual.iter().chain(fields) {
        field.set(&mut words, target.generation(), *value);
    }
    words
}

/// A wave of 32 lanes that begins as it is told to, with these words at [`BASE`] and so many bytes of LDS: what became of its group.
pub fn run(program: &Program, nodes: &[u32], lds: u32, begin: &(dyn Fn(&mut Registers) + Sync)) -> Done {
    let mut memory = Memory::new();
    let bytes: Vec<u8> = nodes.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.map_bytes("nodes", BASE, &bytes, false).expect("memory");
    let setup = |_: [u32; 3], _: u32, wave: &mut Registers| begin(wave);
    let dispatch = Dispatch { lds, ..Dispatch::of_one(program, &memory, 32, &setup) };
    let hooks = Hooks { keep: true, ..Hooks::default() };
    grid::run(&dispatch, &Plan::new(program), &hooks).groups.pop().expect("the group")
}

impl Machine {
    pub fn new(arch: &str, text: &str) -> Machine {
        let target = target(arch);
        let program = Program::new(target, &words(target, text), 0x1000);
        Machine { target, program }
    }

    /// Runs the program: s[0:3] has the tree, v12 how far rays reach, v13 the mask, v[14:16] and v[17:19] origin and direction, v[20:22] one by
    /// that; v0 and v1 the stacks of gfx11 and gfx12, v2 that of bytes; v9 counts.
    pub fn count(&self, tree: &[u32], rays: &[Ray], sort: u64) -> Vec<u32> {
        let fields = [
            // Rounding may miss a box that is only touched; by six units it does not.
            (TreeField::Grow, 6),
            (TreeField::Sort, sort),
            (TreeField::Compressed, 1),
            (TreeField::WideSort, 1),
            (TreeField::Instances, 1),
            (TreeField::TrianglesFirst, sort),
        ];
        let descriptor = descriptor(self.target, &fields);
        let begin = |wave: &mut Registers| {
            wave.s[..4].copy_from_slice(&descriptor);
            wave.set_exec(0xffff_ffff);
            for (lane, ray) in rays.iter().enumerate() {
                let number = lane as u32;
                wave.set_vgpr(0, lane, number << 18);
                wave.set_vgpr(1, lane, number << 15);
                wave.set_vgpr(2, lane, 4 * number);
                wave.set_vgpr(12, lane, 1e30f32.to_bits());
                wave.set_vgpr(13, lane, 0xff);
                for n in 0..3 {
                    let direction = ray.direction[n] as f32;
                    wave.set_vgpr(14 + n, lane, (ray.origin[n] as f32).to_bits());
                    wave.set_vgpr(17 + n, lane, direction.to_bits());
                    wave.set_vgpr(20 + n, lane, (1.0 / direction).to_bits());
                }
            }
        };
        let group = run(&self.program, tree, 0x4000, &begin);
        assert!(group.trap.is_none(), "{:?}", group.trap);
        (0..32).map(|lane| group.waves[0].vgpr(9, lane)).collect()
    }
}
