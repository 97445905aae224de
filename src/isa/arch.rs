//! The machines: seven generations, and the variants inside them.
//!
//! A *generation* is a column of the rows. A *variant* is a set of processors inside a generation which no instruction and
//! no operand rule tells apart (gfx900 and gfx902 are one variant, gfx906 another). A row that exists on part of a
//! generation says so with a set of variants; the named sets below are the feature sets the rows speak of.

use bitflags::bitflags;

/// A column of the rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Gen {
    /// Southern Islands, GCN 1.
    Gfx6,
    /// Sea Islands, GCN 2.
    Gfx7,
    /// Volcanic Islands, GCN 3 and 4.
    Gfx8,
    /// Vega and CDNA, GCN 5.
    Gfx9,
    /// RDNA 1 and 2.
    Gfx10,
    /// RDNA 3 and 3.5.
    Gfx11,
    /// RDNA 4.
    Gfx12,
}

impl Gen {
    /// Every generation, in the order of the columns.
    pub const ALL: [Gen; 7] = [Gen::Gfx6, Gen::Gfx7, Gen::Gfx8, Gen::Gfx9, Gen::Gfx10, Gen::Gfx11, Gen::Gfx12];

    /// The name of the column: `gfx9`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["gfx6", "gfx7", "gfx8", "gfx9", "gfx10", "gfx11", "gfx12"][self as usize]
    }
}

bitflags! {
    /// A set of variants; every processor belongs to exactly one.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Variants: u32 {
        /// gfx600-602
        const G6    = 1 << 0;
        /// gfx700-705
        const G7    = 1 << 1;
        /// gfx801-805: unpacked D16
        const G80   = 1 << 2;
        /// gfx810: packed D16
        const G81   = 1 << 3;
        /// gfx900, 902, 909, 90c
        const G900  = 1 << 4;
        /// gfx904
        const G904  = 1 << 5;
        /// gfx906
        const G906  = 1 << 6;
        /// gfx908 (CDNA 1)
        const G908  = 1 << 7;
        /// gfx90a (CDNA 2)
        const G90A  = 1 << 8;
        /// gfx940-942 (CDNA 3)
        const G940  = 1 << 9;
        /// gfx1010
        const G1010 = 1 << 10;
        /// gfx1011, 1012
        const G1011 = 1 << 11;
        /// gfx1013
        const G1013 = 1 << 12;
        /// gfx1030-1036
        const G1030 = 1 << 13;
        /// gfx1100-1103
        const G1100 = 1 << 14;
        /// gfx1150-1152
        const G1150 = 1 << 15;
        /// gfx1200, 1201
        const G12   = 1 << 16;

        /// All of gfx8.
        const G8      = Self::G80.bits() | Self::G81.bits();
        /// All of gfx9.
        const G9      = Self::G900.bits() | Self::G904.bits() | Self::G906.bits() | Self::G908.bits() | Self::CDNA2.bits();
        /// All of gfx10.
        const G10     = Self::RDNA1.bits() | Self::G1030.bits();
        /// All of gfx11.
        const G11     = Self::G1100.bits() | Self::G1150.bits();
        /// gfx90a and its successors: even register tuples, accumulation registers in memory operations.
        const CDNA2   = Self::G90A.bits() | Self::G940.bits();
        /// Processors with matrix cores and accumulation registers.
        const CDNA    = Self::G908.bits() | Self::CDNA2.bits();
        /// gfx10.1.
        const RDNA1   = Self::G1010.bits() | Self::G1011.bits() | Self::G1013.bits();
        /// gfx9 without gfx90a and its successors.
        const VEGA    = Self::G900.bits() | Self::G904.bits() | Self::G906.bits() | Self::G908.bits();
        /// gfx906 and its successors in gfx9: the first dot products and `v_fmac_f32`.
        const DL      = Self::G906.bits() | Self::CDNA.bits();
        /// gfx10 with dot products.
        const DOT10   = Self::G1011.bits() | Self::G1030.bits();
    }
}

impl Variants {
    /// The generation a single variant belongs to.
    #[must_use]
    pub const fn of_gen(generation: Gen) -> Variants {
        match generation {
            Gen::Gfx6 => Variants::G6,
            Gen::Gfx7 => Variants::G7,
            Gen::Gfx8 => Variants::G8,
            Gen::Gfx9 => Variants::G9,
            Gen::Gfx10 => Variants::G10,
            Gen::Gfx11 => Variants::G11,
            Gen::Gfx12 => Variants::G12,
        }
    }
}

/// One processor.
#[derive(Debug, PartialEq, Eq)]
pub struct Arch {
    /// LLVM's name: `gfx1100`.
    pub name: &'static str,
    /// The column of the rows.
    pub generation: Gen,
    /// The variant it belongs to: exactly one bit.
    pub variant: Variants,
    /// `EF_AMDGPU_MACH` of an ELF code object.
    pub elf_mach: u8,
    /// Names of the products and drivers that mean this processor.
    pub also: &'static [&'static str],
}

const fn arch(
    name: &'static str,
    generation: Gen,
    variant: Variants,
    elf_mach: u8,
    also: &'static [&'static str],
) -> Arch {
    Arch { name, generation, variant, elf_mach, also }
}

/// Every processor, oldest first. The ELF numbers are those of LLVM's AMDGPU usage guide.
#[rustfmt::skip]
pub static ARCHS: &[Arch] = &[
    arch("gfx600",  Gen::Gfx6,  Variants::G6,    0x20, &["tahiti"]),
    arch("gfx601",  Gen::Gfx6,  Variants::G6,    0x21, &["pitcairn", "verde"]),
    arch("gfx602",  Gen::Gfx6,  Variants::G6,    0x3a, &["hainan", "oland"]),
    arch("gfx700",  Gen::Gfx7,  Variants::G7,    0x22, &["kaveri"]),
    arch("gfx701",  Gen::Gfx7,  Variants::G7,    0x23, &["hawaii"]),
    arch("gfx702",  Gen::Gfx7,  Variants::G7,    0x24, &[]),
    arch("gfx703",  Gen::Gfx7,  Variants::G7,    0x25, &["kabini", "mullins"]),
    arch("gfx704",  Gen::Gfx7,  Variants::G7,    0x26, &["bonaire"]),
    arch("gfx705",  Gen::Gfx7,  Variants::G7,    0x3b, &[]),
    arch("gfx801",  Gen::Gfx8,  Variants::G80,   0x28, &["carrizo"]),
    arch("gfx802",  Gen::Gfx8,  Variants::G80,   0x29, &["iceland", "tonga"]),
    arch("gfx803",  Gen::Gfx8,  Variants::G80,   0x2a, &["fiji", "polaris10", "polaris11"]),
    arch("gfx805",  Gen::Gfx8,  Variants::G80,   0x3c, &["tongapro"]),
    arch("gfx810",  Gen::Gfx8,  Variants::G81,   0x2b, &["stoney"]),
    arch("gfx900",  Gen::Gfx9,  Variants::G900,  0x2c, &["vega10"]),
    arch("gfx902",  Gen::Gfx9,  Variants::G900,  0x2d, &["raven"]),
    arch("gfx904",  Gen::Gfx9,  Variants::G904,  0x2e, &["vega12"]),
    arch("gfx906",  Gen::Gfx9,  Variants::G906,  0x2f, &["vega20"]),
    arch("gfx908",  Gen::Gfx9,  Variants::G908,  0x30, &["mi100"]),
    arch("gfx909",  Gen::Gfx9,  Variants::G900,  0x31, &["raven2"]),
    arch("gfx90a",  Gen::Gfx9,  Variants::G90A,  0x3f, &["mi200"]),
    arch("gfx90c",  Gen::Gfx9,  Variants::G900,  0x32, &["renoir"]),
    arch("gfx940",  Gen::Gfx9,  Variants::G940,  0x40, &[]),
    arch("gfx941",  Gen::Gfx9,  Variants::G940,  0x4b, &[]),
    arch("gfx942",  Gen::Gfx9,  Variants::G940,  0x4c, &["mi300"]),
    arch("gfx1010", Gen::Gfx10, Variants::G1010, 0x33, &["navi10"]),
    arch("gfx1011", Gen::Gfx10, Variants::G1011, 0x34, &["navi12"]),
    arch("gfx1012", Gen::Gfx10, Variants::G1011, 0x35, &["navi14"]),
    arch("gfx1013", Gen::Gfx10, Variants::G1013, 0x42, &[]),
    arch("gfx1030", Gen::Gfx10, Variants::G1030, 0x36, &["navi21"]),
    arch("gfx1031", Gen::Gfx10, Variants::G1030, 0x37, &["navi22"]),
    arch("gfx1032", Gen::Gfx10, Variants::G1030, 0x38, &["navi23"]),
    arch("gfx1033", Gen::Gfx10, Variants::G1030, 0x39, &["vangogh"]),
    arch("gfx1034", Gen::Gfx10, Variants::G1030, 0x3e, &["navi24"]),
    arch("gfx1035", Gen::Gfx10, Variants::G1030, 0x3d, &["rembrandt"]),
    arch("gfx1036", Gen::Gfx10, Variants::G1030, 0x45, &["raphael"]),
    arch("gfx1100", Gen::Gfx11, Variants::G1100, 0x41, &["navi31"]),
    arch("gfx1101", Gen::Gfx11, Variants::G1100, 0x46, &["navi32"]),
    arch("gfx1102", Gen::Gfx11, Variants::G1100, 0x47, &["navi33"]),
    arch("gfx1103", Gen::Gfx11, Variants::G1100, 0x44, &["phoenix"]),
    arch("gfx1150", Gen::Gfx11, Variants::G1150, 0x43, &["strix1"]),
    arch("gfx1151", Gen::Gfx11, Variants::G1150, 0x4a, &["strixhalo"]),
    arch("gfx1152", Gen::Gfx11, Variants::G1150, 0x55, &["krackan1"]),
    arch("gfx1200", Gen::Gfx12, Variants::G12,   0x48, &["navi44"]),
    arch("gfx1201", Gen::Gfx12, Variants::G12,   0x4e, &["navi48"]),
];

impl Arch {
    /// Finds a processor by its name or a product name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Arch> {
        ARCHS.iter().find(|a| a.name == name || a.also.contains(&name))
    }

    /// Finds a processor by the machine number in the flags of an ELF code object.
    #[must_use]
    pub fn by_elf_mach(mach: u8) -> Option<&'static Arch> {
        ARCHS.iter().find(|a| a.elf_mach == mach)
    }

    /// Whether waves of 32 lanes exist.
    #[must_use]
    pub fn has_wave32(&self) -> bool {
        self.generation >= Gen::Gfx10
    }
}

bitflags! {
    /// What an instruction may assume about the wave and the assembler: LLVM's `--mattr` features which change syntax.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
    pub struct Features: u8 {
        /// Waves of 32 lanes.
        const WAVE32 = 1;
        /// Waves of 64 lanes. Both may be set, as LLVM allows: then either operand width is accepted.
        const WAVE64 = 2;
        /// 16-bit operands name halves of registers (`v0.l`, `v0.h`).
        const REAL_TRUE16 = 4;
        /// What cards take beyond what LLVM 19 says of them: on gfx11 and gfx12 every 16-bit operand of a vector instruction may be a half, as the manuals
        /// have it. What executes code needs it; no text asks for it.
        const HARDWARE = 8;
        /// gfx1100 to gfx1103 have the scalar floats of gfx1150, which manuals and compilers do not give them.
        const SALU_FLOAT = 16;
    }
}

impl Features {
    /// Those that are switched on and off by name, wave sizes apart.
    pub const NAMED: [(&str, Features); 2] =
        [("real-true16", Features::REAL_TRUE16), ("salu-float", Features::SALU_FLOAT)];

    /// Those with a name, as `--mattr` takes them.
    #[must_use]
    pub fn mattr(self) -> String {
        let named = Self::NAMED.iter().filter(|(_, one)| self.contains(*one));
        named.map(|(name, _)| format!("+{name}")).collect::<Vec<_>>().join(",")
    }
}

/// A processor in a mode: what a program is assembled, decoded or run for.
#[derive(Clone, Copy, Eq, Debug)]
pub struct Target {
    /// The processor.
    pub arch: &'static Arch,
    /// The mode.
    pub features: Features,
}

/// A feature list which does not fit the processor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FeatureError {
    /// Not a feature that changes syntax.
    #[error("unknown feature `{0}`; known are wavefrontsize32, wavefrontsize64, real-true16, salu-float")]
    Unknown(String),
    /// A feature without `+` or `-`.
    #[error("feature `{0}` needs a leading + or -")]
    NoSign(String),
}

impl PartialEq for Target {
    /// There is one of each processor, mostly: names are compared only where it is another.
    #[inline]
    fn eq(&self, other: &Target) -> bool {
        self.features == other.features && (std::ptr::eq(self.arch, other.arch) || self.arch == other.arch)
    }
}

impl Target {
    /// The default mode of a processor: wave32 where it exists, halves of registers not named.
    #[must_use]
    pub fn new(arch: &'static Arch) -> Target {
        let wave = if arch.has_wave32() { Features::WAVE32 } else { Features::WAVE64 };
        Target { arch, features: wave }
    }

    /// As it executes code: halves of registers are in the bits, whatever the text calls them.
    #[must_use]
    pub fn executing(mut self) -> Target {
        if self.generation() >= Gen::Gfx11 {
            self.features |= Features::REAL_TRUE16 | Features::HARDWARE;
        }
        self
    }

    /// The same processor with waves of `lanes` lanes, where it has them.
    #[must_use]
    pub fn wave(mut self, lanes: u32) -> Option<Target> {
        let wave = match lanes {
            32 if self.arch.has_wave32() => Features::WAVE32,
            64 => Features::WAVE64,
            _ => return None,
        };
        self.features = (self.features - (Features::WAVE32 | Features::WAVE64)) | wave;
        Some(self)
    }

    /// Applies a list as LLVM's `--mattr`: `+wavefrontsize64,-real-true16`. Case does not matter.
    ///
    /// # Errors
    /// Names the feature which is not known.
    pub fn with_mattr(mut self, list: &str) -> Result<Target, FeatureError> {
        let mut wave = Features::empty();
        for item in list.split(',').map(str::trim).filter(|s| !s.is_empty()) {
            let (on, name) = match item.as_bytes()[0] {
                b'+' => (true, &item[1..]),
                b'-' => (false, &item[1..]),
                _ => return Err(FeatureError::NoSign(item.to_owned())),
            };
            match name.to_ascii_lowercase().as_str() {
                "wavefrontsize32" if on => wave |= Features::WAVE32,
                "wavefrontsize64" if on => wave |= Features::WAVE64,
                "wavefrontsize32" => self.features -= Features::WAVE32,
                "wavefrontsize64" => self.features -= Features::WAVE64,
                lower => match Features::NAMED.iter().find(|(known, _)| *known == lower) {
                    Some((_, feature)) => self.features.set(*feature, on),
                    None => return Err(FeatureError::Unknown(name.to_owned())),
                },
            }
        }
        if !wave.is_empty() {
            self.features = (self.features - (Features::WAVE32 | Features::WAVE64)) | wave;
        }
        if !self.features.intersects(Features::WAVE32 | Features::WAVE64) {
            self.features |= Target::new(self.arch).features;
        }
        Ok(self)
    }

    /// The generation.
    #[must_use]
    pub fn generation(&self) -> Gen {
        self.arch.generation
    }

    /// Whether the processor is one of these variants.
    #[must_use]
    pub fn is(&self, variants: Variants) -> bool {
        variants.contains(self.arch.variant)
    }

    /// Whether a lane mask may be written as one register of 32 bits.
    #[must_use]
    pub fn wave32(&self) -> bool {
        self.features.contains(Features::WAVE32)
    }

    /// Whether a lane mask may be written as a pair of registers.
    #[must_use]
    pub fn wave64(&self) -> bool {
        self.features.contains(Features::WAVE64)
    }
}
