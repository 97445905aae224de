//! What groups share beside memory: what is refused is refused by its name, and where all wait the first one is named.
//!
//! What instructions leave is in `tests/cases/across`.

use wavediff::case::{Case, Outcome, TrapKind};
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::engine::{Engine, EngineError};
use wavediff::isa::Target;

fn case(processor: &str, text: &str) -> (Case, Target) {
    let case = Case::parse(&format!("; isa: {processor}\n{text}"), "case").expect("a case");
    let target = case.targets()[0];
    (case, target)
}

fn run(engine: &dyn Engine, processor: &str, text: &str) -> Result<Outcome, EngineError> {
    let (case, target) = case(processor, text);
    engine.run(&case, target)
}

/// A run leaves what its case expects.
fn holds(engine: &dyn Engine, processor: &str, text: &str) {
    let (case, target) = case(processor, text);
    let outcome = engine.run(&case, target).expect("an outcome");
    let failures = case.check(target, &outcome).expect("a check");
    assert_eq!(failures.first(), None, "{text}");
}

/// What a run asks for and there is not.
fn needs(engine: &dyn Engine, processor: &str, text: &str) -> String {
    match run(engine, processor, text) {
        Err(EngineError::Unsupported(unsupported)) => unsupported.needs,
        Err(error) => panic!("{text}: {error}"),
        Ok(outcome) => panic!("{text}: {:?}", outcome.trap),
    }
}

#[test]
fn what_is_missing_is_named() {
    let emulator = Emulator::default();
    let gds = "; buffer gds[64]\n; m0 = 0x40\n";
    for (processor, text, said) in [
        ("gfx900", "ds_read_b32 v0, v1 gds\n", "the buffer `gds`"),
        ("gfx900", "ds_ordered_count v0, v1 offset:0x100 gds\n", "the buffer `gds`"),
        ("gfx1030", &format!("{gds}ds_ordered_count v0, v1 offset:0x4100 gds\n"), "several words at once"),
        ("gfx900", &format!("{gds}ds_ordered_count v0, v1 offset:0x500 gds\n"), "not of compute shaders"),
        ("gfx1100", "ds_ordered_count v0, v1 offset:0x3110 gds\n", "counts that wrap"),
        ("gfx1100", "ds_ordered_count v0, v1 offset:0x1104 gds\n", "registers other than 4 to 7"),
        ("gfx1200", "s_barrier_signal 1\n", "gfx12.5 has them"),
        ("gfx1200", "s_barrier_signal m0\n", "gfx12.5 has them"),
        ("gfx1200", "s_get_barrier_state s0, 3\n", "gfx12.5 has them"),
        ("gfx1200", "s_barrier_wait 1\n", "gfx12.5 has them"),
        ("gfx1200", "s_barrier_init -1\n", "named barriers"),
        ("gfx1200", "s_barrier_join m0\n", "named barriers"),
        ("gfx1200", "s_wakeup_barrier -1\n", "named barriers"),
        (
            "gfx1200",
            "; wave: 32\n; exec = 0xff\nglobal_load_tr_b64 v[2:3], v[0:1], off\n",
            "EXEC with all lanes or none",
        ),
    ] {
        let needs = needs(&emulator, processor, text);
        assert!(needs.contains(said), "{text}: {needs}");
    }
}

/// One wave waits at a semaphore, the next one comes to the same resource as to a barrier.
#[test]
fn a_mixed_queue_is_refused() {
    let text = "; wave: 64\n; grid: 128\n; group: 64\n; s0 = group.x\n; v0 = 1\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc0 other\n\
                ds_gws_sema_p gds\ns_endpgm\nother:\nds_gws_barrier v0 gds\n";
    assert!(needs(&Emulator::default(), "gfx900", text).contains("a semaphore for some waiting waves"));
}

/// Two groups wait for the turn of number 1 when the third one has that of 0: only one of them can have it.
#[test]
fn a_number_of_two_waves_is_refused() {
    for processor in ["gfx900", "gfx1100"] {
        let text = "; buffer gds[64]\n; wave: 64\n; grid: 192\n; group: 64\n; s0 = group.x\n; v0 = 1\ns_mov_b32 m0, 1\ns_cmp_eq_u32 s0, 2\n\
                    s_cselect_b32 m0, 0, m0\nds_ordered_count v1, v0 offset:0x100 gds\n";
        assert!(needs(&Emulator::default(), processor, text).contains("the same number"), "{processor}");
    }
}

/// All groups but the last one wait at a semaphore, which that one opens: each lets the next one pass, in the order in which they came. Whose
/// turn it is must not be looked for among all who wait.
#[test]
fn many_groups_go_one_by_one() {
    let text = "; wave: 32\n; grid: 4000\n; group: 1\n; s0 = group.x\n; buffer data[4]\n; s[4:7] = buffer(data)\n; v0 = 0\n; v1 = 1\n\
                ; expect: v1 = (group.x + 1) % 4000\ns_cmp_eq_u32 s0, 3999\ns_cbranch_scc1 count\nds_gws_sema_p gds\n\
                count:\nbuffer_atomic_add v1, v0, s[4:7], 0 offen glc\nds_gws_sema_v gds\n";
    holds(&Emulator::default(), "gfx1030", text);
}

/// Compute units run one by one under the clock.
#[test]
fn not_under_the_clock() {
    let clocked = Clocked::new(Emulator::default(), 0);
    for text in ["; buffer gds[64]\n; m0 = 0x40\nds_read_b32 v0, v1 gds\n", "ds_gws_sema_v gds\n"] {
        assert!(needs(&clocked, "gfx900", text).contains("under the clock"), "{text}");
    }
}

/// Of groups that wait for each other the first one is named, with the instruction at which it waits.
#[test]
fn where_all_wait() {
    let text = "; wave: 64\n; grid: 192\n; group: 64\n; s0 = group.x\n; v0 = 5\ns_nop 0\ns_cmp_eq_u32 s0, 0\n\
                s_cbranch_scc1 done\nds_gws_init v0 gds\nds_gws_barrier v0 gds\ndone:\ns_nop 0\n";
    let outcome = run(&Emulator::default(), "gfx900", text).expect("an outcome");
    let trap = outcome.trap.expect("a trap");
    assert_eq!(trap.kind, TrapKind::Deadlock { waiting: 1, waves: 1 });
    assert_eq!((trap.group, trap.pc), ([1, 0, 0], 20));
    assert!(trap.instruction.starts_with("ds_gws_barrier"), "{}", trap.instruction);
}

/// A wave that comes to the barrier of its group after another one trapped is not what went wrong.
#[test]
fn a_trap_goes_before_waiting() {
    let text = "; wave: 64\n; grid: 128\n; group: 64\n; s0 = group.x\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc0 other\n\
                ds_gws_sema_p gds\ns_endpgm\nother:\ns_trap 2\n";
    let outcome = run(&Emulator::default(), "gfx900", text).expect("an outcome");
    let trap = outcome.trap.expect("a trap");
    assert_eq!((trap.kind, trap.group), (TrapKind::Software(2), [1, 0, 0]));
}

/// The same signals under the clock, and a wait for what does not come.
#[test]
fn split_barriers_under_the_clock() {
    let clocked = Clocked::new(Emulator::default(), 0);
    let text = "; wave: 32\n; group: 96\n; s0 = wave\n; expect: s1 = 3\ns_barrier_signal -1\ns_cmp_eq_u32 s0, 2\n\
                s_cbranch_scc1 done\ns_barrier_wait 0xffff\ndone:\ns_mov_b32 s1, 3\n";
    holds(&clocked, "gfx1200", text);
    let outcome = run(&clocked, "gfx1200", "; wave: 32\n; group: 64\ns_barrier_wait 0xffff\n").expect("an outcome");
    assert_eq!(outcome.trap.map(|trap| trap.kind), Some(TrapKind::Deadlock { waiting: 2, waves: 2 }));
}
