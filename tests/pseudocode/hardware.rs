//! What an RX 7900 XTX left in its registers after short programs (`../shared/hw/register_cases.jsonl`, with its provenance there), run
//! line by line with the interpreter. A program with anything but scalar and vector instructions in it is set aside.

use crate::pseudocode::exact::{F16, F32, F64};
use crate::pseudocode::float::{Mode, convert_raw};
use crate::pseudocode::types::Operand;
use crate::pseudocode::value::Ty;
use crate::pseudocode::{Inputs, NotCovered, Outputs, Reference};

/// The registers of one wave, and which results are only known to a tolerance.
pub struct Wave<'a> {
    reference: &'a Reference,
    pub lanes: u32,
    pub v: Vec<Vec<u32>>,
    pub s: Vec<u32>,
    pub scc: bool,
    pub wave_size: u32,
    /// The last result of each lane that was approximate or a NaN of any kind: register and outputs.
    pub loose: Vec<(u32, u32, Outputs)>,
}

const VCC: usize = 106;
const M0: usize = 125;
const EXEC: usize = 126;

/// Why a program cannot be run here.
pub type Aside = String;

/// One operand as written.
#[derive(Clone, Debug)]
struct Written {
    text: String,
    absolute: bool,
    negative: bool,
}

fn written(text: &str) -> Written {
    let (mut text, mut absolute, mut negative) = (text.trim(), false, false);
    if let Some(rest) = text.strip_prefix('-').filter(|r| !r.starts_with(|c: char| c.is_ascii_digit())) {
        (text, negative) = (rest, true);
    }
    if let Some(rest) = text.strip_prefix('|') {
        (text, absolute) = (rest.trim_end_matches('|'), true);
    }
    Written { text: text.to_owned(), absolute, negative }
}

/// `v[2:3]`, `s5`, `v0.h`, `vcc_lo`: file, first register, and whether the high half is meant.
fn register(text: &str) -> Option<(char, u32, bool)> {
    let (text, high) = match text.strip_suffix(".h") {
        Some(rest) => (rest, true),
        None => (text.strip_suffix(".l").unwrap_or(text), false),
    };
    let special = match text {
        "vcc_lo" => Some(VCC),
        "vcc_hi" => Some(VCC + 1),
        "m0" => Some(M0),
        "exec_lo" => Some(EXEC),
        "exec_hi" => Some(EXEC + 1),
        _ => None,
    };
    if let Some(number) = special {
        return Some(('s', number as u32, high));
    }
    let file = text.chars().next().filter(|c| "vs".contains(*c))?;
    let digits = text[1..].trim_start_matches('[').split(':').next()?.trim_end_matches(']');
    Some((file, digits.parse().ok()?, high))
}

fn list(text: &str, key: &str) -> Option<u32> {
    let rest = &text[text.find(&format!("{key}:["))? + key.len() + 2..];
    let items = rest.split(']').next()?.split(',');
    Some(items.enumerate().map(|(i, item)| u32::from(item.trim() == "1") << i).sum())
}

impl<'a> Wave<'a> {
    pub fn new(reference: &'a Reference, lanes: u32, wave_size: u32) -> Self {
        let mut v = vec![vec![0; lanes as usize]; 256];
        v[255] = (0..lanes).collect();
        let mut s = vec![0; 128];
        let exec = if lanes >= 64 { u64::MAX } else { (1 << lanes) - 1 };
        (s[EXEC], s[EXEC + 1]) = (exec as u32, (exec >> 32) as u32);
        Self { reference, lanes, v, s, scc: false, wave_size, loose: Vec::new() }
    }

    fn pair(&self, register: usize) -> u64 {
        u64::from(self.s[register]) | u64::from(self.s.get(register + 1).copied().unwrap_or(0)) << 32
    }

    /// One line of a program.
    pub fn step(&mut self, line: &str) -> Result<(), Aside> {
        let (mnemonic, rest) = line.split_once(' ').unwrap_or((line, ""));
        if ["::", "DPP", "s_cbranch"].iter().any(|form| line.contains(form)) {
            return Err(format!("the form {line}"));
        }
        let name = mnemonic.trim_end_matches("_e32").trim_end_matches("_e64").to_ascii_uppercase();
        if matches!(name.as_str(), "S_NOP" | "S_BARRIER" | "S_WAIT_IDLE") {
            return Ok(());
        }
        let Some(operands) = self.reference.operands(&name) else { return Err(format!("no text of {name}")) };
        let end = [" clamp", " op_sel", " neg_lo", " neg_hi"].iter().filter_map(|m| rest.find(m)).min();
        let (plain, modifiers) = rest.split_at(end.unwrap_or(rest.len()));
        let mut parts: Vec<Written> = split(plain).map(written).collect();
        let compare_exec = name.starts_with("V_CMPX");
        let no_target = compare_exec || name.starts_with("S_CMP") || name.starts_with("S_BITCMP");
        let target = if no_target { None } else { Some(parts.remove(0)) };
        let carry = name.contains("_CO_") || name.contains("DIV_SCALE") || name.starts_with("V_MAD_U64");
        let carry_out = if carry { Some(parts.remove(0)) } else { None };
        let mask_in = name.contains("_CI_") || name.starts_with("V_CNDMASK");
        let carry_in = if mask_in { parts.pop() } else { None };
        let scalar = name.starts_with("S_");
        let once = scalar || name.contains("READLANE") || name.contains("FIRSTLANE") || name.contains("WRITELANE");
        let once = once || name.starts_with("V_PERMLANE") || name.starts_with("V_WMMA");
        let exec = self.pair(EXEC);
        let vcc_in = match carry_in.and_then(|w| register(&w.text)) {
            Some((_, number, _)) => self.pair(number as usize),
            None => self.pair(VCC),
        };
        let lanes: Vec<u32> =
            if once { vec![0] } else { (0..self.lanes).filter(|lane| exec >> lane & 1 == 1).collect() };
        let (mut vcc_out, mut mask, mut exec_out) = (0u64, 0u64, 0u64);
        let mut results = Vec::new();
        for &lane in &lanes {
            let mut inputs = Inputs {
                vcc: vcc_in,
                scc: self.scc,
                exec,
                m0: self.s[M0],
                lane,
                wave_size: self.wave_size,
                mode: Mode::default(),
                clamp: modifiers.contains("clamp"),
                opsel: list(modifiers, "op_sel").unwrap_or(0),
                opsel_hi: list(modifiers, "op_sel_hi").unwrap_or(0),
                neg: list(modifiers, "neg_lo").unwrap_or(0),
                ..Inputs::default()
            };
            if name.starts_with("V_PK_") && list(modifiers, "op_sel_hi").is_none() {
                inputs.opsel_hi = 7;
            }
            for (i, part) in parts.iter().enumerate() {
                // An operand of a mixed sum is an f16 where OPSEL_HI says so, and its modifiers are that half's.
                let half = name.contains("_MIX") && inputs.opsel_hi >> i & 1 == 1;
                let read = if half { Some(Operand { ty: Ty::F(F16), packed: false }) } else { operands.s[i] };
                inputs.s[i] = match self.operand(part, read, lane)? {
                    _ if half && inputs.opsel >> i & 1 == 1 => {
                        let high = Written { text: format!("{}.h", part.text), ..part.clone() };
                        self.operand(&high, read, lane)? << 16
                    }
                    bits => bits,
                };
                if name.starts_with("V_PK_") {
                    let half = |from: u32| inputs.s[i] >> (16 * (from >> i & 1)) & 0xffff;
                    inputs.s[i] = half(inputs.opsel_hi) << 16 | half(inputs.opsel);
                }
                inputs.src[i] = register(&part.text).map_or(0, |(_, number, _)| number);
            }
            let to = target.as_ref().and_then(|t| register(&t.text));
            if let Some((file, number, high)) = to {
                inputs.vdst = number;
                inputs.d0 = match file {
                    'v' => (0..4).rev().fold(0, |all, i| {
                        let word = self.v.get(number as usize + i).map_or(0, |r| r[lane as usize]);
                        all << 32 | u128::from(word)
                    }),
                    _ => self.pair(number as usize).into(),
                };
                if high {
                    inputs.d0 >>= 16;
                }
            }
            let read_v = |lane: u32, number: u32| self.v[number as usize].get(lane as usize).copied().unwrap_or(0);
            let read_s = |number: u32| self.pair(number as usize);
            let inputs = Inputs { vgprs: Some(&read_v), sgprs: Some(&read_s), ..inputs };
            let out = self.reference.eval(&name, &inputs).map_err(|NotCovered(why)| format!("{name}: {why}"))?;
            vcc_out |= out.vcc & 1 << lane;
            exec_out |= out.exec & 1 << lane;
            mask |= (out.d0 as u64) & 1 << lane;
            results.push((lane, out));
        }
        if name.starts_with("V_WMMA") {
            // The lanes beyond those of the case are made of nothing and stay so.
            let lanes = self.lanes;
            results.iter_mut().for_each(|(_, out)| out.vgprs.retain(|(lane, ..)| *lane < lanes));
        }
        if once && let Some((_, out)) = results.first() {
            self.scc = out.scc;
            for &(lane, register, value) in &out.vgprs {
                self.v[register as usize][lane as usize] = value;
            }
        }
        if compare_exec {
            self.s[EXEC] = exec_out as u32;
        }
        if let Some((_, number, _)) = carry_out.and_then(|w| register(&w.text)) {
            self.s[number as usize] = vcc_out as u32;
        }
        let Some((file, number, high)) = target.and_then(|t| register(&t.text)) else { return Ok(()) };
        if name.starts_with("V_CMP_") {
            self.s[number as usize] = mask as u32;
            return Ok(());
        }
        for (lane, out) in results {
            self.write(file, number, high, lane, out);
        }
        Ok(())
    }

    fn write(&mut self, file: char, number: u32, high: bool, lane: u32, out: Outputs) {
        let shift = if high { 16 } else { 0 };
        let (bits, mask) = ((out.d0 & out.d0_mask) << shift, out.d0_mask << shift);
        for word in 0..4 {
            let (bits, mask) = ((bits >> (32 * word)) as u32, (mask >> (32 * word)) as u32);
            let slot = match file {
                'v' => self.v.get_mut(number as usize + word).and_then(|r| r.get_mut(lane as usize)),
                _ => self.s.get_mut(number as usize + word),
            };
            if let Some(slot) = slot.filter(|_| mask != 0) {
                *slot = *slot & !mask | bits;
            }
        }
        if file == 'v' {
            self.loose.retain(|(r, l, _)| (*r, *l) != (number, lane));
            self.loose.push((number, lane, out));
        }
    }

    /// An operand's bits, with its modifiers.
    fn operand(&self, written: &Written, operand: Option<Operand>, lane: u32) -> Result<u128, Aside> {
        let ty = operand.map_or(Ty::B(32), |o| o.ty);
        let width = ty.width();
        let bits = match register(&written.text) {
            Some((file, number, high)) => {
                let word = |i: u32| match file {
                    'v' => self.v.get(number as usize + i as usize).map_or(0, |r| r[lane as usize]),
                    _ => self.s.get(number as usize + i as usize).copied().unwrap_or(0),
                };
                let all = (0..width.div_ceil(32)).rev().fold(0u128, |all, i| all << 32 | u128::from(word(i)));
                if high { all >> 16 } else { all }
            }
            None if written.text == "null" => 0,
            None => constant(&written.text, ty)?,
        };
        if !written.absolute && !written.negative {
            return Ok(bits);
        }
        let Ty::F(format) = ty else { return Err(format!("a float modifier of {ty:?}")) };
        let sign = u128::from(format.sign_bit());
        let bits = if written.absolute { bits & !sign } else { bits };
        Ok(if written.negative { bits ^ sign } else { bits })
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|t| !t.is_empty())
}

/// An inline constant or a literal at the width of its operand.
fn constant(text: &str, ty: Ty) -> Result<u128, Aside> {
    let unknown = || format!("the operand {text}");
    if text.contains('.') {
        let value: f64 = text.parse().map_err(|_| unknown())?;
        let format = match ty {
            Ty::F(format) => format,
            ty if ty.width() == 64 => F64,
            _ => F32,
        };
        return Ok(convert_raw(F64, format, value.to_bits(), &Mode::default()).into());
    }
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |d| (d, true));
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let number = number.map_err(|_| unknown())?;
    let number = if negative { -number } else { number };
    let inline = (-16..=64).contains(&number);
    Ok(match ty {
        Ty::F(format) if format == F64 && !inline => u128::from(number as u64) << 32,
        Ty::I(64) => i128::from(number as i32) as u128 & u128::from(u64::MAX),
        _ if ty.width() == 64 => u128::from(number as u64),
        _ => u128::from(number as u32),
    })
}

/// Whether a register holds what hardware left there: exactly, or as closely as its last writer is known.
pub fn agrees(wave: &Wave, register: u32, lane: u32, expected: u32) -> bool {
    let ours = wave.v[register as usize][lane as usize];
    if ours == expected {
        return true;
    }
    let both_nan = F32.is_nan(ours.into()) && F32.is_nan(expected.into());
    wave.loose.iter().any(|(r, l, out)| {
        let nan = matches!(out.d0_ty, Ty::F(f) if f == F32) && both_nan;
        (*r, *l) == (register, lane) && (nan || out.agrees(expected.into()))
            // The upper word of a double that is a NaN either way.
            || (*r + 1, *l) == (register, lane) && out.d0_ty == Ty::F(F64) && F64.is_nan(out.d0 as u64) && {
                F64.is_nan(u64::from(expected) << 32 | 1)
            }
    })
}

/// The formats a case may name, for the reader of a failure.
pub fn shown(bits: u32) -> String {
    let half = convert_raw(F16, F64, u64::from(bits & 0xffff), &Mode::default());
    format!("{bits:#010x} ({} or {})", f32::from_bits(bits), f64::from_bits(half))
}
