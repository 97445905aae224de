//! What can be wrong with an object file, read or to be written.

use super::descriptor::DescriptorError;
use super::metadata::MetadataError;
use super::target_id::TargetIdError;
use crate::asm::module::Location;

/// What can be wrong with an object file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjectError {
    /// The file does not begin as an ELF file.
    #[error("not an ELF file")]
    NotElf,
    /// An ELF file of another kind.
    #[error("not a 64-bit little-endian AMDGPU object: {what} is {value}")]
    NotAmdGpu {
        /// The field of the header.
        what: &'static str,
        /// What it holds.
        value: u32,
    },
    /// Something lies outside the file.
    #[error("{what} at {offset:#x}, {size:#x} bytes, is outside the file of {file:#x} bytes")]
    Outside {
        /// What.
        what: &'static str,
        /// Where it should be.
        offset: u64,
        /// How long it should be.
        size: u64,
        /// The size of the file.
        file: u64,
    },
    /// A number that refers to nothing.
    #[error("{what} {index} does not exist: there are {count}")]
    Index {
        /// What is referred to.
        what: &'static str,
        /// The number.
        index: u64,
        /// How many there are.
        count: u64,
    },
    /// Code for an R600 processor in a container for GCN ones.
    #[error("code for an R600 processor (number {mach:#x}): not a code object")]
    R600 {
        /// `EF_AMDGPU_MACH`.
        mach: u8,
    },
    /// Code for a family of processors, which names none.
    #[error("code for a generic target (number {mach:#x}): choose a processor")]
    Generic {
        /// `EF_AMDGPU_MACH`.
        mach: u8,
    },
    /// A processor that is not known.
    #[error("unknown processor number {mach:#x}")]
    Machine {
        /// `EF_AMDGPU_MACH`.
        mach: u8,
    },
    /// A version that is not known, or that is not written.
    #[error("code object version {version} is not supported")]
    Version {
        /// The version; for a file its `EI_ABIVERSION` plus 2.
        version: u32,
    },
    /// The target that the source names.
    #[error(".amdgcn_target: {0}")]
    Target(#[from] TargetIdError),
    /// The source names another processor than it is assembled for.
    #[error(".amdgcn_target is {named}, but the file is assembled for {target}")]
    OtherTarget {
        /// The processor named.
        named: &'static str,
        /// The processor assembled for.
        target: &'static str,
    },
    /// A directive of a kernel.
    #[error("kernel `{kernel}`: {error}")]
    Kernel {
        /// The kernel.
        kernel: String,
        /// The error.
        error: DescriptorError,
        /// Where.
        location: Location,
    },
    /// A value that was still unknown at the end of the file.
    #[error("kernel `{kernel}`: the value of {directive} is not known")]
    Unresolved {
        /// The kernel.
        kernel: String,
        /// The directive.
        directive: String,
        /// Where.
        location: Location,
    },
    /// The metadata.
    #[error("metadata: {0}")]
    Metadata(#[from] MetadataError),
    /// A relocation that cannot be resolved when linking.
    #[error("`{symbol}` is not defined: the file cannot be linked")]
    Undefined {
        /// The symbol.
        symbol: String,
    },
    /// A value that depends on where the file is loaded, in a place which a loader cannot fill in.
    #[error("the address of `{symbol}` is known only when the file is loaded: 32 bits of it cannot be linked")]
    Absolute {
        /// The symbol.
        symbol: String,
    },
    /// A relocation whose value does not fit.
    #[error("the distance {value:#x} to `{symbol}` does not fit its relocation")]
    Overflow {
        /// The symbol.
        symbol: String,
        /// The value.
        value: i64,
    },
    /// An alignment that is not a power of two, or so large that a file cannot follow it.
    #[error("section `{section}`: alignment {align:#x} is not a power of two up to 0x100000")]
    Align {
        /// The section.
        section: String,
        /// Its alignment.
        align: u64,
    },
    /// More than the format can count.
    #[error("too many {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
    },
}
