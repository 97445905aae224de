//! Lanes that give each other values through the hardware of the data share: ALU_FACTS 13,
//! MEMORY_FACTS 14.

use crate::run::Bench;
use crate::state::State;
use crate::text;

/// Lanes that see each other in permutations: halves of 32 on gfx10 and gfx11.
fn group(state: &State) -> u32 {
    if matches!(state.chip.generation, 10 | 11) { 32 } else { state.chip.lanes }
}

fn active(state: &State, lane: u32) -> bool {
    state.exec() >> lane & 1 != 0
}

/// The lane that an address names for a lane.
fn named(state: &State, lane: u32, offset: u32) -> u32 {
    let group = group(state);
    lane / group * group + state.v(0, lane).wrapping_add(offset) / 4 % group
}

/// The address of a lane.
type Address = fn(u32) -> u32;

/// Addresses: any, one for all, the next lane, those of both halves; with offsets.
const ADDRESSES: [(Address, u32); 5] = [
    (|lane| lane.wrapping_mul(0x9e37_79b9) >> 3, 0),
    (|_| 12, 0),
    (|lane| lane * 4 + 4, 8),
    (|lane| (lane / 2 * 4) | 3, 0),
    (|lane| (lane ^ 33) * 4 + 0x1000, 0xff00),
];

/// Runs a line with each address and each mask.
fn each(bench: &mut Bench, name: &str, model: impl Fn(&mut State, u32)) -> bool {
    for (address, offset) in ADDRESSES {
        let mut state = State::new(bench.chip);
        state.fill(0, address);
        for mask in bench.chip.masks() {
            state.set_exec(mask);
            let offset_text = if offset == 0 { String::new() } else { format!(" offset:{offset}") };
            bench.check(&format!("{name} v8, v0, v16{offset_text}"), &state, |state| match state.text.clone() {
                Some(said) => text::permutation(state, &said, offset),
                None => model(state, offset),
            });
        }
    }
    true
}

/// Each lane says where its value comes from. An inactive source is 0, but for the form that
/// fetches it.
pub fn bpermute(bench: &mut Bench, name: &str, fetches: bool) -> bool {
    each(bench, name, |state, offset| {
        for lane in state.lanes() {
            let from = named(state, lane, offset);
            let x = if fetches || active(state, from) { state.v(16, from) } else { 0 };
            state.set_v(8, lane, x);
        }
    })
}

/// Each lane says where its value goes. Of several the highest wins; who gets nothing has 0.
pub fn permute(bench: &mut Bench, name: &str) -> bool {
    each(bench, name, |state, offset| {
        let lanes = state.lanes();
        for &lane in &lanes {
            let from = lanes.iter().rev().find(|from| named(state, **from, offset) == lane);
            state.set_v(8, lane, from.map_or(0, |from| state.v(16, *from)));
        }
    })
}

/// The offset says where values come from, in each 32 lanes: quads, masks, and from gfx8 on
/// rotations and the FFT.
pub fn swizzle(bench: &mut Bench, name: &str) -> bool {
    let offsets: &[u32] = &[
        0x801b, 0x80e4, 0x8093, // Quads.
        0x041f, 0x7c1f, 0x001f, // Exclusive or.
        0x0010, 0x00a0, 0x03e0, // And, or.
        0x14b3, 0x5e6d, 0x0c3f, 0x2d55, // All three.
        0xc020, 0xc420, 0xc063, 0xc7ff, // Rotations.
        0xe000, 0xe01f, 0xe003, 0xe010, // FFT.
    ];
    for &offset in offsets {
        if offset >= 0xc000 && bench.chip.generation < 8 {
            continue;
        }
        let mut state = State::new(bench.chip);
        for mask in bench.chip.masks() {
            state.set_exec(mask);
            bench.check(&format!("{name} v8, v0 offset:{offset:#x}"), &state, |state| {
                let old = state.clone();
                for lane in state.lanes() {
                    let from = lane & 32 | from(offset, lane & 31);
                    state.set_v(8, lane, if active(&old, from) { old.v(0, from) } else { 0 });
                }
            });
        }
    }
    true
}

/// The lane of 32 that a lane reads.
fn from(offset: u32, i: u32) -> u32 {
    let mask = offset & 31;
    if offset >= 0xe000 {
        // Five bits, reversed, moved down by as many as the mask has.
        let reversed = (0..5).fold(0, |all, bit| all | (i >> bit & 1) << (4 - bit));
        return reversed >> mask.count_ones() | i & mask;
    }
    if offset >= 0xc000 {
        let n = offset >> 5 & 31;
        let moved = if offset >> 10 & 1 != 0 { i + 32 - n } else { i + n } % 32;
        return i & mask | moved & (31 - mask);
    }
    if offset >= 0x8000 {
        return i / 4 * 4 + (offset >> (i % 4 * 2) & 3);
    }
    let (or, xor) = (offset >> 5 & 31, offset >> 10 & 31);
    (i & mask | or) ^ xor
}
