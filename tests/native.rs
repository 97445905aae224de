//! Machine code in a frame, run by the emulator as a card would run it, against the same program run by the emulator alone: on every
//! generation, with waves of both sizes, cases in files and singles of all suites. Mistakes planted in the frame are noticed.

#[path = "native/card.rs"]
mod card;
#[path = "native/mistakes.rs"]
mod mistakes;

use card::Emulated;
use mistakes::{BARRIERS, BRANCHES, COUNTED, MEETING, MISTAKES, Mistake, PROBE};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wavediff::bisect::{OfCase, Verdict, find};
use wavediff::case::{Case, Reach};
use wavediff::emu::engine::Emulator;
use wavediff::engine::compare::{outcomes, states};
use wavediff::engine::ground::Ground;
use wavediff::engine::order::Order;
use wavediff::engine::stage::case::run_case;
use wavediff::engine::{Engine, EngineError, Options, Runner, Status};
use wavediff::isa::{Arch, Target};
use wavediff::native::Native;
use wavediff::native::engine::Spoil;
use wavediff::object::radv::{self, Patch, RadvError};
use wavediff::suite::judge::{Other, Part, judge};
use wavediff::suite::{Plan, Suite};

/// One or two processors of each generation.
const ARCHS: [&str; 10] =
    ["gfx600", "gfx704", "gfx803", "gfx900", "gfx906", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"];

fn arch(name: &str) -> &'static Arch {
    Arch::find(name).expect("a processor")
}

fn native(arch: &'static Arch) -> Native<Emulated> {
    Native::new("native".to_owned(), Emulated(arch, Order::default()))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What comes of a case on the emulator and in a frame, both on the ground of a driver.
fn both(case: &Case, target: Target) -> Option<(Vec<String>, Status)> {
    let ground = Ground::of_driver(target.arch);
    let case = case.pinned(target, ground.first, ground.case_scratch()).expect("a place for its memory");
    let expected = Engine::run(&Emulator::default(), &case, target).ok()?;
    if expected.trap.is_some() {
        return None;
    }
    Some(match Engine::run(&native(target.arch), &case, target) {
        Ok(got) => {
            let differences = outcomes(&case, target, &expected, &got);
            let status = if differences.is_empty() { Status::Pass } else { Status::Fail };
            (differences.iter().map(|difference| difference.show("emu", "native")).collect(), status)
        }
        Err(EngineError::Unsupported(unsupported)) => (vec![unsupported.to_string()], Status::Unsupported),
        Err(error) => (vec![error.to_string()], Status::Crash),
    })
}

/// Cases in files, by name.
fn cases() -> Vec<(PathBuf, Case)> {
    let entries = std::fs::read_dir(root().join("tests/cases/pass")).expect("cases");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "s"));
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("text");
        let case = Case::parse(&text, &path.to_string_lossy()).expect("a case");
        (path, case)
    };
    files.into_iter().map(read).collect()
}

/// Cases in files: none differs, and the few that are refused say why.
#[test]
fn cases_leave_the_same_in_a_frame() {
    let (mut passed, mut refused, mut wrong) = (0, BTreeMap::new(), Vec::new());
    for (path, case) in cases() {
        // These are refused as a whole, which a test of its own says.
        if case.trap_handler.is_some() {
            continue;
        }
        for target in case.targets().into_iter().filter(|target| ARCHS.contains(&target.arch.name)) {
            let Some((said, status)) = both(&case, target) else { continue };
            match status {
                Status::Pass => passed += 1,
                Status::Unsupported => *refused.entry(said[0].clone()).or_insert(0) += 1,
                _ => wrong.push(format!("{} {}: {:?}", path.display(), target.arch.name, said.first())),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(passed > 700, "{passed} passed");
    // What only graphics shaders do is no shortcoming.
    let all: i32 = refused.iter().filter(|(reason, _)| !reason.contains(" shader, which ")).map(|(_, n)| n).sum();
    assert!(all * 100 < passed * 8, "{passed} passed, refused: {refused:#?}");
    assert!(refused.keys().all(|reason| reason.contains("needs")), "{refused:#?}");
}

/// Singles of all suites: none differs. One of many instructions of each, which over time is all of them.
#[test]
fn singles_leave_the_same_in_a_frame() {
    for name in ARCHS {
        let card = native(arch(name));
        let (mut passed, mut refused) = (0, 0);
        // It has no graphics shaders.
        let is_wanted = |suite: &Suite| suite.is_of_singles() && *suite != Suite::Export;
        let suites = Suite::ALL.into_iter().filter(is_wanted).collect();
        let plan = Plan {
            suites,
            archs: vec![arch(name)],
            machines: Vec::new(),
            mixed: 1,
            inputs: 4,
            seed: 1,
            programs: 0,
            files: Vec::new(),
        };
        for unit in plan.units(&plan.entries()).iter().step_by(23) {
            let judged = judge(unit, Other::Native(&card), Part::default()).expect("a verdict");
            passed += judged.passed.values().sum::<u64>();
            for verdict in &judged.verdicts {
                assert_eq!(verdict.status, Status::Unsupported, "{verdict:?}");
                refused += verdict.count;
            }
        }
        assert!(passed > 100 && refused * 10 < passed, "{name}: {passed} passed, {refused} refused");
    }
}

/// Random programs.
#[test]
fn random_programs_leave_the_same_in_a_frame() {
    for name in ARCHS {
        let card = native(arch(name));
        let suites = vec![Suite::Random];
        let plan = Plan {
            suites,
            archs: vec![arch(name)],
            machines: Vec::new(),
            mixed: 0,
            inputs: 1,
            seed: 9,
            programs: 12,
            files: Vec::new(),
        };
        for unit in plan.units(&plan.entries()) {
            let judged = judge(&unit, Other::Native(&card), Part::default()).expect("a verdict");
            let bad = judged.verdicts.iter().find(|verdict| verdict.status != Status::Unsupported);
            assert!(bad.is_none(), "{}: {bad:?}", unit.name);
        }
    }
}

/// Prefixes: after so many steps the state is the emulator's, up to the end and beyond.
#[test]
fn prefixes_of_straight_programs_are_the_emulators() {
    let text = "; isa: gfx803, gfx900, gfx1030, gfx1200\n; v1 = f32 ramp(1, 1)\n; s1 = 3\ns_add_u32 s0, s1, 4\n\
                v_add_f32 v0, v1, v1\ns_mov_b32 s2, 0x12345678\ns_mov_b32 m0, 5\nv_mov_b32 v1, s2\n";
    let case = Case::parse(text, "prefix").expect("a case");
    for target in case.targets() {
        let ground = Ground::of_driver(target.arch);
        let case = case.pinned(target, ground.first, ground.case_scratch()).expect("no memory");
        for steps in 0..8 {
            let options = Options { pause: Some(steps), ..Options::default() };
            let a = run_case(&Emulator { options }, &options, &case, target).expect("an outcome");
            let b = run_case(&native(target.arch), &options, &case, target).expect("an outcome");
            assert_eq!(states(&a, &b), [], "{} after {steps}", target.arch.name);
            assert_eq!(a.stats.paused, b.stats.paused, "{} after {steps}", target.arch.name);
        }
    }
}

/// A case after so many steps on the emulator and in a frame: what differs, and how many waves were paused.
fn paused(card: &Native<Emulated>, case: &Case, target: Target, steps: u64) -> Result<(Vec<String>, u32), EngineError> {
    let options = Options { pause: Some(steps), ..Options::default() };
    let b = run_case(card, &options, case, target)?;
    let a = run_case(&Emulator { options }, &options, case, target)?;
    let mut wrong: Vec<String> = states(&a, &b).iter().map(|difference| difference.show("emu", "native")).collect();
    if a.stats.paused != b.stats.paused {
        wrong.push(format!("{} paused, natively {}", a.stats.paused, b.stats.paused));
    }
    Ok((wrong, a.stats.paused))
}

/// The same where waves branch: loops of different length, in groups of two waves, by every condition. Each prefix, to the end.
#[test]
fn prefixes_of_branching_programs_are_the_emulators() {
    for name in ARCHS {
        let case = Case::parse(&BRANCHES.replace("ARCH", name), "branches").expect("a case");
        let target = case.targets()[0];
        let mut lengths = 0;
        for steps in 0.. {
            let (wrong, left) = paused(&native(target.arch), &case, target, steps).expect("an outcome");
            assert_eq!(wrong.first(), None, "{name} after {steps}");
            lengths += u64::from(left);
            if left == 0 {
                break;
            }
        }
        // The waves go two, three and four rounds of seven steps; the second one steps beside its branch.
        assert_eq!(lengths, [8 + 14, 8 + 21 + 2, 8 + 28].iter().sum::<u64>(), "{name}");
    }
}

/// The same where waves meet, whichever runs first: what is held in front of a barrier is as the emulator holds it.
#[test]
fn prefixes_of_waves_that_meet_are_the_emulators() {
    for name in ARCHS {
        let text = BARRIERS.replace("ARCH", name);
        let parts = "s_barrier_signal -1\ns_nop 0\ns_barrier_wait -1\n";
        let text = if name == "gfx1200" { text.replace("s_barrier\n", parts) } else { text };
        let case = Case::parse(&text, "barriers").expect("a case");
        let target = case.targets()[0];
        let (mut steps, mut left) = (0, 1);
        while left > 0 {
            for order in [Order::default(), Order::OTHER_WAVES[0]] {
                let card = Native::new("native".to_owned(), Emulated(target.arch, order));
                let wrong;
                (wrong, left) = paused(&card, &case, target, steps).expect("an outcome");
                assert_eq!(wrong.first(), None, "{name} after {steps}");
            }
            steps += 1;
        }
        assert!(steps > 40, "{name}: {steps}");
    }
}

/// Some prefixes of all cases in files.
#[test]
fn prefixes_of_cases_are_the_emulators() {
    let (mut passed, mut refused) = (0, BTreeMap::new());
    for (n, (path, case)) in cases().into_iter().enumerate() {
        let targets: Vec<Target> =
            case.targets().into_iter().filter(|target| ARCHS.contains(&target.arch.name)).collect();
        let Some(target) = targets.get(n % targets.len().max(1)) else { continue };
        if !matches!(both(&case, *target), Some((_, Status::Pass))) {
            continue;
        }
        let ground = Ground::of_driver(target.arch);
        let case = case.pinned(*target, ground.first, ground.case_scratch()).expect("a place for its memory");
        for steps in [1, 2, 5, 12, 40, 300] {
            match paused(&native(target.arch), &case, *target, steps) {
                Ok((wrong, _)) => {
                    assert_eq!(wrong.first(), None, "{} {} after {steps}", path.display(), target.arch.name);
                    passed += 1;
                }
                // Loops over halves of a wave have no prefixes.
                Err(EngineError::Unsupported(missing)) => {
                    assert!(case.body.text.contains("s_subvector_loop"), "{}: {missing}", path.display());
                    *refused.entry(missing.to_string()).or_insert(0) += 1;
                }
                Err(error) => panic!("{} {}: {error}", path.display(), target.arch.name),
            }
        }
    }
    assert!(
        refused.keys().all(|reason: &String| reason.contains("needs a prefix without loops over halves")),
        "{refused:#?}"
    );
    assert!(passed > 800, "{passed} passed, refused: {refused:#?}");
}

/// A card that takes `s_xor_b32` for `s_or_b32` is found out in the second round of the wave that has one bit twice by then.
#[test]
fn a_loop_is_bisected_on_a_card() {
    let case = Case::parse(&BRANCHES.replace("ARCH", "gfx1030"), "branches").expect("a case");
    let target = case.targets()[0];
    let word = |text: &str| {
        let case = Case::parse(&format!("; isa: gfx1030\n{text}\n"), "a word").expect("a case");
        format!(".long {:#010x}\n", case.program(target).expect("a program").words()[0])
    };
    let (right, wrong) = (word("s_xor_b32 s2, s2, s1"), word("s_or_b32 s2, s2, s1"));
    let mut card = native(target.arch);
    card.spoil = Some(Box::new(move |text| text.replace(&right, &wrong)));
    let subject = OfCase { case: &case, target };
    let options = Options::default();
    let engines: [(&dyn Runner, &Options); 2] = [(&Emulator::default(), &options), (&card, &options)];
    let Verdict::At(found) = find(&subject, engines, &|_| true).expect("a verdict") else { panic!("no difference") };
    let (point, culprit) = *found;
    assert_eq!((point.tick, point.steady), (2 + 7 + 4, true));
    assert_eq!((culprit.group, culprit.wave, culprit.text.as_str()), ([0; 3], 1, "s_xor_b32 s2, s2, s1"));
}

/// What no copy can count is refused by name.
#[test]
fn prefixes_that_are_not_counted_are_refused() {
    for (isa, body, needs) in [
        (
            "gfx1200",
            "s_barrier_signal_isfirst -1\ns_barrier_wait -1",
            "a prefix in which nobody asks how many waves have come to a barrier",
        ),
        (
            "gfx1030",
            "s_subvector_loop_begin s0, 1\ns_subvector_loop_end s0, -1",
            "a prefix without loops over halves of a wave",
        ),
    ] {
        let text = format!("; isa: {isa}\n; wave: 64\n; group: 128\ns_branch on\non:\n{body}\n");
        let case = Case::parse(&text, "refused").expect("a case");
        let target = case.targets()[0];
        let refused = paused(&native(target.arch), &case, target, 3).expect_err("a refusal");
        let EngineError::Unsupported(refused) = refused else { panic!("{body}: {refused}") };
        assert_eq!(refused.needs, needs, "{body}");
    }
}

/// The clock is read in front of the program and behind it, and what lies between is the run's. That of the emulator goes on by 64 when it is
/// read; that of gfx12 has two halves, which are read one by one.
#[test]
fn a_run_tells_its_ticks() {
    for name in ARCHS {
        let text = format!("; isa: {name}\n; grid: 256\n; group: 256\n; lds: 4096\nv_mov_b32 v200, 1\n");
        let case = Case::parse(&text, "ticks").expect("a case");
        let outcome = Engine::run(&native(arch(name)), &case, case.targets()[0]).expect("an outcome");
        assert_eq!(outcome.stats.ticks, Some(if name == "gfx1200" { 128 } else { 64 }), "{name}");
    }
}

/// Puts a mistake into a frame.
fn spoil(mistake: &'static Mistake) -> Box<Spoil> {
    Box::new(|text| {
        mistake.put(text).unwrap_or_else(|| panic!("the frame has no line for `{}`:\n{text}", mistake.name))
    })
}

/// Every mistake in the copy that counts is noticed by some prefix, in some order of waves.
#[test]
fn mistakes_in_counted_copies_are_noticed() {
    for (text, mistakes) in [(BRANCHES, COUNTED), (BARRIERS, MEETING)] {
        let case = Case::parse(&text.replace("ARCH", "gfx1030"), "a probe").expect("a case");
        let target = case.targets()[0];
        let mut unnoticed = Vec::new();
        for mistake in mistakes {
            let noticed = |steps| {
                [Order::default(), Order::OTHER_WAVES[0]].into_iter().any(|order| {
                    let mut card = Native::new("native".to_owned(), Emulated(target.arch, order));
                    card.spoil = Some(spoil(mistake));
                    !matches!(paused(&card, &case, target, steps), Ok((wrong, _)) if wrong.is_empty())
                })
            };
            if !(8..60).any(noticed) {
                unnoticed.push(mistake.name);
            }
        }
        assert_eq!(unnoticed, [""; 0]);
    }
}

/// Every mistake in the frame is noticed by one small case.
#[test]
fn mistakes_in_the_frame_are_noticed() {
    let case = Case::parse(PROBE, "probe").expect("a case");
    let target = case.targets()[0];
    assert_eq!(both(&case, target), Some((Vec::new(), Status::Pass)));
    let ground = Ground::of_driver(target.arch);
    let case = case.pinned(target, ground.first, ground.case_scratch()).expect("a place");
    let expected = Engine::run(&Emulator::default(), &case, target).expect("an outcome");
    let mut unnoticed = Vec::new();
    for mistake in MISTAKES {
        // The other way round, so that a barrier which is not there is missed.
        let order = Order::OTHER_WAVES[0];
        let mut card = Native::new("native".to_owned(), Emulated(target.arch, order));
        card.spoil = Some(spoil(mistake));
        let noticed = match Engine::run(&card, &case, target) {
            Ok(got) => !outcomes(&case, target, &expected, &got).is_empty(),
            Err(EngineError::Unsupported(unsupported)) => panic!("{}: {unsupported}", mistake.name),
            Err(_) => true,
        };
        if !noticed {
            unnoticed.push(mistake.name);
        }
    }
    assert_eq!(unnoticed, [""; 0]);
    assert!(MISTAKES.len() >= 15);
}

/// What cannot be had natively is refused by name.
#[test]
fn refusals_name_what_is_missing() {
    for (isa, body, needs) in [
        ("gfx900", "s_getpc_b64 s[0:1]", "addresses of code in registers"),
        ("gfx900", "s_memtime s[0:1]", "the same clock everywhere"),
        ("gfx900", "s_sendmsg sendmsg(MSG_INTERRUPT)", "messages to the host"),
        ("gfx900", "s_mov_b32 s0, ttmp1", "trap temporaries, which belong to the trap handler"),
        ("gfx900", "s_trap 2", "a trap handler"),
        ("gfx900", "; trap_handler: here\nhere: s_nop 0", "a trap handler of its own: that of a card is the driver's"),
        ("gfx900", "s_movrels_b32 s0, s1", "scalar registers that M0 chooses, of which the frame has some"),
        ("gfx1100", "scratch_load_b32 v0, off, off", "scratch memory of the driver's"),
        ("gfx900", "s_getreg_b32 s0, hwreg(HW_REG_HW_ID)", "a hardware register that every card sets otherwise"),
        ("gfx908", "v_mov_b32 v0, 0", "a card of that processor, and this is gfx900"),
    ] {
        let case = Case::parse(&format!("; isa: {isa}\n{body}\n"), "refused").expect("a case");
        let card = native(arch(if isa == "gfx908" { "gfx900" } else { isa }));
        let refused = Engine::run(&card, &case, case.targets()[0]).expect_err("a refusal");
        let EngineError::Unsupported(refused) = refused else { panic!("{body}: {refused}") };
        assert_eq!(refused.needs, needs, "{body}");
    }
}

/// Shader objects of a driver take other code, and their digest is good again; what has another layout is refused.
#[test]
fn objects_take_other_code() {
    for chip in ["tahiti", "hawaii", "polaris10", "vega10", "navi10", "navi21", "navi31", "gfx1201"] {
        let path = root().join(format!("golden/radv/saxpy_push.{chip}.object"));
        let object = std::fs::read(&path).expect("an object");
        let before = radv::shaders(&object).expect("a shader").remove(0);
        let code = [0xbf80_0000, 0xbf80_0001, 0xbf81_0000];
        let patch =
            Patch { code: &code, behind: 0xbf9f_0000, rsrc: [1, 2, 3], vgprs: 12, sgprs: 16, ..Patch::default() };
        let injected = radv::inject(&object, &patch).expect("an object");
        let after = radv::shaders(&injected).expect("a shader").remove(0);
        assert_eq!((after.rsrc, after.exec_bytes, &after.users), ([1, 2, 3], 12, &before.users), "{chip}");
        assert_eq!(after.code[..12], code.map(u32::to_le_bytes).concat(), "{chip}");
        // What was injected is an object like any other.
        assert_eq!(radv::inject(&injected, &patch), Ok(injected.clone()), "{chip}");
        for at in [30, 100, 1300] {
            let mut broken = object.clone();
            broken[at] ^= 1;
            assert_eq!(radv::inject(&broken, &patch), Err(RadvError::Digest), "{chip}: byte {at}");
        }
        assert!(matches!(radv::inject(&object[..900], &patch), Err(RadvError::Form { .. })), "{chip}");
    }
}

/// Files that a case names are found from its own folder, wherever its memory is put.
#[test]
fn moved_cases_stay_where_they_are() {
    let case = Case::parse("; isa: gfx900\n; buffer a[8]\n; buffer b[8] behind\n; scratch: 16\ns_nop 0\n", "moved")
        .expect("a case");
    let pinned = case.pinned(case.targets()[0], 0x1_0000_0000, 0x2_0000_0000).expect("a case");
    assert_eq!((pinned.buffers[0].at, pinned.buffers[1].at, pinned.reach), (Some(0x1_0000_0000), None, Reach::Folder));
    assert_eq!(pinned.scratch.and_then(|scratch| scratch.at), Some(0x2_0000_0000));
    let again = Case::parse(&pinned.to_string(), "moved").expect("a case");
    assert_eq!(again.buffers, pinned.buffers);
}
