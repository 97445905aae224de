//! Wrong meanings, planted on purpose: the comparison with the emulator must find each of them.
//!
//! A translation with a fault is wrong in one way. `tests/spirv_teeth.rs` plants them one at a time and sees that the tests notice; nothing else
//! uses them. What concerns one place is decided there; what float functions do wrong is decided [here](Spirv::faulty), in front of the call.

use super::alg::{Spirv, Truth, Word};
use super::functions::Function;
use super::soft::{Prim, Value};
use crate::isa::sem::{Alg, Cmp};
use std::str::FromStr;

macro_rules! faults {
    ($($group:literal: $($(#[$doc:meta])* $fault:ident $name:literal,)*;)*) => {
        /// What goes wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum Fault {
            $($($(#[$doc])* $fault,)*)*
        }

        impl Fault {
            /// Every fault.
            pub const ALL: &'static [Fault] = &[$($(Fault::$fault,)*)*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(Fault::$fault => $name,)*)*
                }
            }

            /// What it concerns.
            #[must_use]
            pub fn group(self) -> &'static str {
                match self {
                    $($(Fault::$fault)|* => $group,)*
                }
            }
        }
    };
}

faults! {
    "integer":
    /// The operands of a subtraction change places.
    SubSwapped "sub-swapped",
    /// The upper half of a sum of 64 bits does not get the carry.
    CarryLost "carry-lost",
    /// The upper half of a difference of 64 bits does not give the borrow.
    BorrowLost "borrow-lost",
    /// A product of 64 bits has the product of the lower halves alone.
    CrossLost "cross-lost",
    /// The upper half of an unsigned product is that of a signed one.
    MulhiUnsignedSigned "mulhi-unsigned-signed",
    /// The upper half of a signed product is that of an unsigned one.
    MulhiSignedUnsigned "mulhi-signed-unsigned",
    /// A shift to the left by 32 and more gives zero: the count is not taken modulo the width.
    ShiftBeyond "shift-beyond",
    /// Zeros come in where signs should.
    SarLogical "sar-logical",
    /// A shift of 64 bits by exactly 32 takes the way of the shorter ones.
    FarAbove32 "far-above-32",
    /// Nothing comes from the upper half in a shift of 64 bits to the right.
    FunnelLost "funnel-lost",
    /// Unsigned words are compared as signed ones.
    LtUSigned "lt-u-signed",
    /// Signed words are compared as unsigned ones.
    LtSUnsigned "lt-s-unsigned",
    /// Unsigned comparisons of 64 bits look at the upper halves alone.
    LtUHighOnly "lt-u-high-only",
    /// Signed comparisons of 64 bits are unsigned.
    LtSWideUnsigned "lt-s-wide-unsigned",
    /// Equality of 64 bits looks at the lower halves alone.
    EqLowOnly "eq-low-only",
    /// A selection takes the other side.
    SelSwapped "sel-swapped",
    /// One zero too many is counted from the top.
    ClzOff "clz-off",
    /// The zeros of a lower half that is zero are not counted from below.
    CtzHighHalfOff "ctz-high-half-off",
    /// The bits of a word are not reversed.
    BrevDropped "brev-dropped",
    /// Reversing 64 bits leaves the halves where they are.
    BrevHalvesStay "brev-halves-stay",
    /// The bits of the lower half are counted alone.
    PopcountLowOnly "popcount-low-only",
    /// The zeros of an upper half that is zero are not counted.
    ClzLowHalfOff "clz-low-half-off",
    /// A word is extended by zeros instead of its sign.
    SextZext "sext-zext",
    ;
    "float":
    /// Everything is rounded to nearest even, whatever MODE says.
    RoundingIgnored "rounding-ignored",
    /// Denormals are never flushed.
    DenormalsKept "denormals-kept",
    /// Denormals are always flushed.
    DenormalsFlushed "denormals-flushed",
    /// f16 is rounded and flushed by the bits of f32.
    HalfBySingle "half-by-single",
    /// Signaling NaNs pass as they are, whatever the IEEE bit says.
    NanNotQuieted "nan-not-quieted",
    /// f16 overflows to infinity although `FP16_OVFL` is set.
    OverflowFlagIgnored "overflow-flag-ignored",
    /// Clamping keeps NaNs, whatever `DX10_CLAMP` says.
    ClampKeepsNan "clamp-keeps-nan",
    /// Results are not clamped.
    ClampDropped "clamp-dropped",
    /// The output modifier does nothing.
    OmodDropped "omod-dropped",
    /// The f16 sources of mixed precision are taken as f32.
    WidenDropped "widen-dropped",
    /// The smaller of a number and a NaN is the NaN.
    MinOfNan "min-of-nan",
    /// Comparisons hold of NaNs where they must not.
    CmpUnordered "cmp-unordered",
    /// The product of a fused operation is rounded before the sum.
    FmaRoundsTwice "fma-rounds-twice",
    /// The operands of a difference of floats change places.
    FloatSubSwapped "float-sub-swapped",
    /// A float becomes the nearest integer instead of the next one towards zero.
    ConvertNearest "convert-nearest",
    /// A signed integer becomes a float as an unsigned one.
    ConvertUnsigned "convert-unsigned",
    /// The next lower whole number is the next one towards zero.
    FloorTruncates "floor-truncates",
    /// The end of a division takes the numerator for the denominator.
    FixupSwapped "fixup-swapped",
    /// The start of a division does not say that it scaled.
    ScaleFlagLost "scale-flag-lost",
    ;
    "vector":
    /// Results are written in inactive lanes as well.
    ExecIgnored "exec-ignored",
    /// In waves of 64, each half obeys the other half's EXEC.
    ExecHalvesSwapped "exec-halves-swapped",
    /// Inactive lanes set bits of a mask as well.
    MaskNotAnded "mask-not-anded",
    /// In waves of 64, the upper half of a mask is not written.
    MaskHighLost "mask-high-lost",
    /// Every lane takes the carry, or the side of a selection, of lane 0.
    CarryOfLaneZero "carry-of-lane-zero",
    /// Operands are not negated.
    NegDropped "neg-dropped",
    /// Absolute values are not taken.
    AbsDropped "abs-dropped",
    /// The absolute value is taken behind the negation.
    AbsBehindNeg "abs-behind-neg",
    /// The lower half of a register is read for the upper one.
    HighDropped "high-dropped",
    /// SDWA takes whole sources.
    SelectDropped "select-dropped",
    /// What SDWA selects is not sign-extended.
    SextDropped "sext-dropped",
    /// SDWA writes the lowest part whatever is selected.
    DstSelectLow "dst-select-low",
    /// What SDWA does not write becomes zero instead of staying.
    UnusedCleared "unused-cleared",
    /// What SDWA does not write becomes zero instead of the sign.
    UnusedNoSign "unused-no-sign",
    /// Writing the lower half of a register clears the upper one.
    HalfNotKept "half-not-kept",
    /// What belongs in the upper half of a register goes to the lower one.
    HighWrittenLow "high-written-low",
    /// The upper of two elements that are one operand is not negated.
    PackedHighNeg "packed-high-neg",
    /// The upper of two elements that are one operand comes from the other half.
    PackedHighSelect "packed-high-select",
    /// The upper word of a result of 64 bits is not written.
    WideResultCut "wide-result-cut",
    /// The second of dual instructions reads what the first has written.
    DualOrder "dual-order",
    /// The row mask of DPP has no effect.
    DppRowMask "dpp-row-mask",
    /// The bank mask of DPP has no effect.
    DppBankMask "dpp-bank-mask",
    /// Lanes that read nothing by DPP stay, although bound control says zero.
    DppBoundControl "dpp-bound-control",
    /// DPP reads inactive lanes.
    DppReadsInactive "dpp-reads-inactive",
    /// DPP shifts go round within the row.
    DppWraps "dpp-wraps",
    /// The lanes of DPP8 are counted from the other end.
    Dpp8Reversed "dpp8-reversed",
    ;
    "lanes":
    /// The first active lane is always lane 0.
    FirstLaneZero "first-lane-zero",
    /// A lane number is not taken modulo the size of the wave.
    LaneNotWrapped "lane-not-wrapped",
    /// A lane is written only if it is active.
    WritelaneByExec "writelane-by-exec",
    /// Permutations read inactive lanes.
    PermuteReadsInactive "permute-reads-inactive",
    /// Permutations across rows stay in the row.
    PermuteSameRow "permute-same-row",
    /// The upper eight lanes of a row are chosen as the lower eight.
    PermuteLowSelectors "permute-low-selectors",
    /// The halves of a wave do not change places.
    HalvesStay "halves-stay",
    /// The second register of a swap gets its own value back.
    SwapLosesOne "swap-loses-one",
    ;
    "scalar":
    /// Scalar instructions do not write SCC.
    SccKept "scc-kept",
    /// Scalar instructions read SCC inverted.
    SccInInverted "scc-in-inverted",
    /// The upper word of a scalar result of 64 bits is not written.
    ScalarHighKept "scalar-high-kept",
    /// The mask saved is the new one.
    SaveexecNew "saveexec-new",
    /// The old EXEC is written instead of the new one.
    WrexecOld "wrexec-old",
    /// Instructions that make EXEC do not say in SCC whether a lane is left.
    ExecSccKept "exec-scc-kept",
    /// The program counter read is that of the instruction itself.
    GetpcOff "getpc-off",
    /// Fields of hardware registers are read from bit 0.
    GetregUnshifted "getreg-unshifted",
    /// Fields of hardware registers are written as if they began at bit 0.
    SetregUnshifted "setreg-unshifted",
    /// M0 is not added to the numbers of scalar registers.
    MovrelIgnored "movrel-ignored",
    /// A scalar register beyond the last is read as zero instead of the first.
    MovrelBeyond "movrel-beyond",
    ;
    "control":
    /// Branches on SCC go the other way.
    BranchInverted "branch-inverted",
    /// VCC counts as zero if its lower half is.
    VcczLowOnly "vccz-low-only",
    /// EXEC counts as zero if its lower half is.
    ExeczLowOnly "execz-low-only",
    /// Calls return to the word behind the one that they should.
    CallReturnsBeyond "call-returns-beyond",
    /// A wave does not wait at a barrier.
    BarrierPassed "barrier-passed",
    /// A subvector loop does not save the upper half of EXEC.
    SubvectorUnsaved "subvector-unsaved",
    /// The smaller side of a fork is put off instead of the larger one.
    ForkSidesSwapped "fork-sides-swapped",
    /// The stack of forks does not shrink at a join.
    ForkDepthKept "fork-depth-kept",
    /// Messages come without M0.
    MessageWithoutM0 "message-without-m0",
    /// Lanes that are not active export too.
    ExportIgnoresExec "export-ignores-exec",
    /// The halves of a compressed export are exchanged.
    ExportHalvesSwapped "export-halves-swapped",
    /// All quads of a wave are of its first primitive.
    PrimitiveIgnored "primitive-ignored",
    /// A load of parameters is for the active lanes alone, not for their quads.
    QuadsByLane "quads-by-lane",
    /// A trap does not say its number.
    TrapNumberLost "trap-number-lost",
    /// A trap saves the place behind itself.
    TrapSavesNext "trap-saves-next",
    /// The way back from a trap handler leaves the wave privileged.
    TrapReturnKeepsPriv "trap-return-keeps-priv",
    /// What a trap handler writes into STATUS does not come back to SCC.
    StatusSccKept "status-scc-kept",
    /// SCC is not stored when the wave stops.
    EpilogueWithoutScc "epilogue-without-scc",
    /// MODE is zero when the wave goes on.
    PrologueWithoutMode "prologue-without-mode",
    ;
    "moves":
    /// M0 is not added to the number of a vector source.
    VectorMoveIgnored "vector-move-ignored",
    /// A vector destination beyond the last register is v0, instead of none.
    VectorMoveBeyond "vector-move-beyond",
    ;
    "matrix":
    /// Every group of lanes has the rows of the first one.
    MatrixRowsInOrder "matrix-rows-in-order",
    /// The integers of a matrix are unsigned.
    MatrixUnsigned "matrix-unsigned",
    /// The groups of lanes that share A have each other's parts of it.
    MatrixGroupsSwapped "matrix-groups-swapped",
    ;
    "memory":
    /// Four bytes more than a buffer has are in range.
    BoundShifted "bound-shifted",
    /// Storing a byte or a half writes the whole word.
    ByteMaskLost "byte-mask-lost",
    /// Swizzled buffers are linear.
    SwizzleIgnored "swizzle-ignored",
    /// Every register of a formatted access has the next component.
    ComponentWrong "component-wrong",
    /// What is loaded as a small signed integer is not extended by its sign.
    LoadSignLost "load-sign-lost",
    /// The offsets of instructions with two addresses in LDS count half.
    LdsOffsetScaled "lds-offset-scaled",
    /// Up to gfx8: M0 is no limit of LDS.
    LdsLimitIgnored "lds-limit-ignored",
    /// Up to gfx8: addresses in LDS are not aligned.
    LdsUnaligned "lds-unaligned",
    /// The global data share: M0 has no base.
    GdsBaseLost "gds-base-lost",
    /// The global data share: M0 has no size.
    GdsSizeIgnored "gds-size-ignored",
    /// The global data share: from gfx11 on all active lanes take part.
    GdsAllLanes "gds-all-lanes",
    /// Signals to a barrier are nothing, though a wave asks for them.
    SignalsLost "signals-lost",
    /// Ways through boxes do not grow.
    RayGrowLost "ray-grow-lost",
    /// A tree has no end.
    RaySizeIgnored "ray-size-ignored",
    /// Boxes come as they lie in the node.
    BoxesUnsorted "boxes-unsorted",
    /// A stack takes the children of a node that was visited again from the first.
    StackVisitedForgotten "stack-visited-forgotten",
    /// An atomic returns what it wrote instead of what was there.
    AtomicReturnsNew "atomic-returns-new",
    /// An increment never starts again at zero.
    IncNeverWraps "inc-never-wraps",
    /// A transposing load takes bytes from the lanes that halves come from.
    TransposedAsHalves "transposed-as-halves",
    /// The lanes of an atomic come in the other order.
    LanesReversed "lanes-reversed",
    /// Inactive lanes store as well.
    StoreExecIgnored "store-exec-ignored",
    /// The words of scratch memory of a lane follow each other.
    ScratchStraight "scratch-straight",
    /// Scalar loads do not drop the low bits of an address.
    SmemUnaligned "smem-unaligned",
    /// Scalar loads from a buffer are always in range.
    ScalarBoundIgnored "scalar-bound-ignored",
    /// What is stored as a normalised integer is cut instead of rounded.
    NormTruncated "norm-truncated",
    /// Of an unaligned word only the bytes in the first word of memory are loaded.
    StraddleLost "straddle-lost",
    /// The bytes behind the border of two regions are not loaded.
    BorderLost "border-lost",
    /// The offset of an instruction is not added.
    OffsetLost "offset-lost",
    /// The lower half of a register is stored for the upper one.
    HighStoredLow "high-stored-low",
    /// Loading half a register clears the other half.
    HalfLoadClears "half-load-clears",
    ;
    "images":
    /// Every level is the first one.
    ImageLevelIgnored "image-level-ignored",
    /// What is XORed to offsets in a block is added.
    ImageConstantAdded "image-constant-added",
    /// Pipe and bank do not turn from slice to slice.
    ImageRotationLost "image-rotation-lost",
    /// Levels in a tail lie where it begins.
    ImageTailInPlace "image-tail-in-place",
    /// Layers behind the last one are there.
    ImageLayerUnchecked "image-layer-unchecked",
    /// The components of a mask are the first ones.
    ImageMaskInOrder "image-mask-in-order",
    /// sRGB bytes are linear.
    ImageSrgbLinear "image-srgb-linear",
    /// The weights of two texels change places.
    ImageWeightsSwapped "image-weights-swapped",
    ;
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(name: &str) -> Result<Fault, String> {
        Fault::ALL.iter().copied().find(|f| f.name() == name).ok_or_else(|| format!("there is no fault `{name}`"))
    }
}

/// The bits of MODE.
mod mode {
    pub const ROUND: u32 = 0xf;
    pub const DENORMALS: u32 = 0xf0;
    pub const SINGLE: u32 = 0x33;
    pub const DX10_CLAMP: u32 = 1 << 8;
    pub const IEEE: u32 = 1 << 9;
    pub const FP16_OVFL: u32 = 1 << 23;
}

impl<'m> Spirv<'m> {
    /// What a call of a float function gives where the fault concerns it.
    pub(super) fn faulty(&self, function: Function, args: &[Value<Self>]) -> Option<Vec<Value<Self>>> {
        let fault = self.fault?;
        let k = self.right();
        let with = |mode: Word| {
            let mut k = k;
            k.mode = mode;
            Some(k.call(function, args))
        };
        let without = |bits: u32| with(k.mask(k.mode, !bits));
        let instead = |prim: Prim| Some(k.call(Function::Prim(prim), args));
        let prim = if let Function::Prim(prim) = function { Some(prim) } else { None };
        match (fault, function) {
            (Fault::RoundingIgnored, _) => without(mode::ROUND),
            (Fault::DenormalsKept, _) => with(k.or(k.mode, k.w(mode::DENORMALS))),
            (Fault::DenormalsFlushed, _) => without(mode::DENORMALS),
            (Fault::HalfBySingle, _) if prim.is_some_and(|p| p.name().ends_with("_f16")) => {
                let single = k.mask(k.mode, mode::SINGLE);
                let others = k.mask(k.mode, !(mode::SINGLE << 2));
                with(k.or(others, k.shli(single, 2)))
            }
            (Fault::NanNotQuieted, _) => without(mode::IEEE),
            (Fault::OverflowFlagIgnored, _) => without(mode::FP16_OVFL),
            (Fault::ClampKeepsNan, Function::Clamp(_)) => without(mode::DX10_CLAMP),
            (Fault::ClampDropped, Function::Clamp(_))
            | (Fault::OmodDropped, Function::Omod(..))
            | (Fault::WidenDropped, Function::Widen) => Some(args.to_vec()),
            (Fault::MinOfNan, Function::Prim(Prim::min_f32)) => instead(Prim::minimum_f32),
            (Fault::CmpUnordered, Function::Prim(Prim::cmp_f32 { op })) => instead(Prim::cmp_f32 { op: unordered(op) }),
            (Fault::FmaRoundsTwice, Function::Prim(Prim::fma_f32)) => {
                let product = k.call(Function::Prim(Prim::mul_f32), &args[..2]);
                Some(k.call(Function::Prim(Prim::add_f32), &[product[0], args[2]]))
            }
            (Fault::FloatSubSwapped, Function::Prim(Prim::sub_f32)) => Some(k.call(function, &[args[1], args[0]])),
            (Fault::ConvertNearest, Function::Prim(Prim::i32_of_f32)) => instead(Prim::i32_of_f32_nearest),
            (Fault::ConvertUnsigned, Function::Prim(Prim::f32_of_i32)) => instead(Prim::f32_of_u32),
            (Fault::FloorTruncates, Function::Prim(Prim::floor_f32)) => instead(Prim::trunc_f32),
            (Fault::FixupSwapped, Function::Prim(Prim::div_fixup_f32)) => {
                Some(k.call(function, &[args[0], args[2], args[1]]))
            }
            (Fault::ScaleFlagLost, Function::Prim(Prim::div_scale_f32)) => {
                Some(vec![k.call(function, args)[0], Value::C(Truth::Known(false))])
            }
            _ => None,
        }
    }
}

/// The comparison that holds of the same numbers, and of NaNs.
fn unordered(op: Cmp) -> Cmp {
    match op {
        Cmp::Lt => Cmp::Nge,
        Cmp::Eq => Cmp::Nlg,
        Cmp::Le => Cmp::Ngt,
        Cmp::Gt => Cmp::Nle,
        Cmp::Lg => Cmp::Neq,
        Cmp::Ge => Cmp::Nlt,
        other => other,
    }
}
