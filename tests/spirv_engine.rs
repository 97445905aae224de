//! The Vulkan engine around its runs: a device that is lost, one that has made many programs, records that grow.
//!
//! Without a device the tests are listed as ignored; `WAVEDIFF_REQUIRE_VULKAN` makes that a failure.

#[path = "spirv/setup.rs"]
mod setup;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::compare::outcomes;
use wavediff::engine::{Engine, EngineError};
use wavediff::isa::Target;
use wavediff::program::Program;
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::spirv::lower::{Options, translate};
use wavediff::spirv::state::Layout;

const SUM: &str = "; isa: gfx1100\n; wave: 32\n; v0 = 7\n; v3 = 5\n; expect: v3 = 12\nv_add_nc_u32 v3, v3, v0\n";

/// What a jump through a register leads to names registers that nothing before it does.
const FAR: &str = "; isa: gfx1100
; wave: 32
; v0 = 7
; v1 = lane
; v100 = 5
; v200 = 9
; expect: v100 = 12
; expect: v2 = 7
s_mov_b32 s5, 77
v_mov_b32 v2, v0
s_getpc_b64 s[0:1]
s_add_u32 s0, s0, 16
s_addc_u32 s1, s1, 0
s_setpc_b64 s[0:1]
s_endpgm
v_add_nc_u32 v100, v100, v0
s_endpgm
";

/// An accumulation register far up, beside vector registers far down.
const ACCUMULATION: &str = "; isa: gfx908
; v1 = lane
; v2 = 3
; expect: v3 = lane
v_accvgpr_write_b32 a77, v1
v_accvgpr_read_b32 v3, a77
";

fn case(text: &str) -> (Case, Target) {
    let case = Case::parse(text, "a case").expect("a case");
    let target = case.targets()[0];
    (case, target)
}

/// Runs on both; what expects fails the case does so on the emulator.
fn same(engine: &Vulkan, text: &str) -> Result<(), Failed> {
    let (case, target) = case(text);
    let expected = Emulator::default().run(&case, target)?;
    let mismatches = case.initial(target)?.check(&expected)?;
    if !mismatches.is_empty() {
        return Err("the emulator itself".into());
    }
    let got = engine.run(&case, target)?;
    match outcomes(&case, target, &expected, &got).first() {
        Some(difference) => Err(difference.show("emulator", "device").into()),
        None => Ok(()),
    }
}

/// The run in which a device is lost is a crash, and the next one works, on a fresh device.
fn lost(engine: &mut Vulkan) -> Result<(), Failed> {
    let (case, target) = case(SUM);
    for _ in 0..2 {
        same(engine, SUM)?;
        let device = engine.device();
        device.lose_after(1);
        match engine.run(&case, target) {
            Err(EngineError::Crash { reason, .. }) if reason.contains("lost") => {}
            other => return Err(format!("{other:?} instead of a crash").into()),
        }
        if !device.is_lost() {
            return Err("the device is well".into());
        }
        same(engine, SUM)?;
        if engine.device().is_lost() || engine.device().allocations() != 0 || device.allocations() != 0 {
            return Err("something is left".into());
        }
    }
    Ok(())
}

/// After so many pipelines another device takes over, and nothing is seen of it.
fn renewed(engine: &mut Vulkan) -> Result<(), Failed> {
    engine.renew = 2;
    for _ in 0..5 {
        same(engine, SUM)?;
    }
    Ok(())
}

/// Records grow while waves run.
fn grown(engine: &mut Vulkan) -> Result<(), Failed> {
    same(engine, FAR)?;
    same(engine, ACCUMULATION)
}

/// Exceptions that enter a trap handler are refused by name, before the run or where they come up.
fn handled(engine: &mut Vulkan) -> Result<(), Failed> {
    let handler = ".p2align 8\nhandler: s_rfe_b64 ttmp[0:1]\n";
    for (header, body) in [
        ("; mode: 0x43f0\n", "v_rcp_f32_e32 v1, v0\n"),
        ("", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 12, 7), 4\n"),
        ("", "s_load_b32 s4, s[2:3], 0x0\n"),
        ("", ".long 0xbfff0000\n"),
    ] {
        let text = format!("; isa: gfx1100\n; trap_handler: handler\n{header}{body}s_endpgm\n{handler}");
        let (case, target) = case(&text);
        match engine.run(&case, target) {
            Err(EngineError::Unsupported(why)) if why.needs == "exceptions that enter a trap handler" => {}
            other => return Err(format!("{text}{other:?}").into()),
        }
    }
    Ok(())
}

/// Records have room for what a program names, and no more.
fn small(_: &mut Vulkan) -> Result<(), Failed> {
    let used = |text: &str, model: Model| {
        let (case, target) = case(text);
        let program = Program::new(target, &case.program(target).expect("words").words(), 0);
        let options = Options { entries: BTreeSet::from([0]), ..Options::new(target, model, 64) };
        translate(&program, &options).used
    };
    for model in Model::ALL {
        for (text, wanted) in [
            (SUM, Layout { vgprs: 4, agprs: 0 }),
            (FAR, Layout { vgprs: 3, agprs: 0 }),
            (ACCUMULATION, Layout { vgprs: 4, agprs: 78 }),
            ("; isa: gfx803\ns_mov_b32 m0, 1\nv_movrels_b32 v1, v2\n", Layout { vgprs: 256, agprs: 0 }),
        ] {
            let got = used(text, model);
            if got != wanted {
                return Err(format!("{} {text}: {got:?} instead of {wanted:?}", model.name()).into());
            }
        }
    }
    Ok(())
}

type Test = fn(&mut Vulkan) -> Result<(), Failed>;

fn main() {
    let mut args = Arguments::from_args();
    args.test_threads = Some(1);
    let gpu = setup::gpu();
    let missing = gpu.is_none();
    let mut trials = Vec::new();
    let tests: [(&str, Test); 5] =
        [("lost", lost), ("renewed", renewed), ("grown", grown), ("handled", handled), ("small", small)];
    for (name, test) in tests {
        for model in Model::ALL {
            let gpu = gpu.clone();
            let run = move || match gpu {
                Some(gpu) => test(&mut Vulkan::new(gpu.open()?, model)),
                None => Ok(()),
            };
            let title = format!("{name}::{}", model.name());
            trials.push(Trial::test(title, run).with_ignored_flag(missing));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
