//! `wavediff disasm`: machine code to text.

use crate::common::{self, AnyArch, Mode, cores, usage};
use crate::ordered::{in_order, text_in_order};
use crate::r600::text as r600;
use crate::{elf, files, lines};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wavediff::disasm::stream::{Pieces, Survey, Walked};
use wavediff::disasm::{decode, print};
use wavediff::isa::Target;
use wavediff::isa::form::Table;
use wavediff::object::CodeObject;

/// Disassemble raw words, an ELF code object, or single lines
#[derive(clap::Args)]
#[command(
    after_help = "The output assembles to the same bytes. What is no instruction is a .long with the reason behind it.
An ELF file names its processor itself, and its kernels their wave size.

Examples:
  wavediff disasm --arch gfx1100 kernel.bin
  wavediff disasm kernel.o
  wavediff disasm --arch gfx900 - < kernel.bin > kernel.s
  echo 0002027e | wavediff disasm --arch gfx600 --lines"
)]
pub struct Args {
    /// Processor (gfx1100, r600) or product (navi31) [default for ELF files: their own]
    #[arg(long, value_parser = common::any_arch)]
    arch: Option<AnyArch>,
    #[command(flatten)]
    mode: Mode,
    /// Raw words or ELF file, or - for standard input
    #[arg(required_unless_present = "lines")]
    file: Option<String>,
    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Hex bytes of one instruction a line on standard input; a line of text, or `error: MESSAGE`, each
    #[arg(long, conflicts_with = "output", requires = "arch")]
    lines: bool,
    /// What the lines are on R600 and R700, whose words do not say it; they are read from FILE if one is given, a word as one
    /// number of eight digits
    #[arg(long, value_name = "KIND", requires = "lines")]
    clause: Option<r600::Clause>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(AnyArch::R600(machine)) = args.arch {
        let file = args.file.as_deref();
        return match args.lines {
            true => r600::disassemble_lines(machine, args.clause, file),
            false => r600::disassemble_file(Some(machine), &common::read(file.unwrap_or("-"))?, args.output.as_deref()),
        };
    }
    if args.lines {
        if args.file.is_some() {
            return usage("--lines reads standard input; leave out the file");
        }
        let Some(AnyArch::Gcn(arch)) = args.arch else { return usage("--lines needs --arch") };
        let target = args.mode.target(arch)?;
        lines::stream(|| line(target))?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.file.as_deref().unwrap_or("-");
    let to = args.output.as_deref();
    if let Some(mut file) = raw_file(name)? {
        let target = target_of_raw(args, name)?;
        let pieces = survey(target, name, &file)?;
        file.rewind().with_context(|| format!("`{name}` can not be read"))?;
        listing(target, &pieces, name, &file, to)?;
        return Ok(ExitCode::SUCCESS);
    }
    let bytes = common::read(name)?;
    if wavediff::r600::object::is_one(&bytes) {
        return r600::disassemble_file(None, &bytes, to);
    }
    if bytes.starts_with(ELF) {
        let text = code_object(args, &bytes).with_context(|| format!("the ELF file `{name}` can not be read"))?;
        common::write(to, &text)?;
    } else {
        let target = target_of_raw(args, name)?;
        listing(target, &survey(target, name, &bytes[..])?, name, &bytes[..], to)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How an ELF file begins.
const ELF: &[u8] = b"\x7fELF";

/// The file, where it is one that can be read twice and no ELF file: it need not be kept in memory.
fn raw_file(name: &str) -> Result<Option<File>> {
    let Ok(mut file) = File::open(name) else { return Ok(None) };
    if name == "-" || !file.metadata().is_ok_and(|m| m.is_file()) {
        return Ok(None);
    }
    let mut magic = Vec::new();
    (&mut file).take(ELF.len() as u64).read_to_end(&mut magic).with_context(|| format!("`{name}` can not be read"))?;
    file.rewind().with_context(|| format!("`{name}` can not be read"))?;
    Ok(Some(file).filter(|_| magic != ELF))
}

fn target_of_raw(args: &Args, name: &str) -> Result<Target> {
    match args.arch.and_then(AnyArch::gcn) {
        Some(arch) => args.mode.target(arch),
        None => usage(format!("`{name}` is no ELF file: say which processor the words are for, as --arch gfx1100")),
    }
}

/// Bytes in pieces, each of which looks ahead into the next one.
struct Reader<R> {
    from: R,
    /// What the last piece looked ahead at.
    held: Vec<u8>,
}

impl<R: Read> Reader<R> {
    fn new(from: R) -> Reader<R> {
        Reader { from, held: Vec::new() }
    }

    /// The next piece of so many bytes, with as many behind it; fewer at the end.
    fn next(&mut self, own: usize, ahead: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        bytes.append(&mut self.held);
        let missing = (own + ahead).saturating_sub(bytes.len());
        bytes.reserve(missing);
        (&mut self.from).take(missing as u64).read_to_end(bytes)?;
        self.held.extend_from_slice(bytes.get(own..).unwrap_or_default());
        Ok(())
    }
}

/// Reads everything once, to know where lines begin and which have labels.
fn survey(target: Target, name: &str, from: impl Read + Send) -> Result<Pieces> {
    let mut survey = Survey::new(target);
    let walker = survey.walker();
    let (own, ahead) = walker.bytes();
    let (mut from, mut number) = (Reader::new(from), 0);
    let next = |bytes: &mut Vec<u8>| {
        from.next(own, ahead, bytes).with_context(|| format!("`{name}` can not be read"))?;
        number += 1;
        Ok((!bytes.is_empty()).then_some(number - 1))
    };
    let join = |walked: &mut Walked| {
        survey.join(std::mem::take(walked));
        Ok(())
    };
    in_order(cores(), next, join, || move |_, bytes: &[u8], walked: &mut Walked| *walked = walker.walk(bytes))?;
    Ok(survey.finish())
}

/// Reads everything again, and writes the listing. A file is replaced once that is whole, also where it is the one that is read.
fn listing(target: Target, pieces: &Pieces, name: &str, from: impl Read + Send, to: Option<&Path>) -> Result<()> {
    match to.filter(|to| *to != Path::new("-")) {
        Some(to) => files::write_by(to, |file| print_pieces(target, pieces, name, from, file)),
        None => print_pieces(target, pieces, name, from, io::stdout()),
    }
}

fn print_pieces(
    target: Target,
    pieces: &Pieces,
    name: &str,
    from: impl Read + Send,
    mut to: impl Write + Send,
) -> Result<()> {
    writeln!(to, "{}\t.text", header(target))?;
    let (mut from, mut piece) = (Reader::new(from), 0);
    let next = |bytes: &mut Vec<u8>| {
        if piece == pieces.count() {
            return Ok(None);
        }
        let (start, end, reads) = pieces.extent(piece);
        let (own, ahead) = ((end - start) as usize, (reads - end) as usize);
        from.next(own, ahead, bytes).with_context(|| format!("`{name}` can not be read"))?;
        if bytes.len() != own + ahead {
            bail!("`{name}` became shorter while it was read");
        }
        piece += 1;
        Ok(Some(piece as u64 - 1))
    };
    text_in_order(cores().min(pieces.count()), next, to, || {
        let mut prover = pieces.prover();
        move |piece, bytes: &[u8], out: &mut Vec<u8>| {
            pieces.print(piece as usize, bytes, &mut prover, out);
        }
    })
}

/// Hexadecimal bytes to one instruction.
fn line(target: Target) -> impl FnMut(&[u8], &mut Vec<u8>) {
    let table = Table::of(target);
    move |line, out| {
        let mut words = [0u32; LONGEST];
        let read = read_words(line, &mut words);
        let message: &dyn std::fmt::Display = match &read {
            Ok(0) => return,
            &Ok(count) => match decode(table, &words[..count.min(LONGEST)]) {
                Ok(decoded) if usize::from(decoded.len) == count => return print(table, &decoded, &words, out),
                Ok(decoded) => &format!(
                    "{} bytes are left over behind the instruction of {} bytes",
                    4 * (count - usize::from(decoded.len)),
                    4 * decoded.len
                ),
                Err(reason) => &format!("{reason}"),
            },
            Err(message) => message,
        };
        // Writing to a vector can not fail.
        let _ = write!(out, "error: {message}");
    }
}

/// More words than any instruction has.
const LONGEST: usize = 8;

/// The values of hexadecimal digits; 255 for other characters.
const NIBBLES: [u8; 256] = {
    let mut values = [255; 256];
    let mut digit = 0;
    while digit < 16 {
        values[b"0123456789abcdef"[digit] as usize] = digit as u8;
        values[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

/// Reads hexadecimal bytes; `0x`, commas and blanks may stand between them. Gives the number of words, of which only the first
/// few are kept.
pub fn read_words(line: &[u8], words: &mut [u32]) -> Result<usize, &'static str> {
    let mut digits = 0usize;
    let mut at = 0;
    // Whole words without anything between their bytes: nearly every line.
    for (word, text) in words.iter_mut().zip(line.chunks_exact(8)) {
        let mut bytes = [0; 4];
        let mut wrong = 0;
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            let (high, low) = (NIBBLES[usize::from(pair[0])], NIBBLES[usize::from(pair[1])]);
            wrong |= high | low;
            *byte = high << 4 | low & 15;
        }
        if wrong > 15 {
            break;
        }
        *word = u32::from_le_bytes(bytes);
        digits += 8;
        at += 8;
    }
    while at < line.len() {
        let digit = match line[at] {
            b @ b'0'..=b'9' => b - b'0',
            b @ b'a'..=b'f' => b - b'a' + 10,
            b @ b'A'..=b'F' => b - b'A' + 10,
            b' ' | b'\t' | b',' => {
                at += 1;
                continue;
            }
            b';' | b'#' => break,
            b'/' if line.get(at + 1) == Some(&b'/') => break,
            _ => return Err("not hexadecimal; write the bytes in the order of memory, as 0002027e"),
        };
        if digit == 0 && digits.is_multiple_of(2) && matches!(line.get(at + 1), Some(b'x' | b'X')) {
            at += 2;
            continue;
        }
        // The high digit of a byte comes first, the low byte of a word too.
        if let Some(word) = words.get_mut(digits / 8) {
            let shift = 8 * (digits % 8 / 2) + if digits.is_multiple_of(2) { 4 } else { 0 };
            *word |= u32::from(digit) << shift;
        }
        digits += 1;
        at += 1;
    }
    if digits.is_multiple_of(8) {
        Ok(digits / 8)
    } else {
        Err("the bytes are no whole words of 4 bytes; an instruction has 4, 8 or more")
    }
}

/// What the listing was made for, so that it can be assembled again.
fn header(target: Target) -> String {
    let default = Target::new(target.arch);
    let mut text = String::from("// wavediff asm");
    if target.features != default.features {
        let _ = match (target.wave32(), target.wave64()) {
            (true, true) => write!(text, " --mattr=+wavefrontsize32,+wavefrontsize64"),
            (true, false) => write!(text, " --wave 32"),
            _ => write!(text, " --wave 64"),
        };
        let named = target.features.mattr();
        if !named.is_empty() {
            let _ = write!(text, " --mattr={named}");
        }
    }
    let _ = writeln!(text, " --arch {}", target.arch.name);
    text
}

fn code_object(args: &Args, bytes: &[u8]) -> Result<Vec<u8>> {
    let object = CodeObject::parse(bytes)?;
    let kernels = object.kernels();
    let mut target = elf::target(&object, &kernels, args.arch.and_then(AnyArch::gcn))?;
    if args.mode.wave.is_some() || args.mode.mattr.is_some() {
        target = args.mode.target(target.arch)?;
    }
    let mut out = header(target).into_bytes();
    out.extend_from_slice(&elf::Printer::new(&object, &kernels, target).print());
    Ok(out)
}
