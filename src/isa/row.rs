//! Rows: one instruction, one line.
//!
//! A row is a family (which decides the formats it has forms in), a name, an opcode a generation, a destination and sources in the
//! order of the text. What the generations renamed or restricted follows as data. Forms (VOP3, SDWA, DPP) are derived from the row by
//! `form`, never written down twice.

use super::arch::{Arch, Gen, Variants};
use super::does::{Does, Moved, Way};
use super::operand::{Class, Opnd, Part};
use bitflags::bitflags;

/// The column of a generation which does not have the instruction.
pub const __: u16 = 0xffff;

/// What a row is made of first: it decides which formats the instruction has forms in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs, reason = "the manual's encoding names")]
pub enum Family {
    Sop1,
    Sop2,
    Sopk,
    Sopc,
    Sopp,
    Smem,
    Vop1,
    Vop2,
    Vopc,
    Vop3,
    Vop3p,
    Mai,
    Vinterp,
    Vop3Interp,
    Vopd,
    Vintrp,
    Ldsdir,
    Ds,
    Mubuf,
    Mtbuf,
    Mimg,
    Flat,
    Global,
    Scratch,
    Exp,
}

impl Family {
    /// Whether operands and modifiers depend on each other, so that the family has code of its own to encode, check and print them.
    #[must_use]
    pub const fn is_joint(self) -> bool {
        matches!(
            self,
            Family::Smem
                | Family::Mubuf
                | Family::Mtbuf
                | Family::Mimg
                | Family::Flat
                | Family::Global
                | Family::Scratch
                | Family::Exp
        )
    }
}

bitflags! {
    /// What a row has beyond, or lacks of, what its family and types imply.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Traits: u64 {
        /// The short form is the only one.
        const ONLY_E32  = 1 << 0;
        /// No SDWA form, although the types would allow one.
        const NO_SDWA   = 1 << 1;
        /// No DPP form, although the types would allow one.
        const NO_DPP    = 1 << 2;
        /// Integer clamp (saturation) in VOP3.
        const CLAMP     = 1 << 4;
        /// No clamp, although floats are involved.
        const NO_CLAMP  = 1 << 5;
        /// No output modifier, although the result is a float.
        const NO_OMOD   = 1 << 6;
        /// Sources take neg and abs although they are not floats.
        const MODS      = 1 << 7;
        /// VOP3 selects halves with `op_sel`.
        const OP_SEL    = 1 << 8;
        /// The destination is an accumulator.
        const TIED      = 1 << 9;
        /// The destination must not overlap the sources.
        const EARLY     = 1 << 10;
        /// Halves are named (`v0.l`) in the assembler's real true-16 mode.
        const TRUE16    = 1 << 11;
        /// The matrix form `wave32` only / `wave64` only.
        const W32       = 1 << 12;
        /// See [`Traits::W32`].
        const W64       = 1 << 13;
        /// Loads.
        const LOAD      = 1 << 14;
        /// Stores.
        const STORE     = 1 << 15;
        /// Atomic read-modify-write.
        const ATOMIC    = 1 << 16;
        /// The instruction is always global in DS terms.
        const GDS       = 1 << 17;
        /// 16-bit data: registers hold pairs where the processor packs them.
        const D16       = 1 << 18;
        /// Two offsets of 8 bits.
        const OFFSET2   = 1 << 19;
        /// Not in llvm-mc 19: named and numbered by the manual.
        const MANUAL    = 1 << 21;
        /// Data goes to or comes from LDS instead of registers, always.
        const LDS       = 1 << 22;
        /// The mix instructions: OP_SEL_HI says which sources are 16 bits wide; NEG_HI is abs.
        const MIX       = 1 << 24;
        /// A sample: it may be issued without a result, for what it does to the caches.
        const SAMPLE    = 1 << 27;
        /// A gather: four results whatever the mask says.
        const GATHER    = 1 << 28;
        /// Byte select of the source in VOP3.
        const BYTE_SEL  = 1 << 31;
        /// Sparse matrices: `index_key` of 2 or 4 values.
        const KEY8      = 1 << 32;
        /// See [`Traits::KEY8`].
        const KEY16     = 1 << 33;
        /// No VOP2/VOP1 suffix in the canonical text.
        const NO_SUFFIX = 1 << 34;
        /// Negation bits on their own (`neg_lo`, `neg_hi`) in a packed instruction.
        const NEG       = 1 << 35;
        /// Bounding-volume instructions: an address list of fixed shape.
        const BVH       = 1 << 37;
        /// Second sources may not be scalar.
        const PERMLANE  = 1 << 39;
        /// An address of its own shape: no LDS address register.
        const NO_ADDR   = 1 << 40;
        /// Output modifiers, although the result is an integer.
        const OMOD      = 1 << 41;
        /// An SDWA form although the result is wide; it selects a part of the source only.
        const SDWA      = 1 << 42;
        /// A packed instruction with DPP forms.
        const DPP       = 1 << 43;
        /// The data may go to LDS instead of registers: the modifier `lds`, where the format has the bit.
        const MAY_LDS   = 1 << 44;
        /// An atomic that cannot return the old value.
        const NO_RET    = 1 << 45;
        /// Data has half as many registers in waves of 64 lanes.
        const PER_WAVE  = 1 << 46;
        /// Cache control with a scope: `sc0` and `sc1` on gfx940.
        const SCOPED    = 1 << 47;
        /// LDS only: the `gds` modifier is not taken.
        const NO_GDS    = 1 << 48;
        /// The offset is a lane pattern: `offset:swizzle(...)`.
        const SWIZZLE   = 1 << 49;
        /// The dimension must be one with samples.
        const MSAA      = 1 << 50;
        /// 16-bit interpolation: `high` takes the upper half of the parameter.
        const HIGH      = 1 << 51;
        /// `neg_lo` without `neg_hi`.
        const NEG_LO    = 1 << 52;
        /// Of three packed sources only the first two can be negated.
        const NEG_AB    = 1 << 53;
        /// Of three packed sources only the third can be negated.
        const NEG_C     = 1 << 54;
        /// Reads `vcc` besides its operands.
        const READS_VCC = 1 << 55;
        /// Reads `m0` besides its operands.
        const READS_M0  = 1 << 56;
        /// The VOP3 form is the manual's alone: llvm-mc does not have it. It is written with `_e64`.
        const MANUAL_E64 = 1 << 57;
        /// VOP3 of gfx10 selects halves with `op_sel`, which LLVM prints of gfx11 and later alone, and there in its real true-16 mode.
        const OP_SEL10  = 1 << 58;
        /// Halves are named in every mode of the assembler: LLVM's disassembler has one text of it.
        const HALVES    = 1 << 59;
        /// Scalar memory whose scalar offset counts bytes of a lane: scratch memory.
        const SCRATCH   = 1 << 60;
    }
}

/// One instruction.
#[derive(Debug)]
pub struct Inst {
    /// The name, without form suffixes, in the oldest column it has, unless renamed.
    pub name: &'static str,
    /// The family.
    pub family: Family,
    /// The opcode in each column.
    pub code: [u16; 7],
    /// The destination.
    pub dst: Opnd,
    /// Everything else, in the order of the text.
    pub src: &'static [Opnd],
    /// Where, within the columns, it exists.
    pub on: Variants,
    /// What is special.
    pub traits: Traits,
    /// What it does, if that is no arithmetic.
    pub does: Does,
    /// Names from a generation on.
    pub renamed: &'static [(Gen, &'static str)],
    /// Other names the assembler takes in a set of variants.
    pub aliases: &'static [(Variants, &'static str)],
}

impl Inst {
    /// The first part of every constructor.
    #[must_use]
    pub const fn new(family: Family, name: &'static str, code: [u16; 7], dst: Opnd, src: &'static [Opnd]) -> Inst {
        Inst {
            name,
            family,
            code,
            dst,
            src,
            on: Variants::all(),
            traits: Traits::empty(),
            does: Does::Computes,
            renamed: &[],
            aliases: &[],
        }
    }

    /// Restricts the row to sets of variants.
    #[must_use]
    pub const fn on(mut self, sets: &[Variants]) -> Inst {
        self.on = union(sets);
        self
    }

    /// Adds traits.
    #[must_use]
    pub const fn has(mut self, traits: &[Traits]) -> Inst {
        let mut i = 0;
        while i < traits.len() {
            self.traits = self.traits.union(traits[i]);
            i += 1;
        }
        self
    }

    /// Says what it does. A load or store of words has as many as its data.
    #[must_use]
    pub const fn does(mut self, does: Does) -> Inst {
        self.does = match does {
            Does::Load(moved) => Does::Load(moved.counted(self.data_words(&moved))),
            Does::Store(moved) => Does::Store(moved.counted(self.data_words(&moved))),
            other => other,
        };
        self
    }

    /// Words of one item of the data: a load's are its destination, a store's the first operand that is data. What goes to LDS, or comes from it,
    /// has no operand and is one word.
    const fn data_words(&self, moved: &Moved) -> u8 {
        let mut words = match self.dst.class {
            Class::None => 0,
            _ => self.dst.ty.dwords(),
        };
        let two = matches!(moved.way, Way::Two { .. });
        if two && words > 0 {
            words /= 2;
        }
        let mut i = 0;
        while i < self.src.len() && words == 0 {
            if let Class::Part(Part::Data | Part::Sdata) = self.src[i].class {
                words = self.src[i].ty.dwords();
            }
            i += 1;
        }
        if words == 0 { 1 } else { words }
    }

    /// Says how the instruction is called from generations on.
    #[must_use]
    pub const fn renamed(mut self, names: &'static [(Gen, &'static str)]) -> Inst {
        self.renamed = names;
        self
    }

    /// Adds names that the assembler takes besides.
    #[must_use]
    pub const fn alias(mut self, aliases: &'static [(Variants, &'static str)]) -> Inst {
        self.aliases = aliases;
        self
    }

    /// The opcode on a processor, if it has the instruction.
    #[must_use]
    pub fn opcode(&self, arch: &Arch) -> Option<u16> {
        let code = self.code[arch.generation as usize];
        (code != __ && self.on.contains(arch.variant)).then_some(code)
    }

    /// The sources that `neg_lo` and `neg_hi` may negate, as bits.
    #[must_use]
    pub const fn negatable(&self) -> u32 {
        if self.traits.contains(Traits::NEG_AB) {
            0b011
        } else if self.traits.contains(Traits::NEG_C) {
            0b100
        } else {
            0b111
        }
    }

    /// How many selectors `op_sel` has for sources: an accumulator that is read counts too.
    #[must_use]
    pub fn selectors(&self) -> usize {
        self.src
            .iter()
            .filter(|o| !matches!(o.class, Class::MaskIn | Class::MaskOut | Class::Literal | Class::None))
            .count()
    }

    /// The name in a generation.
    #[must_use]
    pub fn name_in(&self, generation: Gen) -> &'static str {
        self.renamed.iter().rev().find(|(from, _)| *from <= generation).map_or(self.name, |(_, name)| name)
    }
}

/// The union of sets of variants.
const fn union(sets: &[Variants]) -> Variants {
    let mut all = Variants::empty();
    let mut i = 0;
    while i < sets.len() {
        all = all.union(sets[i]);
        i += 1;
    }
    all
}

/// The short names rows use for variants and traits.
#[allow(missing_docs, reason = "see `Variants` and `Traits`")]
pub mod names {
    use super::{Traits, Variants};

    macro_rules! names {
        ($type:ident: $($name:ident)*) => { $(pub const $name: $type = $type::$name;)* };
    }
    names!(Variants: G6 G7 G8 G9 G10 G11 G12 G80 G81 G900 G904 G906 G908 G90A G940 G1010 G1011 G1013 G1030 G1100 G1150);
    names!(Variants: VEGA CDNA CDNA2 RDNA1 DL DOT10);
    names!(Traits: ONLY_E32 NO_SDWA NO_DPP CLAMP NO_CLAMP NO_OMOD MODS OP_SEL TIED EARLY TRUE16 W32 W64 LOAD STORE ATOMIC);
    names!(Traits: GDS D16 OFFSET2 MANUAL LDS MIX SAMPLE GATHER BYTE_SEL KEY8 KEY16 NO_SUFFIX);
    names!(Traits: NEG BVH PERMLANE NO_ADDR OMOD SDWA DPP MAY_LDS NO_RET PER_WAVE SCOPED);
    names!(Traits: NO_GDS SWIZZLE MSAA HIGH NEG_LO NEG_AB NEG_C READS_VCC READS_M0 MANUAL_E64 OP_SEL10 HALVES SCRATCH);
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $fn:ident => $family:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $fn(name: &'static str, code: [u16; 7], dst: Opnd, src: &'static [Opnd]) -> Inst {
            Inst::new(Family::$family, name, code, dst, src)
        }
    )*};
}

constructors! {
    /// A row of [`Family::Sop1`].
    sop1 => Sop1,
    /// A row of [`Family::Sop2`].
    sop2 => Sop2,
    /// A row of [`Family::Sopk`].
    sopk => Sopk,
    /// A row of [`Family::Sopc`].
    sopc => Sopc,
    /// A row of [`Family::Sopp`].
    sopp => Sopp,
    /// A row of [`Family::Vop1`].
    vop1 => Vop1,
    /// A row of [`Family::Vop2`].
    vop2 => Vop2,
    /// A row of [`Family::Vopc`].
    vopc => Vopc,
    /// A row of [`Family::Vop3`].
    vop3 => Vop3,
    /// A row of [`Family::Vop3p`].
    vop3p => Vop3p,
    /// A row of [`Family::Mai`].
    mai => Mai,
    /// A row of [`Family::Vinterp`].
    vinterp => Vinterp,
    /// A row of [`Family::Vop3Interp`].
    vop3_interp => Vop3Interp,
    /// A row of [`Family::Vopd`].
    vopd => Vopd,
    /// A row of [`Family::Vintrp`].
    vintrp => Vintrp,
    /// A row of [`Family::Ldsdir`].
    ldsdir => Ldsdir,
    /// A row of [`Family::Mimg`].
    mimg => Mimg,
    /// A row of [`Family::Exp`].
    exp => Exp,
}

macro_rules! constructors_of_memory {
    ($($(#[$doc:meta])* $fn:ident => $family:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub const fn $fn(name: &'static str, code: [u16; 7], dst: Opnd, src: &'static [Opnd], does: Does) -> Inst {
            Inst::new(Family::$family, name, code, dst, src).does(does)
        }
    )*};
}

constructors_of_memory! {
    /// A row of [`Family::Smem`].
    smem => Smem,
    /// A row of [`Family::Ds`].
    ds => Ds,
    /// A row of [`Family::Mubuf`].
    mubuf => Mubuf,
    /// A row of [`Family::Mtbuf`].
    mtbuf => Mtbuf,
    /// A row of [`Family::Flat`].
    flat => Flat,
    /// A row of [`Family::Global`].
    global => Global,
    /// A row of [`Family::Scratch`].
    scratch => Scratch,
}

/// Fails to compile where two rows of one table claim an opcode of the same column and variant, or a row has no name or column.
///
/// # Panics
/// In constant evaluation only: that is the point.
pub const fn check(rows: &[Inst]) {
    let mut i = 0;
    while i < rows.len() {
        let a = &rows[i];
        assert!(!a.name.is_empty(), "a row without a name");
        let mut column = 0;
        let mut used = false;
        while column < 7 {
            if a.code[column] != __ {
                used = true;
                let mut j = i + 1;
                while j < rows.len() {
                    let b = &rows[j];
                    let clash = b.code[column] == a.code[column]
                        && a.family as u8 == b.family as u8
                        && a.on.intersection(b.on).intersection(Variants::of_gen(Gen::ALL[column])).bits() != 0
                        && a.traits.intersection(Traits::W32.union(Traits::W64)).bits()
                            == b.traits.intersection(Traits::W32.union(Traits::W64)).bits();
                    assert!(!clash, "two rows claim one opcode");
                    j += 1;
                }
            }
            column += 1;
        }
        assert!(used, "a row without a column");
        i += 1;
    }
}
