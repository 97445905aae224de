//! Forms: what a row becomes on one processor.
//!
//! A form is one encoding of one row: the fixed bits, the places of its operands in the order of the text, and its modifiers. All forms of
//! a target lie in one [`Table`], built once from the rows (a few milliseconds) and shared. Decoder, printer, parser, encoder, `explain`
//! and the tests interpret forms; none of them knows an opcode.

use super::arch::Variants;
use super::arch::{Gen, Target};
use super::format::{Format, Span};
use super::memory::Fields;
use super::operand::{Part, Symbol, Ty};
use super::regs::Names;
use super::row::Inst;
use super::symbols;
use bitflags::bitflags;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

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
        /// `m0` is not allowed.
        const NO_M0   = 128;
        /// `exec` is not allowed.
        const NO_EXEC = 256;
        /// The special values outside the scalar registers (vccz, execz, scc, apertures) are not allowed.
        const NO_SRC  = 512;
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
    /// The bits of the words which must be as in `base`: fixed bits, and those that mean nothing.
    pub must: [u32; 3],
    /// Fields which do not take every value.
    pub(crate) limits: Box<[Limit]>,
    /// Where a literal constant may be asked for: bit of the first source field, and so on.
    pub(crate) literals: Box<[(u8, u8)]>,
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

/// A field of at most nine bits in one word which takes only the values of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) word: u8,
    pub(crate) shift: u8,
    pub(crate) mask: u16,
    /// Index into [`Table::sets`].
    pub(crate) set: u16,
}

/// A set of values below 512.
pub(crate) type ValueSet = [u64; 8];

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
        self
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

    fn finish(self, sets: &mut Sets) -> Form {
        let mut limits = Vec::new();
        let mut literals = Vec::new();
        for slot in &self.slots {
            if slot.kind == Kind::Source && slot.allow.contains(Allow::LITERAL) {
                literals.push((slot.span.lo / 32, slot.span.lo % 32));
            }
            if let Some(limit) = sets.of_slot(slot) {
                limits.push(limit);
            }
        }
        for m in &self.mods {
            if let Some(limit) = sets.of_mod(*m, self.row, &self.slots, self.variant) {
                limits.push(limit);
            }
        }
        let must = std::array::from_fn(|i| self.fixed[i] | !self.known[i]);
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
            limits: limits.into_boxed_slice(),
            literals: literals.into_boxed_slice(),
            slots: self.slots.into_boxed_slice(),
            mods: self.mods.into_boxed_slice(),
            mod_set,
            flags: self.flags,
            memory: self.memory,
        }
    }
}

/// All forms of a target, and the ways to them: by name and by bits.
pub struct Table {
    /// The target.
    pub target: Target,
    /// Every form; the index is its number.
    pub forms: Vec<Form>,
    names: HashMap<&'static str, NameEntry, BuildNameHasher>,
    candidates: Vec<u16>,
    /// By bits 31:23 of the first word: which group of formats.
    pub(crate) prefix: Box<[u8; 512]>,
    /// Groups of formats which share a prefix.
    pub(crate) groups: Vec<Group>,
    /// By group and opcode: the forms.
    pub(crate) opcodes: Vec<OpcodeForms>,
    /// The sets of [`Limit::set`].
    pub(crate) sets: Vec<ValueSet>,
    /// The texts of scalar operand codes.
    pub regs: Names,
}

/// Formats that share a prefix and an opcode field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Selecting bits of the first word (opcode, and FLAT's segment) as up to three runs: (first bit, width).
    pub(crate) select: [(u8, u8); 3],
    /// The first entry in [`Table::opcodes`].
    pub(crate) first: u32,
    /// Where SRC0 lies, for formats with SDWA or DPP forms: 0 for none, 1 first word, 2 second word.
    pub(crate) markers: u8,
    /// Whether the opcode has a bit in the second word.
    pub(crate) op_in_second: Option<(u8, u8)>,
}

/// The forms of one opcode; [`NO_FORM`] where there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpcodeForms {
    pub(crate) base: u16,
    pub(crate) sdwa: u16,
    pub(crate) dpp: u16,
    pub(crate) dpp8: u16,
}

/// No form.
pub(crate) const NO_FORM: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
struct NameEntry {
    first: u32,
    len: u16,
}

/// A quick hash for short names.
#[derive(Clone, Copy, Default)]
struct BuildNameHasher;

impl std::hash::BuildHasher for BuildNameHasher {
    type Hasher = NameHasher;
    fn build_hasher(&self) -> NameHasher {
        NameHasher(0)
    }
}

struct NameHasher(u64);

impl std::hash::Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
    fn write(&mut self, bytes: &[u8]) {
        const K: u64 = 0x517c_c1b7_2722_0a95;
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(K);
        }
    }
}

/// Makes the sets of values that fields take.
struct Sets {
    target: Target,
    names: Names,
    list: Vec<ValueSet>,
}

impl Sets {
    fn limit(&mut self, span: Span, ok: impl Fn(&Sets, u16) -> bool) -> Option<Limit> {
        if span.width == 0 || span.width > 9 || span.width2 != 0 || span.lo / 32 != (span.lo + span.width - 1) / 32 {
            return None;
        }
        let mut set = [0u64; 8];
        for v in 0..1u16 << span.width {
            if ok(self, v) {
                set[usize::from(v / 64)] |= 1 << (v % 64);
            }
        }
        let count: u32 = set.iter().map(|w| w.count_ones()).sum();
        if count == 1 << span.width {
            return None;
        }
        let index = self.list.iter().position(|s| *s == set).unwrap_or_else(|| {
            self.list.push(set);
            self.list.len() - 1
        });
        Some(Limit { word: span.lo / 32, shift: span.lo % 32, mask: (1 << span.width) - 1, set: index as u16 })
    }

    /// The operand codes that a place takes.
    fn of_slot(&mut self, slot: &Slot) -> Option<Limit> {
        let dwords = match slot.ty {
            Ty::Mask if self.target.wave32() => 1,
            ty => ty.dwords(),
        };
        let aligned = self.target.is(Variants::CDNA2) && dwords > 1;
        let in_field = slot.half != NO_BIT && slot.half == slot.span.lo + 7;
        let vgpr = move |n: u16| n + u16::from(dwords) <= 256 && (!aligned || n % 2 == 0);
        match slot.kind {
            Kind::Source => self.limit(slot.span, |s, code| match code {
                256.. => {
                    slot.allow.intersects(Allow::VGPR | Allow::AGPR)
                        && vgpr(code - 256)
                        && (in_field || !slot.allow.contains(Allow::LO128) || code < 384)
                }
                255 => slot.allow.contains(Allow::LITERAL),
                254 => slot.allow.contains(Allow::LDS) && !s.names.get(code, 1).is_empty(),
                128..=208 | 240..=248 => slot.allow.contains(Allow::INLINE) && !s.names.get(code, 1).is_empty(),
                _ => slot.allow.contains(Allow::SGPR) && s.scalar(code, dwords),
            }),
            Kind::Vgpr if !in_field => {
                self.limit(slot.span, |_, n| vgpr(n) && (!slot.allow.contains(Allow::LO128) || n < 128))
            }
            Kind::Sgpr | Kind::SdwaSdst(_) => self.limit(slot.span, |s, code| code < 128 && s.scalar(code, dwords)),
            Kind::Barrier => self.limit(slot.span, |_, code| matches!(code, 125 | 128..=208)),
            _ => None,
        }
    }

    /// Whether a scalar code names a register of that width.
    fn scalar(&self, code: u16, dwords: u8) -> bool {
        match dwords {
            1 | 2 => !self.names.get(code, dwords).is_empty(),
            // Wider ranges start at a multiple of four.
            _ => {
                code < 128
                    && code % 4 == 0
                    && (code..code + u16::from(dwords)).all(|c| c < 128 && !self.names.get(c, 1).is_empty())
            }
        }
    }

    /// The values that a modifier takes.
    fn of_mod(&mut self, m: ModSlot, row: &Inst, slots: &[Slot], variant: Variant) -> Option<Limit> {
        let target = self.target;
        match m.id {
            Mod::DppCtrl => {
                let wide = slots.iter().any(|s| matches!(s.kind, Kind::Vgpr) && s.ty.dwords() == 2);
                self.limit(m.span, |_, v| {
                    symbols::dpp::is_valid(u32::from(v), &target)
                        && (!wide || symbols::dpp::valid_for_64_bits(u32::from(v)))
                })
            }
            Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => self.limit(m.span, |_, v| v < 7),
            Mod::DstUnused => self.limit(m.span, |_, v| v < 3),
            Mod::NegLo | Mod::NegHi => self.limit(m.span, |_, v| u32::from(v) & !row.negatable() == 0),
            Mod::Fi if variant == Variant::Dpp8 => self.limit(m.span, |_, v| matches!(v, 0xe9 | 0xea)),
            Mod::OpSel if m.span.width == 4 => {
                let sources = row.selectors();
                self.limit(m.span, |_, v| v & 7 & !((1 << sources) - 1) == 0)
            }
            _ => None,
        }
    }
}

/// Collects forms and names while a table is built.
pub struct TableBuilder {
    /// The target.
    pub target: Target,
    forms: Vec<Form>,
    names: HashMap<&'static str, Vec<u16>>,
    sets: Sets,
}

impl TableBuilder {
    /// Adds a form under the names the assembler may call it; a name that was there keeps its earlier forms first.
    pub fn add(&mut self, form: Builder, names: &[&str]) {
        let index = u16::try_from(self.forms.len()).expect("fewer than 65,535 forms");
        self.forms.push(form.finish(&mut self.sets));
        for name in names {
            if let Some(list) = self.names.get_mut(*name) {
                list.push(index);
            } else {
                self.names.insert(String::leak((*name).to_owned()), vec![index]);
            }
        }
    }

    /// Whether a name is taken.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// The format called `name` on this processor.
    ///
    /// # Panics
    /// Where it has none: a mistake in the tables.
    #[must_use]
    pub fn format(&self, name: &str) -> &'static Format {
        self.find_format(name).unwrap_or_else(|| panic!("no format {name} on {}", self.target.arch.name))
    }

    /// The format called `name` on this processor, if it has it.
    #[must_use]
    pub fn find_format(&self, name: &str) -> Option<&'static Format> {
        use super::format::{DPP, FORMATS, SDWA};
        FORMATS.iter().chain(SDWA).chain(DPP).find(|f| f.name == name && f.on.contains(self.target.arch.variant))
    }

    /// The generation.
    #[must_use]
    pub fn generation(&self) -> Gen {
        self.target.arch.generation
    }
}

impl Table {
    /// The table of a target. Built at first use and kept for the life of the program.
    ///
    /// # Panics
    /// Never, unless another thread panicked while it built a table.
    #[must_use]
    pub fn of(target: Target) -> &'static Table {
        type Cache = Mutex<HashMap<(&'static str, u8), &'static OnceLock<Table>>>;
        static CACHE: OnceLock<Cache> = OnceLock::new();
        let cell = {
            let mut cache = CACHE.get_or_init(Cache::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *cache
                .entry((target.arch.name, target.features.bits()))
                .or_insert_with(|| Box::leak(Box::new(OnceLock::new())))
        };
        cell.get_or_init(|| Table::build(target))
    }

    fn build(target: Target) -> Table {
        let sets = Sets { target, names: Names::new(&target), list: Vec::new() };
        let mut b = TableBuilder { target, forms: Vec::with_capacity(8192), names: HashMap::new(), sets };
        super::forms::build(&mut b);
        let TableBuilder { forms, names: lists, sets, .. } = b;
        let mut names = HashMap::with_capacity_and_hasher(lists.len(), BuildNameHasher);
        let mut candidates = Vec::with_capacity(lists.len() * 2);
        for (name, list) in lists {
            names.insert(name, NameEntry { first: candidates.len() as u32, len: list.len() as u16 });
            candidates.extend(list);
        }
        let mut table = Table {
            target,
            forms,
            names,
            candidates,
            sets: sets.list,
            regs: sets.names,
            prefix: Box::new([0; 512]),
            groups: vec![Group { select: [(0, 0); 3], first: 0, markers: 0, op_in_second: None }],
            opcodes: vec![OpcodeForms { base: NO_FORM, sdwa: NO_FORM, dpp: NO_FORM, dpp8: NO_FORM }],
        };
        table.index_bits();
        table
    }

    /// Fills the tables that lead from bits to forms.
    fn index_bits(&mut self) {
        // Formats by prefix: a longer prefix wins over a shorter one that contains it.
        let mut by_prefix: Vec<(u32, u32, Vec<usize>)> = Vec::new();
        for (i, form) in self.forms.iter().enumerate() {
            let mask = form.format.mask & 0xff80_0000;
            let fixed = form.format.fixed & 0xff80_0000;
            match by_prefix.iter_mut().find(|(m, f, _)| *m == mask && *f == fixed) {
                Some(entry) => entry.2.push(i),
                None => by_prefix.push((mask, fixed, vec![i])),
            }
        }
        by_prefix.sort_by_key(|(mask, ..)| mask.count_ones());
        for (mask, fixed, members) in by_prefix {
            let group = self.groups.len() as u8;
            for high in 0..512u32 {
                if (high << 23) & mask == fixed {
                    self.prefix[high as usize] = group;
                }
            }
            let format = self.forms[members[0]].format;
            let mut select = [(0, 0); 3];
            let mut op_in_second = None;
            if format.op.width != 0 {
                select[0] = (format.op.lo, format.op.width);
            }
            if format.op.width2 != 0 {
                if format.op.lo2 < 32 {
                    select[1] = (format.op.lo2, format.op.width2);
                } else {
                    op_in_second = Some((format.op.lo2 - 32, format.op.width2));
                }
            }
            let segment = format.mask & 0x007f_ffff;
            if segment != 0 {
                select[2] = (segment.trailing_zeros() as u8, segment.count_ones() as u8);
            }
            let bits: u32 =
                select.iter().map(|s| u32::from(s.1)).sum::<u32>() + op_in_second.map_or(0, |s| u32::from(s.1));
            let first = self.opcodes.len();
            self.opcodes
                .resize(first + (1 << bits), OpcodeForms { base: NO_FORM, sdwa: NO_FORM, dpp: NO_FORM, dpp8: NO_FORM });
            let g = Group { select, first: first as u32, markers: 0, op_in_second };
            let mut markers = 0;
            for i in members {
                let form = &self.forms[i];
                let at = g.entry(form.base[0], form.base[1]);
                let entry = &mut self.opcodes[at];
                let place = match form.variant {
                    Variant::Base => &mut entry.base,
                    Variant::Sdwa => &mut entry.sdwa,
                    Variant::Dpp => &mut entry.dpp,
                    Variant::Dpp8 => &mut entry.dpp8,
                };
                if *place == NO_FORM {
                    *place = i as u16;
                }
                if form.variant != Variant::Base {
                    markers = if form.format.words == 1 { 1 } else { 2 };
                }
            }
            self.groups.push(Group { markers, ..g });
        }
    }

    /// The forms a name may mean, best first.
    #[must_use]
    #[inline]
    pub fn candidates(&self, name: &str) -> &[u16] {
        match self.names.get(name) {
            Some(e) => &self.candidates[e.first as usize..e.first as usize + usize::from(e.len)],
            None => &[],
        }
    }

    /// Every name of the assembler.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.names.keys().copied()
    }
}

impl Group {
    /// The entry in [`Table::opcodes`] for the first two words.
    #[inline]
    pub(crate) fn entry(&self, first: u32, second: u32) -> usize {
        let mut at = self.first;
        let mut shift = 0;
        for (lo, width) in self.select {
            at += ((first >> lo) & ((1u32 << width) - 1)) << shift;
            shift += u32::from(width);
        }
        if let Some((lo, width)) = self.op_in_second {
            at += ((second >> lo) & ((1u32 << width) - 1)) << shift;
        }
        at as usize
    }
}
