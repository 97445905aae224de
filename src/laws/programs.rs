//! Whole random programs, and what must hold of the emulator: any program ends in an outcome, and the same one each time.
//!
//! A [`Trial`] is a case that bytes choose. Its program is words as they come and instructions made from the forms of the processor, with any
//! bits in their fields or with values of interest. Its registers hold patterns, with addresses, descriptors and broken descriptors
//! among them, so that some accesses succeed and others fail in every way there is. Branches lead nearby, and a small budget ends loops.
//!
//! A random program soon traps, and what stands behind the trap would never run: [`emulate`] puts `s_nop` there and begins anew.

use super::Chance;
use super::bytes::Bytes;
use super::instruction;
use crate::case::initial::{FIRST_ADDRESS, PAGE};
use crate::case::isa::{Isa, Select};
use crate::case::mode::Mode;
use crate::case::random::Class;
use crate::case::value::{Descriptor, File, Lit};
use crate::case::{Body, Buffer, Case, Init, Place, TrapHandler, Value, descriptor};
use crate::disasm;
use crate::emu::engine::Emulator;
use crate::engine::Options;
use crate::engine::stage::case::BASE;
use crate::engine::{Engine, EngineError, Outcome, Stats};
use crate::isa::form::{Form, Kind, Table};
use crate::isa::row::Family;
use crate::isa::types::Ty;
use crate::isa::{Arch, Target};
use crate::program::Program;
use crate::program::coverage::{self, Fidelity};

/// One processor of each kind.
#[rustfmt::skip]
const PROCESSORS: &[&str] = &[
    "gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200",
];

/// `s_nop 0` everywhere.
const NOP: u32 = 0xbf80_0000;

/// Instructions of one wave.
pub(super) const BUDGET: u64 = 300;
/// The label at the beginning of a program.
const FIRST: &str = "first";

/// How often the choices of an instruction are drawn until they make one.
const TRIES: usize = 4;

/// How many traps are taken out of a program.
const REPAIRS: usize = 6;

/// A random case, and what it runs on.
pub struct Trial {
    /// The case.
    pub case: Case,
    /// The target.
    pub target: Target,
    words: Vec<u32>,
}

/// Any program runs to an outcome, which is the same whether its steps are looked at or not.
///
/// # Panics
/// Where two runs differ, or there is no outcome.
pub fn emulate(data: &[u8]) {
    let (trial, outcome) = settled(data);
    assert!(outcome == trial.run(true), "two runs differ\n{}", trial.case);
}

/// A random case whose first traps have been taken out, and what comes of it; nothing where it cannot be executed.
///
/// # Panics
/// If the emulator fails.
#[must_use]
pub fn settled(data: &[u8]) -> (Trial, Option<Outcome>) {
    repaired(Trial::new(data))
}

/// The same for a given target.
///
/// # Panics
/// If the emulator fails.
#[must_use]
pub fn settled_on(data: &[u8], target: Target) -> (Trial, Option<Outcome>) {
    repaired(Trial::on(target, &mut Bytes::new(data)))
}

fn repaired(mut trial: Trial) -> (Trial, Option<Outcome>) {
    let mut outcome = trial.run(false);
    for _ in 0..REPAIRS {
        let trap = outcome.as_ref().and_then(|outcome| outcome.trap.as_ref());
        let Some(at) = trap.map(|trap| trap.pc as usize / 4).filter(|at| *at < trial.words.len()) else { break };
        skip(trial.target, &mut trial.words, at);
        trial.write();
        outcome = trial.run(false);
    }
    (trial, outcome)
}

/// The target which the next choices make.
pub(super) fn target(bytes: &mut Bytes<'_>) -> Target {
    let arch = Arch::find(bytes.one(PROCESSORS)).unwrap_or(&crate::isa::ARCHS[0]);
    let target = Target::new(arch);
    target.wave(bytes.one(&[32, 64])).unwrap_or(target)
}

/// The words of a program. What the emulator does not execute is left out, and so are images: these programs have no descriptors of any,
/// and other words are refused.
pub(super) fn words(target: Target, bytes: &mut Bytes<'_>) -> Vec<u32> {
    let table = Table::of(target);
    let mut words = Vec::new();
    for _ in 0..1 + bytes.below(24) {
        one(table, bytes, &mut words);
    }
    let program = Program::new(target, &words, BASE);
    let left_out =
        |form: &Form, how: Fidelity| matches!(how, Fidelity::Unsupported(_)) || form.row.family == Family::Mimg;
    for (at, ..) in coverage::instructions(&program).filter(|(_, form, how)| left_out(form, *how)) {
        skip(target, &mut words, at as usize);
    }
    words
}

/// Puts `s_nop` where an instruction is, or a word that is none.
fn skip(target: Target, words: &mut [u32], at: usize) {
    let len = disasm::decode(Table::of(target), &words[at..]).map_or(1, |decoded| usize::from(decoded.len));
    words[at..].iter_mut().take(len).for_each(|word| *word = NOP);
}

/// Adds an instruction, or something like it.
fn one(table: &Table, bytes: &mut Bytes<'_>, words: &mut Vec<u32>) {
    let kind = bytes.below(32);
    if kind == 0 {
        words.push(bytes.word());
        return;
    }
    let form = &table.forms[bytes.below(table.forms.len())];
    let decodes = |words: &[u32]| disasm::decode(table, words).is_ok();
    let mut chance = Chance::new(bytes.word().into());
    let mut made = instruction(form, &mut chance);
    for _ in 0..TRIES {
        if decodes(&made) {
            break;
        }
        made = instruction(form, &mut chance);
    }
    if kind < 16 {
        let mut any = made;
        for (i, word) in any.iter_mut().enumerate().take(usize::from(form.words)) {
            *word = form.base[i] | bytes.word() & form.known[i] & !form.must[i];
        }
        if decodes(&any) {
            made = any;
        }
    }
    // Branches stay nearby.
    for slot in form.slots.iter().filter(|slot| slot.kind == Kind::Target) {
        slot.span.set(&mut made, (i32::from(bytes.byte() % 32) - 12) as u32 & slot.span.max());
    }
    if let Ok(decoded) = disasm::decode(table, &made) {
        words.extend(&made[..usize::from(decoded.len)]);
    }
}

impl Trial {
    /// The case that bytes choose.
    #[must_use]
    pub fn new(data: &[u8]) -> Trial {
        let mut bytes = Bytes::new(data);
        let target = target(&mut bytes);
        Trial::on(target, &mut bytes)
    }

    /// The case that bytes choose for a target.
    fn on(target: Target, bytes: &mut Bytes<'_>) -> Trial {
        let words = words(target, bytes);
        let lanes = crate::case::wave_size(target);
        let group = bytes.one(&[[lanes, 1, 1], [lanes, 1, 1], [lanes / 2, 3, 1], [lanes + 5, 1, 1], [3, 2, 3]]);
        let grid = if bytes.once_in(4) { [group[0] + 7, group[1], group[2]] } else { group };
        let mut case = Case {
            name: "trial.s".to_owned(),
            isa: Isa::only(target.arch),
            waves: vec![lanes],
            grid: Some(grid),
            group: Some(group),
            lds: Some(bytes.one(&[1024, 0, 60, 4096])),
            budget: Some(BUDGET),
            mode: Mode { whole: bytes.once_in(2).then(|| bytes.word() & 0x00ff_ffff), fields: Vec::new() },
            buffers: buffers(target, bytes),
            observe: vec![registers(File::Vector, 0, 256).into(), Place::Lds(0).into()],
            ..Case::default()
        };
        case.init = init(target, bytes);
        // Any program may be its own handler.
        let handler = || TrapHandler { label: FIRST.to_owned(), memory: None };
        case.trap_handler = bytes.once_in(4).then(handler);
        let mut trial = Trial { case, target, words };
        trial.write();
        trial
    }

    /// The words as the text of the case.
    fn write(&mut self) {
        let lines: Vec<String> = self.words.iter().map(|word| format!(".long {word:#010x}")).collect();
        self.case.body = Body { text: format!("{FIRST}:\n{}", lines.join("\n")), line: 1 };
    }

    /// What comes of the case, in the bare loop or in one that looks at every step; nothing if it cannot be executed.
    fn run(&self, stats: bool) -> Option<Outcome> {
        let emulator = Emulator { options: Options { stats, ..Options::default() } };
        match emulator.run(&self.case, self.target) {
            // Times and counts are not the program's.
            Ok(outcome) => Some(Outcome { stats: Stats::default(), ..outcome }),
            Err(EngineError::Unsupported(_)) => None,
            Err(error) => panic!("{error}\n{}", self.case),
        }
    }
}

fn registers(file: File, first: u32, count: u32) -> Place {
    Place::Regs { file, first, count }
}

fn word(bits: u32) -> Value {
    Value::Lit(Lit { ty: Ty::U32, bits: bits.into() })
}

fn double(bits: u64) -> Lit {
    Lit { ty: Ty::U64, bits }
}

/// A writable buffer with a bit of everything, and a small one which is neither writable nor whole words.
fn buffers(target: Target, bytes: &mut Bytes<'_>) -> Vec<Buffer> {
    let mut list: Vec<Value> = (0..6).map(|_| Value::Descriptor(Box::new(described(target, bytes)))).collect();
    list.extend((0..8).map(|_| Value::Lit(double(address(bytes)))));
    list.extend((0..32).map(|_| word(bytes.word())));
    let buffer = |name: &str, size, writable, contents| Buffer {
        name: name.to_owned(),
        size: Some(size),
        writable,
        behind: false,
        at: None,
        contents: Some(contents),
    };
    vec![
        buffer("data", 2048, true, Value::List(list)),
        buffer("rest", 61, false, Value::Random(Ty::U32, bytes.double(), Class::Any)),
    ]
}

/// An address: mostly in the first buffer, sometimes in the second, at an end, in the code, in an aperture, or nowhere.
fn address(bytes: &mut Bytes<'_>) -> u64 {
    let offset = u64::from(bytes.byte());
    match bytes.below(12) {
        0 => FIRST_ADDRESS + 2 * PAGE + offset,
        1 => FIRST_ADDRESS + 2048 - offset % 20,
        2 => BASE + offset % 64 * 4,
        3 => (1 << 48) + offset,
        4 => (2 << 48) + offset,
        5 => bytes.double(),
        6 => 0xffff_ffff_ffff_ff00 + offset,
        _ => FIRST_ADDRESS + offset * 4,
    }
}

/// A descriptor that the target has.
fn described(target: Target, bytes: &mut Bytes<'_>) -> Descriptor {
    let plain = Descriptor { buffer: bytes.one(&["data", "data", "data", "rest"]).to_owned(), ..Descriptor::default() };
    let other = Descriptor {
        offset: bytes.one(&[0, 0, 4, 2044]),
        stride: Some(bytes.one(&[0, 4, 16, 20, 0x3fff])),
        records: bytes.once_in(2).then(|| bytes.one(&[0, 1, 7, 64, u32::MAX])),
        swizzle: bytes.once_in(3),
        add_tid: bytes.once_in(4),
        ..plain.clone()
    };
    if descriptor::words(&other, 0, 0, target).is_ok() { other } else { plain }
}

/// A pattern for many registers.
fn pattern(bytes: &mut Bytes<'_>) -> Value {
    let seed = bytes.double();
    match bytes.below(6) {
        0 => Value::Random(Ty::F32, seed, Class::Near),
        1 => Value::Random(Ty::F32, seed, Class::Edge),
        2 => Value::Random(Ty::F64, seed, Class::Edge),
        3 => Value::Random(Ty::U32, seed, Class::Small),
        4 => Value::Random(Ty::F16, seed, Class::Edge),
        _ => Value::Random(Ty::U32, seed, Class::Any),
    }
}

/// The registers at the start; later ones win.
fn init(target: Target, bytes: &mut Bytes<'_>) -> Vec<Init> {
    let mut all = vec![
        (registers(File::Scalar, 0, 100), pattern(bytes)),
        (registers(File::Vector, 0, 36), pattern(bytes)),
        (registers(File::Vector, 128, 4), pattern(bytes)),
        (Place::Vcc, Value::Lit(double(bytes.double()))),
        (Place::M0, word(bytes.one(&[u32::MAX, 0, 16, 0x0001_0000]))),
    ];
    for _ in 0..12 {
        let (s, v) = (4 * bytes.below(25) as u32, 2 * bytes.below(40) as u32);
        match bytes.below(6) {
            0 => all.push((registers(File::Scalar, s, 2), Value::Lit(double(address(bytes))))),
            1 => {
                all.push((registers(File::Scalar, s, 4), Value::Descriptor(Box::new(described(target, bytes)))));
                if bytes.once_in(3) {
                    let broken = s + bytes.below(4) as u32;
                    all.push((registers(File::Scalar, broken, 1), word(bytes.word())));
                }
            }
            2 => all.push((registers(File::Scalar, s, 1), word(bytes.below(256) as u32))),
            3 => {
                let step = double(bytes.one(&[0, 1, 4, 4, 16, 1 << 33]));
                all.push((registers(File::Vector, v, 2), Value::Ramp(double(address(bytes)), step)));
            }
            4 => {
                let of = |bits: u32| Lit { ty: Ty::U32, bits: bits.into() };
                let (start, step) = (bytes.below(256) as u32, bytes.one(&[0, 1, 4, 4, 16, 0x1000_0000]));
                all.push((registers(File::Vector, v, 2), Value::Ramp(of(start), of(step))));
            }
            _ => all.push((registers(File::Vector, v, 2), pattern(bytes))),
        }
    }
    if bytes.once_in(2) {
        all.push((Place::Exec, Value::Lit(double(bytes.double()))));
    }
    all.into_iter().map(|(place, value)| Init { select: Select::default(), place, value }).collect()
}
