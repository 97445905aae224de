//! What can be wrong with a launch.

use super::arg::ArgError;
use crate::object::ObjectError;
use std::path::PathBuf;

/// What can be wrong with loading a code object or launching a kernel.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The file is not a code object that can be read or linked.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// An argument that cannot be read.
    #[error(transparent)]
    Arg(#[from] ArgError),
    /// A file of an argument.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// More memory than a launch may take.
    #[error("{what} needs {bytes:#x} bytes; the limit is {limit:#x}")]
    TooLarge {
        /// What needs it.
        what: String,
        /// How much.
        bytes: u64,
        /// How much there may be.
        limit: u64,
    },
    /// The system has no memory for it.
    #[error("{what} needs {bytes:#x} bytes, and there is no memory for them")]
    NoMemory {
        /// What needs it.
        what: String,
        /// How much.
        bytes: u64,
    },
    /// A segment whose file contents are longer than itself.
    #[error("the segment at {address:#x} holds {file:#x} bytes in the file but only {memory:#x} in memory")]
    Segment {
        /// Its address in the file.
        address: u64,
        /// Bytes in the file.
        file: u64,
        /// Bytes in memory.
        memory: u64,
    },
    /// Two pieces of memory at one address.
    #[error("{first} and {second} overlap in guest memory at {address:#x}")]
    Overlap {
        /// One.
        first: String,
        /// The other.
        second: String,
        /// Where.
        address: u64,
    },
    /// A relocation that a loader cannot apply.
    #[error("relocation of type {kind} at {offset:#x} cannot be applied when loading")]
    Relocation {
        /// `R_AMDGPU_*`.
        kind: u32,
        /// Where.
        offset: u64,
    },
    /// A relocation outside the loaded image.
    #[error("relocation of type {kind} at {offset:#x} lies outside the loaded segments")]
    RelocationPlace {
        /// `R_AMDGPU_*`.
        kind: u32,
        /// Where.
        offset: u64,
    },
    /// A relocation that refers to what the file does not define.
    #[error("`{symbol}` is not defined: the file cannot be loaded alone")]
    Undefined {
        /// The symbol.
        symbol: String,
    },
    /// A base address that the image does not fit to.
    #[error("cannot load at {base:#x}: need a multiple of 0x1000 with {bytes:#x} bytes below 2^47 behind it")]
    Base {
        /// The base.
        base: u64,
        /// The size of the image.
        bytes: u64,
    },
    /// No kernel of that name.
    #[error("no kernel `{name}`; the file has {}", list(known))]
    NoKernel {
        /// The name.
        name: String,
        /// The kernels that are there.
        known: Vec<String>,
    },
    /// A kernel that begins outside the code.
    #[error("kernel `{kernel}` begins at {entry:#x}, which is not in the code")]
    Entry {
        /// The kernel.
        kernel: String,
        /// Its entry.
        entry: u64,
    },
    /// A grid or group that cannot be.
    #[error("{what} is {}x{}x{}: {problem}", size[0], size[1], size[2])]
    Size {
        /// `the grid` or `the group`.
        what: &'static str,
        /// Its size.
        size: [u32; 3],
        /// What is wrong with it.
        problem: String,
    },
    /// Another number of arguments than the kernel takes.
    #[error("kernel `{kernel}` takes {} ({}), not {given}", count(expected.len()), expected.join(", "))]
    ArgCount {
        /// The kernel.
        kernel: String,
        /// Its arguments in words.
        expected: Vec<String>,
        /// How many were given.
        given: usize,
    },
    /// An argument of another kind or size than the kernel takes.
    #[error("argument {index} of kernel `{kernel}` is {expected}; {given} does not fit")]
    ArgKind {
        /// The kernel.
        kernel: String,
        /// The number of the argument, from 0.
        index: usize,
        /// What the kernel takes, in words.
        expected: String,
        /// What was given, in words.
        given: String,
    },
    /// More LDS than a group can have.
    #[error("a group needs {bytes} bytes of LDS ({fixed} of them declared); {arch} has {limit}")]
    Lds {
        /// What it needs.
        bytes: u64,
        /// What of it the kernel declares.
        fixed: u32,
        /// The processor.
        arch: &'static str,
        /// What there is.
        limit: u32,
    },
}

fn list(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        [most @ .., _] if most.len() >= 16 => format!("{} and more", names[..16].join(", ")),
        _ => names.join(", "),
    }
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".to_owned() } else { format!("{arguments} arguments") }
}
