//! One attempt: what was read against one form. Every operand goes into its place, every modifier into its field, or the attempt fails.

use super::constant::{self, Constant, Number};
use super::error::{AsmError, AsmResult, Problem};
use super::operand::{Modifier, Operand, Parsed, Val};
use super::{Encoded, Fixup, FixupKind, families, modifiers, rules};
use crate::isa::form::{Allow, Form, FormFlags, Kind, Mod, ModSlot, NO_BIT, Slot, Variant};
use crate::isa::operand::Ty;
use crate::isa::regs::{self, Bank, Half, Reg};
use crate::isa::row::{Family, Traits};
use crate::isa::{Gen, Target, Variants};

/// Whether an instruction takes its sources in reversed order.
fn is_reversed(name: &str) -> bool {
    name.contains("rev_") && !name.contains("bfrev")
}

/// One attempt: a form and what was read.
pub(super) struct Matcher<'a> {
    target: &'a Target,
    form: &'a Form,
    p: &'a Parsed,
    end: usize,
    words: [u32; 5],
    literal: Option<u32>,
    /// Registers of the operand the literal is for: one of another size cannot share it on the constant bus.
    literal_dwords: u8,
    literals: u8,
    fixup: Option<Fixup>,
    bus: rules::Bus,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(target: &'a Target, form: &'a Form, p: &'a Parsed, end: usize) -> Matcher<'a> {
        let [a, b, c] = form.base;
        Matcher {
            target,
            form,
            p,
            end,
            words: [a, b, c, 0, 0],
            literal: None,
            literal_dwords: 0,
            literals: 0,
            fixup: None,
            bus: rules::Bus::default(),
        }
    }

    pub(super) fn run(mut self) -> AsmResult<Encoded> {
        let (form, p) = (self.form, self.p);
        if let Some(encode) = families::encoder(form.row.family) {
            let len = encode(self.target, form, p, &mut self.words)?;
            return Ok(Encoded { words: self.words, len, fixup: None });
        }
        // Modifiers first: they tell forms apart most cheaply.
        let extra = p.mod_set & !form.mod_set;
        if extra != 0 {
            let m = p.mods.iter().find(|m| extra & 1 << m.id as u8 != 0);
            let span = m.map_or(0..1, |m| m.start as usize..m.end as usize);
            let name = m.map_or("", |m| modifiers::name_of(m.id)).to_owned();
            return Err(AsmError::new(
                span,
                Problem::Named { rule: "this instruction does not take the modifier", name },
            ));
        }
        if p.policy_span.end != 0 {
            return Err(AsmError::rule(p.policy_span.clone(), "this instruction has no cache policy"));
        }
        // `vcc` of a short form may be left out: of compares always, of carries from gfx10 on.
        let implied = form.slots.iter().filter(|s| s.kind == Kind::Vcc).count();
        let carries = self.target.generation() < Gen::Gfx10 && form.row.family != Family::Vopc;
        let skip_vcc = implied != 0 && !carries && p.ops.len() + implied == form.slots.len();
        let mut next = 0;
        for slot in &form.slots {
            match slot.kind {
                Kind::Vcc if skip_vcc => continue,
                Kind::Dual(_) => {
                    if next != p.first_half {
                        return Err(AsmError::rule(self.span_at(next), "wrong number of operands in the first half"));
                    }
                    continue;
                }
                Kind::Word { optional: true, text } => {
                    if p.ops.get(next).is_some_and(|o| text == "off" && o.val == Val::Off) {
                        next += 1;
                    }
                    continue;
                }
                Kind::OptImm if next >= p.ops.len() => continue,
                _ => {}
            }
            let Some(op) = p.ops.get(next) else {
                return Err(AsmError::rule(self.end..self.end + 1, "too few operands for this instruction"));
            };
            next += 1;
            self.place(slot, op)?;
        }
        if next < p.ops.len() {
            return Err(AsmError::rule(p.ops[next].span(), "too many operands for this instruction"));
        }
        for m in &form.mods {
            self.modifier(*m)?;
        }
        let mut len = form.words;
        if form.flags.contains(FormFlags::HAS_LITERAL)
            || self.literal.is_some()
            || self.fixup.as_ref().is_some_and(|f| f.kind == FixupKind::Literal)
        {
            self.words[usize::from(len)] = self.literal.unwrap_or(0);
            if let Some(fixup) = &mut self.fixup
                && fixup.kind == FixupKind::Literal
            {
                fixup.word = len;
            }
            len += 1;
        }
        rules::check(self.target, form, p, &self.bus, usize::from(self.literals.max(u8::from(self.fixup.is_some()))))?;
        Ok(Encoded { words: self.words, len, fixup: self.fixup })
    }

    fn span_at(&self, i: usize) -> std::ops::Range<usize> {
        self.p.ops.get(i).map_or(self.end..self.end + 1, Operand::span)
    }

    fn set_bit(&mut self, bit: u8) {
        self.words[usize::from(bit / 32)] |= 1 << (bit % 32);
    }

    /// Encodes one operand into one place.
    fn place(&mut self, slot: &Slot, op: &Operand) -> AsmResult<()> {
        let fail = |rule| Err(AsmError::rule(op.span(), rule));
        if op.modified() {
            for (on, bit, rule) in [
                (op.neg, slot.neg, "this operand cannot be negated"),
                (op.abs, slot.abs, "this operand has no absolute value"),
                (op.sext, slot.sext, "this operand cannot be sign-extended"),
            ] {
                if on {
                    if bit != NO_BIT {
                        self.set_bit(bit);
                    } else if !self.folds(slot, op) {
                        return fail(rule);
                    }
                }
            }
        }
        match slot.kind {
            Kind::Source => self.source(slot, op),
            Kind::Vgpr | Kind::DualVdst => match op.val {
                Val::Reg(reg) => {
                    let code = self.register(slot, reg, op)?;
                    let value = if slot.kind == Kind::DualVdst { (code - 256) >> 1 } else { code - 256 };
                    // The top bit of the field may be the half of the register, which is set already.
                    let half = slot.span.get(&self.words);
                    slot.span.set(&mut self.words, u32::from(value) | half);
                    Ok(())
                }
                _ => fail("a vector register is needed here"),
            },
            // The family's encoder has these.
            Kind::Memory(_) => Ok(()),
            Kind::Sgpr => match op.val {
                Val::Reg(reg) if reg.code < 128 => {
                    let code = self.register(slot, reg, op)?;
                    slot.span.set(&mut self.words, u32::from(code));
                    Ok(())
                }
                _ => fail("a scalar register is needed here"),
            },
            Kind::SdwaSource(scalar) => match op.val {
                Val::Reg(reg) => {
                    let code = self.register(slot, reg, op)?;
                    slot.span.set(&mut self.words, u32::from(code & 0xff));
                    scalar.set(&mut self.words, u32::from(code < 256));
                    Ok(())
                }
                _ => {
                    if !slot.allow.contains(Allow::INLINE) {
                        return fail("a register is needed here");
                    }
                    // Inline constants are allowed, literals are not.
                    let code = self.inline(slot, op)?;
                    slot.span.set(&mut self.words, code);
                    scalar.set(&mut self.words, 1);
                    Ok(())
                }
            },
            Kind::SdwaSdst(explicit) => match op.val {
                Val::Reg(reg) if reg.code < 128 => {
                    let code = self.register(slot, reg, op)?;
                    if code != 106 {
                        explicit.set(&mut self.words, 1);
                        slot.span.set(&mut self.words, u32::from(code));
                    }
                    Ok(())
                }
                _ => fail("a scalar register is needed here"),
            },
            Kind::Vcc => match op.val {
                Val::Reg(Reg { bank: Bank::Special, code: 106, dwords, .. })
                    if !op.modified() && self.mask_width(dwords) =>
                {
                    Ok(())
                }
                _ if self.target.wave64() => fail("vcc is needed here"),
                _ => fail("vcc_lo is needed here"),
            },
            Kind::Word { .. } => match op.val {
                Val::Off => Ok(()),
                _ => fail("`off` is needed here"),
            },
            Kind::Literal => self.mandatory(slot, op),
            Kind::Simm | Kind::PlainImm | Kind::OptImm | Kind::Uimm => {
                let Val::Int(v) = op.val else { return fail("a number is needed here") };
                let min = if slot.kind == Kind::Uimm { 0 } else { -0x8000 };
                if !(min..=0xffff).contains(&v) {
                    return Err(AsmError::new(
                        op.span(),
                        Problem::Range { what: "the immediate", value: v, min, max: 0xffff },
                    ));
                }
                slot.span.set(&mut self.words, v as u32);
                Ok(())
            }
            Kind::Target => match &op.val {
                Val::Int(v) => {
                    if !constant::fits(*v, 16) {
                        let problem =
                            Problem::Range { what: "the branch offset", value: *v, min: -0x8000, max: 0xffff };
                        return Err(AsmError::new(op.span(), problem));
                    }
                    slot.span.set(&mut self.words, *v as u32);
                    Ok(())
                }
                Val::Expr(e) => {
                    self.fixup = Some(Fixup { word: 0, kind: FixupKind::Branch, expr: e.clone(), span: op.span() });
                    Ok(())
                }
                _ => fail("a label or a number is needed here"),
            },
            Kind::Symbolic(_) | Kind::Message | Kind::InterpSlot => match op.val {
                Val::Raw(v) => {
                    if v > slot.span.max() {
                        return fail("this value does not fit the field");
                    }
                    slot.span.set(&mut self.words, v);
                    Ok(())
                }
                _ => fail("a symbolic immediate or a number is needed here"),
            },
            Kind::Attr(channel) => match op.val {
                Val::Raw(v) => {
                    slot.span.set(&mut self.words, v >> 2);
                    channel.set(&mut self.words, v & 3);
                    Ok(())
                }
                _ => fail("an attribute such as attr0.x is needed here"),
            },
            Kind::Barrier => {
                let code = match op.val {
                    Val::Reg(reg) if reg.bank == Bank::Special && reg.code == 125 => 125,
                    Val::Int(v) => match constant::inline_int(v) {
                        Some(code) => code,
                        None => return fail("a barrier is m0 or a number from -16 to 64"),
                    },
                    _ => return fail("a barrier is m0 or a number from -16 to 64"),
                };
                slot.span.set(&mut self.words, code);
                Ok(())
            }
            Kind::Dual(_) => Ok(()),
        }
    }

    fn mask_width(&self, dwords: u8) -> bool {
        dwords == 1 && self.target.wave32() || dwords == 2 && self.target.wave64()
    }

    /// Checks a register against a place, and gives its code.
    fn register(&mut self, slot: &Slot, reg: Reg, op: &Operand) -> AsmResult<u16> {
        let fail = |rule| Err(AsmError::rule(op.span(), rule));
        // Apertures, conditions and null stand for values of any width.
        let any_width = reg.bank == Bank::Special && reg.code >= 128 || reg.is_null(self.target.generation());
        let wide_enough =
            any_width || if slot.ty == Ty::Mask { self.mask_width(reg.dwords) } else { reg.dwords == slot.ty.dwords() };
        if !wide_enough {
            return fail("the register range has the wrong number of registers");
        }
        let allow = slot.allow;
        match reg.bank {
            Bank::Vgpr => {
                if !allow.contains(Allow::VGPR) {
                    return fail("a vector register is not allowed here");
                }
            }
            Bank::Agpr => {
                if !allow.contains(Allow::AGPR) {
                    return fail("an accumulation register is not allowed here");
                }
                if slot.acc != NO_BIT {
                    self.set_bit(slot.acc);
                }
            }
            _ if reg.code == 254 => {
                let first = slot.source == 0 && slot.ty.dwords() == 1 && self.form.variant == Variant::Base;
                if !allow.contains(Allow::LDS) || !first || is_reversed(self.form.row.name) {
                    return fail("lds_direct is not allowed here");
                }
            }
            Bank::Sgpr | Bank::Ttmp | Bank::Special => {
                if !allow.contains(Allow::SGPR) {
                    return fail("a scalar register is not allowed here");
                }
                if allow.contains(Allow::NO_EXEC) && regs::is_exec(reg.code) {
                    return fail("exec is not allowed here");
                }
                self.bus.add(self.target, reg, slot);
            }
        }
        if reg.code >= 256 {
            if self.target.is(Variants::CDNA2) && reg.dwords > 1 && !reg.code.is_multiple_of(2) {
                return fail("vector register ranges start at an even number on this processor");
            }
            if slot.half != NO_BIT {
                if slot.half % 32 == slot.span.lo % 32 + 7 && reg.code >= 384 {
                    return fail("halves of v0 to v127 only");
                }
                if reg.half == Half::Whole {
                    return fail("a half of a register is needed here: `.l` or `.h`");
                }
                if reg.half == Half::High {
                    self.set_bit(slot.half);
                }
            } else if reg.half != Half::Whole {
                return fail("a half of a register is not allowed here");
            } else if allow.contains(Allow::LO128) && reg.code >= 384 {
                return fail("v0 to v127 only");
            }
        } else if reg.half != Half::Whole {
            return fail("only vector registers have halves");
        }
        Ok(reg.code)
    }

    fn number(op: &Operand) -> Option<Number> {
        match op.val {
            Val::Int(v) => Some(Number::Int(v)),
            Val::Float(f) => Some(Number::Float(f)),
            _ => None,
        }
    }

    /// Inline constants up to 1/(2 pi) exist from gfx8 on.
    fn inv2pi(&self) -> bool {
        self.target.generation() >= Gen::Gfx8
    }

    /// Whether the modifiers of a constant go into the constant, for want of bits in a short form.
    fn folds(&self, slot: &Slot, op: &Operand) -> bool {
        slot.kind == Kind::Source
            && !self.form.flags.contains(FormFlags::VOP3)
            && !op.sext
            && matches!(op.val, Val::Int(_) | Val::Float(_))
            && !(slot.ty == Ty::F64 && matches!(op.val, Val::Int(_)))
            && (slot.ty.is_float() || self.form.row.traits.contains(Traits::MODS))
    }

    /// A constant with its modifiers applied, where the form has no bits for them.
    fn folded(&self, slot: &Slot, op: &Operand, number: Number) -> Number {
        if !op.modified() || slot.neg != NO_BIT {
            return number;
        }
        let bits = match (number, slot.ty.dwords(), slot.ty.is_16()) {
            (Number::Float(f), ..) => {
                let f = if op.abs { f.abs() } else { f };
                return Number::Float(if op.neg { -f } else { f });
            }
            (Number::Int(_), 2, _) => 64,
            (Number::Int(_), _, true) => 16,
            (Number::Int(_), ..) => 32,
        };
        let Number::Int(v) = number else { return number };
        let sign = 1u64 << (bits - 1);
        let v = v as u64 & (u64::MAX >> (64 - bits));
        let v = if op.abs { v & !sign } else { v };
        Number::Int((if op.neg { v ^ sign } else { v }) as i64)
    }

    fn inline(&mut self, slot: &Slot, op: &Operand) -> AsmResult<u32> {
        match Self::number(op).and_then(|n| constant::encode(n, slot.ty, self.inv2pi(), op.modified())) {
            Some(Constant::Inline(code)) => Ok(code),
            _ => Err(AsmError::rule(op.span(), "a register or an inline constant is needed here")),
        }
    }

    fn source(&mut self, slot: &Slot, op: &Operand) -> AsmResult<()> {
        let fail = |rule| Err(AsmError::rule(op.span(), rule));
        let code = match &op.val {
            Val::Reg(reg) => u32::from(self.register(slot, *reg, op)?),
            Val::Int(_) | Val::Float(_) => {
                let Some(number) = Self::number(op) else { return fail("a number is needed here") };
                let number = self.folded(slot, op, number);
                let modified = op.modified() && slot.neg != NO_BIT;
                // `lit()` asks for the literal itself, all 32 bits of it, also where the operand reads fewer.
                let constant = match number {
                    Number::Int(v) if op.lit && constant::fits(v, 32) => Some(Constant::Literal(v as u32)),
                    Number::Int(_) if op.lit => return fail("a literal constant has 32 bits"),
                    Number::Float(_) if op.lit => constant::mandatory_of(number, slot.ty).map(Constant::Literal),
                    _ => constant::encode(number, slot.ty, self.inv2pi(), modified),
                };
                let Some(constant) = constant else { return fail("this constant does not fit the operand") };
                match constant {
                    Constant::Inline(code) => {
                        if !slot.allow.contains(Allow::INLINE) {
                            return fail("a constant is not allowed here");
                        }
                        code
                    }
                    Constant::Literal(word) => {
                        if !slot.allow.contains(Allow::LITERAL) {
                            return fail("a literal constant is not allowed here");
                        }
                        self.take_literal(word, slot, op)?;
                        constant::LITERAL
                    }
                }
            }
            Val::Expr(e) => {
                if op.modified() || op.lit {
                    return fail("modifiers need a number that is known here");
                }
                if !slot.allow.contains(Allow::LITERAL) {
                    return fail(
                        "a value that is known only at the end needs a literal constant, which is not allowed here",
                    );
                }
                if self.fixup.is_some() || self.literal.is_some() {
                    return fail("only one literal constant is allowed");
                }
                self.fixup = Some(Fixup { word: 0, kind: FixupKind::Literal, expr: e.clone(), span: op.span() });
                constant::LITERAL
            }
            Val::Off | Val::Raw(_) | Val::List(..) => return fail("a register or a constant is needed here"),
        };
        let half = slot.span.get(&self.words);
        slot.span.set(&mut self.words, code | half);
        Ok(())
    }

    fn take_literal(&mut self, word: u32, slot: &Slot, op: &Operand) -> AsmResult<()> {
        if self.literal.is_some_and(|l| l != word) || self.fixup.is_some() {
            return Err(AsmError::rule(op.span(), "only one unique literal constant is allowed"));
        }
        self.literal = Some(word);
        let dwords = slot.ty.dwords();
        if self.literals == 0 || self.literal_dwords != dwords {
            self.literals += 1;
            self.literal_dwords = dwords;
        }
        Ok(())
    }

    /// The literal constant that is part of the instruction.
    fn mandatory(&mut self, slot: &Slot, op: &Operand) -> AsmResult<()> {
        if let Val::Expr(e) = &op.val {
            if self.fixup.is_some() || self.literal.is_some() {
                return Err(AsmError::rule(op.span(), "only one literal constant is allowed"));
            }
            self.fixup = Some(Fixup { word: 0, kind: FixupKind::Literal, expr: e.clone(), span: op.span() });
            return Ok(());
        }
        if op.modified() {
            return Err(AsmError::rule(op.span(), "the constant of this instruction has no modifiers"));
        }
        let word = match op.val {
            Val::Int(v) if op.lit && constant::fits(v, 32) => Some(v as u32),
            _ => Self::number(op).and_then(|n| constant::mandatory(n, slot.ty)),
        };
        match word {
            Some(word) => self.take_literal(word, slot, op),
            None => Err(AsmError::rule(op.span(), "a constant that fits the operand is needed here")),
        }
    }

    /// Encodes a modifier, or its default.
    fn modifier(&mut self, slot: ModSlot) -> AsmResult<()> {
        let given = self.p.modifier(slot.id);
        let value = match given {
            Some(m) => self.modifier_value(slot, m)?,
            None => match slot.id {
                Mod::OpSelHi if !self.form.row.traits.contains(Traits::MIX) => slot.span.max(),
                Mod::RowMask | Mod::BankMask => 15,
                Mod::DstSel | Mod::Src0Sel | Mod::Src1Sel => 6,
                Mod::DstUnused => 2,
                Mod::DppCtrl | Mod::Dpp8 => {
                    return Err(AsmError::rule(
                        self.end..self.end + 1,
                        "a lane control such as quad_perm:[0,1,2,3] is missing",
                    ));
                }
                _ => 0,
            },
        };
        if slot.id == Mod::Fi && self.form.variant == Variant::Dpp8 {
            slot.span.set(&mut self.words, 0xe9 + value);
            return Ok(());
        }
        let halves = slot.span.get(&self.words);
        slot.span.set(&mut self.words, value | halves);
        Ok(())
    }

    fn modifier_value(&self, slot: ModSlot, m: &Modifier) -> AsmResult<u32> {
        let span = m.start as usize..m.end as usize;
        match slot.id {
            Mod::OpSel if self.form.flags.contains(FormFlags::VOP3) && slot.span.width == 4 => {
                // VOP3: one selector a source, then that of the result, which is bit 3.
                let (bits, count) = ((m.value & 0xff) as u32, (m.value >> 8) as u32);
                let sources = self.form.row.selectors() as u32;
                let row = self.form.row;
                if row.traits.contains(Traits::PERMLANE) && bits > 3 {
                    return Err(AsmError::rule(span, "only fi and bound_ctrl can be selected"));
                }
                if row.name.starts_with("v_dot2") && bits & 3 != 0 {
                    return Err(AsmError::rule(span, "only the third source and the result have selectors"));
                }
                if count > sources + 1 {
                    return Err(AsmError::rule(span, "more selectors than operands"));
                }
                let low = bits & ((1 << sources) - 1);
                Ok(low | (bits >> sources & 1) << 3)
            }
            Mod::OpSel | Mod::OpSelHi | Mod::NegLo | Mod::NegHi | Mod::Neg => {
                let (bits, count) = ((m.value & 0xff) as u32, (m.value >> 8) as u32);
                if count > 3 && slot.span.bits() < 4 || bits > slot.span.max() {
                    return Err(AsmError::rule(span, "more selectors than operands"));
                }
                let fixed = if slot.id == Mod::OpSelHi { slot.span.max() } else { 0 };
                if matches!(slot.id, Mod::OpSel | Mod::OpSelHi)
                    && bits != fixed
                    && self.target.is(Variants::G940)
                    && self.form.row.name.starts_with("v_dot")
                {
                    return Err(AsmError::rule(span, "the dot products of this processor read whole registers"));
                }
                if matches!(slot.id, Mod::NegLo | Mod::NegHi) && bits & !self.form.row.negatable() != 0 {
                    return Err(AsmError::rule(span, "this source cannot be negated"));
                }
                Ok(bits)
            }
            Mod::DppCtrl => {
                let wide = self.form.slots.iter().any(|s| s.kind == Kind::Vgpr && s.ty.dwords() == 2);
                if wide && !crate::isa::symbols::dpp::valid_for_64_bits(m.value as u32) {
                    return Err(AsmError::rule(span, "64-bit operands take row_newbcast only"));
                }
                Ok(m.value as u32)
            }
            Mod::Offset | Mod::Offset0 | Mod::Offset1 => {
                let max = i64::from(slot.span.max());
                if !(0..=max).contains(&m.value) {
                    return Err(AsmError::new(
                        span,
                        Problem::Range { what: "the offset", value: m.value, min: 0, max },
                    ));
                }
                Ok(m.value as u32)
            }
            _ => {
                let max = i64::from(slot.span.max());
                if !(0..=max).contains(&m.value) {
                    let what = modifiers::name_of(slot.id);
                    return Err(AsmError::new(span, Problem::Range { what, value: m.value, min: 0, max }));
                }
                Ok(m.value as u32)
            }
        }
    }
}
