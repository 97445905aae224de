//! Where operands lie, as numbers: dense, so that whoever executes steps can use them as indices.
//!
//! A scalar place is the operand code of a register; behind the 128 codes follow what is written nowhere, a zero, the
//! values that have a code and no register (VCCZ, the apertures), and the constants of the program. A vector place is the
//! number of a register; accumulation registers follow from 256 on, then a place that nothing is written to, and the
//! constants, a place for each word. Wide values take as many places as they have words.
//!
//! [`Scalar`] and [`Vector`] say what a number means:
//!
//! ```
//! use wavediff::isa::{Arch, Target};
//! use wavediff::program::Program;
//! use wavediff::program::place::{Scalar, Vector};
//! let target = Target::new(Arch::find("gfx1100").expect("a processor"));
//! // v_add_f32_e32 v0, 1.0, v1; s_add_u32 s0, vcc_lo, 2
//! let program = Program::new(target, &[0x0600_02f2, 0x8000_826a], 0);
//! let [vector, scalar] = &program.steps[..] else { panic!("two steps") };
//! assert_eq!(Vector::of(&program, vector.dst), Vector::Register(0));
//! assert_eq!(Vector::of(&program, vector.src[0]), Vector::Constant(1.0f32.to_bits()));
//! assert_eq!(Scalar::of(&program, scalar.src[0]), Scalar::Register(106));
//! assert_eq!(Scalar::of(&program, scalar.src[1]), Scalar::Constant(2));
//! ```

use super::Program;

/// Numbers of scalar places.
pub mod slot {
    /// VCC, two words.
    pub const VCC: usize = 106;
    /// EXEC, two words.
    pub const EXEC: usize = 126;
    /// What is written here is lost. Sixteen words for the widest result, and four that engines may use as they like.
    pub const SINK: usize = 128;
    /// Zeros, as wide as the widest scalar source.
    pub const ZERO: usize = SINK + 20;
    /// Whether VCC is zero, and a zero above.
    pub const VCCZ: usize = ZERO + 16;
    /// Whether EXEC is zero, and a zero above.
    pub const EXECZ: usize = VCCZ + 2;
    /// SCC, and a zero above.
    pub const SCC: usize = EXECZ + 2;
    /// The shared aperture: base, then limit.
    pub const SHARED: usize = SCC + 2;
    /// The private aperture: base, then limit.
    pub const PRIVATE: usize = SHARED + 4;
    /// The first constant of the program.
    pub const CONSTANTS: usize = PRIVATE + 4;
}

/// Numbers of vector places.
pub mod file {
    /// How many vector registers a wave can name.
    pub const VGPRS: u32 = 256;
    /// The first accumulation register; how many vector registers there are.
    pub const AGPR: u32 = VGPRS;
    /// What is written here is lost.
    pub const NOWHERE: u32 = AGPR + 256;
    /// The first constant of the program.
    pub const CONSTANTS: u32 = NOWHERE + 1;
}

/// What a scalar place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A register, by its operand code.
    Register(u16),
    /// Nothing: what is written is lost.
    Nowhere,
    /// A word of zeros.
    Zero,
    /// Whether VCC is zero.
    Vccz,
    /// Whether EXEC is zero.
    Execz,
    /// SCC.
    Scc,
    /// A word of the shared aperture: base, then limit.
    Shared(u8),
    /// A word of the private aperture: base, then limit.
    Private(u8),
    /// A constant or literal.
    Constant(u32),
}

/// What a vector place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// A vector register.
    Register(u16),
    /// An accumulation register.
    Accumulation(u16),
    /// Nothing: what is written is lost.
    Nowhere,
    /// The same word in all lanes: a constant or literal.
    Constant(u32),
}

impl Scalar {
    /// What a scalar place of a program is.
    #[must_use]
    pub fn of(program: &Program, at: u32) -> Scalar {
        let n = at as usize;
        match n {
            0..slot::SINK => Scalar::Register(at as u16),
            slot::SINK..slot::ZERO => Scalar::Nowhere,
            slot::VCCZ => Scalar::Vccz,
            slot::EXECZ => Scalar::Execz,
            slot::SCC => Scalar::Scc,
            // Zeros, and what stands above the three.
            slot::ZERO..slot::SHARED => Scalar::Zero,
            slot::SHARED..slot::PRIVATE => Scalar::Shared((n - slot::SHARED) as u8),
            slot::PRIVATE..slot::CONSTANTS => Scalar::Private((n - slot::PRIVATE) as u8),
            _ => Scalar::Constant(program.scalar_constants.get(n - slot::CONSTANTS).copied().unwrap_or(0)),
        }
    }
}

impl Vector {
    /// What a vector place of a program is.
    #[must_use]
    pub fn of(program: &Program, at: u32) -> Vector {
        match at {
            0..file::AGPR => Vector::Register(at as u16),
            file::AGPR..file::NOWHERE => Vector::Accumulation((at - file::AGPR) as u16),
            file::NOWHERE => Vector::Nowhere,
            _ => Vector::Constant(program.vector_constants.get((at - file::CONSTANTS) as usize).copied().unwrap_or(0)),
        }
    }
}
