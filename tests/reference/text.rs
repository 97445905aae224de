//! The text of one instruction: where each operand lies, and which modifiers it has.

use crate::guide_names;
use crate::pseudocode::Guide;
use wavediff::isa::form::{Allow, Form, Kind, Mod, NO_BIT, Slot};
use wavediff::isa::operand::{Class, Opnd, Ty};
use wavediff::isa::row::{Family, Inst};
use wavediff::isa::{Gen, Target};

/// A register, or what stands in for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    Vgpr(usize),
    Sgpr(usize),
}

/// One source as the reference counts them.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub at: At,
    pub ty: Ty,
}

/// What is added to the plain operands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Modifiers {
    /// A bit for each source.
    pub neg: u32,
    pub abs: u32,
    pub clamp: bool,
    pub omod: u8,
    /// Bit 3 is the destination.
    pub op_sel: u32,
    /// Of packed instructions; nothing where it is not written.
    pub op_sel_hi: Option<u32>,
    pub neg_lo: u32,
    pub neg_hi: u32,
    /// The source that is a scalar register, although it need not be.
    pub scalar: Option<usize>,
    /// SIMM16.
    pub simm: u32,
}

/// The literal of instructions that have one.
pub const LITERAL_32: u32 = 0x3fc0_1235;
pub const LITERAL_16: u32 = 0x3c57;

/// An instruction and its places.
pub struct Text {
    pub line: String,
    pub modifiers: Modifiers,
    pub dst: Option<(At, Ty)>,
    pub sources: Vec<Source>,
    pub mask_in: usize,
    pub mask_out: Option<usize>,
    /// A compare also writes this register besides EXEC.
    pub mask_dst: Option<usize>,
    pub literal: u32,
    pub simm: bool,
    /// OP_SEL_HI as the instruction has it.
    pub op_sel_hi: u32,
}

/// The first registers of things; each source has eight.
const DST: usize = 0;
const fn source_at(n: usize) -> usize {
    8 * (n + 1)
}
const MASK_IN: usize = 40;
const MASK_OUT: usize = 44;
const VCC: usize = 106;

fn range(file: char, first: usize, dwords: usize) -> String {
    match dwords {
        1 => format!("{file}{first}"),
        _ => format!("{file}[{first}:{}]", first + dwords - 1),
    }
}

/// How a row is called in RDNA3's guide, which is how the reference knows it.
pub fn guide_name(row: &Inst) -> String {
    guide_names::guide_name(Guide::Rdna3, row)
}

/// The register types of a row that hold two values of 16 bits.
pub fn packed(ty: Ty) -> bool {
    ty.is_pair()
}

/// Behind a vector register of which an instruction always names a half.
fn lower_half(slot: &Slot, scalar: bool) -> &'static str {
    if slot.half != NO_BIT && !scalar { ".l" } else { "" }
}

fn is_mask(slot: &Slot) -> bool {
    slot.kind == Kind::Vcc || slot.ty == Ty::Mask
}

/// Whether a source may be modified: it is a float that has the bits.
pub fn modifiable(form: &Form, bit: impl Fn(&Slot) -> u8) -> u32 {
    form.slots
        .iter()
        .filter(|s| s.source != NO_BIT && bit(s) != NO_BIT && !packed(s.ty) && (s.ty.is_float() || !is_mask(s)))
        .fold(0, |all, s| all | 1 << s.source)
}

impl Text {
    /// The line of a form with modifiers; nothing with a reason where it has an operand that is not arranged here.
    pub fn new(target: Target, form: &Form, modifiers: Modifiers) -> Result<Text, &'static str> {
        let row = form.row;
        let mut text =
            Text {
                line: String::new(),
                modifiers,
                dst: None,
                sources: Vec::new(),
                mask_in: VCC,
                mask_out: None,
                mask_dst: None,
                literal: 0,
                simm: false,
                op_sel_hi: modifiers
                    .op_sel_hi
                    .unwrap_or(if row.name.contains("_mix") || row.name.contains("_mad_mix") { 0 } else { 7 }),
            };
        let mut parts = Vec::new();
        let compare = row.family == Family::Vopc;
        // The places of the text, with the operands of the row that they are.
        let mut operands: Vec<Opnd> = Vec::new();
        if row.dst.class != Class::None && !compare {
            operands.push(row.dst);
        }
        let mut slots = form.slots.iter();
        if compare && form.slots.first().is_some_and(|s| s.source == NO_BIT) {
            let slot = slots.next().expect("a place");
            parts.push(text.mask(target, slot, true));
        }
        operands.extend(row.src.iter().filter(|o| !matches!(o.class, Class::Tied | Class::None)));
        if operands.len() != slots.len() {
            return Err("places that are not those of the row");
        }
        for (i, (slot, operand)) in slots.zip(operands).enumerate() {
            let is_dst = i == 0 && row.dst.class != Class::None && !compare;
            let part = match operand.class {
                Class::MaskOut => text.mask(target, slot, false),
                Class::MaskIn => text.mask(target, slot, false),
                Class::Literal => {
                    text.literal = if operand.ty.is_16() { LITERAL_16 } else { LITERAL_32 };
                    format!("{:#x}", text.literal)
                }
                Class::Simm16 | Class::Uimm16 | Class::Plain16 | Class::Target => {
                    text.simm = true;
                    match operand.class {
                        Class::Simm16 | Class::Target => (modifiers.simm as i16).to_string(),
                        _ => modifiers.simm.to_string(),
                    }
                }
                Class::OptImm16
                | Class::Symbolic(_)
                | Class::Message
                | Class::Barrier
                | Class::Number
                | Class::Part(_) => {
                    return Err("names a hardware register, which other tests do");
                }
                _ if is_dst => text.destination(form, slot, operand),
                _ => text.source(target, slot, operand),
            };
            parts.push(part);
        }
        text.line = format!("{} {}", form.name, parts.join(", "));
        text.suffixes(form);
        Ok(text)
    }

    fn mask(&mut self, target: Target, slot: &Slot, of_compare: bool) -> String {
        let output = slot.source == NO_BIT && slot.kind == Kind::Sgpr;
        let at = match slot.kind {
            Kind::Vcc => VCC,
            _ if output => MASK_OUT,
            _ => MASK_IN,
        };
        if of_compare {
            self.mask_dst = Some(at);
        } else if output {
            self.mask_out = Some(at);
        } else if slot.kind == Kind::Vcc && self.sources.is_empty() {
            // Masks that are written stand before the sources, those that are read behind them.
            self.mask_out = Some(at);
        } else {
            self.mask_in = at;
        }
        match (at, target.wave32()) {
            (VCC, true) => "vcc_lo".into(),
            (VCC, false) => "vcc".into(),
            (_, wave32) => range('s', at, if wave32 { 1 } else { 2 }),
        }
    }

    fn destination(&mut self, form: &Form, slot: &Slot, operand: Opnd) -> String {
        let dwords = usize::from(operand.ty.dwords());
        let scalar = slot.kind == Kind::Sgpr || !slot.allow.contains(Allow::VGPR) || scalar_family(form.row);
        self.dst = Some((if scalar { At::Sgpr(DST) } else { At::Vgpr(DST) }, operand.ty));
        range(if scalar { 's' } else { 'v' }, DST, dwords) + lower_half(slot, scalar)
    }

    fn source(&mut self, target: Target, slot: &Slot, operand: Opnd) -> String {
        let n = self.sources.len();
        let dwords = usize::from(operand.ty.dwords());
        let wanted = self.modifiers.scalar == Some(n) && slot.allow.contains(Allow::SGPR);
        let scalar = slot.kind == Kind::Sgpr || !slot.allow.contains(Allow::VGPR) || wanted;
        let mut first = source_at(n);
        // Before gfx10 an instruction reads one scalar register.
        if operand.class == Class::ScalarOrLds && target.generation() < Gen::Gfx10
            || operand.class == Class::Scalar && n == 0 && target.generation() < Gen::Gfx10
        {
            first = source_at(1);
        }
        self.sources.push(Source { at: if scalar { At::Sgpr(first) } else { At::Vgpr(first) }, ty: operand.ty });
        let mut text = range(if scalar { 's' } else { 'v' }, first, dwords) + lower_half(slot, scalar);
        if self.modifiers.abs >> n & 1 == 1 {
            text = format!("|{text}|");
        }
        if self.modifiers.neg >> n & 1 == 1 {
            text = format!("-{text}");
        }
        text
    }

    fn suffixes(&mut self, form: &Form) {
        let m = &self.modifiers;
        let n = self.sources.len();
        let list = |bits: u32, n: usize| (0..n).map(|i| (bits >> i & 1).to_string()).collect::<Vec<_>>().join(",");
        if m.op_sel != 0 {
            let is_packed = form.row.family == Family::Vop3p;
            let mut all: Vec<String> = (0..n).map(|i| (m.op_sel >> i & 1).to_string()).collect();
            if !is_packed {
                all.push((m.op_sel >> 3 & 1).to_string());
            }
            self.line += &format!(" op_sel:[{}]", all.join(","));
        }
        if let Some(bits) = m.op_sel_hi {
            self.line += &format!(" op_sel_hi:[{}]", list(bits, n));
        }
        if m.neg_lo != 0 {
            self.line += &format!(" neg_lo:[{}]", list(m.neg_lo, n));
        }
        if m.neg_hi != 0 {
            self.line += &format!(" neg_hi:[{}]", list(m.neg_hi, n));
        }
        if m.clamp {
            self.line += " clamp";
        }
        self.line += ["", " mul:2", " mul:4", " div:2"][usize::from(m.omod)];
    }
}

/// Whether an instruction is one of the scalar unit's.
pub fn scalar_family(row: &Inst) -> bool {
    matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp)
}

/// The modifiers to try with a form: the first is none.
pub fn variants(form: &Form) -> Vec<Modifiers> {
    let plain = Modifiers::default();
    let has = |id: Mod| form.mod_set >> id as u8 & 1 == 1;
    let kinds: Vec<Kind> = form.slots.iter().map(|s| s.kind).collect();
    if kinds.iter().any(|k| matches!(k, Kind::Simm | Kind::Uimm | Kind::PlainImm)) {
        return [0, 1, 2, 0x1f, 0x7fff, 0x8000, 0xfff0, 0xffff].map(|simm| Modifiers { simm, ..plain }).to_vec();
    }
    if kinds.contains(&Kind::Target) {
        return [0, 2, 0xfffd].map(|simm| Modifiers { simm, ..plain }).to_vec();
    }
    let mut all = vec![plain];
    let sources: Vec<&Slot> = form.slots.iter().filter(|s| s.source != NO_BIT && !is_mask(s)).collect();
    if !scalar_family(form.row) && !sources.is_empty() {
        let either = |s: &Slot| s.allow.contains(Allow::SGPR | Allow::VGPR);
        if let Some(n) = sources.iter().rposition(|s| either(s)) {
            all.push(Modifiers { scalar: Some(n), ..plain });
        }
        if sources.len() > 1 && either(sources[0]) {
            all.push(Modifiers { scalar: Some(0), ..plain });
        }
    }
    let (neg, abs) = (modifiable(form, |s| s.neg), modifiable(form, |s| s.abs));
    if neg != 0 {
        all.push(Modifiers { neg: neg & 5, ..plain });
        all.push(Modifiers { neg: neg & 2, abs: abs & 5, ..plain });
        all.push(Modifiers { neg, abs, ..plain });
    }
    if has(Mod::Clamp) {
        all.push(Modifiers { clamp: true, ..plain });
    }
    if has(Mod::Omod) {
        for omod in 1..4 {
            all.push(Modifiers { omod, ..plain });
        }
        all.push(Modifiers { omod: 1, clamp: has(Mod::Clamp), neg, ..plain });
    }
    let count = sources.len();
    let some = (1u32 << count) - 1;
    if has(Mod::OpSelHi) {
        for op_sel in [0, 1, 2, 5, 7] {
            for op_sel_hi in [0, 3, 5, 7] {
                all.push(Modifiers { op_sel: op_sel & some, op_sel_hi: Some(op_sel_hi & some), ..plain });
            }
        }
    } else if has(Mod::OpSel) {
        let halves = sources.iter().enumerate().fold(0, |bits, (i, s)| bits | u32::from(s.ty.is_16()) << i);
        let whole = form.row.name == "v_pack_b32_f16";
        let dst = if !whole && form.row.dst.ty.is_16() && form.row.dst.class == Class::Plain { 8 } else { 0 };
        let halves = if guide_name(form.row).starts_with("V_PERMLANE") { 3 } else { halves };
        for op_sel in [1, 2, 4, 8, 15] {
            if op_sel & (halves | dst) != 0 {
                all.push(Modifiers { op_sel: op_sel & (halves | dst), ..plain });
            }
        }
    }
    let negatable = form.row.negatable() & some;
    if has(Mod::NegLo) {
        all.push(Modifiers { neg_lo: negatable & 1, ..plain });
        all.push(Modifiers { neg_lo: negatable & 2, ..plain });
        all.push(Modifiers { neg_lo: negatable, clamp: has(Mod::Clamp), ..plain });
    }
    if has(Mod::NegHi) {
        // What NEG_HI does to an operand that is not packed is not known.
        let halves = sources.iter().filter(|s| packed(s.ty)).fold(0, |bits, s| bits | 1 << s.source);
        all.push(Modifiers { neg_hi: negatable & halves & 2, ..plain });
        all.push(Modifiers { neg_hi: negatable & halves, neg_lo: negatable & 5, ..plain });
    }
    all
}
