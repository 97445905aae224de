//! `sendmsg(MSG_GS, GS_OP_EMIT, 0)`: the message of `s_sendmsg`, `s_sendmsghalt` and `s_sendmsg_rtn`.
//!
//! Before gfx11: bits 3:0 the message, 6:4 the operation, 9:8 the stream. From gfx11: bits 7:0 the message, and no
//! operations but those of `MSG_SYSMSG` in the text (which LLVM reads and packs, but never prints). As in LLVM, the text of
//! a message with a name does not show the bits that are none of these.

use super::{Symbol, gens, name_of, sym};
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::text::{push_str, push_udec};

const ALL: Variants = Variants::all();
const TO_8: Variants = gens(Gen::Gfx6, Gen::Gfx8);
const TO_10: Variants = gens(Gen::Gfx6, Gen::Gfx10);
const G8_10: Variants = gens(Gen::Gfx8, Gen::Gfx10);
const G9_10: Variants = gens(Gen::Gfx9, Gen::Gfx10);
const G9_11: Variants = gens(Gen::Gfx9, Gen::Gfx11);
const FROM_9: Variants = gens(Gen::Gfx9, Gen::Gfx12);
const FROM_11: Variants = gens(Gen::Gfx11, Gen::Gfx12);

/// The messages; those from 128 on return a value.
#[rustfmt::skip]
pub static MESSAGES: &[Symbol] = &[
    sym("MSG_INTERRUPT",            1, ALL),
    sym("MSG_GS",                   2, TO_10),
    sym("MSG_HS_TESSFACTOR",        2, FROM_11),
    sym("MSG_GS_DONE",              3, TO_10),
    sym("MSG_DEALLOC_VGPRS",        3, FROM_11),
    sym("MSG_SAVEWAVE",             4, G8_10),
    sym("MSG_STALL_WAVE_GEN",       5, G9_11),
    sym("MSG_HALT_WAVES",           6, G9_11),
    sym("MSG_ORDERED_PS_DONE",      7, G9_10),
    sym("MSG_EARLY_PRIM_DEALLOC",   8, G9_10),
    sym("MSG_GS_ALLOC_REQ",         9, FROM_9),
    sym("MSG_GET_DOORBELL",        10, G9_10),
    sym("MSG_GET_DDID",            11, Variants::G10),
    sym("MSG_SYSMSG",              15, ALL),
    sym("MSG_RTN_GET_DOORBELL",   128, FROM_11),
    sym("MSG_RTN_GET_DDID",       129, FROM_11),
    sym("MSG_RTN_GET_TMA",        130, FROM_11),
    sym("MSG_RTN_GET_REALTIME",   131, FROM_11),
    sym("MSG_RTN_SAVE_WAVE",      132, FROM_11),
    sym("MSG_RTN_GET_TBA",        133, FROM_11),
    sym("MSG_RTN_GET_TBA_TO_PC",  134, FROM_11),
    sym("MSG_RTN_GET_SE_AID_ID",  135, Variants::G12),
];

/// The operations of `MSG_SYSMSG`.
#[rustfmt::skip]
pub static SYS_OPS: &[Symbol] = &[
    sym("SYSMSG_OP_ECC_ERR_INTERRUPT", 1, ALL),
    sym("SYSMSG_OP_REG_RD",            2, ALL),
    sym("SYSMSG_OP_HOST_TRAP_ACK",     3, TO_8),
    sym("SYSMSG_OP_TTRACE_PC",         4, ALL),
];

/// The operations of `MSG_GS` and `MSG_GS_DONE`.
#[rustfmt::skip]
pub static GS_OPS: &[Symbol] = &[
    sym("GS_OP_NOP",      0, ALL),
    sym("GS_OP_CUT",      1, ALL),
    sym("GS_OP_EMIT",     2, ALL),
    sym("GS_OP_EMIT_CUT", 3, ALL),
];

const GS: u32 = 2;
const GS_DONE: u32 = 3;
const SYSMSG: u32 = 15;

/// Whether the answer to a message comes to EXEC: on gfx9 and gfx10 that to `MSG_GET_DOORBELL`, with bit 31 clear as soon as it is there.
#[must_use]
pub fn answers_in_exec(generation: Gen, message: u32) -> bool {
    const GET_DOORBELL: u32 = 10;
    matches!(generation, Gen::Gfx9 | Gen::Gfx10) && message & 0xf == GET_DOORBELL
}

/// The largest message number.
#[must_use]
pub fn max_id(target: &Target) -> u32 {
    if target.is(FROM_11) { 0xff } else { 0xf }
}

/// The operations that a message of this number has names for.
#[must_use]
pub fn ops(id: u32) -> &'static [Symbol] {
    if id == SYSMSG { SYS_OPS } else { GS_OPS }
}

/// Whether a named message wants an operation.
#[must_use]
pub fn wants_op(id: u32, target: &Target) -> bool {
    id == SYSMSG || target.is(TO_10) && matches!(id, GS | GS_DONE)
}

/// Whether a named message may have this operation.
#[must_use]
pub fn valid_op(id: u32, op: u32, target: &Target) -> bool {
    if !wants_op(id, target) {
        return op == 0;
    }
    // MSG_GS without an operation would be no message; only MSG_GS_DONE may have GS_OP_NOP.
    !(id == GS && op == 0) && name_of(ops(id), op, target).is_some()
}

/// Whether a named message with this operation goes to one of four streams.
#[must_use]
pub fn has_stream(id: u32, op: u32, target: &Target) -> bool {
    target.is(TO_10) && matches!(id, GS | GS_DONE) && op != 0
}

/// Packs message, operation and stream; they do not overlap before gfx11.
#[must_use]
pub const fn pack(id: u32, op: u32, stream: u32) -> u32 {
    id | op << 4 | stream << 8
}

/// Appends `sendmsg(..)` with names, else with numbers, else the plain number.
pub fn print(value: u32, target: &Target, out: &mut Vec<u8>) {
    let id = value & max_id(target);
    let (op, stream) = if target.is(FROM_11) { (0, 0) } else { (value >> 4 & 7, value >> 8 & 3) };
    let named = name_of(MESSAGES, id, target).filter(|_| {
        let stream_fits = stream == 0 || has_stream(id, op, target);
        valid_op(id, op, target) && stream_fits
    });
    if let Some(name) = named {
        push_str(out, "sendmsg(");
        push_str(out, name);
        if wants_op(id, target) {
            push_str(out, ", ");
            push_str(out, name_of(ops(id), op, target).unwrap_or_default());
            if has_stream(id, op, target) {
                push_str(out, ", ");
                push_udec(out, u64::from(stream));
            }
        }
        out.push(b')');
    } else if pack(id, op, stream) == value {
        push_str(out, "sendmsg(");
        push_udec(out, u64::from(id));
        push_str(out, ", ");
        push_udec(out, u64::from(op));
        push_str(out, ", ");
        push_udec(out, u64::from(stream));
        out.push(b')');
    } else {
        push_udec(out, u64::from(value));
    }
}
