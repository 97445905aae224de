//! Whole files: statements, labels, symbols, sections, macros, conditionals, data, kernels.
//!
//! One pass. The text is a stack of frames (`text`): a file, an included file, an expanded macro. Each statement
//! is a label, an assignment, a directive, a macro call or an instruction; instructions go to an [`InstructionEncoder`], which
//! knows nothing of files. Bytes go straight into their section (`layout`). No instruction changes its size once it is
//! encoded, so labels have their offsets at once, and only fields which look ahead wait for the end of the file (`symbols`).
//!
//! Syntax and results are those of LLVM 19's assembler for `amdgcn` where nothing else is said. More is accepted than
//! there: conditionals and macros inside `.amdhsa_kernel`, distances of labels wherever a number is needed, macro
//! recursion 200 deep. Less: subsections, section groups, `.altmacro`, `.reloc`, PAL metadata, `.amd_kernel_code_t`.
//!
//! Input may be hostile: every loop and every growth has a limit, and what exceeds it is an error with a place.

mod amdgpu;
mod conditions;
mod data;
mod directives;
mod files;
mod layout;
mod macros;
mod sections;
mod symbols;
mod text;

pub use files::{Below, Disk, Files, NoFiles};

use super::cursor::Cursor;
use super::diagnostic::{Diagnostic, Severity};
use super::error::{AsmError, AsmResult, Problem};
use super::expr::{self, Expr, RegisterFile, Scope, Value};
use super::{Encoded, FixupKind};
use crate::asm::module::{
    Binding, KernelBlock, KernelField, Module, Relocation, RelocationTarget, Symbol, SymbolPlace,
};
use crate::isa::Target;
use layout::{Late, LateKind, Layout, Resolved, resolve};
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use symbols::{Def, Fault, Node, Place, Symbols};
use text::{Frame, FrameKind, Origin, Spot};

/// How many errors are collected before the rest of the file is left alone.
const MAX_ERRORS: usize = 100;
/// How many bytes of text all expansions and included files together may have.
const MAX_EXPANDED: usize = 64 << 20;

/// Encodes one instruction: the parser of instructions, as the source layer sees it.
///
/// Register use is reported through [`Scope::register_used`].
pub trait InstructionEncoder {
    /// Encodes a statement which begins with a mnemonic.
    ///
    /// # Errors
    /// What is wrong with it; the span counts from the start of the statement.
    fn encode(&self, statement: &str, scope: &dyn Scope) -> AsmResult<Encoded>;
}

impl<F: Fn(&str, &dyn Scope) -> AsmResult<Encoded>> InstructionEncoder for F {
    fn encode(&self, statement: &str, scope: &dyn Scope) -> AsmResult<Encoded> {
        self(statement, scope)
    }
}

/// What came of a file.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The module, if there was no error.
    pub module: Option<Module>,
    /// Errors, warnings, and what `.print` printed, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Assembles a file; included files are read from disk.
///
/// # Errors
/// All that is wrong with the file, up to 100 errors.
pub fn assemble(
    source_name: &str,
    text: &str,
    encoder: &dyn InstructionEncoder,
    target: Target,
) -> Result<Module, Vec<Diagnostic>> {
    let Assembly { module, diagnostics } = assemble_with(source_name, text, encoder, target, &Disk);
    module.ok_or(diagnostics)
}

/// Assembles a file, with warnings, and with a say in what can be included.
pub fn assemble_with(
    source_name: &str,
    text: &str,
    encoder: &dyn InstructionEncoder,
    target: Target,
    files: &dyn Files,
) -> Assembly {
    let origin = Origin {
        file: source_name.into(),
        text: text.into(),
        body: None,
        period: 0,
        cause: None,
        ends: OnceCell::new(),
    };
    let mut asm = Assembler::new(encoder, target, files, Rc::new(origin));
    asm.run();
    asm.finish()
}

/// The registers that instructions named since the last look: one past the highest number of each file.
#[derive(Debug, Default)]
struct RegisterUse {
    vector: Cell<u32>,
    scalar: Cell<u32>,
}

/// A kernel block being read.
struct OpenKernel {
    block: KernelBlock,
    values: Vec<(Node, Spot, Range<usize>)>,
    spot: Spot,
}

struct Assembler<'e> {
    encoder: &'e dyn InstructionEncoder,
    target: Target,
    files: &'e dyn Files,
    frames: Vec<Frame>,
    /// The statement being read.
    spot: Spot,
    symbols: Symbols,
    layout: Layout,
    uses: RegisterUse,
    conditions: conditions::Conditions,
    macros: HashMap<String, Rc<macros::Macro>>,
    /// How many macros were expanded: `\@`.
    expansions: u64,
    /// How many bytes of text were expanded or included.
    expanded: usize,
    kernel: Option<OpenKernel>,
    kernels: Vec<OpenKernel>,
    /// The names of all kernels so far.
    described: HashSet<String>,
    metadata: Option<String>,
    amdgcn_target: Option<String>,
    code_object_version: Option<u32>,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Scope for Assembler<'_> {
    fn lookup(&self, name: &str) -> Option<i64> {
        self.symbols.number(name)
    }

    fn resolve(&self, expr: &Expr) -> Option<i64> {
        expr::eval(&self.simplify(expr)?, &mut |_| None).ok()
    }

    fn register_used(&self, file: RegisterFile, last: u32) {
        let cell = match file {
            RegisterFile::Vector => &self.uses.vector,
            RegisterFile::Scalar => &self.uses.scalar,
        };
        cell.set(cell.get().max(last.saturating_add(1)));
    }
}

impl<'e> Assembler<'e> {
    fn new(
        encoder: &'e dyn InstructionEncoder,
        target: Target,
        files: &'e dyn Files,
        origin: Rc<Origin>,
    ) -> Assembler<'e> {
        let mut symbols = Symbols::default();
        let (major, minor, stepping) = amdgpu::version(target.arch.name);
        symbols.keep(".amdgcn.gfx_generation_number", major);
        symbols.keep(".amdgcn.gfx_generation_minor", minor);
        symbols.keep(".amdgcn.gfx_generation_stepping", stepping);
        symbols.keep(".amdgcn.next_free_vgpr", 0);
        symbols.keep(".amdgcn.next_free_sgpr", 0);
        Assembler {
            encoder,
            target,
            files,
            spot: Spot { origin: Rc::clone(&origin), at: 0 },
            frames: vec![Frame { origin, pos: 0, kind: FrameKind::File, conditions: 0 }],
            symbols,
            layout: Layout::new(),
            uses: RegisterUse::default(),
            conditions: conditions::Conditions::default(),
            macros: HashMap::new(),
            expansions: 0,
            expanded: 0,
            kernel: None,
            kernels: Vec::new(),
            described: HashSet::new(),
            metadata: None,
            amdgcn_target: None,
            code_object_version: None,
            diagnostics: Vec::new(),
            errors: 0,
        }
    }

    /// Reads everything.
    fn run(&mut self) {
        while let Some(frame) = self.frames.last_mut() {
            if frame.pos >= frame.origin.text.len() {
                self.frames.pop();
                continue;
            }
            let statement = text::statement(&frame.origin.text, frame.pos);
            frame.pos = statement.next;
            if !Rc::ptr_eq(&self.spot.origin, &frame.origin) {
                self.spot.origin = Rc::clone(&frame.origin);
            }
            self.spot.at = statement.range.start;
            if let Some(rule) = statement.open
                && !self.conditions.ignoring()
            {
                let len = statement.range.len();
                self.error(AsmError::rule(0..len.max(1), rule));
                continue;
            }
            let origin = Rc::clone(&self.spot.origin);
            let text = origin.text.get(statement.range).unwrap_or("");
            if let Err(error) = self.statement(text) {
                self.error(error);
            }
            if self.errors >= MAX_ERRORS {
                return;
            }
        }
        for spot in self.conditions.unfinished() {
            self.report(&spot, Severity::Error, "this conditional has no `.endif`".into(), &(0..1));
        }
        if let Some(kernel) = self.kernel.take() {
            self.report(&kernel.spot, Severity::Error, "this kernel has no `.end_amdhsa_kernel`".into(), &(0..1));
        }
    }

    fn error(&mut self, error: AsmError) {
        let spot = self.spot.clone();
        self.report(&spot, Severity::Error, error.problem.to_string(), &error.span);
    }

    fn warn(&mut self, span: Range<usize>, message: &str) {
        let spot = self.spot.clone();
        self.report(&spot, Severity::Warning, message.to_owned(), &span);
    }

    fn report(&mut self, spot: &Spot, severity: Severity, message: String, span: &Range<usize>) {
        match severity {
            Severity::Error if self.errors >= MAX_ERRORS => return,
            Severity::Error => self.errors += 1,
            _ if self.diagnostics.len() >= 100 * MAX_ERRORS => return,
            _ => {}
        }
        self.diagnostics.push(spot.diagnostic(severity, message, span));
    }

    /// One statement: labels, and what follows them.
    fn statement(&mut self, text: &str) -> AsmResult<()> {
        let mut cur = Cursor::new(text);
        loop {
            let first = cur.peek();
            let start = cur.pos();
            let ignoring = self.conditions.ignoring();
            match first {
                0 => return Ok(()),
                b'#' if start > 0 => return Ok(()),
                b'0'..=b'9' if !ignoring => {
                    self.numbered_label(&mut cur)?;
                    continue;
                }
                _ => {}
            }
            let name = if first == b'"' && !ignoring { quoted(&mut cur)? } else { cur.ident() };
            if name.is_empty() {
                if ignoring {
                    return Ok(());
                }
                return Err(AsmError::expected(start, "an instruction, a directive or a label"));
            }
            let directive = name.len() > 1 && name.starts_with('.');
            if directive && self.condition(name, &mut cur, start)? || ignoring {
                return Ok(());
            }
            match cur.peek() {
                b':' if cur.at(1) != b':' => {
                    self.label(name, start)?;
                    cur.bump(1);
                    continue;
                }
                b'=' if cur.at(1) != b'=' => {
                    cur.bump(1);
                    return self.assign(name, start, &mut cur, false);
                }
                _ => {}
            }
            if !self.macros.is_empty()
                && let Some(found) = self.macros.get(name)
            {
                let found = Rc::clone(found);
                return self.call(&found, &mut cur, start);
            }
            if directive {
                return self.directive(name, start, &mut cur);
            }
            return self.instruction(text, start);
        }
    }

    fn label(&mut self, name: &str, start: usize) -> AsmResult<()> {
        let span = start..start + name.len();
        if name == "." {
            return Err(AsmError::rule(span, "`.` is the current place, and no label"));
        }
        let id = self.symbols.intern(name);
        if self.symbols.list[id].def != Def::Undefined {
            return Err(named(span, "this symbol is already defined", name));
        }
        self.symbols.define(id, Def::Label(self.layout.here()));
        Ok(())
    }

    fn numbered_label(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let start = cur.pos();
        let mut number = 0u64;
        let mut n = 0;
        while cur.at(n).is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(u64::from(cur.at(n) - b'0'));
            n += 1;
        }
        cur.bump(n);
        if !cur.eat(b':') {
            return Err(AsmError::expected(start, "an instruction, a directive or a label"));
        }
        self.symbols.define_local(number, self.layout.here());
        Ok(())
    }

    fn instruction(&mut self, text: &str, start: usize) -> AsmResult<()> {
        let shift = |mut error: AsmError| {
            error.span = error.span.start.saturating_add(start)..error.span.end.saturating_add(start);
            error
        };
        if self.kernel.is_some() {
            return Err(AsmError::rule(start..text.len(), "no instruction can stand inside `.amdhsa_kernel`"));
        }
        let encoded = self.encoder.encode(&text[start..], self).map_err(shift)?;
        let place = self.layout.here();
        if let Some(fixup) = &encoded.fixup {
            let (at, kind) = match fixup.kind {
                FixupKind::Branch => (place.offset, LateKind::Branch),
                FixupKind::Literal => {
                    let relative = points_somewhere(&fixup.expr);
                    (place.offset + 4 * u64::from(fixup.word), LateKind::Literal(relative))
                }
            };
            let span = fixup.span.start.saturating_add(start)..fixup.span.end.saturating_add(start);
            let node = self.bind(&fixup.expr, span.clone())?;
            let field = Place { section: place.section, offset: at };
            self.layout.late.push(Late { place: field, kind, node, spot: self.spot.clone(), span });
        }
        let len = usize::from(encoded.len).min(encoded.words.len());
        let mut bytes = [0; 20];
        for (to, word) in bytes.chunks_exact_mut(4).zip(&encoded.words[..len]) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        self.layout.emit(&bytes[..4 * len]).map_err(|rule| AsmError::rule(start..text.len(), rule))?;
        self.count_registers();
        Ok(())
    }

    fn count_registers(&mut self) {
        for (cell, name) in
            [(&self.uses.vector, ".amdgcn.next_free_vgpr"), (&self.uses.scalar, ".amdgcn.next_free_sgpr")]
        {
            let seen = cell.take();
            if seen > 0
                && let Some(id) = self.symbols.find(name)
                && let Def::Number(old) = &mut self.symbols.list[id].def
            {
                *old = (*old).max(i64::from(seen));
            }
        }
    }

    /// `name = value`, `.set name, value`, and with `fixed` `.equiv name, value`.
    fn assign(&mut self, name: &str, start: usize, cur: &mut Cursor, fixed: bool) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let value = expr::parse(cur, self)?;
        end(cur)?;
        let span = at..cur.pos().max(at + 1);
        if name == "." {
            return self.origin(value, 0, span);
        }
        let node = match value {
            Value::Abs(value) => Node::Int(value),
            Value::Expr(expr) => {
                let node = self.bind(&expr, span)?;
                self.symbols.absolute(&node).map_or(node, Node::Int)
            }
        };
        let id = self.symbols.intern(name);
        let names = start..start + name.len();
        let entry = &self.symbols.list[id];
        let broken = match &entry.def {
            _ if mentions(&node, id) => Some("a symbol cannot be defined by itself"),
            Def::Undefined => None,
            _ if fixed || entry.fixed => Some("this symbol is already defined"),
            Def::Number(_) => None,
            Def::Node(_) if !entry.used => None,
            Def::Node(_) => Some("this symbol was already used with another value, which was not a number"),
            Def::Label(_) | Def::Common { .. } | Def::Lds { .. } => Some("this symbol is already defined"),
        };
        if let Some(rule) = broken {
            return Err(named(names, rule, name));
        }
        self.symbols.list[id].fixed = fixed;
        let def = match node {
            Node::Int(value) => Def::Number(value),
            node => Def::Node(node),
        };
        self.symbols.define(id, def);
        Ok(())
    }

    /// Binds an expression which outlives its statement.
    fn bind(&mut self, expr: &Expr, span: Range<usize>) -> AsmResult<Node> {
        let node = self.symbols.bind(expr, self.layout.here()).map_err(|fault| fault_at(&fault, span))?;
        self.symbols.mark_used(&node);
        Ok(node)
    }

    /// The number that an expression with labels is by now, without entering new names.
    fn simplify(&self, expr: &Expr) -> Option<Expr> {
        let node = self.symbols.bind_known(expr, self.layout.here())?;
        self.symbols.absolute(&node).map(Expr::Int)
    }

    /// Parses a value which must be known.
    fn number(&self, cur: &mut Cursor) -> AsmResult<i64> {
        expr::parse_abs(cur, self)
    }

    /// Gives the late fields their values and makes the module.
    fn finish(mut self) -> Assembly {
        let mut relocations = Vec::new();
        for late in std::mem::take(&mut self.layout.late) {
            match resolve(&self.symbols, &late) {
                Ok(Resolved::Bytes(value, size)) => {
                    let at = late.place.offset as usize;
                    let bytes = &value.to_le_bytes()[..usize::from(size)];
                    let section = &mut self.layout.sections[late.place.section];
                    if let Some(to) = section.bytes.get_mut(at..at + bytes.len()) {
                        to.copy_from_slice(bytes);
                    }
                }
                Ok(Resolved::Relocate { kind, target, addend }) => relocations.push((late, kind, target, addend)),
                Err(message) => self.report(&late.spot, Severity::Error, message, &late.span),
            }
        }
        let kernels = self.finish_kernels();
        let mut wanted = vec![false; self.symbols.list.len()];
        for (_, _, target, _) in &relocations {
            if let layout::Target::Symbol(id) = target {
                wanted[*id] = true;
            }
        }
        let (symbols, index) = self.finish_symbols(&wanted);
        let mut sections = self.layout.sections;
        for (late, kind, target, addend) in relocations {
            let symbol = match target {
                layout::Target::Symbol(id) => RelocationTarget::Symbol(index[id]),
                layout::Target::Section(section) => RelocationTarget::Section(section),
                layout::Target::None => RelocationTarget::None,
            };
            let offset = late.place.offset;
            sections[late.place.section].relocations.push(Relocation { offset, kind, symbol, addend });
        }
        for section in &mut sections {
            section.relocations.sort_by_key(|r| r.offset);
        }
        let module = Module {
            target: self.target,
            sections,
            symbols,
            kernels,
            metadata: self.metadata,
            amdgcn_target: self.amdgcn_target,
            code_object_version: self.code_object_version,
        };
        Assembly { module: (self.errors == 0).then_some(module), diagnostics: self.diagnostics }
    }

    fn finish_kernels(&mut self) -> Vec<KernelBlock> {
        let mut blocks = Vec::new();
        for OpenKernel { mut block, values, .. } in std::mem::take(&mut self.kernels) {
            for (field, (node, spot, span)) in block.fields.iter_mut().zip(values) {
                match self.symbols.value(&node) {
                    Ok(value) if value.plus.is_none() && value.minus.is_none() => field.value = Expr::Int(value.number),
                    Ok(_) => {}
                    Err(fault) => self.report(&spot, Severity::Error, fault.message(), &span),
                }
            }
            let descriptor = self.symbols.find(&format!("{}.kd", block.name));
            if let (Some(code), Some(descriptor)) = (self.symbols.find(&block.name), descriptor) {
                let (binding, visibility) = (self.symbols.list[code].binding, self.symbols.list[code].visibility);
                self.symbols.list[descriptor].binding = self.symbols.list[descriptor].binding.or(binding);
                self.symbols.list[descriptor].visibility = visibility;
                amdgpu::protect(&mut self.symbols.list[code].visibility);
            }
            blocks.push(block);
        }
        blocks
    }

    /// The symbols of the file, and where each of ours is among them.
    fn finish_symbols(&mut self, wanted: &[bool]) -> (Vec<Symbol>, Vec<usize>) {
        let mut found = Vec::new();
        let mut index = vec![0; self.symbols.list.len()];
        let mut faults = Vec::new();
        for (id, entry) in self.symbols.list.iter().enumerate() {
            let wanted = wanted.get(id).copied().unwrap_or(false);
            if entry.internal || (entry.def == Def::Undefined && entry.binding.is_none() && !wanted) {
                continue;
            }
            let mut size = 0;
            let place = match &entry.def {
                Def::Undefined => SymbolPlace::Undefined,
                Def::Label(p) => SymbolPlace::Section { section: p.section, offset: p.offset },
                Def::Number(value) => SymbolPlace::Absolute(*value),
                Def::Common { size: s, align } => {
                    size = *s;
                    SymbolPlace::Common { align: *align }
                }
                Def::Lds { size: s, align } => {
                    size = *s;
                    SymbolPlace::Lds { align: *align }
                }
                Def::Node(node) => match self.symbols.value(node).map(|v| (v.plus, v.minus, v.number)) {
                    Ok((None, None, value)) => SymbolPlace::Absolute(value),
                    Ok((Some(plus), None, number)) if plus.variant.0.is_none() && (plus.place.is_some() || !wanted) => {
                        match plus.place {
                            Some(p) => SymbolPlace::Section {
                                section: p.section,
                                offset: p.offset.wrapping_add(number as u64),
                            },
                            // An alias of a symbol from elsewhere: whoever names it names the other one.
                            None => continue,
                        }
                    }
                    Ok(_) => {
                        faults.push(format!(
                            "the value of `{}` is neither a number nor a place in this file",
                            entry.name
                        ));
                        continue;
                    }
                    Err(fault) => {
                        faults.push(format!("`{}`: {}", entry.name, fault.message()));
                        continue;
                    }
                },
            };
            if let Some(node) = &entry.size {
                match self.symbols.absolute(node) {
                    Some(value) => size = value as u64,
                    None => faults.push(format!("the size of `{}` is not a number", entry.name)),
                }
            }
            let binding = match (entry.binding, &place) {
                (Some(binding), _) => binding,
                (None, SymbolPlace::Undefined | SymbolPlace::Common { .. } | SymbolPlace::Lds { .. }) => {
                    Binding::Global
                }
                (None, _) => Binding::Local,
            };
            index[id] = found.len();
            found.push(Symbol {
                name: entry.name.to_string(),
                place,
                size,
                binding,
                kind: entry.kind,
                visibility: entry.visibility,
                temporary: entry.name.starts_with(".L"),
            });
        }
        let spot = self.spot.clone();
        for fault in faults {
            self.report(&spot, Severity::Error, fault, &(0..1));
        }
        (found, index)
    }
}

/// Whether a literal means the distance to a symbol rather than its value: LLVM's rule, which looks at the form only.
fn points_somewhere(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) => false,
        Expr::Symbol(name) => {
            let name = name.to_ascii_lowercase();
            !name.ends_with("@abs32@lo") && !name.ends_with("@abs32@hi")
        }
        Expr::Unary(_, a) => points_somewhere(a),
        Expr::Binary(expr::BinOp::Sub, ..) => false,
        Expr::Binary(_, a, b) => points_somewhere(a) || points_somewhere(b),
    }
}

fn mentions(node: &Node, id: usize) -> bool {
    match node {
        Node::Symbol(other, _) => *other == id,
        Node::Unary(_, a) => mentions(a, id),
        Node::Binary(_, a, b) => mentions(a, id) || mentions(b, id),
        Node::Int(_) | Node::Place(_) | Node::Local(..) => false,
    }
}

fn named(span: Range<usize>, rule: &'static str, name: &str) -> AsmError {
    AsmError::new(span, Problem::Named { rule, name: name.to_owned() })
}

fn fault_at(fault: &Fault, span: Range<usize>) -> AsmError {
    match fault {
        Fault::NoLocal(number) => named(span, "there is no such label before this place", &format!("{number}:")),
        Fault::Variant(name) => {
            AsmError::new(span, Problem::UnknownName { what: "variant", name: format!("@{name}"), near: None })
        }
        Fault::DivisionByZero => AsmError::rule(span, "division by zero"),
        Fault::NotANumber => AsmError::rule(span, "the value must be a number"),
        Fault::Circular => AsmError::rule(span, "the value depends on itself"),
        Fault::TooLong => AsmError::rule(span, "the values of the symbols take too long to work out"),
    }
}

/// Nothing may follow.
fn end(cur: &mut Cursor) -> AsmResult<()> {
    if cur.at_end() { Ok(()) } else { Err(AsmError::expected(cur.pos(), "the end of the statement")) }
}

/// A comma.
fn comma(cur: &mut Cursor) -> AsmResult<()> {
    if cur.eat(b',') { Ok(()) } else { Err(AsmError::expected(cur.pos(), "`,`")) }
}

/// What stands between quotes, without looking at escapes.
fn quoted<'a>(cur: &mut Cursor<'a>) -> AsmResult<&'a str> {
    if cur.peek() != b'"' {
        return Err(AsmError::expected(cur.pos(), "a string"));
    }
    let start = cur.pos();
    let mut n = 1;
    loop {
        match cur.at(n) {
            b'"' => break,
            0 if start + n >= cur.text().len() => {
                return Err(AsmError::rule(start..start + n, "the string does not end"));
            }
            b'\\' => n += 2,
            _ => n += 1,
        }
    }
    let inside = cur.slice(start + 1, start + n);
    cur.bump(n + 1);
    Ok(inside)
}

/// The name of a symbol: an identifier, or anything between quotes.
fn symbol_name<'a>(cur: &mut Cursor<'a>) -> AsmResult<&'a str> {
    let name = if cur.peek() == b'"' { quoted(cur)? } else { cur.ident() };
    if name.is_empty() { Err(AsmError::expected(cur.pos(), "a symbol")) } else { Ok(name) }
}
