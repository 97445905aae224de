//! What instructions do that is no arithmetic: a column of their rows.
//!
//! An arithmetic instruction has a meaning ([`sem`](super::sem)), which is found by its name. All others are told apart by a value of
//! [`Does`]: what goes to or comes from memory, what lanes give each other, where control goes, what the hardware is told. Engines,
//! suites, the fuzzer and `explain` read this column, and nobody a mnemonic: `global_load_sbyte_d16_hi` and `global_load_d16_hi_i8` are
//! both `LOAD_I8_HI`, and a row of another width is a line of its own and nothing else.
//!
//! [`names`] has the short names that rows use.

pub mod atomic;
pub mod names;
#[cfg(test)]
mod tests;

use atomic::Atomic;

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Does {
    /// What its meaning says.
    Computes,
    /// What its meaning makes of its source and EXEC is the new EXEC.
    CombinesExec {
        /// The destination gets the old EXEC, else the new one.
        saves: bool,
    },
    /// Brings something from memory to registers or to LDS.
    Load(Moved),
    /// Brings something from registers or from LDS to memory.
    Store(Moved),
    /// Reads, changes and writes memory in one.
    Atomic(Atomic),
    /// Something that no result depends on here.
    Idle(Idle),
    /// Reads the clock.
    Clock,
    /// Reads the number of the wave in its group.
    WaveNumber,
    /// Moves values between lanes, or between vector and scalar registers.
    Lanes(Lanes),
    /// Decides where the wave goes on, or changes its state beside its registers.
    Control(Control),
    /// Multiplies two small matrices and adds a third.
    Product(Product),
    /// Loads, stores or samples texels of an image, or asks for its size.
    Texels(Texels),
    /// Sends registers to a target outside of the wave.
    Exports,
    /// Holds a ray against nodes of a tree of boxes and triangles.
    Ray(Ray),
    /// Pushes nodes of a tree to a stack of its own in LDS, and pops.
    Stack(Stack),
    /// Waits, releases or counts in hardware that all groups of a dispatch share.
    Across(Across),
    /// What it does is not known from any public source: the fact that is missing.
    Unknown(&'static str),
}

impl Does {
    /// Whether it goes to memory or LDS.
    #[must_use]
    pub const fn touches_memory(&self) -> bool {
        matches!(
            self,
            Does::Load(_) | Does::Store(_) | Does::Atomic(_) | Does::Texels(_) | Does::Ray(_) | Does::Stack(_)
        )
    }

    /// Whether what it brings from memory comes to registers or LDS, without asking for it.
    #[must_use]
    pub const fn loads(&self) -> bool {
        match self {
            Does::Load(_) | Does::Ray(_) => true,
            Does::Texels(texels) => !matches!(texels, Texels::Store(_)),
            _ => false,
        }
    }

    /// Whether M0 has a say in the numbers of its registers, whatever the mode.
    #[must_use]
    pub const fn is_relative(&self) -> bool {
        use Control::{MoveRelativeBoth, MoveRelativeDestination, MoveRelativeSource};
        match self {
            Does::Lanes(lanes) => matches!(lanes, Lanes::MoveRelative { .. } | Lanes::SwapRelative),
            Does::Control(control) => {
                matches!(control, MoveRelativeSource { .. } | MoveRelativeDestination { .. } | MoveRelativeBoth)
            }
            _ => false,
        }
    }

    /// Whether it ends, leaves or holds up the straight flow of a wave, as it stands or by a condition.
    #[must_use]
    pub const fn breaks_flow(&self) -> bool {
        match self {
            Does::Control(control) => control.breaks_flow(),
            _ => false,
        }
    }
}

/// What one lane (or, in scalar memory, the wave) moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A byte, zero-extended.
    U8,
    /// A byte, sign-extended.
    I8,
    /// 16 bits, zero-extended.
    U16,
    /// 16 bits, sign-extended.
    I16,
    /// Registers. Rows leave the number to the width of their data: [`Inst::does`](super::row::Inst#method.does) fills it in.
    Words(u8),
}

impl Item {
    /// Bytes of it.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Item::U8 | Item::I8 => 1,
            Item::U16 | Item::I16 => 2,
            Item::Words(n) => 4 * n as u32,
        }
    }
}

/// The part of a register that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// All of it.
    Whole,
    /// Bits 15:0; a load keeps the others.
    Low,
    /// Bits 31:16; a load keeps the others.
    High,
}

/// How texels of an image go through memory. Which mip level it is, and what else, the parts of the address say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texels {
    /// One texel to registers, one for each component.
    Load(Conversion),
    /// One texel from registers.
    Store(Conversion),
    /// One component of four samples of a texel.
    LoadSamples,
    /// The size of a mip level, the number of layers and that of levels.
    Describe,
    /// One filtered texel.
    Sample,
    /// One component of the four texels that a filter would take.
    Gather,
    /// Components of four texels of a row, or of one texel.
    GatherRow,
    /// The mip level that a sample would be of.
    Level,
}

/// What a ray is held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ray {
    /// A node.
    One,
    /// Two nodes of the same tree.
    Two,
    /// A node with up to eight boxes, or two triangles.
    Eight,
}

/// What goes to a short stack of nodes, and what comes from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Nodes that may be pushed.
    pub pushes: u8,
    /// Nodes that may be popped.
    pub pops: u8,
}

/// What is between registers and texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// What the format says.
    Format,
    /// Nothing: registers hold the words of the element. One that is smaller than a word is extended.
    Raw {
        /// By its sign.
        signed: bool,
    },
}

/// How an access goes through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// One item at one address.
    Plain,
    /// Two items at two addresses, with offsets that count items, or so many of them.
    Two {
        /// What an offset counts.
        stride: u32,
    },
    /// Addresses are M0 or a scalar address, the offset, and four bytes for each lane's number.
    LaneNumber,
    /// A register for each bit of M0, as many as are set.
    Block,
    /// Elements of a matrix, row and column exchanged between lanes: of a byte each where a lane moves eight bytes, else of two.
    Transposed,
    /// Components of a format, which the descriptor or the instruction has.
    Formatted,
}

/// A load or a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// What a lane moves. Of a formatted access: a word for each component, whatever is in memory.
    pub item: Item,
    /// Which part of a register.
    pub half: Half,
    /// How.
    pub way: Way,
}

impl Moved {
    /// The same with the registers counted, where the row leaves that to its data, which has so many words.
    #[must_use]
    pub const fn counted(self, words: u8) -> Moved {
        match self.item {
            Item::Words(0) => Moved { item: Item::Words(words), ..self },
            _ => self,
        }
    }
}

/// What no result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idle {
    /// Nothing at all.
    Nop,
    /// Something that the hardware may use: priorities, clauses, delays, sleep, traces.
    Hint,
    /// Waits for counters or events: what it waits for has happened here.
    Wait,
    /// Writes back or invalidates caches.
    Cache,
    /// Brings memory to a cache, or asks whether it is there.
    Prefetch,
}

/// What lanes give each other, and what goes between vector and scalar registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// The first active lane to a scalar register.
    ReadFirst,
    /// A lane by its number to a scalar register.
    Read,
    /// A scalar to a lane by its number.
    Write,
    /// A lane of the own row of 16, or of the other row of its pair, for each lane of a row.
    Permute16 {
        /// From the other row.
        cross: bool,
        /// Selectors are of each lane, else scalar and the same for all rows.
        by_lane: bool,
    },
    /// The other half of a wave of 64.
    Permute64,
    /// Two registers exchange their values.
    Swap,
    /// Two halves of registers exchange their values.
    SwapHalves,
    /// As [`Lanes::Swap`], with M0 added to the register numbers.
    SwapRelative,
    /// A move with M0 added to the number of the source, the destination, or both.
    MoveRelative {
        /// What is added to the source.
        src: Amount,
        /// What is added to the destination.
        dst: Amount,
    },
    /// A register goes to another, of vectors or accumulators.
    Move,
    /// A pattern in the offset says which lane gives its value.
    Swizzle,
    /// Each lane says to which it gives its value.
    Permute,
    /// Each lane says whose value it gets.
    Bpermute {
        /// Inactive lanes are read as well.
        fetch_inactive: bool,
    },
    /// Interpolation of parameters in registers, by quads of lanes.
    Interpolate(Interpolate),
    /// Interpolation of parameters in LDS, or a load of them.
    Parameter(Parameter),
    /// A value in LDS at M0 for all lanes of the quads of which one is active.
    Direct,
    /// A transcendental function of a scalar, done once.
    ScalarFunction,
    /// Clears the exceptions that stuck.
    ClearExceptions,
}

impl Lanes {
    /// Whether a lane gets a value of another, or gives it to or gets it from a scalar register.
    #[must_use]
    pub const fn crosses(self) -> bool {
        use Lanes::*;
        matches!(
            self,
            ReadFirst
                | Read
                | Write
                | Permute16 { .. }
                | Permute64
                | Swizzle
                | Permute
                | Bpermute { .. }
                | Interpolate(_)
        )
    }
}

/// What M0 adds to the number of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// Nothing.
    None,
    /// All of M0.
    Whole,
    /// Bits 9 to 0.
    Low,
    /// Bits 25 to 16.
    High,
}

/// A pass of interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interpolate {
    /// The second pass, which adds the second slope.
    pub second: bool,
    /// Parameters are of 16 bits, and so is the result of the second pass.
    pub half: bool,
    /// Rounds toward zero.
    pub toward_zero: bool,
}

/// What is made of a parameter of a primitive, which LDS holds as a plane: P0 and the slopes P10 and P20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// The first slope times a coordinate, and P0 added.
    First,
    /// The second slope times a coordinate, added to the destination.
    Second,
    /// One of the three as it is.
    Move,
    /// As [`Parameter::First`], of halves of words, to 32 bits.
    FirstOfHalves {
        /// P0 comes from a vector register, else from LDS.
        register: bool,
    },
    /// As [`Parameter::Second`], of halves of words, to 16 bits; a register holds what it is added to.
    SecondOfHalves,
    /// The three and a zero, for the lanes of each quad of which one is active.
    Load,
}

/// What the global wave sync and the registers of the global data share do for waves of any group. Resources of the wave sync have a
/// counter each, ordered counts and registers a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Across {
    /// Sets the counter of a resource.
    Init,
    /// Lets one wave pass a semaphore.
    Release,
    /// Lets so many waves pass a semaphore.
    ReleaseSome,
    /// Lets the waves that wait at a semaphore pass.
    ReleaseAll,
    /// Waits at a semaphore.
    Acquire,
    /// Waits at a barrier of so many waves.
    Meet,
    /// Counts in the order in which waves were made.
    Ordered,
    /// Adds to a register, or subtracts from it.
    Register {
        /// Subtracts.
        subtracts: bool,
    },
}

impl Across {
    /// Whether a register has its data.
    #[must_use]
    pub const fn takes_data(self) -> bool {
        !matches!(self, Across::Release | Across::ReleaseAll | Across::Acquire)
    }

    /// Whether something comes back.
    #[must_use]
    pub const fn returns(self) -> bool {
        matches!(self, Across::Ordered | Across::Register { .. })
    }
}

/// Where control goes, and what is done to the state of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Control {
    /// The wave ends.
    End,
    /// The wave halts, if an immediate says so.
    Halt,
    /// A trap that the program asks for.
    Trap,
    /// What stands behind code: it is no instruction.
    CodeEnd,
    /// A branch to a label.
    Branch(Condition),
    /// Waits for the other waves of the group.
    Barrier,
    /// Says that the wave has come to a barrier.
    BarrierSignal {
        /// SCC says whether it was the first one.
        asks_first: bool,
    },
    /// Reads how many waves have come to a barrier, and how many it waits for.
    BarrierState,
    /// Leaves a barrier.
    BarrierLeave,
    /// Sends a message.
    Send,
    /// Sends a message, and the wave halts.
    SendAndHalt,
    /// Sends a message and gets an answer of one or two words.
    SendReturn {
        /// Two words.
        wide: bool,
    },
    /// The address behind itself.
    GetPc,
    /// Goes to an address.
    SetPc,
    /// Leaves a trap handler for an address.
    TrapReturn,
    /// Goes to an address and leaves its own.
    SwapPc,
    /// Goes to a label and leaves its own address.
    Call,
    /// A scalar move with M0 added to the number of the source.
    MoveRelativeSource {
        /// Registers.
        words: u8,
    },
    /// A scalar move with M0 added to the number of the destination.
    MoveRelativeDestination {
        /// Registers.
        words: u8,
    },
    /// A scalar move with both added, each from a half of M0.
    MoveRelativeBoth,
    /// Reads a hardware register.
    GetReg,
    /// Writes a hardware register.
    SetReg,
    /// Sets the rounding modes.
    RoundMode,
    /// Sets the modes of denormals.
    DenormMode,
    /// Splits the wave, with the other way in a register.
    ForkToRegister,
    /// Splits the wave, with the other way at a label.
    ForkToLabel,
    /// Joins what was split.
    Join,
    /// The first half of the lanes, then the second: its beginning.
    SubvectorBegin,
    /// And its end.
    SubvectorEnd,
    /// Sets whether vector instructions are skipped.
    SetVskip,
    /// Turns on the mode in which M0 is added to register numbers.
    GprIndexOn,
    /// Turns it off.
    GprIndexOff,
    /// Sets what is added.
    GprIndex,
    /// Sets to which operands.
    GprIndexMode,
}

impl Control {
    /// Whether it ends, leaves or holds up the straight flow of a wave.
    #[must_use]
    pub const fn breaks_flow(self) -> bool {
        use Control::*;
        matches!(
            self,
            End | Halt
                | SendAndHalt
                | Trap
                | CodeEnd
                | Branch(_)
                | Barrier
                | BarrierLeave
                | SetPc
                | TrapReturn
                | SwapPc
                | Call
                | ForkToRegister
                | ForkToLabel
                | Join
                | SubvectorBegin
                | SubvectorEnd
        )
    }

    /// Whether nothing goes on behind it.
    #[must_use]
    pub const fn never_goes_on(self) -> bool {
        matches!(self, Control::End | Control::CodeEnd | Control::Trap | Control::SetPc | Control::TrapReturn)
    }
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Always.
    Always,
    /// SCC is so.
    Scc(bool),
    /// Whether VCC is zero is so.
    VccZero(bool),
    /// Whether EXEC is zero is so.
    ExecZero(bool),
    /// A debugger has set a flag: there is none here.
    Debugger,
}

/// A product of matrices, which have as many columns as rows; or several of them, side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Product {
    /// The sums and what they are added to.
    pub sum: Element,
    /// The first matrix.
    pub a: Element,
    /// The second one.
    pub b: Element,
    /// Rows of the first matrix, columns of the second.
    pub size: u32,
    /// Columns of the first matrix, rows of the second.
    pub depth: u32,
    /// How many products.
    pub blocks: u32,
    /// The first matrix has two of each four elements of a row, the others are zeros; an index says which two.
    pub sparse: bool,
}

impl Product {
    /// How many elements of a row of the first matrix there are.
    #[must_use]
    pub const fn kept(&self) -> u32 {
        if self.sparse { self.depth / 2 } else { self.depth }
    }
}

/// Elements of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names of number formats")]
pub enum Element {
    F64,
    F32,
    /// As f32, but of the 23 bits behind the point only the first ten count.
    Xf32,
    F16,
    Bf16,
    Fp8,
    Bf8,
    I32,
    /// Signed on CDNA, else signed or unsigned as the instruction says.
    I8,
    /// Signed or unsigned, as the instruction says.
    I4,
}
