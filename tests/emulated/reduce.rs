//! Reductions with closures that know what must stay.

use std::convert::Infallible;
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine;
use wavediff::isa::{Arch, Target};
use wavediff::reduce::{Verdict, instructions, reduce, reduce_many};

const TEXT: &str = "\
;; A remark.
; isa: gfx900, gfx1100
; grid: 256
; group: 128
; mode: round32=zero
; buffer other[256]
; buffer data[1024] = random(7)
; s[4:5] = address(data)
; s7 = 0x1234567
; v1 = random(3)
; v2 = edges(f32)
; v3 = f32 [1.0, 2.5, 7.25]
; expect: v9 = 1
\tv_mov_b32 v0, 0x1234 ; nothing
again:\tv_add_f32 v4, v1, v2
\tv_mul_f32 v5, v4, v3
\tv_sub_f32 v6, v5, v3
\ts_cmp_eq_u32 s7, 0
\ts_cbranch_scc1 again
\tv_mov_b32 v7, v6
\ts_endpgm
";

fn target() -> Target {
    Target::new(Arch::find("gfx900").expect("a processor"))
}

/// Whether a case still has the multiplication, and a v3 of more than 2 at its end.
fn shows(case: &Case) -> Verdict {
    let Ok(outcome) = Emulator::default().run(case, target()) else { return Verdict::Lost };
    let text = &case.body.text;
    let float = |n: u32| outcome.waves[0].vgpr(n, 1).map_or(0.0, f32::from_bits);
    let kept = text.contains("v_mul_f32 v5, v4, v3") && float(3) > 2.0;
    if kept { Verdict::Kept } else { Verdict::Lost }
}

#[test]
fn only_what_is_needed_stays() {
    let case = Case::parse(TEXT, "a.s").expect("a case");
    let mut seen = 0;
    let found = reduce::<Infallible>(&case, target(), &mut |case| {
        seen += 1;
        Ok(shows(case))
    });
    let Ok(found) = found;
    assert_eq!(found.checks, seen);
    assert_eq!(instructions(&found.case), 1, "{}", found.case);
    // What is looked at needs neither lanes that are on nor anything in v4.
    assert_eq!(found.case.to_string(), "; isa: gfx900\n; v3 = 2.5\n; exec = 0\nv_mul_f32 v5, v4, v3\n");
    let again = Case::parse(&found.case.to_string(), "a.s").expect("a case");
    assert_eq!(shows(&again), Verdict::Kept);
}

#[test]
fn checking_side_by_side_finds_the_same() {
    let case = Case::parse(TEXT, "a.s").expect("a case");
    let one = |width| {
        let Ok(found) =
            reduce_many::<Infallible>(&case, target(), width, &mut |cases| Ok(cases.iter().map(shows).collect()));
        found.case.to_string()
    };
    assert_eq!(one(1), one(4));
}

#[test]
fn an_error_ends_it() {
    let case = Case::parse(TEXT, "a.s").expect("a case");
    let mut left = 3;
    let found = reduce(&case, target(), &mut |case| {
        left -= 1;
        if left == 0 { Err("enough") } else { Ok(shows(case)) }
    });
    assert_eq!(found.err(), Some("enough"));
}

/// A true16 instruction with a literal, as numbers: they go or stay together, and count.
#[test]
fn words_of_an_instruction_stay_together() {
    let target = Target::new(Arch::find("gfx1100").expect("a processor"));
    // v_ceil_f16_e32 v0.h, 0x4500: 5.0, as llvm-mc-19 has it with +real-true16.
    let text = "; isa: gfx1100\n; wave: 32\n; v0 = 7\n.long 0x7f00b8ff, 0x00004500\ns_nop 0\ns_nop 1\n";
    let case = Case::parse(text, "a.s").expect("a case");
    assert_eq!(instructions(&case), 3);
    let Ok(found) = reduce::<Infallible>(&case, target, &mut |case| {
        let Ok(outcome) = Emulator::default().run(case, target) else { return Ok(Verdict::Lost) };
        let kept = outcome.waves[0].vgpr(0, 0) == Some(0x4500_0000);
        Ok(if kept { Verdict::Kept } else { Verdict::Lost })
    });
    assert_eq!(instructions(&found.case), 1, "{}", found.case);
    assert!(found.case.body.text.contains(".long 0x7f00b8ff, 0x00004500"), "{}", found.case);
}
