//! The assembly of a case as bytes for one target.
//!
//! `s_endpgm` is implied at the end of the text, unless it stands there. Only `.text` is loaded: a case keeps its data in buffers, so that nothing
//! has to be linked; distances between labels are fine.

use super::{Case, CaseError, MAX_CODE, TrapHandler};
use crate::asm::module::Module;
use crate::asm::module::SymbolPlace;
use crate::asm::source::{Files, assemble_with};
use crate::asm::{Assembler, Diagnostic, Severity};
use crate::isa::{Target, traps};

/// A case's program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What it was assembled for.
    pub target: Target,
    /// The machine code.
    pub text: Vec<u8>,
    /// Where it starts, in bytes from the start of the text.
    pub entry: u64,
    /// Where its trap handler is, in bytes from the start of the text; nothing where it has none.
    pub handler: Option<u64>,
    /// The labels of the text, by place.
    pub labels: Vec<(String, u64)>,
    /// How many scalar registers its instructions name: one past the highest.
    pub sgprs: u32,
    /// How many vector registers its instructions name.
    pub vgprs: u32,
    /// Everything else in the file: kernel descriptors, other sections.
    pub module: Module,
}

impl Program {
    /// The machine code in words.
    #[must_use]
    pub fn words(&self) -> Vec<u32> {
        self.text.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    /// Where a label is.
    #[must_use]
    pub fn label(&self, name: &str) -> Option<u64> {
        self.labels.iter().find(|(label, _)| label == name).map(|(_, at)| *at)
    }
}

/// Symbols which carry the register counts out of the assembler.
const COUNTS: [(&str, &str); 2] =
    [(".Lcase.sgprs", ".amdgcn.next_free_sgpr"), (".Lcase.vgprs", ".amdgcn.next_free_vgpr")];

impl Case {
    /// The features which a case for a target asks the assembler for.
    #[must_use]
    pub fn mattr_of(target: Target) -> Option<String> {
        Some(target.features.mattr()).filter(|list| !list.is_empty())
    }

    /// Assembles it for a target, with the features that the case asks for; included files are read from where [`Reach`](super::Reach) says.
    ///
    /// # Errors
    /// Everything that is wrong with the assembly; a label that is not there.
    pub fn program(&self, target: Target) -> Result<Program, CaseError> {
        self.program_with(target, &*self.files())
    }

    /// The same with a say in where files come from.
    ///
    /// # Errors
    /// As [`Case::program`].
    pub fn program_with(&self, target: Target, files: &dyn Files) -> Result<Program, CaseError> {
        self.require(target)?;
        let target = self.mattr.as_deref().and_then(|list| target.with_mattr(list).ok()).unwrap_or(target);
        if let Some(file) = &self.code {
            return self.raw(target, files, file);
        }
        // Messages give the lines of the file: as many blank ones stand for the header.
        let mut source = "\n".repeat(self.body.line.saturating_sub(1) as usize);
        source.push_str(&self.body.text);
        source.push_str("\n\t.text\n");
        if !ends(&self.body.text) {
            source.push_str("\ts_endpgm\n");
        }
        for (name, value) in COUNTS {
            source.push_str(&format!("\t.set {name}, {value}\n"));
        }
        let assembly = assemble_with(&self.name, &source, &Assembler::new(target), target, files);
        let Some(module) = assembly.module else {
            let errors = assembly.diagnostics.into_iter().filter(|d| d.severity == Severity::Error);
            return Err(CaseError::Text(errors.collect::<Vec<Diagnostic>>()));
        };
        let at = module.sections.iter().position(|s| s.name == ".text");
        let text = at.map(|at| module.sections[at].bytes.clone()).unwrap_or_default();
        if at.is_some_and(|at| !module.sections[at].relocations.is_empty()) {
            return Err(CaseError::NeedsLinking { case: self.name.clone() });
        }
        let count = |name: &str| match module.symbol(name).map(|s| s.place) {
            Some(SymbolPlace::Absolute(value)) => u32::try_from(value).unwrap_or(0),
            _ => 0,
        };
        let (sgprs, vgprs) = (count(COUNTS[0].0), count(COUNTS[1].0));
        let mut labels: Vec<(String, u64)> = module
            .symbols
            .iter()
            .filter_map(|symbol| match symbol.place {
                SymbolPlace::Section { section, offset } if Some(section) == at => Some((symbol.name.clone(), offset)),
                _ => None,
            })
            .collect();
        labels.sort_by_key(|(_, at)| *at);
        let mut program = Program { target, text, entry: 0, handler: None, labels, sgprs, vgprs, module };
        let find = |program: &Program, label: &str| {
            let missing = || CaseError::Label { case: self.name.clone(), label: label.to_owned() };
            program.label(label).ok_or_else(missing)
        };
        if let Some(entry) = &self.entry {
            program.entry = find(&program, entry)?;
        }
        if let Some(TrapHandler { label, .. }) = &self.trap_handler {
            let at = find(&program, label)?;
            if !at.is_multiple_of(traps::ALIGNMENT) {
                let what = format!("the trap handler `{label}`");
                return Err(CaseError::Handler { case: self.name.clone(), what, at });
            }
            program.handler = Some(at);
        }
        Ok(program)
    }
}

impl Case {
    /// Machine code from a file, as it is: nothing is implied at its end.
    fn raw(&self, target: Target, files: &dyn Files, file: &str) -> Result<Program, CaseError> {
        let read = files.read(&self.name, file);
        let text = read.map_err(|error| CaseError::File { file: file.to_owned(), reason: error.to_string() })?;
        if text.is_empty() || !text.len().is_multiple_of(4) || text.len() as u64 > MAX_CODE {
            return Err(CaseError::Code { file: file.to_owned(), bytes: text.len() });
        }
        let handler = self.trap_handler.as_ref().map(|handler| &handler.label);
        if let Some(label) = self.entry.as_ref().or(handler) {
            return Err(CaseError::Label { case: self.name.clone(), label: label.clone() });
        }
        let labels = Vec::new();
        let module = Module {
            target,
            sections: Vec::new(),
            symbols: Vec::new(),
            kernels: Vec::new(),
            metadata: None,
            amdgcn_target: None,
            code_object_version: None,
        };
        Ok(Program { target, text, entry: 0, handler: None, labels, sgprs: 0, vgprs: 0, module })
    }
}

/// Whether the last statement is an `s_endpgm`.
fn ends(body: &str) -> bool {
    let code = body.lines().rev().map(|line| {
        let line = line.split(';').next().unwrap_or("");
        line.split("//").next().unwrap_or("").trim()
    });
    code.into_iter().find(|line| !line.is_empty()).is_some_and(|line| line == "s_endpgm" || line.ends_with(" s_endpgm"))
}
