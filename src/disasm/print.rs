//! LLVM's canonical text of a decoded instruction.

use super::decode::Decoded;
use super::{families, operand};
use crate::asm::cursor::Cursor;
use crate::asm::expr::NoSymbols;
use crate::isa::form::{Allow, Form, FormFlags, Kind, Mod, ModSlot, NO_BIT, Slot, Table, Variant};
use crate::isa::operand::{Symbol, Ty};
use crate::isa::row::Traits;
use crate::isa::symbols::{delay_alu, depctr, dpp, gpr_idx, hwreg, interp, sdwa, sendmsg, swizzle, waitcnt};
use crate::isa::text::{push_hex, push_udec};

/// More than the text of any instruction: the buffer grows once, not at every piece.
pub(super) const MOST_BYTES: usize = 512;

/// Appends the text of an instruction.
pub fn print(table: &Table, decoded: &Decoded<'_>, words: &[u32], out: &mut Vec<u8>) {
    let form = decoded.form;
    out.reserve(MOST_BYTES);
    out.extend_from_slice(form.name.as_bytes());
    if let Some((_, print)) = families::functions(form.row.family) {
        print(&table.target, form, words, out);
        return;
    }
    let mut p = Printer::new(table, decoded, words, out);
    let mut first = true;
    for slot in &form.slots {
        match slot.kind {
            Kind::OptImm if slot.span.get(words) == 0 => continue,
            Kind::Dual(name) => {
                p.out.extend_from_slice(b" :: ");
                p.out.extend_from_slice(name.as_bytes());
                first = true;
                continue;
            }
            _ => {}
        }
        p.out.extend_from_slice(if first { b" " } else { b", " });
        first = false;
        p.place(slot);
    }
    for m in &form.mods {
        p.modifier(*m);
    }
}

/// Prints parts of an instruction.
pub(super) struct Printer<'a> {
    table: &'a Table,
    form: &'a Form,
    words: &'a [u32],
    literal: u32,
    out: &'a mut Vec<u8>,
}

impl<'a> Printer<'a> {
    /// For an instruction, the texts of which are appended.
    pub(super) fn new(table: &'a Table, decoded: &Decoded<'a>, words: &'a [u32], out: &'a mut Vec<u8>) -> Printer<'a> {
        let literal = words.get(usize::from(decoded.len) - 1).copied().unwrap_or(0);
        Printer { table, form: decoded.form, words, literal, out }
    }

    fn bit(&self, bit: u8) -> bool {
        bit != NO_BIT && self.words[usize::from(bit / 32)] >> (bit % 32) & 1 != 0
    }

    fn text(&mut self, s: &str) {
        self.out.extend_from_slice(s.as_bytes());
    }

    fn dwords(&self, ty: Ty) -> u8 {
        match ty {
            Ty::Mask if self.table.target.wave32() => 1,
            ty => ty.dwords(),
        }
    }

    /// Appends an operand.
    pub(super) fn place(&mut self, slot: &Slot) {
        let target = &self.table.target;
        let value = slot.span.get(self.words);
        match slot.kind {
            Kind::Source => self.source(slot, value as u16),
            Kind::Vgpr => self.source(slot, value as u16 | 256),
            Kind::Sgpr => operand::scalar(self.table, value as u16, self.dwords(slot.ty), self.out),
            Kind::DualVdst => {
                let x = self.form.slots[0].span.get(self.words);
                operand::vgpr(value << 1 | (!x & 1), 1, self.out);
            }
            Kind::SdwaSource(scalar) => {
                let code = value as u16 | if scalar.get(self.words) == 0 { 256 } else { 0 };
                self.source(slot, code);
            }
            Kind::SdwaSdst(explicit) => {
                if explicit.get(self.words) == 0 {
                    self.vcc();
                } else {
                    operand::scalar(self.table, value as u16, self.dwords(slot.ty), self.out);
                }
            }
            // The family's printer has these.
            Kind::Memory(_) => {}
            Kind::Vcc => self.vcc(),
            Kind::Word { text, .. } => self.text(text),
            // More than sixteen bits for a half: `lit` keeps them all.
            Kind::Literal if slot.ty.is_16() && self.literal > 0xffff => {
                self.text("lit(");
                push_hex(self.out, u64::from(self.literal));
                self.out.push(b')');
            }
            Kind::Literal => push_hex(self.out, u64::from(self.literal)),
            Kind::Simm | Kind::Uimm => push_hex(self.out, u64::from(value)),
            Kind::PlainImm if value > 64 => push_hex(self.out, u64::from(value)),
            Kind::PlainImm | Kind::OptImm => push_udec(self.out, u64::from(value)),
            Kind::Target => push_udec(self.out, u64::from(value)),
            Kind::Symbolic(Symbol::Hwreg) => hwreg::print(value, target, self.out),
            Kind::Symbolic(Symbol::SendMsg) | Kind::Message => self.message(value),
            // LLVM's texts of these two drop bits that mean nothing, and name dependences that do not exist in comments.
            Kind::Symbolic(Symbol::WaitCnt) if value & !waitcnt::mask(target) != 0 => {
                push_hex(self.out, u64::from(value))
            }
            Kind::Symbolic(Symbol::DelayAlu) if !delay_alu::is_exact(value) => push_hex(self.out, u64::from(value)),
            Kind::Symbolic(Symbol::WaitCnt) => waitcnt::print(value, target, self.out),
            Kind::Symbolic(Symbol::DelayAlu) => delay_alu::print(value, target, self.out),
            Kind::Symbolic(Symbol::DepCtr) => depctr::print(value, target, self.out),
            Kind::Symbolic(Symbol::GprIdx) => gpr_idx::print(value, target, self.out),
            Kind::Barrier => operand::scalar(self.table, value as u16, 1, self.out),
            Kind::Attr(channel) => interp::print_attr(value << 2 | channel.get(self.words), target, self.out),
            Kind::InterpSlot => interp::print_slot(value, target, self.out),
            Kind::Dual(_) => {}
        }
    }

    /// A message; as a number where its name and operation do not say all of it, which LLVM's text hides.
    fn message(&mut self, value: u32) {
        let target = &self.table.target;
        let start = self.out.len();
        sendmsg::print(value, target, self.out);
        let text = std::str::from_utf8(&self.out[start..]).unwrap_or("");
        if crate::asm::symbols::sendmsg::parse(&mut Cursor::new(text), &NoSymbols, target) != Ok(value) {
            self.out.truncate(start);
            push_hex(self.out, u64::from(value));
        }
    }

    /// A lane pattern; as a number where the pattern does not say all of it.
    fn swizzle(&mut self, value: u32) {
        let target = &self.table.target;
        let start = self.out.len();
        swizzle::print(value, target, self.out);
        let text = std::str::from_utf8(&self.out[start..]).unwrap_or("");
        if crate::asm::symbols::swizzle::parse(&mut Cursor::new(text), &NoSymbols, target) != Ok(value) {
            self.out.truncate(start);
            push_udec(self.out, u64::from(value));
        }
    }

    fn vcc(&mut self) {
        let name = if self.table.target.wave64() { "vcc" } else { "vcc_lo" };
        self.text(name);
    }

    /// An operand with its modifiers.
    fn source(&mut self, slot: &Slot, code: u16) {
        let (neg, abs, sext) = (self.bit(slot.neg), self.bit(slot.abs), self.bit(slot.sext));
        // neg(1) is not -1: constants are negated in words.
        let neg_word = neg && !abs && matches!(code, 128..=208 | 240..=248 | 255);
        if neg {
            self.text(if neg_word { "neg(" } else { "-" });
        }
        if abs {
            self.out.push(b'|');
        }
        if sext {
            self.text("sext(");
        }
        self.bare(slot, code);
        if sext {
            self.out.push(b')');
        }
        if abs {
            self.out.push(b'|');
        }
        if neg_word {
            self.out.push(b')');
        }
    }

    fn bare(&mut self, slot: &Slot, code: u16) {
        match code {
            256.. => {
                let mut n = u32::from(code - 256);
                let in_field = slot.half != NO_BIT && slot.half == slot.span.lo + 7;
                if in_field {
                    n &= 0x7f;
                }
                let acc = self.bit(slot.acc)
                    || slot.acc == NO_BIT && !slot.allow.contains(Allow::VGPR) && slot.allow.contains(Allow::AGPR);
                if !acc && slot.ty.dwords() == 1 {
                    self.table.regs.vector(n as u8).push(self.out);
                } else {
                    operand::numbered(if acc { "a" } else { "v" }, n, slot.ty.dwords(), self.out);
                }
                if slot.half != NO_BIT {
                    self.text(if self.bit(slot.half) { ".h" } else { ".l" });
                }
            }
            255 => operand::literal(self.table.target.generation(), slot.ty, self.literal, self.out),
            _ => {
                // Constants of matrices and of packed operands are those of one element.
                let dwords = match slot.ty {
                    Ty::F64x(_) if code >= 128 => 2,
                    Ty::B64 | Ty::F64 | Ty::Mask => self.dwords(slot.ty),
                    _ if code >= 128 => 1,
                    ty => ty.dwords(),
                };
                operand::scalar(self.table, code, dwords, self.out);
            }
        }
    }

    fn list(&mut self, name: &str, bits: u32, count: u32) {
        self.out.push(b' ');
        self.text(name);
        self.out.extend_from_slice(b":[");
        for i in 0..count {
            if i > 0 {
                self.out.push(b',');
            }
            self.out.push(b'0' + (bits >> i & 1) as u8);
        }
        self.out.push(b']');
    }

    fn named(&mut self, name: &str, value: u32) {
        self.out.push(b' ');
        self.text(name);
        self.out.push(b':');
        push_udec(self.out, u64::from(value));
    }

    fn flag(&mut self, name: &str, value: u32) {
        if value != 0 {
            self.out.push(b' ');
            self.text(name);
        }
    }

    /// Appends a modifier, with a blank before it.
    pub(super) fn modifier(&mut self, m: ModSlot) {
        let target = &self.table.target;
        let value = m.span.get(self.words);
        match m.id {
            Mod::OpSel => self.op_sel(m, value),
            Mod::OpSelHi => {
                let default = if self.form.row.traits.contains(Traits::MIX) { 0 } else { m.span.max() };
                if value != default {
                    self.list("op_sel_hi", value, m.span.bits());
                }
            }
            Mod::NegLo if value != 0 => self.list("neg_lo", value, m.span.bits()),
            Mod::NegHi if value != 0 => self.list("neg_hi", value, m.span.bits()),
            Mod::Neg if value != 0 => self.list("neg", value, 3),
            Mod::Clamp => self.flag("clamp", value),
            Mod::Omod => self.text(["", " mul:2", " mul:4", " div:2"][value as usize & 3]),
            Mod::DppCtrl => {
                self.out.push(b' ');
                dpp::print(value, target, self.out);
            }
            Mod::Dpp8 => {
                self.text(" dpp8:");
                dpp::print8(value, target, self.out);
            }
            Mod::RowMask | Mod::BankMask => {
                self.text(if m.id == Mod::RowMask { " row_mask:" } else { " bank_mask:" });
                push_hex(self.out, u64::from(value));
            }
            Mod::BoundCtrl if value != 0 => self.text(" bound_ctrl:1"),
            Mod::Fi => {
                let on = if self.form.variant == Variant::Dpp8 { value == 0xea } else { value != 0 };
                if on {
                    self.text(" fi:1");
                }
            }
            Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => {
                self.text(match m.id {
                    Mod::DstSel => " dst_sel:",
                    Mod::Src0Sel => " src0_sel:",
                    _ => " src1_sel:",
                });
                sdwa::print_sel(value, target, self.out);
            }
            Mod::DstUnused => {
                self.text(" dst_unused:");
                sdwa::print_unused(value, target, self.out);
            }
            Mod::Offset if value != 0 => {
                self.text(" offset:");
                if self.form.row.traits.contains(Traits::SWIZZLE) {
                    self.swizzle(value);
                } else {
                    push_udec(self.out, u64::from(value));
                }
            }
            Mod::Offset0 if value != 0 => self.named("offset0", value),
            Mod::Offset1 if value != 0 => self.named("offset1", value),
            Mod::Cbsz if value != 0 => self.named("cbsz", value),
            Mod::Abid if value != 0 => self.named("abid", value),
            Mod::Blgp if value != 0 => self.named("blgp", value),
            Mod::IndexKey if value != 0 => self.named("index_key", value),
            Mod::ByteSel if value != 0 => self.named("byte_sel", value),
            Mod::WaitExp => self.named("wait_exp", value),
            Mod::WaitVdst => self.named("wait_vdst", value),
            Mod::WaitVaVdst => self.named("wait_va_vdst", value),
            Mod::WaitVmVsrc => self.named("wait_vm_vsrc", value),
            Mod::Gds => self.flag("gds", value),
            Mod::High => self.flag("high", value),
            _ => {}
        }
    }

    fn op_sel(&mut self, m: ModSlot, value: u32) {
        if m.span.width != 4 {
            if value != 0 {
                self.list("op_sel", value, m.span.bits());
            }
            return;
        }
        if self.form.row.traits.contains(Traits::PERMLANE) {
            if value != 0 {
                self.list("op_sel", value, 2);
            }
            return;
        }
        let sources = self.form.row.selectors() as u32;
        let low = value & ((1 << sources) - 1);
        let used = low | (value >> 3) << sources;
        if used != 0 {
            self.list("op_sel", used, sources + 1);
        }
    }
}

impl Form {
    /// Whether the instruction is a vector instruction.
    #[must_use]
    pub fn is_valu(&self) -> bool {
        self.flags.contains(FormFlags::VALU)
    }
}
