//! Trap handlers around their runs: what is refused, what traces and reductions make of a case that names one.
//!
//! What handlers find and leave is in the cases (`tests/cases/pass/trap_*`, `tests/cases/traps`, `tests/cases/fail`).

use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, EngineError};
use wavediff::isa::{Arch, Target};
use wavediff::reduce::{Verdict, reduce};

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn case(text: &str) -> Case {
    Case::parse(text, "trap.s").expect("a case")
}

/// A handler that counts in s8, behind a program.
fn counting(body: &str) -> Case {
    let handler = "s_add_u32 s8, s8, 1\ns_add_u32 ttmp0, ttmp0, 4\ns_addc_u32 ttmp1, ttmp1, 0\ns_rfe_b64 ttmp[0:1]";
    case(&format!("; trap_handler: handler\n; observe: s8\n{body}\ns_endpgm\n.p2align 8\nhandler:\n{handler}\n"))
}

#[test]
fn the_way_back_is_for_handlers_only() {
    for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"] {
        let bare = case("s_getpc_b64 s[4:5]\ns_rfe_b64 s[4:5]\n");
        for case in [bare, counting("s_getpc_b64 s[4:5]\ns_rfe_b64 s[4:5]")] {
            let refused = Emulator::default().run(&case, target(name)).expect_err("a refusal");
            let EngineError::Unsupported(refused) = refused else { panic!("{name}: {refused}") };
            // RDNA3 manual: "this instruction may only be used within a trap handler".
            assert!(refused.needs.starts_with("a trap handler to return from"), "{name}: {}", refused.needs);
        }
    }
}

#[test]
fn a_case_that_needs_its_handler_keeps_it_when_it_is_reduced() {
    let whole = counting("s_mov_b32 s1, 5\ns_trap 1\nv_mov_b32 v0, 1\ns_trap 1\ns_mov_b32 s3, 5");
    let counted = |case: &Case| {
        let outcome = Emulator::default().run(case, target("gfx900"));
        outcome.is_ok_and(|outcome| outcome.trap.is_none() && outcome.waves[0].sgprs[8] != 0)
    };
    let mut check = |case: &Case| {
        // As it would be written down.
        let case = self::case(&case.to_string());
        Ok::<Verdict, ()>(if counted(&case) && case.trap_handler.is_some() { Verdict::Kept } else { Verdict::Lost })
    };
    let reduced = reduce(&whole, target("gfx900"), &mut check).expect("a case").case;
    assert!(reduced.trap_handler.is_some(), "{reduced}");
    assert!(reduced.body.text.lines().count() <= 7, "{reduced}");
    // And one that does not loses it.
    let mut check = |case: &Case| {
        let outcome = Emulator::default().run(case, target("gfx900"));
        let kept = outcome.is_ok_and(|outcome| outcome.trap.is_none() && outcome.waves[0].sgprs[1] == 5);
        Ok::<Verdict, ()>(if kept { Verdict::Kept } else { Verdict::Lost })
    };
    let reduced = reduce(&whole, target("gfx900"), &mut check).expect("a case").case;
    assert_eq!(reduced.trap_handler, None, "{reduced}");
}

#[test]
fn without_a_handler_all_is_as_it_was() {
    for name in ["gfx600", "gfx900", "gfx1100"] {
        let outcome = Emulator::default().run(&case("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4\nv_rcp_f32 v1, v0\ns_getreg_b32 s1, hwreg(HW_REG_STATUS, 5, 2)\ns_trap 7\n"), target(name));
        let outcome = outcome.expect("an outcome");
        assert_eq!(outcome.trap.map(|trap| trap.kind.to_string()).as_deref(), Some("s_trap 7"), "{name}");
        assert_eq!(outcome.waves[0].sgprs[1], 0, "{name}");
    }
}
