//! The rows: every field of the descriptor, and every directive that counts towards one.

use super::SIZE;
use crate::isa::{Arch, Gen, Variants};

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

    pub(super) fn read(self, bytes: &[u8; SIZE]) -> u32 {
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

    pub(super) fn read(&self, bytes: &[u8; SIZE]) -> u32 {
        if self.width == 0 { 0 } else { self.word.read(bytes) >> self.lo & self.max() }
    }

    pub(super) fn write(&self, bytes: &mut [u8; SIZE], value: u32) {
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
