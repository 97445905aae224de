//! The directives of AMD GPUs: the target, kernels, metadata.

use super::symbols::Def;
use super::{Assembler, KernelBlock, KernelField, OpenKernel, comma, end, named, quoted, symbol_name};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr::{self, Expr};
use crate::asm::module::{SymbolKind, Visibility};

/// How many directives may describe a kernel: far more than there are.
const MAX_FIELDS: usize = 256;
/// The bytes of a kernel descriptor.
const DESCRIPTOR: u64 = 64;

/// The three numbers in the name of a processor: the last two digits (hexadecimal) are minor and stepping.
pub(super) fn version(name: &str) -> (i64, i64, i64) {
    let digits = name.strip_prefix("gfx").unwrap_or(name);
    let at = digits.len().saturating_sub(2);
    let digit = |i: usize| digits.get(i..=i).and_then(|d| i64::from_str_radix(d, 16).ok()).unwrap_or(0);
    (digits.get(..at).and_then(|d| d.parse().ok()).unwrap_or(0), digit(at), digit(at + 1))
}

/// The code of a kernel must not be replaced by another file's: its descriptor holds the distance.
pub(super) fn protect(visibility: &mut Visibility) {
    if *visibility == Visibility::Default {
        *visibility = Visibility::Protected;
    }
}

impl Assembler<'_> {
    /// `.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"`: must be what we assemble for.
    pub(super) fn target(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let name = quoted(cur)?;
        end(cur)?;
        let span = at..cur.pos().max(at + 1);
        let processor = name.split_once("--").map_or("", |(_, p)| p);
        let processor = processor.split(':').next().unwrap_or("");
        if !name.starts_with("amdgcn-") || processor != self.target.arch.name {
            return Err(AsmError::new(
                span,
                Problem::UnknownName {
                    what: "target",
                    name: name.to_owned(),
                    near: Some(format!("the file is assembled for {}", self.target.arch.name)),
                },
            ));
        }
        self.amdgcn_target = Some(name.to_owned());
        Ok(())
    }

    /// `.amdhsa_code_object_version 5`
    pub(super) fn version_directive(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let value = self.number(cur)?;
        end(cur)?;
        match u32::try_from(value) {
            Ok(version) => self.code_object_version = Some(version),
            Err(_) => return Err(AsmError::rule(at..cur.pos(), "not a version of a code object")),
        }
        Ok(())
    }

    /// `.amdhsa_kernel name`: what follows describes it, to `.end_amdhsa_kernel`.
    pub(super) fn begin_kernel(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let name = symbol_name(cur)?;
        end(cur)?;
        if self.kernel.is_some() {
            return Err(AsmError::rule(start..cur.pos(), "the kernel before this one has no `.end_amdhsa_kernel`"));
        }
        if !self.described.insert(name.to_owned()) {
            return Err(named(at..cur.pos(), "this kernel is already described", name));
        }
        let location = self.spot.location(&(start..cur.pos()));
        let block = KernelBlock { name: name.to_owned(), fields: Vec::new(), section: 0, offset: 0, location };
        let mut spot = self.spot.clone();
        spot.at += start;
        self.kernel = Some(OpenKernel { block, values: Vec::new(), spot });
        Ok(())
    }

    /// A directive inside a kernel block.
    pub(super) fn kernel_field(&mut self, name: &str, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let value = expr::parse(cur, self)?.into_expr();
        end(cur)?;
        let span = at..cur.pos().max(at + 1);
        let node = self.bind(&value, span.clone())?;
        let value = self.symbols.absolute(&node).map_or(value, Expr::Int);
        let location = self.spot.location(&(start..cur.pos()));
        let spot = self.spot.clone();
        let Some(kernel) = &mut self.kernel else { return Ok(()) };
        if kernel.block.fields.len() >= MAX_FIELDS {
            return Err(AsmError::rule(start..start + name.len(), "a kernel is described by at most 256 directives"));
        }
        if kernel.block.fields.iter().any(|f| f.directive == name) {
            return Err(named(start..start + name.len(), "this was already said of the kernel", name));
        }
        kernel.block.fields.push(KernelField { directive: name.to_owned(), value, location });
        kernel.values.push((node, spot, span));
        Ok(())
    }

    /// `.end_amdhsa_kernel`: makes room for the descriptor.
    pub(super) fn end_kernel(&mut self, start: usize) -> AsmResult<()> {
        let Some(mut kernel) = self.kernel.take() else {
            return Err(AsmError::rule(start..start + 18, "`.end_amdhsa_kernel` without `.amdhsa_kernel`"));
        };
        let place = self.layout.here();
        let name = format!("{}.kd", kernel.block.name);
        self.symbols.intern(&kernel.block.name);
        self.label(&name, start)?;
        let id = self.symbols.intern(&name);
        let entry = &mut self.symbols.list[id];
        entry.kind = SymbolKind::Object;
        entry.size = Some(super::Node::Int(DESCRIPTOR as i64));
        (kernel.block.section, kernel.block.offset) = (place.section, place.offset);
        self.kernels.push(kernel);
        self.layout.fill(DESCRIPTOR, 1, 0).map_err(|rule| AsmError::rule(start..start + 1, rule))
    }

    /// `.amdgpu_metadata`: text, to `.end_amdgpu_metadata`.
    pub(super) fn metadata(&mut self, start: usize) -> AsmResult<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let text = frame.origin.text.clone();
        let from = frame.pos.min(text.len());
        let mut at = from;
        for line in text[from..].split_inclusive('\n') {
            if line.trim() == ".end_amdgpu_metadata" {
                frame.pos = at + line.len();
                if self.metadata.is_some() {
                    return Err(AsmError::rule(start..start + 16, "a file has one `.amdgpu_metadata`"));
                }
                self.metadata = Some(text[from..at].to_owned());
                return Ok(());
            }
            at += line.len();
        }
        frame.pos = text.len();
        Err(AsmError::rule(start..start + 16, "there is no `.end_amdgpu_metadata`"))
    }

    /// `.amdgpu_hsa_kernel name`
    pub(super) fn hsa_kernel(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let name = symbol_name(cur)?;
        end(cur)?;
        let id = self.symbols.intern(name);
        self.symbols.list[id].kind = SymbolKind::AmdgpuHsaKernel;
        Ok(())
    }

    /// `.amdgpu_lds name, size, align` and `.comm name, size, log2 of align`.
    pub(super) fn reserve(&mut self, cur: &mut Cursor, lds: bool) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let name = symbol_name(cur)?;
        let span = at..cur.pos();
        comma(cur)?;
        let size = self.number(cur)?;
        let mut align = if lds { 4 } else { 0 };
        if cur.eat(b',') {
            align = self.number(cur)?;
        }
        let wrong = AsmError::rule(at..cur.pos(), "not a size or an alignment that memory has");
        end(cur)?;
        let align = match align {
            1..=0x4000_0000 if lds && align & (align - 1) == 0 => align as u64,
            0..=31 if !lds => 1 << align,
            _ => return Err(wrong),
        };
        let Ok(size) = u64::try_from(size) else { return Err(wrong) };
        let id = self.symbols.intern(name);
        if self.symbols.list[id].def != Def::Undefined {
            return Err(named(span, "this symbol is already defined", name));
        }
        self.symbols.define(id, if lds { Def::Lds { size, align } } else { Def::Common { size, align } });
        self.symbols.list[id].kind = SymbolKind::Object;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions() {
        assert_eq!(version("gfx600"), (6, 0, 0));
        assert_eq!(version("gfx90a"), (9, 0, 10));
        assert_eq!(version("gfx1036"), (10, 3, 6));
        assert_eq!(version("gfx1201"), (12, 0, 1));
    }
}
