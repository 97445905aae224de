//! What a device can do: everything that a translator to SPIR-V has to know before it writes a module.
//!
//! A fact is `true` only if it can be used here and now: the device has it, and it is enabled when the device is opened. Opening enables
//! everything that is listed. Facts of newer versions come from extensions on older ones ([`query`]); nobody has to ask for a version.
//!
//! What a device does with denormals where [`FloatControl`] promises nothing is its own affair, and may be either; only a promise counts.

pub mod fact;
mod lacks;
mod query;

pub use lacks::Missing;
pub(super) use query::{Chain, Known, basic, family};

use ash::vk;
use fact::{AsFact, Fact, facts};
use std::fmt;

/// What kind of a device; the order is that in which devices are preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A card with memory of its own.
    Discrete,
    /// Part of the processor.
    Integrated,
    /// Part of a virtual machine.
    Virtual,
    /// The processor itself.
    Cpu,
    /// None of these.
    #[default]
    Other,
}

impl Kind {
    /// `discrete`
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Discrete => "discrete",
            Kind::Integrated => "integrated",
            Kind::Virtual => "virtual",
            Kind::Cpu => "cpu",
            Kind::Other => "other",
        }
    }
}

/// A version of Vulkan or of SPIR-V.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Before the point.
    pub major: u32,
    /// Behind it.
    pub minor: u32,
    /// The patch; 0 for SPIR-V.
    pub patch: u32,
}

impl Version {
    /// A version without a patch.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor, patch: 0 }
    }

    fn of(packed: u32) -> Version {
        Version {
            major: vk::api_version_major(packed),
            minor: vk::api_version_minor(packed),
            patch: vk::api_version_patch(packed),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        if self.patch != 0 { write!(f, ".{}", self.patch) } else { Ok(()) }
    }
}

facts! {
    /// What a device can do.
    pub struct Caps {
        /// As the driver names it.
        pub name: String,
        /// What kind of a device.
        pub kind: Kind,
        /// The same for the same device in every process.
        pub uuid: [u8; 16],
        /// The number of the vendor.
        pub vendor: u32,
        /// The vendor's number of the device.
        pub product: u32,
        /// The device's version of Vulkan, which may be newer than the one that is used (1.3 at most).
        pub api: Version,
        /// The newest SPIR-V that it takes.
        pub spirv: Version,
        /// Its driver.
        pub driver: Driver,
        /// Types.
        pub types: Types,
        /// Lanes that run together.
        pub subgroup: Subgroup,
        /// Floats of 16 bits.
        pub f16: FloatControl,
        /// Floats of 32 bits.
        pub f32: FloatControl,
        /// Floats of 64 bits.
        pub f64: FloatControl,
        /// What the controls of the three widths have to do with each other.
        pub floats: Floats,
        /// Atomic operations.
        pub atomics: Atomics,
        /// Memory.
        pub memory: Memory,
        /// How much.
        pub limits: Limits,
        /// Clocks.
        pub time: Time,
        /// Other things.
        pub other: Other,
    }

    /// A driver.
    pub struct Driver {
        /// `llvmpipe`
        pub name: String,
        /// `Mesa 22.3.6 (LLVM 15.0.6)`
        pub info: String,
        /// VkDriverId, for differences that no feature tells; 0 where unknown.
        pub id: u32,
        /// Its version, in its own way of counting.
        pub version: u32,
    }

    /// Types in shaders and in buffers.
    pub struct Types {
        /// Int8
        pub int8: bool,
        /// Int16
        pub int16: bool,
        /// Int64
        pub int64: bool,
        /// Float16
        pub float16: bool,
        /// Float64
        pub float64: bool,
        /// 8-bit values in storage buffers (StorageBuffer8BitAccess).
        pub storage8: bool,
        /// 16-bit values in storage buffers (StorageBuffer16BitAccess).
        pub storage16: bool,
        /// 8-bit values in uniform buffers too (UniformAndStorageBuffer8BitAccess).
        pub uniform8: bool,
        /// 16-bit values in uniform buffers too (UniformAndStorageBuffer16BitAccess).
        pub uniform16: bool,
        /// 8-bit push constants.
        pub push8: bool,
        /// 16-bit push constants.
        pub push16: bool,
        /// Dot products of integers (DotProduct).
        pub dot: bool,
    }

    /// Lanes that run together in compute shaders.
    pub struct Subgroup {
        /// How many, where no other size is required.
        pub size: u32,
        /// The smallest size.
        pub min: u32,
        /// The largest size.
        pub max: u32,
        /// A pipeline can require a size between `min` and `max`.
        pub control: bool,
        /// A pipeline can require that all lanes are there.
        pub full: bool,
        /// The most in a work group where a size is required; 0 without control.
        pub most: u32,
        /// Operations work in compute shaders at all: elect and barriers.
        pub basic: bool,
        /// all, any, all equal
        pub vote: bool,
        /// Reductions and scans.
        pub arithmetic: bool,
        /// Ballots, broadcasts.
        pub ballot: bool,
        /// Any lane's value.
        pub shuffle: bool,
        /// Values of lanes at a distance.
        pub shuffle_relative: bool,
        /// Reductions within clusters.
        pub clustered: bool,
        /// Rotations.
        pub rotate: bool,
        /// Exchanges in quads.
        pub quad: bool,
        /// Operations take 8, 16 and 64 bits too.
        pub extended_types: bool,
        /// Lanes that part meet again where the source says (MaximallyReconvergesKHR).
        pub maximal_reconvergence: bool,
        /// Uniform control flow of a subgroup stays so (SubgroupUniformControlFlowKHR).
        pub uniform_control_flow: bool,
    }

    /// What floats of a width promise, where a module asks for it (an execution mode).
    pub struct FloatControl {
        /// DenormPreserve
        pub denorm_preserve: bool,
        /// DenormFlushToZero
        pub denorm_flush: bool,
        /// RoundingModeRTE
        pub rte: bool,
        /// RoundingModeRTZ
        pub rtz: bool,
        /// SignedZeroInfNanPreserve
        pub signed_zero_inf_nan: bool,
    }

    /// What the controls of the three widths have to do with each other.
    pub struct Floats {
        /// Which widths may differ in what they do with denormals.
        pub denorm_independence: Independence,
        /// Which widths may differ in how they round.
        pub rounding_independence: Independence,
        /// FloatControls2: each instruction says what the compiler may assume.
        pub controls2: bool,
    }

    /// Atomic operations beyond those of 32-bit integers.
    pub struct Atomics {
        /// 64-bit integers in buffers.
        pub int64: bool,
        /// 64-bit integers in shared memory.
        pub shared_int64: bool,
        /// Load, store, exchange of f32 in buffers.
        pub f32: bool,
        /// Addition of f32 in buffers.
        pub f32_add: bool,
        /// Minimum and maximum of f32 in buffers.
        pub f32_min_max: bool,
        /// Load, store, exchange of f32 in shared memory.
        pub shared_f32: bool,
        /// Addition of f32 in shared memory.
        pub shared_f32_add: bool,
        /// Minimum and maximum of f32 in shared memory.
        pub shared_f32_min_max: bool,
        /// Load, store, exchange of f64 in buffers.
        pub f64: bool,
        /// Addition of f64 in buffers.
        pub f64_add: bool,
        /// Minimum and maximum of f64 in buffers.
        pub f64_min_max: bool,
        /// Addition of f64 in shared memory.
        pub shared_f64_add: bool,
        /// Minimum and maximum of f64 in shared memory.
        pub shared_f64_min_max: bool,
    }

    /// Memory, and how shaders see it.
    pub struct Memory {
        /// VulkanMemoryModel
        pub model: bool,
        /// VulkanMemoryModelDeviceScope
        pub device_scope: bool,
        /// Availability and visibility chains.
        pub chains: bool,
        /// Buffers have addresses (PhysicalStorageBufferAddresses).
        pub addresses: bool,
        /// Buffers may be asked for at an address.
        pub chosen_addresses: bool,
        /// Scalar block layout.
        pub scalar_layout: bool,
        /// WorkgroupMemoryExplicitLayoutKHR
        pub shared_layout: bool,
        /// The same, with scalar layout.
        pub shared_layout_scalar: bool,
        /// The same, with 8-bit access.
        pub shared_layout8: bool,
        /// The same, with 16-bit access.
        pub shared_layout16: bool,
        /// Shared memory can start as zeroes.
        pub shared_zero: bool,
        /// Reads outside a buffer give something harmless, writes outside do not happen.
        pub robust: bool,
        /// Reads outside a buffer give zero, exactly at its end.
        pub robust2: bool,
        /// The host reaches all memory of the device: nothing has to be copied.
        pub unified: bool,
        /// The device's memory, in bytes.
        pub device_bytes: u64,
        /// Other memory that it reaches, in bytes.
        pub host_bytes: u64,
    }

    /// How much.
    pub struct Limits {
        /// Bytes of a storage buffer that a shader sees.
        pub storage_range: u32,
        /// Storage buffers of a compute shader.
        pub storage_buffers: u32,
        /// Bytes of push constants.
        pub push_bytes: u32,
        /// Bytes of shared memory of a group.
        pub shared_bytes: u32,
        /// Invocations of a group.
        pub group_invocations: u32,
        /// Invocations of a group, by dimension.
        pub group_size: [u32; 3],
        /// Groups of a dispatch, by dimension.
        pub groups: [u32; 3],
        /// Bytes of one allocation.
        pub allocation: u64,
        /// The alignment of the start of a bound buffer.
        pub storage_align: u64,
    }

    /// Clocks.
    pub struct Time {
        /// Nanoseconds of a tick of a timestamp.
        pub period: f32,
        /// Bits of a timestamp that count; 0 where there are none.
        pub bits: u32,
        /// A shader can read the clock of its subgroup.
        pub subgroup_clock: bool,
        /// A shader can read the clock of the device.
        pub device_clock: bool,
    }

    /// Other things.
    pub struct Other {
        /// A pipeline can be asked for without compiling it.
        pub cache_control: bool,
        /// Non-semantic instruction sets: text for debuggers within a module.
        pub non_semantic: bool,
        /// Compiled shaders come and go as bytes.
        pub objects: bool,
    }
}

/// Which widths of floats can have their own mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Independence {
    /// All three have the same.
    #[default]
    None,
    /// 32 bits have their own, 16 and 64 share one.
    Only32,
    /// Each has its own.
    All,
}

impl Independence {
    fn of(value: vk::ShaderFloatControlsIndependence) -> Independence {
        match value {
            vk::ShaderFloatControlsIndependence::ALL => Independence::All,
            vk::ShaderFloatControlsIndependence::TYPE_32_ONLY => Independence::Only32,
            _ => Independence::None,
        }
    }
}

impl AsFact for Independence {
    fn fact(&self) -> Fact {
        let name = match self {
            Independence::None => "none",
            Independence::Only32 => "32",
            Independence::All => "all",
        };
        Fact::Text(name.to_owned())
    }
}

impl AsFact for Kind {
    fn fact(&self) -> Fact {
        Fact::Text(self.name().to_owned())
    }
}

impl AsFact for Version {
    fn fact(&self) -> Fact {
        Fact::Text(self.to_string())
    }
}

impl AsFact for [u8; 16] {
    fn fact(&self) -> Fact {
        Fact::Text(uuid_text(self))
    }
}

/// A uuid as it is usually written.
#[must_use]
pub fn uuid_text(uuid: &[u8; 16]) -> String {
    let hex = format!("{:032x}", u128::from_be_bytes(*uuid));
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

impl Caps {
    /// The size of the subgroups that carry waves of so many lanes: the largest that there is up to that. An invocation has several lanes
    /// where it is smaller.
    #[must_use]
    pub fn subgroup_for(&self, lanes: u32) -> Option<u32> {
        let s = &self.subgroup;
        let sizes = if s.control || s.min == s.max { s.min..=s.max } else { return None };
        (0..=lanes.ilog2()).rev().map(|n| 1 << n).find(|size| sizes.contains(size))
    }
}
