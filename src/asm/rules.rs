//! Rules of the hardware about operands taken together.

use super::error::{AsmError, AsmResult};
use super::operand::{Operand, Parsed, Val};
use crate::isa::form::{Form, FormFlags, Kind, Mod, NO_BIT, Slot};
use crate::isa::operand::Ty;
use crate::isa::regs::{self, Bank, Reg};
use crate::isa::row::{Family, Traits};
use crate::isa::{Gen, Target, Variants};

/// The scalar values an instruction reads over the constant bus.
#[derive(Default)]
pub(super) struct Bus {
    codes: [u16; 4],
    len: usize,
}

impl Bus {
    /// Notes a scalar register that is read.
    pub(super) fn add(&mut self, target: &Target, reg: Reg, slot: &Slot) {
        if slot.source == NO_BIT || reg.is_null(target.generation()) {
            return;
        }
        // A pair and its first register are different names, but the same value on the bus only if both are equal.
        self.note(reg.code | u16::from(reg.dwords) << 10);
    }

    fn note(&mut self, code: u16) {
        if !self.codes[..self.len].contains(&code) && self.len < self.codes.len() {
            self.codes[self.len] = code;
            self.len += 1;
        }
    }
}

/// Checks what no single operand shows.
pub(super) fn check(target: &Target, form: &Form, p: &Parsed, bus: &Bus, literals: usize) -> AsmResult<()> {
    if form.row.family == Family::Ds {
        return data_share(target, form, p);
    }
    if form.row.family == Family::Sopk && form.row.name.starts_with("s_waitcnt_") && target.generation() >= Gen::Gfx11 {
        return match p.ops.first() {
            Some(Operand { val: Val::Reg(Reg { code: 124, .. }), .. }) => Ok(()),
            op => Err(AsmError::rule(op.map_or(0..1, Operand::span), "this processor counts from `null` only")),
        };
    }
    if !form.flags.contains(FormFlags::VALU) {
        return Ok(());
    }
    let whole = p.ops.first().map_or(0..1, |o| o.start as usize..p.ops.last().map_or(1, |l| l.end as usize));
    let mut used = bus.len;
    let m0 = regs::m0_code(target.generation());
    if form.row.traits.contains(Traits::READS_M0)
        && form.row.family != Family::Vintrp
        && !bus.codes[..bus.len].contains(&(m0 | 1 << 10))
    {
        used += 1;
    }
    if form.flags.contains(FormFlags::READS_VCC) || form.row.traits.contains(Traits::READS_VCC) {
        let width: u16 = if target.wave64() { 2 } else { 1 };
        if !bus.codes[..bus.len].contains(&(106 | width << 10)) {
            used += 1;
        }
    }
    used += literals;
    let limit = if target.generation() >= Gen::Gfx10 && !is_wide_shift(form) { 2 } else { 1 };
    // The lane that v_writelane writes comes from m0 by another way.
    let lane_in_m0 = form.row.name == "v_writelane_b32"
        && matches!(p.ops.get(2), Some(Operand { val: Val::Reg(Reg { code, .. }), .. }) if *code == m0);
    if used - usize::from(lane_in_m0) > limit {
        return Err(AsmError::rule(whole, "more scalar values than the constant bus carries"));
    }
    if form.row.family == Family::Mai && target.is(Variants::G908) {
        first_matrix_core(p)?;
    }
    match form.row.family {
        Family::Vopd => dual(target, p, form),
        Family::Mai if form.row.dst.ty.dwords() > 4 && form.row.name.starts_with("v_mfma") => accumulator(p),
        Family::Mai | Family::Vop3 | Family::Vop3p if form.row.traits.contains(Traits::EARLY) => early(form, p),
        Family::Vop3 if form.row.name.starts_with("v_div_scale") => div_scale(p),
        _ => Ok(()),
    }
}

/// Data share: `gds` must be written where there is nothing else, and all data are registers of one kind.
fn data_share(target: &Target, form: &Form, p: &Parsed) -> AsmResult<()> {
    if form.row.traits.contains(Traits::GDS) {
        if !p.flag(Mod::Gds) {
            let end = p.mods.last().map_or(p.ops.last().map_or(0, |o| o.end), |m| m.end) as usize;
            return Err(AsmError::rule(end..end + 1, "this instruction must have gds"));
        }
        if let Some(op) = p.ops.first().filter(|_| target.is(Variants::CDNA2))
            && matches!(op.val, Val::Reg(r) if r.code % 2 != 0)
        {
            return Err(AsmError::rule(op.span(), "the register of a barrier must be even on this processor"));
        }
    }
    let mut kind = None;
    for (_, op) in form.slots.iter().zip(&p.ops).filter(|(slot, _)| slot.acc != NO_BIT) {
        if let Val::Reg(Reg { bank, .. }) = op.val
            && *kind.get_or_insert(bank) != bank
        {
            return Err(AsmError::rule(op.span(), "data must be all vector registers or all accumulation registers"));
        }
    }
    Ok(())
}

fn is_wide_shift(form: &Form) -> bool {
    let ty = form.row.dst.ty;
    ty == Ty::B64
        && (form.row.name.contains("lshl") || form.row.name.contains("lshr") || form.row.name.contains("ashr"))
        && !form.row.name.contains("add")
}

/// `v_div_scale`: the value that is scaled is the numerator or the denominator; no absolute values.
fn div_scale(p: &Parsed) -> AsmResult<()> {
    let abs_of = |i: usize| p.ops.get(i).filter(|o| o.abs);
    match (2..5).find_map(abs_of) {
        Some(op) => Err(AsmError::rule(op.span(), "this instruction has no absolute values")),
        None => Ok(()),
    }
}

/// gfx908, the first processor with matrices: its accumulator is no constant, and is not filled from a scalar register.
fn first_matrix_core(p: &Parsed) -> AsmResult<()> {
    match &p.ops[..] {
        [_, _, _, op @ Operand { val: Val::Int(_) | Val::Float(_), .. }] => {
            Err(AsmError::rule(op.span(), "the accumulator is no constant on this processor"))
        }
        [_, op @ Operand { val: Val::Reg(Reg { code: ..256, .. }), .. }] => {
            Err(AsmError::rule(op.span(), "a vector register or a constant is needed here on this processor"))
        }
        _ => Ok(()),
    }
}

/// A wide matrix result is the accumulator itself, or lies apart from it.
fn accumulator(p: &Parsed) -> AsmResult<()> {
    if let (Some(Operand { val: Val::Reg(d), .. }), Some(op)) = (p.ops.first(), p.ops.get(3))
        && let Val::Reg(c) = op.val
        && c.bank == d.bank
        && c.code != d.code
        && c.code < d.code + u16::from(d.dwords)
        && d.code < c.code + u16::from(c.dwords)
    {
        return Err(AsmError::rule(op.span(), "the accumulator must not overlap the destination in part"));
    }
    Ok(())
}

/// The result of these instructions is written before all sources are read.
fn early(form: &Form, p: &Parsed) -> AsmResult<()> {
    let reg = |o: &Operand| match o.val {
        Val::Reg(r) if r.code >= 256 => Some(r),
        _ => None,
    };
    let Some(dst) = p.ops.first().and_then(reg) else { return Ok(()) };
    for (slot, op) in form.slots.iter().zip(&p.ops).skip(1) {
        let Some(src) = reg(op) else { continue };
        if src.bank != dst.bank || slot.source == NO_BIT {
            continue;
        }
        // The accumulator may be the destination itself.
        if slot.source == 2 && src == dst {
            continue;
        }
        let (d, s) = (u32::from(dst.code), u32::from(src.code));
        if d < s + u32::from(src.dwords) && s < d + u32::from(dst.dwords) {
            return Err(AsmError::rule(op.span(), "the destination must not overlap this source"));
        }
    }
    Ok(())
}

/// Dual instructions read each operand slot from different banks, and write registers of different parity.
fn dual(target: &Target, p: &Parsed, form: &Form) -> AsmResult<()> {
    let code = |o: &Operand| match o.val {
        Val::Reg(Reg { bank: Bank::Vgpr, code, .. }) => Some(code - 256),
        _ => None,
    };
    // Which source port each operand of a half uses: the destination is 0xff, SRC0 0, VSRC1 1, and the third port 2.
    let mut halves: [[Option<u16>; 4]; 2] = [[None; 4]; 2];
    let mut half = 0;
    let mut next = 0;
    let mut fmamk = false;
    for slot in &form.slots {
        if let Kind::Dual(_) = slot.kind {
            half = 1;
            fmamk = false;
            continue;
        }
        let Some(op) = p.ops.get(next) else { break };
        next += 1;
        match slot.kind {
            Kind::Literal => fmamk = true,
            Kind::Vgpr | Kind::DualVdst if slot.source == NO_BIT => halves[half][3] = code(op),
            _ if slot.source == 0 => halves[half][0] = code(op),
            // FMAMK reads its second register through the third port.
            _ => halves[half][if fmamk { 2 } else { 1 }] = code(op),
        }
    }
    let [x, y] = &mut halves;
    let reads_dst = |name: &str| name.contains("fmac") || name.contains("dot2acc");
    let second = form.slots.iter().find_map(|s| if let Kind::Dual(n) = s.kind { Some(n) } else { None });
    if reads_dst(form.row.name) {
        x[2] = x[3];
    }
    if second.is_some_and(reads_dst) {
        y[2] = y[3];
    }
    let span = p.ops.get(p.first_half).map_or(0..1, Operand::span);
    if let (Some(a), Some(b)) = (x[3], y[3])
        && a % 2 == b % 2
    {
        return Err(AsmError::rule(span, "one destination must have an even, the other an odd number"));
    }
    // Two moves of gfx12 may read from one bank.
    let moves =
        form.row.name == "v_dual_mov_b32" && second == Some("v_dual_mov_b32") && target.generation() >= Gen::Gfx12;
    for (port, banks) in [(0, 4), (1, 4), (2, 2)] {
        if moves {
            break;
        }
        if let (Some(a), Some(b)) = (x[port], y[port])
            && a % banks == b % banks
        {
            let rule = [
                "the first sources of both halves must lie in different banks",
                "the second sources of both halves must lie in different banks",
                "the third sources of both halves must have different parity",
            ][port];
            return Err(AsmError::rule(span, rule));
        }
    }
    Ok(())
}
