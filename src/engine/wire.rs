//! Outcomes as bytes, from one process to another.
//!
//! An [`Answer`] is what a run came to: an outcome, or why there is none. Everything is little endian, lists and texts begin with their
//! length, choices with a tag; and the whole begins with a version, since the processes may be of different builds.
//!
//! ```text
//! version (4 bytes)  0  outcome
//! version (4 bytes)  1  tag  error
//! ```
//!
//! Vector registers are nearly always zero or the same in all lanes, so each begins with what it is ([`Lanes`]). There is one way to write
//! everything: bytes that are read as an answer are those which it is written as, and all others are [`Broken`].
//!
//! What an error of the case says is for the user of the process that has the case: it travels as text, as a [`EngineError::Crash`] does.

mod bytes;
#[cfg(test)]
mod tests;

use super::{Columns, EngineError, Memory, Message, Observed, Outcome, Stats, Trap, TrapKind, Unsupported, WaveState};
use crate::case::Export;
use crate::disasm::{Held, Reason};
use crate::isa::format;
use crate::isa::gcn;
use crate::isa::row::Family;
use crate::memory::guest::Access;
use bytes::{Reader, Wire, fill, put_count};
use std::time::Duration;

/// The version of the encoding: another one for every change of what is sent.
pub const VERSION: u32 = 2;

/// What came of a run.
pub type Answer = Result<Outcome, EngineError>;

/// What errors from another process were doing, as far as this one can say.
const ELSEWHERE: &str = "running in a process of its own";

/// Why bytes are no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// Another version wrote them.
    #[error("version {0} instead of {VERSION}")]
    Version(u32),
    /// They end too early.
    #[error("the bytes end too early")]
    Short,
    /// Something is left behind the end.
    #[error("bytes are left behind the end")]
    Long,
    /// A part of them means nothing.
    #[error("a {0} that means nothing")]
    Value(&'static str),
}

impl Broken {
    /// What an engine on a device of this name reports.
    #[must_use]
    pub fn on(self, device: &str) -> EngineError {
        EngineError::Crash {
            device: device.to_owned(),
            doing: ELSEWHERE,
            reason: format!("the answer is broken: {self}"),
        }
    }
}

/// An answer as bytes.
#[must_use]
pub fn encode(answer: &Answer) -> Vec<u8> {
    let mut to = Vec::new();
    VERSION.put(&mut to);
    match answer {
        Ok(outcome) => {
            to.push(0);
            outcome.put(&mut to);
        }
        Err(error) => {
            to.push(1);
            put_error(error, &mut to);
        }
    }
    to
}

/// The answer that bytes are.
///
/// # Errors
/// The bytes are no answer of this version.
pub fn decode(bytes: &[u8]) -> Result<Answer, Broken> {
    let mut registers = u64::MAX;
    decode_within(bytes, &mut registers)
}

/// The same of bytes that come from anywhere: with so many vector registers, of which those that there are are taken away.
///
/// # Errors
/// As [`decode`]; and there are more registers.
pub fn decode_within(bytes: &[u8], registers: &mut u64) -> Result<Answer, Broken> {
    let mut from = Reader::new(bytes);
    from.registers = *registers;
    match u32::get(&mut from)? {
        VERSION => {}
        other => return Err(Broken::Version(other)),
    }
    let answer = match u8::get(&mut from)? {
        0 => Ok(Outcome::get(&mut from)?),
        1 => Err(get_error(&mut from)?),
        _ => return Err(Broken::Value("kind of answer")),
    };
    *registers = from.registers;
    from.end()?;
    Ok(answer)
}

fn put_error(error: &EngineError, to: &mut Vec<u8>) {
    match error {
        EngineError::Unsupported(Unsupported { instruction, needs }) => {
            to.push(0);
            instruction.put(to);
            needs.put(to);
        }
        EngineError::Absent { device, reason } => {
            to.push(1);
            device.put(to);
            reason.put(to);
        }
        EngineError::Timeout(limit) => {
            to.push(2);
            limit.put(to);
        }
        EngineError::Crash { device, doing, reason } => {
            to.push(3);
            device.put(to);
            // What it was doing is one of the words of the program here, and text over there.
            if *doing == ELSEWHERE { reason.put(to) } else { format!("{doing}: {reason}").put(to) }
        }
        EngineError::Case(error) => {
            to.push(3);
            String::new().put(to);
            error.to_string().put(to);
        }
        EngineError::Memory { needs, limit, most } => {
            to.push(4);
            needs.put(to);
            limit.put(to);
            most.put(to);
        }
    }
}

fn get_error(from: &mut Reader<'_>) -> Result<EngineError, Broken> {
    Ok(match u8::get(from)? {
        0 => Unsupported { instruction: Wire::get(from)?, needs: Wire::get(from)? }.into(),
        1 => EngineError::Absent { device: Wire::get(from)?, reason: Wire::get(from)? },
        2 => EngineError::Timeout(Wire::get(from)?),
        3 => EngineError::Crash { device: Wire::get(from)?, doing: ELSEWHERE, reason: Wire::get(from)? },
        4 => EngineError::Memory { needs: Wire::get(from)?, limit: Wire::get(from)?, most: Wire::get(from)? },
        _ => return Err(Broken::Value("kind of error")),
    })
}

macro_rules! records {
    ($($ty:ident { $($field:ident)* })*) => {
        $(impl Wire for $ty {
            fn put(&self, to: &mut Vec<u8>) {
                // All fields or none of this compiles.
                let $ty { $($field),* } = self;
                $($field.put(to);)*
            }
            fn get(from: &mut Reader<'_>) -> Result<$ty, Broken> {
                Ok($ty { $($field: Wire::get(from)?),* })
            }
        })*
    };
}

records! {
    Outcome { waves observed buffers lds messages exports trap stats }
    Observed { columns rows there lds groups }
    WaveState { group index wave_size sgprs vgprs agprs vcc exec scc m0 mode status trapsts ttmps pc }
    Message { group wave pc message m0 }
    Export { group wave pc target row enabled half done valid exec lanes }
    Trap { kind group wave pc instruction lane address }
    Stats { families wave_instructions lane_operations paused seconds ticks }
}

/// Rows are found by multiplying, so that columns which no case has are refused.
impl Wire for Columns {
    fn put(&self, to: &mut Vec<u8>) {
        let Columns { registers, singles, lanes, lds } = self;
        registers.iter().for_each(|file| file.put(to));
        singles.put(to);
        lanes.put(to);
        lds.put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Columns, Broken> {
        let registers = [Wire::get(from)?, Wire::get(from)?, Wire::get(from)?, Wire::get(from)?];
        let columns = Columns { registers, singles: Wire::get(from)?, lanes: Wire::get(from)?, lds: Wire::get(from)? };
        let ascending = |file: &Vec<u32>| file.is_sorted_by(|a, b| a < b) && file.iter().all(|n| *n < 256);
        if columns.registers.iter().all(ascending) && columns.singles < 64 && columns.lanes <= 64 {
            Ok(columns)
        } else {
            Err(Broken::Value("column"))
        }
    }
}

/// What the lanes of a vector register are: the first of these that fits is what is sent.
#[derive(Clone, Copy)]
enum Lanes {
    Zero,
    /// Lanes 0 to 31 alike, the others zero.
    Half,
    /// Alike.
    Same,
    /// Lanes 32 to 63 are zero.
    Lower,
    Any,
}

impl Lanes {
    fn of(register: &[u32; 64]) -> Lanes {
        let (low, high) = register.split_at(32);
        let alike = |lanes: &[u32]| lanes.iter().all(|v| *v == register[0]);
        let empty = high.iter().all(|v| *v == 0);
        match (alike(low), empty) {
            (true, true) if register[0] == 0 => Lanes::Zero,
            (true, true) => Lanes::Half,
            (true, false) if alike(high) => Lanes::Same,
            (_, true) => Lanes::Lower,
            _ => Lanes::Any,
        }
    }
}

/// A vector register.
impl Wire for [u32; 64] {
    fn put(&self, to: &mut Vec<u8>) {
        let lanes = Lanes::of(self);
        to.push(lanes as u8);
        let sent = match lanes {
            Lanes::Zero => 0,
            Lanes::Half | Lanes::Same => 1,
            Lanes::Lower => 32,
            Lanes::Any => 64,
        };
        self[..sent].iter().for_each(|v| v.put(to));
    }
    fn get(from: &mut Reader<'_>) -> Result<[u32; 64], Broken> {
        from.register()?;
        let mut register = [0; 64];
        let tag = u8::get(from)?;
        match tag {
            0 => {}
            1 => register[..32].fill(u32::get(from)?),
            2 => register.fill(u32::get(from)?),
            3 => fill(&mut register[..32], from)?,
            4 => fill(&mut register, from)?,
            _ => return Err(Broken::Value("kind of register")),
        }
        if Lanes::of(&register) as u8 == tag { Ok(register) } else { Err(Broken::Value("kind of register")) }
    }
}

/// Byte by byte would take long in large memories.
impl Wire for Memory {
    fn put(&self, to: &mut Vec<u8>) {
        self.name.put(to);
        put_count(self.bytes.len(), to);
        to.extend(&self.bytes);
    }
    fn get(from: &mut Reader<'_>) -> Result<Memory, Broken> {
        let name = String::get(from)?;
        let count = from.count()?;
        Ok(Memory { name, bytes: from.take(count)?.to_vec() })
    }
}

/// The families, by their numbers.
#[rustfmt::skip]
const FAMILIES: [Family; 25] = {
    use Family::*;
    [
        Sop1, Sop2, Sopk, Sopc, Sopp, Smem, Vop1, Vop2, Vopc, Vop3, Vop3p, Mai, Vinterp, Vop3Interp, Vopd, Vintrp, Ldsdir, Ds, Mubuf, Mtbuf,
        Mimg, Flat, Global, Scratch, Exp,
    ]
};

impl Wire for Family {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(*self as u8);
    }
    fn get(from: &mut Reader<'_>) -> Result<Family, Broken> {
        FAMILIES.get(usize::from(u8::get(from)?)).copied().ok_or(Broken::Value("family"))
    }
}

impl Wire for Access {
    fn put(&self, to: &mut Vec<u8>) {
        to.push(match self {
            Access::Load => 0,
            Access::Store => 1,
            Access::Atomic => 2,
            Access::Fetch => 3,
        });
    }
    fn get(from: &mut Reader<'_>) -> Result<Access, Broken> {
        Ok(match u8::get(from)? {
            0 => Access::Load,
            1 => Access::Store,
            2 => Access::Atomic,
            3 => Access::Fetch,
            _ => return Err(Broken::Value("kind of access")),
        })
    }
}

impl Wire for TrapKind {
    fn put(&self, to: &mut Vec<u8>) {
        let tag = match self {
            TrapKind::BadAddress { .. } => 0,
            TrapKind::Misaligned { .. } => 1,
            TrapKind::IllegalInstruction(_) => 2,
            TrapKind::BadRegister(_) => 3,
            TrapKind::BadPc => 4,
            TrapKind::Budget { .. } => 5,
            TrapKind::Watchdog(_) => 6,
            TrapKind::Software(_) => 7,
            TrapKind::Exception(_) => 8,
            TrapKind::Halt => 9,
            TrapKind::Deadlock { .. } => 10,
            TrapKind::Unsupported { .. } => 11,
        };
        to.push(tag);
        match self {
            TrapKind::BadAddress { access, bytes: v } | TrapKind::Misaligned { access, align: v } => {
                access.put(to);
                v.put(to);
            }
            TrapKind::IllegalInstruction(reason) => reason.put(to),
            TrapKind::BadRegister(text) | TrapKind::Unsupported { needs: text } => text.put(to),
            TrapKind::BadPc | TrapKind::Halt => {}
            TrapKind::Budget { limit } => limit.put(to),
            TrapKind::Watchdog(limit) => limit.put(to),
            TrapKind::Software(number) => number.put(to),
            TrapKind::Exception(bits) => bits.put(to),
            TrapKind::Deadlock { waiting, waves } => {
                waiting.put(to);
                waves.put(to);
            }
        }
    }
    fn get(from: &mut Reader<'_>) -> Result<TrapKind, Broken> {
        Ok(match u8::get(from)? {
            0 => TrapKind::BadAddress { access: Wire::get(from)?, bytes: Wire::get(from)? },
            1 => TrapKind::Misaligned { access: Wire::get(from)?, align: Wire::get(from)? },
            2 => TrapKind::IllegalInstruction(Wire::get(from)?),
            3 => TrapKind::BadRegister(Wire::get(from)?),
            4 => TrapKind::BadPc,
            5 => TrapKind::Budget { limit: Wire::get(from)? },
            6 => TrapKind::Watchdog(Duration::get(from)?),
            7 => TrapKind::Software(Wire::get(from)?),
            8 => TrapKind::Exception(Wire::get(from)?),
            9 => TrapKind::Halt,
            10 => TrapKind::Deadlock { waiting: Wire::get(from)?, waves: Wire::get(from)? },
            11 => TrapKind::Unsupported { needs: Wire::get(from)? },
            _ => return Err(Broken::Value("trap")),
        })
    }
}

/// Names of formats and rows are the program's own: what it does not know came from another one.
impl Wire for Reason {
    fn put(&self, to: &mut Vec<u8>) {
        let mut named = |tag: u8, name: &str| {
            to.push(tag);
            name.to_owned().put(to);
        };
        match self {
            Reason::NoEncoding => to.push(0),
            Reason::NoOpcode { format, opcode } => {
                named(1, format);
                opcode.put(to);
            }
            Reason::NoForm(row) => named(2, row),
            Reason::Reserved { row, held } => {
                named(3, row);
                held.put(to);
            }
            Reason::BadField { row, held } => {
                named(4, row);
                held.put(to);
            }
            Reason::Truncated => to.push(5),
        }
    }
    fn get(from: &mut Reader<'_>) -> Result<Reason, Broken> {
        fn row(from: &mut Reader<'_>) -> Result<&'static str, Broken> {
            let name = String::get(from)?;
            gcn::rows().map(|row| row.name).find(|row| **row == *name).ok_or(Broken::Value("instruction"))
        }
        Ok(match u8::get(from)? {
            0 => Reason::NoEncoding,
            1 => {
                let name = String::get(from)?;
                let mut formats = [format::FORMATS, format::SDWA, format::DPP].into_iter().flatten();
                let format = formats.find(|format| format.name == name).ok_or(Broken::Value("format"))?;
                Reason::NoOpcode { format: format.name, opcode: Wire::get(from)? }
            }
            2 => Reason::NoForm(row(from)?),
            3 => Reason::Reserved { row: row(from)?, held: Wire::get(from)? },
            4 => Reason::BadField { row: row(from)?, held: Wire::get(from)? },
            5 => Reason::Truncated,
            _ => return Err(Broken::Value("reason")),
        })
    }
}

impl Wire for Held {
    fn put(&self, to: &mut Vec<u8>) {
        self.name.to_owned().put(to);
        self.bit.put(to);
        self.value.put(to);
    }
    fn get(from: &mut Reader<'_>) -> Result<Held, Broken> {
        let name = Held::known_name(&String::get(from)?).ok_or(Broken::Value("field"))?;
        Ok(Held { name, bit: Wire::get(from)?, value: Wire::get(from)? })
    }
}
