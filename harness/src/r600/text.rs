//! `asm`, `disasm` and `explain` for R600 and R700.

use crate::common::{self, usage};
use crate::explain::push_table;
use crate::{asm, lines};
use anyhow::{Context, Result, bail};
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use wavediff::asm::near::near_miss;
use wavediff::isa::r600::{Machine, Opcodes, Place};
use wavediff::r600::assemble::{Options, assemble, assemble_line};
use wavediff::r600::print::{alu_line, fetch_text, flow_text, listing};
use wavediff::r600::{Inst, Program, object};

/// Where single instructions stand.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Clause {
    /// In control flow
    Cf,
    /// In an ALU clause
    Alu,
    /// In a texture clause
    Tex,
    /// In a vertex clause
    Vtx,
}

impl Clause {
    fn place(clause: Option<Clause>) -> Result<Place> {
        match clause {
            Some(Clause::Cf) => Ok(Place::Flow),
            Some(Clause::Alu) => Ok(Place::Alu),
            Some(Clause::Tex | Clause::Vtx) => Ok(Place::Fetch),
            None => usage("the words of R600 and R700 do not say what they are; give --clause cf, alu, tex or vtx"),
        }
    }
}

/// `asm --lines`
pub fn assemble_lines(machine: Machine, clause: Option<Clause>) -> Result<ExitCode> {
    let place = Clause::place(clause)?;
    lines::stream(|| {
        move |line: &[u8], out: &mut Vec<u8>| {
            let Ok(text) = std::str::from_utf8(line) else {
                out.extend_from_slice(b"error: the line is not UTF-8 text");
                return;
            };
            if text.trim().is_empty() {
                return;
            }
            // Writing to a vector can not fail.
            let _ = match assemble_line(machine, place, text) {
                Ok(words) => words.iter().enumerate().try_for_each(|(n, word)| {
                    let gap = if n > 0 { " " } else { "" };
                    write!(out, "{gap}{word:08x}")
                }),
                Err(fault) => write!(out, "error: {fault}"),
            };
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// `asm FILE`
pub fn assemble_file(
    name: &str,
    text: &str,
    options: Options,
    as_listing: bool,
    output: Option<&Path>,
) -> Result<ExitCode> {
    let shown = if name == "-" { "<stdin>" } else { name };
    let done = assemble(shown, text, options);
    asm::show(&done.diagnostics);
    let (Some(words), Some(machine)) = (done.words, done.machine) else { return Ok(ExitCode::from(1)) };
    if as_listing {
        common::write(output, listing(&Program::decode(machine, &words)).as_bytes())?;
    } else {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        common::write(output, &bytes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `disasm FILE`: words, or the text of an ELF object.
pub fn disassemble_file(machine: Option<Machine>, bytes: &[u8], output: Option<&Path>) -> Result<ExitCode> {
    let object =
        if object::is_one(bytes) { Some(object::read(bytes).context("the ELF file can not be read")?) } else { None };
    let (machine, code) = match (&object, machine) {
        (Some(object), given) => {
            if let Some(given) = given.filter(|given| given.chip != object.machine.chip) {
                bail!("the ELF file is for {}, not {}", object.machine.name(), given.name());
            }
            (given.unwrap_or(object.machine), object.text)
        }
        (None, Some(machine)) => (machine, bytes),
        (None, None) => return usage("which processor? give --arch r600 or --arch rv770"),
    };
    if code.len() % 4 != 0 {
        bail!("{} bytes are no whole words of 4 bytes", code.len());
    }
    let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
    common::write(output, listing(&Program::decode(machine, &words)).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// `disasm --lines`
pub fn disassemble_lines(machine: Machine, clause: Option<Clause>, file: Option<&str>) -> Result<ExitCode> {
    let place = Clause::place(clause)?;
    let make = || {
        move |line: &[u8], out: &mut Vec<u8>| {
            let text = match words(line) {
                Ok((_, 0)) => return,
                Ok((words, count)) => one(machine, place, &words, count),
                Err(message) => Err(message),
            };
            match text {
                Ok(text) => out.extend_from_slice(text.as_bytes()),
                Err(message) => {
                    out.extend_from_slice(b"error: ");
                    out.extend_from_slice(message.as_bytes());
                }
            }
        }
    };
    match file.filter(|file| *file != "-") {
        Some(name) => {
            let file = File::open(name).with_context(|| format!("`{name}` can not be read"))?;
            lines::stream_from(file, make)?;
        }
        None => lines::stream(make)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The text of one instruction.
fn one(machine: Machine, place: Place, words: &[u32; 4], count: usize) -> Result<String, String> {
    let wanted = if place == Place::Fetch { 4 } else { 2 };
    if count != wanted {
        return Err(format!("an instruction here has {wanted} words, not {count}"));
    }
    let mut text = String::new();
    let pair = [words[0], words[1]];
    match place {
        Place::Flow => flow_text(machine, &Inst::flow(machine, pair), &mut text),
        Place::Alu => alu_line(machine, &Inst::alu(machine, pair), &mut text),
        Place::Fetch => fetch_text(&Inst::fetch(machine, *words), &mut text),
    }
    Ok(text)
}

/// Words as numbers of eight digits, and how many there are.
fn words(line: &[u8]) -> Result<([u32; 4], usize), String> {
    let text = std::str::from_utf8(line).map_err(|_| "the line is not UTF-8 text".to_owned())?;
    let (mut words, mut count) = ([0; 4], 0);
    for word in text.split(|c: char| c.is_ascii_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 8);
        let value = value.ok_or_else(|| format!("`{word}` is no word: a number of eight hexadecimal digits"))?;
        if let Some(place) = words.get_mut(count) {
            *place = value;
        }
        count += 1;
    }
    Ok((words, count))
}

/// `explain --hex`: the text of an instruction, and every field of it.
pub fn explain_words(machine: Machine, clause: Option<Clause>, hex: &str) -> Result<String> {
    let place = Clause::place(clause)?;
    let (words, count) = words(hex.as_bytes()).map_err(anyhow::Error::msg)?;
    let mut text = one(machine, place, &words, count).map_err(anyhow::Error::msg)?;
    let pair = [words[0], words[1]];
    let format = match place {
        Place::Flow => Inst::flow(machine, pair).format(machine),
        Place::Alu => Inst::alu(machine, pair).format(machine),
        Place::Fetch => Inst::fetch(machine, words).format(),
    };
    text.push_str(&format!("\n\n{}\n", format.name));
    let rows: Vec<[String; 4]> = format
        .fields
        .iter()
        .map(|field| {
            let value = field.span.get(&words);
            let (word, lo) = (field.span.lo / 32, field.span.lo % 32);
            let hi = u32::from(lo) + field.span.bits() - 1;
            let bits = if hi == u32::from(lo) { lo.to_string() } else { format!("{hi}:{lo}") };
            [format!("  {word}"), bits, field.name.to_owned(), format!("{value:#x}")]
        })
        .collect();
    push_table(&mut text, &rows);
    Ok(text)
}

/// `explain NAME`: the rows of a name.
pub fn explain_name(machine: Machine, name: &str) -> Result<String> {
    let mut text = String::new();
    for place in [Place::Flow, Place::Alu, Place::Fetch] {
        let Some(row) = machine.named(place, name) else { continue };
        let code = |opcodes| {
            let code = row.code(Machine { opcodes, ..machine });
            code.map_or_else(|| "none".to_owned(), |code| code.to_string())
        };
        let mut rows = vec![
            ["  class".to_owned(), format!("{:?}", row.class)],
            ["  opcode".to_owned(), code(Opcodes::Hardware)],
            ["  opcode in the manual".to_owned(), code(Opcodes::Manual)],
            ["  does".to_owned(), format!("{:?}", row.does)],
        ];
        if place == Place::Alu {
            rows.push(["  units".to_owned(), format!("{:?}", row.units(machine.chip))]);
            rows.push(["  sources".to_owned(), row.sources.to_string()]);
        }
        let also = if row.also.is_empty() { String::new() } else { format!(" ({} in the manual)", row.also) };
        text.push_str(&format!("{}{also} of {}\n", row.name, machine.name()));
        push_table(&mut text, &rows);
    }
    if text.is_empty() {
        let names = [Place::Flow, Place::Alu, Place::Fetch].into_iter().flat_map(|place| machine.names(place));
        let hint = near_miss(name, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        bail!("{} has no instruction `{name}`{hint}", machine.name());
    }
    Ok(text)
}
