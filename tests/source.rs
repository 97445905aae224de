//! Whole files, compared with LLVM, and hostile ones.
//!
//! `source/*.expect` is what `llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 -filetype=obj` makes of `source/*.s`:
//! the sections, symbols and relocations of its object file, in a line each.

use proptest::prelude::*;
use std::fmt::Write;
use wavediff::asm::cursor::Cursor;
use wavediff::asm::expr::{self, RegisterFile, Scope, Value};
use wavediff::asm::module::Module;
use wavediff::asm::module::{RelocationTarget, SectionKind, SymbolPlace};
use wavediff::asm::source::{Assembly, NoFiles, assemble, assemble_with};
use wavediff::asm::{AsmError, AsmResult, Diagnostic, Encoded, Fixup, FixupKind, Severity};
use wavediff::isa::{Arch, Target};

/// The instructions of the tests: `s_nop n`, `s_branch`, `s_cbranch_scc0`, and `s_mov_b32 s0, literal` of gfx11.
fn encode(text: &str, scope: &dyn Scope) -> AsmResult<Encoded> {
    let mut cur = Cursor::new(text);
    let word = |w: u32| Encoded { words: [w, 0, 0, 0, 0], len: 1, fixup: None };
    let name = cur.ident();
    cur.skip();
    let start = cur.pos();
    let encoded = match name {
        "s_nop" => word(0xbf80_0000 | expr::parse_abs(&mut cur, scope)? as u32 & 0xffff),
        "s_branch" | "s_cbranch_scc0" => {
            let mut encoded = word(if name == "s_branch" { 0xbfa0_ffff } else { 0xbfa1_ffff });
            match expr::parse(&mut cur, scope)? {
                Value::Abs(value) => encoded.words[0] = encoded.words[0] & 0xffff_0000 | value as u32 & 0xffff,
                Value::Expr(expr) => {
                    let span = start..cur.pos();
                    encoded.fixup = Some(Fixup { word: 0, kind: FixupKind::Branch, expr, span });
                }
            }
            encoded
        }
        "s_mov_b32" => {
            scope.register_used(RegisterFile::Scalar, 0);
            if !cur.eat_str("s0,") {
                return Err(AsmError::expected(start, "`s0,`"));
            }
            let mut encoded = Encoded { words: [0xbe80_00ff, 0, 0, 0, 0], len: 2, fixup: None };
            match expr::parse(&mut cur, scope)? {
                Value::Abs(value) => encoded.words[1] = value as u32,
                Value::Expr(expr) => {
                    let span = start..cur.pos();
                    encoded.fixup = Some(Fixup { word: 1, kind: FixupKind::Literal, expr, span });
                }
            }
            encoded
        }
        _ => return Err(AsmError::rule(0..name.len().max(1), "not an instruction of the tests")),
    };
    if cur.at_end() { Ok(encoded) } else { Err(AsmError::expected(cur.pos(), "the end")) }
}

fn target() -> Target {
    Target::new(Arch::find("gfx1100").expect("a known processor"))
}

fn run(text: &str) -> Assembly {
    assemble_with("a.s", text, &encode, target(), &NoFiles)
}

fn module(text: &str) -> Module {
    let assembly = run(text);
    let shown: Vec<String> = assembly.diagnostics.iter().map(Diagnostic::to_string).collect();
    assembly.module.unwrap_or_else(|| panic!("{}", shown.join("\n")))
}

fn errors(text: &str) -> Vec<String> {
    let assembly = run(text);
    assert!(assembly.module.is_none(), "no error in {text:?}");
    assembly.diagnostics.iter().map(Diagnostic::to_string).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// The module in the form of the `.expect` files.
fn dump(module: &Module) -> String {
    let mut out = String::new();
    for s in &module.sections {
        let kind = match s.kind {
            SectionKind::ProgBits => 1,
            SectionKind::NoBits => 8,
            SectionKind::Note => 7,
            SectionKind::InitArray => 14,
            SectionKind::FiniArray => 15,
            SectionKind::PreinitArray => 16,
            SectionKind::Other(n) => n,
        };
        let bytes = if s.kind == SectionKind::NoBits { format!("-{}", s.bytes.len()) } else { hex(&s.bytes) };
        let (name, flags, align, entry) = (&s.name, s.flags.bits(), s.align, s.entry_size);
        let _ = writeln!(out, "section {name} type {kind} flags {flags:#x} align {align} entry {entry} {bytes}");
    }
    let mut lines = Vec::new();
    for s in module.symbols.iter().filter(|s| !s.temporary) {
        let place = match s.place {
            SymbolPlace::Undefined => "undefined".to_owned(),
            SymbolPlace::Absolute(value) => format!("absolute {}", value as u64),
            SymbolPlace::Common { align } => format!("common {align}"),
            SymbolPlace::Lds { align } => format!("lds {align}"),
            SymbolPlace::Section { section, offset } => format!("{}+{offset:#x}", module.sections[section].name),
        };
        let kind = [0, 2, 1, 6, 5, 10, 10][s.kind as usize];
        let (name, size, bind, vis) = (&s.name, s.size, s.binding as u8, s.visibility as u8);
        lines.push(format!("symbol {name} {place} size {size} bind {bind} type {kind} vis {vis}\n"));
    }
    lines.sort();
    out.extend(lines);
    for s in &module.sections {
        for r in &s.relocations {
            let name = match &r.symbol {
                RelocationTarget::Symbol(i) => &module.symbols[*i].name,
                RelocationTarget::Section(i) => &module.sections[*i].name,
                RelocationTarget::None => "",
            };
            let _ = writeln!(out, "reloc {}+{:#x} {} {name} {}", s.name, r.offset, r.kind as u8, r.addend);
        }
    }
    out
}

macro_rules! agrees_with_llvm {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let text = include_str!(concat!("source/", stringify!($name), ".s"));
                let expected = include_str!(concat!("source/", stringify!($name), ".expect"));
                let found = dump(&module(text));
                for (found, expected) in found.lines().zip(expected.lines()) {
                    assert_eq!(found, expected);
                }
                assert_eq!(found, expected);
            }
        )*
    };
}

agrees_with_llvm! { align branches conditions expressions fill literals macros sections strings symbols }

#[test]
fn errors_have_places() {
    assert_eq!(
        errors("  s_nop 1\n\ts_nop x ; c\n"),
        ["a.s:2:8: error: the value must be known here, but this is not: `x`\n\ts_nop x ; c\n\t      ^"]
    );
    let found = errors(".macro m a\n  nothing\n  put \\a, 300\n.endm\n.macro put x, y\n .byte \\x, \\y\n.endm\nm 1\n");
    assert_eq!(
        found[0],
        "a.s:2:3: error: not an instruction of the tests\n  nothing\n  ^~~~~~~\na.s:8:1: note: in the expansion of macro `m`"
    );
    assert_eq!(
        found[1],
        "a.s:6:11: error: the value must be in -128..=255, not 300\n .byte 1, 300\n          ^~~\n\
         a.s:3:3: note: in the expansion of macro `put`\na.s:8:1: note: in the expansion of macro `m`"
    );
    let found = errors(".rept 2\n.byte 1\n.byte 256\n.endr\n");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|e| e.starts_with("a.s:3:7: error")), "{found:?}");
}

#[test]
fn branches_out_of_range() {
    let far = |n: u32| format!("s_branch end\n.fill {n}, 4, 0xbf800000\nend: s_nop 0\n");
    assert!(run(&far(32767)).module.is_some());
    let error = &errors(&far(32768))[0];
    assert!(
        error.contains("a.s:1:10: error: the target is 32768 words away; a branch reaches from -32768 to 32767"),
        "{error}"
    );
    assert!(errors("s_branch e\n.byte 1\ne:\n")[0].contains("1 bytes away"));
    assert!(errors("s_branch nowhere\n")[0].contains("undefined label `nowhere`"));
    // What another file defines is left to the linker; LLVM refuses it.
    let relocations = &module(".globl far\ns_branch far\n").sections[0].relocations;
    assert_eq!(relocations.len(), 1);
    // LLVM leaves a relocation to a global label beside us; the distance is the same.
    assert_eq!(module(".globl near\nnear: s_branch near\n").sections[0].bytes, [0xff, 0xff, 0xa0, 0xbf]);
}

#[test]
fn a_literal_known_at_the_end_is_a_number() {
    assert_eq!(module("s_mov_b32 s0, late\n.set late, 24\n").sections[0].bytes[4..], [24, 0, 0, 0]);
}

#[test]
fn many_mistakes() {
    for text in [
        "x: x:",
        ".equiv a, 1\n.equiv a, 2",
        "x:\nx = 1",
        "x = x + 1",
        ".set a, b\n.set b, a\n.long a",
        ".if 1",
        ".endif",
        ".else",
        ".elseif 1",
        ".if 1\n.else\n.else\n.endif",
        ".macro",
        ".macro m\n",
        ".macro m a, a\n.endm",
        ".endm",
        ".rept 3",
        ".rept -1\n.endr",
        ".endr",
        ".irp",
        ".irp x\n.endr",
        ".purgem q",
        ".exitm",
        ".byte 256",
        ".byte x",
        ".quad 1 2",
        ".float x",
        ".ascii \"a",
        ".ascii 3",
        ".ascii \"\\q\"",
        ".align 3",
        ".p2align 40",
        ".balign 8, 0, 0",
        ".org -1",
        ".byte 1\n.org 0",
        ".section",
        ".section x, \"q\"",
        ".section x, \"a\", @what",
        ".section .text, \"w\"",
        ".popsection",
        ".previous",
        ".bss\n.byte 1",
        ".bss\ns_nop 0",
        ".type x, @y",
        ".globl 3",
        ".err",
        ".error \"no\"",
        ".include \"x\"",
        ".incbin \"x\"",
        ".what",
        ".amdhsa_kernel k",
        ".end_amdhsa_kernel",
        ".amdhsa_next_free_vgpr 1",
        ".amdgpu_metadata",
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"",
        "/* open",
        ": x",
        "9",
        "1: 2",
        ".long 1b",
        ".long 1f",
        "s_nop 1, 2",
        ".long a@what",
        ".long a*2",
        ".byte a-b\n.section x\na:\n.section y\nb:",
        "é",
        "\0x",
        "= 3",
        ".p2alignl 3, 1\n.byte 1\n.p2alignl 3, 1",
        ".comm x, -1",
        ".macro m a:req\n.endm\nm",
        ".macro m a\n.endm\nm 1, 2",
        ".ifc a",
        ".amdhsa_kernel k\n.amdhsa_x 1\n.amdhsa_x 1\n.end_amdhsa_kernel",
        ".amdhsa_kernel k\ns_nop 0\n.end_amdhsa_kernel",
    ] {
        if text.starts_with('\0') {
            run(text);
            continue;
        }
        let found = errors(text);
        assert!(found.iter().all(|e| e.starts_with("a.s:")), "{found:?}");
    }
}

#[test]
fn errors_stop_at_a_hundred() {
    assert_eq!(errors(&".err\n".repeat(1000)).len(), 100);
}

#[test]
fn hostile_sizes_are_errors() {
    for text in [
        ".macro m\nm\n.endm\nm\n",
        ".macro m\nm\nm\n.endm\nm\n",
        ".rept 1000000000000\n.endr\n",
        ".rept 1000000\n.rept 1000000\n.byte 1\n.endr\n.endr\n",
        ".rept 100000\n.rept 100000\n.rept 100000\n.endr\n.endr\n.endr\n",
        ".fill 1000000000000, 8, 1\n",
        ".zero 0x7fffffffffffffff\n",
        ".org 0x7fffffffffffffff\n",
        ".macro m a\nm \\a\\a\\a\\a\n.endm\nm aaaaaaaaaaaaaaaaaaaaaaaa\n",
        ".dcb.l 0x7fffffffffffffff, 1\n",
    ] {
        errors(text);
    }
    let doubling: String = (1..100).map(|n| format!(".set a{n}, a{}-a{}+b\n", n - 1, n - 1)).collect();
    run(&format!("{doubling}.long a99\n"));
    let chain: String = (1..20_000).map(|n| format!(".set a{n}, a{}\n", n + 1)).collect();
    run(&format!("{chain}.long a1\n"));
    run(&".if 1\n".repeat(20_000));
    run(&"1: ".repeat(50_000));
}

#[test]
fn kernels() {
    let module = module(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n.amdhsa_code_object_version 5\n.globl k\nk: s_mov_b32 s0, 1\n.rodata\n.p2align 6\n\
         .amdhsa_kernel k\n.amdhsa_next_free_vgpr n\n.if 1\n.amdhsa_next_free_sgpr .amdgcn.next_free_sgpr\n.endif\n.end_amdhsa_kernel\n\
         n = 7\n.amdgpu_metadata\n---\n# ; \"\n.end_amdgpu_metadata\n.byte .amdgcn.gfx_generation_number\n",
    );
    let kernel = &module.kernels[0];
    assert_eq!((kernel.name.as_str(), kernel.section, kernel.offset), ("k", 1, 0));
    let fields: Vec<_> =
        kernel.fields.iter().map(|f| (f.directive.as_str(), f.value.clone(), f.location.line)).collect();
    let int = |n| expr::Expr::Int(n);
    assert_eq!(fields, [(".amdhsa_next_free_vgpr", int(7), 8), (".amdhsa_next_free_sgpr", int(1), 10)]);
    assert_eq!(module.metadata.as_deref(), Some("---\n# ; \"\n"));
    assert_eq!(module.code_object_version, Some(5));
    assert_eq!(module.sections[1].bytes, [vec![0; 64], vec![11]].concat());
    let descriptor = module.symbol("k.kd").expect("the symbol of the descriptor");
    assert_eq!((descriptor.size, descriptor.place), (64, SymbolPlace::Section { section: 1, offset: 0 }));
    assert!(module.symbol(".amdgcn.next_free_vgpr").is_none());
}

#[test]
fn files_are_included() {
    let dir = std::env::temp_dir().join(format!("wavediff-source-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder for the test");
    let path = |name: &str| dir.join(name);
    std::fs::write(path("b.s"), ".byte 2\n.incbin \"c.bin\", 1, 2\n").expect("a file");
    std::fs::write(path("bad.s"), "\n what\n").expect("a file");
    std::fs::write(path("self.s"), ".include \"self.s\"\n").expect("a file");
    std::fs::write(path("c.bin"), [9, 8, 7, 6]).expect("a file");
    let main = path("a.s").to_string_lossy().into_owned();
    let built = assemble(&main, ".data\n.byte 1\n.include \"b.s\"\n.byte 3\n", &encode, target());
    let bad = assemble(&main, ".include \"bad.s\"\n", &encode, target());
    let endless = assemble(&main, ".include \"self.s\"\n.include \"none.s\"\n", &encode, target());
    std::fs::remove_dir_all(&dir).expect("the folder goes");
    assert_eq!(built.expect("no error").sections[1].bytes, [1, 2, 8, 7, 3]);
    let shown = bad.expect_err("an error")[0].to_string();
    assert!(shown.contains("bad.s:2:2: error") && shown.contains("a.s:1:1: note: included here"), "{shown}");
    assert_eq!(endless.expect_err("two errors").len(), 2);
}

#[test]
fn warnings_and_prints_are_no_errors() {
    let assembly = run(".warning \"careful\"\n.print \"hello\"\n.fill 1, 9, 1\n");
    assert!(assembly.module.is_some());
    let found: Vec<_> = assembly.diagnostics.iter().map(|d| (d.severity, d.message.as_str())).collect();
    assert_eq!(
        found,
        [
            (Severity::Warning, "careful"),
            (Severity::Note, "hello"),
            (Severity::Warning, "the size is cut down to 8 bytes")
        ]
    );
}

/// Pieces which mean something, so that random texts come far.
const PIECES: &[&str] = &[
    "s_nop ",
    "s_branch ",
    "s_mov_b32 s0, ",
    "x",
    "y",
    ":",
    "\n",
    "\n",
    "\n",
    " ",
    ",",
    "1",
    "0x",
    "1f",
    "1b",
    "1:",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "\"",
    "\\",
    "\\a",
    "\\@",
    "\\()",
    "'",
    ";",
    "#",
    "//",
    "/*",
    "*/",
    "=",
    ".",
    ".set ",
    ".if ",
    ".else\n",
    ".endif\n",
    ".macro ",
    ".endm\n",
    "m ",
    "a",
    ".rept ",
    ".irp ",
    ".irpc ",
    ".endr\n",
    ".byte ",
    ".quad ",
    ".ascii ",
    ".float ",
    ".fill ",
    ".align ",
    ".org ",
    ".data\n",
    ".section ",
    ".pushsection ",
    ".popsection\n",
    ".globl ",
    ".type ",
    ".size ",
    ".exitm\n",
    ".purgem ",
    ".p2alignl ",
    ".amdhsa_kernel ",
    ".amdhsa_x ",
    ".end_amdhsa_kernel\n",
    ".amdgpu_metadata\n",
    ".ifb ",
    ".ifc ",
    ".elseif ",
    "@rel32@lo",
    "é",
    "\0",
    "$",
    ":req",
    ":vararg",
    "&&",
    "||",
    "<<",
    ">>",
    "!",
    "~",
    "9999999999",
    ".incbin \"a\"",
    ".comm ",
    ".equiv ",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_never_panics(text in "\\PC{0,80}(\n\\PC{0,40}){0,4}") {
        let _ = run(&text).diagnostics.iter().map(Diagnostic::to_string).count();
    }

    #[test]
    fn random_pieces_never_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let _ = run(&pieces.concat()).diagnostics.iter().map(Diagnostic::to_string).count();
    }
}
