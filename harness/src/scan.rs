//! `wavediff scan`: what a program needs.

use crate::common;
use crate::engines::{self, Lanes, Name};
use crate::explain::push_table;
use crate::input::{Code, Input};
use crate::r600;
use crate::run;
use anyhow::Result;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wavediff::case::wave_size;
use wavediff::emu::unchecked::{UNCHECKED, Unchecked};
use wavediff::engine::stage::kernel::program;
use wavediff::isa::Target;
use wavediff::launch::{Kernel, Loaded};
use wavediff::program::Program;
use wavediff::program::coverage::Fidelity;
use wavediff::program::coverage::scan::{Needs, Opcode, scan};
use wavediff::spirv::engine::{SEVERAL, missing};

/// Say what a program needs
#[derive(clap::Args)]
#[command(
    about = "Say what a program needs: opcodes with their fidelity, registers, LDS, features",
    after_help = "What the emulator does not execute comes first, then what it rounds correctly where the hardware is within a bound. All
code is read, reached or not. At the end stands what no run looks for: a program may be wrong in these ways and run well here.

Examples:
  wavediff scan saxpy.co
  wavediff scan kernel.bin --arch gfx1100
  wavediff scan case.s --arch gfx803 --json
  wavediff scan saxpy.co --engine vulkan           what has no translation to SPIR-V comes first

Exit codes: 0 everything is executed, 1 something is not, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// For which engine: emu, or vulkan, where what has no translation to SPIR-V is unsupported
    #[arg(long, value_parser = engines::name, default_value = "emu")]
    engine: Name,
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t)]
    lanes: Lanes,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// A program and what is known of it beside its code.
struct Scanned {
    target: Target,
    needs: Needs,
    /// Bytes of local memory of a group.
    lds: Option<u32>,
    kernels: Vec<Kernel>,
    /// What has no translation, where one is asked for: the instruction, and what it needs.
    untranslated: Vec<(String, String)>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let bytes = common::read(&args.input.file)?;
    if args.input.is_vliw(&bytes) {
        return r600::scan::run(&args.input, &bytes, args.json);
    }
    let Some(code) = args.input.read(bytes)? else { return Ok(ExitCode::from(1)) };
    let scanned = match code {
        Code::Object(loaded) => object(args, &loaded)?,
        Code::Case(case) => {
            let (case, program) = *case;
            let initial = match case.initial(program.target) {
                Ok(initial) => initial,
                Err(error) => {
                    run::case::complain(&error)?;
                    return Ok(ExitCode::from(1));
                }
            };
            Scanned { lds: Some(initial.lds_size), ..of_words(args, program.target, &program.words()) }
        }
        Code::Words(target, words) => of_words(args, target, &words),
    };
    let text = if args.json { format!("{}\n", as_json(&scanned)) } else { table(args, &scanned) };
    common::print(&text)?;
    let missing = !scanned.untranslated.is_empty()
        || scanned.needs.opcodes.iter().any(|op| matches!(op.fidelity, Fidelity::Unsupported(_)));
    Ok(ExitCode::from(u8::from(missing)))
}

/// What stands alone.
fn of_words(args: &Args, target: Target, words: &[u32]) -> Scanned {
    let program = Program::new(target, words, 0);
    let untranslated = untranslated_in(args, &program);
    Scanned { target, needs: scan(&program), lds: None, kernels: Vec::new(), untranslated }
}

fn object(args: &Args, loaded: &Loaded) -> Result<Scanned> {
    let mut target = args.input.target(loaded.arch())?;
    let mut all: Option<Needs> = None;
    let mut untranslated = Vec::new();
    for kernel in loaded.kernels() {
        // Kernels of one piece of code are one program.
        if all.is_none() {
            target = loaded.target(kernel);
            let program = program(loaded, kernel)?;
            untranslated = untranslated_in(args, &program);
            all = Some(scan(&program));
        }
    }
    let needs = match all {
        Some(needs) => needs,
        None => {
            let words: Vec<u32> = code_words(loaded);
            let program = Program::new(target, &words, loaded.base());
            untranslated = untranslated_in(args, &program);
            scan(&program)
        }
    };
    let lds = loaded.kernels().iter().map(|k| k.descriptor.group_segment_fixed_size()).max();
    Ok(Scanned { target, needs, lds, kernels: loaded.kernels().to_vec(), untranslated })
}

/// All code of an object without kernels.
fn code_words(loaded: &Loaded) -> Vec<u32> {
    let code = loaded.executable().iter().filter_map(|range| {
        let mapping = loaded.mappings().iter().find(|m| m.base <= range.start && range.end <= m.end())?;
        mapping.bytes.get((range.start - mapping.base) as usize..(range.end - mapping.base) as usize)
    });
    code.flat_map(|bytes| bytes.as_chunks().0).map(|word| u32::from_le_bytes(*word)).collect()
}

/// What has no translation, where the engine needs one: each instruction once.
fn untranslated_in(args: &Args, program: &Program) -> Vec<(String, String)> {
    if args.engine == Name::Emu {
        return Vec::new();
    }
    let all = missing(program, args.lanes.model(), wave_size(program.target), SEVERAL);
    let mut all: Vec<(String, String)> = all.into_iter().map(|m| (program.text(m.step), m.needs)).collect();
    all.sort();
    all.dedup_by(|a, b| a.1 == b.1 && a.0.split_whitespace().next() == b.0.split_whitespace().next());
    all
}

fn standing(op: &Opcode) -> (&'static str, &'static str) {
    match op.fidelity {
        Fidelity::Exact => ("exact", ""),
        Fidelity::Approximate(rule) => ("approximate", rule.text),
        Fidelity::Unsupported(needs) => ("unsupported", needs),
    }
}

fn table(args: &Args, scanned: &Scanned) -> String {
    let Scanned { target, needs, lds, kernels, untranslated } = scanned;
    let mut out = String::new();
    for (text, needs) in untranslated {
        let _ = writeln!(out, "no translation: `{text}` needs {needs}");
    }
    let count: usize = needs.opcodes.iter().map(|op| op.count).sum();
    let _ = writeln!(out, "{}: {}, {count} instructions", args.input.file, run::case::target_name(*target));
    if needs.none > 0 {
        let _ = writeln!(out, "{} words are no instructions", needs.none);
    }
    for kernel in kernels {
        let d = &kernel.descriptor;
        let _ = writeln!(
            out,
            "kernel {}: wave{}, {} sgprs, {} vgprs, {} bytes of LDS, {} bytes of scratch a lane",
            kernel.name,
            kernel.wave_size,
            d.sgprs(),
            d.vgprs(),
            d.group_segment_fixed_size(),
            d.private_segment_fixed_size()
        );
    }
    let registers = needs.registers;
    let _ = write!(out, "names {} sgprs, {} vgprs", registers.sgprs, registers.vgprs);
    if registers.agprs > 0 {
        let _ = write!(out, ", {} agprs", registers.agprs);
    }
    if let (Some(lds), true) = (lds, kernels.is_empty()) {
        let _ = write!(out, ", {lds} bytes of LDS");
    }
    let features: Vec<&str> = needs.features.iter().copied().collect();
    let _ = writeln!(
        out,
        "\nuses {}\n",
        if features.is_empty() { "nothing special".to_owned() } else { features.join(", ") }
    );
    let rows: Vec<[String; 5]> = needs
        .opcodes
        .iter()
        .map(|op| {
            let (word, reason) = standing(op);
            [word.to_owned(), op.family.to_owned(), op.name.to_owned(), op.count.to_string(), reason.to_owned()]
        })
        .collect();
    push_table(&mut out, &rows);
    out.push_str("\nnot checked by any run, whatever the program:\n");
    for Unchecked { what, instead, shown_by } in UNCHECKED {
        let _ = writeln!(out, "  {what}: {instead}; shown by: {shown_by}");
    }
    out
}

fn as_json(scanned: &Scanned) -> Value {
    let Scanned { target, needs, lds, kernels, untranslated } = scanned;
    let opcode = |op: &Opcode| {
        let (word, reason) = standing(op);
        let mut all = json!({
            "mnemonic": op.name, "family": op.family, "count": op.count, "first": op.first, "fidelity": word,
        });
        if !reason.is_empty() {
            all["reason"] = json!(reason);
        }
        if let Fidelity::Approximate(rule) = op.fidelity {
            all["ulp"] = json!(rule.ulp);
        }
        all
    };
    let kernel = |k: &Kernel| {
        json!({
            "name": k.name, "wave": k.wave_size, "sgprs": k.descriptor.sgprs(), "vgprs": k.descriptor.vgprs(),
            "lds": k.descriptor.group_segment_fixed_size(), "scratch": k.descriptor.private_segment_fixed_size(),
        })
    };
    json!({
        "processor": target.arch.name, "wave": wave_size(*target),
        "untranslated": untranslated.iter().map(|(text, needs)| json!({"text": text, "needs": needs})).collect::<Vec<_>>(),
        "opcodes": needs.opcodes.iter().map(opcode).collect::<Vec<_>>(),
        "no_instructions": needs.none,
        "sgprs": needs.registers.sgprs, "vgprs": needs.registers.vgprs, "agprs": needs.registers.agprs,
        "lds": lds, "features": needs.features,
        "not_checked": UNCHECKED.iter().map(|u| json!({"what": u.what, "instead": u.instead, "shown_by": u.shown_by})).collect::<Vec<_>>(),
        "kernels": kernels.iter().map(kernel).collect::<Vec<_>>(),
    })
}
