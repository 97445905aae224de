//! The host's side: the kernels as functions of a program which reads arguments and writes what became of the buffers.

use crate::build::{COMMON, cached, clang, text};
use crate::random;
use crate::unit::{Arg, Unit};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};
use wavediff::launch::Value;

type Buffers = Result<Arc<Vec<Vec<u8>>>, String>;

/// What the host makes of the units, found out when it is wanted.
pub struct Host {
    units: Arc<[Unit]>,
    program: OnceLock<Result<PathBuf, String>>,
    results: Vec<OnceLock<Buffers>>,
}

impl Host {
    /// For these units.
    pub fn new(units: Arc<[Unit]>) -> Host {
        let results = units.iter().map(|_| OnceLock::new()).collect();
        Host { units, program: OnceLock::new(), results }
    }

    /// The buffers of a unit after its runs.
    pub fn get(&self, index: usize) -> Buffers {
        self.results[index].get_or_init(|| self.run(index).map(Arc::new)).clone()
    }

    /// The names of all kernels; the program knows them by their place in this list.
    fn kernels(&self) -> Vec<(&str, Vec<String>)> {
        self.units.iter().flat_map(Unit::kernels).collect()
    }

    fn run(&self, index: usize) -> Result<Vec<Vec<u8>>, String> {
        let program = self.program.get_or_init(|| self.build()).clone()?;
        let unit = &self.units[index];
        let mut buffers: Vec<Vec<u8>> = unit.buffers.iter().map(|b| b.bytes.clone()).collect();
        let kernels = self.kernels();
        for run in &unit.runs {
            let number = kernels.iter().position(|(name, _)| *name == run.kernel);
            let number = number.ok_or_else(|| format!("no kernel `{}`", run.kernel))?;
            let mut input = Vec::new();
            let head = [&[number as u32][..], &run.grid, &run.group, &[run.args.len() as u32]].concat();
            input.extend(head.into_iter().flat_map(u32::to_le_bytes));
            let mut put = |kind: u32, size: usize, bytes: &[u8]| {
                input.extend(kind.to_le_bytes());
                input.extend((size as u32).to_le_bytes());
                input.extend(bytes);
            };
            for arg in &run.args {
                match arg {
                    Arg::Buffer(n) => put(0, buffers[*n].len(), &buffers[*n]),
                    Arg::Value(Value::Lds(size)) => put(2, *size as usize, &[]),
                    Arg::Value(Value::Scalar(scalar)) => put(1, scalar.bytes().len(), &scalar.bytes()),
                    Arg::Value(Value::Raw(bytes)) => put(1, bytes.len(), bytes),
                    Arg::Value(Value::Buffer(_)) => return Err("a buffer without a name".to_owned()),
                }
            }
            let output = pipe(&program, &input).map_err(|e| format!("{} on the host: {e}", run.kernel))?;
            let mut rest = &output[..];
            for arg in &run.args {
                if let Arg::Buffer(n) = arg {
                    let (bytes, left) = rest.split_at_checked(buffers[*n].len()).ok_or("too short an output")?;
                    // A buffer that is given twice: what was written through the writable name counts, and both are one.
                    buffers[*n] = bytes.to_vec();
                    rest = left;
                }
            }
        }
        Ok(buffers)
    }

    fn build(&self) -> Result<PathBuf, String> {
        let mut source = text(self.units.iter());
        let mut table = "typedef void (*Kernel)(void **);\n".to_owned();
        let mut list = String::new();
        for (name, params) in self.kernels() {
            let args: Vec<String> = params.iter().enumerate().map(|(at, ty)| argument(ty, at)).collect();
            source += &format!("void call_{name}(__private ulong *args) {{ {name}({}); }}\n", args.join(", "));
            table += &format!("void call_{name}(void **);\n");
            list += &format!("call_{name}, ");
        }
        table += &format!("const Kernel kernels[] = {{{list}}};\n");
        let shim = crate::shaders().join("host.c");
        let shim_text = std::fs::read_to_string(&shim).map_err(|e| e.to_string())?;
        let mut args: Vec<String> = COMMON.map(str::to_owned).into();
        args.extend(["-Xclang", "-cl-ext=+all", "-O1"].map(str::to_owned));
        args.extend(random::FLAGS.map(str::to_owned));
        cached("host", &[&source, &table, &shim_text], &args, |work, made| {
            let path = |name: &str| work.join(name).to_string_lossy().into_owned();
            std::fs::write(path("all.cl"), &source).map_err(|e| e.to_string())?;
            std::fs::write(path("table.c"), &table).map_err(|e| e.to_string())?;
            let target = format!("--target={}", host_target());
            let files = [target, "-c".to_owned(), path("all.cl"), "-o".to_owned(), path("all.o")];
            clang(&[&args[..], &files].concat())?;
            let link = ["-O1".to_owned(), "-ffp-contract=off".to_owned(), shim.to_string_lossy().into_owned()];
            let files =
                [path("table.c"), path("all.o"), "-o".into(), made.to_string_lossy().into_owned(), "-lm".into()];
            clang(&[&link[..], &files].concat())
        })
    }
}

/// The host as clang calls it.
fn host_target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// An argument as the kernel's parameter wants it.
fn argument(ty: &str, at: usize) -> String {
    if ty.contains('*') { format!("({ty})args[{at}]") } else { format!("*(__private {ty} *)args[{at}]") }
}

/// Gives a program its input and takes its output.
fn pipe(program: &PathBuf, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let mut output = Vec::new();
    // It reads everything before it writes anything.
    stdin.ok_or("no pipe")?.write_all(input).map_err(|e| e.to_string())?;
    stdout.ok_or("no pipe")?.read_to_end(&mut output).map_err(|e| e.to_string())?;
    let status = child.wait().map_err(|e| e.to_string())?;
    if status.success() { Ok(output) } else { Err(status.to_string()) }
}
