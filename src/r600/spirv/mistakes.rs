//! Mistakes planted on purpose in the translation; a test plants each and looks whether the comparison with the emulator notices.

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
    /// A pop revives pixels that have left the loop.
    PopRevives,
    /// A pop leaves its entry on the stack.
    PopKeepsEntry,
    /// JUMP does not pop.
    JumpWithoutPop,
    /// A branch is taken where a pixel passes.
    JumpInverted,
    /// ELSE activates all pixels that are not active.
    ElseForAll,
    /// The end of an iteration does not revive those that continued.
    ContinueForGood,
    /// Those that break come back in the next iteration.
    BreakForIteration,
    /// The loop runs once less than its constant says.
    LoopOnceLess,
    /// The index does not move.
    IndexStays,
    /// The index of the outer loop is not restored.
    IndexNotRestored,
    /// LOOP_BREAK that jumps leaves what was pushed on the stack.
    BreakKeepsPushes,
    /// A subroutine's pixels are those of its caller.
    CallForAll,
    /// The depth of calls is not limited.
    DepthUnlimited,
    /// The limit of the stack is not looked at.
    StackUnlimited,
    /// A loop counts as one part of an entry.
    LoopIsSmall,
    /// BOOL and NOT_BOOL are exchanged.
    BooleanInverted,
    /// Whole-quad mode is ignored.
    QuadIgnored,
    /// Valid-pixel mode is ignored.
    ValidIgnored,
    /// The upper half of a mask is that of the lower lanes.
    HalvesSwapped,
    /// Kills are forgotten.
    KillForgotten,
    /// Groups are not counted.
    GroupsFree,
    // ALU.
    /// What a clause turns off stays on.
    MaskForgotten,
    /// Operations of a group see what those before wrote.
    GroupInOrder,
    /// PV is kept by masked writes.
    MaskedKeepsPrevious,
    /// PS is PV.x.
    ScalarIsVector,
    /// The negation comes before the absolute value.
    NegateFirst,
    /// The factor is forgotten.
    NoFactor,
    /// The clamp is forgotten.
    NoClamp,
    /// Predicated operations execute the other way round.
    PredicateInverted,
    /// The predicate of a group holds in the group already.
    PredicateAtOnce,
    /// Registers are indexed by the element that INDEX_MODE names.
    RegisterByElement,
    /// Registers out of range are written.
    OutOfRangeWritten,
    /// Constants out of range are read as zero.
    ConstantZero,
    /// The second set of cache lines is the first.
    OneCacheSet,
    /// Only one line is locked.
    OneLine,
    /// Lines do not move with the index.
    LinesStay,
    /// The dot product leaves out w.
    DotWithoutW,
    // Exports, buffers and fetches.
    /// A burst repeats the first register.
    BurstRepeats,
    /// Selects of exports are ignored.
    SelectsIgnored,
    /// Killed pixels export.
    KilledExport,
    /// The array size of a buffer is ignored.
    ArraySizeIgnored,
    /// The reduction buffer is written by the highest lane first.
    HighestFirst,
    /// The offset of a vertex fetch is ignored.
    OffsetIgnored,
    /// An element at an odd address is read from the word below.
    AlignedDown,
    /// Bytes are never swapped.
    NeverSwapped,
    /// Elements that reach beyond the buffer are read.
    BoundsForgotten,
    /// Coordinates beyond the edge are clamped where they should repeat.
    NeverRepeats,
    /// Normalised coordinates are whole ones.
    NotNormal,
    /// The number of a layer is ignored.
    FirstLayer,
    /// The slopes of rows are those of columns.
    SlopesTurned,
}
