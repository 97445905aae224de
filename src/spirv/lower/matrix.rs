//! Matrix multiplication of gfx11: D = A * B + C of 16 by 16 elements, for all lanes whatever EXEC says.
//!
//! Each group of sixteen lanes holds all of A and B: lane `i` of a group the words of row `i` of A and of column `i` of B. Rows of C and D go
//! round the groups. So the lane of a column needs its own words of B and the words of A of the lanes of the rows that it has, which are handed
//! out. Floats are summed two products at a time, which is what the dot instructions do with a word of each.

use super::{Lower, Lowered};
use crate::emu::plan::Step;
use crate::emu::wave::file;
use crate::isa::Gen;
use crate::isa::sem::Alg;
use crate::spirv::alg::{Spirv, Word};
use crate::spirv::fault::Fault;
use crate::spirv::lanes::Lane;
use crate::spirv::state::STRIDE;

/// What is multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    F16,
    Bf16,
    /// Integers of so many bits.
    Int(u32),
}

/// The modifiers in the step's immediate: negation of A and B, of even and odd elements; of C sign and absolute value.
mod bits {
    pub const CLAMP: u32 = 1 << 6;
    pub const HIGH: u32 = 1 << 7;
    /// Of an even, then an odd element of a source.
    pub fn neg(imm: u32, source: u32) -> [bool; 2] {
        [0, 3].map(|odd| imm >> (source + odd) & 1 != 0)
    }
}

impl Lower<'_> {
    /// A matrix instruction.
    pub(super) fn matrix(&self, step: &Step, name: &str) -> Lowered {
        let (kind, narrow) = match name {
            "v_wmma_f32_16x16x16_f16" => (Kind::F16, false),
            "v_wmma_f32_16x16x16_bf16" => (Kind::Bf16, false),
            "v_wmma_f16_16x16x16_f16" => (Kind::F16, true),
            "v_wmma_bf16_16x16x16_bf16" => (Kind::Bf16, true),
            "v_wmma_i32_16x16x16_iu8" => (Kind::Int(8), false),
            "v_wmma_i32_16x16x16_iu4" => (Kind::Int(4), false),
            _ => return Err("matrix instructions of gfx12".to_owned()),
        };
        if self.generation() != Gen::Gfx11 {
            return Err("matrix instructions of gfx12".to_owned());
        }
        // A destination beyond the last register: nothing is written.
        if step.dst >= file::AGPR {
            return Ok(());
        }
        let words = match kind {
            Kind::Int(bits) => bits / 2,
            Kind::F16 | Kind::Bf16 => 8,
        };
        let [neg_a, neg_b] = [0, 1].map(|source| match kind {
            Kind::Int(_) => 0,
            _ => {
                let [even, odd] = bits::neg(step.imm, source);
                u32::from(even) << 15 | u32::from(odd) << 31
            }
        });
        self.publish(|lane| {
            let k = self.alg(lane.number);
            (0..words).map(|n| k.xor(self.v(step.src[0] + n * STRIDE, lane), k.w(neg_a))).collect()
        });
        self.each_lane(|lane| {
            let mut k = self.floats(lane.number);
            // MODE has no say, FP16_OVFL neither.
            k.mode = k.w(0);
            let groups = self.options.lanes / 16;
            let (group, first) = (k.shri(lane.number, 4), k.mask(lane.number, !15));
            let b: Vec<Word> = (0..words).map(|n| k.xor(self.v(step.src[1] + n * STRIDE, lane), k.w(neg_b))).collect();
            let results: Vec<Word> = (0..16 / groups)
                .map(|register| {
                    let group = if self.has(Fault::MatrixRowsInOrder) { k.w(0) } else { group };
                    let row = k.add(k.w(register * groups), group);
                    let from = k.add(first, row);
                    let c = self.accumulator(&k, step, kind, narrow, register, lane);
                    let words = (0..words as usize).map(|n| (self.fetch(n, from), b[n]));
                    match kind {
                        Kind::Int(bits) => integers(&k, step.imm, bits, words, c),
                        _ => words.fold(c, |c, (a, b)| dot(&k, kind, narrow, a, b, c)),
                    }
                })
                .collect();
            for (register, v) in (0..).zip(results) {
                let at = step.dst + register * STRIDE;
                let old = self.v(at, lane);
                let v = match (narrow, step.imm & bits::HIGH != 0) {
                    (false, _) => v,
                    (true, false) => k.or(k.mask(old, 0xffff_0000), k.zx16(v)),
                    (true, true) => k.or(k.zx16(old), k.shli(v, 16)),
                };
                self.set_v(at, lane, v);
            }
        });
        Ok(())
    }

    /// An element of C: absolute value, then sign.
    fn accumulator(&self, k: &Spirv<'_>, step: &Step, kind: Kind, narrow: bool, register: u32, lane: Lane) -> Word {
        let at = step.src[2];
        let constant = at >= file::CONSTANTS;
        let c = self.v(if constant { at } else { at + register * STRIDE }, lane);
        if matches!(kind, Kind::Int(_)) {
            return c;
        }
        let c = if narrow && !constant && step.imm & bits::HIGH != 0 { k.shri(c, 16) } else { c };
        let c = if narrow { k.zx16(c) } else { c };
        let sign = if narrow { 1 << 15 } else { 1 << 31 };
        let [negate, absolute] = bits::neg(step.imm, 2);
        let c = if absolute { k.mask(c, !sign) } else { c };
        if negate { k.xor(c, k.w(sign)) } else { c }
    }
}

/// Two products and a sum.
fn dot(k: &Spirv<'_>, kind: Kind, narrow: bool, a: Word, b: Word, c: Word) -> Word {
    match (kind, narrow) {
        (Kind::F16, false) => k.dot2_f32_f16(a, b, c),
        (Kind::F16, true) => k.dot2_f16_f16(a, b, c),
        (_, false) => k.dot2_f32_bf16(a, b, c),
        (_, true) => k.dot2_bf16_bf16(a, b, c),
    }
}

/// The products of integers, summed up exactly; the sum with C is cut to 32 bits, or brought into their range.
fn integers(k: &Spirv<'_>, imm: u32, width: u32, words: impl Iterator<Item = (Word, Word)>, c: Word) -> Word {
    let [signed_a, signed_b] = [0, 1].map(|source| bits::neg(imm, source)[0]);
    let part = |v: Word, n: u32, signed: bool| {
        let v = k.shri(v, n * width);
        let signed = signed && !k.has(Fault::MatrixUnsigned);
        if signed { k.sx(v, width) } else { k.mask(v, (1 << width) - 1) }
    };
    let mut sum = k.w(0);
    for (a, b) in words {
        for n in 0..32 / width {
            sum = k.add(sum, k.mul(part(a, n, signed_a), part(b, n, signed_b)));
        }
    }
    if imm & bits::CLAMP != 0 { k.add_sat_s(c, sum) } else { k.add(c, sum) }
}
