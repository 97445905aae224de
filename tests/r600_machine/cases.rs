//! The cases: a program each, with what is left of it.
//!
//! An expectation names a register, an export, the scratch buffer or the ring, and has a number for all eight lanes or one for each; `-`
//! is what was not exported. Numbers with a point are floats.

#[path = "cases/alu.rs"]
mod alu;
#[path = "cases/flow.rs"]
mod flow;
#[path = "cases/outside.rs"]
mod outside;

use wavediff::r600::Machine;
use wavediff::r600::emu::image::{Compare, Image, Shape};
use wavediff::r600::emu::vertex::{Buffer, Element};
use wavediff::r600::emu::{LoopConstant, Resource, Setup};

/// A program, what it finds besides the lanes' numbers, and what it leaves.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    /// Where the manual says it.
    #[allow(dead_code, reason = "not every test names it")]
    pub section: &'static str,
    pub machine: Machine,
    pub tune: fn(&mut Setup),
    pub text: &'static str,
    pub expect: &'static str,
}

const fn case(
    name: &'static str,
    section: &'static str,
    tune: fn(&mut Setup),
    text: &'static str,
    expect: &'static str,
) -> Case {
    Case { name, section, machine: Machine::R600, tune, text, expect }
}

fn nothing(_: &mut Setup) {}

/// Loop constants: four times from 0; three times from 1 by 2; twice from 10; twice from 20; never.
fn loops(setup: &mut Setup) {
    for (n, (count, first, step)) in [(4, 0, 1), (3, 1, 2), (2, 10, 1), (2, 20, 1), (0, 0, 0)].into_iter().enumerate() {
        setup.loops.insert(n as u32, LoopConstant { count, first, step });
    }
}

fn bool_0(setup: &mut Setup) {
    setup.bools = 1;
}

fn bool_3(setup: &mut Setup) {
    setup.bools = 8;
}

/// Constants 0 to 255 with their numbers and 100 in X.
fn file(setup: &mut Setup) {
    setup.file = (0..256).map(|n| [100 + n, 1000 + n, 0, 0]).collect();
}

fn loops_and_file(setup: &mut Setup) {
    loops(setup);
    file(setup);
}

/// Two constant buffers of 64 vectors.
fn banks(setup: &mut Setup) {
    loops(setup);
    setup.banks.insert(2, (0..256).map(|n| 0x2000 + n).collect());
    setup.banks.insert(5, (0..256).map(|n| 0x5000 + n).collect());
}

fn scratch(setup: &mut Setup) {
    setup.scratch = 8;
    setup.reduction = 4;
}

/// Registers 20 to 27 with their number times 10 in X.
fn array(setup: &mut Setup) {
    loops(setup);
    for n in 20..28 {
        setup.gprs.insert(n, vec![[10 * n, 0, 0, 0]; 8]);
    }
    setup.ngpr = 28;
}

/// Bytes from 0 on, in records of four and of three; vertices begin at 1, instances at 2.
fn bytes(setup: &mut Setup) {
    let bytes: Vec<u8> = (0..64).map(|n| n * 4).collect();
    setup.resources.insert(3, Resource::Buffer(Buffer { bytes: bytes.clone(), stride: 4, format: None }));
    let format = Some(Element { data: 7, number: 1, ..Element::default() });
    setup.resources.insert(4, Resource::Buffer(Buffer { bytes, stride: 3, format }));
    setup.vertex_offset = 1;
    setup.instance_offset = 2;
    setup.semantics.insert(200, 7);
}

/// Texels of four words that say where they are: 100 x + 10 y + z. Clamped, and repeated.
fn images(setup: &mut Setup) {
    for (n, shape, size, repeat) in [
        (5, Shape::D2, [4, 4, 1], false),
        (6, Shape::D2, [4, 4, 1], true),
        (7, Shape::D2Array, [4, 4, 3], false),
        (8, Shape::Cube, [2, 2, 6], false),
        (9, Shape::D3, [2, 2, 2], false),
        (10, Shape::D1, [4, 1, 1], true),
    ] {
        let mut bytes = Vec::new();
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    for word in [100 * x + 10 * y + z, 1, 2, 3] {
                        bytes.extend((word as f32).to_le_bytes());
                    }
                }
            }
        }
        let format = Element { data: 35, ..Element::default() }.format().expect("a format");
        let image = Image { shape, size, format, missing: [0; 4], bytes, repeat, compare: Compare::LessEqual };
        setup.resources.insert(n, Resource::Image(image));
    }
}

/// The cases.
pub fn cases() -> Vec<Case> {
    [flow::cases(), alu::cases(), outside::cases()].concat()
}
