//! `wavediff translate`: machine code to SPIR-V.

use crate::common::{self, Mode, usage};
use crate::engines::Lanes;
use crate::run;
use anyhow::{Context, Result, anyhow};
use rspirv::binary::Disassemble;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use wavediff::case::wave_size;
use wavediff::emu::engine::program;
use wavediff::emu::launch::Loaded;
use wavediff::emu::plan::Program;
use wavediff::isa::Arch;
use wavediff::spirv::lower::{Options, translate};

/// Translate machine code to SPIR-V
#[derive(clap::Args)]
#[command(
    about = "Translate a case, a kernel or raw words to SPIR-V",
    after_help = "The module is a compute shader over five storage buffers: the records of the waves, guest memory, its regions, LDS, messages
(docs/vulkan.md). Without -o or --text it is only checked what can be translated.

Examples:
  wavediff translate add.s --text
  wavediff translate saxpy.co --kernel saxpy -o saxpy.spv
  wavediff translate words.bin --arch gfx1100 --lanes serial --text

Exit codes: 0 everything is translated, 1 something is not, or the input has errors, 2 the command line is wrong."
)]
pub struct Args {
    /// A code object (ELF), a case (text), raw words, or - for standard input
    file: String,
    /// The processor [default for ELF files: their own; for cases: the first that they are for]
    #[arg(long, value_parser = common::arch)]
    arch: Option<&'static Arch>,
    #[command(flatten)]
    mode: Mode,
    /// The kernel of a code object [default: the first]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Where to write the module
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the module as text, with the machine instructions as comments
    #[arg(long)]
    text: bool,
    /// How the lanes of a wave are laid over a device
    #[arg(long, value_enum, default_value_t)]
    lanes: Lanes,
}

/// Code, and where it begins.
struct Code {
    program: Program,
    entry: u32,
    lanes: u32,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let bytes = common::read(&args.file)?;
    let code = if bytes.starts_with(b"\x7fELF") {
        object(args, &bytes)?
    } else if bytes.contains(&0) || std::str::from_utf8(&bytes).is_err() {
        raw(args, &bytes)?
    } else {
        match case(args, bytes)? {
            Some(code) => code,
            None => return Ok(ExitCode::from(1)),
        }
    };
    let program = &code.program;
    let options = Options {
        entries: BTreeSet::from([code.entry]),
        lines: args.text,
        ..Options::new(program.target, args.lanes.model(), code.lanes)
    };
    let translation = translate(program, &options);
    if let Some(output) = &args.output {
        let bytes: Vec<u8> = translation.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        common::write(Some(output), &bytes)?;
    }
    if args.text {
        common::write(None, text(program, &translation.words)?.as_bytes())?;
    }
    for missing in &translation.missing {
        eprintln!("{:#06x}: `{}` needs {}", missing.step * 4, program.text(missing.step), missing.needs);
    }
    Ok(ExitCode::from(u8::from(!translation.missing.is_empty())))
}

fn object(args: &Args, bytes: &[u8]) -> Result<Code> {
    let loaded = Loaded::load(bytes).with_context(|| format!("`{}` can not be loaded", args.file))?;
    let kernel = match &args.kernel {
        Some(name) => loaded.kernel(name)?,
        None => loaded.kernels().first().with_context(|| format!("`{}` has no kernel", args.file))?,
    };
    let program = program(&loaded, kernel)?;
    let entry = program.step_at(kernel.start());
    Ok(Code { entry, lanes: wave_size(program.target), program })
}

fn raw(args: &Args, bytes: &[u8]) -> Result<Code> {
    let Some(arch) = args.arch else {
        return usage(format!("which processor are the words of `{}` for? give --arch gfx1100", args.file));
    };
    let target = args.mode.target(arch)?;
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    Ok(Code { program: Program::plan(target, &words, 0), entry: 0, lanes: wave_size(target) })
}

fn case(args: &Args, bytes: Vec<u8>) -> Result<Option<Code>> {
    let Some(case) = run::case::read(&args.file, bytes)? else { return Ok(None) };
    let target = *run::case::targets(&case, args.arch)?.first().context("the case is for no processor")?;
    let assembled = match case.program(target) {
        Ok(assembled) => assembled,
        Err(error) => return run::case::complain(&error).map(|()| None),
    };
    let entry = u32::try_from(assembled.entry / 4).unwrap_or(0);
    let program = Program::plan(assembled.target, &assembled.words(), 0);
    Ok(Some(Code { program, entry, lanes: wave_size(target) }))
}

/// The module as text. A line says from which step on the instructions are; its comment is that step.
fn text(program: &Program, words: &[u32]) -> Result<String> {
    let module = rspirv::dr::load_words(words).map_err(|e| anyhow!("the module can not be read back: {e}"))?;
    let mut out = String::new();
    for line in module.disassemble().lines() {
        let mut parts = line.split_whitespace();
        if parts.next() == Some("OpLine")
            && let Some(step) = parts.nth(1).and_then(|n| n.parse::<u32>().ok())
        {
            out.push_str(&format!("; {:#06x}: {}\n", step * 4, program.text(step)));
        }
        out.push_str(line);
        out.push('\n');
    }
    Ok(out)
}
