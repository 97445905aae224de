//! Control flow: branches, loops, calls, kills.

use super::{Case, bool_0, bool_3, case, loops, loops_and_file, nothing};

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
    case("push fails", "3.7.2, table 3-7: all fail, nothing is pushed, jump", nothing, "
        PUSH ADDR(skip) CF_CONST(3) COND(BOOL)
        ALU:
            0 x: MOV R1.x, 1
        POP ADDR(skip) POP_CNT(1)
      skip:
        ALU:
            1 y: MOV R1.y, 2
        NOP EOP", "
        R1.x 0
        R1.y 2"),
    case("push passes", "3.7.2, table 3-7", bool_3, "
        PUSH ADDR(skip) CF_CONST(3) COND(BOOL)
        ALU:
            0 x: MOV R1.x, 1
        POP ADDR(skip) POP_CNT(1)
      skip:
        ALU:
            1 y: MOV R1.y, 2
        NOP EOP", "
        R1.x 1
        R1.y 2"),
    case("push fails inside of a push", "table 3-7: pops POP_COUNT entries and jumps", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        PUSH ADDR(end) POP_CNT(1) COND(FALSE)
        ALU:
            1 x: MOV R1.x, 1
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 0
        R1.y 1"),
    case("push valid pixels", "3.6.2: valid-pixel mode disables killed pixels until the scope ends", nothing, "
        ALU:
            0 x: KILLE_INT ____, R0.x, 2
        ALU:
            1 z: MOV R1.z, 1
        PUSH ADDR(end) VALID_PIX
        ALU:
            2 x: MOV R1.x, 1
        POP ADDR(end) POP_CNT(1)
      end:
        ALU:
            3 y: MOV R1.y, 1
        EXPORT_DONE: PIX0, R1.xyzw EOP", "
        R1.z 1
        R1.x 1 1 0 1 1 1 1 1
        R1.y 1
        killed 0 0 1 0 0 0 0 0
        pixel0.x 1 1 - 1 1 1 1 1"),
    case("pop valid pixels", "3.7.2: POP with the mode drops pixels that were killed inside", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETGT_INT ____, 4, R0.x UPDATE_EXEC_MASK
        ALU:
            1 x: KILLE_INT ____, R0.x, 2
        POP ADDR(next) POP_CNT(1) VALID_PIX
      next:
        ALU:
            2 x: MOV R1.x, 1
        NOP EOP", "
        R1.x 1 1 0 1 1 1 1 1"),
    case("pop of nothing applies the test", "3.7.2: POP_COUNT of zero", nothing, "
        ALU:
            0 x: KILLE_INT ____, R0.x, 5
        POP ADDR(next) VALID_PIX
      next:
        ALU:
            1 x: MOV R1.x, 1
        NOP EOP", "
        R1.x 1 1 1 1 1 0 1 1"),
    case("push_else fails", "table 3-7: pushes always and jumps if all fail; 3.7.2 ELSE", nothing, "
        PUSH_ELSE ADDR(other) COND(BOOL)
        ALU:
            0 x: MOV R1.x, 1
      other:
        ELSE ADDR(end) POP_CNT(1)
        ALU:
            1 y: MOV R1.y, 1
        POP ADDR(end) POP_CNT(1)
      end:
        NOP EOP", "
        R1.x 0
        R1.y 1"),
    case("push_else passes", "table 3-7", bool_0, "
        PUSH_ELSE ADDR(other) COND(BOOL)
        ALU:
            0 x: MOV R1.x, 1
      other:
        ELSE ADDR(end) POP_CNT(1)
        ALU:
            1 y: MOV R1.y, 1
        POP ADDR(end) POP_CNT(1)
      end:
        NOP EOP", "
        R1.x 1
        R1.y 0"),
    case("jump unless a boolean", "3.6.3: NOT_BOOL is a boolean of zero", bool_0, "
        JUMP ADDR(a) COND(NOT_BOOL)
        ALU:
            0 x: MOV R1.x, 1
      a:
        JUMP ADDR(b) COND(NOT_BOOL) CF_CONST(1)
        ALU:
            1 y: MOV R1.y, 1
      b:
        NOP EOP", "
        R1.x 0
        R1.y 1"),
    case("nested branches", "3.7.2", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        JUMP ADDR(other)
        ALU_PUSH_BEFORE:
            1 x: PRED_SETE_INT ____, R0.w, 0 UPDATE_EXEC_MASK
        JUMP ADDR(inner) POP_CNT(1)
        ALU_POP_AFTER:
            2 x: MOV R1.x, 10
      inner:
        ALU:
            3 y: MOV R1.y, 1
      other:
        ELSE ADDR(end) POP_CNT(1)
        ALU_POP_AFTER:
            4 x: MOV R1.x, 20
      end:
        ALU:
            5 z: MOV R1.z, 1
        NOP EOP", "
        R1.x 10 20 10 20 0 20 0 20
        R1.y 1 0 1 0 1 0 1 0
        R1.z 1"),
    case("call", "3.7.6", nothing, "
        CALL ADDR(sub) CALL_CNT(1)
        ALU:
            0 y: ADD_INT R1.y, R1.x, 1
        NOP EOP
      sub:
        ALU:
            1 x: ADD_INT R1.x, R1.x, 5
        RETURN", "
        R1.x 5
        R1.y 6"),
    case("calls nest up to 32", "3.7.6: a call that exceeds the depth is ignored", nothing, "
        CALL ADDR(a) CALL_CNT(2)
        NOP EOP
      a:
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1
        CALL ADDR(b) CALL_CNT(31)
        CALL ADDR(b) CALL_CNT(30)
        CALL ADDR(b) CALL_CNT(0)
        RETURN
      b:
        ALU:
            1 y: ADD_INT R1.y, R1.y, 1
        RETURN", "
        R1.x 1
        R1.y 2"),
    case("conditional call", "chapter 7, CALL: only pixels that satisfy the condition", nothing, "
        ALU:
            0 x: KILLE_INT ____, R0.x, 1
        CALL ADDR(sub) CALL_CNT(1) VALID_PIX
        CALL ADDR(sub) CALL_CNT(1) COND(BOOL)
        ALU:
            1 y: MOV R1.y, 1
        NOP EOP
      sub:
        ALU:
            2 x: ADD_INT R1.x, R1.x, 5
        RETURN", "
        R1.x 5 0 5 5 5 5 5 5
        R1.y 1"),
    case("loop with an index", "3.7.3: trip count, first index, step", loops, "
        LOOP_START ADDR(end) CF_CONST(1)
      top:
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1
            1 x: MOV R[2+aL].x, R1.x
        LOOP_END ADDR(top) CF_CONST(1)
      end:
        NOP EOP", "
        R1.x 3
        R3.x 1
        R4.x 0
        R5.x 2
        R7.x 3"),
    case("loop in a loop", "3.7.3: the index of the outer loop comes back", loops, "
        LOOP_START ADDR(end) CF_CONST(2)
      outer:
        LOOP_START ADDR(out) CF_CONST(3)
      inner:
        ALU:
            0 x: MOV R[0+aL].x, 1
        LOOP_END ADDR(inner) CF_CONST(3)
      out:
        ALU:
            1 y: MOV R[0+aL].y, 1
        LOOP_END ADDR(outer) CF_CONST(2)
      end:
        NOP EOP", "
        R20.x 1
        R21.x 1
        R22.x 0
        R10.y 1
        R11.y 1
        R20.y 0
        R22.y 0"),
    case("repeat loop", "3.7.5: aL is neither pushed nor updated", loops, "
        LOOP_START ADDR(end) CF_CONST(2)
      outer:
        LOOP_START_NO_AL ADDR(out) CF_CONST(3)
      inner:
        ALU:
            0 x: ADD_INT R[30+aL].x, R[30+aL].x, 1
        LOOP_END ADDR(inner) CF_CONST(3)
      out:
        LOOP_END ADDR(outer) CF_CONST(2)
      end:
        NOP EOP", "
        R40.x 2
        R41.x 2
        R50.x 0"),
    case("loop of no turns", "3.7.3: jumps if the count is zero, and pops", loops, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        LOOP_START ADDR(end) POP_CNT(1) CF_CONST(4)
      top:
        ALU:
            1 x: MOV R1.x, 1
        LOOP_END ADDR(top) CF_CONST(4)
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 0
        R1.y 1"),
    case("continue in a counted loop", "3.7.3: pixels come back at LOOP_END", loops, "
        LOOP_START ADDR(end) CF_CONST(0)
      top:
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 1 UPDATE_EXEC_MASK
        JUMP ADDR(on) POP_CNT(1)
        LOOP_CONTINUE ADDR(last)
        POP ADDR(on) POP_CNT(1)
      on:
        ALU:
            1 x: ADD_INT R1.x, R1.x, 1
      last:
        LOOP_END ADDR(top) CF_CONST(0)
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 4 0 4 0 4 0 4 0
        R1.y 1"),
    case("break of all pixels inside of pushes", "table 3-7: the stack is popped back to the loop, POP_COUNT is ignored", loops, "
        LOOP_START ADDR(end) CF_CONST(0)
      top:
        ALU:
            0 x: ADD_INT R1.x, R1.x, 1
        PUSH ADDR(last)
        PUSH ADDR(last)
        LOOP_BREAK ADDR(last) POP_CNT(1)
        ALU:
            1 y: MOV R1.y, 1
        POP ADDR(last) POP_CNT(2)
      last:
        LOOP_END ADDR(top) CF_CONST(0)
      end:
        ALU:
            2 z: MOV R1.z, 1
        NOP EOP", "
        R1.x 1
        R1.y 0
        R1.z 1"),
    case("alu_break", "table 3-7: pixels that the clause turns off break", nothing, "
        LOOP_START_DX10 ADDR(end)
      top:
        ALU_BREAK:
            0 x: PRED_SETGT_INT ____, R0.x, R1.x UPDATE_EXEC_MASK
        ALU:
            1 x: ADD_INT R1.x, R1.x, 1
        LOOP_END ADDR(top)
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 0 1 2 3 4 5 6 7
        R1.y 1"),
    case("who broke stays out", "3.7.3: odd lanes break when aL is 1, and would go on after that", loops_and_file, "
        ALU:
            0 x: CNDE_INT R2.x, R0.z, 0, 101
        LOOP_START ADDR(end) CF_CONST(0)
      top:
        ALU_BREAK:
            1 x: PRED_SETNE_INT ____, R2.x, C[0+aL].x UPDATE_EXEC_MASK
        ALU:
            2 x: ADD_INT R1.x, R1.x, 1
        LOOP_END ADDR(top) CF_CONST(0)
      end:
        NOP EOP", "
        R1.x 4 1 4 1 4 1 4 1"),
    case("alu_continue", "table 3-7: pixels that the clause turns off continue", loops, "
        LOOP_START ADDR(end) CF_CONST(0)
      top:
        ALU_CONTINUE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        ALU:
            1 x: ADD_INT R1.x, R1.x, 1
        LOOP_END ADDR(top) CF_CONST(0)
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 4 0 4 0 4 0 4 0
        R1.y 1"),
    case("alu_else_after", "chapter 7: push before, else after", nothing, "
        ALU_ELSE_AFTER:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        ALU:
            1 x: MOV R1.x, 1
        POP ADDR(end) POP_CNT(1)
      end:
        ALU:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 0 1 0 1 0 1 0 1
        R1.y 1"),
    case("alu_pop2_after", "table 3-7: ALU; POP; POP", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        ALU_PUSH_BEFORE:
            1 x: PRED_SETE_INT ____, R0.w, 0 UPDATE_EXEC_MASK
        ALU_POP2_AFTER:
            2 x: MOV R1.x, 1
        ALU:
            3 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 1 0 1 0 0 0 0 0
        R1.y 1"),
    case("the mask holds from the next clause on", "3.6.3: changes are not observed in the clause", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
            1 x: MOV R1.x, 1
        ALU_POP_AFTER:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 1
        R1.y 1 0 1 0 1 0 1 0"),
    case("whole quads", "3.6.2: as if all pixels of quads with an active one were active, for this instruction", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.x, 1 UPDATE_EXEC_MASK
        ALU: WHOLE_QUAD
            1 x: MOV R1.x, 1
        ALU_POP_AFTER:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 1 1 1 1 0 0 0 0
        R1.y 0 1 0 0 0 0 0 0"),
    case("push of whole quads", "3.6.2: branch instructions that update the mask reactivate pixels, until the scope ends", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.x, 6 UPDATE_EXEC_MASK
        PUSH ADDR(end) WHOLE_QUAD
        ALU:
            1 x: MOV R1.x, 1
        POP ADDR(end) POP_CNT(1)
      end:
        ALU_POP_AFTER:
            2 y: MOV R1.y, 1
        NOP EOP", "
        R1.x 0 0 0 0 1 1 1 1
        R1.y 0 0 0 0 0 0 1 0"),
    case("kill of control flow", "chapter 7, KILL; 3.6.1: killed pixels keep their active state", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.x, 3 UPDATE_EXEC_MASK
        JUMP ADDR(end) POP_CNT(1)
        KILL ADDR(end)
        POP ADDR(end) POP_CNT(1)
      end:
        ALU:
            1 x: MOV R1.x, 1
        EXPORT_DONE: PIX0, R1.xyzw EOP", "
        killed 0 0 0 1 0 0 0 0
        R1.x 1
        pixel0.x 1 1 1 - 1 1 1 1"),
    case("kill of all pixels", "chapter 7, KILL: jump if all pixels are killed", nothing, "
        KILL ADDR(end)
        ALU:
            0 x: MOV R1.x, 1
      end:
        NOP EOP", "
        killed 1
        R1.x 0"),
    ]
}
