//! Small SPIR-V modules to run: storage buffers of 32-bit words, invocations in one dimension.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, LoopControl,
    MemoryAccess, MemoryModel, StorageClass,
};

/// A module in the making, within its `main`.
pub struct Kernel {
    pub b: Builder,
    pub u32: u32,
    pub f32: u32,
    pub bool: u32,
    /// The number of the invocation.
    pub id: u32,
    word: u32,
    bound: Vec<u32>,
    push: Option<(u32, u32)>,
}

/// What a kernel is given.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Storage buffers.
    pub buffers: u32,
    /// Words of push constants.
    pub push: u32,
    /// Invocations of a group.
    pub group: u32,
    pub capabilities: &'a [Capability],
    pub addressing: AddressingModel,
}

impl Given<'_> {
    pub fn buffers(buffers: u32) -> Self {
        Given { buffers, push: 0, group: 64, capabilities: &[], addressing: AddressingModel::Logical }
    }
}

impl Kernel {
    /// SPIR-V 1.3 with so many buffers; `body` writes the code of one invocation.
    pub fn build(given: Given<'_>, body: impl FnOnce(&mut Kernel)) -> Vec<u32> {
        let mut b = Builder::new();
        b.set_version(1, 3);
        b.capability(Capability::Shader);
        for capability in given.capabilities {
            b.capability(*capability);
        }
        if given.addressing == AddressingModel::PhysicalStorageBuffer64 {
            b.extension("SPV_KHR_physical_storage_buffer");
        }
        b.memory_model(given.addressing, MemoryModel::GLSL450);
        let void = b.type_void();
        let (u32, f32, bool) = (b.type_int(32, 0), b.type_float(32, None), b.type_bool());
        let vector = b.type_vector(u32, 3);
        let input = b.type_pointer(None, StorageClass::Input, vector);
        let builtin = b.variable(input, None, StorageClass::Input, None);
        b.decorate(builtin, Decoration::BuiltIn, [Operand::BuiltIn(BuiltIn::GlobalInvocationId)]);
        let array = b.type_runtime_array(u32);
        b.decorate(array, Decoration::ArrayStride, [Operand::LiteralBit32(4)]);
        let block = b.type_struct([array]);
        b.decorate(block, Decoration::Block, []);
        b.member_decorate(block, 0, Decoration::Offset, [Operand::LiteralBit32(0)]);
        let pointer = b.type_pointer(None, StorageClass::StorageBuffer, block);
        let word = b.type_pointer(None, StorageClass::StorageBuffer, u32);
        let bound = (0..given.buffers)
            .map(|binding| {
                let variable = b.variable(pointer, None, StorageClass::StorageBuffer, None);
                b.decorate(variable, Decoration::DescriptorSet, [Operand::LiteralBit32(0)]);
                b.decorate(variable, Decoration::Binding, [Operand::LiteralBit32(binding)]);
                variable
            })
            .collect();
        let push = (given.push > 0).then(|| {
            let block = b.type_struct(vec![u32; given.push as usize]);
            b.decorate(block, Decoration::Block, []);
            for n in 0..given.push {
                b.member_decorate(block, n, Decoration::Offset, [Operand::LiteralBit32(n * 4)]);
            }
            let pointer = b.type_pointer(None, StorageClass::PushConstant, block);
            let word = b.type_pointer(None, StorageClass::PushConstant, u32);
            (b.variable(pointer, None, StorageClass::PushConstant, None), word)
        });
        let function = b.type_function(void, []);
        let main = b.begin_function(void, None, FunctionControl::NONE, function).expect("a function");
        b.begin_block(None).expect("a block");
        let ids = b.load(vector, None, builtin, None, []).expect("an instruction");
        let id = b.composite_extract(u32, None, ids, [0]).expect("an instruction");
        let mut kernel = Kernel { b, u32, f32, bool, id, word, bound, push };
        body(&mut kernel);
        let mut b = kernel.b;
        b.ret().expect("an end");
        b.end_function().expect("an end");
        b.entry_point(ExecutionModel::GLCompute, main, "main", [builtin]);
        b.execution_mode(main, ExecutionMode::LocalSize, [given.group, 1, 1]);
        b.module().assemble()
    }

    pub fn constant(&mut self, value: u32) -> u32 {
        self.b.constant_bit32(self.u32, value)
    }

    /// A specialization constant.
    pub fn special(&mut self, id: u32, value: u32) -> u32 {
        let constant = self.b.spec_constant_bit32(self.u32, value);
        self.b.decorate(constant, Decoration::SpecId, [Operand::LiteralBit32(id)]);
        constant
    }

    fn at(&mut self, buffer: usize, index: u32) -> u32 {
        let zero = self.constant(0);
        self.b.access_chain(self.word, None, self.bound[buffer], [zero, index]).expect("an instruction")
    }

    pub fn load(&mut self, buffer: usize, index: u32) -> u32 {
        let at = self.at(buffer, index);
        self.b.load(self.u32, None, at, None, []).expect("an instruction")
    }

    pub fn store(&mut self, buffer: usize, index: u32, value: u32) {
        let at = self.at(buffer, index);
        self.b.store(at, value, None, []).expect("an instruction");
    }

    pub fn pushed(&mut self, n: u32) -> u32 {
        let (variable, word) = self.push.expect("push constants");
        let n = self.constant(n);
        let at = self.b.access_chain(word, None, variable, [n]).expect("an instruction");
        self.b.load(self.u32, None, at, None, []).expect("an instruction")
    }

    /// The 64-bit address in two words of push constants, with a word of it loaded and stored through `change`.
    pub fn through_address(&mut self, change: impl FnOnce(&mut Kernel, u32) -> u32) {
        let (low, high) = (self.pushed(0), self.pushed(1));
        let u64 = self.b.type_int(64, 0);
        let pair = self.b.type_vector(self.u32, 2);
        let address = self.b.composite_construct(pair, None, [low, high]).expect("an instruction");
        let address = self.b.bitcast(u64, None, address).expect("an instruction");
        let id = self.b.u_convert(u64, None, self.id).expect("an instruction");
        let four = self.b.constant_bit64(u64, 4);
        let offset = self.b.i_mul(u64, None, id, four).expect("an instruction");
        let address = self.b.i_add(u64, None, address, offset).expect("an instruction");
        let pointer = self.b.type_pointer(None, StorageClass::PhysicalStorageBuffer, self.u32);
        let at = self.b.convert_u_to_ptr(pointer, None, address).expect("an instruction");
        let aligned = || (Some(MemoryAccess::ALIGNED), [Operand::LiteralBit32(4)]);
        let (access, align) = aligned();
        let value = self.b.load(self.u32, None, at, access, align).expect("an instruction");
        let value = change(self, value);
        let (access, align) = aligned();
        self.b.store(at, value, access, align).expect("an instruction");
    }

    /// Does the same to a value so many times: `body` makes the next one of it and of the number of the round.
    pub fn repeat(&mut self, times: u32, start: u32, body: impl FnOnce(&mut Kernel, u32, u32) -> u32) -> u32 {
        let [before, head, test, inside, next, end] = std::array::from_fn(|_| self.b.id());
        let (zero, one) = (self.constant(0), self.constant(1));
        let (more, following) = (self.b.id(), self.b.id());
        let b = &mut self.b;
        b.branch(before).expect("a branch");
        b.begin_block(Some(before)).expect("a block");
        b.branch(head).expect("a branch");
        b.begin_block(Some(head)).expect("a block");
        let count = b.phi(self.u32, None, [(zero, before), (more, next)]).expect("a phi");
        let value = b.phi(self.u32, None, [(start, before), (following, next)]).expect("a phi");
        b.loop_merge(end, next, LoopControl::NONE, []).expect("a loop");
        b.branch(test).expect("a branch");
        b.begin_block(Some(test)).expect("a block");
        let less = b.u_less_than(self.bool, None, count, times).expect("an instruction");
        b.branch_conditional(less, inside, end, []).expect("a branch");
        b.begin_block(Some(inside)).expect("a block");
        let made = body(self, value, count);
        let b = &mut self.b;
        b.branch(next).expect("a branch");
        b.begin_block(Some(next)).expect("a block");
        b.copy_object(self.u32, Some(following), made).expect("an instruction");
        b.i_add(self.u32, Some(more), count, one).expect("an instruction");
        b.branch(head).expect("a branch");
        b.begin_block(Some(end)).expect("a block");
        value
    }
}
