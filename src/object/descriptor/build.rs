//! From directives to a descriptor.
//!
//! Directives come in any order and each only once; what depends on several of them (register blocks, the number of user SGPRs)
//! is decided at the end. The rules are those of LLVM 19.

use super::{Default, FIELDS, Field, Rule, SGPR_BLOCK, SIZE, extra_sgprs, row, vgpr_block};
use crate::isa::{Gen, Target};
use crate::object::target_id::TargetId;

/// What can be wrong with the directives of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DescriptorError {
    /// No such directive.
    #[error("unknown directive `{name}`")]
    Unknown {
        /// As written.
        name: String,
    },
    /// A directive given twice.
    #[error(".amdhsa_{directive} is given twice")]
    Repeated {
        /// The directive.
        directive: &'static str,
    },
    /// A value that does not fit.
    #[error(".amdhsa_{directive} must be in 0..={max}, not {value}")]
    Range {
        /// The directive.
        directive: &'static str,
        /// As written.
        value: i64,
        /// The largest value.
        max: u32,
    },
    /// More registers than a wave can have.
    #[error(".amdhsa_{directive}: {value} registers are more than a wave can have")]
    Registers {
        /// The directive.
        directive: &'static str,
        /// As written.
        value: u64,
    },
    /// A directive that the processor does not have.
    #[error(".amdhsa_{directive} needs {needs}")]
    Needs {
        /// The directive.
        directive: &'static str,
        /// What the processor lacks.
        needs: &'static str,
    },
    /// A directive is missing.
    #[error(".amdhsa_{directive} is required")]
    Required {
        /// The directive.
        directive: &'static str,
    },
    /// `reserve_xnack_mask` does not say what the target id says.
    #[error(".amdhsa_reserve_xnack_mask is {value}, but the target id is {target}")]
    Xnack {
        /// As written.
        value: i64,
        /// The target id.
        target: String,
    },
    /// Fewer user SGPRs than the enabled ones.
    #[error(".amdhsa_user_sgpr_count is {count}, but the enabled user SGPRs are {implied}")]
    UserSgprCount {
        /// As written.
        count: u64,
        /// What the others add up to.
        implied: u64,
    },
    /// More user SGPRs than the field can count.
    #[error("{count} user SGPRs are more than 31")]
    TooManyUserSgprs {
        /// How many.
        count: u64,
    },
    /// Preloaded arguments behind the end of the arguments.
    #[error("preloaded kernel arguments end at byte {end}, behind the {size} bytes of arguments")]
    PreloadRange {
        /// The end of the preloaded ones.
        end: u64,
        /// The size of the arguments.
        size: u64,
    },
    /// Not a place where accumulation registers can begin.
    #[error(".amdhsa_accum_offset must be a multiple of 4 in 4..=256, not {value}")]
    AccumOffset {
        /// As written.
        value: u64,
    },
    /// The accumulation registers begin behind the last VGPR.
    #[error(".amdhsa_accum_offset {value} is behind the {vgprs} VGPRs of the wave")]
    AccumOffsetRange {
        /// As written.
        value: u64,
        /// The number of VGPRs.
        vgprs: u64,
    },
    /// Shared VGPRs belong to waves of 64 lanes.
    #[error(".amdhsa_shared_vgpr_count needs waves of 64 lanes")]
    SharedVgprsWave32,
    /// More VGPRs and shared VGPRs than there are.
    #[error(".amdhsa_shared_vgpr_count {shared}: twice that and {blocks} blocks of VGPRs are more than 63")]
    SharedVgprs {
        /// As written.
        shared: u64,
        /// The blocks of VGPRs, less one.
        blocks: u64,
    },
}

/// Builds a descriptor from directives.
#[derive(Clone, Debug)]
pub struct DescriptorBuilder {
    id: TargetId,
    wave32: bool,
    values: [Option<u64>; 64],
}

impl DescriptorBuilder {
    /// A descriptor with no directive yet. The entry offset is left zero: the object file knows it. The directives are the same
    /// in all versions of code objects that have descriptors.
    #[must_use]
    pub fn new(target: &Target) -> DescriptorBuilder {
        DescriptorBuilder { id: TargetId::new(target.arch), wave32: target.wave32(), values: [None; 64] }
    }

    /// The settings of the processor, when the source names them; XNACK counts towards the SGPRs.
    #[must_use]
    pub fn target_id(mut self, id: TargetId) -> DescriptorBuilder {
        self.id = id;
        self
    }

    /// Whether a directive was set.
    #[must_use]
    pub fn is_set(&self, directive: &str) -> bool {
        row(directive, self.id.arch).is_some_and(|at| self.values[at].is_some())
    }

    /// Sets a directive, named with or without `.amdhsa_`.
    ///
    /// # Errors
    /// The directive is not known, not of this processor or set already, or the value does not fit it.
    pub fn set(&mut self, directive: &str, value: i64) -> Result<(), DescriptorError> {
        let unknown = || DescriptorError::Unknown { name: directive.to_owned() };
        let at = row(directive, self.id.arch).ok_or_else(unknown)?;
        let field = &FIELDS[at];
        let name = field.name;
        if field.rule == Rule::Hidden {
            return Err(unknown());
        }
        if self.values[at].is_some() {
            return Err(DescriptorError::Repeated { directive: name });
        }
        if !field.on.has(self.id.arch) {
            return Err(DescriptorError::Needs { directive: name, needs: field.on.needs() });
        }
        let max = match field.rule {
            Rule::PreloadLength => 16,
            Rule::Vgprs | Rule::Sgprs | Rule::AccumOffset | Rule::UserSgprCount => u32::MAX,
            Rule::ReserveVcc | Rule::ReserveFlatScratch | Rule::ReserveXnack => 1,
            Rule::Plain | Rule::UserSgprs(_) | Rule::Hidden => field.max(),
        };
        if value < 0 || value > i64::from(max) {
            return Err(DescriptorError::Range { directive: name, value, max });
        }
        if field.rule == Rule::ReserveXnack && (value == 1) != self.id.xnack.on_or_any() {
            return Err(DescriptorError::Xnack { value, target: self.id.to_string() });
        }
        self.values[at] = Some(value.unsigned_abs());
        Ok(())
    }

    fn default(&self, field: &Field) -> Option<u64> {
        match field.default {
            Default::Is(value) => Some(value.into()),
            Default::Wave32 => Some(self.wave32.into()),
            Default::Xnack => Some(self.id.xnack.on_or_any().into()),
            Default::Required => None,
        }
    }

    /// The value of a directive: what was set, else its default, else (where the processor lacks it) zero.
    fn get(&self, name: &str) -> u64 {
        let Some(at) = row(name, self.id.arch) else { return 0 };
        let here = FIELDS[at].on.has(self.id.arch);
        self.values[at].or_else(|| self.default(&FIELDS[at]).filter(|_| here)).unwrap_or(0)
    }

    /// Checks what the directives say together and makes the descriptor.
    ///
    /// # Errors
    /// A required directive is missing, or two contradict each other.
    pub fn finish(&self) -> Result<[u8; SIZE], DescriptorError> {
        let mut bytes = [0; SIZE];
        let here = || FIELDS.iter().enumerate().filter(|(_, field)| field.on.has(self.id.arch));
        if let Some((_, field)) = here().find(|&(at, f)| f.default == Default::Required && self.values[at].is_none()) {
            return Err(DescriptorError::Required { directive: field.name });
        }
        // In LLVM's order, should several things be wrong.
        self.vgpr_blocks()?;
        self.sgpr_blocks()?;
        for (at, field) in here() {
            let value = self.values[at].or_else(|| self.default(field)).unwrap_or(0);
            let bits = match field.rule {
                Rule::Plain | Rule::UserSgprs(_) | Rule::PreloadLength => value,
                Rule::UserSgprCount => self.user_sgprs(self.values[at])?,
                Rule::Vgprs => self.vgpr_blocks()?,
                Rule::Sgprs => self.sgpr_blocks()?,
                Rule::AccumOffset => self.accum_offset(value)?,
                Rule::ReserveVcc | Rule::ReserveFlatScratch | Rule::ReserveXnack | Rule::Hidden => continue,
            };
            // The checks above keep every value within the width of its field.
            field.write(&mut bytes, bits as u32);
        }
        self.check_preload()?;
        self.check_shared_vgprs()?;
        Ok(bytes)
    }

    fn user_sgprs(&self, explicit: Option<u64>) -> Result<u64, DescriptorError> {
        let implied: u64 = FIELDS
            .iter()
            .zip(self.values)
            .map(|(field, value)| match (field.rule, value.unwrap_or(0)) {
                (Rule::UserSgprs(count), 1) => u64::from(count),
                (Rule::PreloadLength, length) => length,
                _ => 0,
            })
            .sum();
        let count = explicit.unwrap_or(implied);
        if implied > count {
            return Err(DescriptorError::UserSgprCount { count, implied });
        }
        if count > 31 {
            return Err(DescriptorError::TooManyUserSgprs { count });
        }
        Ok(count)
    }

    fn vgpr_blocks(&self) -> Result<u64, DescriptorError> {
        let vgprs = self.get("next_free_vgpr");
        let blocks = vgprs.max(1).div_ceil(vgpr_block(self.id.arch, self.get("wavefront_size32") == 1).into()) - 1;
        if blocks > 63 {
            return Err(DescriptorError::Registers { directive: "next_free_vgpr", value: vgprs });
        }
        Ok(blocks)
    }

    /// From gfx10 on every wave has all SGPRs. Before, gfx8 and gfx9 count the reserved ones beside the 102 addressable, gfx6 and
    /// gfx7 (and the processors with the initialisation bug, which always allocate 96) count them among them.
    fn sgpr_blocks(&self) -> Result<u64, DescriptorError> {
        let arch = self.id.arch;
        let own = self.get("next_free_sgpr");
        let extra = extra_sgprs(
            arch,
            self.get("reserve_vcc") == 1,
            self.get("reserve_flat_scratch") == 1,
            self.id.xnack.on_or_any(),
        );
        let all = own + u64::from(extra);
        let (allowed, all) = match arch.generation {
            Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12 => return Ok(0),
            _ if arch.has_sgpr_init_bug() => (all <= 96, 96),
            Gen::Gfx6 | Gen::Gfx7 => (all <= 104, all),
            Gen::Gfx8 | Gen::Gfx9 => (own <= 102, all),
        };
        if !allowed {
            return Err(DescriptorError::Registers { directive: "next_free_sgpr", value: own });
        }
        Ok(all.max(1).div_ceil(SGPR_BLOCK.into()) - 1)
    }

    fn accum_offset(&self, value: u64) -> Result<u64, DescriptorError> {
        if !(4..=256).contains(&value) || !value.is_multiple_of(4) {
            return Err(DescriptorError::AccumOffset { value });
        }
        let vgprs = self.get("next_free_vgpr").max(1).next_multiple_of(4);
        if value > vgprs {
            return Err(DescriptorError::AccumOffsetRange { value, vgprs });
        }
        Ok(value / 4 - 1)
    }

    fn check_preload(&self) -> Result<(), DescriptorError> {
        let (length, size) = (self.get("user_sgpr_kernarg_preload_length"), self.get("kernarg_size"));
        let end = 4 * (length + self.get("user_sgpr_kernarg_preload_offset"));
        if length > 0 && size > 0 && end > size {
            return Err(DescriptorError::PreloadRange { end, size });
        }
        Ok(())
    }

    fn check_shared_vgprs(&self) -> Result<(), DescriptorError> {
        let shared = self.get("shared_vgpr_count");
        if shared == 0 {
            return Ok(());
        }
        // As LLVM: only a wave size that the kernel states is held against it.
        if self.is_set("wavefront_size32") && self.get("wavefront_size32") == 1 {
            return Err(DescriptorError::SharedVgprsWave32);
        }
        let blocks = self.vgpr_blocks()?;
        if shared * 2 + blocks > 63 {
            return Err(DescriptorError::SharedVgprs { shared, blocks });
        }
        Ok(())
    }
}
