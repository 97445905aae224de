//! How fast R600 is executed and written, on one core: each class of instructions by itself, in 64 lanes, then text
//! both ways.
//!
//! A program of the emulator is a loop over a body of one class, so that what it takes is what the class takes. The
//! text is that of all programs of compilers that there are. A word on the command line picks what has it in its name.

use std::path::Path;
use std::time::{Duration, Instant};
use wavediff::memory::format::{Format, Kind, LAYOUTS};
use wavediff::r600::assemble::{Options, assemble};
use wavediff::r600::emu::image::{Compare, Image, Shape};
use wavediff::r600::emu::plan::Plan;
use wavediff::r600::emu::vertex::Buffer;
use wavediff::r600::emu::{LoopConstant, Resource, Setup, Stage, execute};
use wavediff::r600::print::listing;
use wavediff::r600::{Body, Machine, Program};

const LANES: u32 = 64;
/// How often each is measured; the best counts. Rounds are short, so that some of them are not interrupted where others
/// work too.
const ROUNDS: u32 = 100;
/// How long a round takes about.
const ROUND: Duration = Duration::from_millis(3);

/// What a class executes.
struct Class {
    name: &'static str,
    /// What is counted, and how many of them there are in the body.
    unit: &'static str,
    count: u32,
    /// The body of the loop.
    body: String,
}

/// A clause of 20 groups, each from the number of the register it writes and of the one that it reads.
fn groups(name: &'static str, group: impl Fn(u32, u32) -> String) -> Class {
    let groups = (0..20).map(|n| format!("{n} {}\n", group(2 + n % 6, 2 + (n + 1) % 6)));
    Class { name, unit: "groups", count: 20, body: format!("ALU:\n{}", groups.collect::<String>()) }
}

/// A line of control flow or of a clause, several times.
fn times(name: &'static str, unit: &'static str, head: &str, line: &str) -> Class {
    Class { name, unit, count: 8, body: format!("{head}\n{}", format!("{line}\n").repeat(8)) }
}

fn classes() -> Vec<Class> {
    vec![
        groups("five floats", |to, from| {
            format!(
                "x: ADD R{to}.x, R{from}.x, R1.x\n y: MUL R{to}.y, R{from}.y, R1.y\n z: MULADD R{to}.z, R{from}.z, R1.z, R1.w\n \
                 w: MAX R{to}.w, R{from}.w, PV.x\n t: ADD R{to}.x, R{from}.y, -R1.z"
            )
        }),
        groups("five floats of constants", |to, from| {
            format!(
                "x: ADD R{to}.x, R{from}.x, C[1].x\n y: MUL R{to}.y, R{from}.y, C[2].y\n z: MULADD R{to}.z, R{from}.z, C[1].z, 3.5\n \
                 w: MAX R{to}.w, R{from}.w, 0.5\n t: ADD R{to}.x, R{from}.y, -C[1].w"
            )
        }),
        groups("five floats, scaled and clamped", |to, from| {
            format!(
                "x: ADD*2 R{to}.x, R{from}.x, R1.x CLAMP\n y: MUL*4 R{to}.y, R{from}.y, R1.y\n z: MULADD R{to}.z, R{from}.z, R1.z, R1.w CLAMP\n \
                 w: MAX/2 R{to}.w, |R{from}.w|, R1.x\n t: ADD R{to}.x, R{from}.y, -R1.z CLAMP"
            )
        }),
        groups("five integers", |to, from| {
            format!(
                "x: ADD_INT R{to}.x, R{from}.x, R1.x\n y: AND_INT R{to}.y, R{from}.y, R1.y\n z: XOR_INT R{to}.z, R{from}.z, R1.z\n \
                 w: SETGT_INT R{to}.w, R{from}.w, R1.x\n t: MULLO_INT R{to}.x, R{from}.y, R1.z"
            )
        }),
        groups("five moves", |to, from| {
            format!(
                "x: MOV R{to}.x, R{from}.y\n y: MOV R{to}.y, R{from}.z\n z: MOV R{to}.z, R{from}.w\n \
                 w: MOV R{to}.w, R{from}.x\n t: MOV R{to}.y, R{from}.y"
            )
        }),
        groups("RECIP_IEEE", |to, from| format!("t: RECIP_IEEE R{to}.x, R{from}.y")),
        groups("RECIPSQRT_IEEE", |to, from| format!("t: RECIPSQRT_IEEE R{to}.x, R{from}.y")),
        groups("SQRT_IEEE", |to, from| format!("t: SQRT_IEEE R{to}.x, R{from}.y")),
        groups("EXP_IEEE", |to, from| format!("t: EXP_IEEE R{to}.x, R{from}.y")),
        groups("LOG_IEEE", |to, from| format!("t: LOG_IEEE R{to}.x, R{from}.y")),
        groups("SIN", |to, from| format!("t: SIN R{to}.x, R{from}.y")),
        groups("FLT_TO_INT", |to, from| format!("t: FLT_TO_INT R{to}.x, R{from}.y")),
        groups("RECIP_UINT", |to, from| format!("t: RECIP_UINT R{to}.x, R{from}.y")),
        groups("DOT4", |to, from| {
            format!(
                "x: DOT4 R{to}.x, R{from}.x, R1.x\n y: DOT4 ____, R{from}.y, R1.y\n z: DOT4 ____, R{from}.z, R1.z\n \
                 w: DOT4 ____, R{from}.w, R1.w"
            )
        }),
        groups("CUBE", |_, from| {
            format!(
                "x: CUBE R20.x, R{from}.z, R1.y\n y: CUBE R20.y, R{from}.z, R1.x\n z: CUBE R20.z, R{from}.x, R1.z\n \
                 w: CUBE R20.w, R{from}.y, R1.z"
            )
        }),
        groups("predicated moves", |to, from| {
            format!("x: PRED_SETGT ____, R{from}.x, R1.x UPDATE_PRED\n y: MOV R{to}.y, R{from}.z PRED_ONE")
        }),
        groups("indexed registers", |to, from| {
            let address = if to == 2 { "x: MOVA_INT ____, 1\n0 " } else { "" };
            format!("{address}y: MOV R{to}.y, R[{from}+AR.x].z")
        }),
        Class {
            name: "branches",
            unit: "branches",
            count: 1,
            body: "ALU_PUSH_BEFORE:\n 0 x: PRED_SETGT ____, R0.x, R1.x UPDATE_EXEC_MASK\nJUMP ADDR(turn)\nALU:\n \
                   1 x: ADD R2.x, R2.x, R1.x\nturn:\nELSE ADDR(join) POP_CNT(1)\nALU_POP_AFTER:\n 2 x: ADD R3.x, R3.x, R1.x\njoin:\n"
                .to_owned(),
        },
        times("VFETCH 32_32_32_32_FLOAT", "fetches", "VTX:", "VFETCH R10.xyzw, R8.x, fc0 FORMAT(32_32_32_32_FLOAT)"),
        times("VFETCH 8_8_8_8", "fetches", "VTX:", "VFETCH R10.xyz1, R8.x, fc0 FORMAT(8_8_8_8)"),
        times("SAMPLE", "fetches", "TEX:", "SAMPLE R10.xyzw, R9.xy__, t1, s0"),
        times("LD", "fetches", "TEX:", "LD R10.xyzw, R8.xx00, t1, s0 UNNORM(xyzw)"),
        times("EXPORT", "exports", "", "EXPORT: PARAM3, R4.xyz1"),
        times("MEM_SCRATCH", "writes", "", "MEM_SCRATCH: WRITE[1], R4.xyzw ARRAY_SIZE(4) ELEM_SIZE(3)"),
        times("MEM_RING", "writes", "", "MEM_RING: WRITE[0], R4.xyzw ARRAY_SIZE(64) ELEM_SIZE(3)"),
    ]
}

fn setup(text: &str) -> Setup {
    let stage = if text.contains("MEM_RING") { Stage::Es } else { Stage::Vs };
    let mut setup = Setup::new(Machine::R600, stage, LANES);
    setup.budget = u64::MAX;
    setup.scratch = 4;
    setup.file = vec![[0x3f80_0000, 0x3fa0_0000, 0x3fc0_0000, 0x3fe0_0000]; 8];
    let lanes = |of: &dyn Fn(u32) -> [u32; 4]| (0..LANES).map(of).collect::<Vec<_>>();
    for gpr in 0..8 {
        let value = |lane, n| (1.0 + (gpr * 4 + n as u32 + lane) as f32 / 512.0).to_bits();
        setup.gprs.insert(gpr, lanes(&|lane| std::array::from_fn(|n| value(lane, n))));
    }
    setup.gprs.insert(0, lanes(&|lane| [(lane as f32 / 16.0).to_bits(); 4]));
    setup.gprs.insert(8, lanes(&|lane| [lane % 16; 4]));
    setup.gprs.insert(9, lanes(&|lane| [(lane as f32 / 64.0).to_bits(); 4]));
    let bytes: Vec<u8> = (0..16 * 256).map(|n: u32| (n * 7 % 64) as u8).collect();
    setup.resources.insert(0, Resource::Buffer(Buffer { bytes: bytes.clone(), stride: 16, format: None }));
    let format = Format { layout: &LAYOUTS[10], kind: Kind::Unorm, unsigned_alpha: false };
    setup.resources.insert(
        1,
        Resource::Image(Image {
            shape: Shape::D2,
            size: [16, 16, 1],
            format,
            missing: [0, 0, 0, 0x3f80_0000],
            bytes,
            repeat: true,
            compare: Compare::Never,
        }),
    );
    setup
}

/// The least time for one of something, in seconds: `work` does so many.
fn best(mut work: impl FnMut(u32)) -> f64 {
    let mut turns = 1;
    loop {
        let start = Instant::now();
        work(turns);
        if start.elapsed() > ROUND / 2 || turns > 1 << 28 {
            break;
        }
        turns *= 2;
    }
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work(turns);
        start.elapsed().as_secs_f64() / f64::from(turns)
    });
    rounds.fold(f64::MAX, f64::min)
}

fn emulated(class: &Class) {
    let text = format!(
        "LOOP_START ADDR(end) CF_CONST(0)\ntop:\n{}LOOP_END ADDR(top) CF_CONST(0)\nend:\nNOP EOP\n",
        class.body
    );
    let options = Options { machine: Some(Machine::R600), ..Options::default() };
    let done = assemble(class.name, &text, options);
    let Some(words) = done.words else { panic!("{}", done.diagnostics[0]) };
    let mut setup = setup(&text);
    let (plan, fetch) = (Plan::new(Machine::R600, &words, &setup), Plan::new(Machine::R600, &[], &setup));
    let time = best(|turns| {
        setup.loops.insert(0, LoopConstant { count: turns, ..LoopConstant::default() });
        execute(&plan, &fetch, &setup).expect("an outcome");
    });
    println!("{:8.2} M {}/s: {}", f64::from(class.count) / time / 1e6, class.unit, class.name);
}

/// A program.
type Words = (Machine, Vec<u32>);

/// The programs of compilers.
fn programs() -> Vec<Words> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/r600/programs.jsonl.zst");
    let bytes = zstd::decode_all(std::fs::read(path).expect("a golden file").as_slice()).expect("zstd");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let one = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let words = value["words"].as_array().expect("words").iter();
        let words = words.map(|w| u32::from_str_radix(w.as_str().expect("a word"), 16).expect("hex"));
        (Machine::find(value["arch"].as_str().expect("a machine")).expect("a machine"), words.collect())
    };
    text.lines().map(one).collect()
}

/// Instructions of a program: of control flow, of groups, and fetches.
fn slots(program: &Program) -> usize {
    let of = |body: &Body| match body {
        Body::Alu(groups) => groups.iter().map(|group| group.insts().len()).sum(),
        Body::Fetch(fetches) => fetches.len(),
    };
    program.flow.len() + program.clauses.iter().map(|clause| of(&clause.body)).sum::<usize>()
}

fn written(wanted: &dyn Fn(&str) -> bool) {
    let programs = programs();
    let texts: Vec<String> =
        programs.iter().map(|(machine, words)| listing(&Program::decode(*machine, words))).collect();
    let count: usize = programs.iter().map(|(machine, words)| slots(&Program::decode(*machine, words))).sum();
    // Part by part, so that some rounds of each are not interrupted.
    let part = programs.len().div_ceil(16);
    let say = |name: &str, work: &dyn Fn(&Words, &str)| {
        if wanted(name) {
            let parts = programs.chunks(part).zip(texts.chunks(part));
            let time = parts.map(|(programs, texts)| {
                best(|turns| {
                    for _ in 0..turns {
                        programs.iter().zip(texts).for_each(|(program, text)| work(program, text));
                    }
                })
            });
            println!("{:8.2} M slots/s {name}", count as f64 / time.sum::<f64>() / 1e6);
        }
    };
    say("decoded", &|(machine, words), _| {
        std::hint::black_box(Program::decode(*machine, words));
    });
    say("disassembled", &|(machine, words), _| {
        std::hint::black_box(listing(&Program::decode(*machine, words)));
    });
    say("assembled", &|_, text| {
        let done = assemble("listing", text, Options::default());
        assert!(std::hint::black_box(done).words.is_some(), "a listing assembles");
    });
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for class in classes().iter().filter(|class| wanted(class.name)) {
        emulated(class);
    }
    written(&wanted);
}
