//! Where a target such as `VCC.u64[laneId]` or `D0[31 : 16].f16` writes.

use super::ast::Expr;
use super::eval::{Bound, Machine, Result, saturated};
use super::value::{Ty, Value, mask};

enum Root {
    D0,
    S0,
    Scc,
    Vcc,
    /// The carry out of the instructions that have a register for it: bit `laneId` of VCC here.
    Carry,
    Exec,
    ExecLow,
    Pc,
    Hardware,
    Variable(String),
    Element(String, usize),
    Vgpr(u32, u32),
    Sgpr(u32),
    /// Memory from a byte on.
    Memory(u32),
    /// The scalar data of a load, which may have more bits than a value.
    ScalarData,
}

/// Bits of something that can be written.
pub struct Place {
    root: Root,
    low: u32,
    /// `None` while nothing has said how wide: the value decides.
    ty: Option<Ty>,
    /// Whether a bit or a slice is meant, and the rest stays.
    partial: bool,
}

impl Place {
    pub fn of(machine: &mut Machine, target: &Expr) -> Result<Place> {
        match target {
            Expr::Name(name) => {
                let (root, ty) = match name.as_str() {
                    "D0" => (Root::D0, None),
                    "S0" => (Root::S0, None),
                    "SCC" => (Root::Scc, None),
                    "VCC" => (Root::Vcc, Some(Ty::U(64))),
                    "vcc_out" | "D1" => (Root::Carry, Some(Ty::U(1))),
                    "EXEC" => (Root::Exec, Some(Ty::U(64))),
                    "EXEC_LO" => (Root::ExecLow, Some(Ty::U(32))),
                    "PC" => (Root::Pc, Some(Ty::I(64))),
                    "SDATA" => (Root::ScalarData, None),
                    _ => (Root::Variable(name.clone()), None),
                };
                Ok(Place { root, low: 0, ty, partial: false })
            }
            // Whether a wave is in a trap handler, which cases look at, and exceptions, which are another matter.
            Expr::Field(base, field) if matches!(&**base, Expr::Name(n) if n == "TRAPSTS" || n == "WAVE_STATUS" && field == "PRIV") => {
                Ok(Place { root: Root::Variable(field.clone()), low: 0, ty: Some(Ty::U(1)), partial: false })
            }
            Expr::Field(base, field) => {
                let ty = Ty::of_suffix(field).ok_or_else(|| format!("the field {field}"))?;
                Ok(Place { ty: Some(ty), ..Place::of(machine, base)? })
            }
            Expr::Slice(base, from, to) => {
                let (from, to) = (machine.value(from)?.index()?, machine.value(to)?.index()?);
                if from < to {
                    return Err("a reversed target".into());
                }
                let place = Place::of(machine, base)?;
                Ok(Place { low: place.low + to, ty: Some(Ty::B(from - to + 1)), partial: true, ..place })
            }
            Expr::Index(base, index) => Place::element(machine, base, index),
            _ => Err(format!("a target {target:?}")),
        }
    }

    fn element(machine: &mut Machine, base: &Expr, index: &Expr) -> Result<Place> {
        let at = machine.value(index)?.index()?;
        if let Expr::Index(file, lane) = base
            && matches!(&**file, Expr::Name(n) if n == "VGPR")
        {
            let lane = machine.value(lane)?.index()?;
            return Ok(Place { root: Root::Vgpr(lane, at), low: 0, ty: Some(Ty::B(32)), partial: false });
        }
        if let Expr::Name(name) = base {
            match name.as_str() {
                "MEM" | "LDS" => return Ok(Place { root: Root::Memory(at), low: 0, ty: None, partial: false }),
                "SGPR" => return Ok(Place { root: Root::Sgpr(at), low: 0, ty: None, partial: false }),
                "HW_REGISTERS" => {
                    return Ok(Place { root: Root::Hardware, low: 0, ty: Some(Ty::B(32)), partial: false });
                }
                _ => {}
            }
            if let Some(Bound::Many(values)) = machine.names.get(name) {
                let ty = values.first().map(|v| v.ty);
                return Ok(Place { root: Root::Element(name.clone(), at as usize), low: 0, ty, partial: false });
            }
        }
        let place = Place::of(machine, base)?;
        Ok(Place { low: place.low + at, ty: Some(Ty::U(1)), partial: true, ..place })
    }

    pub fn store(self, machine: &mut Machine, value: Value) -> Result<()> {
        let value = match (self.ty, value.ty) {
            (Some(ty), Ty::Wide) => saturated(value, ty),
            (Some(Ty::F(format)), Ty::F(other)) if format != other => {
                return Err(format!("{other:?} into {format:?} without a conversion"));
            }
            (Some(ty), Ty::F(_)) => Value::new(ty, value.bits),
            (Some(ty), _) => Value::new(ty, value.number() as u128),
            (None, _) => value,
        };
        let width = value.ty.width();
        let put = |old: u128| old & !(mask(width) << self.low) | value.bits << self.low;
        match self.root {
            Root::D0 => {
                machine.d0 = put(machine.d0);
                machine.d0_mask |= mask(width) << self.low;
                machine.d0_ty = value.ty;
            }
            Root::S0 => machine.s0_out = Some(put(0)),
            Root::Scc => machine.scc = value.truth(),
            Root::Vcc => machine.vcc = put(machine.vcc.into()) as u64,
            Root::Carry => {
                let bit = 1 << machine.inputs.lane;
                machine.vcc = machine.vcc & !bit | u64::from(value.truth()) << machine.inputs.lane;
            }
            Root::Exec | Root::ExecLow => machine.exec = put(machine.exec.into()) as u64,
            Root::Pc => machine.pc = value.number() as i64,
            Root::Hardware => machine.hwreg = value.bits as u32,
            Root::Vgpr(lane, register) => machine.vgprs.push((lane, register, value.bits as u32)),
            Root::Sgpr(register) => machine.sgprs.push((register, value.bits as u64)),
            Root::Memory(at) => machine.stores.push((at, width / 8, value.bits)),
            Root::ScalarData => machine.data.push((self.low, width, value.bits)),
            Root::Element(name, at) => {
                if let Some(Bound::Many(values)) = machine.names.get_mut(&name)
                    && let Some(slot) = values.get_mut(at)
                {
                    *slot = value;
                }
            }
            Root::Variable(name) => {
                let bound = match machine.names.get(&name) {
                    Some(Bound::One(old)) if self.partial => Value::new(old.ty, put(old.bits)),
                    // A part of what nothing has declared.
                    _ if self.partial => Value::new(Ty::B(128), put(0)),
                    _ => value,
                };
                machine.names.insert(name, Bound::One(bound));
            }
        }
        Ok(())
    }
}
