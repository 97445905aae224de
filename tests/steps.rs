//! Steps of kernels as cases: an instruction that is taken out of a kernel does alone what it did there.
//!
//! A search is made to blame each step of a kernel in turn, by a second side that is wrong from that step on. The case that comes of it is run and traced, and must read,
//! touch and write what the kernel did in that step.

use std::sync::{Mutex, PoisonError};
use wavediff::asm::Assembler;
use wavediff::asm::source::{NoFiles, assemble_with};
use wavediff::bisect::{Culprit, Kernel, Point, Prefixes, Side, Subject, Verdict, find_between};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::emu::group::Drive;
use wavediff::emu::traced::record::{Event, Filter, Index, Item, Recorder};
use wavediff::emu::traced::wave as traced;
use wavediff::engine::Options;
use wavediff::engine::order::{Order, Turns};
use wavediff::engine::{Engine, EngineError, Outcome};
use wavediff::isa::{Arch, Target};
use wavediff::launch::{Dispatch, Loaded, Scalar, Value};
use wavediff::reduce::{Obstacle, from_kernel};

/// A kernel of two waves a group: scalar loads, a loop, LDS behind a barrier, an atomic, floats, a guarded store.
const KERNEL: &str = "
\ts_load_dwordx4 s[4:7], s[0:1], 0x0
\ts_load_dwordx2 s[8:9], s[0:1], 0x10
\tv_mov_b32 v1, v0
\tv_lshlrev_b32 v2, 2, v1
\ts_mov_b32 s10, 2
\ts_waitcnt lgkmcnt(0)
.Lloop:
\tglobal_load_dword v3, v2, s[4:5]
\ts_waitcnt vmcnt(0)
\tv_fma_f32 v4, v3, s8, v4
\ts_sub_u32 s10, s10, 1
\ts_cmp_lg_u32 s10, 0
\ts_cbranch_scc1 .Lloop
\tds_write_b32 v2, v4
\ts_waitcnt lgkmcnt(0)
\ts_barrier
\tv_xor_b32 v5, 0x100, v2
\tds_read_b32 v6, v5
\ts_waitcnt lgkmcnt(0)
\tv_cmp_gt_u32 vcc, s9, v1
\ts_and_saveexec_b64 s[12:13], vcc
\tv_mov_b32 v7, 0
\tv_mov_b32 v8, 1
\tglobal_atomic_add v9, v7, v8, s[6:7] offset:1024 glc
\tglobal_store_dword v2, v6, s[6:7]
\tv_readfirstlane_b32 s14, v6
\ts_endpgm
";

fn loaded() -> Loaded {
    let text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdhsa_code_object_version 5\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:{KERNEL}\
         .section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_kernarg_size 24\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         .amdhsa_group_segment_fixed_size 512\n.amdhsa_next_free_vgpr 10\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    );
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    let assembly = assemble_with("k.s", &text, &Assembler::new(target), target, &NoFiles);
    let module = assembly.module.unwrap_or_else(|| panic!("{:?}", assembly.diagnostics));
    Loaded::load(&wavediff::object::write(&module).expect("a code object")).expect("a code object")
}

fn dispatch(loaded: &Loaded) -> Dispatch {
    let bytes = |f: &dyn Fn(u32) -> u32| (0..512).flat_map(|n| f(n).to_le_bytes()).collect::<Vec<u8>>();
    let input = Value::Buffer(wavediff::launch::Buffer {
        bytes: bytes(&|n| (n as f32 * 0.75 - 20.0).to_bits()),
        writable: false,
        save: None,
    });
    let args = [input, Value::buffer(bytes(&|n| n)), Value::Scalar(Scalar::F32(1.25)), Value::u32(100)];
    Dispatch::new(loaded, "k", [128, 1, 1], [128, 1, 1], &args).expect("a dispatch")
}

/// The emulator with a mistake from a tick on, which every wave shows.
struct Wrong<'s> {
    right: Side<'s>,
    from: u64,
    wave: u32,
}

impl Prefixes for Wrong<'_> {
    fn after(&mut self, ticks: u64) -> Result<Outcome, EngineError> {
        let mut outcome = self.right.after(ticks)?;
        if ticks >= self.from {
            let wave = self.wave;
            outcome.waves.iter_mut().filter(|w| w.index == wave).for_each(|w| w.m0 ^= 1 << 30);
        }
        Ok(outcome)
    }
}

/// Every step of a run on the emulator.
fn events(run: &dyn Fn(&wavediff::emu::engine::Loop<'_>)) -> Vec<Event> {
    let all = Mutex::new(Vec::new());
    let make = |_| -> Box<Drive<'_>> {
        Box::new(|wave, group, limits| {
            let mut put = |event: Event| all.lock().unwrap_or_else(PoisonError::into_inner).push(event);
            traced(wave, group, limits, &mut Recorder::new(Filter::default(), &mut put));
        })
    };
    run(&make);
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What a step did to registers, LDS and memory, whatever its memory is called.
fn did(items: &[Item]) -> Vec<(String, Vec<(u64, u32)>)> {
    let of = |item: &Item| {
        let memory = item.index == Index::Byte && item.place != "lds";
        let values = item.values.iter().map(|(n, v)| (if memory { 0 } else { *n }, *v)).collect();
        (if memory { "memory".to_owned() } else { item.place.clone() }, values)
    };
    let mut all: Vec<_> = items.iter().map(of).collect();
    all.sort();
    all
}

fn blamed(loaded: &Loaded, tick: u64, wave: u32) -> Option<Box<(Point, Culprit)>> {
    let make = || Ok(dispatch(loaded));
    let subject = Kernel { loaded, dispatch: &make };
    let (emulator, options) = (Emulator::default(), Options::default());
    let side = || Side { subject: &subject, runner: &emulator, options };
    let (mut right, mut wrong) = (side(), Wrong { right: side(), from: tick, wave });
    match find_between(&subject, &options, [&mut right, &mut wrong], &|_| true).expect("a verdict") {
        Verdict::At(at) => Some(at),
        _ => None,
    }
}

#[test]
fn steps_do_alone_what_they_did() {
    let loaded = loaded();
    let target = loaded.target(&loaded.kernels()[0]);
    let make = || Ok(dispatch(&loaded));
    let subject = Kernel { loaded: &loaded, dispatch: &make };
    let of_kernel = events(&|make| drop(subject.watch(&Options::default(), make).expect("a run")));
    let (mut tried, mut touched) = (Vec::new(), 0);
    for wave in [0, 1] {
        let steps = of_kernel.iter().filter(|event| event.wave == wave).count() as u64;
        for tick in 1..=steps {
            let at = blamed(&loaded, tick, wave).unwrap_or_else(|| panic!("nobody is blamed for tick {tick}"));
            let (point, culprit) = &*at;
            if culprit.wave != wave || culprit.text.starts_with("s_barrier") || culprit.text == "s_endpgm" {
                continue;
            }
            let case = from_kernel("k", target, point, culprit).unwrap_or_else(|e| panic!("{}: {e}", culprit.text));
            // What is written down is the case.
            let case = Case::parse(&case.to_string(), "step.s").unwrap_or_else(|e| panic!("{case}{e}"));
            let there = of_kernel.iter().find(|e| (e.wave, e.number) == (wave, culprit.number)).expect("the step");
            let here = events(&|make| {
                let outcome =
                    Emulator::default().run_case(&case, target, Some(make)).unwrap_or_else(|e| panic!("{case}{e}"));
                assert_eq!(outcome.trap, None, "{case}");
            });
            let here = here.first().expect("a step");
            let mnemonic = |e: &Event| e.instruction.split(' ').next().map(str::to_owned);
            assert_eq!((mnemonic(here), here.exec), (mnemonic(there), there.exec), "{case}");
            assert_eq!(did(&here.reads), did(&there.reads), "{case}");
            assert_eq!(did(&here.writes), did(&there.writes), "{case}");
            let addresses = |e: &Event| e.touched.iter().map(|p| (p.at, p.before.clone())).collect::<Vec<_>>();
            assert_eq!(addresses(here), addresses(there), "{case}");
            touched += here.touched.len();
            tried.push(mnemonic(here).unwrap_or_default());
        }
    }
    for name in [
        "s_load_dwordx4",
        "global_load_dword",
        "v_fma_f32",
        "ds_read_b32",
        "ds_write_b32",
        "global_atomic_add",
        "s_cbranch_scc1",
    ] {
        assert!(tried.iter().any(|tried| tried == name), "{name} was not tried: {tried:?}");
    }
    assert!(tried.len() > 40 && touched > 500, "{} steps, {touched} places", tried.len());
}

/// A race of lanes is a difference of two engines that needs no fault: the step that has it is found, written down, and shows it alone.
#[test]
fn a_race_of_lanes_becomes_a_case() {
    let body = "\tv_mov_b32 v1, 0\n\ts_load_dwordx4 s[4:7], s[0:1], 0x0\n\ts_waitcnt lgkmcnt(0)\n\tv_add_u32 v2, 7, v0\n\
                \tglobal_store_dword v1, v2, s[6:7] offset:64\n\ts_endpgm\n";
    let text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdhsa_code_object_version 5\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n{body}\
         .section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_kernarg_size 24\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         .amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 16\n.end_amdhsa_kernel\n"
    );
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    let module = assemble_with("k.s", &text, &Assembler::new(target), target, &NoFiles).module.expect("a module");
    let loaded = Loaded::load(&wavediff::object::write(&module).expect("a code object")).expect("a code object");
    let make = || Ok(dispatch(&loaded));
    let subject = Kernel { loaded: &loaded, dispatch: &make };
    let (emulator, options) = (Emulator::default(), Options::default());
    let order = Order { turns: Turns::DOWN, ..Order::default() };
    let other = Options { order, ..options };
    let mut a = Side { subject: &subject, runner: &emulator, options };
    let reversed = Emulator { options: other };
    let mut b = Side { subject: &subject, runner: &reversed, options: other };
    let found = find_between(&subject, &options, [&mut a, &mut b], &|_| true).expect("a verdict");
    let Verdict::At(at) = found else { panic!("nothing differs") };
    assert!(at.1.text.starts_with("global_store_dword"), "{}", at.1.text);
    let case = from_kernel("k", target, &at.0, &at.1).expect("a case");
    let left = |e: Emulator| e.run(&case, target).expect("a run").buffers;
    assert_ne!(left(emulator), left(reversed), "{case}");
    // The words of the store and no more: the buffer has 2048 bytes.
    assert!(case.buffers.iter().all(|buffer| buffer.size.is_some_and(|size| size <= 4)), "{case}");
    let mut scratch = at.1.clone();
    scratch.touched.iter_mut().for_each(|p| p.at.space = wavediff::emu::memory::TouchedSpace::Scratch);
    assert_eq!(from_kernel("k", target, &at.0, &scratch), Err(Obstacle::Scratch));
}
