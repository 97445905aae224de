//! Matrix products of CDNA: D = A * B + C, of one or of several blocks, in waves of 64, whatever EXEC says.
//!
//! Each lane hands out its words of A and B, and makes the elements of D that it has ([`Cdna`] says where elements lie): so a row of A and a column
//! of B are words of other lanes. What is added at once ([`Sums`]) is a call with as many words of each.

use super::matrix::{one_of_four, packed};
use super::{Lower, Lowered};
use crate::isa::does::{Element, Product};
use crate::isa::sem::Alg;
use crate::isa::{Gen, Target};
use crate::program::place::file;
use crate::program::{Adder, Bits, Cdna, Modifiers, Redirect, Step};
use crate::spirv::alg::{Pair, Spirv, Word};
use crate::spirv::fault::Fault;
use crate::spirv::functions::Function;
use crate::spirv::lanes::Lane;
use crate::spirv::soft::{Core, Numbers, Value};
use std::collections::BTreeMap;

/// How products are added up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sums {
    /// Fused multiply-adds, one after the other.
    Chain,
    /// The same in f64.
    WideChain,
    /// So many products at once.
    Together(Core, Numbers, u32),
    /// Bytes with signs.
    Bytes,
}

/// MODE of a chain: subnormals stay, to nearest even.
const CHAIN_MODE: u32 = 0xf0;

impl Sums {
    fn of(product: &Product, target: &Target) -> Sums {
        let numbers = match product.a {
            Element::F16 => Numbers::F16,
            Element::Bf16 => Numbers::Bf16,
            Element::Fp8 | Element::Bf8 => Numbers::Small([product.a, product.b].map(|e| e == Element::Bf8)),
            _ => Numbers::Xf32,
        };
        match Adder::of(product, target) {
            Adder::Chain if product.a == Element::F64 => Sums::WideChain,
            Adder::Chain => Sums::Chain,
            Adder::Exact(at_once) => Sums::Together(Core::Exact, numbers, at_once),
            Adder::Flushing(at_once) => Sums::Together(Core::Flushing, numbers, at_once),
            Adder::Cut(at_once) => Sums::Together(Core::Cut, numbers, at_once),
            Adder::Integers => Sums::Bytes,
        }
    }
}

/// Words of A and B as lanes have handed them out.
struct Handed<'l> {
    lower: &'l Lower<'l>,
    product: Product,
    layout: Cdna,
    /// Which lanes A and B are taken from.
    from: [Redirect; 2],
    /// Where the words of A, of B and the indices begin.
    first: [u32; 3],
    /// The first bit of the indices in their word.
    index: u32,
}

impl Handed<'_> {
    /// The lane of element `k` of a row of A or a column of B, and the element's number there.
    fn place(&self, k: &Spirv<'_>, source: usize, depth: u32, row: Word, n: u32) -> (Word, u32) {
        let (lanes, number) = self.layout.source(depth, n);
        let Redirect { mask, add } = self.from[source];
        let lane = k.mask(k.add(k.mask(k.add(row, k.w(lanes)), mask), k.w(add)), 63);
        (lane, number)
    }

    /// Word `n` of a row of A or a column of B that has so many elements.
    fn word(&self, k: &Spirv<'_>, source: usize, depth: u32, row: Word, n: u32) -> Word {
        let bits = if source == 0 { self.product.a } else { self.product.b }.bits();
        let each = (32 / bits).max(1);
        let (lane, number) = self.place(k, source, depth, row, if bits == 64 { n / 2 } else { n * each });
        let word = if bits == 64 { 2 * number + n % 2 } else { number / each };
        self.lower.fetch((self.first[source] + word) as usize, lane)
    }

    /// The words of a row of A.
    fn row(&self, k: &Spirv<'_>, row: Word) -> Vec<Word> {
        let kept = self.product.kept();
        (0..words_of(self.product.a, kept)).map(|n| self.word(k, 0, kept, row, n)).collect()
    }

    /// The words of a column of B.
    fn column(&self, k: &Spirv<'_>, column: Word) -> Vec<Word> {
        let depth = self.product.depth;
        (0..words_of(self.product.b, depth)).map(|n| self.word(k, 1, depth, column, n)).collect()
    }

    /// What the indices of a row of A that is sparse choose of a column of B, as words.
    fn chosen(&self, k: &Spirv<'_>, row: Word, column: &[Word]) -> Vec<Word> {
        let (bits, kept) = (self.product.b.bits(), self.product.kept());
        let element = |n: u32| {
            let (lane, number) = self.place(k, 0, kept, row, n);
            let indices = self.lower.fetch(self.first[2] as usize, lane);
            one_of_four(k, bits, 4 * (n / 2), k.shri(indices, self.index + 2 * number), |n| column[n as usize])
        };
        (0..words_of(self.product.a, kept)).map(|n| packed(k, bits, n, element)).collect()
    }
}

/// How many words so many elements are.
fn words_of(element: Element, count: u32) -> u32 {
    count * element.bits() / 32
}

impl Lower<'_> {
    /// A matrix instruction of CDNA.
    pub(super) fn mfma(&self, step: &Step, product: Product) -> Lowered {
        let sums = Sums::of(&product, &self.target);
        // A destination beyond the last register: nothing is written.
        if step.dst == file::NOWHERE {
            return Ok(());
        }
        let layout = Cdna::of(&product);
        let modifiers = Modifiers(step.imm);
        let words = [(product.a, product.kept()), (product.b, product.depth)]
            .map(|(element, depth)| words_of(element, layout.of_lane(depth)));
        let handed = Handed {
            lower: self,
            product,
            layout,
            from: if product.sparse { [Redirect::NONE; 2] } else { [modifiers.of_a(product.size), modifiers.of_b()] },
            first: [0, words[0], words[0] + words[1]],
            index: if product.sparse { modifiers.first_index(Gen::Gfx9, layout.of_lane(product.kept())) } else { 0 },
        };
        // Signs are those of f64: of every second word.
        let signs = [0, 1, 2].map(|source| if modifiers.negates(source, 0) { 1u32 << 31 } else { 0 });
        self.publish(|lane| {
            let k = self.alg(lane.number);
            let of = |source: usize| {
                let word = move |n: u32| self.v(step.src[source] + n, lane);
                (0..words[source]).map(move |n| (n, word(n)))
            };
            let mut all = Vec::new();
            for source in [0, 1] {
                all.extend(of(source).map(|(n, v)| if n % 2 == 1 { k.xor(v, k.w(signs[source])) } else { v }));
            }
            if product.sparse {
                all.push(self.v(step.src[2], lane));
            }
            all
        });
        self.each_lane(|lane| {
            let k = self.floats(lane.number);
            let [aside_block, aside_row, aside_column] =
                layout.aside().map(|Bits { from, mask, to }| k.shli(k.mask(k.shri(lane.number, from), mask), to));
            // Of each block a lane has one column, for all its rows.
            let line = |block: u32, aside: Word| k.add(k.mul(k.add(k.w(block), aside_block), k.w(layout.size)), aside);
            let mut columns: BTreeMap<u32, Vec<Word>> = BTreeMap::new();
            let results: Vec<Vec<Word>> = (0..layout.results())
                .map(|n| {
                    let (block, i) = layout.result(n);
                    let i = if self.has(Fault::MatrixRowsInOrder) { k.w(i) } else { k.add(k.w(i), aside_row) };
                    let (row, column) = (line(block, i), line(block, aside_column));
                    let c = self.accumulator_of(&k, step, &product, n, lane, signs[2]);
                    let b = columns.entry(block).or_insert_with(|| handed.column(&k, column));
                    let chosen = product.sparse.then(|| handed.chosen(&k, row, b));
                    let a = handed.row(&k, row);
                    sum(&k, sums, &a, chosen.as_ref().unwrap_or(b), c)
                })
                .collect();
            for (n, v) in (0..).zip(results.into_iter().flatten()) {
                self.set_v(step.dst + n, lane, v);
            }
        });
        Ok(())
    }

    /// Element `n` of C of a lane, in its words.
    fn accumulator_of(
        &self,
        k: &Spirv<'_>,
        step: &Step,
        product: &Product,
        n: u32,
        lane: Lane,
        sign: u32,
    ) -> Vec<Word> {
        let words = product.sum.bits() / 32;
        let at = if product.sparse { step.dst } else { step.src[2] };
        let first = if at >= file::CONSTANTS { at } else { at + n * words };
        let mut c: Vec<Word> = (0..words).map(|n| self.v(first + n, lane)).collect();
        if let (Some(top), false) = (c.last_mut(), product.sparse || sign == 0) {
            *top = k.xor(*top, k.w(sign));
        }
        c
    }
}

/// An element of D: words of a row of A and of a column of B, and of C.
fn sum(k: &Spirv<'_>, sums: Sums, a: &[Word], b: &[Word], c: Vec<Word>) -> Vec<Word> {
    let mut chain = *k;
    chain.mode = k.w(CHAIN_MODE);
    match (sums, &c[..]) {
        (Sums::Together(core, numbers, at_once), [c]) => {
            let words = (at_once * numbers.bits() / 32) as usize;
            let function = Function::Products(core, numbers, words as u8);
            let add = |c: Word, (a, b): (&[Word], &[Word])| {
                let args: Vec<Value<Spirv<'_>>> = a.iter().chain(b).chain([&c]).map(|word| Value::W(*word)).collect();
                match k.call(function, &args)[..] {
                    [Value::W(sum)] => sum,
                    _ => c,
                }
            };
            vec![a.chunks(words).zip(b.chunks(words)).fold(*c, add)]
        }
        (Sums::Bytes, [c]) => {
            let byte = |v: Word, n: u32| k.sx(k.shri(v, 8 * n), 8);
            let add =
                |c: Word, (a, b): (&Word, &Word)| (0..4).fold(c, |c, n| k.add(c, k.mul(byte(*a, n), byte(*b, n))));
            vec![a.iter().zip(b).fold(*c, add)]
        }
        (Sums::Chain, [c]) => {
            let sum = a.iter().zip(b).fold(*c, |c, (a, b)| chain.fma_f32(*a, *b, c));
            let wrong = k.lt_u(k.w(0x7f80_0000), k.mask(sum, 0x7fff_ffff));
            vec![k.sel(wrong, k.w(0x7fc0_0000), sum)]
        }
        (Sums::WideChain, &[low, high]) => {
            let pairs =
                |words: &[Word]| -> Vec<Pair> { words.as_chunks::<2>().0.iter().map(|&[l, h]| (l, h)).collect() };
            let sum = pairs(a).into_iter().zip(pairs(b)).fold((low, high), |c, (a, b)| chain.fma_f64(a, b, c));
            let magnitude = k.mask(sum.1, 0x7fff_ffff);
            let above = k.lt_u(k.w(0x7ff0_0000), magnitude);
            let below = k.negate(k.eq(sum.0, k.w(0)));
            let wrong = k.either(above, k.both(k.eq(magnitude, k.w(0x7ff0_0000)), below));
            vec![k.sel(wrong, k.w(0), sum.0), k.sel(wrong, k.w(0x7ff8_0000), sum.1)]
        }
        _ => c,
    }
}
