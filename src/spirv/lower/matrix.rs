//! Matrix multiplication of gfx11 and gfx12: D = A * B + C of 16 by 16 elements, for all lanes whatever EXEC says.
//!
//! The lanes are groups of sixteen. Lane `i` of a group has words of row `i` of A and of column `i` of B, and its elements of column `i` of C and D.
//! On gfx11 each group holds all of A and B, and the rows of C and D go round the groups. On gfx12 the groups share A and B between them, rows
//! of C and D lie in blocks, and results of 16 bits are packed.
//!
//! So the lane of a column needs the words of its column, and those of the rows that it has; they are handed out. A sum is made of [parts](Part),
//! in their order: what is added at once, which lies in one lane. Where A is sparse the words of the column are put together anew for each row, from what
//! its indices choose. Floats of 16 bits are two products at once on gfx11, which is what the dot
//! instructions do with a word of each, and four on gfx12; bytes are four.

use super::{Lower, Lowered};
use crate::isa::Gen;
use crate::isa::does::{self, Element};
use crate::isa::sem::Alg;
use crate::program::place::file;
use crate::program::{Modifiers, Step};
use crate::spirv::alg::{Spirv, Word};
use crate::spirv::fault::Fault;
use crate::spirv::functions::Function;
use crate::spirv::lanes::Lane;
use crate::spirv::soft::Value;

/// What is multiplied.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    F16,
    Bf16,
    /// Floats of eight bits: which of A and B have five exponent bits.
    Small([bool; 2]),
    /// Integers of so many bits.
    Int(u32),
}

impl Kind {
    fn bits(self) -> u32 {
        match self {
            Kind::F16 | Kind::Bf16 => 16,
            Kind::Small(_) => 8,
            Kind::Int(bits) => bits,
        }
    }
}

/// A matrix product.
#[derive(Clone, Copy)]
struct Product {
    kind: Kind,
    /// C and D have 16 bits.
    narrow: bool,
    /// Columns of A that are there.
    depth: u32,
    /// Twice as many rows has B, and indices say which of them count.
    sparse: bool,
    gfx12: bool,
    /// Groups of lanes.
    groups: u32,
}

/// What a row and a column add to a sum at once.
#[derive(Clone, Copy)]
struct Part {
    /// The group of lanes that has it; each group for itself without.
    group: Option<u32>,
    /// Its first word in its lane.
    first: u32,
    words: u32,
}

impl Product {
    /// Nothing where no instruction multiplies such elements.
    fn of(product: does::Product, gfx12: bool, lanes: u32) -> Option<Product> {
        use Element::{Bf8, Bf16, F16, Fp8, I4, I8};
        let kind = match (product.a, product.b) {
            (F16, F16) => Kind::F16,
            (Bf16, Bf16) => Kind::Bf16,
            (I8, I8) => Kind::Int(8),
            (I4, I4) => Kind::Int(4),
            (Fp8 | Bf8, Fp8 | Bf8) => Kind::Small([product.a, product.b].map(|element| element == Bf8)),
            _ => return None,
        };
        let narrow = matches!(product.sum, F16 | Bf16);
        let (depth, sparse) = (product.kept(), product.sparse);
        Some(Product { kind, narrow, depth, sparse, gfx12, groups: lanes / 16 })
    }

    /// The parts of a sum, in their order.
    fn parts(self) -> Vec<Part> {
        let bits = self.kind.bits();
        if !self.gfx12 {
            return (0..bits / 2).map(|first| Part { group: None, first, words: 1 }).collect();
        }
        let part = |n: u32| {
            // Two bits of the number: one chooses the group and the other the place in it, or both the group.
            let (low, high) = (n & 1, n >> 1);
            let (group, first) = match (bits, self.depth, self.groups) {
                (16, _, 2) => (low, 2 * high),
                (16, ..) => (n, 0),
                // The third and fourth group have nothing.
                (4, 16, _) => (n, 0),
                (_, _, 2) => (high, low),
                _ => (high + 2 * low, 0),
            };
            Part { group: Some(group), first, words: if bits == 16 { 2 } else { 1 } }
        };
        (0..if bits == 4 { self.depth / 8 } else { 4 }).map(part).collect()
    }

    /// Whether A has only half of the lanes.
    fn is_on_half(self) -> bool {
        (self.kind.bits(), self.depth, self.groups) == (4, 16, 4)
    }

    /// Where the four elements of a column of B begin of which an index chooses one for element `e` of part `n` of a row of A: the group of lanes,
    /// and the number of the first one there. They are in the lane's group; of 4 bits in waves of 64, where A has half of the lanes, in all of them.
    fn four(self, n: u32, part: &Part, e: u32) -> (u32, u32) {
        let bits = self.kind.bits();
        if self.is_on_half() {
            let first = 4 * ((8 * n + e) / 2);
            return ((first >> 4 & 1) + 2 * (first >> 3 & 1), first & 7);
        }
        (part.group.unwrap_or(0), 4 * ((part.first * 32 / bits + e) / 2))
    }

    /// The row of C and D that is element `n` of a lane.
    fn row(self, k: &Spirv<'_>, n: u32, group: Word) -> Word {
        match (self.gfx12, self.groups) {
            (false, groups) => k.add(k.w(n * groups), group),
            (true, 2) => k.add(k.shli(group, 3), k.w(n)),
            (true, _) => {
                let half = k.shli(k.mask(group, 1), 3);
                k.add(k.add(half, k.shli(k.shri(group, 1), 2)), k.w(n))
            }
        }
    }

    /// Where element `n` of C or D lies: the register and the half of it.
    fn place(self, n: u32, modifiers: Modifiers) -> (u32, bool) {
        match (self.narrow, self.gfx12) {
            (false, _) => (n, false),
            (true, false) => (n, modifiers.high()),
            (true, true) => (n / 2, !n.is_multiple_of(2)),
        }
    }

    /// A sum with one part more.
    fn add(self, k: &Spirv<'_>, a: &[Word], b: &[Word], c: Word) -> Word {
        match (self.kind, self.narrow, a, b) {
            (Kind::F16, false, &[a], &[b]) => k.dot2_f32_f16(a, b, c),
            (Kind::F16, true, &[a], &[b]) => k.dot2_f16_f16(a, b, c),
            (Kind::Bf16, false, &[a], &[b]) => k.dot2_f32_bf16(a, b, c),
            (Kind::Bf16, true, &[a], &[b]) => k.dot2_bf16_bf16(a, b, c),
            (Kind::Small([x, y]), _, &[a], &[b]) => k.dot4_f32_fp8(a, b, c, x, y),
            (kind, narrow, &[a, x], &[b, y]) => {
                let function = Function::Dot4 { bf16: kind == Kind::Bf16, narrow };
                match k.call(function, &[a, x, b, y, c].map(Value::W))[..] {
                    [Value::W(sum)] => sum,
                    _ => c,
                }
            }
            _ => c,
        }
    }
}

impl Lower<'_> {
    /// A matrix instruction.
    pub(super) fn matrix(&self, step: &Step, product: does::Product) -> Lowered {
        let gfx12 = self.generation() >= Gen::Gfx12;
        let Some(product) = Product::of(product, gfx12, self.options.lanes) else {
            return Err("matrix instructions".to_owned());
        };
        // A destination beyond the last register: nothing is written.
        if step.dst == file::NOWHERE {
            return Ok(());
        }
        let parts = product.parts();
        let words = parts.iter().map(|p| p.first + p.words).max().unwrap_or(0);
        let bits = product.kind.bits();
        // Of B a lane has as much as of A, or of what A would have.
        let columns = if product.sparse && !product.is_on_half() { 2 * words } else { words };
        let signs = [0, 1].map(|source| match product.kind {
            Kind::F16 | Kind::Bf16 => {
                let [even, odd] = both(step, source);
                u32::from(even) << 15 | u32::from(odd) << 31
            }
            Kind::Small(_) | Kind::Int(_) => 0,
        });
        let of_lane = |k: &Spirv<'_>, source: usize, words: u32, lane: Lane| -> Vec<Word> {
            (0..words).map(|n| k.xor(self.v(step.src[source] + n, lane), k.w(signs[source]))).collect()
        };
        self.publish(|lane| {
            let k = self.alg(lane.number);
            let mut all = of_lane(&k, 0, words, lane);
            if gfx12 {
                all.extend(of_lane(&k, 1, columns, lane));
            }
            if product.sparse {
                all.push(self.v(step.src[2], lane));
            }
            all
        });
        let index =
            if product.sparse { Modifiers(step.imm).first_index(self.generation(), words * 32 / bits) } else { 0 };
        self.each_lane(|lane| {
            let mut k = self.floats(lane.number);
            // MODE has no say, FP16_OVFL neither.
            k.mode = k.w(0);
            let (group, first) = (k.shri(lane.number, 4), k.mask(lane.number, !15));
            let group = if self.has(Fault::MatrixRowsInOrder) { k.w(0) } else { group };
            let of_part = |part: &Part, source: u32, from: Word| -> Vec<Word> {
                let first = source * words + part.first;
                (first..first + part.words).map(|n| self.fetch(n as usize, from)).collect()
            };
            let base = |part: &Part, swapped: u32| part.group.map_or(first, |group| k.w(16 * (group ^ swapped)));
            let own = k.mask(lane.number, 15);
            let column: Vec<Vec<Word>> = if product.sparse {
                Vec::new()
            } else if gfx12 {
                parts.iter().map(|part| of_part(part, 1, k.add(base(part, 0), own))).collect()
            } else {
                of_lane(&k, 1, words, lane).into_iter().map(|word| vec![word]).collect()
            };
            // What a part of a row of A that is sparse is multiplied with.
            let chosen = |n: u32, part: &Part, row: Word| -> Vec<Word> {
                let indices = self.fetch((words + columns) as usize, k.add(base(part, 0), row));
                let element = |e: u32| {
                    let (group, four) = product.four(n, part, e);
                    let at = index + 2 * (part.first * 32 / bits + e);
                    let word = |n: u32| self.fetch((words + n) as usize, k.add(k.w(16 * group), own));
                    one_of_four(&k, bits, four, k.shri(indices, at), word)
                };
                (0..part.words).map(|n| packed(&k, bits, n, element)).collect()
            };
            let results: Vec<Word> = (0..16 / product.groups)
                .map(|n| {
                    let row = product.row(&k, n, group);
                    let c = self.accumulator(&k, step, product, n, lane);
                    let swapped = u32::from(self.has(Fault::MatrixGroupsSwapped));
                    let rows = parts.iter().map(|part| of_part(part, 0, k.add(base(part, swapped), row)));
                    let columns: Vec<Vec<Word>> = if product.sparse {
                        (0..).zip(&parts).map(|(n, part)| chosen(n, part, row)).collect()
                    } else {
                        column.clone()
                    };
                    let pairs = rows.zip(&columns);
                    match product.kind {
                        Kind::Int(bits) => {
                            let words = pairs.flat_map(|(a, b)| a.into_iter().zip(b.iter().copied()));
                            integers(&k, Modifiers(step.imm), bits, words, c)
                        }
                        _ => pairs.fold(c, |c, (a, b)| product.add(&k, &a, b, c)),
                    }
                })
                .collect();
            for (n, v) in (0..).zip(results) {
                let (register, high) = product.place(n, Modifiers(step.imm));
                let at = step.dst + register;
                let v = match (product.narrow, high) {
                    (false, _) => v,
                    (true, false) => k.or(k.mask(self.v(at, lane), 0xffff_0000), k.zx16(v)),
                    (true, true) => k.or(k.zx16(self.v(at, lane)), k.shli(v, 16)),
                };
                self.set_v(at, lane, v);
            }
        });
        Ok(())
    }

    /// Element `n` of C: absolute value, then sign.
    fn accumulator(&self, k: &Spirv<'_>, step: &Step, product: Product, n: u32, lane: Lane) -> Word {
        let at = if product.sparse { step.dst } else { step.src[2] };
        let constant = at >= file::CONSTANTS;
        let (register, high) = product.place(n, Modifiers(step.imm));
        let c = self.v(if constant { at } else { at + register }, lane);
        if matches!(product.kind, Kind::Int(_)) {
            return c;
        }
        let c = if high && !constant { k.shri(c, 16) } else { c };
        let c = if product.narrow { k.zx16(c) } else { c };
        let sign = if product.narrow { 1 << 15 } else { 1 << 31 };
        let [negate, absolute] = if product.sparse { [false; 2] } else { both(step, 2) };
        let c = if absolute { k.mask(c, !sign) } else { c };
        if negate { k.xor(c, k.w(sign)) } else { c }
    }
}

/// One of four elements that follow each other from number `first` on, which the lowest two bits of an index say; `word` gives the words that
/// elements lie in.
pub(super) fn one_of_four(k: &Spirv<'_>, bits: u32, first: u32, index: Word, word: impl Fn(u32) -> Word) -> Word {
    let (each, index) = (32 / bits, k.mask(index, 3));
    let at = first / each;
    // Of 16 bits they are in two words.
    let word = if each == 2 { k.sel(k.lt_u(index, k.w(2)), word(at), word(at + 1)) } else { word(at) };
    let number = k.mask(k.add(k.w(first % each), index), each - 1);
    k.mask(k.shr(word, k.mul(number, k.w(bits))), (1 << bits) - 1)
}

/// Word `n` of elements one after the other.
pub(super) fn packed(k: &Spirv<'_>, bits: u32, n: u32, element: impl Fn(u32) -> Word) -> Word {
    let each = 32 / bits;
    let elements = (0..each).map(|e| k.shli(element(n * each + e), e * bits));
    elements.reduce(|a, b| k.or(a, b)).unwrap_or_else(|| k.w(0))
}

/// Whether even, then odd elements of a source are negated; of C sign and absolute value.
fn both(step: &Step, source: u32) -> [bool; 2] {
    [0, 1].map(|odd| Modifiers(step.imm).negates(source, odd))
}

/// The products of integers, summed up exactly; the sum with C is cut to 32 bits, or brought into their range.
fn integers(
    k: &Spirv<'_>,
    modifiers: Modifiers,
    width: u32,
    words: impl Iterator<Item = (Word, Word)>,
    c: Word,
) -> Word {
    let [signed_a, signed_b] = [0, 1].map(|source| modifiers.negates(source, 0));
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
    if modifiers.clamps() { k.add_sat_s(c, sum) } else { k.add(c, sum) }
}
