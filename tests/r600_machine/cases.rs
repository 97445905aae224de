//! The cases: a program each, with what is left of it.
//!
//! An expectation names a register, an export, the scratch buffer or the ring, and has a number for all eight lanes or one for each; `-`
//! is what was not exported. Numbers with a point are floats.

use wavediff::r600::Machine;
use wavediff::r600::emu::image::{Compare, Image, Shape};
use wavediff::r600::emu::vertex::{Buffer, Element};
use wavediff::r600::emu::{LoopConstant, Resource, Setup, Stage};

/// A program, what it finds besides the lanes' numbers, and what it leaves.
#[derive(Clone, Copy)]
pub struct Case {
    pub name: &'static str,
    /// Where the manual says it.
    #[allow(dead_code, reason = "not every test names it")]
    pub section: &'static str,
    pub machine: Machine,
    pub tune: fn(&mut Setup),
    pub text: &'static str,
    pub expect: &'static str,
}

const fn case(
    name: &'static str,
    section: &'static str,
    tune: fn(&mut Setup),
    text: &'static str,
    expect: &'static str,
) -> Case {
    Case { name, section, machine: Machine::R600, tune, text, expect }
}

fn nothing(_: &mut Setup) {}

/// Loop constants: four times from 0; three times from 1 by 2; twice from 10; twice from 20; never.
fn loops(setup: &mut Setup) {
    for (n, (count, first, step)) in [(4, 0, 1), (3, 1, 2), (2, 10, 1), (2, 20, 1), (0, 0, 0)].into_iter().enumerate() {
        setup.loops.insert(n as u32, LoopConstant { count, first, step });
    }
}

fn bool_0(setup: &mut Setup) {
    setup.bools = 1;
}

fn bool_3(setup: &mut Setup) {
    setup.bools = 8;
}

/// Constants 0 to 255 with their numbers and 100 in X.
fn file(setup: &mut Setup) {
    setup.file = (0..256).map(|n| [100 + n, 1000 + n, 0, 0]).collect();
}

fn loops_and_file(setup: &mut Setup) {
    loops(setup);
    file(setup);
}

/// Two constant buffers of 64 vectors.
fn banks(setup: &mut Setup) {
    loops(setup);
    setup.banks.insert(2, (0..256).map(|n| 0x2000 + n).collect());
    setup.banks.insert(5, (0..256).map(|n| 0x5000 + n).collect());
}

fn scratch(setup: &mut Setup) {
    setup.scratch = 8;
    setup.reduction = 4;
}

/// Registers 20 to 27 with their number times 10 in X.
fn array(setup: &mut Setup) {
    loops(setup);
    for n in 20..28 {
        setup.gprs.insert(n, vec![[10 * n, 0, 0, 0]; 8]);
    }
    setup.ngpr = 28;
}

/// Bytes from 0 on, in records of four and of three; vertices begin at 1, instances at 2.
fn bytes(setup: &mut Setup) {
    let bytes: Vec<u8> = (0..64).map(|n| n * 4).collect();
    setup.resources.insert(3, Resource::Buffer(Buffer { bytes: bytes.clone(), stride: 4, format: None }));
    let format = Some(Element { data: 7, number: 1, ..Element::default() });
    setup.resources.insert(4, Resource::Buffer(Buffer { bytes, stride: 3, format }));
    setup.vertex_offset = 1;
    setup.instance_offset = 2;
    setup.semantics.insert(200, 7);
}

/// Texels of four words that say where they are: 100 x + 10 y + z. Clamped, and repeated.
fn images(setup: &mut Setup) {
    for (n, shape, size, repeat) in [
        (5, Shape::D2, [4, 4, 1], false),
        (6, Shape::D2, [4, 4, 1], true),
        (7, Shape::D2Array, [4, 4, 3], false),
        (8, Shape::Cube, [2, 2, 6], false),
        (9, Shape::D3, [2, 2, 2], false),
        (10, Shape::D1, [4, 1, 1], true),
    ] {
        let mut bytes = Vec::new();
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    for word in [100 * x + 10 * y + z, 1, 2, 3] {
                        bytes.extend((word as f32).to_le_bytes());
                    }
                }
            }
        }
        let format = Element { data: 35, ..Element::default() }.format().expect("a format");
        let image = Image { shape, size, format, missing: [0; 4], bytes, repeat, compare: Compare::LessEqual };
        setup.resources.insert(n, Resource::Image(image));
    }
}

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    let mut all = vec![
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
    // ALU.
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
    // Exports and buffers.
    case("bursts and selects", "3.4.1", nothing, "
        ALU:
            0 x: MOV R1.x, 11
              y: MOV R1.y, 12
            1 x: MOV R2.x, 21
              y: MOV R2.y, 22
        EXPORT: PIX0, R1.x01_ BURST(2)
        EXPORT_DONE: PIX2, R2.yx__ EOP", "
        pixel0.x 11
        pixel0.y 0
        pixel0.z 1.0
        pixel0.w -
        pixel1.x 21
        pixel2.x 22
        pixel2.y 21"),
    case("exports of some pixels", "3.6.2: of those that are active", nothing, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.z, 0 UPDATE_EXEC_MASK
        EXPORT_DONE: PIX0, R0.xyzw
        POP ADDR(end) POP_CNT(1)
      end:
        NOP EOP", "
        pixel0.x 0 - 2 - 4 - 6 -"),
    case("exports by the loop index", "3.4.1: RW_REL", |s| { array(s); s.stage = Stage::Vs; }, "
        LOOP_START ADDR(end) CF_CONST(1)
      top:
        EXPORT: PARAM3, R[19+aL].xyzw
        LOOP_END ADDR(top) CF_CONST(1)
      end:
        NOP EOP", "
        param3.x 240"),
    case("scratch", "3.4.2: written and read", scratch, "
        MEM_SCRATCH: WRITE[1], R0.xy__ ARRAY_SIZE(4) BURST(1) ELEM_SIZE(3)
        MEM_SCRATCH: READ[1], R2.xyzw ARRAY_SIZE(4) ELEM_SIZE(3)
        MEM_SCRATCH: WRITE_IND[2+R0.x], R0.x___ ARRAY_SIZE(3) ELEM_SIZE(3)
        MEM_SCRATCH: READ_IND[2+R0.x], R3.xyzw ARRAY_SIZE(3) ELEM_SIZE(3)
        NOP EOP", "
        R2.x 0 1 2 3 4 5 6 7
        R2.y 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0
        R2.z 0
        R3.x 0 1 2 0 0 0 0 0
        scratch1.x 0 1 2 3 4 5 6 7
        scratch2.x 0
        scratch3.x 0 1 0 0 0 0 0 0
        scratch4.x 0 0 2 0 0 0 0 0
        scratch5.x 0"),
    case("reduction", "3.4.2: one buffer", scratch, "
        MEM_REDUCTION: WRITE[0], R0.xy__ ARRAY_SIZE(4) ELEM_SIZE(3)
        MEM_REDUCTION: READ[0], R2.xyzw ARRAY_SIZE(4) ELEM_SIZE(3)
        NOP EOP", "
        R2.x 7
        R2.y 7.0"),
    case("streams and rings", "3.4.2: COMP_MASK; the index times ELEM_SIZE + 1", |s| s.stage = Stage::Vs, "
        MEM_STREAM1: WRITE[4], R0.xy__ ARRAY_SIZE(4096) ELEM_SIZE(3)
        MEM_RING: WRITE_IND[2+R0.x], R0.x__w ARRAY_SIZE(4096) ELEM_SIZE(1)
        NOP EOP", "
        stream1@4.x 0 1 2 3 4 5 6 7
        stream1@4.y 0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0
        stream1@4.z -
        ring2 0 - - - - - - -
        ring4 - 1 - - - - - -
        ring6 - - 2 - - - - -
        ring7 - 0 - - - - - -
        ring13 - - - - 1 - - -"),
    // Fetches.
    case("vertex fetches", "chapter 8, VTX: index and its offset, byte offset, selects", bytes, "
        VTX:
            VFETCH R1.xyzw, R0.x, fc3 NO_INDEX_OFFSET FORMAT(8_8_8_8) NUM_FORMAT(INT)
            VFETCH R2.x01_, R0.x, fc3 FORMAT(8_8) NUM_FORMAT(INT) OFFSET(1)
            VFETCH R3.yx1_, R0.x, fc3 INSTANCE FORMAT(8_8) NUM_FORMAT(SCALED)
            VFETCH R4.xy__, R0.x, fc4 NO_INDEX_OFFSET USE_CONST_FIELDS
            VFETCH R5.x___, R0.x, fc3 NO_INDEX_OFFSET FORMAT(16) NUM_FORMAT(INT) ENDIAN_SWAP(8IN16) OFFSET(2)
            SEMFETCH SEM200.x___, R0.x, fc3 NO_INDEX_OFFSET FORMAT(8) NUM_FORMAT(INT)
            VFETCH R6.x___, R0.x, fc3 NO_INDEX_OFFSET FORMAT(32) NUM_FORMAT(INT) OFFSET(60)
        NOP EOP", "
        R1.x 0 16 32 48 64 80 96 112
        R1.w 12 28 44 60 76 92 108 124
        R2.x 20 36 52 68 84 100 116 132
        R2.z 1
        R3.x 36.0 52.0 68.0 84.0 100.0 116.0 132.0 148.0
        R3.y 32.0 48.0 64.0 80.0 96.0 112.0 128.0 144.0
        R3.z 1.0
        R4.x 0 12 24 36 48 60 72 84
        R4.y 4 16 28 40 52 64 76 88
        R5.x 0x80c 0x181c 0x282c 0x383c 0x484c 0x585c 0x686c 0x787c
        R7.x 0 16 32 48 64 80 96 112
        R6.x 0xfcf8f4f0 0 0 0 0 0 0 0"),
    case("fetches of some pixels", "chapter 8, FETCH_WHOLE_QUAD", bytes, "
        ALU_PUSH_BEFORE:
            0 x: PRED_SETE_INT ____, R0.x, 5 UPDATE_EXEC_MASK
        VTX:
            VFETCH R1.x___, R0.x, fc3 NO_INDEX_OFFSET FORMAT(8) NUM_FORMAT(INT)
            VFETCH R2.x___, R0.x, fc3 NO_INDEX_OFFSET FORMAT(8) NUM_FORMAT(INT) WHOLE_QUAD
        POP ADDR(end) POP_CNT(1)
      end:
        NOP EOP", "
        R1.x 0 0 0 0 0 80 0 0
        R2.x 0 0 0 0 64 80 96 112"),
    case("texels", "chapter 7, LD; chapter 8, OFFSET in half texels", images, "
        TEX:
            LD R1.xyzw, R0.xz00, t5, s0 UNNORM(xyzw)
            LD R2.xyzw, R0.zz00, t5, s0 UNNORM(xyzw) OFFSET(2, 4, 0)
            LD R3.xyzw, R0.zzw0, t7, s0 UNNORM(xyzw)
        NOP EOP", "
        R1.x 0.0 110.0 200.0 310.0 0 0 0 0
        R1.y 1.0 1.0 1.0 1.0 0 0 0 0
        R2.x 120.0 230.0 120.0 230.0 120.0 230.0 120.0 230.0
        R3.x 0.0 110.0 0.0 110.0 1.0 111.0 1.0 111.0"),
    case("samples", "chapter 8, COORD_TYPE: normalised or not, clamped or repeated", images, "
        ALU:
            0 x: MULADD R1.x, R0.y, 0.25, 0.125
              y: MOV R1.y, 0.375
              z: ADD R1.z, R0.y, -1.5
        TEX:
            SAMPLE_LZ R2.xyzw, R1.xy00, t5, s0
            SAMPLE R3.xyzw, R1.xy00, t6, s0
            SAMPLE_L R4.xyzw, R1.zy00, t5, s0 UNNORM(x)
            SAMPLE_L R5.xyzw, R1.z000, t10, s0 UNNORM(x)
            SAMPLE_L R6.xyzw, R1.xyy0, t5, s0 OFFSET(2, 0, 0)
        NOP EOP", "
        R2.x 10.0 110.0 210.0 310.0 310.0 310.0 310.0 310.0
        R3.x 10.0 110.0 210.0 310.0 10.0 110.0 210.0 310.0
        R4.x 10.0 10.0 10.0 110.0 210.0 310.0 310.0 310.0
        R5.x 200.0 300.0 0.0 100.0 200.0 300.0 0.0 100.0
        R6.x 110.0 210.0 310.0 310.0 310.0 310.0 310.0 310.0"),
    case("layers, slices and faces", "chapter 7, SAMPLE", images, "
        ALU:
            0 x: MOV R1.x, 0.5
              y: MOV R1.y, 1.75
        TEX:
            SAMPLE_LZ R2.xyzw, R1.xxx0, t9, s0
            SAMPLE_LZ R3.xyzw, R0.00y0, t7, s0 UNNORM(z)
            SAMPLE_LZ R4.xyzw, R0.11y0, t8, s0 UNNORM(z)
            SAMPLE_LZ R5.xyzw, R1.yyx0, t8, s0 UNNORM(z)
            GET_TEXTURE_RESINFO R6.xyzw, R1.xxxx, t7, s0
        NOP EOP", "
        R2.x 111.0
        R3.x 0.0 1.0 2.0 2.0 2.0 2.0 2.0 2.0
        R4.x 0.0 1.0 2.0 3.0 4.0 5.0 5.0 5.0
        R5.x 110.0
        R6.x 4
        R6.y 4
        R6.z 3"),
    case("comparisons", "chapter 7, SAMPLE_C: with W", images, "
        TEX:
            SAMPLE_C_LZ R2.xyzw, R0.000y, t8, s0
            SAMPLE_C R3.x___, R0.111y, t5, s0
        NOP EOP", "
        R2.x 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
        R3.x 1.0"),
    case("slopes", "chapter 7, GET_GRADIENTS: of the quad", nothing, "
        ALU:
            0 x: MUL R1.x, R0.y, R0.y
        TEX:
            GET_GRADIENTS_H R2.xyzw, R1.xxxx, t0, s0
            GET_GRADIENTS_V R3.xyzw, R1.xxxx, t0, s0
            SET_GRADIENTS_H R1.xyzw, R0.xyzw, t0, s0
        NOP EOP", "
        R2.x 1.0 1.0 5.0 5.0 9.0 9.0 13.0 13.0
        R3.x 4.0 8.0 4.0 8.0 20.0 24.0 20.0 24.0"),
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
    ];
    all.push(Case {
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
    });
    all.push(Case {
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
    });
    all
}
