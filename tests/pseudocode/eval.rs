//! Running statements over one lane of a small machine.

use super::ast::{Binary, Body, Expr, Stmt};
use super::builtin;
use super::exact::{F16, F32, F64, Format};
use super::float::{self, Mode};
use super::place::Place;
use super::value::{self, Sums, Ty, Value, mask};
use super::{Inputs, Reference, Tolerance};
use std::collections::HashMap;
use std::rc::Rc;

pub type Result<T> = std::result::Result<T, String>;

/// What a name stands for.
#[derive(Clone)]
pub enum Bound {
    One(Value),
    Many(Vec<Value>),
    Function(Rc<(Vec<String>, Body)>),
}

/// The state while one text runs: the operands are latched before, the results are read after.
pub struct Machine<'a> {
    pub reference: &'a Reference,
    pub inputs: &'a Inputs<'a>,
    pub mode: Mode,
    pub sums: Sums,
    /// Whether float operands are flushed when they are read, by operand: S0, S1, S2, and all that is not one of them.
    pub flush_inputs: [bool; 4],
    pub s: [u128; 3],
    pub d0: u128,
    /// The bits of D0 that were written.
    pub d0_mask: u128,
    /// The type of the last value written to D0.
    pub d0_ty: Ty,
    pub s0_out: Option<u128>,
    pub vcc: u64,
    pub exec: u64,
    pub scc: bool,
    pub pc: i64,
    pub hwreg: u32,
    pub vgprs: Vec<(u32, u32, u32)>,
    pub sgprs: Vec<(u32, u64)>,
    /// What was stored: the address, bytes, and bits.
    pub stores: Vec<(u32, u32, u128)>,
    /// Parts of the scalar data: the first bit, how many, and what they are.
    pub data: Vec<(u32, u32, u128)>,
    /// What was stored with a format: the component, and the register's bits.
    pub components: Vec<(usize, u32)>,
    pub names: HashMap<String, Bound>,
    pub approx: Option<Tolerance>,
    pub nan_any: bool,
    pub scc_any: bool,
}

/// How a block ended.
pub enum Flow {
    On,
    Break,
    Return(Value),
}

impl<'a> Machine<'a> {
    pub fn new(reference: &'a Reference, inputs: &'a Inputs<'a>) -> Self {
        Self {
            reference,
            inputs,
            mode: inputs.mode,
            sums: Sums::Wrap,
            flush_inputs: [true; 4],
            s: inputs.s,
            d0: inputs.d0,
            d0_mask: 0,
            d0_ty: Ty::U(32),
            s0_out: None,
            vcc: inputs.vcc,
            exec: inputs.exec,
            scc: inputs.scc,
            pc: inputs.pc,
            hwreg: inputs.hwreg,
            vgprs: Vec::new(),
            sgprs: Vec::new(),
            stores: Vec::new(),
            data: Vec::new(),
            components: Vec::new(),
            names: HashMap::new(),
            approx: None,
            nan_any: false,
            scc_any: false,
        }
    }

    pub fn run(&mut self, block: &[Stmt]) -> Result<Flow> {
        for statement in block {
            match self.step(statement)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn step(&mut self, statement: &Stmt) -> Result<Flow> {
        match statement {
            Stmt::Assign(Expr::Name(name), None, Expr::Lambda(params, body)) => {
                let function = Bound::Function(Rc::new((params.clone(), (**body).clone())));
                self.names.insert(name.clone(), function);
            }
            Stmt::Assign(target, None, Expr::Call(name, arguments)) if name == "ConvertToFormat" => {
                let which = component(target).ok_or("a component without a name")?;
                let [register] = &arguments[..] else { return Err("more than a register".into()) };
                let bits = self.value(register)?.bits as u32;
                self.components.push((which, bits));
            }
            Stmt::Assign(target, op, value) => {
                let mut value = self.value(value)?;
                if let Some(op) = op {
                    let old = self.value(target)?;
                    value = self.binary(*op, old, value)?;
                }
                self.assign(target, value)?;
            }
            Stmt::If(arms, otherwise) => {
                for (condition, block) in arms {
                    if self.value(condition)?.truth() {
                        return self.run(block);
                    }
                }
                return self.run(otherwise);
            }
            Stmt::For(name, from, to, block) => {
                let (from, to) = (self.value(from)?, self.value(to)?);
                // The counter has the type declared for it, or the one of the bounds.
                for i in from.number()..=to.number() {
                    self.names.insert(name.clone(), Bound::One(Value::new(from.ty, i as u128)));
                    match self.run(block)? {
                        Flow::On => {}
                        Flow::Break => break,
                        returned @ Flow::Return(_) => return Ok(returned),
                    }
                }
            }
            Stmt::Declare(name, ty, count) => {
                let bound = match (count, self.names.get(name)) {
                    // A field of the instruction, which who asks has given.
                    (None, Some(Bound::One(given))) => Bound::One(given.viewed(*ty)),
                    (None, _) => Bound::One(Value::new(*ty, 0)),
                    // The undefined array of sources that the mixed fused multiply-add reads.
                    (Some(3), _) if name == "S" => Bound::Many(self.s.iter().map(|&s| Value::new(*ty, s)).collect()),
                    (Some(n), _) => Bound::Many(vec![Value::new(*ty, 0); *n as usize]),
                };
                self.names.insert(name.clone(), bound);
            }
            Stmt::Return(value) => return Ok(Flow::Return(self.value(value)?)),
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Call(call) => {
                if !matches!(call, Expr::Call(name, _) if name == "nop" || name == "v_nop") {
                    self.value(call)?;
                }
            }
            Stmt::Words(words) => return Err(format!("words instead of a statement: {words}")),
        }
        Ok(Flow::On)
    }

    pub fn binary(&self, op: Binary, a: Value, b: Value) -> Result<Value> {
        value::binary(op, a, b, self.sums, &self.mode)
    }

    pub fn value(&mut self, expr: &Expr) -> Result<Value> {
        match expr {
            Expr::Number(ty, bits) => Ok(Value::new(*ty, *bits)),
            Expr::Name(name) => self.name(name),
            Expr::Field(base, field) => self.field(base, field),
            Expr::Index(base, index) => self.index(base, index),
            Expr::Slice(base, from, to) => {
                let (from, to) = (self.value(from)?.index()?, self.value(to)?.index()?);
                Ok(self.value(base)?.slice(from, to))
            }
            Expr::Concat(parts) => {
                let (mut bits, mut width) = (0u128, 0);
                for part in parts {
                    let part = self.value(part)?;
                    bits = bits.checked_shl(part.ty.width()).unwrap_or(0) | part.bits;
                    width += part.ty.width();
                }
                if width > 128 { Err(format!("{width} bits together")) } else { Ok(Value::new(Ty::B(width), bits)) }
            }
            Expr::Cast(ty, inner) => self.value(inner)?.cast(*ty, &self.mode),
            // Formats are not said there: who asks knows what a component is.
            Expr::Call(name, arguments) if name == "ConvertFromFormat" => {
                let which = arguments.first().and_then(component).ok_or("a component without a name")?;
                let known = self.inputs.component.ok_or("no format was given")?;
                Ok(Value::new(Ty::B(32), known(which).into()))
            }
            // Where an access is, who asks has said.
            Expr::Call(name, _) if name.starts_with("Calc") && name.ends_with("Addr") => self.name("ADDR"),
            Expr::Call(name, arguments) => {
                let values: Result<Vec<Value>> = arguments.iter().map(|a| self.value(a)).collect();
                self.call(name, &values?)
            }
            Expr::Unary(op, inner) => self.value(inner)?.unary(*op),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.binary(*op, left, right)
            }
            Expr::Choose(condition, yes, no) => {
                let chosen = if self.value(condition)?.truth() { yes } else { no };
                self.value(chosen)
            }
            Expr::Lambda(..) => Err("a lambda as a value".into()),
        }
    }

    fn name(&mut self, name: &str) -> Result<Value> {
        if let Some(bound) = self.names.get(name) {
            return match bound {
                Bound::One(value) => Ok(*value),
                _ => Err(format!("{name} is no value")),
            };
        }
        let wave64 = self.inputs.wave_size == 64;
        Ok(match name {
            "S0" => Value::new(Ty::B(128), self.s[0]),
            "S1" => Value::new(Ty::B(128), self.s[1]),
            "S2" => Value::new(Ty::B(128), self.s[2]),
            "D0" => Value::new(Ty::B(128), self.d0),
            "SCC" => Value::bit(self.scc),
            "VCC" => Value::new(Ty::U(64), self.vcc.into()),
            "EXEC" => Value::new(Ty::U(64), self.exec.into()),
            "EXEC_LO" => Value::new(Ty::U(32), self.exec.into()),
            "PC" => Value::new(Ty::I(64), self.pc as u128),
            "M0" => Value::new(Ty::U(32), self.inputs.m0.into()),
            "SIMM16" => Value::new(Ty::B(16), self.inputs.simm.into()),
            "SIMM32" => Value::new(Ty::B(32), self.inputs.simm.into()),
            "laneId" | "laneID" | "lane" => Value::new(Ty::U(32), self.inputs.lane.into()),
            "SRC0" => Value::new(Ty::U(32), self.inputs.src[0].into()),
            "VDST" | "DST" => Value::new(Ty::U(32), self.inputs.vdst.into()),
            "OPSEL" => Value::new(Ty::U(3), self.inputs.opsel.into()),
            "OPSEL_HI" => Value::new(Ty::U(3), self.inputs.opsel_hi.into()),
            "NEG" => Value::new(Ty::U(3), self.inputs.neg.into()),
            "WAVE64" => Value::bit(wave64),
            "WAVE32" | "wave32" => Value::bit(!wave64),
            "INF" => Value::float(F64, F64.infinity(false)),
            "NAN" => Value::float(F64, F64.default_nan()),
            "MAX_FLOAT_F32" => Value::float(F32, F32.largest(false)),
            _ => return Err(format!("the name {name}")),
        })
    }

    fn field(&mut self, base: &Expr, field: &str) -> Result<Value> {
        if let Expr::Name(name) = base {
            let constant = |format: Format| match name.as_str() {
                "INF" => Some(format.infinity(false)),
                "NAN" => Some(format.default_nan()),
                _ => None,
            };
            match (name.as_str(), field, Ty::of_suffix(field)) {
                ("WAVE_MODE", "IEEE", _) => return Ok(Value::bit(self.mode.ieee)),
                // What a debugger sets; there is none.
                ("WAVE_STATUS", "COND_DBG_SYS" | "COND_DBG_USER", _) => return Ok(Value::bit(false)),
                (_, _, Some(Ty::F(format))) if constant(format).is_some() => {
                    return Ok(Value::float(format, constant(format).unwrap_or(0)));
                }
                _ => {}
            }
        }
        let ty = Ty::of_suffix(field).ok_or_else(|| format!("the field {field}"))?;
        let value = self.value(base)?.viewed(ty);
        Ok(match (ty, source(base)) {
            (Ty::F(format), Some(which)) if self.flush_inputs[which] => {
                Value::float(format, self.mode.taken(format, value.bits as u64))
            }
            _ => value,
        })
    }

    fn index(&mut self, base: &Expr, index: &Expr) -> Result<Value> {
        let at = self.value(index)?;
        match base {
            Expr::Name(name) if name == "HW_REGISTERS" => return Ok(Value::new(Ty::U(32), self.hwreg.into())),
            Expr::Name(name) if name == "MEM" || name == "LDS" => {
                return Ok(Value::new(Ty::B(128), self.load(at.index()?)?));
            }
            Expr::Name(name) if name == "SGPR" => {
                let bits = self.inputs.sgpr(at.index()?)?;
                return Ok(Value::new(Ty::B(64), bits.into()));
            }
            Expr::Name(name) => {
                if let Some(Bound::Many(values)) = self.names.get(name) {
                    let value = values.get(at.index()? as usize);
                    return value.copied().ok_or_else(|| format!("{name}[{}]", at.number()));
                }
            }
            Expr::Index(file, lane) if matches!(&**file, Expr::Name(n) if n == "VGPR") => {
                let lane = self.value(lane)?.index()?;
                return Ok(Value::new(Ty::B(32), self.inputs.vgpr(lane, at.index()?)?.into()));
            }
            _ => {}
        }
        let value = self.value(base)?;
        let at = at.index()?;
        Ok(value.slice(at, at))
    }

    /// Sixteen bytes of memory. Who asks takes what it wants of them.
    fn load(&self, at: u32) -> Result<u128> {
        let byte = self.inputs.memory.ok_or("no memory was given")?;
        Ok((0..16).rev().fold(0, |all, n| all << 8 | u128::from(byte(at.wrapping_add(n)))))
    }

    pub fn call(&mut self, name: &str, arguments: &[Value]) -> Result<Value> {
        if let Some(Bound::Function(function)) = self.names.get(name) {
            let function = Rc::clone(function);
            let kept = self.names.clone();
            for (param, value) in function.0.iter().zip(arguments) {
                self.names.insert(param.clone(), Bound::One(*value));
            }
            let result = match &function.1 {
                Body::Value(value) => self.value(value),
                Body::Block(block) => match self.run(block)? {
                    Flow::Return(value) => Ok(value),
                    _ => Err(format!("{name} returns nothing")),
                },
            };
            self.names = kept;
            return result;
        }
        if let Some(result) = builtin::call(name, arguments, &self.mode) {
            return result;
        }
        // The name of an instruction: what it would give for these operands.
        let entry = name.to_ascii_uppercase();
        let mut s = [0; 3];
        for (s, argument) in s.iter_mut().zip(arguments) {
            *s = argument.bits;
        }
        let mut inner = Machine::new(self.reference, self.inputs);
        (inner.s, inner.mode) = (s, self.mode);
        self.reference.run_entry(&entry, &mut inner)?;
        Ok(Value::new(inner.d0_ty, inner.d0))
    }

    /// Writes a value through a target such as `D0.u[3 : 0]`.
    pub fn assign(&mut self, target: &Expr, value: Value) -> Result<()> {
        if let Expr::Concat(parts) = target {
            let mut rest = value;
            for part in parts.iter().rev() {
                let ty = match part {
                    Expr::Field(_, field) => Ty::of_suffix(field).ok_or_else(|| format!("the field {field}"))?,
                    _ => return Err("a part without a type".into()),
                };
                self.assign(part, Value::new(ty, rest.bits))?;
                rest = Value::new(Ty::B(128), rest.bits >> ty.width());
            }
            return Ok(());
        }
        let place = Place::of(self, target)?;
        place.store(self, value)
    }
}

/// Which component of an element it is: `MEM[TADDR.X]`, `MEM[addr + ChannelOffsetX()]`.
fn component(place: &Expr) -> Option<usize> {
    let letter = |name: &str| ["X", "Y", "Z", "W"].iter().position(|letter| *letter == name);
    let Expr::Index(_, at) = place else { return None };
    match &**at {
        Expr::Field(base, field) if **base == Expr::Name("TADDR".into()) => letter(field),
        Expr::Binary(Binary::Add, _, offset) => match &**offset {
            Expr::Call(name, _) => letter(name.strip_prefix("ChannelOffset")?),
            _ => None,
        },
        _ => None,
    }
}

/// Which operand an expression is a part of: the index in `flush_inputs`.
fn source(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Name(name) => match name.as_str() {
            "S0" => Some(0),
            "S1" => Some(1),
            "S2" => Some(2),
            "D0" | "SIMM32" | "S" => Some(3),
            _ => None,
        },
        Expr::Field(base, _) | Expr::Index(base, _) | Expr::Slice(base, ..) => source(base),
        _ => None,
    }
}

/// Saturates a wide sum to what its target holds.
pub fn saturated(value: Value, ty: Ty) -> Value {
    let number = value.bits as i128;
    let clamped = match ty {
        Ty::I(w) => number.clamp(-(1 << (w - 1)), (1 << (w - 1)) - 1),
        ty => number.clamp(0, mask(ty.width().min(126)) as i128),
    };
    Value::new(ty, clamped as u128)
}

/// The float formats by the letter of a helper's name.
pub fn format_of(name: &str) -> Option<Format> {
    match name {
        "f16" => Some(F16),
        "f32" => Some(F32),
        "f64" => Some(F64),
        _ => None,
    }
}

/// `x` rounded toward minus infinity.
pub fn floor(format: Format, bits: u64, mode: &Mode) -> u64 {
    float::integral(format, bits, super::exact::Rounding::Down, mode)
}
