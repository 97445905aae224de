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
mod fields;

pub use build::{DescriptorBuilder, DescriptorError};
pub use fields::{Default, FIELDS, Field, Rule, Where, Word};

use crate::isa::Gen::{Gfx6, Gfx7, Gfx8, Gfx9, Gfx10, Gfx11, Gfx12};
use crate::isa::{Arch, Variants};

/// The size of a descriptor in bytes.
pub const SIZE: usize = 64;

/// Where in a descriptor the offset from itself to the first instruction stands: eight bytes, signed.
pub const ENTRY_OFFSET: usize = 16;

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

/// User SGPRs with one content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UserSgprs {
    /// The directive that asks for them.
    pub name: &'static str,
    /// The first one.
    pub first: u32,
    /// How many.
    pub count: u32,
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
        Word::Group.read(&self.bytes)
    }

    /// Bytes of scratch for one lane.
    #[must_use]
    pub fn private_segment_fixed_size(&self) -> u32 {
        Word::Private.read(&self.bytes)
    }

    /// Bytes of arguments; zero may mean that only the metadata says.
    #[must_use]
    pub fn kernarg_size(&self) -> u32 {
        Word::Kernarg.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC1`.
    #[must_use]
    pub fn rsrc1(&self) -> u32 {
        Word::Rsrc1.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC2`.
    #[must_use]
    pub fn rsrc2(&self) -> u32 {
        Word::Rsrc2.read(&self.bytes)
    }

    /// `COMPUTE_PGM_RSRC3`.
    #[must_use]
    pub fn rsrc3(&self) -> u32 {
        Word::Rsrc3.read(&self.bytes)
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

    /// The user SGPRs by content, in the order in which the hardware loads them.
    #[must_use]
    pub fn user_sgpr_layout(&self) -> Vec<UserSgprs> {
        let mut layout = Vec::new();
        let mut first = 0;
        let here = || FIELDS.iter().filter(|field| field.on.has(self.arch));
        let fixed = here().filter_map(|field| match field.rule {
            Rule::UserSgprs(count) => Some((field.name, u32::from(count) * field.read(&self.bytes))),
            _ => None,
        });
        // The table has these before the last of the others, as they are printed.
        let preloaded = here().filter(|field| field.rule == Rule::PreloadLength);
        for (name, count) in fixed.chain(preloaded.map(|field| (field.name, field.read(&self.bytes)))) {
            if count > 0 {
                layout.push(UserSgprs { name, first, count });
                first += count;
            }
        }
        layout
    }

    /// Bits 7:0 of the MODE register at the start of a wave: rounding and denormals.
    #[must_use]
    pub fn float_mode(&self) -> u8 {
        (self.rsrc1() >> 12) as u8
    }

    /// Which of the three numbers of its group a wave gets in SGPRs.
    #[must_use]
    pub fn workgroup_ids(&self) -> [bool; 3] {
        ["system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_z"]
            .map(|id| self.bit(id))
    }

    /// How many of the three numbers of a work-item its lane gets in VGPRs: 1 to 3.
    #[must_use]
    pub fn workitem_ids(&self) -> u32 {
        (self.field("system_vgpr_workitem_id").unwrap_or(0) + 1).min(3)
    }

    /// Whether waves have scratch memory.
    #[must_use]
    pub fn scratch(&self) -> bool {
        self.rsrc2() & 1 != 0
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
