//! The instructions of R600 and R700, one line each.
//!
//! These are the 182 of the manual (chapters 7 and 8), and behind each group those that compilers emit or know beyond them. Opcodes
//! have three columns: as revision 0.31 of the manual prints them, and as R600 and R700 have them (LLVM and Mesa agree). Two
//! instructions have no opcode on chips: PRED_SETLT_INT and PRED_SETLE_INT, in whose place chips kill pixels; which fact is missing
//! is whether they exist.
//!
//! Units too are a column for each chip: R700 shifts in any slot, R600 in t alone.

use super::does::Cmp::*;
use super::does::Does::*;
use super::does::Num::*;
use super::does::{Around, Axis, Does, Limit, Lod, Loop, Query, Scale, Space, ToAddress, Truth, Zero};
use super::{Chip, Machine, Opcodes};

/// Which words an instruction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Control flow.
    Cf,
    /// Control flow that begins an ALU clause.
    CfAlu,
    /// Control flow that exports, or goes to memory.
    Export,
    /// ALU with up to two sources.
    Op2,
    /// ALU with three sources.
    Op3,
    /// Texture fetch.
    Tex,
    /// Vertex fetch.
    Vtx,
}

impl Class {
    /// All of them.
    pub const ALL: [Class; 7] = [Cf, CfAlu, Export, Op2, Op3, Tex, Vtx];

    /// Where its instructions stand.
    #[must_use]
    pub fn place(self) -> Place {
        match self {
            Cf | CfAlu | Export => Place::Flow,
            Op2 | Op3 => Place::Alu,
            Tex | Vtx => Place::Fetch,
        }
    }
}

/// Where instructions stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// In control flow.
    Flow,
    /// In ALU clauses.
    Alu,
    /// In fetch clauses.
    Fetch,
}

/// Which units of the group may execute an ALU instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// Any: the vector unit of the element that is written, or t.
    Any,
    /// The vector unit of the element that is written.
    Vector,
    /// All four vector units at once.
    Reduction,
    /// t.
    Trans,
}

use Class::*;
use Units::{Any as ANY, Reduction as REDUCE, Trans as TRANS, Vector as VECTOR};

/// One instruction.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// The name, as compilers print it.
    pub name: &'static str,
    /// The manual's name, where it is another one.
    pub also: &'static str,
    /// The class.
    pub class: Class,
    /// Opcodes: as the manual prints them, on R600, on R700.
    codes: [u16; 3],
    /// Units on R600 and R700, for ALU instructions.
    units: [Units; 2],
    /// How many sources are read, for ALU instructions.
    pub sources: u8,
    /// What it does.
    pub does: Does,
}

/// No opcode.
const NO: u16 = u16::MAX;

impl Row {
    /// The opcode on a machine.
    #[must_use]
    pub fn code(&self, machine: Machine) -> Option<u32> {
        let code = match (machine.opcodes, machine.chip) {
            (Opcodes::Manual, _) => self.codes[0],
            (Opcodes::Hardware, Chip::R600) => self.codes[1],
            (Opcodes::Hardware, Chip::R700) => self.codes[2],
        };
        (code != NO).then_some(u32::from(code))
    }

    /// The units on a chip.
    #[must_use]
    pub fn units(&self, chip: Chip) -> Units {
        self.units[chip as usize]
    }

    /// The name that the manual prints.
    #[must_use]
    pub fn manual_name(&self) -> &'static str {
        if self.also.is_empty() { self.name } else { self.also }
    }
}

const fn row(class: Class, name: &'static str, also: &'static str, codes: [u16; 3], does: Does) -> Row {
    Row { name, also, class, codes, units: [ANY, ANY], sources: 0, does }
}

#[expect(clippy::too_many_arguments, reason = "the columns of a table")]
const fn alu(
    class: Class,
    name: &'static str,
    also: &'static str,
    codes: [u16; 3],
    r600: Units,
    r700: Units,
    sources: u8,
    does: Does,
) -> Row {
    Row { name, also, class, codes, units: [r600, r700], sources, does }
}

/// All of them.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    // Control flow.
    row(Cf,     "NOP",              "", [0, 0, 0],       Idle),
    row(Cf,     "TEX",              "", [1, 1, 1],       Fetches),
    row(Cf,     "VTX",              "", [2, 2, 2],       Fetches),
    row(Cf,     "VTX_TC",           "", [3, 3, 3],       Fetches),
    row(Cf,     "LOOP_START",       "", [4, 4, 4],       LoopStart(Loop::Counted)),
    row(Cf,     "LOOP_END",         "", [5, 5, 5],       LoopEnd),
    row(Cf,     "LOOP_START_DX10",  "", [6, 6, 6],       LoopStart(Loop::Endless)),
    row(Cf,     "LOOP_START_NO_AL", "", [7, 7, 7],       LoopStart(Loop::CountedNoIndex)),
    row(Cf,     "LOOP_CONTINUE",    "", [8, 8, 8],       LoopContinue),
    row(Cf,     "LOOP_BREAK",       "", [9, 9, 9],       LoopBreak),
    row(Cf,     "PUSH",             "", [10, 11, 11],    Push),
    row(Cf,     "PUSH_ELSE",        "", [11, 12, 12],    PushElse),
    row(Cf,     "POP",              "", [12, 14, 14],    Pop),
    row(Cf,     "CALL",             "", [13, 18, 18],    Call),
    row(Cf,     "RETURN",           "", [14, 20, 20],    Return),
    row(Cf,     "CALL_FS",          "", [15, 19, 19],    CallFetch),
    row(Cf,     "JUMP",             "", [16, 10, 10],    Jump),
    row(Cf,     "ELSE",             "", [17, 13, 13],    Else),
    row(Cf,     "EMIT_VERTEX",      "", [18, 21, 21],    Emit { vertex: true, cut: false }),
    row(Cf,     "EMIT_CUT_VERTEX",  "", [19, 22, 22],    Emit { vertex: true, cut: true }),
    row(Cf,     "CUT_VERTEX",       "", [20, 23, 23],    Emit { vertex: false, cut: true }),
    row(Cf,     "KILL",             "", [21, 24, 24],    KillPixels),

    // Control flow that begins an ALU clause.
    row(CfAlu,  "ALU",              "", [8, 8, 8],       AluClause(Around::Plain)),
    row(CfAlu,  "ALU_PUSH_BEFORE",  "", [9, 9, 9],       AluClause(Around::PushBefore)),
    row(CfAlu,  "ALU_POP_AFTER",    "", [10, 10, 10],    AluClause(Around::PopAfter)),
    row(CfAlu,  "ALU_POP2_AFTER",   "", [11, 11, 11],    AluClause(Around::Pop2After)),
    row(CfAlu,  "ALU_CONTINUE",     "", [13, 13, 13],    AluClause(Around::Continue)),
    row(CfAlu,  "ALU_BREAK",        "", [14, 14, 14],    AluClause(Around::Break)),
    row(CfAlu,  "ALU_ELSE_AFTER",   "", [15, 15, 15],    AluClause(Around::ElseAfter)),

    // Control flow that writes to memory or exports.
    row(Export, "MEM_STREAM0",      "", [32, 32, 32],    Store(Space::Stream(0))),
    row(Export, "MEM_STREAM1",      "", [33, 33, 33],    Store(Space::Stream(1))),
    row(Export, "MEM_STREAM2",      "", [34, 34, 34],    Store(Space::Stream(2))),
    row(Export, "MEM_STREAM3",      "", [35, 35, 35],    Store(Space::Stream(3))),
    row(Export, "MEM_SCRATCH",      "", [36, 36, 36],    Store(Space::Scratch)),
    row(Export, "MEM_REDUCTION",    "", [37, 37, 37],    Store(Space::Reduction)),
    row(Export, "MEM_RING",         "", [38, 38, 38],    Store(Space::Ring)),
    row(Export, "EXPORT",           "", [39, 39, 39],    Exports { done: false }),
    row(Export, "EXPORT_DONE",      "", [40, 40, 40],    Exports { done: true }),

    // ALU with up to two sources.
    alu(Op2,  "ADD",                  "",                     [0, 0, 0],         ANY,   ANY,   2, Add),
    alu(Op2,  "MUL",                  "",                     [1, 1, 1],         ANY,   ANY,   2, Mul(Zero::Wins)),
    alu(Op2,  "MUL_IEEE",             "",                     [2, 2, 2],         ANY,   ANY,   2, Mul(Zero::Ieee)),
    alu(Op2,  "MAX",                  "",                     [3, 3, 3],         ANY,   ANY,   2, Max(F32)),
    alu(Op2,  "MIN",                  "",                     [4, 4, 4],         ANY,   ANY,   2, Min(F32)),
    alu(Op2,  "MAX_DX10",             "",                     [5, 5, 5],         ANY,   ANY,   2, MaxDx10),
    alu(Op2,  "MIN_DX10",             "",                     [6, 6, 6],         ANY,   ANY,   2, MinDx10),
    alu(Op2,  "SETE",                 "",                     [8, 8, 8],         ANY,   ANY,   2, Set(Eq, F32, Truth::One)),
    alu(Op2,  "SETGT",                "",                     [9, 9, 9],         ANY,   ANY,   2, Set(Gt, F32, Truth::One)),
    alu(Op2,  "SETGE",                "",                     [10, 10, 10],      ANY,   ANY,   2, Set(Ge, F32, Truth::One)),
    alu(Op2,  "SETNE",                "",                     [11, 11, 11],      ANY,   ANY,   2, Set(Ne, F32, Truth::One)),
    alu(Op2,  "SETE_DX10",            "",                     [12, 12, 12],      ANY,   ANY,   2, Set(Eq, F32, Truth::Ones)),
    alu(Op2,  "SETGT_DX10",           "",                     [13, 13, 13],      ANY,   ANY,   2, Set(Gt, F32, Truth::Ones)),
    alu(Op2,  "SETGE_DX10",           "",                     [14, 14, 14],      ANY,   ANY,   2, Set(Ge, F32, Truth::Ones)),
    alu(Op2,  "SETNE_DX10",           "",                     [15, 15, 15],      ANY,   ANY,   2, Set(Ne, F32, Truth::Ones)),
    alu(Op2,  "FRACT",                "",                     [16, 16, 16],      ANY,   ANY,   1, Fract),
    alu(Op2,  "TRUNC",                "",                     [17, 17, 17],      ANY,   ANY,   1, Trunc),
    alu(Op2,  "CEIL",                 "",                     [18, 18, 18],      ANY,   ANY,   1, Ceil),
    alu(Op2,  "RNDNE",                "",                     [19, 19, 19],      ANY,   ANY,   1, RoundEven),
    alu(Op2,  "FLOOR",                "",                     [20, 20, 20],      ANY,   ANY,   1, Floor),
    alu(Op2,  "MOVA",                 "",                     [21, 21, 21],      VECTOR, VECTOR, 1, MoveAddress(ToAddress::Round)),
    alu(Op2,  "MOVA_FLOOR",           "",                     [22, 22, 22],      VECTOR, VECTOR, 1, MoveAddress(ToAddress::Floor)),
    alu(Op2,  "MOVA_INT",             "",                     [24, 24, 24],      VECTOR, VECTOR, 1, MoveAddress(ToAddress::Int)),
    alu(Op2,  "MOV",                  "",                     [25, 25, 25],      ANY,   ANY,   1, Move),
    alu(Op2,  "NOP",                  "",                     [26, 26, 26],      ANY,   ANY,   0, Nop),
    alu(Op2,  "PRED_SETE",            "",                     [32, 32, 32],      ANY,   ANY,   2, PredSet(Eq, F32)),
    alu(Op2,  "PRED_SETGT",           "",                     [33, 33, 33],      ANY,   ANY,   2, PredSet(Gt, F32)),
    alu(Op2,  "PRED_SETGE",           "",                     [34, 34, 34],      ANY,   ANY,   2, PredSet(Ge, F32)),
    alu(Op2,  "PRED_SETNE",           "",                     [35, 35, 35],      ANY,   ANY,   2, PredSet(Ne, F32)),
    alu(Op2,  "PRED_SET_INV",         "",                     [36, 36, 36],      ANY,   ANY,   1, PredSetInvert),
    alu(Op2,  "PRED_SET_POP",         "",                     [37, 37, 37],      ANY,   ANY,   2, PredSetPop),
    alu(Op2,  "PRED_SET_CLR",         "",                     [38, 38, 38],      ANY,   ANY,   0, PredSetClear),
    alu(Op2,  "PRED_SET_RESTORE",     "",                     [39, 39, 39],      ANY,   ANY,   1, PredSetRestore),
    alu(Op2,  "PRED_SETE_PUSH",       "",                     [40, 40, 40],      ANY,   ANY,   2, PredSetPush(Eq, F32)),
    alu(Op2,  "PRED_SETGT_PUSH",      "",                     [41, 41, 41],      ANY,   ANY,   2, PredSetPush(Gt, F32)),
    alu(Op2,  "PRED_SETGE_PUSH",      "",                     [42, 42, 42],      ANY,   ANY,   2, PredSetPush(Ge, F32)),
    alu(Op2,  "PRED_SETNE_PUSH",      "",                     [43, 43, 43],      ANY,   ANY,   2, PredSetPush(Ne, F32)),
    alu(Op2,  "KILLE",                "",                     [44, 44, 44],      ANY,   ANY,   2, Kill(Eq, F32)),
    alu(Op2,  "KILLGT",               "",                     [45, 45, 45],      ANY,   ANY,   2, Kill(Gt, F32)),
    alu(Op2,  "KILLGE",               "",                     [46, 46, 46],      ANY,   ANY,   2, Kill(Ge, F32)),
    alu(Op2,  "KILLNE",               "",                     [47, 47, 47],      ANY,   ANY,   2, Kill(Ne, F32)),
    alu(Op2,  "AND_INT",              "",                     [48, 48, 48],      ANY,   ANY,   2, And),
    alu(Op2,  "OR_INT",               "",                     [49, 49, 49],      ANY,   ANY,   2, Or),
    alu(Op2,  "XOR_INT",              "",                     [50, 50, 50],      ANY,   ANY,   2, Xor),
    alu(Op2,  "NOT_INT",              "",                     [51, 51, 51],      ANY,   ANY,   1, Not),
    alu(Op2,  "ADD_INT",              "",                     [52, 52, 52],      ANY,   ANY,   2, AddInt),
    alu(Op2,  "SUB_INT",              "",                     [53, 53, 53],      ANY,   ANY,   2, SubInt),
    alu(Op2,  "MAX_INT",              "",                     [54, 54, 54],      ANY,   ANY,   2, Max(I32)),
    alu(Op2,  "MIN_INT",              "",                     [55, 55, 55],      ANY,   ANY,   2, Min(I32)),
    alu(Op2,  "MAX_UINT",             "",                     [56, 56, 56],      ANY,   ANY,   2, Max(U32)),
    alu(Op2,  "MIN_UINT",             "",                     [57, 57, 57],      ANY,   ANY,   2, Min(U32)),
    alu(Op2,  "SETE_INT",             "",                     [58, 58, 58],      ANY,   ANY,   2, Set(Eq, I32, Truth::Ones)),
    alu(Op2,  "SETGT_INT",            "",                     [59, 59, 59],      ANY,   ANY,   2, Set(Gt, I32, Truth::Ones)),
    alu(Op2,  "SETGE_INT",            "",                     [60, 60, 60],      ANY,   ANY,   2, Set(Ge, I32, Truth::Ones)),
    alu(Op2,  "SETNE_INT",            "",                     [61, 61, 61],      ANY,   ANY,   2, Set(Ne, I32, Truth::Ones)),
    alu(Op2,  "SETGT_UINT",           "",                     [62, 62, 62],      ANY,   ANY,   2, Set(Gt, U32, Truth::Ones)),
    alu(Op2,  "SETGE_UINT",           "",                     [63, 63, 63],      ANY,   ANY,   2, Set(Ge, U32, Truth::Ones)),
    alu(Op2,  "PRED_SETE_INT",        "",                     [66, 66, 66],      ANY,   ANY,   2, PredSet(Eq, I32)),
    alu(Op2,  "PRED_SETGT_INT",       "",                     [67, 67, 67],      ANY,   ANY,   2, PredSet(Gt, I32)),
    alu(Op2,  "PRED_SETGE_INT",       "",                     [68, 68, 68],      ANY,   ANY,   2, PredSet(Ge, I32)),
    alu(Op2,  "PRED_SETNE_INT",       "",                     [69, 69, 69],      ANY,   ANY,   2, PredSet(Ne, I32)),
    alu(Op2,  "PRED_SETLT_INT",       "",                     [70, NO, NO],      ANY,   ANY,   2, PredSet(Lt, I32)),
    alu(Op2,  "PRED_SETLE_INT",       "",                     [71, NO, NO],      ANY,   ANY,   2, PredSet(Le, I32)),
    alu(Op2,  "KILLE_INT",            "",                     [NO, 70, 70],      ANY,   ANY,   2, Kill(Eq, I32)),
    alu(Op2,  "KILLGT_INT",           "",                     [NO, 71, 71],      ANY,   ANY,   2, Kill(Gt, I32)),
    alu(Op2,  "KILLGE_INT",           "",                     [NO, 72, 72],      ANY,   ANY,   2, Kill(Ge, I32)),
    alu(Op2,  "KILLNE_INT",           "",                     [NO, 73, 73],      ANY,   ANY,   2, Kill(Ne, I32)),
    alu(Op2,  "PRED_SETE_PUSH_INT",   "",                     [74, 74, 74],      ANY,   ANY,   2, PredSetPush(Eq, I32)),
    alu(Op2,  "PRED_SETGT_PUSH_INT",  "",                     [75, 75, 75],      ANY,   ANY,   2, PredSetPush(Gt, I32)),
    alu(Op2,  "PRED_SETGE_PUSH_INT",  "",                     [76, 76, 76],      ANY,   ANY,   2, PredSetPush(Ge, I32)),
    alu(Op2,  "PRED_SETNE_PUSH_INT",  "",                     [77, 77, 77],      ANY,   ANY,   2, PredSetPush(Ne, I32)),
    alu(Op2,  "PRED_SETLT_PUSH_INT",  "",                     [78, 78, 78],      ANY,   ANY,   2, PredSetPush(Lt, I32)),
    alu(Op2,  "PRED_SETLE_PUSH_INT",  "",                     [79, 79, 79],      ANY,   ANY,   2, PredSetPush(Le, I32)),
    alu(Op2,  "DOT4",                 "",                     [80, 80, 80],      REDUCE, REDUCE, 2, Dot4(Zero::Wins)),
    alu(Op2,  "DOT4_IEEE",            "",                     [81, 81, 81],      REDUCE, REDUCE, 2, Dot4(Zero::Ieee)),
    alu(Op2,  "CUBE",                 "",                     [82, 82, 82],      REDUCE, REDUCE, 2, Cube),
    alu(Op2,  "MAX4",                 "",                     [83, 83, 83],      REDUCE, REDUCE, 1, Max4),
    alu(Op2,  "EXP_IEEE",             "",                     [97, 97, 97],      TRANS, TRANS, 1, Exp),
    alu(Op2,  "LOG_CLAMPED",          "",                     [98, 98, 98],      TRANS, TRANS, 1, Log(Limit::MaxFloat)),
    alu(Op2,  "LOG_IEEE",             "",                     [99, 99, 99],      TRANS, TRANS, 1, Log(Limit::None)),
    alu(Op2,  "RECIP_CLAMPED",        "",                     [100, 100, 100],   TRANS, TRANS, 1, Recip(Limit::MaxFloat)),
    alu(Op2,  "RECIP_FF",             "",                     [101, 101, 101],   TRANS, TRANS, 1, Recip(Limit::Zero)),
    alu(Op2,  "RECIP_IEEE",           "",                     [102, 102, 102],   TRANS, TRANS, 1, Recip(Limit::None)),
    alu(Op2,  "RECIPSQRT_CLAMPED",    "",                     [103, 103, 103],   TRANS, TRANS, 1, RecipSqrt(Limit::MaxFloat)),
    alu(Op2,  "RECIPSQRT_FF",         "",                     [104, 104, 104],   TRANS, TRANS, 1, RecipSqrt(Limit::Zero)),
    alu(Op2,  "RECIPSQRT_IEEE",       "",                     [105, 105, 105],   TRANS, TRANS, 1, RecipSqrt(Limit::None)),
    alu(Op2,  "SQRT_IEEE",            "",                     [106, 106, 106],   TRANS, TRANS, 1, Sqrt),
    alu(Op2,  "FLT_TO_INT",           "",                     [107, 107, 107],   TRANS, TRANS, 1, FloatTo(I32)),
    alu(Op2,  "INT_TO_FLT",           "",                     [108, 108, 108],   TRANS, TRANS, 1, ToFloat(I32)),
    alu(Op2,  "UINT_TO_FLT",          "",                     [109, 109, 109],   TRANS, TRANS, 1, ToFloat(U32)),
    alu(Op2,  "SIN",                  "",                     [110, 110, 110],   TRANS, TRANS, 1, Sin),
    alu(Op2,  "COS",                  "",                     [111, 111, 111],   TRANS, TRANS, 1, Cos),
    alu(Op2,  "ASHR_INT",             "",                     [112, 112, 112],   TRANS, ANY,   2, Ashr),
    alu(Op2,  "LSHR_INT",             "",                     [113, 113, 113],   TRANS, ANY,   2, Lshr),
    alu(Op2,  "LSHL_INT",             "",                     [114, 114, 114],   TRANS, ANY,   2, Lshl),
    alu(Op2,  "MULLO_INT",            "",                     [115, 115, 115],   TRANS, TRANS, 2, MulLo(I32)),
    alu(Op2,  "MULHI_INT",            "",                     [116, 116, 116],   TRANS, TRANS, 2, MulHi(I32)),
    alu(Op2,  "MULLO_UINT",           "",                     [117, 117, 117],   TRANS, TRANS, 2, MulLo(U32)),
    alu(Op2,  "MULHI_UINT",           "",                     [118, 118, 118],   TRANS, TRANS, 2, MulHi(U32)),
    alu(Op2,  "RECIP_INT",            "",                     [119, 119, 119],   TRANS, TRANS, 1, RecipInt(I32)),
    alu(Op2,  "RECIP_UINT",           "",                     [120, 120, 120],   TRANS, TRANS, 1, RecipInt(U32)),
    alu(Op2,  "FLT_TO_UINT",          "",                     [NO, 121, 121],    TRANS, TRANS, 1, FloatTo(U32)),

    // ALU with three sources.
    alu(Op3,  "MUL_LIT",              "",                     [12, 12, 12],      TRANS, TRANS, 3, MulLit(Scale::One)),
    alu(Op3,  "MUL_LIT_M2",           "",                     [13, 13, 13],      TRANS, TRANS, 3, MulLit(Scale::Two)),
    alu(Op3,  "MUL_LIT_M4",           "",                     [14, 14, 14],      TRANS, TRANS, 3, MulLit(Scale::Four)),
    alu(Op3,  "MUL_LIT_D2",           "",                     [15, 15, 15],      TRANS, TRANS, 3, MulLit(Scale::Half)),
    alu(Op3,  "MULADD",               "",                     [16, 16, 16],      ANY,   ANY,   3, MulAdd(Zero::Wins, Scale::One)),
    alu(Op3,  "MULADD_M2",            "",                     [17, 17, 17],      ANY,   ANY,   3, MulAdd(Zero::Wins, Scale::Two)),
    alu(Op3,  "MULADD_M4",            "",                     [18, 18, 18],      ANY,   ANY,   3, MulAdd(Zero::Wins, Scale::Four)),
    alu(Op3,  "MULADD_D2",            "",                     [19, 19, 19],      ANY,   ANY,   3, MulAdd(Zero::Wins, Scale::Half)),
    alu(Op3,  "MULADD_IEEE",          "",                     [20, 20, 20],      ANY,   ANY,   3, MulAdd(Zero::Ieee, Scale::One)),
    alu(Op3,  "MULADD_IEEE_M2",       "",                     [21, 21, 21],      ANY,   ANY,   3, MulAdd(Zero::Ieee, Scale::Two)),
    alu(Op3,  "MULADD_IEEE_M4",       "",                     [22, 22, 22],      ANY,   ANY,   3, MulAdd(Zero::Ieee, Scale::Four)),
    alu(Op3,  "MULADD_IEEE_D2",       "",                     [23, 23, 23],      ANY,   ANY,   3, MulAdd(Zero::Ieee, Scale::Half)),
    alu(Op3,  "CNDE",                 "CMOVE",                [24, 24, 24],      ANY,   ANY,   3, Choose(Eq, F32)),
    alu(Op3,  "CNDGT",                "CMOVGT",               [25, 25, 25],      ANY,   ANY,   3, Choose(Gt, F32)),
    alu(Op3,  "CNDGE",                "CMOVGE",               [26, 26, 26],      ANY,   ANY,   3, Choose(Ge, F32)),
    alu(Op3,  "CNDE_INT",             "CMOVE_INT",            [28, 28, 28],      ANY,   ANY,   3, Choose(Eq, I32)),
    alu(Op3,  "CNDGT_INT",            "CMOVGT_INT",           [29, 29, 29],      ANY,   ANY,   3, Choose(Gt, I32)),
    alu(Op3,  "CNDGE_INT",            "CMOVGE_INT",           [30, 30, 30],      ANY,   ANY,   3, Choose(Ge, I32)),

    // Texture clauses.
    row(Tex,    "LD",                   "",         [3, 3, 3],       Load),
    row(Tex,    "GET_TEXTURE_RESINFO",  "",         [4, 4, 4],       Get(Query::Size)),
    row(Tex,    "GET_BORDER_COLOR_FRAC","",         [5, 5, 5],       Get(Query::BorderFraction)),
    row(Tex,    "GET_COMP_TEX_LOD",     "",         [6, 6, 6],       Get(Query::Lod)),
    row(Tex,    "GET_GRADIENTS_H",      "",         [7, 7, 7],       Get(Query::GradientsH)),
    row(Tex,    "GET_GRADIENTS_V",      "",         [8, 8, 8],       Get(Query::GradientsV)),
    row(Tex,    "GET_LERP_FACTORS",     "",         [9, 9, 9],       Get(Query::LerpFactors)),
    row(Tex,    "GET_WEIGHTS",          "",         [10, 10, 10],    Get(Query::Weights)),
    row(Tex,    "SET_GRADIENTS_H",      "",         [11, 11, 11],    SetGradients(Axis::H)),
    row(Tex,    "SET_GRADIENTS_V",      "",         [12, 12, 12],    SetGradients(Axis::V)),
    row(Tex,    "PASS",                 "",         [13, 13, 13],    Get(Query::Address)),
    row(Tex,    "SAMPLE",               "",         [16, 16, 16],    Sample { compare: false, gradients: false, lod: Lod::Computed }),
    row(Tex,    "SAMPLE_L",             "",         [17, 17, 17],    Sample { compare: false, gradients: false, lod: Lod::Given }),
    row(Tex,    "SAMPLE_LB",            "",         [18, 18, 18],    Sample { compare: false, gradients: false, lod: Lod::Bias }),
    row(Tex,    "SAMPLE_LZ",            "",         [19, 19, 19],    Sample { compare: false, gradients: false, lod: Lod::Zero }),
    row(Tex,    "SAMPLE_G",             "",         [20, 20, 20],    Sample { compare: false, gradients: true, lod: Lod::Computed }),
    row(Tex,    "SAMPLE_G_L",           "",         [21, 21, 21],    Sample { compare: false, gradients: true, lod: Lod::Given }),
    row(Tex,    "SAMPLE_G_LB",          "",         [22, 22, 22],    Sample { compare: false, gradients: true, lod: Lod::Bias }),
    row(Tex,    "SAMPLE_G_LZ",          "",         [23, 23, 23],    Sample { compare: false, gradients: true, lod: Lod::Zero }),
    row(Tex,    "SAMPLE_C",             "",         [24, 24, 24],    Sample { compare: true, gradients: false, lod: Lod::Computed }),
    row(Tex,    "SAMPLE_C_L",           "",         [25, 25, 25],    Sample { compare: true, gradients: false, lod: Lod::Given }),
    row(Tex,    "SAMPLE_C_LB",          "",         [26, 26, 26],    Sample { compare: true, gradients: false, lod: Lod::Bias }),
    row(Tex,    "SAMPLE_C_LZ",          "",         [27, 27, 27],    Sample { compare: true, gradients: false, lod: Lod::Zero }),
    row(Tex,    "SAMPLE_C_G",           "",         [28, 28, 28],    Sample { compare: true, gradients: true, lod: Lod::Computed }),
    row(Tex,    "SAMPLE_C_G_L",         "",         [29, 29, 29],    Sample { compare: true, gradients: true, lod: Lod::Given }),
    row(Tex,    "SAMPLE_C_G_LB",        "",         [30, 30, 30],    Sample { compare: true, gradients: true, lod: Lod::Bias }),
    row(Tex,    "SAMPLE_C_G_LZ",        "",         [31, 31, 31],    Sample { compare: true, gradients: true, lod: Lod::Zero }),

    // Vertex clauses; R700 has them in texture clauses too.
    row(Vtx,    "VFETCH",               "FETCH",    [0, 0, 0],       VertexFetch { semantic: false }),
    row(Vtx,    "SEMFETCH",             "SEMANTIC", [1, 1, 1],       VertexFetch { semantic: true }),
];
