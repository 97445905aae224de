//! What instructions do, for those who execute them: a column of the rows, so that no engine looks at a name.

/// A comparison: of the first source with the second, or with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// Equal.
    Eq,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// As what bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Num {
    /// A float of 32 bits.
    F32,
    /// A signed integer.
    I32,
    /// An unsigned integer.
    U32,
}

/// What zero times anything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// Zero, whatever the other factor.
    Wins,
    /// What IEEE 754 says.
    Ieee,
}

/// A factor of the result that belongs to the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// None.
    One,
    /// `_M2`.
    Two,
    /// `_M4`.
    Four,
    /// `_D2`.
    Half,
}

/// What a comparison that holds gives; one that does not gives 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// 1.0
    One,
    /// All bits.
    Ones,
}

/// What becomes of an infinite result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// It stays.
    None,
    /// The largest float with its sign.
    MaxFloat,
    /// Zero with its sign.
    Zero,
}

/// How a number gets into the address register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToAddress {
    /// `floor(x + 0.5)`
    Round,
    /// `floor(x)`
    Floor,
    /// It is an integer.
    Int,
}

/// What is done to the stack around an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// Nothing.
    Plain,
    /// Push before.
    PushBefore,
    /// Pop one after.
    PopAfter,
    /// Pop two after.
    Pop2After,
    /// The pixels that the clause turns off continue.
    Continue,
    /// The pixels that the clause turns off break.
    Break,
    /// Push before, else after.
    ElseAfter,
}

/// A way to begin a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Count and aL from a loop constant.
    Counted,
    /// Count from a loop constant; aL stays.
    CountedNoIndex,
    /// Until all pixels broke.
    Endless,
}

/// A buffer that is written or read by control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A stream.
    Stream(u8),
    /// Scratch.
    Scratch,
    /// Reduction.
    Reduction,
    /// The ring.
    Ring,
}

/// Which level of detail a sample takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// The one of the gradients.
    Computed,
    /// That with a bias.
    Bias,
    /// Zero.
    Zero,
    /// The one in W.
    Given,
}

/// What is asked of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Width, height, depth, levels.
    Size,
    /// The fraction of border colour.
    BorderFraction,
    /// The level of detail.
    Lod,
    /// Slopes along x of the screen.
    GradientsH,
    /// Slopes along y of the screen.
    GradientsV,
    /// Weights of linear interpolation.
    LerpFactors,
    /// Weights of the four texels.
    Weights,
    /// The address.
    Address,
}

/// An axis of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Horizontal.
    H,
    /// Vertical.
    V,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    // Control flow.
    /// Nothing.
    Idle,
    /// A clause of fetches.
    Fetches,
    /// Begins a loop.
    LoopStart(Loop),
    /// Ends a loop.
    LoopEnd,
    /// Pixels continue.
    LoopContinue,
    /// Pixels break.
    LoopBreak,
    /// Push, or pop and jump if nobody passes.
    Push,
    /// Push and compute, jump if nobody passes.
    PushElse,
    /// Pop.
    Pop,
    /// Call a subroutine.
    Call,
    /// Call the fetch shader.
    CallFetch,
    /// Return.
    Return,
    /// Jump (and pop) if nobody passes.
    Jump,
    /// Swap active and inactive pixels; jump (and pop) if nobody is active.
    Else,
    /// A vertex, the end of a strip, or both.
    Emit {
        /// A vertex.
        vertex: bool,
        /// The end of a strip.
        cut: bool,
    },
    /// Kill the pixels that pass.
    KillPixels,
    /// A clause of ALU groups.
    AluClause(Around),
    /// To a buffer, or from it.
    Store(Space),
    /// To pixels, positions or parameters.
    Exports {
        /// The last one of its kind.
        done: bool,
    },
    // ALU.
    /// Nothing.
    Nop,
    /// The source.
    Move,
    /// `a + b`
    Add,
    /// `a * b`
    Mul(Zero),
    /// The larger one.
    Max(Num),
    /// The smaller one.
    Min(Num),
    /// The larger one, or the one that is no NaN.
    MaxDx10,
    /// The smaller one, or the one that is no NaN.
    MinDx10,
    /// A truth value.
    Set(Cmp, Num, Truth),
    /// A predicate.
    PredSet(Cmp, Num),
    /// A predicate with a counter.
    PredSetPush(Cmp, Num),
    /// Inverts a counter.
    PredSetInvert,
    /// Counts down.
    PredSetPop,
    /// Clears.
    PredSetClear,
    /// Restores.
    PredSetRestore,
    /// Kills the pixel.
    Kill(Cmp, Num),
    /// The fraction.
    Fract,
    /// Towards zero.
    Trunc,
    /// Upwards.
    Ceil,
    /// To the nearest, halves to even.
    RoundEven,
    /// Downwards.
    Floor,
    /// Into the address register.
    MoveAddress(ToAddress),
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one.
    Xor,
    /// The other bits.
    Not,
    /// `a + b`, integers.
    AddInt,
    /// `a - b`, integers.
    SubInt,
    /// The dot product of the four slots.
    Dot4(Zero),
    /// Coordinates and face of a cube.
    Cube,
    /// The largest of the four slots.
    Max4,
    /// `2^a`
    Exp,
    /// `log2 a`
    Log(Limit),
    /// `1 / a`
    Recip(Limit),
    /// `1 / sqrt a`
    RecipSqrt(Limit),
    /// `sqrt a`
    Sqrt,
    /// A float to an integer.
    FloatTo(Num),
    /// An integer to a float.
    ToFloat(Num),
    /// The sine: of radians on R600, of turns on R700.
    Sin,
    /// The cosine: of radians on R600, of turns on R700.
    Cos,
    /// Arithmetic right shift.
    Ashr,
    /// Logical right shift.
    Lshr,
    /// Left shift.
    Lshl,
    /// The low word of a product.
    MulLo(Num),
    /// The high word of a product.
    MulHi(Num),
    /// The reciprocal as a fraction of integers.
    RecipInt(Num),
    /// The product of the lighting instruction.
    MulLit(Scale),
    /// `a * b + c`
    MulAdd(Zero, Scale),
    /// `b` if `a` compares so with zero, else `c`.
    Choose(Cmp, Num),
    // Textures.
    /// A texel by integer coordinates.
    Load,
    /// A query.
    Get(Query),
    /// Gradients for samples that follow.
    SetGradients(Axis),
    /// A sample.
    Sample {
        /// Compared with W.
        compare: bool,
        /// With gradients that were set.
        gradients: bool,
        /// The level.
        lod: Lod,
    },
    // Vertices.
    /// Vertex data.
    VertexFetch {
        /// To where a table says.
        semantic: bool,
    },
}

impl Does {
    /// Whether it sets a predicate.
    #[must_use]
    pub fn sets_predicate(self) -> bool {
        matches!(
            self,
            Does::PredSet(..)
                | Does::PredSetPush(..)
                | Does::PredSetInvert
                | Does::PredSetPop
                | Does::PredSetClear
                | Does::PredSetRestore
        )
    }
}
