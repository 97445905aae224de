//! The kernel descriptor: 64 bytes beside every kernel, from which the command processor sets up its waves.
//!
//! The descriptor is data: [`FIELDS`] has one row a field, in the order in which LLVM prints the `.amdhsa_` directives. Building
//! ([`DescriptorBuilder`]), reading ([`KernelDescriptor`]) and printing ([`KernelDescriptor::directives`]) walk the same rows.
//! Three kinds of rows are not simply bits: register counts are rounded to blocks when the descriptor is finished, the three
//! `reserve_` directives only add to the number of SGPRs, and fields without a directive exist for readers alone.
//!
//! Two directives may name the same bits on different processors (`enable_private_segment` and
//! `system_sgpr_private_segment_wavefront_offset`), and one directive may have rows of different widths (`inst_pref_size`).

mod build;

pub use build::{DescriptorBuilder, DescriptorError};

use crate::isa::{Arch, Gen, Variants};

/// The size of a descriptor in bytes.
pub const SIZE: usize = 64;

/// Where in a descriptor the offset from itself to the first instruction stands: eight bytes, signed.
pub const ENTRY_OFFSET: usize = 16;

/// A word of the descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Bytes of LDS that the kernel declares.
    Group,
    /// Bytes of scratch for one lane.
    Private,
    /// Bytes of arguments.
    Kernarg,
    /// `COMPUTE_PGM_RSRC3`.
    Rsrc3,
    /// `COMPUTE_PGM_RSRC1`.
    Rsrc1,
    /// `COMPUTE_PGM_RSRC2`.
    Rsrc2,
    /// What the kernel wants in its SGPRs, and its wave size.
    Props,
    /// Which arguments are loaded into SGPRs.
    Preload,
    /// Not in the descriptor: only counts towards another field.
    None,
}

impl Word {
    /// First byte and number of bytes.
    #[must_use]
    pub const fn bytes(self) -> (usize, usize) {
        match self {
            Group => (0, 4),
            Private => (4, 4),
            Kernarg => (8, 4),
            Rsrc3 => (44, 4),
            Rsrc1 => (48, 4),
            Rsrc2 => (52, 4),
            Props => (56, 2),
            Preload => (58, 2),
            Word::None => (0, 0),
        }
    }

    fn read(self, bytes: &[u8; SIZE]) -> u32 {
        let (at, len) = self.bytes();
        bytes[at..at + len].iter().rev().fold(0, |word, &b| word << 8 | u32::from(b))
    }

    fn write(self, bytes: &mut [u8; SIZE], value: u32) {
        let (at, len) = self.bytes();
        bytes[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
    }
}

/// The processors a field exists on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// All of them.
    All,
    /// A generation and what came after it.
    From(Gen),
    /// What came before a generation.
    Before(Gen),
    /// gfx10 and gfx11.
    Gfx10And11,
    /// gfx11 alone.
    Gfx11,
    /// gfx90a and gfx940 to gfx942.
    Cdna2,
    /// Processors which load kernel arguments into SGPRs.
    Preload,
    /// Processors whose kernels set up scratch themselves.
    OwnScratch,
    /// The same, from gfx7 on.
    OwnFlatScratch,
    /// Processors which set up scratch for the kernel.
    ArchitectedScratch,
}

impl Where {
    /// Whether the processor is one of them.
    #[must_use]
    pub fn has(self, arch: &Arch) -> bool {
        match self {
            All => true,
            From(first) => arch.generation >= first,
            Before(end) => arch.generation < end,
            Gfx10And11 => matches!(arch.generation, Gfx10 | Gfx11),
            Where::Gfx11 => arch.generation == Gfx11,
            Cdna2 => Variants::CDNA2.contains(arch.variant),
            Where::Preload => arch.has_kernarg_preload(),
            OwnScratch => !arch.has_architected_flat_scratch(),
            OwnFlatScratch => arch.generation >= Gfx7 && !arch.has_architected_flat_scratch(),
            ArchitectedScratch => arch.has_architected_flat_scratch(),
        }
    }

    /// What a processor lacks that is not one of them.
    #[must_use]
    pub fn needs(self) -> &'static str {
        match self {
            All => "any processor",
            From(Gfx6 | Gfx7) => "gfx7 or later",
            From(Gfx8) => "gfx8 or later",
            From(Gfx9) => "gfx9 or later",
            From(Gfx10) => "gfx10 or later",
            From(Gfx11) | Where::Gfx11 => "gfx11 or later",
            From(Gfx12) => "gfx12 or later",
            Before(_) => "gfx11 or earlier",
            Gfx10And11 => "gfx10 or gfx11",
            Cdna2 | Where::Preload => "gfx90a or gfx940",
            OwnScratch => "a processor without architected flat scratch",
            OwnFlatScratch => "gfx7 or later without architected flat scratch",
            ArchitectedScratch => "a processor with architected flat scratch",
        }
    }
}

/// How the value of a directive becomes the bits of its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// As it is.
    Plain,
    /// As it is; if it is not zero, the kernel gets so many user SGPRs more.
    UserSgprs(u8),
    /// As it is; the kernel gets as many user SGPRs more.
    PreloadLength,
    /// The number of user SGPRs; without the directive what the others add up to.
    UserSgprCount,
    /// A number of registers, in blocks less one.
    Vgprs,
    /// A number of registers, with the reserved ones, in blocks less one.
    Sgprs,
    /// A number of registers, in fours less one.
    AccumOffset,
    /// Adds to the number of SGPRs.
    ReserveVcc,
    /// Adds to the number of SGPRs.
    ReserveFlatScratch,
    /// Adds to the number of SGPRs; must say what the target id says.
    ReserveXnack,
    /// No directive sets it.
    Hidden,
}

/// The value of a field when its directive is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Default {
    /// This.
    Is(u8),
    /// One if the target's waves have 32 lanes.
    Wave32,
    /// One if the target id lets XNACK be on.
    Xnack,
    /// There is none: the directive must be there, where the field exists.
    Required,
}

/// A field of the descriptor, or a directive which counts towards one.
#[derive(Debug)]
pub struct Field {
    /// The directive without `.amdhsa_`.
    pub name: &'static str,
    /// The word it is in.
    pub word: Word,
    /// Its lowest bit.
    pub lo: u8,
    /// Its number of bits.
    pub width: u8,
    /// The processors it exists on.
    pub on: Where,
    /// How values become bits.
    pub rule: Rule,
    /// The value without the directive.
    pub default: Default,
}

impl Field {
    const fn sgprs(mut self, count: u8) -> Field {
        self.rule = Rule::UserSgprs(count);
        self
    }
    const fn rule(mut self, rule: Rule) -> Field {
        self.rule = rule;
        self
    }
    const fn default(mut self, value: u8) -> Field {
        self.default = Default::Is(value);
        self
    }
    const fn or(mut self, default: Default) -> Field {
        self.default = default;
        self
    }
    const fn hidden(self) -> Field {
        self.rule(Rule::Hidden)
    }

    /// The largest number the bits hold.
    #[must_use]
    pub fn max(&self) -> u32 {
        if self.width >= 32 { u32::MAX } else { (1 << self.width) - 1 }
    }

    fn read(&self, bytes: &[u8; SIZE]) -> u32 {
        if self.width == 0 { 0 } else { self.word.read(bytes) >> self.lo & self.max() }
    }

    fn write(&self, bytes: &mut [u8; SIZE], value: u32) {
        if self.width > 0 {
            let mask = self.max() << self.lo;
            let old = self.word.read(bytes) & !mask;
            self.word.write(bytes, old | value << self.lo & mask);
        }
    }
}

const fn f(name: &'static str, word: Word, lo: u8, width: u8, on: Where) -> Field {
    Field { name, word, lo, width, on, rule: Rule::Plain, default: Default::Is(0) }
}

use Gen::{Gfx6, Gfx7, Gfx8, Gfx9, Gfx10, Gfx11, Gfx12};
use Where::{All, ArchitectedScratch, Before, Cdna2, From, Gfx10And11, OwnFlatScratch, OwnScratch};
use Word::{Group, Kernarg, Preload, Private, Props, Rsrc1, Rsrc2, Rsrc3};

/// Every field, in the order in which directives are printed; those no directive sets come last.
#[rustfmt::skip]
pub static FIELDS: &[Field] = &[
    // directive                                       word    lo width  processors
    f("group_segment_fixed_size",                      Group,    0, 32, All),
    f("private_segment_fixed_size",                    Private,  0, 32, All),
    f("kernarg_size",                                  Kernarg,  0, 32, All),
    f("user_sgpr_count",                               Rsrc2,    1,  5, All).rule(Rule::UserSgprCount),
    f("user_sgpr_private_segment_buffer",              Props,    0,  1, OwnScratch).sgprs(4),
    f("user_sgpr_dispatch_ptr",                        Props,    1,  1, All).sgprs(2),
    f("user_sgpr_queue_ptr",                           Props,    2,  1, All).sgprs(2),
    f("user_sgpr_kernarg_segment_ptr",                 Props,    3,  1, All).sgprs(2),
    f("user_sgpr_dispatch_id",                         Props,    4,  1, All).sgprs(2),
    f("user_sgpr_flat_scratch_init",                   Props,    5,  1, OwnScratch).sgprs(2),
    f("user_sgpr_kernarg_preload_length",              Preload,  0,  7, Where::Preload).rule(Rule::PreloadLength),
    f("user_sgpr_kernarg_preload_offset",              Preload,  7,  9, Where::Preload),
    f("user_sgpr_private_segment_size",                Props,    6,  1, All).sgprs(1),
    f("wavefront_size32",                              Props,   10,  1, From(Gfx10)).or(Default::Wave32),
    f("uses_dynamic_stack",                            Props,   11,  1, All),
    f("system_sgpr_private_segment_wavefront_offset",  Rsrc2,    0,  1, OwnScratch),
    f("enable_private_segment",                        Rsrc2,    0,  1, ArchitectedScratch),
    f("system_sgpr_workgroup_id_x",                    Rsrc2,    7,  1, All).default(1),
    f("system_sgpr_workgroup_id_y",                    Rsrc2,    8,  1, All),
    f("system_sgpr_workgroup_id_z",                    Rsrc2,    9,  1, All),
    f("system_sgpr_workgroup_info",                    Rsrc2,   10,  1, All),
    f("system_vgpr_workitem_id",                       Rsrc2,   11,  2, All),
    f("next_free_vgpr",                                Rsrc1,    0,  6, All).rule(Rule::Vgprs).or(Default::Required),
    f("next_free_sgpr",                                Rsrc1,    6,  4, All).rule(Rule::Sgprs).or(Default::Required),
    f("accum_offset",                                  Rsrc3,    0,  6, Cdna2).rule(Rule::AccumOffset).or(Default::Required),
    f("reserve_vcc",                             Word::None,     0,  0, All).rule(Rule::ReserveVcc).default(1),
    f("reserve_flat_scratch",                    Word::None,     0,  0, OwnFlatScratch).rule(Rule::ReserveFlatScratch).default(1),
    f("reserve_xnack_mask",                      Word::None,     0,  0, From(Gfx8)).rule(Rule::ReserveXnack).or(Default::Xnack),
    f("float_round_mode_32",                           Rsrc1,   12,  2, All),
    f("float_round_mode_16_64",                        Rsrc1,   14,  2, All),
    f("float_denorm_mode_32",                          Rsrc1,   16,  2, All),
    f("float_denorm_mode_16_64",                       Rsrc1,   18,  2, All).default(3),
    f("dx10_clamp",                                    Rsrc1,   21,  1, Before(Gfx12)).default(1),
    f("ieee_mode",                                     Rsrc1,   23,  1, Before(Gfx12)).default(1),
    f("fp16_overflow",                                 Rsrc1,   26,  1, From(Gfx9)),
    f("tg_split",                                      Rsrc3,   16,  1, Cdna2),
    f("workgroup_processor_mode",                      Rsrc1,   29,  1, From(Gfx10)).default(1),
    f("memory_ordered",                                Rsrc1,   30,  1, From(Gfx10)).default(1),
    f("forward_progress",                              Rsrc1,   31,  1, From(Gfx10)),
    f("shared_vgpr_count",                             Rsrc3,    0,  4, Gfx10And11),
    f("inst_pref_size",                                Rsrc3,    4,  6, Where::Gfx11), // a directive since LLVM 20
    f("inst_pref_size",                                Rsrc3,    4,  8, From(Gfx12)),
    f("round_robin_scheduling",                        Rsrc1,   21,  1, From(Gfx12)),
    f("exception_fp_ieee_invalid_op",                  Rsrc2,   24,  1, All),
    f("exception_fp_denorm_src",                       Rsrc2,   25,  1, All),
    f("exception_fp_ieee_div_zero",                    Rsrc2,   26,  1, All),
    f("exception_fp_ieee_overflow",                    Rsrc2,   27,  1, All),
    f("exception_fp_ieee_underflow",                   Rsrc2,   28,  1, All),
    f("exception_fp_ieee_inexact",                     Rsrc2,   29,  1, All),
    f("exception_int_div_zero",                        Rsrc2,   30,  1, All),

    f("priority",                                      Rsrc1,   10,  2, All).hidden(),
    f("priv",                                          Rsrc1,   20,  1, All).hidden(),
    f("debug_mode",                                    Rsrc1,   22,  1, All).hidden(),
    f("disable_perf",                                  Rsrc1,   23,  1, From(Gfx12)).hidden(),
    f("bulky",                                         Rsrc1,   24,  1, All).hidden(),
    f("cdbg_user",                                     Rsrc1,   25,  1, All).hidden(),
    f("trap_handler",                                  Rsrc2,    6,  1, Before(Gfx12)).hidden(),
    f("exception_address_watch",                       Rsrc2,   13,  1, All).hidden(),
    f("exception_memory",                              Rsrc2,   14,  1, All).hidden(),
    f("granulated_lds_size",                           Rsrc2,   15,  9, All).hidden(),
    f("trap_on_start",                                 Rsrc3,   10,  1, Where::Gfx11).hidden(),
    f("trap_on_end",                                   Rsrc3,   11,  1, Where::Gfx11).hidden(),
    f("glg_en",                                        Rsrc3,   13,  1, From(Gfx12)).hidden(),
    f("image_op",                                      Rsrc3,   31,  1, From(Gfx11)).hidden(),
];

/// The row of a directive (with or without `.amdhsa_`) on a processor. Where the processor does not have it, the first row of
/// that name.
fn row(name: &str, arch: &Arch) -> Option<usize> {
    let name = name.strip_prefix(".amdhsa_").unwrap_or(name);
    let named = |field: &&Field| field.name == name;
    let here = FIELDS.iter().position(|field| named(&field) && field.on.has(arch));
    here.or_else(|| FIELDS.iter().position(|field| named(&field)))
}

/// The number of VGPRs in a block of the `next_free_vgpr` field.
#[must_use]
pub fn vgpr_block(arch: &Arch, wave32: bool) -> u32 {
    if Variants::CDNA2.contains(arch.variant) || wave32 { 8 } else { 4 }
}

/// The number of SGPRs in a block of the `next_free_sgpr` field. gfx9 allocates by 16 and still counts by 8.
pub const SGPR_BLOCK: u32 = 8;

/// The SGPRs behind the kernel's own which a wave needs for VCC, FLAT_SCRATCH and the XNACK mask: they lie at the end, so that
/// the farthest one counts.
fn extra_sgprs(arch: &Arch, vcc: bool, flat_scratch: bool, xnack: bool) -> u32 {
    match arch.generation {
        Gfx10 | Gfx11 | Gfx12 => 2 * u32::from(vcc),
        Gfx8 | Gfx9 if flat_scratch || arch.has_architected_flat_scratch() => 6,
        Gfx8 | Gfx9 if xnack => 4,
        // gfx6 has no FLAT_SCRATCH and no directive for it, and yet LLVM counts it.
        Gfx6 => 4,
        Gfx7 if flat_scratch => 4,
        _ => 2 * u32::from(vcc),
    }
}

/// A descriptor, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KernelDescriptor {
    bytes: [u8; SIZE],
    arch: &'static Arch,
}

impl KernelDescriptor {
    /// Reads a descriptor of a processor. Every pattern of 64 bytes is one.
    #[must_use]
    pub fn parse(bytes: &[u8; SIZE], arch: &'static Arch) -> KernelDescriptor {
        KernelDescriptor { bytes: *bytes, arch }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; SIZE] {
        &self.bytes
    }

    /// The processor.
    #[must_use]
    pub fn arch(&self) -> &'static Arch {
        self.arch
    }

    /// The bits of a field by its name in [`FIELDS`], if the processor has it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<u32> {
        let field = &FIELDS[row(name, self.arch)?];
        (field.on.has(self.arch) && field.width > 0).then(|| field.read(&self.bytes))
    }

    fn bit(&self, name: &str) -> bool {
        self.field(name) == Some(1)
    }

    /// The distance in bytes from the descriptor to the first instruction.
    #[must_use]
    pub fn entry_offset(&self) -> i64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.bytes[ENTRY_OFFSET..ENTRY_OFFSET + 8]);
        i64::from_le_bytes(bytes)
    }

    /// Bytes of LDS that the kernel declares; the launch may add to it.
    #[must_use]
    pub fn group_segment_fixed_size(&self) -> u32 {
        Group.read(&self.bytes)
    }

    /// Bytes of scratch for one lane.
    #[must_use]
    pub fn private_segment_fixed_size(&self) -> u32 {
        Private.read(&self.bytes)
    }

    /// Bytes of arguments; zero may mean that only the metadata says.
    #[must_use]
    pub fn kernarg_size(&self) -> u32 {
        Kernarg.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC1`.
    #[must_use]
    pub fn rsrc1(&self) -> u32 {
        Rsrc1.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC2`.
    #[must_use]
    pub fn rsrc2(&self) -> u32 {
        Rsrc2.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC3`.
    #[must_use]
    pub fn rsrc3(&self) -> u32 {
        Rsrc3.read(&self.bytes)
    }

    /// Whether waves have 32 lanes.
    #[must_use]
    pub fn wave32(&self) -> bool {
        self.bit("wavefront_size32")
    }

    /// The VGPRs a wave may use, in whole blocks; on gfx90a and gfx940 with the accumulation registers.
    #[must_use]
    pub fn vgprs(&self) -> u32 {
        (self.field("next_free_vgpr").unwrap_or(0) + 1) * vgpr_block(self.arch, self.wave32())
    }

    /// The SGPRs a wave may use, in whole blocks, with VCC and the other reserved ones; 108 from gfx10 on: 106 and VCC.
    #[must_use]
    pub fn sgprs(&self) -> u32 {
        match self.arch.generation {
            Gfx10 | Gfx11 | Gfx12 => 108,
            _ => (self.field("next_free_sgpr").unwrap_or(0) + 1) * SGPR_BLOCK,
        }
    }

    /// Where the accumulation registers begin among the VGPRs (gfx90a, gfx940).
    #[must_use]
    pub fn accum_offset(&self) -> Option<u32> {
        Some((self.field("accum_offset")? + 1) * 4)
    }

    /// The number of user SGPRs.
    #[must_use]
    pub fn user_sgprs(&self) -> u32 {
        self.field("user_sgpr_count").unwrap_or(0)
    }

    /// The SGPRs to ask for, and whether VCC and FLAT_SCRATCH must be reserved beside them to come to as many blocks: a kernel
    /// may ask for no more than 102 on gfx8 and gfx9, and yet the blocks go up to 112.
    fn own_sgprs(&self, xnack: bool) -> (u32, bool) {
        let all = match self.arch.generation {
            Gfx10 | Gfx11 | Gfx12 => return (0, false),
            _ => self.sgprs(),
        };
        let most = if self.arch.generation >= Gfx8 { 102 } else { 104 };
        let own = |reserve| {
            let extra = extra_sgprs(self.arch, reserve, reserve, xnack && self.arch.has_xnack());
            (all.saturating_sub(extra).min(most), extra)
        };
        let (plain, extra) = own(false);
        if (plain + extra).div_ceil(SGPR_BLOCK) == all / SGPR_BLOCK { (plain, false) } else { (own(true).0, true) }
    }

    /// The directives that build this descriptor, with their values, in LLVM's order. Register counts are whole blocks,
    /// with nothing reserved behind them if they come out right so. `uses_dynamic_stack` came with version 5 and `inst_pref_size` with LLVM 20: they are
    /// there only if they say something.
    #[must_use]
    pub fn directives(&self, xnack: bool) -> Vec<(&'static str, u32)> {
        let (own_sgprs, reserve) = self.own_sgprs(xnack);
        let shared_vgprs = self.field("shared_vgpr_count").is_some_and(|count| count > 0);
        let here = FIELDS.iter().filter(|field| field.on.has(self.arch));
        here.filter_map(|field| {
            let bits = field.read(&self.bytes);
            let value = match field.rule {
                Rule::Hidden => return None,
                Rule::ReserveXnack if !self.arch.has_xnack() => return None,
                // Shared VGPRs make no sense here; LLVM refuses them only beside this directive.
                Rule::Plain if field.name == "wavefront_size32" && bits == 1 && shared_vgprs => return None,
                Rule::Plain if bits == 0 && matches!(field.name, "uses_dynamic_stack" | "inst_pref_size") => {
                    return None;
                }
                Rule::Plain | Rule::UserSgprs(_) | Rule::PreloadLength | Rule::UserSgprCount => bits,
                Rule::Vgprs => self.vgprs(),
                Rule::Sgprs => own_sgprs,
                Rule::AccumOffset => (bits + 1) * 4,
                Rule::ReserveVcc | Rule::ReserveFlatScratch => u32::from(reserve),
                Rule::ReserveXnack => u32::from(xnack),
            };
            Some((field.name, value))
        })
        .collect()
    }
}

const _: () = {
    // The rows fit their words, and the build keeps its values in arrays of this many.
    let mut i = 0;
    while i < FIELDS.len() {
        let field = &FIELDS[i];
        assert!(field.lo as usize + field.width as usize <= field.word.bytes().1 * 8);
        i += 1;
    }
    assert!(FIELDS.len() <= 64);
};
