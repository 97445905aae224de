//! Expected values: the manuals' formulas (MEMORY_FACTS 14) by hand, and exact sums in wider types.

use super::*;
use crate::isa::arch::Arch;
use crate::isa::does::Does;
use crate::isa::gcn;
use proptest::prelude::*;

const KEEP: FloatRules = FloatRules { flush_in: false, flush_out: false };

/// What a row is, by its name in the oldest generation.
fn of(name: &str) -> Atomic {
    match gcn::rows().find(|row| row.name == name).map(|row| row.does) {
        Some(Does::Atomic(atomic)) => atomic,
        _ => panic!("{name} is no atomic"),
    }
}

/// The operands of DS compare-and-store changed places with gfx11.
#[test]
fn operands_in_order() {
    assert_eq!(of("ds_cmpst_rtn_b32").order("data0", "data1"), ("data1", "data0"));
    assert_eq!(of("ds_cmpstore_rtn_b32").order("data0", "data1"), ("data0", "data1"));
    assert_eq!(of("buffer_atomic_cmpswap").order("first", "next"), ("first", "next"));
}

#[test]
fn integers_by_hand() {
    #[rustfmt::skip]
    let table: &[(Op, u32, u32, u32, u32)] = &[
        // op        mem            data           other  new
        (Op::Swap,    1,             2,             3,     2),
        (Op::CmpSwap, 3,             2,             3,     2),
        (Op::CmpSwap, 4,             2,             3,     4),
        (Op::Add,     !0,            2,             0,     1),
        (Op::Sub,     1,             2,             0,     !0),
        (Op::RSub,    1,             2,             0,     1),
        (Op::SMin,    !0,            2,             0,     !0),
        (Op::UMin,    !0,            2,             0,     2),
        (Op::SMax,    !0,            2,             0,     2),
        (Op::UMax,    !0,            2,             0,     !0),
        (Op::And,     6,             3,             0,     2),
        (Op::Or,      6,             3,             0,     7),
        (Op::Xor,     6,             3,             0,     5),
        (Op::Inc,     4,             5,             0,     5),
        (Op::Inc,     5,             5,             0,     0),
        (Op::Inc,     !0,            !0,            0,     0),
        (Op::Dec,     5,             5,             0,     4),
        (Op::Dec,     6,             5,             0,     5),
        (Op::Dec,     0,             5,             0,     5),
        (Op::SubClamp, 5,            3,             0,     2),
        (Op::SubClamp, 3,            5,             0,     0),
        (Op::CondSub, 5,             3,             0,     2),
        (Op::CondSub, 3,             5,             0,     3),
        (Op::Wrap,    5,             3,             9,     2),
        (Op::Wrap,    2,             3,             9,     11),
        (Op::MskOr,   0xff,          0x0f,          0x105, 0x1f5),
    ];
    for &(op, mem, data, other, new) in table {
        assert_eq!(op.apply_u32(mem, data, other, KEEP), new, "{op:?} {mem} {data}");
        // The same in the upper half of 64 bits, where it does not matter what lies below.
        let wide = |x: u32| (x as i32 as i64) as u64;
        assert_eq!(op.apply_u64(wide(mem), wide(data), wide(other), KEEP), wide(new), "{op:?} {mem} {data}");
    }
    let exchanged = Op::CondXchg.apply_u64(0x1111_1111_2222_2222, 0x8000_0005_7fff_ffff, 0, KEEP);
    assert_eq!(exchanged, 0x0000_0005_2222_2222);
}

const QNAN: u32 = 0x7fc0_1234;
const SNAN: u32 = 0x7f80_1234;

#[test]
fn floats_by_hand() {
    let f = |x: f32| x.to_bits();
    let flush = FloatRules { flush_in: true, flush_out: true };
    #[rustfmt::skip]
    let table: &[(Op, FloatRules, u32, u32, u32)] = &[
        // op         rules  mem           data          new
        (Op::FAdd,    KEEP,  f(1.5),       f(2.0),       f(3.5)),
        (Op::FAdd,    KEEP,  f(16777216.0), f(1.0),      f(16777216.0)), // a tie, to even
        (Op::FAdd,    KEEP,  f(16777218.0), f(1.0),      f(16777220.0)),
        (Op::FAdd,    KEEP,  1,            2,            3),
        (Op::FAdd,    flush, 1,            0x80_0000,    0x80_0000),
        (Op::FAdd,    flush, 0x80_0001,    0x8080_0000,  0),             // the result is denormal
        (Op::FAdd,    KEEP,  f(1.0),       SNAN,         QNAN),
        (Op::FAdd,    KEEP,  QNAN | 1,     QNAN,         QNAN),          // data comes first
        (Op::FAdd,    KEEP,  0x7f80_0000,  0xff80_0000,  0xffc0_0000),
        (Op::FMin,    KEEP,  f(1.0),       f(-2.0),      f(-2.0)),
        (Op::FMax,    KEEP,  f(1.0),       f(-2.0),      f(1.0)),
        (Op::FMin,    KEEP,  0,            0x8000_0000,  0x8000_0000),
        (Op::FMax,    KEEP,  0x8000_0000,  0,            0),
        (Op::FMax,    KEEP,  f(1.0),       QNAN,         f(1.0)),
        (Op::FMin,    KEEP,  QNAN,         f(1.0),       f(1.0)),
        (Op::FMin,    KEEP,  f(1.0),       SNAN,         QNAN),
        (Op::FMin,    KEEP,  SNAN,         f(1.0),       QNAN),
        (Op::FMinNum, KEEP,  f(1.0),       SNAN,         f(1.0)),
        (Op::FMaxNum, KEEP,  SNAN,         f(1.0),       f(1.0)),
        (Op::FMaxNum, KEEP,  QNAN | 1,     SNAN,         QNAN),
        (Op::FMax,    KEEP,  1,            2,            2),
        (Op::FMax,    flush, 1,            2,            1),             // equal: memory stays, unflushed
        (Op::FMax,    flush, 0x8000_0001,  2,            2),
    ];
    for &(op, rules, mem, data, new) in table {
        let got = op.apply_u32(mem, data, 0, rules);
        assert_eq!(got, new, "{op:?} {mem:#x} {data:#x}: {got:#x}");
    }
    let compare = |mem, other, rules| Op::FCmpSwap.apply_u32(mem, 7, other, rules);
    assert_eq!(compare(0, 0x8000_0000, KEEP), 7);
    assert_eq!(compare(QNAN, QNAN, KEEP), QNAN);
    assert_eq!(compare(1, 0, KEEP), 1);
    assert_eq!(compare(1, 0, flush), 0, "what is stored is flushed too");
    // f64: 2^53 + 1 is a tie.
    let d = |x: f64| x.to_bits();
    assert_eq!(Op::FAdd.apply_u64(d(9007199254740992.0), d(1.0), 0, KEEP), d(9007199254740992.0));
    assert_eq!(Op::FMin.apply_u64(d(1.0), 0x7ff0_0000_0000_0001, 0, KEEP), 0x7ff8_0000_0000_0001);
    assert_eq!(Op::FMax.apply_u64(d(1.0), d(3.0), 0, KEEP), d(3.0));
    // Packed: 1 + 2 and 65504 + 65504 in f16; 1 + 2^-8 is a tie in bf16.
    assert_eq!(Op::PkAddF16.apply_u32(0x7bff_3c00, 0x7bff_4000, 0, KEEP), 0x7c00_4200);
    assert_eq!(Op::PkAddBf16.apply_u32(0x3f80_3f81, 0x3b80_3b80, 0, KEEP), 0x3f80_3f82);
    assert_eq!(Op::PkAddF16.apply_u32(0x7c00_7d00, 0xfc00_3c00, 0, KEEP), 0xfe00_7f00);
}

#[test]
fn denormals() {
    let add = of("global_atomic_add_f32");
    let rules = |name, space| {
        let target = Target::new(Arch::find(name).expect("a processor"));
        add.float_rules(&target, space, true, false)
    };
    let flush = FloatRules { flush_in: true, flush_out: true };
    assert_eq!(rules("gfx908", Space::Memory), flush);
    assert_eq!(rules("gfx90a", Space::Memory), flush);
    assert_eq!(rules("gfx942", Space::Memory), KEEP);
    assert_eq!(rules("gfx1100", Space::Memory), KEEP);
    assert_eq!(rules("gfx1100", Space::Lds), FloatRules { flush_in: false, flush_out: true });
    let packed = of("ds_pk_add_f16");
    let target = Target::new(Arch::find("gfx942").expect("a processor"));
    assert_eq!(packed.float_rules(&target, Space::Lds, false, false), KEEP);
}

#[test]
fn in_memory() {
    use crate::memory::guest::Memory;
    let mut memory = Memory::new();
    memory.map("counter", 0x1000, 16, true).expect("fits");
    let mut view = memory.view();
    assert_eq!(Op::Add.run(Width::W32, &mut view, 0x1004, 5, 0, KEEP), Ok(0));
    assert_eq!(Op::Add.run(Width::W32, &mut view, 0x1004, 5, 0, KEEP), Ok(5));
    assert_eq!(Op::Sub.run(Width::W64, &mut view, 0x1008, 1, 0, KEEP), Ok(0));
    assert_eq!(view.load_u64(0x1008), Ok(u64::MAX));
    assert!(Op::Add.run(Width::W64, &mut view, 0x1004, 5, 0, KEEP).is_err());
}

proptest! {
    /// Sums of small floats, against the exact sum: two f16 fit f64 exactly, and the result is the nearest one, ties to even.
    #[test]
    fn f16_sums_are_nearest(a in any::<u16>(), b in any::<u16>()) {
        let exact = |x: u16| half::f16::from_bits(x).to_f64();
        prop_assume!(exact(a).is_finite() && exact(b).is_finite());
        let sum = exact(a) + exact(b);
        let got = float::add_f16(a, b);
        let error = |x: u16| (exact(x) - sum).abs();
        if exact(got).is_finite() {
            for near in [got.wrapping_add(1), got.wrapping_sub(1)] {
                let tie = error(near) == error(got);
                prop_assert!(!exact(near).is_finite() || error(got) < error(near) || tie && (got & 1 == 0 || exact(got) == exact(near)));
            }
        } else {
            prop_assert!(sum.abs() >= 65520.0);
        }
    }

    /// No operand does harm.
    #[test]
    fn anything(mem in any::<u64>(), data in any::<u64>(), other in any::<u64>(), flush_in in any::<bool>(), flush_out in any::<bool>()) {
        let rules = FloatRules { flush_in, flush_out };
        for row in gcn::rows() {
            if let Does::Atomic(atomic) = row.does {
                let _ = atomic.op.apply_u32(mem as u32, data as u32, other as u32, rules);
                let _ = atomic.op.apply_u64(mem, data, other, rules);
            }
        }
    }
}
