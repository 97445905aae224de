//! Mistakes planted on purpose in the card: a test must notice each of them (`tests/teeth.rs`).
//!
//! A mistake sits at one place in the code, in a condition with `planted!`. The environment variable `WAVEDIFF_MUTANT` names
//! the one of a process, as for the library's ([`wavediff::fault`]): `gpu:chain-returns`. All of this is in debug builds only: else
//! `planted!` is a constant `false`.

use wavediff::fault::{Mutant, mutant};

/// Whether this mistake is planted: `planted!(ChainReturns)`.
macro_rules! planted {
    ($mistake:ident) => {
        cfg!(debug_assertions) && $crate::fault::is_planted($crate::fault::Mistake::$mistake)
    };
}
pub(crate) use planted;

/// Whether a mistake is planted.
pub(crate) fn is_planted(mistake: Mistake) -> bool {
    matches!(mutant(), Some(Mutant::Above(name)) if name == mistake.name())
}

macro_rules! mistakes {
    ($($mistake:ident $name:literal $wrong:literal,)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mistake {
            $(#[doc = $wrong] $mistake,)*
        }

        impl Mistake {
            /// Every mistake.
            pub const ALL: &'static [Mistake] = &[$(Mistake::$mistake,)*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Mistake::$mistake => $name,)*
                }
            }

            /// What is wrong, in words.
            #[must_use]
            pub fn wrong(self) -> &'static str {
                match self {
                    $(Mistake::$mistake => $wrong,)*
                }
            }
        }
    };
}

#[rustfmt::skip]
mistakes! {
    // How a stream is read.
    HeaderCountShort   "header-count-short"   "A packet's body has as many words as its header says, not one more.",
    FillerLong         "filler-long"          "A filler of the longest length has a body.",
    ChainReturns       "chain-returns"        "A chained command buffer returns.",
    CallChains         "call-chains"          "A called command buffer does not return.",
    CondExecInverted   "cond-exec-inverted"   "COND_EXEC skips where the word is set.",
    CondExecGfx6       "cond-exec-gfx6"       "COND_EXEC of gfx6 has its count where later ones have it.",
    PredicateInverted  "predicate-inverted"   "Predicates are inverted.",
    PredicateNarrow    "predicate-narrow"     "Predicates of 64 bits have 32.",
    PredicateStays     "predicate-stays"      "A predicate is not switched off again.",
    PredicateOutlives  "predicate-outlives"   "A predicate holds in the next submission too.",
    // Registers.
    ShBase             "sh-base"              "SET_SH_REG counts from the configuration registers.",
    IndexInNumber      "index-in-number"      "The index of SET_SH_REG_INDEX is part of the register's number.",
    PairsFirstOnly     "pairs-first-only"     "SET_SH_REG_PAIRS sets its first pair only.",
    PackedSecondLost   "packed-second-lost"   "The second register of a packed pair is not set.",
    LoadCountShort     "load-count-short"     "LOAD_SH_REG_INDEX loads one register less.",
    LoadCountLong      "load-count-long"      "LOAD_SH_REG_INDEX loads one register more.",
    RegistersForgotten "registers-forgotten"  "Registers are cleared by each submission.",
    PgmHiIgnored       "pgm-hi-ignored"       "The upper half of the shader's address is lost.",
    StartIgnored       "start-ignored"        "START is not looked at.",
    ThreadsSwapped     "threads-swapped"      "The second and third size of a group change places.",
    UserShifted        "user-shifted"         "User data begin at USER_DATA_1.",
    Rsrc3Lost          "rsrc3-lost"           "RSRC3 is not looked at.",
    ScratchBaseUnits   "scratch-base-units"   "SCRATCH_BASE counts bytes.",
    // Dispatches.
    IndirectOffset     "indirect-offset"      "The offset of DISPATCH_INDIRECT is ignored.",
    IndirectBase       "indirect-base"        "DISPATCH_INDIRECT counts from zero.",
    IndirectLength     "indirect-length"      "The address of DISPATCH_INDIRECT is read as an offset and an initiator.",
    ShaderStale        "shader-stale"         "A shader is known by its address alone, whatever its words are now.",
    ShaderAnyLanes     "shader-any-lanes"     "A shader for waves of 32 and of 64 lanes is the same.",
    InvocationsLost    "invocations-lost"     "Invocations are not counted.",
    DispatchLeaks      "dispatch-leaks"       "A dispatch leaves a hundred bytes behind.",
    // Memory.
    WriteOneAddress    "write-one-address"    "WRITE_DATA to one address goes to rising ones.",
    WriteHighLost      "write-high-lost"      "The upper half of WRITE_DATA's address is lost.",
    CopyDataNarrow     "copy-data-narrow"     "COPY_DATA copies 32 bits.",
    CopyDataImmediate  "copy-data-immediate"  "COPY_DATA takes a number for an address.",
    DmaFillCopies      "dma-fill-copies"      "DMA_DATA takes its word for an address.",
    DmaBarrierCopies   "dma-barrier-copies"   "DMA_DATA without bytes copies a word.",
    DmaPrefetchCopies  "dma-prefetch-copies"  "DMA_DATA to nowhere copies.",
    DmaSizeNarrow      "dma-size-narrow"      "DMA_DATA has 21 bits of size on all processors.",
    DmaSizeWide        "dma-size-wide"        "DMA_DATA has 26 bits of size on all processors.",
    CpDmaFillCopies    "cp-dma-fill-copies"   "CP_DMA takes its word for an address.",
    CopyTailLost       "copy-tail-lost"       "The last bytes of a copy that are no word are lost.",
    CopyAtOnce         "copy-at-once"         "A copy onto what lies just behind its source does not repeat it.",
    AtomicNarrow       "atomic-narrow"        "Atomics of 64 bits have 32.",
    AtomicExchanges    "atomic-exchanges"     "Compare-and-swap does not compare.",
    // Waits and ends.
    WaitMaskIgnored    "wait-mask-ignored"    "WAIT_REG_MEM looks at the whole word.",
    WaitLess           "wait-less"            "WAIT_REG_MEM takes `<=` for `<`.",
    WaitGreater        "wait-greater"         "WAIT_REG_MEM takes `>` for `>=`.",
    WaitRegister       "wait-register"        "WAIT_REG_MEM looks at registers only.",
    ReleaseNarrow      "release-narrow"       "RELEASE_MEM writes 32 bits of 64.",
    ReleaseAlways      "release-always"       "RELEASE_MEM writes where it has nothing to write.",
    EosIgnored         "eos-ignored"          "EVENT_WRITE_EOS writes nothing.",
    ClockStands        "clock-stands"         "The clock stands still.",
    SamplesUnwritten   "samples-unwritten"    "Counters of samples look as if they were not written yet.",
    CounterPlace       "counter-place"        "Invocations stand one counter too early.",
    // The copy engine.
    SdmaCountExact     "sdma-count-exact"     "Counts of the copy engine are never one less.",
    SdmaCountLess      "sdma-count-less"      "Counts of the copy engine are always one less.",
    SdmaWriteShort     "sdma-write-short"     "A write of the copy engine loses its last word.",
    SdmaFenceLost      "sdma-fence-lost"      "The copy engine writes no fences.",
    SdmaPollPasses     "sdma-poll-passes"     "The copy engine does not wait.",
}
