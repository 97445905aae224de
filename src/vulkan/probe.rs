//! What a device does where nothing is promised: measured, by small programs.
//!
//! Some things that a translation stands on have no feature bit. Seen so far, on llvmpipe: `Fma` that rounds twice, which the specification allows
//! ("Precision and Operation of SPIR-V Instructions": inherited from a multiplication and an addition); loops which end after 65535 rounds whatever their
//! conditions say; a subgroup size which the shaders do not have, with an odd `LP_NATIVE_VECTOR_WIDTH`. A measured fact is no promise, but the contrary of
//! one is certain.

use super::caps::fact::facts;
use super::device::Device;
use super::error::Error;
use super::pipeline::Shader;
use super::run::Job;
use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Error as BuildError, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, LoopControl,
    MemoryModel, StorageClass,
};

facts! {
    /// What a device did.
    pub struct Measured {
        /// Floats of 16 bits.
        pub f16: MeasuredFloat,
        /// Floats of 32 bits.
        pub f32: MeasuredFloat,
        /// Floats of 64 bits.
        pub f64: MeasuredFloat,
        /// After how many rounds a loop ended that should have gone on; 0 where it went on.
        pub loop_rounds: u32,
        /// How many lanes a subgroup had in a full group of 64; 0 where ballots are missing.
        pub subgroup: u32,
    }

    /// What it did with floats of a width, without having been asked for any mode.
    pub struct MeasuredFloat {
        /// The width is there.
        pub there: bool,
        /// `Fma` rounds once.
        pub fused: bool,
        /// A sum of denormals is right.
        pub denorm_in: bool,
        /// A product of numbers that are none is a denormal where it should be.
        pub denorm_out: bool,
    }
}

/// A float format as bits, with numbers that tell.
struct Width {
    bits: u32,
    /// `a * a - 1` needs more bits than a product has.
    a: u64,
    minus_one: u64,
    half: u64,
    smallest_normal: u64,
    /// The result of rounding once.
    fused: u64,
}

const F16: Width =
    Width { bits: 16, a: 0x3c10, minus_one: 0xbc00, half: 0x3800, smallest_normal: 0x0400, fused: 0x2808 };
const F32: Width = Width {
    bits: 32,
    a: 0x3f80_0800,
    minus_one: 0xbf80_0000,
    half: 0x3f00_0000,
    smallest_normal: 0x0080_0000,
    fused: 0x3a00_0400,
};
const F64: Width = Width {
    bits: 64,
    a: 0x3ff0_0000_0200_0000,
    minus_one: 0xbff0_0000_0000_0000,
    half: 0x3fe0_0000_0000_0000,
    smallest_normal: 0x0010_0000_0000_0000,
    fused: 0x3e50_0000_0100_0000,
};

/// `Fma` of GLSL.std.450.
const FMA: u32 = 50;

/// More than any limit that was seen, and little for a GPU.
const ROUNDS: u32 = 100_000;

impl Device {
    /// Measures. It takes some milliseconds, most of them in the compiler.
    ///
    /// # Errors
    /// As of any pipeline and run.
    pub fn measure(&self) -> Result<Measured, Error> {
        let types = self.caps().types.clone();
        let float = |there: bool, width: &Width| {
            if there { self.float(width) } else { Ok(MeasuredFloat::default()) }
        };
        Ok(Measured {
            f16: float(types.float16 && types.int16, &F16)?,
            f32: float(true, &F32)?,
            f64: float(types.float64, &F64)?,
            loop_rounds: self.loop_rounds()?,
            subgroup: if self.caps().subgroup.ballot { self.lanes()? } else { 0 },
        })
    }

    fn float(&self, width: &Width) -> Result<MeasuredFloat, Error> {
        let denormal = 1;
        let given = [width.a, width.minus_one, denormal, width.smallest_normal, width.half];
        let mut values = [0u64; 8];
        values[..5].copy_from_slice(&given);
        let words = float_module(width).map_err(broken)?;
        let left: Vec<u64> = self.probe("floats", &words, bytemuck::cast_slice(&values))?;
        Ok(MeasuredFloat {
            there: true,
            fused: left[5] == width.fused,
            denorm_in: left[6] == 2,
            denorm_out: left[7] == width.smallest_normal / 2,
        })
    }

    fn loop_rounds(&self) -> Result<u32, Error> {
        let words = loop_module().map_err(broken)?;
        let left: Vec<u32> = self.probe("loop", &words, &[ROUNDS, 0, 0])?;
        let expected = (0..ROUNDS).fold(ROUNDS, |value, round| next(value).wrapping_add(round));
        Ok(if left[1] == expected { 0 } else { left[2] })
    }

    fn lanes(&self) -> Result<u32, Error> {
        let words = ballot_module().map_err(broken)?;
        let left: Vec<u32> = self.probe("ballot", &words, &[0; 64])?;
        Ok(left.into_iter().max().unwrap_or_default())
    }

    /// Runs one group over one buffer of words, and returns what it left.
    fn probe<T: bytemuck::Pod>(&self, name: &str, words: &[u32], given: &[u32]) -> Result<Vec<T>, Error> {
        let pipeline = self.pipeline(&Shader { buffers: 1, ..Shader::new(name, words) })?;
        let buffer = self.buffer(name, given)?;
        self.run(&Job::new(&pipeline, &[&buffer]))?;
        buffer.read(0, size_of_val(given) / size_of::<T>())
    }
}

/// The builder refuses: a mistake of this file.
fn broken(e: BuildError) -> Error {
    Error::Job(format!("a probe can not be built: {e}"))
}

/// What the loop does to a value, so that no compiler computes its end without it.
fn next(value: u32) -> u32 {
    value.wrapping_mul(1_664_525)
}

/// A module around one buffer of words.
struct Module {
    b: Builder,
    u32: u32,
    word: u32,
    buffer: u32,
    main: u32,
    interface: Vec<u32>,
}

impl Module {
    /// Up to the first instruction of `main`.
    fn begin(capabilities: &[Capability], with_id: bool) -> Result<(Module, Option<u32>), BuildError> {
        let mut b = Builder::new();
        b.set_version(1, 3);
        b.capability(Capability::Shader);
        capabilities.iter().for_each(|capability| b.capability(*capability));
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let (void, u32) = (b.type_void(), b.type_int(32, 0));
        let array = b.type_runtime_array(u32);
        b.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
        let block = b.type_struct([array]);
        b.decorate(block, Decoration::Block, []);
        b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
        let pointer = b.type_pointer(None, StorageClass::StorageBuffer, block);
        let word = b.type_pointer(None, StorageClass::StorageBuffer, u32);
        let buffer = b.variable(pointer, None, StorageClass::StorageBuffer, None);
        b.decorate(buffer, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
        b.decorate(buffer, Decoration::Binding, [Operand::LiteralBit32(0)]);
        let id = with_id.then(|| {
            let pointer = b.type_pointer(None, StorageClass::Input, u32);
            let id = b.variable(pointer, None, StorageClass::Input, None);
            b.decorate(id, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::LocalInvocationIndex)]);
            id
        });
        let function = b.type_function(void, []);
        let main = b.begin_function(void, None, FunctionControl::NONE, function)?;
        b.begin_block(None)?;
        let value = id.map(|id| b.load(u32, None, id, None, [])).transpose()?;
        Ok((Module { b, u32, word, buffer, main, interface: id.into_iter().collect() }, value))
    }

    fn end(mut self, group: u32) -> Result<Vec<u32>, BuildError> {
        self.b.ret()?;
        self.b.end_function()?;
        self.b.entry_point(ExecutionModel::GLCompute, self.main, "main", &self.interface);
        self.b.execution_mode(self.main, ExecutionMode::LocalSize, [group, 1, 1]);
        Ok(self.b.module().assemble())
    }

    fn at(&mut self, index: u32) -> Result<u32, BuildError> {
        let zero = self.b.constant_bit32(self.u32, 0);
        self.b.access_chain(self.word, None, self.buffer, [zero, index])
    }

    fn load(&mut self, n: u32) -> Result<u32, BuildError> {
        let index = self.b.constant_bit32(self.u32, n);
        let at = self.at(index)?;
        self.b.load(self.u32, None, at, None, [])
    }

    fn store(&mut self, n: u32, value: u32) -> Result<(), BuildError> {
        let index = self.b.constant_bit32(self.u32, n);
        let at = self.at(index)?;
        self.b.store(at, value, None, [])
    }
}

/// Values lie in pairs of words: 0 to 4 are given; 5 is `Fma(a, a, minus_one)`, 6 the denormal twice, 7 half the smallest normal number.
fn float_module(width: &Width) -> Result<Vec<u32>, BuildError> {
    let capabilities: &[Capability] = match width.bits {
        16 => &[Capability::Float16, Capability::Int16],
        32 => &[],
        _ => &[Capability::Float64],
    };
    let (mut m, _) = Module::begin(capabilities, false)?;
    let glsl = m.b.ext_inst_import("GLSL.std.450");
    let float = m.b.type_float(width.bits, None);
    let pair = m.b.type_vector(m.u32, 2);
    let small = if width.bits == 16 { m.b.type_int(16, 0) } else { 0 };
    let mut given = [0; 5];
    for (n, value) in (0..).zip(&mut given) {
        let low = m.load(2 * n)?;
        let bits = match width.bits {
            16 => m.b.u_convert(small, None, low)?,
            32 => low,
            _ => {
                let high = m.load(2 * n + 1)?;
                m.b.composite_construct(pair, None, [low, high])?
            }
        };
        *value = m.b.bitcast(float, None, bits)?;
    }
    let [a, minus_one, denormal, normal, half] = given;
    let operands = [a, a, minus_one].map(Operand::IdRef);
    let fma = m.b.ext_inst(float, None, glsl, FMA, operands)?;
    let twice = m.b.f_add(float, None, denormal, denormal)?;
    let halved = m.b.f_mul(float, None, normal, half)?;
    for (n, value) in (5..).zip([fma, twice, halved]) {
        match width.bits {
            16 => {
                let bits = m.b.bitcast(small, None, value)?;
                let low = m.b.u_convert(m.u32, None, bits)?;
                m.store(2 * n, low)?;
            }
            32 => {
                let low = m.b.bitcast(m.u32, None, value)?;
                m.store(2 * n, low)?;
            }
            _ => {
                let bits = m.b.bitcast(pair, None, value)?;
                for word in 0..2 {
                    let part = m.b.composite_extract(m.u32, None, bits, [word])?;
                    m.store(2 * n + word, part)?;
                }
            }
        }
    }
    m.end(1)
}

/// Word 0 says how many rounds; 1 becomes what they made of it, 2 how many there were.
fn loop_module() -> Result<Vec<u32>, BuildError> {
    let (mut m, _) = Module::begin(&[], false)?;
    let bool = m.b.type_bool();
    let rounds = m.load(0)?;
    let [before, head, test, body, again, end] = std::array::from_fn(|_| m.b.id());
    let [more, following] = std::array::from_fn(|_| m.b.id());
    let u32 = m.u32;
    let [zero, one, factor] = [0, 1, next(1)].map(|n| m.b.constant_bit32(u32, n));
    let b = &mut m.b;
    b.branch(before)?;
    b.begin_block(Some(before))?;
    b.branch(head)?;
    b.begin_block(Some(head))?;
    let count = b.phi(u32, None, [(zero, before), (more, again)])?;
    let value = b.phi(u32, None, [(rounds, before), (following, again)])?;
    b.loop_merge(end, again, LoopControl::NONE, [])?;
    b.branch(test)?;
    b.begin_block(Some(test))?;
    let less = b.u_less_than(bool, None, count, rounds)?;
    b.branch_conditional(less, body, end, [])?;
    b.begin_block(Some(body))?;
    let product = b.i_mul(u32, None, value, factor)?;
    b.i_add(u32, Some(following), product, count)?;
    b.branch(again)?;
    b.begin_block(Some(again))?;
    b.i_add(u32, Some(more), count, one)?;
    b.branch(head)?;
    b.begin_block(Some(end))?;
    m.store(1, value)?;
    m.store(2, count)?;
    m.end(1)
}

/// Each of 64 invocations stores how many take part in a ballot of all.
fn ballot_module() -> Result<Vec<u32>, BuildError> {
    let (mut m, id) = Module::begin(&[Capability::GroupNonUniform, Capability::GroupNonUniformBallot], true)?;
    let bool = m.b.type_bool();
    let vector = m.b.type_vector(m.u32, 4);
    let subgroup = m.b.constant_bit32(m.u32, rspirv::spirv::Scope::Subgroup as u32);
    let yes = m.b.constant_true(bool);
    let ballot = m.b.group_non_uniform_ballot(vector, None, subgroup, yes)?;
    let mut sum = m.b.constant_bit32(m.u32, 0);
    for n in 0..4 {
        let word = m.b.composite_extract(m.u32, None, ballot, [n])?;
        let count = m.b.bit_count(m.u32, None, word)?;
        sum = m.b.i_add(m.u32, None, sum, count)?;
    }
    if let Some(id) = id {
        let at = m.at(id)?;
        m.b.store(at, sum, None, [])?;
    }
    m.end(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_tell_one_rounding_from_two() {
        let (a, fused) = (f32::from_bits(F32.a as u32), f32::from_bits(F32.fused as u32));
        assert_eq!(a.mul_add(a, -1.0), fused);
        assert_ne!(a * a - 1.0, fused);
        let (a, fused) = (f64::from_bits(F64.a), f64::from_bits(F64.fused));
        assert_eq!(a.mul_add(a, -1.0), fused);
        assert_ne!(a * a - 1.0, fused);
        let (a, fused) = (half::f16::from_bits(F16.a as u16).to_f64(), half::f16::from_bits(F16.fused as u16));
        assert_eq!(half::f16::from_f64(a * a - 1.0), fused);
        assert_ne!(half::f16::from_f64(a * a).to_f64() - 1.0, fused.to_f64());
    }
}
