//! Forms: what a row becomes on one processor.
//!
//! A form is one encoding of one row: the fixed bits, the places of its operands in the order of the text, and its modifiers. All forms of
//! a target lie in one [`Table`], built once from the rows (a few milliseconds) and shared. Decoder, printer, parser, encoder, `explain`
//! and the tests interpret forms; none of them knows an opcode.

use super::arch::{Gen, Target};
use super::format::{DPP, Format, SDWA, Span};
use super::idle;
use super::limits::{Limit, Sets};
use super::memory::Fields;
use super::operand::{Part, Symbol, Ty};
use super::row::{Family, Inst};
use bitflags::bitflags;

pub use super::table::{Table, TableBuilder};

bitflags! {
    /// What a source may be.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Allow: u16 {
        /// Vector registers.
        const VGPR    = 1;
        /// Scalar registers and the special registers among them.
        const SGPR    = 2;
        /// Inline constants.
        const INLINE  = 4;
        /// A literal constant.
        const LITERAL = 8;
        /// LDS direct.
        const LDS     = 16;
        /// Accumulation registers.
        const AGPR    = 32;
        /// Only v0-v127 (16-bit operands of short forms on gfx11 and later).
        const LO128   = 64;
        /// `exec` is not allowed.
        const NO_EXEC = 128;
        /// A scalar source: anything but vector registers.
        const SCALAR  = Self::SGPR.bits() | Self::INLINE.bits() | Self::LITERAL.bits();
        /// Any source.
        const ANY     = Self::SCALAR.bits() | Self::VGPR.bits();
    }
}

/// How a place is written and encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A source code of 8 or 9 bits, as `Allow` says.
    Source,
    /// A vector register in a field of 8 bits.
    Vgpr,
    /// A scalar destination or source in a field of 7 or 8 bits.
    Sgpr,
    /// SDWA source: 8 bits and a bit which says that it is scalar.
    SdwaSource(Span),
    /// SDWA compare destination: 7 bits and a bit which says that it is not `vcc`.
    SdwaSdst(Span),
    /// `vcc` (or `vcc_lo`), not encoded.
    Vcc,
    /// A word of text that is not encoded; `optional` where the assembler may leave it out.
    Word {
        /// The word.
        text: &'static str,
        /// May be left out.
        optional: bool,
    },
    /// The literal constant of the instruction itself.
    Literal,
    /// A number of 16 bits, signed or not, in hexadecimal.
    Simm,
    /// An unsigned number in hexadecimal.
    Uimm,
    /// A number: small ones in decimal.
    PlainImm,
    /// A number that is left out when it is 0.
    OptImm,
    /// A branch target.
    Target,
    /// A symbolic immediate.
    Symbolic(Symbol),
    /// A message number of `s_sendmsg_rtn`.
    Message,
    /// A barrier number: inline constant or `m0`.
    Barrier,
    /// The second half of a dual instruction: its name follows `::`.
    Dual(&'static str),
    /// The second destination of a dual instruction: its lowest bit is the opposite of the first's.
    DualVdst,
    /// An interpolation attribute (`attr0.x`) with its channel field.
    Attr(Span),
    /// An interpolation slot (`p10`).
    InterpSlot,
    /// A place of a memory instruction: what may stand there, and how the field counts, depends on the other places and on the
    /// modifiers.
    Memory(Part),
}

/// One place of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// How it is written and encoded.
    pub kind: Kind,
    /// Its type.
    pub ty: Ty,
    /// Its field.
    pub span: Span,
    /// What may stand there.
    pub allow: Allow,
    /// Bit of the negation modifier, or [`NO_BIT`].
    pub neg: u8,
    /// Bit of the absolute-value modifier, or [`NO_BIT`].
    pub abs: u8,
    /// Bit of the sign-extension modifier, or [`NO_BIT`].
    pub sext: u8,
    /// Bit that extends the sign where no text says so: ACO writes it, LLVM neither reads nor writes it. Or [`NO_BIT`].
    pub silent_sext: u8,
    /// Bit that says which half of the register (the top bit of an 8-bit register number, or a bit of OP_SEL), or [`NO_BIT`].
    pub half: u8,
    /// Bit that says that the register is an accumulation register, or [`NO_BIT`].
    pub acc: u8,
    /// Which source it is: 0, 1, 2; or [`NO_BIT`] for a destination.
    pub source: u8,
}

/// No such bit.
pub const NO_BIT: u8 = 0xff;

impl Slot {
    /// A place with a field and nothing special.
    #[must_use]
    pub const fn new(kind: Kind, ty: Ty, span: Span) -> Slot {
        Slot {
            kind,
            ty,
            span,
            allow: Allow::ANY,
            neg: NO_BIT,
            abs: NO_BIT,
            sext: NO_BIT,
            silent_sext: NO_BIT,
            half: NO_BIT,
            acc: NO_BIT,
            source: NO_BIT,
        }
    }
}

/// Modifiers: what may follow the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names as written in text; see `asm::modifiers`")]
pub enum Mod {
    OpSel,
    OpSelHi,
    NegLo,
    NegHi,
    ByteSel,
    Clamp,
    Omod,
    Cbsz,
    Abid,
    Blgp,
    Neg,
    IndexKey,
    DppCtrl,
    Dpp8,
    RowMask,
    BankMask,
    BoundCtrl,
    Fi,
    DstSel,
    DstUnused,
    Src0Sel,
    Src1Sel,
    Offset,
    Offset0,
    Offset1,
    Gds,
    Idxen,
    Offen,
    Addr64,
    Format,
    Glc,
    Slc,
    Dlc,
    Scc,
    Th,
    Scope,
    Tfe,
    Lwe,
    Lds,
    Dmask,
    Dim,
    Unorm,
    R128,
    A16,
    D16,
    Da,
    Done,
    Compr,
    Vm,
    RowEn,
    WaitExp,
    WaitVdst,
    WaitVaVdst,
    WaitVmVsrc,
    High,
    Nv,
}

/// A modifier of a form and where it is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModSlot {
    /// Which.
    pub id: Mod,
    /// Its field.
    pub span: Span,
}

bitflags! {
    /// Properties of a form that decoder and assembler ask for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct FormFlags: u16 {
        /// A literal word always follows.
        const HAS_LITERAL  = 1;
        /// A literal word follows where a source says so.
        const MAY_LITERAL  = 2;
        /// A vector instruction: the constant-bus limit holds.
        const VALU         = 4;
        /// Reads `vcc` implicitly.
        const READS_VCC    = 8;
        /// A DPP or SDWA form.
        const SUBFORM      = 16;
        /// VOP3 with a literal (gfx10 and later).
        const VOP3         = 32;
    }
}

/// Which of the forms under one opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Variant {
    /// The plain one.
    Base,
    /// Sub-dword addressing.
    Sdwa,
    /// DPP, DPP16.
    Dpp,
    /// DPP8.
    Dpp8,
}

/// What SRC0 holds in front of an SDWA word.
pub(crate) const SDWA_MARK: u32 = 0xf9;
/// What SRC0 holds in front of a DPP word.
pub(crate) const DPP_MARK: u32 = 0xfa;
/// What SRC0 holds in front of a DPP8 word; one more where inactive lanes are fetched too.
pub(crate) const DPP8_MARK: u32 = 0xe9;

/// One encoding of one row on one processor.
#[derive(Debug)]
pub struct Form {
    /// The row.
    pub row: &'static Inst,
    /// The canonical name, with its suffix.
    pub name: &'static str,
    /// The format of the first words.
    pub format: &'static Format,
    /// Which form.
    pub variant: Variant,
    /// Words without a literal.
    pub words: u8,
    /// The fixed bits: format, opcode, markers.
    pub base: [u32; 3],
    /// All bits that mean something: fixed bits and fields. Others must be zero.
    pub known: [u32; 3],
    /// The bits of the words which must be as in `base`: fixed bits, and those that mean nothing and that LLVM's decoder does not look past.
    pub must: [u32; 3],
    /// The bits that mean nothing. In `base` they are as the assembler writes them.
    pub idle: [u32; 3],
    /// Fields which do not take every value.
    pub(crate) limits: Box<[Limit]>,
    /// The places, in the order of the text.
    pub slots: Box<[Slot]>,
    /// The modifiers, in the order of the text.
    pub mods: Box<[ModSlot]>,
    /// The modifiers as a set of bits `1 << Mod`.
    pub mod_set: u64,
    /// Properties.
    pub flags: FormFlags,
    /// The fields of a memory instruction.
    pub memory: &'static Fields,
}

impl Form {
    /// The format of the extra word of an SDWA or DPP form.
    #[must_use]
    pub fn second_format(&self, target: &Target) -> Option<&'static Format> {
        second_format(target, self.row.family, self.variant)
    }
}

fn second_format(target: &Target, family: Family, variant: Variant) -> Option<&'static Format> {
    let generation = target.generation();
    let compare = family == Family::Vopc && generation >= Gen::Gfx9;
    let (list, name) = match variant {
        Variant::Base => return None,
        Variant::Sdwa => (SDWA, if compare { "SDWAB" } else { "SDWA" }),
        Variant::Dpp => (DPP, if generation >= Gen::Gfx10 { "DPP16" } else { "DPP" }),
        Variant::Dpp8 => (DPP, "DPP8"),
    };
    list.iter().find(|f| f.name == name && f.on.contains(target.arch.variant))
}

/// A form under construction.
pub struct Builder {
    row: &'static Inst,
    name: String,
    format: &'static Format,
    variant: Variant,
    words: u8,
    base: [u32; 5],
    known: [u32; 5],
    fixed: [u32; 5],
    idle: [u32; 5],
    /// The places.
    pub slots: Vec<Slot>,
    /// The modifiers.
    pub mods: Vec<ModSlot>,
    flags: FormFlags,
    memory: &'static Fields,
}

impl Builder {
    /// A form of `row` in `format` with opcode `op`, called `name`.
    #[must_use]
    pub fn new(row: &'static Inst, name: impl Into<String>, format: &'static Format, op: u32) -> Builder {
        let mut base = [0; 5];
        base[0] = format.fixed;
        let mut known = [0; 5];
        known[0] = format.mask;
        if format.op.width != 0 {
            format.op.set(&mut base, op);
            format.op.set(&mut known, u32::MAX);
        }
        Builder {
            row,
            name: name.into(),
            format,
            variant: Variant::Base,
            words: format.words,
            base,
            fixed: known,
            known,
            idle: [0; 5],
            slots: Vec::new(),
            mods: Vec::new(),
            flags: FormFlags::empty(),
            memory: &Fields::NONE,
        }
    }

    /// Sets the fields of a memory instruction.
    pub fn memory(&mut self, fields: Fields) -> &mut Self {
        self.memory = Box::leak(Box::new(fields));
        self
    }

    /// Says which form of the opcode it is and how many words it has.
    pub fn variant(&mut self, variant: Variant, words: u8) -> &mut Self {
        self.variant = variant;
        self.words = words;
        self
    }

    /// Adds properties.
    pub fn flags(&mut self, flags: FormFlags) -> &mut Self {
        self.flags |= flags;
        self
    }

    /// Fixes a field to a value.
    pub fn fix(&mut self, span: Span, value: u32) -> &mut Self {
        span.set(&mut self.base, value);
        span.set(&mut self.known, u32::MAX);
        span.set(&mut self.fixed, u32::MAX);
        span.set(&mut self.idle, 0);
        self
    }

    /// Says that a field is not used, and what the assembler writes into it.
    pub fn idle(&mut self, span: Span, value: u32) -> &mut Self {
        self.fix(span, value);
        span.set(&mut self.idle, u32::MAX);
        self
    }

    /// Sets a field which the assembler always writes so, and of which the decoder takes every value.
    pub fn preset(&mut self, span: Span, value: u32) -> &mut Self {
        span.set(&mut self.base, value);
        self.know(span)
    }

    /// Marks a field as meaningful without a place or modifier of its own.
    pub fn know(&mut self, span: Span) -> &mut Self {
        span.set(&mut self.known, u32::MAX);
        self
    }

    /// The span of a field of the format.
    ///
    /// # Panics
    /// Where the format lacks the field: a mistake in the tables, found by the first test that builds them.
    #[must_use]
    pub fn field(&self, name: &str) -> Span {
        match self.format.field(name) {
            Some(span) => span,
            None => panic!("{} has no field {name} ({})", self.format.name, self.name),
        }
    }

    /// Adds a place.
    pub fn slot(&mut self, slot: Slot) -> &mut Self {
        if slot.span.width != 0 {
            slot.span.set(&mut self.known, u32::MAX);
        }
        for bit in [slot.neg, slot.abs, slot.sext, slot.half, slot.acc] {
            if bit != NO_BIT {
                self.know(Span::new(bit, bit));
            }
        }
        if let Kind::SdwaSource(span) | Kind::SdwaSdst(span) | Kind::Attr(span) = slot.kind {
            self.know(span);
        }
        self.slots.push(slot);
        self
    }

    /// Adds a modifier in a span.
    pub fn mod_at(&mut self, id: Mod, span: Span) -> &mut Self {
        self.know(span);
        span.set(&mut self.fixed, 0);
        self.mods.push(ModSlot { id, span });
        self
    }

    /// Adds a modifier in a field of the format, where the format has it.
    pub fn mod_if(&mut self, id: Mod, field: &str) -> &mut Self {
        if let Some(span) = self.format.field(field) {
            self.mod_at(id, span);
        }
        self
    }

    /// The form, with the limits of its fields.
    pub(super) fn finish(self, sets: &mut Sets) -> Form {
        let mut limits = Vec::new();
        for slot in &self.slots {
            if let Some(limit) = sets.of_slot(slot, self.row) {
                limits.push(limit);
            }
        }
        for m in &self.mods {
            if let Some(limit) = sets.of_mod(*m, self.row, &self.slots, self.variant) {
                limits.push(limit);
            }
        }
        let words = usize::from(self.words);
        let mut idle: [u32; 3] = std::array::from_fn(|i| if i < words { self.idle[i] | !self.known[i] } else { 0 });
        for slot in self.slots.iter().filter(|slot| slot.silent_sext != NO_BIT) {
            Span::new(slot.silent_sext, slot.silent_sext).set(&mut idle, 0);
        }
        let second = second_format(&sets.target, self.row.family, self.variant);
        let past = idle::looked_past(sets.target.arch.variant, self.row, self.format, second);
        let must = std::array::from_fn(|i| (self.fixed[i] | !self.known[i]) & !(idle[i] & past[i]));
        let mod_set = self.mods.iter().fold(0, |set, m| set | 1u64 << m.id as u8);
        Form {
            row: self.row,
            name: String::leak(self.name),
            format: self.format,
            variant: self.variant,
            words: self.words,
            base: [self.base[0], self.base[1], self.base[2]],
            known: [self.known[0], self.known[1], self.known[2]],
            must,
            idle,
            limits: limits.into_boxed_slice(),
            slots: self.slots.into_boxed_slice(),
            mods: self.mods.into_boxed_slice(),
            mod_set,
            flags: self.flags,
            memory: self.memory,
        }
    }
}
