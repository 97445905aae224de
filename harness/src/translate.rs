//! `wavediff translate`: machine code to SPIR-V.

use crate::common::{self, usage};
use crate::engines::Lanes;
use crate::input::{Code, Input};
use crate::tell;
use anyhow::{Context, Result, anyhow, bail};
use rspirv::binary::Disassemble;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use wavediff::case::wave_size;
use wavediff::engine::stage::case::program as staged;
use wavediff::engine::stage::kernel::program;
use wavediff::launch::Loaded;
use wavediff::program::Program;
use wavediff::spirv::lower::{MOST_CASES, Options, translate};

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
    #[command(flatten)]
    input: Input,
    /// The kernel of a code object [default: the first]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Where to write the module
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the module as text, with the machine instructions as comments
    #[arg(long)]
    text: bool,
    /// How the lanes of a wave are laid over a Vulkan device
    #[arg(long, value_enum, default_value_t)]
    lanes: Lanes,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let bytes = common::read(&args.input.file)?;
    if args.input.is_vliw(&bytes) {
        return usage("translate is for GCN and RDNA");
    }
    let Some(code) = args.input.read(bytes)? else { return Ok(ExitCode::from(1)) };
    if args.kernel.is_some() && !matches!(code, Code::Object(_)) {
        return usage("--kernel is for code objects");
    }
    let (program, entry) = match code {
        Code::Object(loaded) => object(args, &loaded)?,
        Code::Case(case) => (staged(&case.1, &case.0.initial(case.1.target)?), u32::try_from(case.1.entry / 4)?),
        Code::Words(target, words) => (Program::new(target, &words, 0), 0),
    };
    let options = Options {
        entries: BTreeSet::from([entry]),
        lines: args.text,
        ..Options::new(program.target, args.lanes.model(), wave_size(program.target))
    };
    let translation = translate(&program, &options);
    if translation.cases > MOST_CASES {
        let (cases, file) = (translation.cases, &args.input.file);
        bail!(
            "`{file}` comes to {cases} blocks, and one module may have {MOST_CASES}; `wavediff run` translates it in pieces"
        );
    }
    if let Some(output) = &args.output {
        let bytes: Vec<u8> = translation.words.iter().flat_map(|w| w.to_le_bytes()).collect();
        common::write(Some(output), &bytes)?;
    }
    if args.text {
        common::write(None, text(&program, &translation.words)?.as_bytes())?;
    }
    for missing in &translation.missing {
        tell!("{:#06x}: `{}` needs {}", missing.step * 4, program.text(missing.step), missing.needs);
    }
    Ok(ExitCode::from(u8::from(!translation.missing.is_empty())))
}

/// The program of a kernel, and where it begins.
fn object(args: &Args, loaded: &Loaded) -> Result<(Program, u32)> {
    let kernel = match &args.kernel {
        Some(name) => loaded.kernel(name)?,
        None => loaded.kernels().first().with_context(|| format!("`{}` has no kernel", args.input.file))?,
    };
    let program = program(loaded, kernel)?;
    let entry = program.step_at(kernel.start());
    Ok((program, entry))
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
