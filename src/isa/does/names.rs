//! The short names of what instructions do, as rows have them.

use super::atomic::{Atomic, Op, Returns, Shape, Width};
use super::{
    Across, Amount, Condition, Control, Conversion, Does, Element, Half, Idle, Interpolate, Item, Lanes, Moved,
    Parameter, Product, Ray, Stack, Texels, Way,
};

/// As many words as the data has registers.
const WORDS: Item = Item::Words(0);

const fn moved(item: Item, half: Half, way: Way) -> Moved {
    Moved { item, half, way }
}

macro_rules! moves {
    ($($name:ident $op:ident $item:expr, $half:ident, $way:expr;)*) => {
        $(#[allow(missing_docs, reason = "a direction, an item, a half, a way")]
        pub const $name: Does = Does::$op(moved($item, Half::$half, $way));)*
    };
}

#[rustfmt::skip]
moves! {
    LOAD_WORDS      Load  WORDS,     Whole, Way::Plain;
    LOAD_U8         Load  Item::U8,  Whole, Way::Plain;
    LOAD_I8         Load  Item::I8,  Whole, Way::Plain;
    LOAD_U16        Load  Item::U16, Whole, Way::Plain;
    LOAD_I16        Load  Item::I16, Whole, Way::Plain;
    LOAD_U8_LO      Load  Item::U8,  Low,   Way::Plain;
    LOAD_I8_LO      Load  Item::I8,  Low,   Way::Plain;
    LOAD_U16_LO     Load  Item::U16, Low,   Way::Plain;
    LOAD_U8_HI      Load  Item::U8,  High,  Way::Plain;
    LOAD_I8_HI      Load  Item::I8,  High,  Way::Plain;
    LOAD_U16_HI     Load  Item::U16, High,  Way::Plain;
    LOAD_TWO        Load  WORDS,     Whole, Way::Two { stride: 1 };
    LOAD_TWO64      Load  WORDS,     Whole, Way::Two { stride: 64 };
    LOAD_TID        Load  WORDS,     Whole, Way::LaneNumber;
    LOAD_BLOCK      Load  WORDS,     Whole, Way::Block;
    LOAD_TRANSPOSED Load  WORDS,     Whole, Way::Transposed;
    LOAD_FORMAT     Load  WORDS,     Whole, Way::Formatted;
    LOAD_FORMAT_LO  Load  WORDS,     Low,   Way::Formatted;
    LOAD_FORMAT_HI  Load  WORDS,     High,  Way::Formatted;
    STORE_WORDS     Store WORDS,     Whole, Way::Plain;
    STORE_8         Store Item::U8,  Whole, Way::Plain;
    STORE_16        Store Item::U16, Whole, Way::Plain;
    STORE_8_HI      Store Item::U8,  High,  Way::Plain;
    STORE_16_HI     Store Item::U16, High,  Way::Plain;
    STORE_TWO       Store WORDS,     Whole, Way::Two { stride: 1 };
    STORE_TWO64     Store WORDS,     Whole, Way::Two { stride: 64 };
    STORE_TID       Store WORDS,     Whole, Way::LaneNumber;
    STORE_BLOCK     Store WORDS,     Whole, Way::Block;
    STORE_FORMAT    Store WORDS,     Whole, Way::Formatted;
    STORE_FORMAT_LO Store WORDS,     Low,   Way::Formatted;
    STORE_FORMAT_HI Store WORDS,     High,  Way::Formatted;
}

macro_rules! atomics {
    ($($name:ident $wide:ident $op:ident;)*) => {
        $(#[allow(missing_docs, reason = "see `Op`")]
        pub const $name: Does = Does::Atomic(Atomic::new(Op::$op, Width::W32));
        #[allow(missing_docs, reason = "see `Op`")]
        pub const $wide: Does = Does::Atomic(Atomic::new(Op::$op, Width::W64));)*
    };
}

#[rustfmt::skip]
atomics! {
    SWAP      SWAP_X2      Swap;
    CMPSWAP   CMPSWAP_X2   CmpSwap;
    FCMPSWAP  FCMPSWAP_X2  FCmpSwap;
    ADD       ADD_X2       Add;
    SUB       SUB_X2       Sub;
    RSUB      RSUB_X2      RSub;
    SMIN      SMIN_X2      SMin;
    UMIN      UMIN_X2      UMin;
    SMAX      SMAX_X2      SMax;
    UMAX      UMAX_X2      UMax;
    AND       AND_X2       And;
    OR        OR_X2        Or;
    XOR       XOR_X2       Xor;
    INC       INC_X2       Inc;
    DEC       DEC_X2       Dec;
    SUB_CLAMP SUB_CLAMP_X2 SubClamp;
    COND_SUB  COND_SUB_X2  CondSub;
    WRAP      WRAP_X2      Wrap;
    MSKOR     MSKOR_X2     MskOr;
    CONDXCHG  CONDXCHG_X2  CondXchg;
    ORDERED   ORDERED_X2   OrderedAdd;
    FMIN      FMIN_X2      FMin;
    FMAX      FMAX_X2      FMax;
    FADD      FADD_X2      FAdd;
    PK_F16    PK_F16_X2    PkAddF16;
    PK_BF16   PK_BF16_X2   PkAddBf16;
}

const fn changed(does: Does, shape: Shape, returns: Returns) -> Does {
    match does {
        Does::Atomic(atomic) => Does::Atomic(Atomic { shape, returns, ..atomic }),
        _ => does,
    }
}

/// An atomic that returns what was there, whatever it is asked: of LDS by its name.
#[must_use]
pub const fn returning(does: Does) -> Does {
    changed(does, Shape::One, Returns::Always)
}

/// An atomic that never returns what was there: of LDS by its name, of memory where there is no form that does.
#[must_use]
pub const fn never(does: Does) -> Does {
    changed(does, Shape::One, Returns::Never)
}

/// An atomic of LDS with data from a second address.
#[must_use]
pub const fn source(does: Does) -> Does {
    changed(does, Shape::Source, Returns::Never)
}

/// An atomic of LDS at two addresses, whose offsets count elements, or 64 of them.
#[must_use]
pub const fn two(does: Does, stride64: bool) -> Does {
    changed(does, Shape::Two { stride64 }, Returns::Always)
}

/// The compare and swap of LDS up to gfx10: what is compared comes first.
#[must_use]
pub const fn compare_first(does: Does) -> Does {
    match does {
        Does::Atomic(atomic) => Does::Atomic(Atomic { compare_first: true, ..atomic }),
        _ => does,
    }
}

/// Adds the number of active lanes, once a wave, and returns what was there.
pub const APPEND: Does = changed(ADD, Shape::Wave, Returns::Always);
/// Subtracts it.
pub const CONSUME: Does = changed(SUB, Shape::Wave, Returns::Always);

macro_rules! plain {
    ($($name:ident = $does:expr;)*) => {
        $(#[allow(missing_docs, reason = "see what stands behind it")]
        pub const $name: Does = $does;)*
    };
}

#[rustfmt::skip]
plain! {
    SAVE_EXEC        = Does::CombinesExec { saves: true };
    WRITE_EXEC       = Does::CombinesExec { saves: false };
    NOP              = Does::Idle(Idle::Nop);
    HINT             = Does::Idle(Idle::Hint);
    WAIT             = Does::Idle(Idle::Wait);
    CACHE            = Does::Idle(Idle::Cache);
    PREFETCH         = Does::Idle(Idle::Prefetch);
    CLOCK            = Does::Clock;
    WAVE_NUMBER      = Does::WaveNumber;
    EXPORT           = Does::Exports;
    NAMED_BARRIER    = Does::Unknown("named barriers: gfx12.5 has them, what gfx12.0 does instead no public source says");

    SYNC_INIT        = Does::Across(Across::Init);
    SYNC_RELEASE     = Does::Across(Across::Release);
    SYNC_SOME        = Does::Across(Across::ReleaseSome);
    SYNC_ALL         = Does::Across(Across::ReleaseAll);
    SYNC_ACQUIRE     = Does::Across(Across::Acquire);
    SYNC_MEET        = Does::Across(Across::Meet);
    ORDERED_COUNT    = Does::Across(Across::Ordered);
    ADD_REGISTER     = Does::Across(Across::Register { subtracts: false });
    SUB_REGISTER     = Does::Across(Across::Register { subtracts: true });

    LOAD_TEXEL       = Does::Texels(Texels::Load(Conversion::Format));
    LOAD_RAW         = Does::Texels(Texels::Load(Conversion::Raw { signed: false }));
    LOAD_RAW_SIGNED  = Does::Texels(Texels::Load(Conversion::Raw { signed: true }));
    LOAD_SAMPLES     = Does::Texels(Texels::LoadSamples);
    STORE_TEXEL      = Does::Texels(Texels::Store(Conversion::Format));
    STORE_RAW        = Does::Texels(Texels::Store(Conversion::Raw { signed: false }));
    DESCRIBE         = Does::Texels(Texels::Describe);
    SAMPLE_TEXEL     = Does::Texels(Texels::Sample);
    GATHER_TEXELS    = Does::Texels(Texels::Gather);
    GATHER_ROW       = Does::Texels(Texels::GatherRow);
    SAMPLE_LEVEL     = Does::Texels(Texels::Level);

    RAY_NODE         = Does::Ray(Ray::One);
    RAY_NODES        = Does::Ray(Ray::Two);
    RAY_EIGHT        = Does::Ray(Ray::Eight);
    STACK4           = Does::Stack(Stack { pushes: 4, pops: 1 });
    STACK8           = Does::Stack(Stack { pushes: 8, pops: 1 });
    STACK8_POP2      = Does::Stack(Stack { pushes: 8, pops: 2 });

    READ_FIRST       = Does::Lanes(Lanes::ReadFirst);
    READ_LANE        = Does::Lanes(Lanes::Read);
    WRITE_LANE       = Does::Lanes(Lanes::Write);
    PERMUTE16        = Does::Lanes(Lanes::Permute16 { cross: false, by_lane: false });
    PERMUTE16_CROSS  = Does::Lanes(Lanes::Permute16 { cross: true, by_lane: false });
    PERMUTE16_VAR    = Does::Lanes(Lanes::Permute16 { cross: false, by_lane: true });
    PERMUTE16_CROSS_VAR = Does::Lanes(Lanes::Permute16 { cross: true, by_lane: true });
    PERMUTE64        = Does::Lanes(Lanes::Permute64);
    EXCHANGE         = Does::Lanes(Lanes::Swap);
    EXCHANGE_HALVES  = Does::Lanes(Lanes::SwapHalves);
    EXCHANGE_REL     = Does::Lanes(Lanes::SwapRelative);
    MOVE             = Does::Lanes(Lanes::Move);
    SWIZZLE_LANES    = Does::Lanes(Lanes::Swizzle);
    PERMUTE          = Does::Lanes(Lanes::Permute);
    BPERMUTE         = Does::Lanes(Lanes::Bpermute { fetch_inactive: false });
    BPERMUTE_FI      = Does::Lanes(Lanes::Bpermute { fetch_inactive: true });
    INTERP_FIRST     = Does::Lanes(Lanes::Parameter(Parameter::First));
    INTERP_SECOND    = Does::Lanes(Lanes::Parameter(Parameter::Second));
    INTERP_MOVE      = Does::Lanes(Lanes::Parameter(Parameter::Move));
    INTERP_FIRST_LL  = Does::Lanes(Lanes::Parameter(Parameter::FirstOfHalves { register: false }));
    INTERP_FIRST_LV  = Does::Lanes(Lanes::Parameter(Parameter::FirstOfHalves { register: true }));
    INTERP_SECOND_16 = Does::Lanes(Lanes::Parameter(Parameter::SecondOfHalves));
    PARAMETER_LOAD   = Does::Lanes(Lanes::Parameter(Parameter::Load));
    DIRECT_LOAD      = Does::Lanes(Lanes::Direct);
    SCALAR_FUNCTION  = Does::Lanes(Lanes::ScalarFunction);
    CLEAR_EXCEPTIONS = Does::Lanes(Lanes::ClearExceptions);

    END              = Does::Control(Control::End);
    HALT             = Does::Control(Control::Halt);
    TRAP             = Does::Control(Control::Trap);
    CODE_END         = Does::Control(Control::CodeEnd);
    BRANCH           = Does::Control(Control::Branch(Condition::Always));
    IF_SCC0          = Does::Control(Control::Branch(Condition::Scc(false)));
    IF_SCC1          = Does::Control(Control::Branch(Condition::Scc(true)));
    IF_VCCZ          = Does::Control(Control::Branch(Condition::VccZero(true)));
    IF_VCCNZ         = Does::Control(Control::Branch(Condition::VccZero(false)));
    IF_EXECZ         = Does::Control(Control::Branch(Condition::ExecZero(true)));
    IF_EXECNZ        = Does::Control(Control::Branch(Condition::ExecZero(false)));
    IF_DEBUGGER      = Does::Control(Control::Branch(Condition::Debugger));
    BARRIER_WAIT     = Does::Control(Control::Barrier);
    BARRIER_SIGNAL   = Does::Control(Control::BarrierSignal { asks_first: false });
    BARRIER_FIRST    = Does::Control(Control::BarrierSignal { asks_first: true });
    BARRIER_STATE    = Does::Control(Control::BarrierState);
    BARRIER_LEAVE    = Does::Control(Control::BarrierLeave);
    SEND             = Does::Control(Control::Send);
    SEND_AND_HALT    = Does::Control(Control::SendAndHalt);
    SEND_RETURN      = Does::Control(Control::SendReturn { wide: false });
    SEND_RETURN_X2   = Does::Control(Control::SendReturn { wide: true });
    GET_PC           = Does::Control(Control::GetPc);
    SET_PC           = Does::Control(Control::SetPc);
    TRAP_RETURN      = Does::Control(Control::TrapReturn);
    SWAP_PC          = Does::Control(Control::SwapPc);
    CALL             = Does::Control(Control::Call);
    MOVRELS          = Does::Control(Control::MoveRelativeSource { words: 1 });
    MOVRELS_X2       = Does::Control(Control::MoveRelativeSource { words: 2 });
    MOVRELD          = Does::Control(Control::MoveRelativeDestination { words: 1 });
    MOVRELD_X2       = Does::Control(Control::MoveRelativeDestination { words: 2 });
    MOVRELSD         = Does::Control(Control::MoveRelativeBoth);
    GET_REG          = Does::Control(Control::GetReg);
    SET_REG          = Does::Control(Control::SetReg);
    ROUND_MODE       = Does::Control(Control::RoundMode);
    DENORM_MODE      = Does::Control(Control::DenormMode);
    FORK_REGISTER    = Does::Control(Control::ForkToRegister);
    FORK_LABEL       = Does::Control(Control::ForkToLabel);
    JOIN             = Does::Control(Control::Join);
    SUBVECTOR_BEGIN  = Does::Control(Control::SubvectorBegin);
    SUBVECTOR_END    = Does::Control(Control::SubvectorEnd);
    SET_VSKIP        = Does::Control(Control::SetVskip);
    GPR_INDEX_ON     = Does::Control(Control::GprIndexOn);
    GPR_INDEX_OFF    = Does::Control(Control::GprIndexOff);
    GPR_INDEX        = Does::Control(Control::GprIndex);
    GPR_INDEX_MODE   = Does::Control(Control::GprIndexMode);
}

/// A move of a vector register with M0 added to the numbers.
#[must_use]
pub const fn relative(src: Amount, dst: Amount) -> Does {
    Does::Lanes(Lanes::MoveRelative { src, dst })
}

/// A pass of interpolation.
#[must_use]
pub const fn interpolate(second: bool, half: bool, toward_zero: bool) -> Does {
    Does::Lanes(Lanes::Interpolate(Interpolate { second, half, toward_zero }))
}

/// A product of matrices of 16 rows and columns.
#[must_use]
pub const fn product(sum: Element, a: Element, b: Element, depth: u32) -> Does {
    products(sum, a, b, 16, depth, 1)
}

/// So many products of matrices of so many rows and columns.
#[must_use]
pub const fn products(sum: Element, a: Element, b: Element, size: u32, depth: u32, blocks: u32) -> Does {
    Does::Product(Product { sum, a, b, size, depth, blocks, sparse: false })
}

/// A product whose first matrix has half of its elements.
#[must_use]
pub const fn sparse(sum: Element, a: Element, b: Element, size: u32, depth: u32) -> Does {
    Does::Product(Product { sum, a, b, size, depth, blocks: 1, sparse: true })
}
