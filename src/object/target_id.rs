//! What a code object says about its processor beside the name: the settings which a loader must match.
//!
//! XNACK (replay of faulting loads) and SRAM-ECC change how code may be written, so that they belong to the identity of a code
//! object: `gfx906:sramecc+:xnack-`. A setting which is not written is [`Setting::Any`]: the code runs either way.
//! The bits of the ELF flags hold the same since code object version 4; version 3 knew only on and off.

use crate::isa::{Arch, Gen, Variants};
use std::fmt;
use std::ops::Range;

/// A setting of the processor which code may depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Setting {
    /// The processor has no such setting.
    Unsupported = 0,
    /// The code runs with either.
    Any = 1,
    /// The code needs it off.
    Off = 2,
    /// The code needs it on.
    On = 3,
}

impl Setting {
    /// Whether code must allow for the setting being on.
    #[must_use]
    pub fn on_or_any(self) -> bool {
        matches!(self, Setting::On | Setting::Any)
    }

    fn from_bits(bits: u32) -> Setting {
        match bits & 3 {
            0 => Setting::Unsupported,
            1 => Setting::Any,
            2 => Setting::Off,
            _ => Setting::On,
        }
    }

    fn sign(self) -> Option<char> {
        match self {
            Setting::On => Some('+'),
            Setting::Off => Some('-'),
            Setting::Unsupported | Setting::Any => None,
        }
    }
}

/// A processor and its settings: LLVM's target id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetId {
    /// The processor.
    pub arch: &'static Arch,
    /// Whether faulting loads are replayed.
    pub xnack: Setting,
    /// Whether the memory on the chip corrects errors.
    pub sramecc: Setting,
}

/// A target id which says nothing that is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetIdError {
    /// Not a processor.
    #[error("unknown processor `{0}`")]
    Processor(String),
    /// Not a setting, or one without `+` or `-` behind it.
    #[error("unknown setting `{0}`; known are xnack+, xnack-, sramecc+, sramecc-")]
    Setting(String),
    /// A setting that the processor does not have.
    #[error("{arch} has no setting `{setting}`")]
    Unsupported {
        /// The processor.
        arch: &'static str,
        /// The setting.
        setting: &'static str,
    },
}

impl Arch {
    /// Whether the processor can replay faulting loads (and then reserves two SGPRs for it before gfx10).
    #[must_use]
    pub fn has_xnack(&self) -> bool {
        matches!(self.name, "gfx801" | "gfx810") || (Variants::G9 | Variants::RDNA1).contains(self.variant)
    }

    /// Whether the memory on the chip may correct errors.
    #[must_use]
    pub fn has_sramecc(&self) -> bool {
        Variants::DL.contains(self.variant)
    }

    /// Whether the hardware sets up scratch addresses itself, so that kernels get no wave offset and no buffer.
    #[must_use]
    pub fn has_architected_flat_scratch(&self) -> bool {
        Variants::G940.contains(self.variant) || self.generation >= Gen::Gfx11
    }

    /// Whether the command processor can load kernel arguments into SGPRs.
    #[must_use]
    pub fn has_kernarg_preload(&self) -> bool {
        Variants::CDNA2.contains(self.variant)
    }

    /// Whether a hardware bug makes every wave allocate 96 SGPRs.
    #[must_use]
    pub fn has_sgpr_init_bug(&self) -> bool {
        matches!(self.name, "gfx802" | "gfx805")
    }
}

/// What an assembly text says that it is for, as compilers write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The operand of its first `.amdgcn_target`.
    pub target: Result<TargetId, TargetIdError>,
    /// Where that stands, in bytes from the start of the text.
    pub span: Range<usize>,
    /// Whether its first kernel has waves of 64 lanes where there is a choice (`.amdhsa_wavefront_size32 0`).
    pub wave64: bool,
}

/// Reads `.amdgcn_target` of an assembly text, if it has one.
#[must_use]
pub fn declared(text: &str) -> Option<Declared> {
    let directive = |name: &str| {
        let mut at = 0;
        text.split_inclusive('\n').find_map(|line| {
            let start = at;
            at += line.len();
            let operand = line.trim_start().strip_prefix(name)?;
            // Another directive may begin with the same letters.
            operand.starts_with([' ', '\t']).then(|| (start + line.len() - operand.len(), operand))
        })
    };
    let (at, operand) = directive(".amdgcn_target")?;
    let name = operand.split([';', '#']).next().unwrap_or("").split("//").next().unwrap_or("").trim();
    let start = at + operand.len() - operand.trim_start().len();
    let wave64 = directive(".amdhsa_wavefront_size32").is_some_and(|(_, operand)| operand.trim().starts_with('0'));
    let target = TargetId::parse(name.trim_matches('"'));
    Some(Declared { target, span: start..start + name.len().max(1), wave64 })
}

impl TargetId {
    /// A processor with nothing demanded of its settings.
    #[must_use]
    pub fn new(arch: &'static Arch) -> TargetId {
        let any = |has| if has { Setting::Any } else { Setting::Unsupported };
        TargetId { arch, xnack: any(arch.has_xnack()), sramecc: any(arch.has_sramecc()) }
    }

    /// Reads `gfx906:sramecc+:xnack-`, with or without `amdgcn-amd-amdhsa--` before it.
    ///
    /// # Errors
    /// Names what is not known.
    pub fn parse(text: &str) -> Result<TargetId, TargetIdError> {
        let text = text.rfind("--").map_or(text, |at| &text[at + 2..]);
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let arch = Arch::find(name).ok_or_else(|| TargetIdError::Processor(name.to_owned()))?;
        let mut id = TargetId::new(arch);
        for part in parts {
            let (slot, setting, value) = match part {
                "xnack+" => (&mut id.xnack, "xnack", Setting::On),
                "xnack-" => (&mut id.xnack, "xnack", Setting::Off),
                "sramecc+" => (&mut id.sramecc, "sramecc", Setting::On),
                "sramecc-" => (&mut id.sramecc, "sramecc", Setting::Off),
                _ => return Err(TargetIdError::Setting(part.to_owned())),
            };
            if *slot == Setting::Unsupported {
                return Err(TargetIdError::Unsupported { arch: arch.name, setting });
            }
            *slot = value;
        }
        Ok(id)
    }

    /// The `e_flags` of a code object of version 4 or later (or 3, whose bits differ).
    #[must_use]
    pub fn elf_flags(&self, version: u8) -> u32 {
        let mach = u32::from(self.arch.elf_mach);
        if version <= 3 {
            return mach | u32::from(self.xnack.on_or_any()) << 8 | u32::from(self.sramecc.on_or_any()) << 9;
        }
        mach | (self.xnack as u32) << 8 | (self.sramecc as u32) << 10
    }

    /// Reads the settings back from `e_flags`; the processor is known already.
    #[must_use]
    pub fn from_elf_flags(arch: &'static Arch, flags: u32, version: u8) -> TargetId {
        if version >= 4 {
            return TargetId { arch, xnack: Setting::from_bits(flags >> 8), sramecc: Setting::from_bits(flags >> 10) };
        }
        let known = |has, on| match (has, on) {
            (_, true) => Setting::On,
            (true, false) => Setting::Off,
            (false, false) => Setting::Unsupported,
        };
        let xnack_bit = if version == 2 { 0 } else { 1 << 8 };
        TargetId {
            arch,
            xnack: known(arch.has_xnack(), flags & xnack_bit != 0),
            sramecc: known(arch.has_sramecc(), version == 3 && flags & 1 << 9 != 0),
        }
    }
}

impl fmt::Display for TargetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.arch.name)?;
        for (name, setting) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            if let Some(sign) = setting.sign() {
                write!(f, ":{name}{sign}")?;
            }
        }
        Ok(())
    }
}
