//! One instruction: its text is read once, then every form the mnemonic may mean is tried, the best first.
//!
//! The forms are tried in the order short, VOP3, SDWA, DPP: the first that takes all operands and modifiers is the shortest. Where none does,
//! the error of the form that came furthest is reported.

use super::cursor::Cursor;
use super::error::{AsmError, AsmResult, Problem};
use super::expr::{RegisterFile, Scope};
use super::matcher::Matcher;
use super::operand::{Operand, Parsed, Reader, Val};
use super::source::InstructionEncoder;
use super::symbols::{delay_alu, depctr, export, gpr_idx, hwreg, interp, sendmsg, waitcnt};
use super::{Encoded, modifiers, near};
use crate::isa::form::{Form, Kind, Table};
use crate::isa::operand::Symbol;
use crate::isa::regs::Bank;
use crate::isa::row::{Family, Traits};
use crate::isa::symbols::cpol::{Access, Use};
use crate::isa::{ARCHS, Target, Variants, gcn};
use std::cell::RefCell;

/// Assembles instructions for one target.
pub struct Assembler {
    table: &'static Table,
    scratch: RefCell<Parsed>,
}

impl Assembler {
    /// An assembler for a target.
    #[must_use]
    pub fn new(target: Target) -> Assembler {
        Assembler::of(Table::of(target))
    }

    /// An assembler for the instructions of a table.
    #[must_use]
    pub fn of(table: &'static Table) -> Assembler {
        Assembler { table, scratch: RefCell::new(Parsed::default()) }
    }

    /// The target.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.table.target
    }

    /// Encodes the instruction of one statement.
    ///
    /// # Errors
    /// What is wrong with the statement, and where.
    pub fn encode(&self, statement: &str, scope: &dyn Scope) -> AsmResult<Encoded> {
        let mut parsed = self.scratch.borrow_mut();
        parsed.clear();
        let mut cur = Cursor::new(statement);
        cur.skip();
        let start = cur.pos();
        let name = cur.ident();
        if name.is_empty() {
            return Err(AsmError::expected(start, "an instruction"));
        }
        let target = &self.table.target;
        let scope = &Predefined(scope);
        let mut reader = Reader {
            cur,
            scope,
            target,
            usage: Use { access: Access::Load, returns: false, scalar: false, image: false },
            keep_lists: false,
        };
        let candidates = if name.starts_with("v_dual_") {
            self.read_dual(&mut reader, name, start, &mut parsed)?
        } else {
            let mut candidates = self.table.candidates(name);
            if candidates.is_empty()
                && let Some(stem) = name.strip_suffix("_e32")
            {
                // Instructions without other forms take the suffix too.
                candidates = self.table.candidates(stem);
                if candidates.iter().any(|c| self.table.forms[usize::from(*c)].is_valu()) {
                    candidates = &[];
                }
            }
            if candidates.is_empty() && name.bytes().any(|c| c.is_ascii_uppercase()) {
                candidates = self.table.candidates(&name.to_ascii_lowercase());
            }
            let Some(&first) = candidates.first() else { return Err(self.unknown(name, start)) };
            let form = &self.table.forms[usize::from(first)];
            reader.usage = usage(form);
            reader.keep_lists = form.row.family == Family::Mimg;
            read_operands(&mut reader, Some(form), &mut parsed)?;
            candidates
        };
        if !reader.cur.at_end() {
            return Err(AsmError::expected(reader.cur.pos(), "the end of the statement"));
        }
        let end = reader.cur.pos();
        let mut best: Option<AsmError> = None;
        for &index in candidates {
            let form = &self.table.forms[usize::from(index)];
            // Modifiers tell forms apart most cheaply; the error, if all fail, is made below.
            if parsed.mod_set & !form.mod_set != 0 && candidates.len() > 1 && !form.row.family.is_joint() {
                continue;
            }
            match Matcher::new(target, form, &parsed, end).run() {
                Ok(encoded) => {
                    report_registers(&parsed, scope);
                    return Ok(encoded);
                }
                Err(e) => {
                    // What is said of the whole instruction was found after every operand fitted.
                    if best.as_ref().is_none_or(|b| b.span.end < e.span.end) {
                        best = Some(e);
                    }
                }
            }
        }
        if best.is_none()
            && let Some(&last) = candidates.first()
        {
            let form = &self.table.forms[usize::from(last)];
            best = Matcher::new(target, form, &parsed, end).run().err();
        }
        Err(best.unwrap_or_else(|| self.unknown(name, start)))
    }

    /// Reads both halves of a dual instruction.
    fn read_dual(&self, r: &mut Reader<'_, '_>, first: &str, start: usize, out: &mut Parsed) -> AsmResult<&[u16]> {
        read_operands(r, None, out)?;
        out.first_half = out.ops.len();
        if !r.cur.eat_str("::") {
            return Err(AsmError::expected(r.cur.pos(), "`::` and the second half"));
        }
        r.cur.skip();
        let at = r.cur.pos();
        let second = r.cur.ident();
        read_operands(r, None, out)?;
        let candidates = self.table.candidates(&format!("{first} {second}"));
        if candidates.is_empty() {
            let known = |n: &str| {
                gcn::rows().any(|row| {
                    row.family == Family::Vopd
                        && row.name_in(self.table.target.generation()) == n
                        && row.opcode(self.table.target.arch).is_some()
                })
            };
            if !known(first) {
                return Err(self.unknown(first, start));
            }
            if !self.table.target.wave32() {
                return Err(AsmError::rule(start..start + first.len(), "dual instructions exist in wave32 only"));
            }
            if known(second) {
                return Err(AsmError::rule(
                    start..start + first.len(),
                    "this instruction can only be the second half of a dual instruction",
                ));
            }
            return Err(self.unknown(second, at));
        }
        Ok(candidates)
    }

    /// The error for a name that no form of the target has.
    #[cold]
    fn unknown(&self, name: &str, start: usize) -> AsmError {
        let stem = ["_e32", "_e64", "_dpp", "_sdwa"].iter().fold(name, |n, s| n.strip_suffix(s).unwrap_or(n));
        let near = if stem != name && !self.table.candidates(stem).is_empty() {
            Some(format!("`{stem}` has no form {}", &name[stem.len()..]))
        } else {
            let mut on = Variants::empty();
            for row in gcn::rows() {
                for arch in ARCHS.iter().filter(|a| row.opcode(a).is_some()) {
                    if row.name_in(arch.generation) == stem {
                        on |= arch.variant;
                    }
                }
            }
            if on.is_empty() {
                near::near_miss(name, self.table.names()).map(|n| format!("did you mean `{n}`?"))
            } else {
                Some(near::where_it_exists(on))
            }
        };
        AsmError::new(start..start + name.len(), Problem::UnknownMnemonic { name: name.to_owned(), near })
    }
}

impl InstructionEncoder for Assembler {
    fn encode(&self, statement: &str, scope: &dyn Scope) -> AsmResult<Encoded> {
        Assembler::encode(self, statement, scope)
    }
}

/// Tells the source layer which registers an instruction names.
fn report_registers(p: &Parsed, scope: &dyn Scope) {
    let registers = p.ops.iter().filter_map(|o| if let Val::Reg(r) = o.val { Some(r) } else { None });
    for reg in registers.chain(p.list.iter().copied()) {
        let (file, first) = match reg.bank {
            Bank::Vgpr => (RegisterFile::Vector, reg.code - 256),
            Bank::Agpr => (RegisterFile::Vector, reg.code - 256),
            Bank::Sgpr => (RegisterFile::Scalar, reg.code),
            Bank::Ttmp | Bank::Special => continue,
        };
        scope.register_used(file, u32::from(first) + u32::from(reg.dwords) - 1);
    }
}

/// Names that are known without a definition.
struct Predefined<'a>(&'a dyn Scope);

impl Scope for Predefined<'_> {
    fn resolve(&self, expr: &super::expr::Expr) -> Option<i64> {
        self.0.resolve(expr)
    }

    fn register_used(&self, file: RegisterFile, last: u32) {
        self.0.register_used(file, last);
    }

    fn lookup(&self, name: &str) -> Option<i64> {
        self.0.lookup(name).or_else(|| {
            Some(match name.strip_prefix("UC_VERSION_")? {
                "GFX7" => 0,
                "GFX10" => 4,
                "GFX11" => 6,
                "GFX12" => 9,
                "W64_BIT" => 0x2000,
                "W32_BIT" => 0x4000,
                "MDP_BIT" => 0x8000,
                _ => return None,
            })
        })
    }
}

/// What a form does to memory.
fn usage(form: &Form) -> Use {
    let t = form.row.traits;
    let access = if t.contains(Traits::ATOMIC) {
        Access::Atomic
    } else if t.contains(Traits::STORE) {
        Access::Store
    } else {
        Access::Load
    };
    Use { access, returns: false, scalar: form.row.family == Family::Smem, image: form.row.family == Family::Mimg }
}

/// Reads operands and modifiers up to the end of the statement or `::`.
fn read_operands(r: &mut Reader<'_, '_>, form: Option<&Form>, out: &mut Parsed) -> AsmResult<()> {
    // Commas may be left out, as in LLVM.
    let mut after_comma = true;
    loop {
        let next = r.cur.peek();
        if next == 0 || next == b':' {
            return Ok(());
        }
        // Behind a comma the name of a register is a register, although `scc` is a cache policy and `a16` a modifier too.
        let register = after_comma
            && (r.at_numbered_register()
                || match r.cur.peek_ident() {
                    "scc" => true,
                    "a16" => r.target.is(Variants::CDNA),
                    _ => false,
                });
        if !register && (!out.ops.is_empty() || form.is_some_and(|f| f.slots.is_empty())) && modifiers::read(r, out)? {
            after_comma = r.cur.eat(b',');
            continue;
        }
        let op = operand(r, form, out)?;
        out.ops.push(op);
        after_comma = r.cur.eat(b',');
    }
}

/// Reads one operand, in the syntax its place has.
fn operand(r: &mut Reader<'_, '_>, form: Option<&Form>, out: &mut Parsed) -> AsmResult<Operand> {
    let start = r.cur.pos();
    let (scope, target) = (r.scope, r.target);
    let i = out.ops.len();
    let kind = form.and_then(|f| f.slots.get(i)).map(|s| s.kind);
    let cur = &mut r.cur;
    let raw = match kind {
        Some(Kind::Symbolic(Symbol::Hwreg)) => hwreg::parse(cur, scope, target)?,
        Some(Kind::Symbolic(Symbol::SendMsg) | Kind::Message) => sendmsg::parse(cur, scope, target)?,
        Some(Kind::Symbolic(Symbol::WaitCnt)) => waitcnt::parse(cur, scope, target)?,
        Some(Kind::Symbolic(Symbol::DelayAlu)) => delay_alu::parse(cur, scope, target)?,
        Some(Kind::Symbolic(Symbol::DepCtr)) => depctr::parse(cur, scope, target)?,
        Some(Kind::Symbolic(Symbol::GprIdx)) => gpr_idx::parse(cur, scope, target)?,
        Some(Kind::InterpSlot) => interp::parse_slot(cur, scope, target)?,
        Some(Kind::Attr(_)) => interp::parse_attr(cur, scope, target)?,
        _ if form.is_some_and(|f| f.row.family == Family::Exp) && i == 0 => export::parse(cur, scope, target)?,
        _ => return r.operand(out),
    };
    Ok(Operand {
        val: Val::Raw(raw),
        neg: false,
        abs: false,
        sext: false,
        lit: false,
        start: start as u32,
        end: r.cur.pos() as u32,
    })
}
