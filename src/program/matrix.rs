//! Matrix products: where A, B, C and D begin, the modifiers as the immediate of the step, and where CDNA keeps elements.

use super::Step;
use super::build::{Builder, Code};
use super::operand::From;
use super::place::file;
use crate::isa::does::{Does, Element, Product};
use crate::isa::form::{Mod, Slot};
use crate::isa::operand::Ty;
use crate::isa::{Gen, Target, Variants};

impl Element {
    /// The bits of an element.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Element::F64 => 64,
            Element::F32 | Element::Xf32 | Element::I32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::I8 | Element::Fp8 | Element::Bf8 => 8,
            Element::I4 => 4,
        }
    }
}

/// The modifiers of a product, as the immediate of its step.
///
/// On RDNA NEG_LO and NEG_HI negate even and odd elements of A and B; of C they are the sign and the absolute value. For integers
/// NEG_LO says that A or B is signed. On CDNA NEG_LO negates, where an instruction has signs at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifiers(pub u32);

impl Modifiers {
    const CLAMP: u32 = 1 << 6;
    const HIGH: u32 = 1 << 7;
    const KEY: u32 = 8;
    const CBSZ: u32 = 10;
    const ABID: u32 = 13;
    const BLGP: u32 = 17;

    fn of(code: &Code<'_>) -> Modifiers {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Modifiers(
            code.modifier(Mod::NegLo)
                | code.modifier(Mod::Neg)
                | code.modifier(Mod::NegHi) << 3
                | flag(code.modifier(Mod::Clamp) != 0, Modifiers::CLAMP)
                | flag(code.modifier(Mod::OpSel) >> 2 & 1 != 0, Modifiers::HIGH)
                | code.modifier(Mod::IndexKey) << Modifiers::KEY
                | code.modifier(Mod::Cbsz) << Modifiers::CBSZ
                | code.modifier(Mod::Abid) << Modifiers::ABID
                | code.modifier(Mod::Blgp) << Modifiers::BLGP,
        )
    }

    /// NEG_LO for the even elements of a source, NEG_HI for the odd ones.
    #[must_use]
    pub const fn negates(self, source: u32, odd: u32) -> bool {
        self.0 >> (source + 3 * odd) & 1 != 0
    }

    /// Integers are brought into the range of the result.
    #[must_use]
    pub const fn clamps(self) -> bool {
        self.0 & Modifiers::CLAMP != 0
    }

    /// C and D of 16 bits take the upper halves of their registers.
    #[must_use]
    pub const fn high(self) -> bool {
        self.0 & Modifiers::HIGH != 0
    }

    /// The first bit of the indices of a lane that has so many elements of A: a register may hold several sets of them. On RDNA the instruction
    /// has a key for it, on CDNA ABID says which one, unless CBSZ is set.
    #[must_use]
    pub const fn first_index(self, generation: Gen, of_lane: u32) -> u32 {
        let set = match generation {
            Gen::Gfx9 if self.cbsz() != 0 => 0,
            Gen::Gfx9 => self.abid(),
            _ => self.0 >> Modifiers::KEY & 3,
        };
        2 * of_lane * (set % (16 / of_lane))
    }

    const fn cbsz(self) -> u32 {
        self.0 >> Modifiers::CBSZ & 7
    }

    const fn abid(self) -> u32 {
        self.0 >> Modifiers::ABID & 15
    }

    /// The lanes that lanes of CDNA take A from, of blocks of so many rows: CBSZ makes groups of blocks, and ABID says which block of its
    /// group each one takes.
    #[must_use]
    pub const fn of_a(self, size: u32) -> Redirect {
        Redirect {
            mask: 63 & !(size * ((1 << self.cbsz()) - 1)),
            add: if self.cbsz() == 0 { 0 } else { size * self.abid() },
        }
    }

    /// The lanes that they take B from: one half of the wave for both, a rotation, or one row of sixteen for all.
    #[must_use]
    pub const fn of_b(self) -> Redirect {
        match self.0 >> Modifiers::BLGP & 7 {
            0 => Redirect::NONE,
            half @ 1..=2 => Redirect { mask: 31, add: 32 * (half - 1) },
            3 => Redirect { mask: 63, add: 16 },
            row => Redirect { mask: 15, add: 16 * (row - 4) },
        }
    }
}

/// Which lane's registers a lane takes: some bits of its number, and something added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The bits that count.
    pub mask: u32,
    /// What is added.
    pub add: u32,
}

impl Redirect {
    /// Its own.
    pub const NONE: Redirect = Redirect { mask: 63, add: 0 };

    /// The lane that this one takes.
    #[must_use]
    pub const fn of(self, lane: u32) -> u32 {
        ((lane & self.mask) + self.add) % 64
    }
}

/// How CDNA adds the products of a sum up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adder {
    /// Fused multiply-adds, one after the other.
    Chain,
    /// So many products and the accumulator at once, exactly.
    Exact(u32),
    /// So many products before the accumulator, in pairs, without subnormals.
    Flushing(u32),
    /// So many products, cut to the places of the largest, before the accumulator.
    Cut(u32),
    /// Integers with signs.
    Integers,
}

impl Adder {
    /// That of a product. Before gfx940 what is added at once of 16-bit floats is what a lane has of a row.
    #[must_use]
    pub fn of(product: &Product, target: &Target) -> Adder {
        let of_lane = Cdna::of(product).of_lane(product.kept());
        match product.a {
            Element::F64 | Element::F32 => Adder::Chain,
            Element::Xf32 => Adder::Cut(4),
            Element::F16 | Element::Bf16 if target.is(Variants::G908) => Adder::Exact(of_lane),
            Element::F16 | Element::Bf16 if target.is(Variants::G90A) => Adder::Flushing(of_lane),
            Element::F16 | Element::Bf16 => Adder::Cut(product.kept().min(8)),
            Element::Fp8 | Element::Bf8 => Adder::Cut(16),
            Element::I32 | Element::I8 | Element::I4 => Adder::Integers,
        }
    }
}

/// Where CDNA keeps the elements of a product, in waves of 64.
///
/// A and B lie alike: rows of A and columns of B go over the lanes, block after block, and then over the lanes again for the next
/// elements of the same rows. Of C and D each lane has elements of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cdna {
    /// Rows and columns.
    pub size: u32,
    /// Products.
    pub blocks: u32,
    /// Rows that follow each other in the registers of a lane.
    run: u32,
    /// Lanes that have the same column of a block, for other rows of it.
    groups: u32,
    /// Blocks that lie side by side in the lanes.
    abreast: u32,
}

impl Cdna {
    /// The layout of a product.
    #[must_use]
    pub const fn of(product: &Product) -> Cdna {
        let Product { size, blocks, .. } = *product;
        let run: u32 = if product.sum.bits() == 64 { 1 } else { 4 };
        let abreast = (64 * run).div_ceil(size * size);
        Cdna { size, blocks, run, groups: 64 / (size * abreast), abreast }
    }

    /// Element `k` of row 0 of block 0 of A, of which a row has `depth`: its lane, and its number among the elements of that lane. Row `i`
    /// of block `b` is [`Cdna::row`] lanes further.
    #[must_use]
    pub const fn source(&self, depth: u32, k: u32) -> (u32, u32) {
        let of_lane = self.of_lane(depth);
        (self.size * self.blocks * (k / of_lane), k % of_lane)
    }

    /// How many elements of A or B a lane has, of rows of `depth` elements.
    #[must_use]
    pub const fn of_lane(&self, depth: u32) -> u32 {
        depth * self.size * self.blocks / 64
    }

    /// The lanes from row 0 of block 0 to another row.
    #[must_use]
    pub const fn row(&self, block: u32, i: u32) -> u32 {
        self.size * block + i
    }

    /// How many elements of C and D a lane has.
    #[must_use]
    pub const fn results(&self) -> u32 {
        self.size * self.size * self.blocks / 64
    }

    /// An element of C or D: its number among those of its lane, and the lane.
    #[must_use]
    pub fn place(&self, block: u32, i: u32, j: u32) -> (u32, u32) {
        // All of them are powers of two, and divisions would take longer than all that is done with the element.
        let bits = |n: u32| n.trailing_zeros();
        let [size, groups, run, abreast] = [bits(self.size), bits(self.groups), bits(self.run), bits(self.abreast)];
        let n = (block >> abreast << (size - groups)) + (i >> (run + groups) << run) + (i & (self.run - 1));
        let beside = (block & (self.abreast - 1)) + ((i >> run & (self.groups - 1)) << abreast);
        (n, j + (beside << size))
    }

    /// The same seen from the lanes. Element `n` of D of lane 0: its block and its row, in column 0. Those of other lanes are [`Cdna::aside`] from it.
    #[must_use]
    pub const fn result(&self, n: u32) -> (u32, u32) {
        let of_block = self.size / self.groups;
        let (block, n) = (n / of_block, n % of_block);
        (block * self.abreast, self.run * self.groups * (n / self.run) + n % self.run)
    }

    /// What a lane adds to block, row and column of lane 0, as (shift, mask, shift) of its number each.
    #[must_use]
    pub const fn aside(&self) -> [Bits; 3] {
        let columns = self.size.trailing_zeros();
        let abreast = self.abreast.trailing_zeros();
        [
            Bits { from: columns, mask: self.abreast - 1, to: 0 },
            Bits { from: columns + abreast, mask: self.groups - 1, to: self.run.trailing_zeros() },
            Bits { from: 0, mask: self.size - 1, to: 0 },
        ]
    }
}

/// Bits of the number of a lane, moved to another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The lowest of them.
    pub from: u32,
    /// Which ones, once they are at the bottom.
    pub mask: u32,
    /// Where the lowest goes.
    pub to: u32,
}

impl Bits {
    /// Those of a number.
    #[must_use]
    pub const fn of(self, lane: u32) -> u32 {
        (lane >> self.from & self.mask) << self.to
    }
}

impl Builder {
    /// The step of a product. Beyond the last register a source is v0, and nothing is written: such a destination is
    /// [nowhere](file::NOWHERE). A sparse product adds to its destination, and its third source has the indices.
    pub(super) fn product(&mut self, code: &Code<'_>) -> Option<Step> {
        let Does::Product(product) = code.form.row.does else { return None };
        let [dst, sources @ ..] = &code.form.slots[..] else { return None };
        let mut step = Step::new(code.at);
        step.vectors = 7 | Step::DST;
        step.dst = self.matrix(code, dst)?.unwrap_or(file::NOWHERE);
        for (n, place) in sources.iter().enumerate() {
            let at = if n == 2 && place.span.get(code.words) < 256 {
                let place = Slot { ty: constant(product.sum), ..*place };
                let From::Vector(at) = self.vector_operand(code, &place, place.ty.dwords()).0 else { return None };
                at
            } else {
                self.matrix(code, place)?.unwrap_or(0)
            };
            *step.src.get_mut(n)? = at;
        }
        step.imm = Modifiers::of(code).0;
        Some(step)
    }

    /// The first register of a place; nothing inside where its last one is beyond those that there are.
    fn matrix(&mut self, code: &Code<'_>, place: &Slot) -> Option<Option<u32>> {
        let From::Vector(at) = self.vector_operand(code, place, 1).0 else { return None };
        let end = if at < file::AGPR { file::AGPR } else { file::NOWHERE };
        Some((at + u32::from(place.ty.dwords()) <= end).then_some(at))
    }
}

/// The type of an inline constant that stands for all of C.
fn constant(element: Element) -> Ty {
    match element {
        Element::F64 => Ty::F64,
        Element::F16 => Ty::F16,
        Element::Bf16 => Ty::Bf16,
        _ => Ty::F32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::gcn;
    use crate::isa::row::Family;

    /// The elements that lanes have are those that lie in them.
    #[test]
    fn places_seen_from_both_sides() {
        let mut count = 0;
        for row in gcn::rows().filter(|row| row.family == Family::Mai) {
            let Does::Product(product) = row.does else { continue };
            let layout = Cdna::of(&product);
            for lane in 0..64 {
                let [b, i, j] = layout.aside().map(|bits| bits.of(lane));
                for n in 0..layout.results() {
                    let (block, first) = layout.result(n);
                    assert_eq!(layout.place(block + b, first + i, j), (n, lane), "{}", row.name);
                    count += 1;
                }
            }
        }
        assert!(count > 10_000, "{count}");
    }
}
