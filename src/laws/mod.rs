//! What must hold of the tables, the assembler, the disassembler, the reader of code objects and the emulator, whatever the input:
//! properties as functions.
//!
//! Tests hold them on generated and on random inputs, fuzzers on inputs grown by coverage, `sweep` on all first words. Each takes any
//! input and either returns, or says what is broken; none of them panics unless something is broken.

mod bytes;
mod images;
mod kernels;
mod programs;

pub use crate::isa::examples::{Chance, Density, instruction, instructions};
pub use images::{Found, images};
pub use kernels::launch_elf;
pub use programs::{Trial, emulate, settled, settled_on};

use crate::asm::source::{NoFiles, assemble_with};
use crate::asm::{AsmError, Assembler, Encoded, expr::NoSymbols};
use crate::disasm;
use crate::isa::form::Table;
use crate::isa::{ARCHS, Target};
use crate::object::metadata::Metadata;
use crate::object::reader::CodeObject;

/// How a law was broken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Broken {
    /// The text of decoded words is refused.
    #[error("{words:08x?} is `{text}`, which is refused: {error}")]
    Refused {
        /// The words.
        words: Vec<u32>,
        /// Their text.
        text: String,
        /// The error.
        error: Box<AsmError>,
    },
    /// The text of decoded words means other words.
    #[error("{words:08x?} is `{text}`, which is {again:08x?}")]
    Changed {
        /// The words.
        words: Vec<u32>,
        /// Their text.
        text: String,
        /// The words of the text.
        again: Vec<u32>,
    },
    /// What the assembler made is no instruction.
    #[error("`{text}` is {words:08x?}, which does not decode: {reason}")]
    NoInstruction {
        /// The text.
        text: String,
        /// The words.
        words: Vec<u32>,
        /// Why not.
        reason: disasm::Reason,
    },
    /// What the assembler made has another length when it is decoded.
    #[error("`{text}` is {words:08x?}, of which {len} words decode")]
    Length {
        /// The text.
        text: String,
        /// The words.
        words: Vec<u32>,
        /// The length.
        len: u8,
    },
}

/// Assembler and table of one target.
pub struct Laws {
    /// The table.
    pub table: &'static Table,
    assembler: Assembler,
}

fn words_of(e: &Encoded) -> &[u32] {
    &e.words[..usize::from(e.len)]
}

impl Laws {
    /// Those of a target.
    #[must_use]
    pub fn of(target: Target) -> Laws {
        Laws { table: Table::of(target), assembler: Assembler::new(target) }
    }

    /// The text of the instruction at the beginning of `words`, and its length.
    ///
    /// # Errors
    /// Why they are none.
    pub fn text(&self, words: &[u32]) -> Result<(String, u8), disasm::Reason> {
        let decoded = disasm::decode(self.table, words)?;
        let mut text = Vec::new();
        disasm::print(self.table, &decoded, words, &mut text);
        Ok((String::from_utf8_lossy(&text).into_owned(), decoded.len))
    }

    /// The words of a line.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn words(&self, line: &str) -> Result<Vec<u32>, AsmError> {
        Ok(words_of(&self.assembler.encode(line, &NoSymbols)?).to_vec())
    }

    /// Words as lines that mean them, one for each instruction: what its text does not determine, or what has a text in another mode of the
    /// assembler alone, is written as numbers.
    #[must_use]
    pub fn source(&self, mut words: &[u32]) -> String {
        let executing = Table::of(self.table.target.executing());
        let mut lines = Vec::new();
        while !words.is_empty() {
            let len =
                disasm::executed(executing, words).map_or(1, |e| usize::from(e.decoded.len)).clamp(1, words.len());
            let line = self.text(words).ok().map(|(text, _)| text);
            let exact = line.filter(|line| self.words(line).is_ok_and(|again| again == words[..len]));
            lines.push(exact.unwrap_or_else(|| {
                let numbers: Vec<String> = words[..len].iter().map(|word| format!("{word:#010x}")).collect();
                format!(".long {}", numbers.join(", "))
            }));
            words = &words[len..];
        }
        lines.join("\n")
    }

    /// Any words are refused, or they have a text which means these very words, but for fields that nothing uses. Returns whether they are an
    /// instruction.
    ///
    /// # Errors
    /// How they do not.
    pub fn decode_print_parse(&self, words: &[u32]) -> Result<bool, Broken> {
        let Ok((text, len)) = self.text(words) else { return Ok(false) };
        let words = words[..usize::from(len)].to_vec();
        let settled = disasm::executed(self.table, &words).map_or(words.clone(), |e| e.words[..words.len()].to_vec());
        match self.assembler.encode(&text, &NoSymbols) {
            Ok(e) if words_of(&e) == words || words_of(&e) == settled => Ok(true),
            Ok(e) => Err(Broken::Changed { words, text, again: words_of(&e).to_vec() }),
            Err(error) => Err(Broken::Refused { words, text, error: Box::new(error) }),
        }
    }

    /// Any line is refused, or its words are one whole instruction. Returns whether it was accepted.
    ///
    /// # Errors
    /// How they are not.
    pub fn assemble_line(&self, line: &str) -> Result<bool, Broken> {
        let Ok(e) = self.assembler.encode(line, &NoSymbols) else { return Ok(false) };
        if e.fixup.is_some() {
            return Ok(true);
        }
        let words = words_of(&e).to_vec();
        match self.text(&words) {
            Ok((_, len)) if usize::from(len) == words.len() => Ok(true),
            Ok((_, len)) => Err(Broken::Length { text: line.to_owned(), words, len }),
            Err(reason) => Err(Broken::NoInstruction { text: line.to_owned(), words, reason }),
        }
    }
}

/// Bytes of a fuzzer: one chooses the target, the others are words.
///
/// # Panics
/// Where the words which the text of others means are not the words which their own text means.
pub fn decode_print_parse(data: &[u8]) {
    let Some((target, rest)) = fuzzed_target(data) else { return };
    let words: Vec<u32> = rest.chunks_exact(4).take(5).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    let laws = Laws::of(target);
    // LLVM's text may lose bits, and texts that break an operand rule are refused; but what was read back is kept.
    if let Err(Broken::Changed { again, .. }) = laws.decode_print_parse(&words) {
        assert_eq!(laws.decode_print_parse(&again), Ok(true), "{}: {words:08x?}", target.arch.name);
    }
}

/// Bytes of a fuzzer: one chooses the target, the others are a line.
///
/// # Panics
/// Where the law of [`Laws::assemble_line`] is broken.
pub fn assemble_line(data: &[u8]) {
    let Some((target, rest)) = fuzzed_target(data) else { return };
    let line = String::from_utf8_lossy(rest);
    if let Err(broken) = Laws::of(target).assemble_line(&line) {
        panic!("{}: {broken}", target.arch.name);
    }
}

/// Bytes of a fuzzer: one chooses the target, the others are a source file. It is assembled, or diagnosed.
pub fn assemble_source(data: &[u8]) {
    let Some((target, rest)) = fuzzed_target(data) else { return };
    let text = String::from_utf8_lossy(rest);
    let assembly = assemble_with("fuzz.s", &text, &Assembler::new(target), target, &NoFiles);
    for diagnostic in &assembly.diagnostics {
        let _ = diagnostic.to_string();
    }
}

/// Any bytes are a code object whose parts can be asked for, or they are refused.
pub fn read_elf(data: &[u8]) {
    let Ok(object) = CodeObject::parse(data) else { return };
    let _ = (object.arch(), object.target(), object.kernels());
    for symbol in &object.symbols {
        let _ = object.place(symbol).and_then(|at| object.bytes_at(at));
    }
    if let Some(metadata) = &object.metadata {
        let _ = (metadata.kernels(), metadata.verify(), Metadata::from_yaml(&metadata.to_yaml()));
    }
}

/// The target which the first two bytes choose, and the rest.
fn fuzzed_target(data: &[u8]) -> Option<(Target, &[u8])> {
    let (&[arch, mode], rest) = data.split_first_chunk()?;
    let target = Target::new(&ARCHS[usize::from(arch) % ARCHS.len()]);
    let list = ["", "+wavefrontsize64", "+real-true16", "+wavefrontsize64,+real-true16"][usize::from(mode % 4)];
    Some((target.with_mattr(list).unwrap_or(target), rest))
}

/// Calls `each` with the number of a form, the words and the text of every generated instruction of a table that decodes as that form.
pub fn lines(laws: &Laws, density: Density, each: &mut dyn FnMut(usize, &[u32], &str)) {
    let table: &Table = laws.table;
    for (i, form) in table.forms.iter().enumerate() {
        instructions(form, density, &mut |words| {
            if let Ok((text, len)) = laws.text(words) {
                each(i, &words[..usize::from(len)], &text);
            }
        });
    }
}
