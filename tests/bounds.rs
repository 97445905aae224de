//! How much memory runs take, and that work of twice the length takes twice of it: counted by the allocator, to the byte and whatever the machine
//! is doing.
//!
//! A path that copies what is left of its input at every step, or looks through all that came before with something made for the purpose, shows in the
//! sum of what was allocated. What looks without allocating is measured by the bench `doubling`.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::{Engine, EngineError, Outcome, Status};
use wavediff::engine::{Keep, Options};
use wavediff::isa::{Arch, Target};

#[path = "support/paths.rs"]
mod paths;

/// What is allocated now, the most that was, and the sum of all that ever was.
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static SUM: AtomicUsize = AtomicUsize::new(0);

struct Counting;

impl Counting {
    fn more(bytes: usize) {
        SUM.fetch_add(bytes, Ordering::Relaxed);
        PEAK.fetch_max(NOW.fetch_add(bytes, Ordering::Relaxed) + bytes, Ordering::Relaxed);
    }
}

// SAFETY: the system's allocator does all of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::more(layout.size());
        // SAFETY: as asked.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::more(layout.size());
        // SAFETY: as asked.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as asked.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        Counting::more(size);
        // SAFETY: as asked.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// One measurement at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The most that was allocated at a time while something ran, beside what was before.
fn peak<R>(run: impl FnOnce() -> R) -> (usize, R) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    (PEAK.load(Ordering::Relaxed) - before, result)
}

const MB: usize = 1_000_000;

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

fn emulator(keep: Keep, memory: Option<u64>) -> Emulator {
    Emulator { options: Options { threads: 2, keep, memory, ..Options::default() } }
}

/// Reads, runs and checks a case on gfx1100: how much memory that took, and the outcome.
fn check(text: &str) -> (usize, Outcome) {
    let _ = isa_tables();
    let (bytes, outcome) = peak(|| {
        let case = Case::parse(text, "case").expect("a case");
        let outcome = emulator(Keep::Observed, None).run(&case, target("gfx1100")).expect("an outcome");
        assert_eq!(case.check(target("gfx1100"), &outcome).expect("a start"), []);
        outcome
    });
    println!("{} KB: {}", bytes / 1000, text.lines().collect::<Vec<_>>().join(" | "));
    (bytes, outcome)
}

/// Tables are made at first use and stay.
fn isa_tables() -> Outcome {
    let case = Case::parse("; isa: gfx1100\nv_mov_b32 v0, 1\n", "case").expect("a case");
    emulator(Keep::Observed, None).run(&case, target("gfx1100")).expect("an outcome")
}

#[test]
fn four_lines_take_what_two_threads_do() {
    let _alone = alone();
    let (bytes, outcome) = check("; isa: gfx1100\n; grid: 16777216\n; group: 64\nv_mov_b32 v0, 1\n");
    assert_eq!(outcome.stats.wave_instructions, 2 * (16_777_216 / 32));
    assert!(bytes < 8 * MB, "{bytes} bytes");
    // 64 MiB of them are what was asked for.
    let (bytes, _) = check("; isa: gfx1100\n; grid: 16777216\n; group: 64\n; expect: v0 = 1\nv_mov_b32 v0, 1\n");
    assert!((67 * MB..80 * MB).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_million_groups_take_little() {
    let _alone = alone();
    let (bytes, outcome) =
        check("; isa: gfx1100\n; grid: 1000000\n; group: 1\n; v0 = item\n; expect: v1 = item\nv_mov_b32 v1, v0\n");
    assert_eq!(outcome.stats.wave_instructions, 2_000_000);
    assert!(bytes < 16 * MB, "{bytes} bytes");
}

#[test]
fn local_memory_of_groups_that_ended_is_gone() {
    let _alone = alone();
    let of = |lines: &str| {
        format!(
            "; isa: gfx1100\n; grid: 131072\n; group: 32\n; lds: 65536\n{lines}v_mov_b32 v0, 0\nds_store_b32 v0, v0 offset:8\n"
        )
    };
    let (bytes, _) = check(&of("; v0 = 5\n; expect: lds = [0, 0, 0]\n"));
    assert!(bytes < 8 * MB, "{bytes} bytes");
    let (bytes, _) = check(&of(""));
    assert!(bytes < 8 * MB, "{bytes} bytes");
}

#[test]
fn memory_grows_with_what_is_observed() {
    let _alone = alone();
    let of =
        |observed: &str| check(&format!("; isa: gfx1100\n; grid: 3200000\n; group: 64\n{observed}v_mov_b32 v0, 1\n")).0;
    let (none, one, four) = (of(""), of("; observe: v0\n"), of("; observe: v[0:3]\n"));
    let (lanes, slack) = (4 * 3_200_000, MB);
    assert!(
        (one - none).abs_diff(lanes) < slack && (four - none).abs_diff(4 * lanes) < slack,
        "{none}, {one}, {four} bytes"
    );
}

/// What would need too much is refused before any of it is taken, and says how much it is.
#[test]
fn what_does_not_fit_is_refused() {
    let _alone = alone();
    let _ = isa_tables();
    let refused = |text: &str, keep, memory| {
        let case = Case::parse(&format!("; isa: gfx1100\n{text}"), "case").expect("a case");
        let (bytes, error) = peak(|| emulator(keep, Some(memory)).run(&case, target("gfx1100")).expect_err("too much"));
        assert!(bytes < 8 * MB, "{bytes} bytes");
        assert_eq!(error.status(), Status::Unsupported);
        let EngineError::Memory { needs, limit, most } = error else { panic!("{error}") };
        assert_eq!(limit, memory);
        (needs, most)
    };
    let four = "; grid: 16777216\n; group: 64\nv_mov_b32 v0, 1\n";
    let (needs, most) = refused(four, Keep::Everything, 256 << 20);
    assert!(needs > 300_000_000 && most == "the registers of 524288 waves", "{needs} bytes, {most}");
    let (needs, most) = refused(&format!("; observe: v[0:255]\n{four}"), Keep::Observed, 1 << 30);
    assert!(needs > 16 << 30 && most == "what is observed of 524288 waves", "{needs} bytes, {most}");
    let lds = "; grid: 524288\n; group: 32\n; lds: 65536\n; observe: lds\ns_nop 0\n";
    let (needs, most) = refused(lds, Keep::Observed, 1 << 30);
    assert!(needs > 1 << 30 && most == "what is observed of the local memory of 16384 groups", "{needs} bytes, {most}");
    let (_, most) = refused("; grid: 32768\n; scratch: 4096\ns_nop 0\n", Keep::Observed, 64 << 20);
    assert_eq!(most, "scratch memory");
}

/// Messages are kept, and a wave can send as many as it has time for.
#[test]
fn messages_have_an_end() {
    let _alone = alone();
    let _ = isa_tables();
    let run = |text: &str| {
        let case = Case::parse(&format!("; isa: gfx900\n{text}"), "case").expect("a case");
        peak(|| emulator(Keep::Observed, None).run(&case, target("gfx900")).expect_err("too many"))
    };
    let loops = "s_mov_b32 s0, 0x200000\nl: s_sendmsg sendmsg(MSG_INTERRUPT)\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\ns_cbranch_scc1 l\n";
    let many = loops.replace("0x200000", "0x4000");
    for text in [loops.to_owned(), format!("; grid: 65536\n; group: 64\n{many}")] {
        let (bytes, error) = run(&text);
        assert!(error.to_string().contains("more than 1048576 messages"), "{error}");
        assert!(bytes < 200 * MB, "{bytes} bytes");
    }
}

/// Checking what was observed finds what checking everything finds, in every case that there is.
#[test]
fn what_is_observed_is_enough_to_check() {
    let _alone = alone();
    let (mut cases, mut checked) = (0, 0);
    for folder in ["pass", "fail"] {
        let Ok(files) = std::fs::read_dir(format!("tests/cases/{folder}")) else { continue };
        for file in
            files.map(|file| file.expect("a file").path()).filter(|path| path.extension().is_some_and(|e| e == "s"))
        {
            let text = std::fs::read_to_string(&file).expect("text");
            let Ok(case) = Case::parse(&text, &file.to_string_lossy()) else { continue };
            cases += 1;
            for target in case.targets() {
                let [all, some] =
                    [Keep::Everything, Keep::Observed].map(|keep| emulator(keep, None).run(&case, target));
                let (Ok(all), Ok(some)) = (all, some) else { continue };
                assert!(
                    some.waves.is_empty() && some.lds.is_empty() && some.observed.is_some() && all.observed.is_none()
                );
                let found = case.check(target, &all).expect("a start");
                assert_eq!(case.check(target, &some).expect("a start"), found, "{}", file.display());
                assert_eq!((&all.trap, &all.buffers, &all.messages), (&some.trap, &some.buffers, &some.messages));
                checked += 1;
            }
        }
    }
    assert!(cases > 100 && checked > 500, "{checked} runs of {cases} cases");
}

/// A wrong expectation is found as well: in the last wave of a partial group, in a single register, in local memory, and behind a trap.
#[test]
fn what_is_observed_shows_what_is_wrong() {
    let _alone = alone();
    let partial = "; grid: 5, 3\n; group: 2, 2\n; v0 = item\n";
    for (text, wrong) in [
        (format!("{partial}; expect: v0 = [0, 1, 2, 3]\ns_nop 0\n"), false),
        (format!("{partial}; expect: v0 = ramp(0, 1)\nv_add_nc_u32 v0, v0, 1\n"), true),
        ("; grid: 96\n; expect: vcc = [1, 1, 2]\ns_mov_b32 vcc_lo, 1\n".to_owned(), true),
        ("; grid: 64\n; lds: 8\n; expect: lds[4] = [u16 0, 7]\ns_nop 0\n".to_owned(), true),
        ("; grid: 96\n; expect: trap s_trap 2\n; expect: s0 = 1\ns_mov_b32 s0, 1\ns_trap 2\n".to_owned(), true),
        ("; grid: 64\n; expect: s3 = 0\n; expect: trapsts = 1\ns_nop 0\n".to_owned(), true),
    ] {
        let case = Case::parse(&format!("; isa: gfx1100\n{text}"), "case").expect("a case");
        let [all, some] = [Keep::Everything, Keep::Observed].map(|keep| {
            let outcome = emulator(keep, None).run(&case, target("gfx1100")).expect("an outcome");
            case.check(target("gfx1100"), &outcome).expect("a start")
        });
        assert_eq!(all, some, "{text}");
        assert_eq!(!some.is_empty(), wrong, "{text}: {some:?}");
    }
}

/// Waves are those of the processor: 2^20 of 64 lanes fit where they have 64, and not where they have 32.
#[test]
fn waves_are_counted_in_the_size_of_the_processor() {
    let of = |isa: &str| Case::parse(&format!("; isa: {isa}\n; grid: 67108864\n; group: 64\ns_nop 0\n"), "case");
    assert!(
        of("gfx900")
            .is_ok_and(|case| case.initial(target("gfx900")).is_ok_and(|initial| initial.waves.len() == 1 << 20))
    );
    for isa in ["gfx1100", "gfx900, gfx1100"] {
        let error = of(isa).expect_err("too many");
        assert!(error.to_string().contains("more than 2^20 waves of 32 lanes"), "{error}");
    }
    assert!(of("gfx1100\n; wave: 64").is_ok());
}

/// Twice the input allocates at most 2.3 times as much in all, on every path.
#[test]
fn twice_the_input_allocates_twice_as_much() {
    let _alone = alone();
    paths::warm_up();
    let sum = |work: paths::Work| {
        let before = SUM.load(Ordering::Relaxed);
        work();
        SUM.load(Ordering::Relaxed) - before
    };
    let mut more = Vec::new();
    for path in paths::PATHS {
        let length = path.length.min(2000);
        let (once, twice) = (sum((path.work)(length)), sum((path.work)(2 * length)));
        let ratio = twice as f64 / once as f64;
        println!("{:36} {length:6} {once:12} {twice:12}  {ratio:.2}", path.name);
        if ratio > 2.3 {
            more.push(path.name);
        }
    }
    assert_eq!(more, [] as [&str; 0], "these allocate more than 2.3 times as much for twice the input");
}
