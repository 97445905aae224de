//! Every path that input of any length takes through the library, as work of a length that can be chosen: what the bench of doubled inputs measures,
//! and what the test of doubled inputs counts.
//!
//! Searches are no such paths: bisection and reduction run a case as often as it takes to find what they look for.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavediff::asm::Assembler;
use wavediff::asm::module::Module;
use wavediff::asm::source::{NoFiles, assemble_with};
use wavediff::bisect::lines;
use wavediff::case::Case;
use wavediff::disasm;
use wavediff::disasm::listing::{Listing, Source};
use wavediff::disasm::stream::Survey;
use wavediff::emu::engine::Emulator;
use wavediff::emu::group::Drive;
use wavediff::emu::traced;
use wavediff::emu::traced::record::{Event, Filter, Recorder};
use wavediff::engine::{Engine, Outcome, wire};
use wavediff::engine::{Keep, Options};
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Target};
use wavediff::launch::{Dispatch, Loaded};
use wavediff::object::reader::CodeObject;
use wavediff::object::{link, writer};
use wavediff::program::Program;
use wavediff::program::coverage::scan::scan;
use wavediff::r600::assemble::{self, assemble};
use wavediff::r600::{self, Machine};
use wavediff::spirv::engine::{SEVERAL, missing};
use wavediff::spirv::lanes::Model;

/// Work of a length.
pub type Work = Box<dyn Fn()>;

/// A path.
pub struct Path {
    /// What is done with what.
    pub name: &'static str,
    /// A length at which the work takes some milliseconds.
    pub length: usize,
    /// Makes the work of a length; what is made beforehand is no part of it.
    pub work: fn(usize) -> Work,
}

/// All of them.
pub const PATHS: &[Path] = &[
    Path { name: "source: .set chain", length: 8000, work: |n| source(chain(n)) },
    Path { name: "source: .set chain, last first", length: 8000, work: |n| source(backwards(n)) },
    Path {
        name: "source: labels and branches back",
        length: 8000,
        work: |n| source(each(n, |i| format!("L{i}: s_branch L{i}\n"))),
    },
    Path {
        name: "source: branches forward",
        length: 8000,
        work: |n| source(each(n, |i| format!("s_branch L{i}\ns_nop 0\nL{i}:\n"))),
    },
    Path {
        name: "source: distances of labels",
        length: 8000,
        work: |n| source(each(n, |i| format!("L{i}: .long L{}-L{i}\n", i + 1)) + &format!("L{n}:\n")),
    },
    Path {
        name: "source: numbered labels",
        length: 8000,
        work: |n| source("1: s_branch 1b\ns_branch 1f\n".repeat(n) + "1:\n"),
    },
    Path {
        name: "source: macros",
        length: 4000,
        work: |n| source(each(n, |i| format!(".macro m{i} a\ns_nop \\a\n.endm\nm{i} 1\n"))),
    },
    Path { name: "source: parameters of a macro", length: 4000, work: |n| source(parameters(n)) },
    Path { name: "source: repetitions", length: 40_000, work: |n| source(format!(".rept {n}\ns_nop 0\n.endr\n")) },
    Path { name: "source: conditionals", length: 16_000, work: |n| source(".if 1\ns_nop 0\n.endif\n".repeat(n)) },
    Path { name: "source: kernels", length: 500, work: |n| source(kernels(n)) },
    Path { name: "source: warnings", length: 4000, work: |n| source(".fill 1, 9, 0\n".repeat(n)) },
    Path { name: "source: instructions", length: 16_000, work: |n| source("v_add_f32 v0, v1, v2\n".repeat(n)) },
    Path { name: "source: sections", length: 2000, work: |n| source(sections(n)) },
    Path { name: "source: alignments", length: 16_000, work: |n| source("s_nop 0\n.p2align 3\n".repeat(n)) },
    Path {
        name: "object: symbols",
        length: 8000,
        work: |n| object(each(n, |i| format!(".globl g{i}\ng{i}: s_nop 0\n.size g{i}, 4\n"))),
    },
    Path {
        name: "object: relocations",
        length: 8000,
        work: |n| object(each(n, |i| format!("s_add_u32 s0, s0, x{i}@rel32@lo+4\n"))),
    },
    Path { name: "object: table of addresses", length: 2000, work: addresses },
    Path { name: "object: kernels", length: 250, work: |n| object(kernels(n)) },
    Path { name: "object: sections", length: 1000, work: |n| object(sections(n)) },
    Path { name: "object: linked and loaded", length: 500, work: loaded },
    Path { name: "launch of a long kernel", length: 8000, work: launched },
    Path { name: "listing", length: 4000, work: |n| list(bytes(n)) },
    Path { name: "listing of what is no code", length: 16_000, work: |n| list(vec![0xff; 4 * n]) },
    Path { name: "listing with names", length: 4000, work: named },
    Path { name: "listing in pieces", length: 4000, work: in_pieces },
    Path { name: "plan", length: 16_000, work: plan },
    Path { name: "scan", length: 4000, work: scanned },
    Path { name: "explain", length: 2000, work: explained },
    Path { name: "translation: straight code", length: 1000, work: |n| translated("v_add_f32 v0, v1, v2\n".repeat(n)) },
    Path {
        name: "translation: branches",
        length: 500,
        work: |n| translated(each(n, |i| format!("s_cbranch_scc0 L{i}\ns_nop 0\nL{i}:\n"))),
    },
    Path { name: "case: a list", length: 8000, work: |n| case(listed(n)) },
    Path { name: "case: expectations", length: 2000, work: |n| case(expectations(n)) },
    Path {
        name: "case: initial values",
        length: 4000,
        work: |n| case(each(n, |i| format!("; v{} = {i}\n", i % 200)) + "s_nop 0\n"),
    },
    Path {
        name: "case: observed places",
        length: 4000,
        work: |n| {
            case(format!("; buffer b[{n}]\n; observe: ") + &each(n, |i| format!("buffer b[{i}], ")) + "s0\ns_nop 0\n")
        },
    },
    Path {
        name: "case: waves",
        length: 8000,
        work: |n| case(format!("; grid: {n}\n; group: 1\n; v0 = item\n; expect: v0 = item\ns_nop 0\n")),
    },
    Path { name: "case: a long program", length: 4000, work: |n| case("v_add_f32 v0, v1, v2\n".repeat(n)) },
    Path { name: "case: lines of its assembly", length: 2000, work: of_lines },
    Path { name: "case: its trace", length: 1000, work: recorded },
    Path { name: "outcome as bytes", length: 2000, work: sent },
    Path { name: "R600: source", length: 4000, work: assembled_for_r600 },
    Path { name: "R600: listing", length: 4000, work: listed_for_r600 },
];

fn target() -> Target {
    Target::new(Arch::find("gfx1100").expect("a processor"))
}

fn each(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn chain(n: usize) -> String {
    ".set a0, elsewhere\n".to_owned() + &each(n, |i| format!(".set a{}, a{i}+1\n", i + 1))
}

fn backwards(n: usize) -> String {
    each(n, |i| format!(".set a{i}, a{}+1\n", i + 1)) + &format!(".set a{n}, 5\n")
}

fn parameters(n: usize) -> String {
    let names = each(n, |i| format!("p{i}, "));
    let given = each(n, |i| format!("p{i}=1, "));
    format!(".macro m {names}last\ns_nop \\p0\n.endm\nm {given}last=1\n")
}

fn kernels(n: usize) -> String {
    each(n, |i| {
        let fields = ".amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr 1\n";
        format!("k{i}: s_endpgm\n.amdhsa_kernel k{i}\n{fields}.end_amdhsa_kernel\n")
    })
}

/// A file has at most 4096 sections: where there are more lines, some open one again.
fn sections(n: usize) -> String {
    each(n, |i| format!(".section .rodata.s{},\"a\"\n.globl g{i}\ng{i}: .long {i}\n", i % 4000))
}

fn listed(n: usize) -> String {
    let values = vec!["1"; n].join(", ");
    format!("; buffer b = [{values}]\n; expect: buffer b = [{values}]\ns_nop 0\n")
}

fn expectations(n: usize) -> String {
    let mut text = format!("; buffer b[{}]\n", 4 * n);
    for i in 0..n {
        let _ = writeln!(text, "; expect: buffer b[{}] = [0]", 4 * i);
    }
    text + "s_nop 0\n"
}

fn module(text: &str) -> Module {
    let target = target();
    let assembly = assemble_with("long.s", text, &Assembler::new(target), target, &NoFiles);
    assembly.module.unwrap_or_else(|| panic!("{}", assembly.diagnostics[0]))
}

fn source(text: String) -> Work {
    Box::new(move || _ = black_box(module(&text)))
}

fn object(text: String) -> Work {
    let module = module(&text);
    Box::new(move || {
        let file = writer::write(&module).expect("an object");
        let object = CodeObject::parse(&file).expect("what was written");
        assert!(!object.kernels().is_empty() || !object.symbols.is_empty());
    })
}

fn loaded(n: usize) -> Work {
    let module = module(&kernels(n));
    Box::new(move || {
        let file = link::write_shared(&module).expect("an object");
        assert_eq!(Loaded::load(&file).expect("what was written").kernels().len(), n);
    })
}

fn launched(n: usize) -> Work {
    let code = "v_add_f32 v0, v0, v0\n".repeat(n);
    let module = module(&format!(
        ".globl k\n.p2align 8\n.type k,@function\nk:\n{code}s_endpgm\n.section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n\
         .amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr 1\n.end_amdhsa_kernel\n"
    ));
    let loaded = Loaded::load(&link::write_shared(&module).expect("an object")).expect("what was written");
    Box::new(move || {
        let mut launch = Dispatch::new(&loaded, "k", [32, 1, 1], [32, 1, 1], &[]).expect("a launch");
        let outcome = Emulator::default().run_kernel(&loaded, &mut launch, None).expect("an outcome");
        assert_eq!((outcome.trap, outcome.stats.wave_instructions), (None, n as u64 + 1));
    })
}

fn addresses(n: usize) -> Work {
    let entries = |i| format!(".globl g{i}\ng{i}: s_nop 0\ns_add_u32 s0, s0, g{i}@gotpcrel32@lo+4\n");
    let module = module(&each(n, entries));
    Box::new(move || assert!(Loaded::load(&link::write_shared(&module).expect("an object")).is_ok()))
}

fn words(n: usize) -> Vec<u32> {
    // v_add_f32 v0, v0, v1; a branch to where it was.
    [0x0600_0300, 0xbfa0_fffe].repeat(n)
}

fn list(bytes: Vec<u8>) -> Work {
    Box::new(move || {
        let mut out = Vec::new();
        black_box(Listing::new(target(), &Source { bytes: &bytes, ..Source::default() }).print(&mut out));
    })
}

fn bytes(n: usize) -> Vec<u8> {
    words(n).iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// As a code object is listed: a symbol in front of every other line, and a name in each branch.
fn named(n: usize) -> Work {
    let bytes = bytes(n);
    let offsets = || (0..n as u64).map(|i| 8 * i);
    let before: Vec<(u64, String)> = offsets().map(|at| (at, format!("g{at}:\n"))).collect();
    let values: Vec<(u64, String)> = offsets().map(|at| (at + 4, format!("g{at}"))).collect();
    Box::new(move || {
        let mut out = Vec::new();
        let source = Source { bytes: &bytes, before: &before, values: &values, ..Source::default() };
        let counts = Listing::new(target(), &source).print(&mut out);
        assert_eq!((counts.instructions, counts.ambiguous), (2 * n, 0));
    })
}

/// As a file of any length is listed, in pieces of a few lines.
fn in_pieces(n: usize) -> Work {
    let bytes = bytes(n);
    Box::new(move || {
        let mut survey = Survey::with_sizes(target(), 64, 16);
        bytes.chunks(256).for_each(|chunk| survey.read(chunk));
        let pieces = survey.finish();
        let (mut prover, mut out, mut instructions) = (pieces.prover(), Vec::new(), 0);
        for piece in 0..pieces.count() {
            let (start, _, end) = pieces.extent(piece);
            out.clear();
            let lines = &bytes[start as usize..end as usize];
            instructions += pieces.print(piece, lines, &mut prover, &mut out).instructions;
        }
        assert_eq!(instructions, 2 * n);
    })
}

fn plan(n: usize) -> Work {
    let words = words(n);
    Box::new(move || assert_eq!(Program::new(target(), &words, 0).steps.len(), 2 * n))
}

fn scanned(n: usize) -> Work {
    let program = Program::new(target(), &words(n), 0);
    Box::new(move || assert_eq!(scan(&program).opcodes.iter().map(|op| op.count).sum::<usize>(), 2 * n))
}

fn explained(n: usize) -> Work {
    let words = words(n);
    Box::new(move || {
        let table = Table::of(target());
        for at in 0..words.len() {
            black_box(disasm::explain(table, &words[at..]).expect("an instruction"));
        }
    })
}

fn translated(text: String) -> Work {
    let module = module(&text);
    let words: Vec<u32> = module.sections[0].bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let program = Program::new(target(), &words, 0);
    Box::new(move || assert!(missing(&program, Model::Workgroup, 32, SEVERAL).is_empty()))
}

/// Reads, runs and checks a case, and makes text of it again.
fn case(text: String) -> Work {
    let text = format!("; isa: gfx1100\n{text}");
    Box::new(move || {
        let case = Case::parse(&text, "long.s").expect("a case");
        let outcome = run(&case);
        assert_eq!(case.check(target(), &outcome).expect("a start"), []);
        black_box(case.to_string());
    })
}

fn run(case: &Case) -> Outcome {
    let options = Options { keep: Keep::Observed, ..Options::default() };
    Emulator { options }.run(case, target()).expect("an outcome")
}

fn recorded(n: usize) -> Work {
    let text = "; isa: gfx1100\n".to_owned() + &"v_add_f32 v2, v0, v1\n".repeat(n);
    let case = Case::parse(&text, "long.s").expect("a case");
    Box::new(move || {
        let count = AtomicUsize::new(0);
        let make = |_| -> Box<Drive<'_>> {
            Box::new(|wave, group, limits| {
                let mut put = |event: Event| {
                    black_box(event);
                    count.fetch_add(1, Ordering::Relaxed);
                };
                traced::wave(wave, group, limits, &mut Recorder::new(Filter::default(), &mut put));
            })
        };
        Emulator::default().run_case(&case, target(), Some(&make)).expect("an outcome");
        assert_eq!(count.load(Ordering::Relaxed), n + 1);
    })
}

fn of_lines(n: usize) -> Work {
    let case = Case::parse(&("; isa: gfx1100\n".to_owned() + &"s_nop 0\n".repeat(n)), "long.s").expect("a case");
    Box::new(move || assert_eq!(lines(&case, target()).len(), n))
}

fn sent(n: usize) -> Work {
    let text = format!("; isa: gfx1100\n; grid: {n}\n; group: 1\n; v0 = item\ns_nop 0\n");
    let case = Case::parse(&text, "long.s").expect("a case");
    let answer = Emulator::default().run(&case, target());
    Box::new(move || {
        let bytes = wire::encode(&answer);
        assert_eq!(wire::decode(&bytes).expect("what was sent").is_ok(), answer.is_ok());
    })
}

/// Clauses with jumps between them, each to the next one.
fn clauses(n: usize) -> String {
    let clause = |i: usize| format!("l{i}:\nALU:\n0 x: ADD R2.x, R3.x, R1.x\nJUMP ADDR(l{})\n", i + 1);
    format!(".arch r600\n{}l{n}:\nNOP EOP\n", each(n, clause))
}

fn words_for_r600(text: &str) -> Vec<u32> {
    let assembly = assemble("long.s", text, assemble::Options::default());
    assembly.words.unwrap_or_else(|| panic!("{}", assembly.diagnostics[0]))
}

fn assembled_for_r600(n: usize) -> Work {
    let text = clauses(n);
    // A pair of words for each clause, its group and the jump, and one for the end.
    Box::new(move || assert_eq!(words_for_r600(&text).len(), 2 * (3 * n + 1)))
}

fn listed_for_r600(n: usize) -> Work {
    let words = words_for_r600(&clauses(n));
    Box::new(move || {
        let program = r600::Program::decode(Machine::R600, &words);
        assert_eq!(program.clauses.len(), n);
        black_box(r600::print::listing(&program));
    })
}

/// What is made at first use is no part of any path.
pub fn warm_up() {
    let _ = Table::of(target());
    for path in PATHS {
        (path.work)(2)();
    }
}
