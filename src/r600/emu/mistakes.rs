//! Mistakes planted on purpose: what a machine would do wrong that somebody wrote in a hurry.
//!
//! [`Setup::mistake`](super::Setup::mistake) asks for one; a test plants each and looks whether a program notices. In release builds
//! there are none.

macro_rules! mistakes {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Mistake {
            $($(#[$doc])* $name,)*
        }

        impl Mistake {
            /// Every mistake.
            pub const ALL: &'static [Mistake] = &[$(Mistake::$name,)*];
        }
    };
}

mistakes! {
    // Control flow.
    /// JUMP and ELSE pop whether they jump or not.
    PopsAlways,
    /// A pop revives pixels that have left the loop.
    PopRevives,
    /// ALU_PUSH_BEFORE pushes behind the clause.
    PushAfter,
    /// PRED_SET takes effect in its own clause.
    MaskAtOnce,
    /// ELSE activates all pixels that are not active.
    ElseForAll,
    /// The end of an iteration does not revive those that continued.
    ContinueForGood,
    /// The loop runs once more than its constant says.
    LoopOnceMore,
    /// The index of the outer loop is not restored.
    IndexNotRestored,
    /// A loop without index begins with the index of its constant.
    RepeatMovesIndex,
    /// LOOP_BREAK that jumps leaves what was pushed on the stack.
    BreakKeepsPushes,
    /// BOOL and NOT_BOOL are exchanged.
    BooleanInverted,
    /// Whole-quad mode is ignored.
    QuadIgnored,
    /// Valid-pixel mode is ignored.
    ValidIgnored,
    /// The depth of calls is not limited.
    DepthUnlimited,
    /// Killed pixels stop executing.
    KilledStop,
    /// ALU_BREAK takes out the pixels that passed.
    BreakPassing,
    /// ALU_ELSE_AFTER does not turn over.
    ElseAfterPlain,
    /// ALU_POP2_AFTER pops once.
    PopsOnce,
    /// Killed pixels export.
    KilledExport,
    // ALU.
    /// The last instruction of a group goes to the trans slot.
    LastIsTrans,
    /// Operations of a group see what those before wrote.
    GroupInOrder,
    /// PV holds the value that was written last to the register.
    VectorSeesTrans,
    /// PV and PS are not updated without a write to a register.
    MaskedKeepsPrevious,
    /// The factor is forgotten.
    NoFactor,
    /// The clamp is forgotten.
    NoClamp,
    /// The predicate of a group holds in the group already.
    PredicateAtOnce,
    /// Predicated operations execute the other way round.
    PredicateInverted,
    /// The negation comes before the absolute value.
    NegateFirst,
    /// Registers are indexed by the element that INDEX_MODE names.
    RegisterByElement,
    /// Registers out of range are read as zero.
    OutOfRangeZero,
    /// Constants out of range are read as zero.
    ConstantZero,
    /// The second set of cache lines is the first.
    OneCacheSet,
    /// Only one line is locked.
    OneLine,
    /// The dot product leaves out w.
    DotWithoutW,
    /// Sine and cosine of R600 take turns.
    RadiansAsTurns,
    // Exports and fetches.
    /// A burst repeats the first register.
    BurstRepeats,
    /// Selects of exports are ignored.
    SelectsIgnored,
    /// The array size of a buffer is ignored.
    ArraySizeIgnored,
    /// The offset of a vertex fetch is ignored.
    OffsetIgnored,
    /// Coordinates beyond the edge are clamped where they should repeat.
    NeverRepeats,
    /// Normalised coordinates are whole ones.
    NotNormal,
    /// The number of a layer is ignored.
    FirstLayer,
}
