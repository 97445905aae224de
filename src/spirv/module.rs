//! A SPIR-V module under construction.
//!
//! A typed, thin layer over the opcodes and enumerations of `rspirv::spirv`: every value is a `u32` id, every instruction is written as words at
//! once, into the function that is open. Types and constants are made once each, when they are first asked for; variables of a function are gathered
//! apart, since they stand in its first block. Building words instead of `rspirv`'s tree of instructions makes a translation several times
//! faster; `rspirv` reads the result back where text is wanted.
//!
//! All methods take `&self`: the algebra that meanings are evaluated in has only shared references to it.

use rspirv::spirv::{self, BuiltIn, Capability, Decoration, GlslStd450Op, Op, StorageClass};
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;

/// The id of a type, value, label or function.
pub type Id = u32;

/// Types, by what they are made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Type {
    Void,
    Bool,
    Int,
    Signed,
    Float(u32),
    Array(Id, u32),
    RuntimeArray(Id),
    Struct(Vec<Id>),
    Pointer(u32, Id),
    Function(Id, Vec<Id>),
}

/// A function: its header, the variables of its first block, and the rest, whose last piece is being written.
#[derive(Default)]
pub struct Function {
    labelled: bool,
    head: Vec<u32>,
    variables: Vec<u32>,
    pieces: Vec<Vec<u32>>,
    body: Vec<u32>,
}

impl Function {
    /// The words behind the variables, piece by piece.
    fn rest(&self) -> impl Iterator<Item = &[u32]> {
        self.pieces.iter().chain([&self.body]).map(Vec::as_slice)
    }

    /// Ends the piece that is being written; gives its number.
    fn end_piece(&mut self) -> usize {
        self.pieces.push(std::mem::take(&mut self.body));
        self.pieces.len()
    }
}

/// What is known of a function that has been written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its id.
    pub id: Id,
    /// The type of its result.
    pub ret: Id,
    /// The types of its parameters.
    pub args: Vec<Id>,
    /// Words of its body.
    pub words: usize,
    /// Loops in it.
    pub loops: usize,
    /// The functions that it calls, once for each call.
    pub calls: Vec<Id>,
}

/// The instructions of a run of words.
pub fn instructions(mut words: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let len = (*words.first()? >> 16) as usize;
        let (inst, rest) = words.split_at_checked(len.max(1))?;
        words = rest;
        Some(inst)
    })
}

/// How large a module is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Size {
    /// Branches and accesses.
    pub branches: usize,
    /// Words of everything.
    pub words: usize,
}

impl Size {
    /// More than any module has.
    pub const MAX: Size = Size { branches: usize::MAX, words: usize::MAX };

    /// Whether it is no larger than another in anything.
    #[must_use]
    pub fn fits(&self, most: &Size) -> bool {
        self.branches <= most.branches && self.words <= most.words
    }

    fn plus(self, other: Size) -> Size {
        Size { branches: self.branches.saturating_add(other.branches), words: self.words.saturating_add(other.words) }
    }
}

/// How large a finished module is where every function is written out where it is called: what a driver's compiler without calls gets to see.
#[must_use]
pub fn written_out(words: &[u32]) -> Size {
    const HEADER: usize = 5;
    let mut own: HashMap<Id, (Size, Vec<Id>)> = HashMap::new();
    let (mut entry, mut open) = (0, 0);
    for inst in instructions(words.get(HEADER..).unwrap_or_default()) {
        if is(inst, Op::EntryPoint) {
            entry = inst[2];
        } else if is(inst, Op::Function) {
            open = inst[2];
        }
        let (size, calls) = own.entry(open).or_default();
        let branches = usize::from(is(inst, Op::Label) || is(inst, Op::AccessChain));
        *size = size.plus(Size { branches, words: inst.len() });
        if is(inst, Op::FunctionCall) {
            calls.push(inst[3]);
        }
    }
    fn total(id: Id, own: &HashMap<Id, (Size, Vec<Id>)>, known: &mut HashMap<Id, Size>) -> Size {
        if let Some(sum) = known.get(&id) {
            return *sum;
        }
        let Some((size, calls)) = own.get(&id) else { return Size::default() };
        // No function calls itself, in however many steps.
        let sum = calls.iter().fold(*size, |sum, call| sum.plus(total(*call, own, known)));
        known.insert(id, sum);
        sum
    }
    total(entry, &own, &mut HashMap::new())
}

/// Whether an instruction is of an opcode.
#[must_use]
pub fn is(inst: &[u32], op: Op) -> bool {
    inst[0] & 0xffff == op as u32
}

/// A module.
pub struct Module {
    next: Cell<Id>,
    /// What nearly every instruction asks for: the types of words, of truths and of pointers to words by storage class, and small constants.
    often: [Cell<Id>; OFTEN],
    types: RefCell<HashMap<Type, Id>>,
    constants: RefCell<HashMap<u32, Id>>,
    truths: Cell<[Id; 2]>,
    tables: RefCell<HashMap<Vec<u32>, Id>>,
    /// Types, constants and global variables, in the order of their making.
    globals: RefCell<Vec<u32>>,
    decorations: RefCell<Vec<u32>>,
    debug: RefCell<Vec<u32>>,
    capabilities: RefCell<Vec<u32>>,
    /// The entry point, and the invocations of a group.
    entry: RefCell<(Id, u32)>,
    interface: RefCell<Vec<Id>>,
    functions: RefCell<Vec<Function>>,
    open: RefCell<Function>,
    /// See [`Module::straight`].
    straight: Cell<u32>,
    extended: Id,
}

/// Storage classes below this have their pointers to words among what is often asked for.
const CLASSES: usize = 16;
/// Constants below this are there too.
const SMALL: usize = 512;
/// Where they are: words, truths, pointers, constants.
const OFTEN: usize = 2 + CLASSES + SMALL;

impl Default for Module {
    fn default() -> Module {
        Module::new()
    }
}

/// The first word of an instruction.
fn first(op: Op, words: usize) -> u32 {
    (words as u32) << 16 | op as u32
}

fn emit(to: &mut Vec<u32>, op: Op, words: &[u32]) {
    to.push(first(op, words.len() + 1));
    to.extend_from_slice(words);
}

/// The words of a string, ended by a zero byte.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(bytes.len() / 4 * 4 + 4, 0);
    bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

impl Module {
    /// An empty module.
    #[must_use]
    pub fn new() -> Module {
        Module {
            // The extended instructions have the first id.
            next: Cell::new(2),
            often: [const { Cell::new(0) }; OFTEN],
            extended: 1,
            types: RefCell::default(),
            constants: RefCell::default(),
            truths: Cell::default(),
            tables: RefCell::default(),
            globals: RefCell::default(),
            decorations: RefCell::default(),
            debug: RefCell::default(),
            capabilities: RefCell::default(),
            entry: RefCell::default(),
            interface: RefCell::default(),
            functions: RefCell::default(),
            open: RefCell::default(),
            straight: Cell::new(1),
        }
    }

    /// A new id.
    pub fn id(&self) -> Id {
        let id = self.next.get();
        self.next.set(id + 1);
        id
    }

    /// Asks for a capability.
    pub fn capability(&self, capability: Capability) {
        let word = capability as u32;
        let mut all = self.capabilities.borrow_mut();
        if !all.contains(&word) {
            all.push(word);
        }
    }

    /// What is often asked for.
    fn often(&self, at: usize, make: impl FnOnce() -> Id) -> Id {
        match self.often[at].get() {
            0 => {
                let id = make();
                self.often[at].set(id);
                id
            }
            id => id,
        }
    }

    fn make(&self, ty: Type, op: Op, words: &[u32]) -> Id {
        if let Some(id) = self.types.borrow().get(&ty) {
            return *id;
        }
        let id = self.id();
        let mut all = vec![id];
        all.extend_from_slice(words);
        emit(&mut self.globals.borrow_mut(), op, &all);
        self.types.borrow_mut().insert(ty, id);
        id
    }

    /// No value.
    pub fn void(&self) -> Id {
        self.make(Type::Void, Op::TypeVoid, &[])
    }
    /// A truth value.
    pub fn boolean(&self) -> Id {
        self.often(1, || self.make(Type::Bool, Op::TypeBool, &[]))
    }
    /// 32 bits: the type of almost everything.
    pub fn int(&self) -> Id {
        self.often(0, || self.make(Type::Int, Op::TypeInt, &[32, 0]))
    }
    /// 32 bits, signed: only where an instruction insists.
    pub fn signed(&self) -> Id {
        self.make(Type::Signed, Op::TypeInt, &[32, 1])
    }
    /// A float.
    pub fn float(&self, width: u32) -> Id {
        self.make(Type::Float(width), Op::TypeFloat, &[width])
    }
    /// An array.
    pub fn array(&self, of: Id, len: u32) -> Id {
        let count = self.constant(len);
        self.make(Type::Array(of, len), Op::TypeArray, &[of, count])
    }
    /// Several values.
    pub fn structure(&self, of: &[Id]) -> Id {
        self.make(Type::Struct(of.to_vec()), Op::TypeStruct, of)
    }
    /// A pointer.
    pub fn pointer(&self, class: StorageClass, to: Id) -> Id {
        self.make(Type::Pointer(class as u32, to), Op::TypePointer, &[class as u32, to])
    }
    /// The type of a function.
    pub fn function_type(&self, ret: Id, args: &[Id]) -> Id {
        let mut words = vec![ret];
        words.extend_from_slice(args);
        self.make(Type::Function(ret, args.to_vec()), Op::TypeFunction, &words)
    }

    /// A pointer to a word.
    fn pointer_to_word(&self, class: StorageClass) -> Id {
        let make = || self.pointer(class, self.int());
        if (class as usize) < CLASSES { self.often(2 + class as usize, make) } else { make() }
    }

    /// A constant of 32 bits.
    pub fn constant(&self, v: u32) -> Id {
        let make = || self.any_constant(v);
        if (v as usize) < SMALL { self.often(2 + CLASSES + v as usize, make) } else { make() }
    }

    fn any_constant(&self, v: u32) -> Id {
        if let Some(id) = self.constants.borrow().get(&v) {
            return *id;
        }
        let ty = self.int();
        let id = self.id();
        emit(&mut self.globals.borrow_mut(), Op::Constant, &[ty, id, v]);
        self.constants.borrow_mut().insert(v, id);
        id
    }

    /// A truth.
    pub fn truth(&self, v: bool) -> Id {
        let mut known = self.truths.get();
        let at = usize::from(v);
        if known[at] == 0 {
            let ty = self.boolean();
            known[at] = self.id();
            emit(
                &mut self.globals.borrow_mut(),
                if v { Op::ConstantTrue } else { Op::ConstantFalse },
                &[ty, known[at]],
            );
            self.truths.set(known);
        }
        known[at]
    }

    /// A global variable.
    pub fn global(&self, class: StorageClass, of: Id) -> Id {
        let ty = self.pointer(class, of);
        let id = self.id();
        emit(&mut self.globals.borrow_mut(), Op::Variable, &[ty, id, class as u32]);
        id
    }

    /// A storage buffer of words. Stores of one invocation are seen by the others at their next barrier.
    pub fn storage_buffer(&self, binding: u32, name: &str) -> Id {
        let int = self.int();
        let array = self.make(Type::RuntimeArray(int), Op::TypeRuntimeArray, &[int]);
        let key = Type::Struct(vec![array]);
        let fresh = !self.types.borrow().contains_key(&key);
        let block = self.structure(&[array]);
        if fresh {
            self.decorate(array, Decoration::ArrayStride, &[4]);
            self.decorate(block, Decoration::Block, &[]);
            let words = [block, 0, Decoration::Offset as u32, 0];
            emit(&mut self.decorations.borrow_mut(), Op::MemberDecorate, &words);
        }
        let id = self.global(StorageClass::StorageBuffer, block);
        self.decorate(id, Decoration::DescriptorSet, &[0]);
        self.decorate(id, Decoration::Binding, &[binding]);
        self.decorate(id, Decoration::Coherent, &[]);
        self.name(id, name);
        id
    }

    /// A table of words, which every invocation has: tables of equal contents are one.
    pub fn table(&self, words: &[u32]) -> Id {
        if let Some(id) = self.tables.borrow().get(words) {
            return *id;
        }
        let array = self.array(self.int(), words.len() as u32);
        let mut all = vec![array, self.id()];
        all.extend(words.iter().map(|v| self.constant(*v)));
        emit(&mut self.globals.borrow_mut(), Op::ConstantComposite, &all);
        let ty = self.pointer(StorageClass::Private, array);
        let id = self.id();
        emit(&mut self.globals.borrow_mut(), Op::Variable, &[ty, id, StorageClass::Private as u32, all[1]]);
        self.tables.borrow_mut().insert(words.to_vec(), id);
        id
    }

    /// A block of push constants: words, one behind the other.
    pub fn push_constants(&self, words: u32) -> Id {
        let int = self.int();
        let block = self.id();
        let mut all = vec![block];
        all.extend(std::iter::repeat_n(int, words as usize));
        emit(&mut self.globals.borrow_mut(), Op::TypeStruct, &all);
        self.decorate(block, Decoration::Block, &[]);
        for n in 0..words {
            let words = [block, n, Decoration::Offset as u32, 4 * n];
            emit(&mut self.decorations.borrow_mut(), Op::MemberDecorate, &words);
        }
        self.global(StorageClass::PushConstant, block)
    }

    /// A value that the device gives every invocation.
    pub fn built_in(&self, what: BuiltIn, ty: Id) -> Id {
        let id = self.global(StorageClass::Input, ty);
        self.decorate(id, Decoration::BuiltIn, &[what as u32]);
        self.interface.borrow_mut().push(id);
        id
    }

    /// Three words.
    pub fn triple(&self) -> Id {
        let int = self.int();
        // A vector stands in the table as the array that it could be.
        self.make(Type::Array(int, u32::MAX), Op::TypeVector, &[int, 3])
    }

    /// Four words.
    pub fn quad(&self) -> Id {
        let int = self.int();
        self.make(Type::Array(int, u32::MAX - 1), Op::TypeVector, &[int, 4])
    }

    /// Decorates an id.
    pub fn decorate(&self, id: Id, decoration: Decoration, words: &[u32]) {
        let mut all = vec![id, decoration as u32];
        all.extend_from_slice(words);
        emit(&mut self.decorations.borrow_mut(), Op::Decorate, &all);
    }

    /// Gives an id a name, for whoever reads the module.
    pub fn name(&self, id: Id, name: &str) {
        let mut all = vec![id];
        all.extend(string(name));
        emit(&mut self.debug.borrow_mut(), Op::Name, &all);
    }

    /// A text that lines may name.
    pub fn text(&self, text: &str) -> Id {
        let id = self.id();
        let mut all = vec![id];
        all.extend(string(text));
        // Strings stand before names.
        let mut debug = self.debug.borrow_mut();
        let mut words = Vec::with_capacity(all.len() + 1);
        emit(&mut words, Op::String, &all);
        debug.splice(0..0, words);
        id
    }

    /// Begins the entry point, whose groups have this many invocations.
    pub fn begin_entry(&self, invocations: u32) {
        let (void, id) = (self.void(), self.id());
        let ty = self.function_type(void, &[]);
        self.begin(void, id, ty);
        let mut entry = self.entry.borrow_mut();
        *entry = (id, invocations);
        drop(entry);
        let label = self.id();
        self.label(label);
    }

    /// Begins a function; gives its parameters.
    pub fn begin_function(&self, id: Id, ret: Id, args: &[Id]) -> Vec<Id> {
        let ty = self.function_type(ret, args);
        self.begin(ret, id, ty);
        let mut parameters = Vec::with_capacity(args.len());
        for ty in args {
            let id = self.id();
            emit(&mut self.open.borrow_mut().head, Op::FunctionParameter, &[*ty, id]);
            parameters.push(id);
        }
        let label = self.id();
        self.label(label);
        parameters
    }

    fn begin(&self, ret: Id, id: Id, ty: Id) {
        let mut open = self.open.borrow_mut();
        *open = Function::default();
        emit(&mut open.head, Op::Function, &[ret, id, 0, ty]);
    }

    /// The number of the straight run of words that is being written: none of its instructions comes to be executed without those before it in the run.
    pub fn straight(&self) -> u32 {
        self.straight.get()
    }

    /// What comes next may be executed without what was written last, or stands elsewhere.
    pub fn begin_straight(&self) {
        self.straight.set(self.straight.get() + 1);
    }

    /// Begins a block.
    pub fn label(&self, id: Id) {
        self.begin_straight();
        let mut open = self.open.borrow_mut();
        // The first label stands before the variables.
        let open = &mut *open;
        let to = if open.labelled { &mut open.body } else { &mut open.head };
        open.labelled = true;
        emit(to, Op::Label, &[id]);
    }

    /// Ends the function; its last block has ended already.
    pub fn end_function(&self) {
        let done = std::mem::take(&mut *self.open.borrow_mut());
        self.functions.borrow_mut().push(done);
    }

    /// Lays the open function aside, so that others can be written.
    pub fn lay_aside(&self) -> Function {
        self.begin_straight();
        std::mem::take(&mut *self.open.borrow_mut())
    }

    /// Goes on with a function that was laid aside.
    pub fn take_up(&self, function: Function) {
        self.begin_straight();
        *self.open.borrow_mut() = function;
    }

    /// The functions that have been written.
    pub fn written(&self) -> Vec<Written> {
        let all = self.functions.borrow();
        let one = |f: &Function| {
            let head = || instructions(&f.head);
            let function = head().find(|inst| is(inst, Op::Function))?;
            let body = || f.rest().flat_map(instructions);
            let calls = body().filter(|inst| is(inst, Op::FunctionCall));
            Some(Written {
                id: function[2],
                ret: function[1],
                args: head().filter(|inst| is(inst, Op::FunctionParameter)).map(|inst| inst[1]).collect(),
                words: f.rest().map(<[u32]>::len).sum(),
                loops: body().filter(|inst| is(inst, Op::LoopMerge)).count(),
                calls: calls.map(|inst| inst[3]).collect(),
            })
        };
        all.iter().filter_map(one).collect()
    }

    /// The types of what a structure holds; nothing where a type is none.
    pub fn members(&self, structure: Id) -> Option<Vec<Id>> {
        let types = self.types.borrow();
        types.iter().find_map(|(ty, id)| match ty {
            Type::Struct(of) if *id == structure => Some(of.clone()),
            _ => None,
        })
    }

    /// A variable of the open function.
    pub fn variable(&self, of: Id) -> Id {
        let ty = self.pointer(StorageClass::Function, of);
        let id = self.id();
        emit(&mut self.open.borrow_mut().variables, Op::Variable, &[ty, id, StorageClass::Function as u32]);
        id
    }

    /// An instruction with a result.
    pub fn op(&self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let id = self.id();
        let mut open = self.open.borrow_mut();
        let body = &mut open.body;
        body.extend_from_slice(&[first(op, operands.len() + 3), ty, id]);
        body.extend_from_slice(operands);
        id
    }

    /// An instruction without a result.
    pub fn effect(&self, op: Op, operands: &[u32]) {
        emit(&mut self.open.borrow_mut().body, op, operands);
    }

    /// The end of the open function's body so far.
    pub fn mark(&self) -> usize {
        self.open.borrow().body.len()
    }

    /// Looks at what was written since a mark.
    pub fn look(&self, mark: usize) -> Ref<'_, [u32]> {
        Ref::map(self.open.borrow(), |open| &open.body[mark..])
    }

    /// Takes what was written since a mark.
    pub fn take(&self, mark: usize) -> Vec<u32> {
        self.begin_straight();
        self.open.borrow_mut().body.split_off(mark)
    }

    /// The place behind the body so far, at which something may be [put](Module::put) later. Marks from before are none any more.
    pub fn place(&self) -> usize {
        self.begin_straight();
        self.open.borrow_mut().end_piece()
    }

    /// Puts words at a place: in front of all that was put there before, and of what was written behind it.
    pub fn put(&self, place: usize, words: Vec<u32>) {
        self.begin_straight();
        self.open.borrow_mut().pieces.insert(place, words);
    }

    /// Puts a copy of words behind the body so far.
    pub fn append(&self, words: &[u32]) {
        self.begin_straight();
        self.open.borrow_mut().body.extend_from_slice(words);
    }

    /// Gives other names to what stands in some places of the last instruction, which has so many words.
    pub fn rename_last(&self, len: usize, places: std::ops::Range<usize>, names: &HashMap<Id, Id>) {
        let mut open = self.open.borrow_mut();
        let start = open.body.len().saturating_sub(len);
        for id in open.body.get_mut(start + places.start..start + places.end).unwrap_or_default() {
            *id = names.get(id).copied().unwrap_or(*id);
        }
    }

    /// An instruction on words.
    pub fn word_op(&self, op: Op, operands: &[u32]) -> Id {
        self.op(op, self.int(), operands)
    }

    /// An instruction that tests words or truths.
    pub fn test(&self, op: Op, operands: &[u32]) -> Id {
        self.op(op, self.boolean(), operands)
    }

    /// An extended instruction on words.
    pub fn extended(&self, op: GlslStd450Op, operand: Id) -> Id {
        self.op(Op::ExtInst, self.int(), &[self.extended, op as u32, operand])
    }

    /// Reads a variable of words.
    pub fn load(&self, pointer: Id) -> Id {
        self.op(Op::Load, self.int(), &[pointer])
    }

    /// Writes a variable.
    pub fn store(&self, pointer: Id, v: Id) {
        self.effect(Op::Store, &[pointer, v]);
    }

    /// A pointer to a word of something.
    pub fn chain(&self, class: StorageClass, base: Id, indices: &[Id]) -> Id {
        let ty = self.pointer_to_word(class);
        let mut all = [base, 0, 0, 0];
        all[1..=indices.len()].copy_from_slice(indices);
        self.op(Op::AccessChain, ty, &all[..=indices.len()])
    }

    /// Ends a block: goes on at a label.
    pub fn branch(&self, label: Id) {
        self.effect(Op::Branch, &[label]);
    }

    /// Ends a block: goes on at one of two labels, which meet at `merge`.
    pub fn branch_if(&self, c: Id, yes: Id, no: Id, merge: Id) {
        self.effect(Op::SelectionMerge, &[merge, 0]);
        self.effect(Op::BranchConditional, &[c, yes, no]);
    }

    /// The module as words.
    ///
    /// `version` is that of SPIR-V: `0x0001_0300` for 1.3.
    #[must_use]
    pub fn words(&self, version: u32) -> Vec<u32> {
        let mut out = vec![spirv::MAGIC_NUMBER, version, 0, self.next.get(), 0];
        emit(&mut out, Op::Capability, &[Capability::Shader as u32]);
        for capability in self.capabilities.borrow().iter().filter(|c| **c != Capability::Shader as u32) {
            emit(&mut out, Op::Capability, &[*capability]);
        }
        let mut import = vec![self.extended];
        import.extend(string("GLSL.std.450"));
        emit(&mut out, Op::ExtInstImport, &import);
        emit(&mut out, Op::MemoryModel, &[0, spirv::MemoryModel::GLSL450 as u32]);
        let (entry, invocations) = *self.entry.borrow();
        let mut words = vec![spirv::ExecutionModel::GLCompute as u32, entry];
        words.extend(string("main"));
        words.extend(self.interface.borrow().iter());
        emit(&mut out, Op::EntryPoint, &words);
        emit(&mut out, Op::ExecutionMode, &[entry, spirv::ExecutionMode::LocalSize as u32, invocations, 1, 1]);
        out.extend_from_slice(&self.debug.borrow());
        out.extend_from_slice(&self.decorations.borrow());
        out.extend_from_slice(&self.globals.borrow());
        let functions = self.functions.borrow();
        let rest = |f: &Function| f.rest().map(<[u32]>::len).sum::<usize>();
        out.reserve(functions.iter().map(|f| f.head.len() + f.variables.len() + rest(f) + 1).sum());
        for function in functions.iter() {
            out.extend_from_slice(&function.head);
            out.extend_from_slice(&function.variables);
            function.rest().for_each(|piece| out.extend_from_slice(piece));
            emit(&mut out, Op::FunctionEnd, &[]);
        }
        out
    }
}
