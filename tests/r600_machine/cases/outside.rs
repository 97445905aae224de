//! What leaves a program and what it fetches.

use super::{Case, array, bytes, case, images, nothing, scratch};
use wavediff::r600::emu::Stage;

/// The cases.
#[rustfmt::skip]
pub fn cases() -> Vec<Case> {
    vec![
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
    ]
}
