//! Mistakes that sit at one place in the code of the emulator, or of the memory that it works on.
//!
//! Each has a condition with `planted!` where it would be made.

use std::str::FromStr;

macro_rules! mistakes {
    ($($group:literal: $($(#[$doc:meta])* $mistake:ident $name:literal,)*;)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
        pub enum Mistake {
            $($($(#[$doc])* $mistake,)*)*
        }

        impl Mistake {
            /// Every mistake.
            pub const ALL: &'static [Mistake] = &[$($(Mistake::$mistake,)*)*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(Mistake::$mistake => $name,)*)*
                }
            }

            /// What it concerns.
            #[must_use]
            pub fn group(self) -> &'static str {
                match self {
                    $($(Mistake::$mistake)|* => $group,)*
                }
            }

            /// What is said of a dispatch's mistakes: they are made where registers of the command processor become waves, and the tests of
            /// the virtual GPU notice them.
            pub const DISPATCH: &'static str = "dispatch";
        }
    };
}

mistakes! {
    "dpp":
    /// Inactive lanes are read although fetch-inactive is clear.
    DppReadsInactive "dpp-reads-inactive",
    /// Fetch-inactive has no effect.
    DppFetchIgnored "dpp-fetch-ignored",
    /// Bound control has no effect.
    DppBoundIgnored "dpp-bound-ignored",
    /// The row mask has no effect.
    DppRowMaskIgnored "dpp-row-mask-ignored",
    /// The bank mask has no effect.
    DppBankMaskIgnored "dpp-bank-mask-ignored",
    /// The selectors of a quad are counted from the other end.
    DppQuadReversed "dpp-quad-reversed",
    /// A shift to the left goes round in its row.
    DppRowShlWraps "dpp-row-shl-wraps",
    /// A shift to the right goes round in its row.
    DppRowShrWraps "dpp-row-shr-wraps",
    /// A shift to the left goes to the right.
    DppRowShiftsSwapped "dpp-row-shifts-swapped",
    /// A rotation to the right goes to the left.
    DppRowRorLeft "dpp-row-ror-left",
    /// A shift of the wave to the left goes round.
    DppWaveShlWraps "dpp-wave-shl-wraps",
    /// A rotation of the wave to the left does not go round.
    DppWaveRolStops "dpp-wave-rol-stops",
    /// A shift of the wave to the right goes round.
    DppWaveShrWraps "dpp-wave-shr-wraps",
    /// A row is mirrored in halves.
    DppMirrorHalf "dpp-mirror-half",
    /// A half of a row is mirrored in quads.
    DppHalfMirrorQuad "dpp-half-mirror-quad",
    /// The broadcast to the next row gives the first lane of a row.
    DppRowBcast15First "dpp-row-bcast15-first",
    /// The broadcast of lane 31 goes to row 1 as well.
    DppRowBcast31Early "dpp-row-bcast31-early",
    /// All rows of 32 lanes share a lane of the first.
    DppRowShareFirstRow "dpp-row-share-first-row",
    /// The mask of a row is added to the lane.
    DppRowXmaskAdds "dpp-row-xmask-adds",
    /// The selectors of DPP8 are counted from the other end.
    Dpp8Reversed "dpp8-reversed",
    /// A lane whose source in DPP8 is inactive keeps its old value.
    Dpp8InactiveKeeps "dpp8-inactive-keeps",
    /// Fetch-inactive has no effect in DPP8.
    Dpp8FetchIgnored "dpp8-fetch-ignored",
    ;
    "sdwa":
    /// What is selected is extended by zeros.
    SdwaSextIgnored "sdwa-sext-ignored",
    /// Bytes of a source are counted from the top.
    SdwaByteMirrored "sdwa-byte-mirrored",
    /// What is not written becomes zero instead of staying.
    SdwaUnusedCleared "sdwa-unused-cleared",
    /// What is not written becomes zero instead of the sign.
    SdwaUnusedNoSign "sdwa-unused-no-sign",
    /// The lowest part is written whatever is selected.
    SdwaWritesLow "sdwa-writes-low",
    /// The second source has the selection of the first.
    SdwaSecondSelect "sdwa-second-select",
    ;
    "vector":
    /// Writing the lower half of a register clears the upper one.
    HalfAboveCleared "half-above-cleared",
    /// Up to gfx8: writing the lower half of a register keeps the upper one.
    HalfAboveKept "half-above-kept",
    /// gfx9: all instructions keep the upper half.
    Gfx9HalfKept "gfx9-half-kept",
    /// A float of 8 bits goes to the lowest byte, whichever is selected.
    NarrowResultLowest "narrow-result-lowest",
    /// gfx12: the lowest byte of a source is read, whichever is selected.
    NarrowSourceLowest "narrow-source-lowest",
    /// f16 sources of v_mad_mix follow MODE.
    MixKeepsDenormals "mix-keeps-denormals",
    /// gfx9: the least, the greatest and the middle of three clear the upper half.
    Gfx9ChosenCleared "gfx9-chosen-cleared",
    /// A float constant of a scalar instruction of halves is that of words.
    ScalarHalfConstantWide "scalar-half-constant-wide",
    /// gfx9: the legacy instructions keep the upper half.
    Gfx9LegacyKept "gfx9-legacy-kept",
    /// The lower half of a source is read for the upper one.
    HighSourceLow "high-source-low",
    /// The sign of a half is that of the whole register.
    SignOfHalf "sign-of-half",
    /// The absolute value is taken behind the negation.
    AbsBehindNeg "abs-behind-neg",
    /// The sign of a pair is changed in its lower word.
    SignOfPairLow "sign-of-pair-low",
    /// The output modifier does nothing.
    OmodIgnored "omod-ignored",
    /// The output modifier works although denormals are kept.
    OmodWithDenormals "omod-with-denormals",
    /// The output modifier keeps the sign of zero.
    OmodDivKeepsZero "omod-div-keeps-zero",
    /// Behind a transcendental function of gfx12 the output modifier overflows as the mode says.
    OmodOverflowByMode "omod-overflow-by-mode",
    /// The clamp keeps NaNs whatever the mode.
    ClampKeepsNan "clamp-keeps-nan",
    /// The clamp of floats does nothing.
    ClampIgnored "clamp-ignored",
    /// The second operation of a dual instruction reads what the first has written.
    DualReadsLate "dual-reads-late",
    /// Inactive lanes keep their bits of a mask.
    MaskInactiveKept "mask-inactive-kept",
    /// Lanes that DPP cuts from a compare keep their bit of the mask.
    MaskCutKept "mask-cut-kept",
    /// Comparisons that write EXEC write VCC alone.
    CmpxKeepsExec "cmpx-keeps-exec",
    /// The negations of the halves of a packed source change places.
    PackedNegSwapped "packed-neg-swapped",
    /// The upper half of a packed result is made from lower halves.
    PackedHighFromLow "packed-high-from-low",
    /// Mixed precision takes f32 for f16 and f16 for f32.
    MixNarrowSwapped "mix-narrow-swapped",
    /// Mixed precision reads lower halves only.
    MixHalfIgnored "mix-half-ignored",
    /// Dot products do not negate upper halves.
    DotNegHighIgnored "dot-neg-high-ignored",
    /// Dot products of integers take NEG for a sign.
    DotIntegersNegated "dot-integers-negated",
    /// The words of a pair that is moved are its own.
    PairNotSelected "pair-not-selected",
    /// The literal of an f64 is its lower word.
    LiteralOfDouble "literal-of-double",
    /// The literal of a signed pair has zeros above it.
    LiteralOfPairUnsigned "literal-of-pair-unsigned",
    /// Interpolation takes the parameter of its own lane.
    InterpOwnLane "interp-own-lane",
    /// Both passes of an interpolation take the first slope.
    InterpSlope "interp-slope",
    ;
    "float":
    /// f16 and f64 are rounded by the bits of f32.
    F16ByF32 "f16-by-f32",
    /// Denormals of f16 and f64 are those of f32.
    F16DenormalsByF32 "f16-denormals-by-f32",
    /// Rounding upwards and downwards change places.
    RoundsUpDownSwapped "rounds-up-down-swapped",
    /// The flags for denormals as operands and as results change places.
    DenormalsInOut "denormals-in-out",
    /// `FP16_OVFL` has no effect.
    OverflowFlagIgnored "overflow-flag-ignored",
    /// Signaling NaNs are quieted whatever the mode.
    IeeeBitIgnored "ieee-bit-ignored",
    /// gfx12: the smaller of a number and a signaling NaN is the NaN.
    Gfx12Ieee "gfx12-ieee",
    /// Zeros are equal to minimum and maximum, whatever their signs.
    MinOfZeros "min-of-zeros",
    /// The smaller of a number and a signaling NaN is the number.
    MinOfSignaling "min-of-signaling",
    /// Of two NaNs the second passes.
    SecondNanWins "second-nan-wins",
    /// The NaN of an invalid operation is positive.
    InvalidPositive "invalid-positive",
    /// Overflow gives infinity in every rounding.
    OverflowInfinite "overflow-infinite",
    /// A denormal operand that is flushed loses its sign.
    FlushedZeroPositive "flushed-zero-positive",
    /// The mode in which waves begin keeps f32 denormals.
    DefaultKeepsDenormals "default-keeps-denormals",
    ;
    "lanes":
    /// The first active lane is lane 0.
    FirstLaneZero "first-lane-zero",
    /// The first active lane is the last one.
    FirstLaneLast "first-lane-last",
    /// A lane beyond the wave is the last one.
    LaneNotWrapped "lane-not-wrapped",
    /// A lane is written only if it is active.
    WritelaneByExec "writelane-by-exec",
    /// Permutations across rows stay in the row.
    PermlaneSameRow "permlane-same-row",
    /// Permutations in rows never read inactive lanes.
    PermlaneFetchIgnored "permlane-fetch-ignored",
    /// Permutations in rows always read inactive lanes.
    PermlaneFetchAlways "permlane-fetch-always",
    /// What permutations in rows do not read stays, whatever bound control says.
    PermlaneBoundIgnored "permlane-bound-ignored",
    /// The upper eight lanes of a row are chosen as the lower eight.
    PermlaneLowSelectors "permlane-low-selectors",
    /// The halves of a wave do not change places.
    Permlane64Stays "permlane64-stays",
    /// The second register of an exchange keeps its value.
    SwapLosesOne "swap-loses-one",
    /// An exchange of halves takes the same half of both.
    SwapHalvesAlike "swap-halves-alike",
    /// Of lanes that push to one, the lowest wins.
    PermuteLowestWins "permute-lowest-wins",
    /// Pulling reads inactive lanes.
    BpermuteReadsInactive "bpermute-reads-inactive",
    /// Pulling with fetch-inactive does not read inactive lanes.
    BpermuteFetchIgnored "bpermute-fetch-ignored",
    /// The offset of a permutation is not added.
    PermuteOffsetLost "permute-offset-lost",
    /// From gfx10: a wave of 64 is permuted as one.
    PermuteWholeWave "permute-whole-wave",
    /// The address of a permutation is the number of a lane.
    PermuteByLane "permute-by-lane",
    /// A swizzle takes the exclusive or before the or.
    SwizzleXorEarly "swizzle-xor-early",
    /// The lanes of a quad are counted from the other end.
    SwizzleQuadReversed "swizzle-quad-reversed",
    /// The directions of rotation change places.
    SwizzleRotatesLeft "swizzle-rotates-left",
    /// A rotation goes through all lanes.
    SwizzleRotateUnmasked "swizzle-rotate-unmasked",
    /// The bits of a lane are reversed in place for an FFT.
    SwizzleFftKept "swizzle-fft-kept",
    /// Swizzles read inactive lanes.
    SwizzleReadsInactive "swizzle-reads-inactive",
    ;
    "control":
    /// Waves of 32 lanes look at the upper half of EXEC.
    ExecnzLooksHigh "execnz-looks-high",
    /// VCC counts as zero if its lower half is.
    VcczLowOnly "vccz-low-only",
    /// EXEC counts as zero if its lower half is.
    ExeczLowOnly "execz-low-only",
    /// Branches on SCC go the other way.
    BranchInverted "branch-inverted",
    /// Branches count from their own word.
    BranchFromItself "branch-from-itself",
    /// A call leaves its own address.
    CallReturnsToItself "call-returns-to-itself",
    /// The program counter read is that of the instruction itself.
    GetpcOfItself "getpc-of-itself",
    /// A call through registers leaves no address.
    SwappcLosesReturn "swappc-loses-return",
    /// Leaving a barrier sets SCC.
    BarrierLeaveSetsScc "barrier-leave-sets-scc",
    /// Waves do not wait at a barrier.
    BarrierPassed "barrier-passed",
    /// A signal to a barrier is not counted.
    BarrierSignalLost "barrier-signal-lost",
    /// All numbers of barriers are that of the group.
    BarrierNumberIgnored "barrier-number-ignored",
    /// A barrier waits for one wave more than there are.
    BarrierCountsEnded "barrier-counts-ended",
    /// Whoever is not the first to signal is told so.
    BarrierFirstInverted "barrier-first-inverted",
    /// The state of a barrier has the signals where no machine has them.
    BarrierStateShifted "barrier-state-shifted",
    /// Nobody answers who asks for a doorbell.
    DoorbellUnanswered "doorbell-unanswered",
    /// Messages come without M0.
    MessageWithoutM0 "message-without-m0",
    /// A trap does not say its number.
    TrapNumberLost "trap-number-lost",
    /// A trap saves the place behind itself.
    TrapSavesNext "trap-saves-next",
    /// The number of a trap stands where gfx11 has it.
    TrapIdOfGfx11 "trap-id-of-gfx11",
    /// How far the faulting instruction lies back is not saved.
    TrapRewindLost "trap-rewind-lost",
    /// The handler is not privileged.
    TrapWithoutPriv "trap-without-priv",
    /// A TBA that the handler has written has no effect.
    TbaIgnored "tba-ignored",
    /// The way back from the handler leaves the wave privileged.
    RfeKeepsPriv "rfe-keeps-priv",
    /// Every exception enters the handler.
    ExceptionsAllEnabled "exceptions-all-enabled",
    /// What a handler writes into STATUS does not come back to SCC.
    StatusSccKept "status-scc-kept",
    /// TMA is told as an address in bytes.
    TmaInBytes "tma-in-bytes",
    /// A subvector loop does not save the upper half of EXEC.
    SubvectorUnsaved "subvector-unsaved",
    /// The larger side of a fork runs first.
    ForkLargerFirst "fork-larger-first",
    /// Every fork puts its other side in the same place.
    ForkOverwrites "fork-overwrites",
    /// The mask saved is the new one.
    SaveexecNew "saveexec-new",
    /// The old EXEC is written instead of the new one.
    WrexecOld "wrexec-old",
    /// SCC says whether a lane was active before.
    SaveexecSccOld "saveexec-scc-old",
    ;
    "hwreg":
    /// A field of a hardware register is one bit too narrow.
    HwregWidthOff "hwreg-width-off",
    /// Fields of hardware registers are read from bit 0.
    GetregUnshifted "getreg-unshifted",
    /// Writing a field of a hardware register clears the others.
    SetregUnmasked "setreg-unmasked",
    /// The instruction that sets the rounding sets that of f32 alone.
    RoundModeSingle "round-mode-single",
    /// The instruction that sets denormals sets those of f32 alone.
    DenormModeSingle "denorm-mode-single",
    /// STATUS does not show SCC.
    StatusWithoutScc "status-without-scc",
    /// Writing the exceptions does not clear those that were raised.
    TrapstsNotCleared "trapsts-not-cleared",
    /// The register of apertures has the shared one in its lower half.
    SharedBaseLow "shared-base-low",
    ;
    "index":
    /// Relative moves by two numbers take eight bits of M0 for each.
    Movrelsd2EightBits "movrelsd2-eight-bits",
    /// A scalar register beyond the last is read as zero.
    MovrelsBeyond "movrels-beyond",
    /// A vector register beyond the last is its own.
    VectorBeyondKept "vector-beyond-kept",
    /// Relative vector moves take ten bits of M0.
    VectorAmountLow "vector-amount-low",
    /// The two numbers of a relative vector move change places.
    VectorAmountsSwapped "vector-amounts-swapped",
    /// GPR index mode takes six bits of M0.
    IndexSixBits "index-six-bits",
    /// The roles of GPR index mode are counted from the other end.
    IndexRolesReversed "index-roles-reversed",
    /// GPR index mode does not move destinations.
    IndexDstStays "index-dst-stays",
    /// The immediate of GPR index mode is not taken.
    IndexModeKept "index-mode-kept",
    /// Vector instructions are not skipped.
    VskipIgnored "vskip-ignored",
    /// Vector instructions are skipped where the bit is clear.
    SetvskipInverted "setvskip-inverted",
    ;
    "lds":
    /// gfx6: a negative base with an offset is in range.
    LdsNegativeBase "lds-negative-base",
    /// Up to gfx11: a wide access across the end is done in part.
    LdsEndInPart "lds-end-in-part",
    /// gfx12: a wide access across the end is not done at all.
    LdsEndWhole "lds-end-whole",
    /// Up to gfx8: low bits of an address are not dropped.
    LdsLowBitsKept "lds-low-bits-kept",
    /// From gfx9: low bits of an address are dropped.
    LdsLowBitsDropped "lds-low-bits-dropped",
    /// Up to gfx8: M0 limits nothing.
    LdsLimitIgnored "lds-limit-ignored",
    /// From gfx9: M0 limits addresses still.
    LdsLimitKept "lds-limit-kept",
    /// 96 and 128 bits want 8 bytes.
    Lds96Aligned8 "lds96-aligned8",
    /// The offsets of instructions with two addresses count bytes.
    LdsOffsetsBytes "lds-offsets-bytes",
    /// The offsets of instructions with two addresses always count words.
    LdsOffsetsWords "lds-offsets-words",
    /// A stride of 64 elements is one of 32.
    LdsStride32 "lds-stride32",
    /// The second of two addresses has the offset of the first.
    LdsFirstOffset "lds-first-offset",
    /// Stores to two addresses store the first data twice.
    LdsSecondData "lds-second-data",
    /// Where both addresses of a store are the same, the second data is stored.
    LdsSameTwice "lds-same-twice",
    /// The number of a lane counts bytes.
    AddtidBytes "addtid-bytes",
    /// Addresses made of the number of a lane are without M0.
    AddtidWithoutM0 "addtid-without-m0",
    /// Append counts inactive lanes.
    AppendCountsAll "append-counts-all",
    /// Append does not add M0 to its address.
    AppendWithoutM0 "append-without-m0",
    /// The distance to a second address counts bytes.
    Src2Bytes "src2-bytes",
    /// The distance to a second address has no sign.
    Src2Unsigned "src2-unsigned",
    /// Of two exchanges the result of the first is returned twice.
    Xchg2FirstTwice "xchg2-first-twice",
    /// LDS_DIRECT never extends by a sign.
    LdsDirectUnsigned "lds-direct-unsigned",
    ;
    "items":
    /// Small signed integers are extended by zeros.
    LoadSignLost "load-sign-lost",
    /// Halves are extended by zeros.
    LoadSignLost16 "load-sign-lost16",
    /// Loading half a register clears the other half.
    HalfLoadClears "half-load-clears",
    /// What belongs in the upper half of a register is loaded to the lower one.
    HighLoadedLow "high-loaded-low",
    /// The lower half of a register is stored for the upper one.
    HighStoredLow "high-stored-low",
    /// Stores of three words store a fourth.
    ThreeWordsFour "three-words-four",
    /// The second operand of a wide atomic is in the next register.
    SecondOperandNext "second-operand-next",
    /// A wide atomic returns its lower word alone.
    WideResultCut "wide-result-cut",
    /// The lanes of a memory instruction come in the other order.
    LanesDescend "lanes-descend",
    ;
    "across":
    /// The base in M0 has no part in the number of a resource.
    SyncBaseLost "sync-base-lost",
    /// The highest active lane gives the data.
    SyncHighestLane "sync-highest-lane",
    /// The wave that came last goes first.
    SyncLastFirst "sync-last-first",
    /// Who passes a semaphore takes nothing from its counter.
    SyncAcquireFree "sync-acquire-free",
    /// A barrier opens one wave too early.
    SyncBarrierEarly "sync-barrier-early",
    /// A barrier that has opened waits for nobody the next time.
    SyncBarrierOnce "sync-barrier-once",
    /// Counts are done as they come.
    OrderedAsTheyCome "ordered-as-they-come",
    /// Registers of 64 bits give 32.
    GsRegisterNarrow "gs-register-narrow",
    /// The base in M0 has no part in addresses of the global data share.
    GdsBaseLost "gds-base-lost",
    /// The size in M0 limits nothing.
    GdsSizeIgnored "gds-size-ignored",
    /// All lanes have a say in the global data share of gfx11.
    GdsAllLanes "gds-all-lanes",
    ;
    "atomics":
    /// An ordered add does not look at the number.
    OrderedAddAlways "ordered-add-always",
    /// The numbers of ordered adds do not go round.
    OrderedAddUnmasked "ordered-add-unmasked",
    /// Wrapping subtracts only where memory is greater.
    WrapGreater "wrap-greater",
    /// Wrapping adds its first operand.
    WrapAdds "wrap-adds",
    /// The conditional difference is taken only where memory is greater.
    CondSubGreater "cond-sub-greater",
    /// A difference that stops at zero does not.
    SubClampWraps "sub-clamp-wraps",
    /// An increment starts again only beyond its limit.
    IncGreater "inc-greater",
    /// A decrement starts again at its limit as well.
    DecEqual "dec-equal",
    /// A decrement of zero goes below it.
    DecZero "dec-zero",
    /// What is compared and what is stored change places.
    CmpSwapSwapped "cmp-swap-swapped",
    /// The operands of a difference change places.
    SubReversed "sub-reversed",
    /// The operands of a reversed difference do not change places.
    RsubPlain "rsub-plain",
    /// The signed minimum is unsigned.
    SminUnsigned "smin-unsigned",
    /// The unsigned maximum is signed.
    UmaxSigned "umax-signed",
    /// The signed maximum is unsigned.
    SmaxUnsigned "smax-unsigned",
    /// The unsigned minimum is signed.
    UminSigned "umin-signed",
    /// A masked or clears nothing.
    MskorKeeps "mskor-keeps",
    /// A conditional exchange stores its flag.
    CondXchgKeepsFlag "cond-xchg-keeps-flag",
    /// A conditional exchange of a pair looks at its upper word alone.
    XchgPairCarries "xchg-pair-carries",
    /// An atomic returns what it wrote.
    AtomicReturnsNew "atomic-returns-new",
    /// An atomic in guest memory returns what it wrote.
    AtomicReturnsNewMemory "atomic-returns-new-memory",
    /// Up to gfx10: what LDS compares is the second operand.
    CmpstNewOrder "cmpst-new-order",
    /// What is compared is the first operand.
    CmpstoreOldOrder "cmpstore-old-order",
    /// The smaller of a number and a NaN is the NaN.
    FminNanWins "fmin-nan-wins",
    /// The smaller of a number and a signaling NaN is the number.
    FminSignalingLoses "fmin-signaling-loses",
    /// Zeros are equal to float minimum and maximum in memory.
    FminZerosEqual "fmin-zeros-equal",
    /// Float minimum and maximum store flushed values.
    FminFlushes "fmin-flushes",
    /// A float compare and swap finds equal NaNs equal.
    FcmpNanEqual "fcmp-nan-equal",
    /// A float compare and swap finds zeros different.
    FcmpZerosDiffer "fcmp-zeros-differ",
    /// Float sums in memory are flushed.
    FaddFlushesMemory "fadd-flushes-memory",
    /// gfx908 and gfx90a: float sums in memory keep denormals.
    FaddKeepsOld "fadd-keeps-old",
    /// Float sums in LDS keep denormals whatever the mode.
    FaddIgnoresMode "fadd-ignores-mode",
    /// Packed sums add the lower halves alone.
    PkAddLow "pk-add-low",
    /// Packed sums of bf16 are those of f16.
    PkAddFormat "pk-add-format",
    /// The float minimum in memory is the maximum.
    FminIsFmax "fmin-is-fmax",
    ;
    "buffer":
    /// The elements of a swizzled buffer have four bytes when blocks are counted.
    SwizzleElementFour "swizzle-element-four",
    /// Swizzled buffers are linear.
    SwizzleIgnored "swizzle-ignored",
    /// Blocks of a swizzled buffer have half their records.
    SwizzleBlockHalf "swizzle-block-half",
    /// gfx11: the elements of a swizzled buffer always have four bytes.
    SwizzleElementGfx11 "swizzle-element-gfx11",
    /// The scalar offset takes no part in the range check.
    SoffsetUnchecked "soffset-unchecked",
    /// gfx9: a buffer without stride and records is checked.
    Gfx9EmptyChecked "gfx9-empty-checked",
    /// gfx9: records check the offset as well.
    Gfx9OffsetChecked "gfx9-offset-checked",
    /// gfx6: records with a stride are checked as bytes.
    Gfx6BytesChecked "gfx6-bytes-checked",
    /// gfx8: swizzled buffers are checked as bytes.
    Gfx8SwizzleBytes "gfx8-swizzle-bytes",
    /// gfx10: raw checks count the index.
    Gfx10RawIndexed "gfx10-raw-indexed",
    /// gfx10: the whole payload must be in range.
    Gfx10Payload "gfx10-payload",
    /// gfx11: the first byte alone must be in range.
    Gfx11FirstByte "gfx11-first-byte",
    /// Structured checks leave the offset out.
    StructuredOffsetUnchecked "structured-offset-unchecked",
    /// gfx11: structured checks leave the offset out.
    StructuredOffsetUnchecked11 "structured-offset-unchecked11",
    /// Nothing is in range of a buffer that must not be empty.
    NotEmptyNever "not-empty-never",
    /// The number of the lane is not added to the index.
    AddTidIgnored "add-tid-ignored",
    /// Strides of 18 bits have 14.
    StrideNarrow "stride-narrow",
    /// A formatted access across the end is done in part.
    FormattedInPart "formatted-in-part",
    /// An untyped access across the end is not done at all.
    UntypedWhole "untyped-whole",
    /// Up to gfx8: a negative offset and a positive one meet in range.
    WrapsEverywhere "wraps-everywhere",
    /// The base of a buffer has 40 bits.
    BaseNarrow "base-narrow",
    /// Four zeros are a buffer.
    NullBound "null-bound",
    /// A buffer of format INVALID is one for untyped accesses.
    InvalidBound "invalid-bound",
    /// The offset register stands before the index.
    OffsetFirst "offset-first",
    /// The offset of the instruction is not added.
    OffsetLost "offset-lost",
    /// A pointer of 64 bits loses its upper half.
    Addr64Checked "addr64-checked",
    /// The status word is not written.
    StatusKept "status-kept",
    /// From gfx9: the offset of an instruction does not count for LDS.
    LdsOffsetOld "lds-offset-old",
    /// What goes from a buffer to LDS is packed by bytes.
    ToLdsBytes "to-lds-bytes",
    ;
    "formats":
    /// What is stored as a normalised integer is cut.
    UnormTruncated "unorm-truncated",
    /// The lowest signed number is below -1.
    SnormLowest "snorm-lowest",
    /// Unsigned normalised integers are divided by a power of two.
    UnormByPower "unorm-by-power",
    /// Small signed integers in formats are unsigned.
    SintUnsigned "sint-unsigned",
    /// Scaled integers are not converted.
    ScaledNormal "scaled-normal",
    /// Integers that do not fit are cut instead of clamped.
    IntegersWrap "integers-wrap",
    /// Floats of 11 bits keep negative numbers as positive ones.
    SmallFloatSigned "small-float-signed",
    /// A store of f16 that overflows gives the largest number.
    HalfOverflowMax "half-overflow-max",
    /// Loads of halves round instead of cutting.
    D16Rounded "d16-rounded",
    /// The one of an integer format is a float.
    SelectOneFloat "select-one-float",
    /// Stores take the selections of a descriptor as they are.
    SelectBackwards "select-backwards",
    /// Up to gfx8: the two bits of alpha are signed.
    AlphaSigned "alpha-signed",
    /// Loads of halves do not share registers.
    D16Unpacked "d16-unpacked",
    /// gfx12: components that no register supplies are stored as zeros.
    StoreFilledWithZeros "store-filled-with-zeros",
    /// Integer halves are stored as floats.
    D16IntegersAsFloats "d16-integers-as-floats",
    /// gfx7 to gfx9: formatted accesses drop low bits of addresses.
    FormatAlignedGfx9 "format-aligned-gfx9",
    ;
    "flat":
    /// gfx10: the upper bit of a flat offset is not ignored.
    FlatOffset12 "flat-offset12",
    /// Offsets of global memory have no sign.
    OffsetUnsigned "offset-unsigned",
    /// The offset register beside a scalar address is signed.
    SaddrOffsetSigned "saddr-offset-signed",
    /// The aperture is decided with the offset added.
    ApertureWithOffset "aperture-with-offset",
    /// gfx12: flat addresses in LDS have 32 bits.
    FlatLds32 "flat-lds32",
    /// The apertures of LDS and scratch change places.
    AperturesSwapped "apertures-swapped",
    /// The words of scratch memory of a lane follow each other.
    ScratchStraight "scratch-straight",
    /// A scalar address of scratch memory is not added.
    ScratchSaddrLost "scratch-saddr-lost",
    /// A scalar address of global memory has 32 bits.
    GlobalSaddrLow "global-saddr-low",
    /// The number of a lane counts bytes of global memory.
    GlobalAddtidBytes "global-addtid-bytes",
    /// The words of a block that M0 leaves out are skipped in memory.
    BlockPacked "block-packed",
    /// A transposing load goes ahead with some lanes.
    TransposedPartly "transposed-partly",
    /// A transposing load takes bytes from where it would take halves.
    TransposedBytesAsHalves "transposed-bytes-as-halves",
    /// What goes from global memory to LDS goes to its beginning.
    LdsBaseWithoutM0 "lds-base-without-m0",
    /// gfx7 and gfx8: FLAT_SCRATCH counts bytes.
    FlatScratchUnscaled "flat-scratch-unscaled",
    ;
    "smem":
    /// Up to gfx7: offsets count bytes.
    SmemOffsetBytes "smem-offset-bytes",
    /// gfx7: a literal offset counts bytes.
    SmemLiteralBytes "smem-literal-bytes",
    /// From gfx9: offsets have no sign.
    SmemOffsetUnsigned "smem-offset-unsigned",
    /// gfx9: of two offsets the register is lost.
    SmemSoffsetLost "smem-soffset-lost",
    /// Low bits of addresses are not dropped.
    SmemLowBitsKept "smem-low-bits-kept",
    /// From gfx8: low bits of the sum are dropped instead of those of its parts.
    SmemSumAligned "smem-sum-aligned",
    /// Up to gfx7: low bits of the parts are dropped instead of those of the sum.
    SmemPartsAligned "smem-parts-aligned",
    /// Scalar loads from a buffer are always in range.
    ScalarUnbounded "scalar-unbounded",
    /// Scalar loads count records as bytes.
    ScalarStrideIgnored "scalar-stride-ignored",
    /// A scalar load across the end of a buffer gives zeros.
    ScalarAllOrNothing "scalar-all-or-nothing",
    ;
    "matrix":
    /// gfx11: the rows of a matrix do not go round the groups of lanes.
    MatrixRowsInOrder "matrix-rows-in-order",
    /// The integers of a matrix are unsigned.
    MatrixIntegersUnsigned "matrix-integers-unsigned",
    /// Sums of integers are cut whatever CLAMP says.
    MatrixClampIgnored "matrix-clamp-ignored",
    /// Results of 16 bits always take the lower half.
    MatrixHalfLow "matrix-half-low",
    /// CDNA: CBSZ and ABID have no say.
    MatrixBlocksOwn "matrix-blocks-own",
    /// CDNA: BLGP has no say.
    MatrixLanesOwn "matrix-lanes-own",
    /// CDNA: rows of a lane follow each other without a step.
    MatrixRunsTogether "matrix-runs-together",
    /// gfx940: products are rounded down instead of cut.
    MatrixCutDown "matrix-cut-down",
    /// gfx940: the accumulator is cut instead of rounded down.
    MatrixSumCut "matrix-sum-cut",
    /// gfx940: all products of eight bits have one sum.
    MatrixBytesTogether "matrix-bytes-together",
    /// gfx940: a product of 2^128 is a number.
    MatrixNoOverflow "matrix-no-overflow",
    /// gfx90a: products are added one after the other.
    MatrixPairsInLine "matrix-pairs-in-line",
    /// gfx90a: subnormal factors count.
    MatrixSubnormalsCount "matrix-subnormals-count",
    /// gfx908: each product is rounded.
    MatrixRoundedEach "matrix-rounded-each",
    /// Sparse: the two indices of a pair change places.
    MatrixIndicesSwapped "matrix-indices-swapped",
    /// Sparse: always the first set of indices.
    MatrixFirstSet "matrix-first-set",
    ;
    "images":
    /// Widths have eight bits.
    ImageWidthNarrow "image-width-narrow",
    /// Levels are half as large, rounded up.
    ImageLevelsRoundUp "image-levels-round-up",
    /// The levels of a tail are not moved.
    ImageTailInPlace "image-tail-in-place",
    /// Pipe and bank bits are added to the offset.
    ImageXorAdded "image-xor-added",
    /// Linear levels lie from large to small.
    ImageLevelsFromLargest "image-levels-from-largest",
    /// Pipes and banks do not turn from slice to slice.
    ImageRotationLost "image-rotation-lost",
    /// Sizes are not padded where there are levels.
    ImagePaddingIgnored "image-padding-ignored",
    /// Of a matrix the upper coordinate bits take no part.
    ImageMatrixNarrow "image-matrix-narrow",
    /// The layer of an array is always the first.
    ImageLayerFirst "image-layer-first",
    /// What is out of range is the texel at the border.
    ImageOutsideClamped "image-outside-clamped",
    /// The mip level of an address has no say.
    ImageMipIgnored "image-mip-ignored",
    /// Registers have the first components, whatever the mask says.
    ImageMaskInOrder "image-mask-in-order",
    /// Atomics are of 32 bits, whatever the mask says.
    ImageAtomicNarrow "image-atomic-narrow",
    /// Footprints begin half a texel late.
    SampleNoHalfTexel "sample-no-half-texel",
    /// One texel is always that of the rounded coordinate.
    SampleNeverTruncates "sample-never-truncates",
    /// Weights are those of the other texel.
    SampleWeightsSwapped "sample-weights-swapped",
    /// What repeats ends at its border.
    SampleWrapEnds "sample-wrap-ends",
    /// Border colours are black.
    SampleBorderBlack "sample-border-black",
    /// A gather begins at the texel above left.
    GatherFromFirst "gather-from-first",
    /// The texel is compared with the reference, not the reference with the texel.
    CompareReversed "compare-reversed",
    /// Texels of sRGB are linear.
    TexelSrgbLinear "texel-srgb-linear",
    /// Shared exponents are one too large.
    TexelSharedBias "texel-shared-bias",
    /// BC1 to BC3: two thirds where there is one.
    TexelThirdsSwapped "texel-thirds-swapped",
    /// BC6: fields have no sign.
    TexelFieldUnsigned "texel-field-unsigned",
    /// Coordinates of a quad are compared when some of them may be written over.
    QuadAfterWrites "quad-after-writes",
    ;
    "interpolation":
    /// All quads of a wave are of its first primitive.
    PrimitiveIgnored "primitive-ignored",
    /// Attributes of one primitive lie next to each other.
    AttributesTogether "attributes-together",
    /// The three parts of a channel lie next to each other.
    ParameterByChannel "parameter-by-channel",
    /// The two slopes are exchanged.
    SlopesSwapped "slopes-swapped",
    /// A load from LDS is for the active lanes alone, not for their quads.
    QuadsByLane "quads-by-lane",
    /// The last lane of a quad gets what lies behind the parameter.
    LastLaneLoads "last-lane-loads",
    /// A parameter of 16 bits is always the lower half.
    ParameterHighIgnored "parameter-high-ignored",
    /// P0 of 16 bits in a register is always the lower half.
    FirstHighIgnored "first-high-ignored",
    /// gfx9 clears the other half of an interpolated value of 16 bits.
    InterpolatedHalfCleared "interpolated-half-cleared",
    /// The number that names one of the three counts from P0.
    SlotsFromFirst "slots-from-first",
    ;
    "export":
    /// Lanes that are not active export too.
    ExportIgnoresExec "export-ignores-exec",
    /// The halves of a compressed export are exchanged.
    ExportHalvesSwapped "export-halves-swapped",
    /// A compressed export takes its last elements from its first register.
    ExportSecondIgnored "export-second-ignored",
    /// A compressed export is not.
    ExportWhole "export-whole",
    /// Elements are exported whatever EN says.
    ExportAll "export-all",
    /// The valid mask is not sent.
    ExportValidLost "export-valid-lost",
    /// The last export does not say so.
    ExportDoneLost "export-done-lost",
    /// The row of a target is always the first.
    ExportRowFirst "export-row-first",
    ;
    "rays":
    /// Boxes do not grow.
    RayGrowIgnored "ray-grow-ignored",
    /// The lower planes are always the nearer ones.
    RayBoxForward "ray-box-forward",
    /// A box that a ray runs along is missed.
    RayNanCounts "ray-nan-counts",
    /// Boxes behind the end of a ray are hit.
    RayExtentIgnored "ray-extent-ignored",
    /// Boxes are always sorted by where the ray enters.
    RayHeuristicIgnored "ray-heuristic-ignored",
    /// The network that sorts boxes lacks its last comparison.
    RaySortShort "ray-sort-short",
    /// Triangles are sorted among boxes.
    RayTrianglesLate "ray-triangles-late",
    /// Every box around the same node counts.
    RayTwiceTheSame "ray-twice-the-same",
    /// The return modes of triangles are exchanged.
    RayReturnModeOther "ray-return-mode-other",
    /// Nodes behind the end of a tree are fetched.
    RaySizeIgnored "ray-size-ignored",
    /// The corners of each triangle of a node follow each other.
    RayTriangleInOrder "ray-triangle-in-order",
    /// What lies behind a ray is hit.
    RayBehindCounts "ray-behind-counts",
    /// Coordinates are not turned back.
    RayTurnIgnored "ray-turn-ignored",
    /// Fractions of a triangle that is turned over keep their signs.
    RayFlipKeepsSigns "ray-flip-keeps-signs",
    /// Fronts are culled as backs.
    RaySidesSwapped "ray-sides-swapped",
    /// Directions of 16 bits are exchanged with their inverses.
    RayHalvesSwapped "ray-halves-swapped",
    /// Planes with short mantissas are not rounded away from their box.
    RayPreciseCut "ray-precise-cut",
    /// Upper quantised planes count from zero.
    RayQuantisedEmpty "ray-quantised-empty",
    /// Oriented boxes stand straight.
    RayTurnOfBoxesIgnored "ray-turn-of-boxes-ignored",
    /// What packed corners share is lost.
    RayPrefixLost "ray-prefix-lost",
    /// Numbers of packed triangles do not share their upper bits.
    RayAnchorIgnored "ray-anchor-ignored",
    /// A range of packed triangles never goes on in the next node.
    RayNodeNeverEnds "ray-node-never-ends",
    /// Every ray sees every instance.
    RayMaskIgnored "ray-mask-ignored",
    /// A ray stays in its space.
    RayInstanceStays "ray-instance-stays",
    /// The space of an instance is not left in the registers of the ray.
    RayNotWritten "ray-not-written",
    /// Words of a stack follow each other.
    StackOneByOne "stack-one-by-one",
    /// The nearest node is pushed first.
    StackNearestFirst "stack-nearest-first",
    /// The last node visited has no say.
    StackLastIgnored "stack-last-ignored",
    /// What is popped stays.
    StackPopKeeps "stack-pop-keeps",
    /// A stack that overflows says nothing of it.
    RingNothingLost "ring-nothing-lost",
    /// A tree in a tree is never left.
    RingNeverLeaves "ring-never-leaves",
    /// A range of triangles does not go on.
    RingRangeStays "ring-range-stays",
    /// The register of a stack keeps its old value.
    StackRegisterStays "stack-register-stays",
    ;
    "dispatch":
    /// Groups count from START although the initiator says that they count from zero.
    FromZeroIgnored "from-zero-ignored",
    /// A dispatch without the bit that enables it runs.
    EnableIgnored "enable-ignored",
    /// The numbers of a packet are counts although groups begin at START.
    EndsAsCounts "ends-as-counts",
    /// The last group is full, whatever the size of a partial one.
    PartialIgnored "partial-ignored",
    /// The size of a partial group counts although the initiator has no bit for it.
    PartialAlways "partial-always",
    /// Dimensions in work-items are taken for groups.
    WorkItemsIgnored "work-items-ignored",
    /// Dimensions in groups are taken for work-items.
    GroupsAsWorkItems "groups-as-work-items",
    /// Waves have 64 lanes, whatever the initiator says.
    Wave32Ignored "wave32-ignored",
    /// The size of a wave's scratch memory is counted by 1024 bytes on gfx11 too.
    TmpringUnits "tmpring-units",
    /// The size of a wave's scratch memory has 13 bits on all processors.
    TmpringNarrow "tmpring-narrow",
    /// The waves of a group share scratch memory.
    ScratchOfGroup "scratch-of-group",
    /// The hardware leaves FLAT_SCRATCH at the memory of all waves.
    FlatScratchOfAll "flat-scratch-of-all",
    /// The offset of scratch memory stands in no SGPR.
    ScratchOffsetMissing "scratch-offset-missing",
    /// Numbers of groups in SGPRs count from zero.
    SgprIdsFromZero "sgpr-ids-from-zero",
    /// Numbers of groups in trap temporaries count from zero.
    TtmpIdsFromZero "ttmp-ids-from-zero",
    /// The third number of a group is in no trap temporary.
    TtmpZLost "ttmp-z-lost",
    /// The number of a wave is in no trap temporary.
    TtmpWaveLost "ttmp-wave-lost",
    /// Numbers of work-items are never packed into one register.
    IdsApart "ids-apart",
    /// The workgroup info has no number of the wave.
    InfoWithoutWave "info-without-wave",
    /// LDS is counted by 512 bytes on gfx6 too.
    LdsUnitsOfGfx6 "lds-units-of-gfx6",
    /// LDS is counted by 1024 bytes on gfx11.
    LdsUnitsOfGfx11 "lds-units-of-gfx11",
    /// A wave that ran another program keeps its vector registers.
    SpareVectorsKept "spare-vectors-kept",
    /// A wave that ran another program keeps its constants.
    SpareConstantsKept "spare-constants-kept",
    ;
}

impl FromStr for Mistake {
    type Err = String;

    fn from_str(name: &str) -> Result<Mistake, String> {
        Mistake::ALL.iter().copied().find(|m| m.name() == name).ok_or_else(|| format!("there is no mistake `{name}`"))
    }
}
