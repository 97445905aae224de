//! Groups: predicates, order, constants, operations.

use wavediff::r600::Machine;

use super::{Case, array, banks, case, file, loops, nothing};

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
    case("predicates", "4.10, 4.9.1: the new predicate holds from the next group on", nothing, "
        ALU:
            0 x: PRED_SETE_INT R1.x, R0.z, 0 UPDATE_PRED
              y: MOV R1.y, 5 PRED_ONE
              z: MOV R1.z, 5 PRED_ZERO
            1 x: MOV R2.x, 1 PRED_ONE
              y: MOV R2.y, 2 PRED_ZERO
            2 z: MOV R2.z, PV.y
        ALU:
            3 w: MOV R2.w, 1 PRED_ONE
        NOP EOP", "
        R1.x 0.0 1.0 0.0 1.0 0.0 1.0 0.0 1.0
        R1.y 5
        R1.z 0
        R2.x 1 0 1 0 1 0 1 0
        R2.y 0 2 0 2 0 2 0 2
        R2.z 5 2 5 2 5 2 5 2
        R2.w 1"),
    case("a predicate that is off has no effect", "4.10: PRED_SET, MOVA and KILL have none", file, "
        ALU:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_PRED
            1 x: KILLE_INT ____, 0, 0 PRED_ZERO
            2 x: MOVA_INT ____, 3 PRED_ONE
            3 x: MOV R1.x, C[0+AR.x].x
            4 x: PRED_SETE_INT ____, R0.w, 0 PRED_ZERO UPDATE_EXEC_MASK
        ALU:
            5 y: MOV R1.y, 1
        NOP EOP", "
        killed 0 1 0 1 0 1 0 1
        R1.x 103 100 103 100 103 100 103 100
        R1.y 1 1 1 1 1 0 1 0"),
    case("branch counters", "chapter 7, PRED_SET_*", nothing, "
        ALU:
            0 x: PRED_SETE_PUSH R1.x, R0.y, 0
            1 y: PRED_SETGT_PUSH_INT R1.y, R0.y, 1
            2 z: PRED_SET_INV R1.z, R0.y
            3 w: PRED_SET_POP R1.w, R0.y, 1.0
            4 x: PRED_SET_RESTORE R2.x, R0.y UPDATE_PRED
            5 y: MOV R2.y, 1 PRED_ONE
            6 z: PRED_SET_CLR R2.z UPDATE_PRED
            7 w: MOV R2.w, 1 PRED_ONE
        NOP EOP", "
        R1.x 0.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
        R1.y 0.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0
        R1.z 1.0 0.0 2.0 3.0 4.0 5.0 6.0 7.0
        R1.w 0.0 0.0 1.0 2.0 3.0 4.0 5.0 6.0
        R2.x 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0
        R2.y 1 0 0 0 0 0 0 0
        R2.z 0x7f7fffff
        R2.w 0"),
    case("factor and clamp come before PV", "4.9", nothing, "
        ALU:
            0 x: ADD*2 R1.x, R0.y, 1.0
              y: MUL/2 R1.y, R0.y, 1.0 CLAMP
              z: MOV*4 ____, -|R0.y|
            1 x: MOV R2.x, PV.x
              y: MOV R2.y, PV.y
              z: MOV R2.z, PV.z
        NOP EOP", "
        R1.x 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0
        R2.x 2.0 4.0 6.0 8.0 10.0 12.0 14.0 16.0
        R1.y 0.0 0.5 1.0 1.0 1.0 1.0 1.0 1.0
        R2.y 0.0 0.5 1.0 1.0 1.0 1.0 1.0 1.0
        R1.z 0
        R2.z -0.0 -4.0 -8.0 -12.0 -16.0 -20.0 -24.0 -28.0"),
    case("the trans slot wins the register", "4.9: PV keeps the vector result", nothing, "
        ALU:
            0 x: MOV R3.x, 1.0
              t: MOV R3.x, 2.0
            1 y: MOV R3.y, PV.x
              z: MOV R3.z, PS
              x: MOV R4.x, R3.x
        NOP EOP", "
        R3.x 2.0
        R3.y 1.0
        R3.z 2.0
        R4.x 2.0"),
    case("a group reads before it writes", "4.3", nothing, "
        ALU:
            0 x: MOV R1.x, R0.x
              y: MOV R1.y, 9
            1 x: MOV R1.x, R1.y
              y: MOV R1.y, R1.x
        NOP EOP", "
        R1.x 9
        R1.y 0 1 2 3 4 5 6 7"),
    case("a lone last instruction is a vector one", "4.4", nothing, "
        ALU:
            0 x: ADD_INT R1.x, R0.x, 1
            1 x: ADD_INT R1.x, PV.x, 1
        NOP EOP", "
        R1.x 2 3 4 5 6 7 8 9"),
    case("reductions", "table 4-4: DOT4, MAX4", nothing, "
        ALU:
            0 x: MOV R1.x, 1.0
              y: MOV R1.y, 2.0
              z: MOV R1.z, -3.0
              w: MOV R1.w, 4.0
            1 x: DOT4 R2.x, R1.x, R1.x
              y: DOT4 R2.y, R1.y, R1.y
              z: DOT4 ____, R1.z, R1.z
              w: DOT4 R2.w, R1.w, R1.w
            2 z: MOV R2.z, PV.x
            3 x: MAX4*2 R3.x, R1.x
              y: MAX4*2 R3.y, R1.y
              z: MAX4*2 ____, R1.z
              w: MAX4*2 ____, R1.w
        NOP EOP", "
        R2.x 30.0
        R2.y 30.0
        R2.z 30.0
        R2.w 30.0
        R3.x 8.0
        R3.y 8.0"),
    case("constants by the address register", "4.6.1, table 4-1: constants know four elements, registers X only", file, "
        ALU:
            0 x: MOVA_INT ____, R0.x
              y: MOVA_INT ____, R0.z
            1 x: MOV R1.x, C[2+AR.x].x
            2 y: MOV R1.y, C[2+AR.y].x
            3 z: MOV R[20+AR.y].z, 1
        NOP EOP", "
        R1.x 102 103 104 105 106 107 108 109
        R1.y 102 103 102 103 102 103 102 103
        R20.z 1 0 0 0 0 0 0 0
        R21.z 0 1 0 0 0 0 0 0
        R27.z 0 0 0 0 0 0 0 1"),
    case("addresses out of range", "4.6.3: registers read GPR0 and are not written, constants are 7FFFFFFF", |s| { file(s); array(s); }, "
        ALU:
            0 x: SUB_INT R1.x, R0.x, 4
            1 x: MOVA_INT ____, PV.x
            2 x: MOV R1.x, R[26+AR.x].x
            3 y: MOV R1.y, C[0+AR.x].x
            4 z: MOV R[2+AR.x].z, 7
            5 w: MOV R1.w, C[253+AR.x].x
        NOP EOP", "
        R1.x 220 230 240 250 260 270 6 7
        R1.y 0x7fffffff 0x7fffffff 0x7fffffff 0x7fffffff 100 101 102 103
        R1.w 349 350 351 352 353 354 355 0x7fffffff
        R2.z 0 0 0 0 7 0 0 0
        R5.z 0 0 0 0 0 0 0 7
        R0.z 0 1 7 1 0 1 0 1"),
    case("mova", "chapter 7: floor(x + 0.5), floor(x), and -256 of what does not fit", file, "
        ALU:
            0 x: ADD R1.x, R0.y, 0.5
            1 x: MOVA ____, R1.x
            2 x: MOV R2.x, C[0+AR.x].x
            3 x: MOVA_FLOOR ____, R1.x
            4 y: MOV R2.y, C[0+AR.x].x
            5 x: MOVA_INT ____, 300
            6 z: MOV R2.z, C[255+AR.x].x
            7 x: MOVA ____, -2.5
            8 w: MOV R2.w, C[10+AR.x].x
        NOP EOP", "
        R2.x 101 102 103 104 105 106 107 108
        R2.y 100 101 102 103 104 105 106 107
        R2.z 0x7fffffff
        R2.w 108"),
    case("constants by the loop index", "4.6.4: relative to aL", |s| { file(s); loops(s); }, "
        LOOP_START ADDR(end) CF_CONST(1)
      top:
        ALU:
            0 x: ADD_INT R1.x, R1.x, C[4+aL].x
        LOOP_END ADDR(top) CF_CONST(1)
      end:
        NOP EOP", "
        R1.x 321"),
    case("lines of the constant cache", "4.6.3, 4.6.4: two sets, one or two lines", banks, "
        ALU: KCACHE0(CB2:0-15) KCACHE1(CB5:16-47)
            0 x: MOV R1.x, KC0[3].y
              y: MOV R1.y, KC1[0].x
              z: MOV R1.z, KC1[31].w
        NOP EOP", "
        R1.x 0x200d
        R1.y 0x5040
        R1.z 0x50bf"),
    case("constants of the cache beyond the lines", "4.6.3: 7FFFFFFF", banks, "
        LOOP_START ADDR(end) CF_CONST(2)
      top:
        ALU: KCACHE0(CB2:0-15) KCACHE1(CB5:0-31)
            0 x: MOV R1.x, KC0[4+aL].x
              y: MOV R1.y, KC0[5+aL].x
              z: MOV R1.z, KC1[20+aL].x
              w: MOV R1.w, KC1[22+aL].x
        LOOP_END ADDR(top) CF_CONST(2)
      end:
        NOP EOP", "
        R1.x 0x203c
        R1.y 0x7fffffff
        R1.z 0x507c
        R1.w 0x7fffffff"),
    case("lines that the loop index moves", "chapter 8, KCACHE_MODE: LOOP / 16 + ADDR", banks, "
        LOOP_START ADDR(end) CF_CONST(3)
      top:
        ALU: KCACHE0(CB2:0-31+aL)
            0 x: MOV R1.x, KC0[3].x
        LOOP_END ADDR(top) CF_CONST(3)
      end:
        NOP EOP", "
        R1.x 0x204c"),
    case("zero times infinity", "chapter 7, MUL, MUL_IEEE, MULADD", nothing, "
        ALU:
            0 x: MUL R1.x, 0, 0x7f800000
              y: MUL_IEEE ____, 0, 0x7f800000
            1 y: SETE R1.y, PV.y, PV.y
              z: MULADD R1.z, 0, 0x7f800000, 3.0
        NOP EOP", "
        R1.x 0
        R1.y 0.0
        R1.z 3.0"),
    case("clamped reciprocals", "chapter 7", nothing, "
        ALU:
            0 t: RECIP_CLAMPED R1.x, 0
            1 t: RECIP_FF R1.y, 0
            2 t: RECIP_IEEE R1.z, 0
            3 t: RECIPSQRT_CLAMPED R1.w, 0
            4 t: LOG_CLAMPED R2.x, 0
            5 t: RECIPSQRT_FF R2.y, 0
            6 t: SQRT_IEEE R2.z, 16.0
            7 t: EXP_IEEE R2.w, 3.0
        NOP EOP", "
        R1.x 0x7f7fffff
        R1.y 0
        R1.z 0x7f800000
        R1.w 0x7f7fffff
        R2.x 0xff7fffff
        R2.y 0
        R2.z 4.0
        R2.w 8.0"),
    case("integers", "chapter 7", nothing, "
        ALU:
            0 t: FLT_TO_INT R1.x, 4294967808.0
            1 t: FLT_TO_INT R1.y, -2.75
            2 t: RECIP_UINT R1.z, 3
            3 t: MULHI_INT R1.w, -2, 5
            4 t: MULHI_UINT R2.x, -2, 5
            5 t: ASHR_INT R2.y, -16, 2
            6 t: LSHR_INT R2.z, -16, 28
            7 w: MAX_UINT R2.w, -1, 1
            8 x: SUB_INT R3.x, 3, 5
              y: CNDGE_INT R3.y, R0.z, 4, 5
              z: SETGT_UINT R3.z, -1, R0.x
        NOP EOP", "
        R1.x 512
        R1.y -2
        R1.z 0x55555555
        R1.w -1
        R2.x 4
        R2.y -4
        R2.z 15
        R2.w -1
        R3.x -2
        R3.y 4
        R3.z -1"),
    case("lighting", "chapter 7, MUL_LIT: the lowest number unless the power and the light are positive", nothing, "
        ALU:
            0 t: MUL_LIT R1.x, 3.0, 2.0, 1.0
            1 t: MUL_LIT R1.y, 3.0, 2.0, 0
            2 t: MUL_LIT_M4 R1.z, 3.0, 2.0, 1.0
            3 t: MUL_LIT R1.w, 3.0, 0xff800000, 1.0
        NOP EOP", "
        R1.x 6.0
        R1.y 0xff7fffff
        R1.z 24.0
        R1.w 0xff7fffff"),
    case("minimum and maximum of NaN", "chapter 7: of an unordered pair the second", nothing, "
        ALU:
            0 x: MAX R1.x, 0x7fc00000, 2.0
              y: MAX R1.y, 2.0, 0x7fc00000
              z: MIN_DX10 R1.z, 2.0, 0x7fc00000
              w: MAX_DX10 R1.w, 0x7fc00000, 2.0
        NOP EOP", "
        R1.x 2.0
        R1.y 0x7fc00000
        R1.z 2.0
        R1.w 2.0"),
    case("cube coordinates", "4.8.2, CUBE: T, S, twice the major axis, the face", nothing, "
        ALU:
            0 x: MOV R1.x, 1.0
              y: MOV R1.y, 2.0
              z: MOV R1.z, -4.0
            1 x: CUBE R2.x, R1.z, R1.y
              y: CUBE R2.y, R1.z, R1.x
              z: CUBE R2.z, R1.x, R1.z
              w: CUBE R2.w, R1.y, R1.z
        NOP EOP", "
        R2.x -2.0
        R2.y -1.0
        R2.z -8.0
        R2.w 5.0"),
    Case {
        name: "sine in radians",
        section: "chapter 7, SIN: -pi to pi",
        machine: Machine::R600,
        tune: nothing,
        text: "
        ALU:
            0 t: SIN R1.x, 1.5707964
            1 t: COS R1.y, 3.1415927
        NOP EOP",
        expect: "
        R1.x 1.0
        R1.y -1.0",
    },
    Case {
        name: "sine in turns, shifts in any slot",
        section: "compilers' code for R700",
        machine: Machine::RV770,
        tune: nothing,
        text: "
        ALU:
            0 t: SIN R1.x, 0.25
            1 t: COS R1.y, 0.5
            2 x: LSHL_INT R2.x, R0.x, 1
              y: LSHR_INT R2.y, R0.x, 1
              t: MULLO_INT R2.z, R0.x, R0.x
            3 w: MOV R2.w, PV.x
        NOP EOP",
        expect: "
        R1.x 1.0
        R1.y -1.0
        R2.x 0 2 4 6 8 10 12 14
        R2.y 0 0 1 1 2 2 3 3
        R2.z 0 1 4 9 16 25 36 49
        R2.w 0 2 4 6 8 10 12 14",
    },
    ]
}
