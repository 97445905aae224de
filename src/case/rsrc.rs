//! `rsrc: RSRC1, RSRC2, RSRC3`: registers at the start as the compute registers of the hardware ask for them.
//!
//! The line stands for others that could be written instead: values of user-visible registers with the names that a case has for them. So
//! whatever follows in the header wins over it, register by register. What it stands for is ABI_FACTS sections 2 and 4:
//!
//! - MODE from RSRC1;
//! - at the count of user SGPRs, one behind the other as RSRC2 enables them: `group.x`, `group.y`, `group.z` (not on gfx12), `group.info`
//!   and, where programs find their scratch memory by themselves, `scratch.offset`;
//! - gfx12: `ttmp9 = group.x`, `ttmp7 = group.y | group.z << 16`, `ttmp8 = group.wave << 25`;
//! - the numbers of the work-item: all in v0, ten bits each, on gfx90a, gfx940 and from gfx11 on; else in v0, v1, v2 as RSRC2 says;
//! - LDS of the size that RSRC2 says.

use super::Init;
use super::isa::Select;
use super::math::{Math, Op};
use super::value::{File, Id, Lit, Place, Value};
use crate::isa::Arch;
use crate::isa::types::Ty;
use crate::object::start;

/// The values that the words stand for.
pub(super) fn inits(rsrc: [u32; 3], arch: &'static Arch) -> Vec<Init> {
    let descriptor = start::words(rsrc, arch);
    let mut all = Vec::new();
    let mut put = |file, first, value| {
        let place = Place::Regs { file, first, count: 1 };
        all.push(Init { select: Select::default(), place, value });
    };
    let ids = descriptor.workgroup_ids();
    let groups = [0, 1, 2].map(|n| Value::Id(Id::Group(n)));
    let in_ttmps = start::ids_in_ttmps(arch);
    let mut next = descriptor.user_sgprs();
    let mut system = |enabled: bool, value: Value| {
        if enabled {
            put(File::Scalar, next, value);
            next += 1;
        }
    };
    for (enabled, id) in ids.into_iter().zip(&groups) {
        system(enabled && !in_ttmps, id.clone());
    }
    system(descriptor.field("system_sgpr_workgroup_info") == Some(1), Value::Id(Id::GroupInfo));
    let offset = descriptor.scratch() && !arch.has_architected_flat_scratch();
    system(offset, Value::Id(Id::ScratchOffset));
    if in_ttmps {
        let [x, y, z] = groups;
        // Where z is not wanted, y may be read as a whole word.
        let yz = if ids[2] { or(y, shifted(z, 16)) } else { y };
        put(File::Trap, 9, x);
        put(File::Trap, 7, yz);
        put(File::Trap, 8, shifted(Value::Id(Id::WaveInGroup), 25));
    }
    let wanted = descriptor.workitem_ids();
    if start::packs_ids(arch) {
        let local = |n: u32| shifted(Value::Id(Id::Local(n as u8)), 10 * n);
        put(File::Vector, 0, (1..wanted).fold(local(0), |all, n| or(all, local(n))));
    } else {
        (0..wanted).for_each(|n| put(File::Vector, n, Value::Id(Id::Local(n as u8))));
    }
    all
}

fn math(op: Op, a: Value, b: Value) -> Value {
    let term = |value| match value {
        Value::Math(math) => math,
        value => Box::new(Math::Leaf(value)),
    };
    Value::Math(Box::new(Math::Two(op, term(a), term(b))))
}

fn or(a: Value, b: Value) -> Value {
    math(Op::Or, a, b)
}

fn shifted(value: Value, by: u32) -> Value {
    if by == 0 { value } else { math(Op::Shl, value, Value::Lit(Lit { ty: Ty::U32, bits: by.into() })) }
}
