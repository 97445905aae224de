//! `wavediff asm`: text to machine code.

use crate::common::{self, AnyArch, Mode, Paint, usage};
use crate::lines;
use crate::r600::text as r600;
use crate::tell;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use wavediff::asm::expr::NoSymbols;
use wavediff::asm::module::{Module, RelocationTarget, SymbolPlace};
use wavediff::asm::source::{Disk, assemble_with};
use wavediff::asm::{Assembler, Diagnostic, Severity};
use wavediff::disasm::listing::{Listing, Source};
use wavediff::isa::Target;
use wavediff::object::target_id::declared;
use wavediff::r600::assemble::Options;

/// Assemble a file, or single lines
#[derive(clap::Args)]
#[command(
    after_help = "Without --elf the output is the bytes of .text, without any header. Without -o it goes to standard
output; a terminal gets a listing instead.

Examples:
  wavediff asm --arch gfx1100 kernel.s -o kernel.bin        the bytes of .text
  wavediff asm --arch gfx1100 --elf kernel.s -o kernel.o    a relocatable code object
  wavediff asm --arch navi31 --wave 64 --listing kernel.s   addresses, bytes and text
  echo 'v_mov_b32 v0, 1.0' | wavediff asm --arch gfx600 --lines
  wavediff asm --arch gfx1100 --mattr=+real-true16 --lines < lines.txt > hex.txt"
)]
pub struct Args {
    /// Processor (gfx1100, r600) or product (navi31) [default: what .amdgcn_target or .arch in the file says]
    #[arg(long, value_parser = common::any_arch)]
    arch: Option<AnyArch>,
    #[command(flatten)]
    mode: Mode,
    /// Source file, or - for standard input
    #[arg(required_unless_present = "lines")]
    file: Option<String>,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a relocatable ELF code object
    #[arg(long)]
    elf: bool,
    /// Write a listing: addresses, bytes and canonical text of .text
    #[arg(long, conflicts_with = "elf")]
    listing: bool,
    /// One instruction a line on standard input; a line of hex bytes in memory order, or `error: MESSAGE`, each
    #[arg(long, conflicts_with_all = ["file", "output", "elf", "listing"], requires = "arch")]
    lines: bool,
    /// What the lines are on R600 and R700, whose words do not say it
    #[arg(long, value_name = "KIND", requires = "lines")]
    clause: Option<r600::Clause>,
    /// Find bank swizzles for groups of R600 and R700 that name none
    #[arg(long, conflicts_with = "lines")]
    auto_swizzle: bool,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let (true, Some(AnyArch::R600(machine))) = (args.lines, args.arch) {
        return r600::assemble_lines(machine, args.clause);
    }
    if args.lines {
        let Some(AnyArch::Gcn(arch)) = args.arch else { return usage("--lines needs --arch") };
        let target = args.mode.target(arch)?;
        lines::stream(|| line(target))?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.file.as_deref().unwrap_or("-");
    let text = String::from_utf8(common::read(name)?)
        .ok()
        .with_context(|| format!("`{name}` is not text; `wavediff disasm` reads machine code"))?;
    let machine = match args.arch {
        Some(AnyArch::R600(machine)) => Some(machine),
        Some(AnyArch::Gcn(_)) => None,
        None => wavediff::r600::assemble::declared(&text),
    };
    if let Some(machine) = machine {
        if args.elf {
            return usage("no ELF files are written for R600 and R700");
        }
        let options = Options { machine: Some(machine), auto_swizzle: args.auto_swizzle };
        let listing = args.listing || args.output.is_none() && io::stdout().is_terminal();
        return r600::assemble_file(name, &text, options, listing, args.output.as_deref());
    }
    if args.auto_swizzle {
        return usage("--auto-swizzle is for R600 and R700");
    }
    let named = || Some(declared(&text)?.target.ok()?.arch);
    let Some(arch) = args.arch.and_then(AnyArch::gcn).or_else(named) else {
        return usage("which processor? give --arch gfx1100, or write .amdgcn_target into the file");
    };
    let target = args.mode.target(arch)?;
    let shown = if name == "-" { "<stdin>" } else { name };
    let assembly = assemble_with(shown, &text, &Assembler::new(target), target, &Disk);
    show(&assembly.diagnostics);
    let Some(module) = assembly.module else { return Ok(ExitCode::from(1)) };
    if args.elf {
        let file = wavediff::object::write(&module).with_context(|| format!("`{shown}` makes no code object"))?;
        if args.output.is_none() && io::stdout().is_terminal() {
            return usage("an ELF file is nothing for a terminal; name a file with -o");
        }
        common::write(args.output.as_deref(), &file)?;
        return Ok(ExitCode::SUCCESS);
    }
    let bytes = raw(&module)?;
    if args.listing || args.output.is_none() && io::stdout().is_terminal() {
        common::write(args.output.as_deref(), &listing(target, &module, bytes))?;
    } else {
        common::write(args.output.as_deref(), bytes)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// `.text` with its labels.
fn listing(target: Target, module: &Module, bytes: &[u8]) -> Vec<u8> {
    let mut labels: BTreeMap<u64, String> = BTreeMap::new();
    for symbol in module.symbols.iter().filter(|s| !s.temporary) {
        if let SymbolPlace::Section { section: 0, offset } = symbol.place {
            let _ = writeln!(labels.entry(offset).or_default(), "{}:", symbol.name);
        }
    }
    let before: Vec<(u64, String)> = labels.into_iter().collect();
    let source = Source { bytes, before: &before, ..Source::default() };
    let mut out = Vec::new();
    Listing::new(target, &source).print(&mut out);
    out
}

/// One instruction to hexadecimal bytes.
fn line(target: Target) -> impl FnMut(&[u8], &mut Vec<u8>) {
    let assembler = Assembler::new(target);
    move |line, out| {
        let Ok(text) = std::str::from_utf8(line) else {
            out.extend_from_slice(b"error: the line is not UTF-8 text");
            return;
        };
        match assembler.encode(text, &NoSymbols) {
            Ok(encoded) if encoded.fixup.is_some() => {
                out.extend_from_slice(b"error: symbols are not known here; assemble a file instead of lines");
            }
            Ok(encoded) => {
                for word in &encoded.words[..usize::from(encoded.len)] {
                    push_hex_bytes(out, *word);
                }
            }
            Err(_) if blank(text) => {}
            Err(error) => {
                use std::io::Write as _;
                // Writing to a vector can not fail.
                let _ = write!(out, "error: {error}");
            }
        }
    }
}

/// Whether a line has no statement: nothing but white space and comments.
fn blank(text: &str) -> bool {
    let mut cur = wavediff::asm::cursor::Cursor::new(text);
    cur.skip();
    cur.at_end()
}

/// Appends the bytes of a word in memory order.
fn push_hex_bytes(out: &mut Vec<u8>, word: u32) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = [0; 8];
    for (to, byte) in text.chunks_exact_mut(2).zip(word.to_le_bytes()) {
        to[0] = DIGITS[usize::from(byte >> 4)];
        to[1] = DIGITS[usize::from(byte & 15)];
    }
    out.extend_from_slice(&text);
}

/// Shows what the assembler has to say.
pub fn show(diagnostics: &[Diagnostic]) {
    let paint = Paint::stderr();
    for diagnostic in diagnostics {
        let text = diagnostic.to_string();
        let word = format!(": {}: ", diagnostic.severity);
        let painted = match diagnostic.severity {
            Severity::Error => paint.red("error"),
            Severity::Warning => paint.yellow("warning"),
            Severity::Note => paint.bold("note"),
        };
        tell!("{}", text.replacen(&word, &format!(": {painted}: "), 1));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        tell!("{errors} errors");
    }
}

/// The bytes of `.text`, if nothing is left to link.
fn raw(module: &Module) -> Result<&[u8]> {
    let Some(text) = module.sections.first() else { return Ok(&[]) };
    if let Some(relocation) = text.relocations.first() {
        let name = match relocation.symbol {
            RelocationTarget::Symbol(at) => module.symbols[at].name.as_str(),
            RelocationTarget::Section(at) => module.sections[at].name.as_str(),
            RelocationTarget::None => "an address",
        };
        bail!(
            "raw output can not refer to other sections or files: `{name}` at {}+{:#x} is for a linker; write an object with --elf",
            text.name,
            relocation.offset
        );
    }
    Ok(&text.bytes)
}
