//! Which directive is which, and those which only set an attribute of a symbol or read a file.

use super::data::unescape;
use super::text::{Frame, FrameKind};
use super::{Assembler, Binding, Severity, comma, end, named, quoted, symbol_name};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::expr;
use crate::asm::module::{SymbolKind, Visibility};

/// How deep files may include one another.
const MAX_INCLUDES: usize = 32;

impl Assembler<'_> {
    /// Executes a directive.
    pub(super) fn directive(&mut self, name: &str, start: usize, cur: &mut Cursor) -> AsmResult<()> {
        let lower;
        let name = if name.bytes().any(|b| b.is_ascii_uppercase()) {
            lower = name.to_ascii_lowercase();
            lower.as_str()
        } else {
            name
        };
        if self.kernel.is_some() && name.starts_with(".amdhsa_") && name != ".amdhsa_kernel" {
            return self.kernel_field(name, cur, start);
        }
        match name {
            ".byte" | ".dc.b" => self.integers(cur, 1),
            ".short" | ".2byte" | ".hword" | ".value" | ".dc" | ".dc.w" => self.integers(cur, 2),
            ".long" | ".4byte" | ".int" | ".dc.l" => self.integers(cur, 4),
            ".quad" | ".8byte" | ".dc.a" => self.integers(cur, 8),
            ".octa" => self.octas(cur),
            ".float" | ".single" | ".dc.s" => self.floats(cur, 4),
            ".double" | ".dc.d" => self.floats(cur, 8),
            ".ascii" => self.strings(cur, false),
            ".asciz" | ".string" => self.strings(cur, true),
            ".zero" | ".skip" | ".space" => self.space(cur),
            ".fill" => self.fill(cur),
            ".dcb" | ".dcb.w" => self.blocks(cur, 2),
            ".dcb.b" => self.blocks(cur, 1),
            ".dcb.l" => self.blocks(cur, 4),
            ".align" | ".balign" => self.align(cur, false, 1),
            ".balignw" => self.align(cur, false, 2),
            ".balignl" => self.align(cur, false, 4),
            ".p2align" => self.align(cur, true, 1),
            ".p2alignw" => self.align(cur, true, 2),
            ".p2alignl" => self.align(cur, true, 4),
            ".org" => self.org(cur),

            ".set" | ".equ" | ".equiv" => {
                cur.skip();
                let at = cur.pos();
                let symbol = symbol_name(cur)?;
                comma(cur)?;
                self.assign(symbol, at, cur, name == ".equiv")
            }

            ".text" | ".data" | ".bss" | ".rodata" | ".tdata" | ".tbss" | ".data.rel" | ".data.rel.ro"
            | ".eh_frame" => self.known_section(name, cur),
            ".section" => self.any_section(cur),
            ".pushsection" => self.push_section(cur),
            ".popsection" => end(cur).and_then(|()| self.pop_section(start)),
            ".previous" => end(cur).and_then(|()| self.previous_section(start)),

            ".globl" | ".global" => self.attribute(cur, &|s| s.binding = Some(Binding::Global)),
            ".weak" => self.attribute(cur, &|s| s.binding = Some(Binding::Weak)),
            ".local" => self.attribute(cur, &|s| s.binding = Some(Binding::Local)),
            ".hidden" => self.attribute(cur, &|s| s.visibility = Visibility::Hidden),
            ".internal" => self.attribute(cur, &|s| s.visibility = Visibility::Internal),
            ".protected" => self.attribute(cur, &|s| s.visibility = Visibility::Protected),
            ".type" => self.kind(cur),
            ".size" => self.size(cur),
            ".comm" => self.reserve(cur, false),

            ".macro" => self.define_macro(cur, start),
            ".endm" | ".endmacro" => Err(AsmError::rule(start..start + name.len(), "`.endm` without `.macro`")),
            ".exitm" => end(cur).and_then(|()| self.exit_macro(start)),
            ".purgem" => self.purge_macro(cur),
            ".rept" | ".rep" => self.repeat(cur, start),
            ".irp" => self.repeat_for(cur, start),
            ".irpc" => self.repeat_for_each_char(cur, start),
            ".endr" => Err(AsmError::rule(start..start + name.len(), "`.endr` without `.rept`")),

            ".include" => self.include(cur, start),
            ".incbin" => self.include_bytes(cur),
            ".end" => {
                self.frames.clear();
                Ok(())
            }

            ".err" => Err(AsmError::rule(start..start + name.len(), "`.err`")),
            ".error" | ".warning" | ".print" => self.say(name, cur, start),

            ".amdgcn_target" => self.target(cur),
            ".amdhsa_code_object_version" => self.version_directive(cur),
            ".amdhsa_kernel" => self.begin_kernel(cur, start),
            ".end_amdhsa_kernel" => end(cur).and_then(|()| self.end_kernel(start)),
            ".amdgpu_metadata" => end(cur).and_then(|()| self.metadata(start)),
            ".amdgpu_hsa_kernel" => self.hsa_kernel(cur),
            ".amdgpu_lds" => self.reserve(cur, true),

            // Debugging information and its like: nothing we run depends on it.
            ".file" | ".loc" | ".ident" | ".line" | ".addrsig" | ".addrsig_sym" | ".version" => Ok(()),
            _ if name.starts_with(".cfi_") || name.starts_with(".cv_") => Ok(()),

            _ => {
                let near = name.starts_with(".amdhsa_").then(|| "it belongs into `.amdhsa_kernel`".to_owned());
                let what = Problem::UnknownName { what: "directive", name: name.to_owned(), near };
                Err(AsmError::new(start..start + name.len(), what))
            }
        }
    }

    /// `.globl a, b`
    fn attribute(&mut self, cur: &mut Cursor, set: &dyn Fn(&mut super::symbols::Entry)) -> AsmResult<()> {
        if cur.at_end() {
            return Ok(());
        }
        loop {
            let name = symbol_name(cur)?;
            let id = self.symbols.intern(name);
            set(&mut self.symbols.list[id]);
            if !cur.eat(b',') {
                return end(cur);
            }
        }
    }

    /// `.type name, @function`
    fn kind(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let name = symbol_name(cur)?;
        cur.eat(b',');
        let c = cur.peek();
        let at = cur.pos();
        let kind = match c {
            b'"' => quoted(cur)?,
            b'@' | b'%' | b'#' => {
                cur.bump(1);
                cur.ident()
            }
            _ => cur.ident(),
        };
        let kind = match kind {
            "function" | "STT_FUNC" => SymbolKind::Function,
            "object" | "STT_OBJECT" => SymbolKind::Object,
            "tls_object" | "STT_TLS" => SymbolKind::Tls,
            "common" | "STT_COMMON" => SymbolKind::Common,
            "notype" | "STT_NOTYPE" => SymbolKind::NoType,
            "gnu_indirect_function" | "STT_GNU_IFUNC" => SymbolKind::IndirectFunction,
            _ => return Err(AsmError::rule(at..cur.pos().max(at + 1), "not a type of a symbol")),
        };
        end(cur)?;
        let id = self.symbols.intern(name);
        self.symbols.list[id].kind = kind;
        Ok(())
    }

    /// `.size name, value`
    fn size(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        let name = symbol_name(cur)?;
        comma(cur)?;
        cur.skip();
        let at = cur.pos();
        let value = expr::parse(cur, self)?.into_expr();
        end(cur)?;
        let node = self.bind(&value, at..cur.pos().max(at + 1))?;
        let id = self.symbols.intern(name);
        self.symbols.list[id].size = Some(node);
        Ok(())
    }

    /// `.error "text"` and its like.
    fn say(&mut self, name: &str, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let text = if cur.at_end() { name } else { quoted(cur)? };
        end(cur)?;
        let severity = match name {
            ".error" => Severity::Error,
            ".warning" => Severity::Warning,
            _ => Severity::Note,
        };
        let spot = self.spot.clone();
        self.report(&spot, severity, text.to_owned(), &(start..start + name.len()));
        Ok(())
    }

    fn file_name(&self, cur: &mut Cursor) -> AsmResult<String> {
        cur.skip();
        let at = cur.pos();
        let mut name = Vec::new();
        unescape(quoted(cur)?, at + 1, &mut name)?;
        String::from_utf8(name).map_err(|_| AsmError::rule(at..cur.pos(), "the name of the file is not UTF-8"))
    }

    /// `.include "file"`
    fn include(&mut self, cur: &mut Cursor, start: usize) -> AsmResult<()> {
        let name = self.file_name(cur)?;
        end(cur)?;
        let span = start..cur.pos();
        if self.frames.iter().filter(|f| f.kind == FrameKind::File).count() > MAX_INCLUDES {
            return Err(AsmError::rule(span, "files include one another at most 32 deep"));
        }
        let from = self.spot.origin.file.clone();
        let bytes = self.files.read(&from, &name);
        let bytes = bytes.map_err(|e| named(span.clone(), "this file cannot be read", &format!("{name}`: `{e}")))?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(named(span, "this file is not UTF-8", &name));
        };
        // Names inside the file count from where it lies.
        let beside = std::path::Path::new(&*from).parent().map(|dir| dir.join(&name));
        let path = match beside {
            Some(path) if path.exists() => path.to_string_lossy().into_owned(),
            _ => name,
        };
        let origin = self.origin_of(text, &path.into(), None, 0, "included here".into(), start)?;
        let conditions = self.conditions.depth();
        self.frames.push(Frame { origin, pos: 0, kind: FrameKind::File, conditions });
        Ok(())
    }

    /// `.incbin "file", skip, count`
    fn include_bytes(&mut self, cur: &mut Cursor) -> AsmResult<()> {
        cur.skip();
        let at = cur.pos();
        let name = self.file_name(cur)?;
        let (mut skip, mut count) = (0, i64::MAX);
        if cur.eat(b',') {
            if cur.peek() != b',' {
                skip = self.number(cur)?;
            }
            if cur.eat(b',') {
                count = self.number(cur)?;
            }
        }
        end(cur)?;
        let span = at..cur.pos().max(at + 1);
        let (Ok(skip), Ok(count)) = (usize::try_from(skip), usize::try_from(count)) else {
            return Err(AsmError::rule(span, "the bytes to skip or to take are negative"));
        };
        let from = self.spot.origin.file.clone();
        let bytes = self.files.read(&from, &name);
        let bytes = bytes.map_err(|e| named(span.clone(), "this file cannot be read", &format!("{name}`: `{e}")))?;
        let bytes = bytes.get(skip..).unwrap_or_default();
        self.bytes(&bytes[..count.min(bytes.len())], span)
    }
}
