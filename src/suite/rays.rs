//! Trees, rays against their nodes, and stacks of nodes.
//!
//! As for [images](super::images), everything follows from a number. The nodes of a [tree](nodes) are triangles and boxes of small numbers, so that
//! rays meet corners and planes; what the words of a descriptor, a ray and a pointer choose is drawn. What a node may say that is refused is not among
//! them.

use super::addresses::vgpr;
use crate::engine::registers::Registers;
use crate::isa::does::Stack;
use crate::isa::image::Address;
use crate::isa::{Gen, Target};
use crate::laws::Chance;
use crate::memory::image::fields::Fields;
use crate::memory::rays::fields::TreeField;
use crate::program::Access;
use crate::program::memory::image::Bits;

/// Units of 64 bytes, and behind them room for a node of two that begins in the last one.
const UNITS: u64 = 64;

/// The kind of node that a unit holds: triangles, boxes of f16, a half of boxes of f32.
fn unit_kind(unit: u64) -> u32 {
    [0, 4, 5, 5][unit as usize % 4]
}

/// A float: mostly a small one of few bits, so that rays meet corners and planes.
fn float(chance: &mut Chance) -> f32 {
    match chance.below(24) {
        0 => [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 1e30, f32::MAX, 1e-40, 0.0][chance.below(8)],
        1..=4 => f32::from_bits((chance.next_u64() as u32 & 0x80ff_ffff) + (0x7b << 23)),
        _ => (chance.below(65) as f32 - 32.0) / 8.0,
    }
}

/// An f16: mostly a small number.
fn half(chance: &mut Chance) -> u32 {
    let drawn = (chance.next_u64() & 0xffff) as u32;
    if chance.below(12) == 0 { drawn } else { drawn & 0x83c0 | (0x3800 + (drawn & 0xc00)) }
}

/// The nodes of a tree of a generation, which begins at a multiple of 256 bytes.
#[must_use]
pub fn nodes(generation: Gen) -> Vec<u8> {
    if generation >= Gen::Gfx12 { packed_nodes() } else { plain_nodes() }
}

/// Nodes of 64 bytes, and boxes of f32 of two of them. Most boxes have their lower planes below zero and their upper ones above.
fn plain_nodes() -> Vec<u8> {
    let mut chance = Chance::new(0x7ee);
    let mut words = Vec::new();
    for unit in 0..UNITS + 2 {
        let kind = unit_kind(unit);
        let behind = if unit % 4 == 3 { 16 } else { 0 };
        for n in 0..16 {
            // Behind the four pointers come planes, three lower and three upper ones of each box.
            let plane = (behind + n + 2) % 6;
            let signed = |sign: u32, plane: u32, v: u32, keeps: bool| {
                let lower = if plane % 6 < 3 { sign } else { 0 };
                if keeps { v } else { v & !sign | lower }
            };
            let keeps = chance.below(8) == 0;
            words.push(match (kind, n) {
                (4 | 5, 0..4) if behind == 0 => {
                    if chance.below(6) == 0 {
                        u32::MAX
                    } else {
                        chance.next_u64() as u32
                    }
                }
                (4, _) => {
                    let [low, high] =
                        [2 * (n + 2), 2 * (n + 2) + 1].map(|at| signed(0x8000, at, half(&mut chance), keeps));
                    low | high << 16
                }
                (5, _) if behind + n < 28 => signed(1 << 31, plane, float(&mut chance).to_bits(), keeps),
                (5, _) | (_, 14 | 15) => chance.next_u64() as u32,
                _ => float(&mut chance).to_bits(),
            });
        }
    }
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Writes bits behind each other.
fn put_bits(words: &mut [u32], at: usize, count: usize, v: u32) {
    for n in 0..count {
        let (word, bit) = ((at + n) / 32, (at + n) % 32);
        words[word] = words[word] & !(1 << bit) | (v >> n & 1) << bit;
    }
}

/// A node of gfx12 of 128 bytes: eight boxes, triangles, an instance.
fn packed_node(chance: &mut Chance, of: usize) -> [u32; 32] {
    let mut words: [u32; 32] = std::array::from_fn(|_| chance.next_u64() as u32);
    match of {
        0 | 2 => {
            let (origin, children) = if of == 0 { (3, 8) } else { (16, 20) };
            // The matrix of an instance.
            words[..if of == 0 { 0 } else { 12 }].fill_with(|| float(chance).to_bits());
            for n in 0..3 {
                words[origin + n] = float(chance).to_bits();
            }
            let exponents = (chance.next_u64() as u32 & 0x0303_0303) + 0x007f_7f7f;
            words[origin + 3] = words[origin + 3] & 0xf000_0000 | exponents & 0x01ff_ffff;
            for child in words[children..].chunks_exact_mut(3) {
                // Lower planes low, upper ones high, and mostly all rays see it.
                child[0] &= 0xf77f_f7ff;
                child[1] = child[1] & 0xff7f_f7ff | 0x0080_0000 | if chance.below(4) == 0 { 0 } else { 0xff00_0000 };
                child[2] |= 0x0080_0800;
            }
        }
        1 if chance.below(3) > 0 => {
            // Corners in full.
            put_bits(&mut words, 0, 15, 0x7fff);
            put_bits(&mut words, 15, 5, 0);
            put_bits(&mut words, 28, 3, 1);
            for n in 0..9 * 3 {
                put_bits(&mut words, 52 + 32 * n, 32, float(chance).to_bits());
            }
            for pair in 1..3 {
                let corners = (0..6).fold(0, |all, _| all << 4 | chance.below(9) as u32);
                put_bits(&mut words, 1024 - 29 * pair + 3, 24, corners);
            }
        }
        _ => {}
    }
    words
}

/// Packed nodes, and between them plain ones. No turn and no way to store corners is one that is refused.
fn packed_nodes() -> Vec<u8> {
    let mut chance = Chance::new(0x12ee);
    let mut bytes = plain_nodes();
    for (n, node) in bytes.chunks_exact_mut(128).enumerate().filter(|(n, _)| n % 5 < 4) {
        let words = packed_node(&mut chance, [0, 1, 2, 0][n % 5]);
        node.chunks_exact_mut(4).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
    }
    for unit in bytes.chunks_exact_mut(64) {
        unit[3] &= 0x7f;
        unit[28] |= if unit[28] & 0x7f >= 104 { 0x7f } else { 0 };
    }
    bytes
}

/// A tree that begins at an address, whose fields that choose something are drawn.
fn tree(chance: &mut Chance, target: Target, base: u64) -> [u32; 4] {
    let mut words = [0; 4];
    for field in TreeField::ALL {
        let drawn = chance.next_u64() & ((1 << field.bits(target.generation()).min(32)) - 1);
        let value = match field {
            TreeField::Base => base >> 8,
            TreeField::Size => [UNITS - 1, UNITS - 1, UNITS / 2][chance.below(3)],
            TreeField::Type => 8,
            TreeField::Grow if chance.below(2) == 0 => 0,
            _ => drawn,
        };
        if field.bits(target.generation()) > 0 {
            field.set(&mut words, target.generation(), value);
        }
    }
    words
}

/// Gives a wave the registers by which an instruction finds the [`nodes`] that lie at an address, and rays for its lanes.
pub fn put(wave: &mut Registers, access: &Access, lanes: u32, base: u64, kind: u32) {
    let (target, mut chance) = (wave.target, Chance::new(u64::from(kind) << 8 | 99));
    let Some(image) = access.image.as_deref() else { return };
    if let Some(descriptor) = wave.s.get_mut(access.base as usize..).and_then(|s| s.first_chunk_mut()) {
        *descriptor = tree(&mut chance, target, base);
    }
    let inside = image.parts.intersects(Address::DUAL.union(Address::WIDE));
    for lane in 0..lanes as usize {
        let words = if inside {
            inside_ray(&mut chance)
        } else {
            plain_ray(&mut chance, target.generation(), image.parts.contains(Address::NODE64), image.has(Bits::A16))
        };
        for (register, word) in image.registers.iter().zip(words) {
            if let Some(register) = vgpr(*register) {
                wave.set_vgpr(register, lane, word);
            }
        }
    }
}

/// How far a ray reaches.
fn extent(chance: &mut Chance) -> u32 {
    if chance.below(3) == 0 { float(chance).to_bits() } else { 100f32.to_bits() }
}

/// The words of a pointer to a node, of 32 or 64 bits, and of a ray with the inverse of its direction.
fn plain_ray(chance: &mut Chance, generation: Gen, wide: bool, short: bool) -> Vec<u32> {
    let unit = chance.next_u64() % UNITS;
    let kind = match chance.below(8) {
        0 => chance.below(8) as u32,
        // Which of the triangles.
        _ => unit_kind(unit) + if unit.is_multiple_of(4) { chance.below(4) as u32 } else { 0 },
    };
    let mut words = vec![(unit as u32) << 3 | kind];
    if wide {
        // Flags of the pointer.
        words.push(if generation == Gen::Gfx10 { 0 } else { (chance.next_u64() as u32) << 22 });
    }
    words.push(extent(chance));
    words.extend((0..3).map(|_| float(chance).to_bits()));
    if short {
        words.extend((0..3).map(|_| half(chance) | half(chance) << 16));
        return words;
    }
    let direction: [f32; 3] = std::array::from_fn(|_| float(chance));
    words.extend(direction.map(f32::to_bits));
    words.extend(direction.map(|along| if chance.below(8) == 0 { float(chance) } else { 1.0 / along }.to_bits()));
    words
}

/// The words of a tree inside the tree, of who sees it, of a ray, and of two pointers.
fn inside_ray(chance: &mut Chance) -> Vec<u32> {
    // Flags of a pointer are rare, for most of them leave nothing.
    let mut words = vec![0, if chance.below(3) > 0 { 0 } else { (chance.next_u64() as u32) << 22 }];
    words.push(extent(chance));
    words.push(chance.next_u64() as u32 | if chance.below(2) == 0 { 0 } else { 0xff });
    words.extend((0..6).map(|_| float(chance).to_bits()));
    words.extend((0..2).map(|_| {
        let unit = chance.next_u64() as u32 % UNITS as u32;
        let packed = [5, 1, 6, 5, 0][unit as usize / 2 % 5];
        let kind = if chance.below(3) == 0 { chance.below(8) as u32 } else { packed };
        let even = if chance.below(4) == 0 { 0 } else { 1 };
        (unit & !even) << 3 | kind | if kind == 1 { chance.below(16) as u32 & 9 } else { 0 }
    }));
    words
}

/// A node in a stack: few of each kind, so that one is met again; those that stand for no node and say more.
pub fn stacked(chance: &mut Chance) -> u32 {
    match chance.below(3) {
        0 => u32::MAX - chance.below(8) as u32,
        _ => (chance.below(3) as u32) << 3 | chance.below(16) as u32,
    }
}

/// Gives a lane the registers by which an instruction finds its stack, in LDS from a word on or anywhere, and nodes to push.
pub fn put_stack(
    wave: &mut Registers,
    (access, stack): (&Access, Stack),
    lane: u32,
    base: Option<u32>,
    chance: &mut Chance,
) {
    let drawn = chance.next_u64() as u32;
    let register = match base {
        None => drawn,
        Some(base) if wave.target.generation() <= Gen::Gfx11 => (base >> 2 << 18) | (drawn % 70),
        Some(base) => base >> 2 << 15 | drawn & 0xe000_7fff,
    };
    let nodes: [u32; 8] = std::array::from_fn(|_| stacked(chance));
    let visited = if chance.below(2) == 0 { nodes[chance.below(8)] } else { stacked(chance) };
    let pushed = (access.data1..).zip(nodes).take(stack.pushes.into());
    for (at, v) in [(access.addr, register), (access.data, visited)].into_iter().chain(pushed) {
        if let Some(at) = vgpr(at) {
            wave.set_vgpr(at, lane as usize, v);
        }
    }
}
