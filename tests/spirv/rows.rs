//! Programs of rows: instructions by chance with registers full of edge values, on a Vulkan device and on the emulator.

use std::collections::{BTreeMap, BTreeSet};
use wavediff::disasm;
use wavediff::emu::dispatch::Dispatch;
use wavediff::emu::engine::{Emulator, Job, Ran, Reported, Runner};
use wavediff::emu::launch;
use wavediff::emu::plan::Program;
use wavediff::emu::run::Limits;
use wavediff::emu::wave::{Wave, slot};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::row::Family;
use wavediff::isa::{Target, regs};
use wavediff::laws::{Chance, Density, instructions};
use wavediff::memory::guest::Memory;
use wavediff::spirv::cfg::{Flow, flow};
use wavediff::spirv::engine::{Vulkan, missing};
use wavediff::spirv::lanes::Model;
use wavediff::spirv::meaning;
use wavediff::spirv::state::STRIDE;
use wavediff::suite::stage::EDGES;

/// Instructions of a program: each has some registers that its results are kept in.
pub const TOGETHER: usize = 28;
/// Groups of a dispatch.
const GROUPS: u32 = 8;

/// One instruction.
pub struct Sample {
    /// Its words.
    pub words: Vec<u32>,
    /// Its row.
    #[allow(dead_code, reason = "not every test names rows")]
    pub row: &'static str,
}

/// Whether a form is arithmetic that goes on behind itself.
fn fits(form: &Form) -> bool {
    use Family::*;
    matches!(form.row.family, Sop1 | Sop2 | Sopk | Sopc | Sopp | Vop1 | Vop2 | Vopc | Vop3 | Vop3p | Vopd | Vinterp)
}

/// What is to be drawn.
#[derive(Clone, Copy)]
pub struct Draw {
    /// The processor, with waves of one size.
    pub target: Target,
    /// Lanes of a wave.
    pub lanes: u32,
    /// How many instructions a form gives beside the plain one.
    pub mixed: usize,
    /// For whose translation.
    pub model: Model,
}

/// The samples of the forms that are wanted, and why others are none.
pub fn samples(draw: Draw, wanted: impl Fn(&Form) -> bool) -> (Vec<Sample>, BTreeMap<String, BTreeSet<&'static str>>) {
    let Draw { target, lanes, mixed, model } = draw;
    let table = Table::of(target);
    let (mut all, mut left_out) = (Vec::new(), BTreeMap::<String, BTreeSet<&'static str>>::new());
    for form in table.forms.iter().filter(|form| fits(form) && wanted(form)) {
        let mut drawn = Vec::new();
        instructions(form, Density { full: false, mixed: mixed * 8, seed: 7 }, &mut |words| {
            if let Ok(decoded) = disasm::decode(table, words)
                && std::ptr::eq(decoded.form, form)
            {
                drawn.push(words[..usize::from(decoded.len)].to_vec());
            }
        });
        if drawn.is_empty() {
            continue;
        }
        // The plain one, and the last ones, which are by chance.
        let rest = drawn.split_off(1);
        drawn.extend(rest.into_iter().rev().take(mixed));
        for words in drawn {
            let program = Program::plan(target, &words, 0);
            let step = &program.steps[0];
            if !step.executes || flow(step) == Flow::Breaks {
                continue;
            }
            if let Some(missing) = missing(&program, model, lanes).first() {
                left_out.entry(missing.needs.clone()).or_default().insert(form.row.name);
                continue;
            }
            all.push(Sample { words, row: form.row.name });
        }
    }
    (all, left_out)
}

/// The first difference that a program makes.
pub fn differs(engine: &Vulkan, target: Target, lanes: u32, samples: &[Sample], seed: u64) -> Option<String> {
    let table = Table::of(target);
    let find = |name: &str| table.forms.iter().find(|f| f.row.name == name).map(|f| f.base[0]).expect("a row");
    let (set_exec, end) = (find("s_mov_b32"), find("s_endpgm"));
    let mut chance = Chance::new(seed);
    let mut words = Vec::new();
    for (n, sample) in samples.iter().enumerate() {
        for half in [126, 127] {
            let masks = [u32::MAX, u32::MAX, 0xaaaa_5555, 1, 0, chance.next_u64() as u32];
            words.extend([set_exec | half << 16 | 255, masks[chance.below(masks.len())]]);
        }
        words.extend(&sample.words);
        keep(target, &sample.words, n, &mut words);
    }
    words.push(end);
    words.extend([end; 8]);
    let program = Program::plan(target, &words, 1 << 20);
    let memory = Memory::new();
    let setup = |group: [u32; 3], _: u32, wave: &mut Wave| fill(target, wave, seed ^ u64::from(group[0]));
    let dispatch = Dispatch {
        program: &program,
        memory: &memory,
        groups: [GROUPS, 1, 1],
        waves: 1,
        lanes,
        lds: 0,
        apertures: launch::apertures(target.arch),
        scratch_per_lane: 0,
        limits: Limits::default(),
        shuffle: None,
        threads: 1,
        keep: false,
        setup: &setup,
    };
    let job = Job { dispatch: &dispatch, lds: None, keep: Some(Reported { vgprs: 256, agprs: 0 }), timeout: None };
    let expected = Emulator::default().run(&job);
    let got = engine.run(&job);
    match (expected, got) {
        (Ok(expected), Ok(got)) => difference(&expected, &got),
        (Ok(_), Err(e)) => Some(e.to_string()),
        (Err(e), _) => Some(format!("emulator: {e}")),
    }
}

/// Copies what an instruction wrote to registers that only this one of the program has: the next one may write the same.
fn keep(target: Target, sample: &[u32], n: usize, words: &mut Vec<u32>) {
    /// Vector registers that instructions by chance hardly name, and how many an instruction has.
    const FIRST: u32 = 136;
    const EACH: usize = 4;
    /// Scalar registers of this kind.
    const SCC: u32 = 60;
    const EXEC: u32 = 61;
    const VECTORS: u32 = 256;
    let base = |name: &str| Table::of(target).forms.iter().find(|f| f.row.name == name).map_or(0, |f| f.base[0]);
    let [s_mov, s_cselect, v_mov] = ["s_mov_b32", "s_cselect_b32", "v_mov_b32"].map(base);
    let program = Program::plan(target, sample, 0);
    let step = &program.steps[0];
    let Some(row) = step.row else { return };
    let scalars = |at: u32| [at, at + 1].into_iter().filter(|at| *at < slot::SINK as u32);
    let mut from: Vec<u32> = Vec::new();
    if matches!(row.family, Family::Sop1 | Family::Sop2 | Family::Sopk | Family::Sopc | Family::Sopp) {
        from.extend([SCC, EXEC]);
        from.extend(scalars(step.dst));
    } else if row.name.starts_with("v_read") {
        from.extend(scalars(step.dst));
    } else {
        from.extend(scalars(step.mask_dst));
        let dwords = meaning::vector(step.meaning).map_or(2, |m| m.ret[0].dwords() as u32);
        let registers = |at: u32, dwords: u32| (0..dwords).map(move |n| at / STRIDE + n).filter(|n| *n < 256);
        from.extend(registers(step.dst, dwords).map(|n| VECTORS + n));
        if row.name.starts_with("v_swap") {
            from.extend(registers(step.src[0], 1).map(|n| VECTORS + n));
        }
    }
    let (zero, one, all) = (128, 129, 193);
    words.extend([s_cselect | SCC << 16 | zero << 8 | one, s_mov | EXEC << 16 | 126]);
    words.extend([126, 127].map(|half| s_mov | half << 16 | all));
    for (to, from) in (FIRST + (n % TOGETHER * EACH) as u32..).zip(from.into_iter().take(EACH)) {
        words.push(v_mov | to << 17 | from);
    }
}

/// Registers with edge values, and some by chance.
fn fill(target: Target, wave: &mut Wave, seed: u64) {
    let mut chance = Chance::new(seed);
    let mut word = || {
        let any = chance.next_u64() as u32;
        if any.is_multiple_of(4) { chance.next_u64() as u32 } else { EDGES[chance.below(EDGES.len())] }
    };
    let m0 = usize::from(regs::m0_code(target.generation()));
    for n in (0..slot::SINK).filter(|n| *n != m0 && regs::null_code(target.generation()) != Some(*n as u16)) {
        wave.s[n] = word();
    }
    for n in 0..256 {
        for lane in 0..wave.lanes as usize {
            wave.set_vgpr(n, lane, word());
        }
    }
    wave.s[m0] = word() % 8;
    wave.scc = word() & 1 != 0;
    // Rounding and denormals, IEEE and clamp, FP16_OVFL, by chance.
    let mode = word() & 0xff | (word() & 3) << 8 | (word().count_ones() & 1) << 23;
    wave.set_mode(mode);
    wave.set_exec(u64::MAX);
}

fn difference(expected: &Ran, got: &Ran) -> Option<String> {
    if expected.trap != got.trap {
        return Some(format!("trap {:?}, emulator {:?}", got.trap, expected.trap));
    }
    for (n, (a, b)) in expected.waves.iter().zip(&got.waves).enumerate() {
        for (r, (a, b)) in a.sgprs.iter().zip(&b.sgprs).enumerate() {
            if a != b {
                return Some(format!("group {n} s{r} {b:#x}, emulator {a:#x}"));
            }
        }
        for (r, (a, b)) in a.vgprs.iter().zip(&b.vgprs).enumerate() {
            if let Some(lane) = (0..64).find(|lane| a[*lane] != b[*lane]) {
                return Some(format!("group {n} v{r} lane {lane} {:#x}, emulator {:#x}", b[lane], a[lane]));
            }
        }
        let head = |w: &wavediff::engine::WaveState| (w.vcc, w.exec, w.scc, w.m0, w.mode, w.status, w.pc, w.ttmps);
        if head(a) != head(b) {
            return Some(format!("group {n} head {:x?}, emulator {:x?}", head(b), head(a)));
        }
    }
    None
}
