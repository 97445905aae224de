//! The kernels of `shaders/r600`: what their files expect, what the emulator leaves, and what a reference on the host computes.
//!
//! The reference (`r600_kernels/reference.rs`) is plain Rust over `u32` and IEEE `f32`, or another algorithm for the same thing, and is
//! itself held against published values where there are some. For each kernel:
//!
//! - what its file expects is what the reference computes, and every value of the reference is expected: each is turned over, one at a
//!   time, and the case must notice;
//! - the case passes on the emulator, on each machine that it is for;
//! - for other inputs, 25 times, the emulator leaves what the reference computes;
//! - the assembler has no warning about it, and the slots of its groups stand in their order;
//! - mistakes in its text are noticed by its own expectations. [`kernels::KERNELS`] has them (`planted`): a line each, with another
//!   operand, another operation, a wrong constant, or without an instruction. None of the 96 is let through.
//!
//! `cargo test --test r600_kernels -- --ignored --nocapture` prints the lines that the files are to have.

#[path = "r600_kernels/kernels.rs"]
mod kernels;
#[path = "r600_kernels/reference.rs"]
mod reference;

use kernels::{KERNELS, Kernel, Want};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wavediff::r600::assemble::{Options, assemble};
use wavediff::r600::case::{Case, Place};
use wavediff::r600::emu::mistakes::Mistake;
use wavediff::r600::emu::{Exported, Outcome, Primitive, Setup, run};
use wavediff::r600::{Body, Program};

/// A generator (splitmix64).
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.next() >> 32) as u32
    }

    /// Four words.
    pub fn four(&mut self) -> [u32; 4] {
        std::array::from_fn(|_| self.word())
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(bound)) >> 32) as u32
    }

    /// The bits of a float from -4 to 4, and never zero.
    pub fn float(&mut self) -> u32 {
        (((self.word() >> 8) as f32 + 0.5) / 2_097_152.0 - 4.0).to_bits()
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/r600")
}

fn text(kernel: &Kernel) -> String {
    let path = folder().join(format!("{}.s", kernel.name));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A text as the case of a kernel.
fn parsed(kernel: &Kernel, text: &str) -> Case {
    let name = folder().join(format!("{}.s", kernel.name));
    Case::parse(text, &name.to_string_lossy()).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a test of every kernel, and says what all of them found.
fn each(test: impl Fn(&Kernel, &Case) -> Vec<String>) {
    let found: Vec<String> = KERNELS
        .iter()
        .flat_map(|kernel| {
            let found = test(kernel, &parsed(kernel, &text(kernel)));
            found.into_iter().map(|line| format!("{}: {line}", kernel.name))
        })
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What a case finds on its first machine: the same on the others.
fn setup(case: &Case) -> Setup {
    case.ready(case.machines[0]).unwrap_or_else(|error| panic!("{error}")).setup
}

/// An outcome that has the values of a reference and nothing else.
fn outcome(want: &Want, lanes: usize) -> Outcome {
    let mut outcome = Outcome {
        gprs: vec![vec![[0; 4]; lanes]; 128],
        scratch: vec![vec![[0; 4]; 64]; lanes],
        ring: vec![BTreeMap::new(); lanes],
        primitives: vec![Vec::new(); lanes],
        ..Outcome::default()
    };
    // Masks stand behind what they mask: elements that are exported set their bit.
    let masks = want.iter().filter(|(place, _)| matches!(place, Place::Mask(_)));
    let others = want.iter().filter(|(place, _)| !matches!(place, Place::Mask(_)));
    for (place, values) in others.chain(masks) {
        let element = place.elements().each().next().expect("an element");
        for (lane, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let word = value as u32;
            match place {
                Place::Register(n, _) => outcome.gprs[*n as usize][lane][element] = word,
                Place::Scratch(n, _) => outcome.scratch[lane][*n as usize][element] = word,
                Place::Export(to, _) => {
                    let all = outcome.exports.entry(*to).or_insert_with(|| vec![Exported::default(); lanes]);
                    all[lane].words[element] = word;
                    all[lane].mask |= 1 << element;
                }
                Place::Mask(to) => {
                    let all = outcome.exports.entry(*to).or_insert_with(|| vec![Exported::default(); lanes]);
                    all[lane].mask = word as u8;
                }
                Place::Killed => outcome.killed = value,
                Place::Ring(at) => {
                    outcome.ring[lane].insert(*at, word);
                }
                Place::Primitives => {
                    let codes = (0..32).map(|n| value >> (2 * n) & 3).take_while(|code| *code != 0);
                    let said = codes.map(|code| if code == 1 { Primitive::Emit } else { Primitive::Cut });
                    outcome.primitives[lane] = said.collect();
                }
                Place::Reduction(..) => unreachable!("no kernel uses it"),
            }
        }
    }
    outcome
}

#[test]
fn the_references_give_what_is_published() {
    each(|kernel, case| {
        let want = (kernel.want)(&setup(case));
        let mut found = Vec::new();
        for (place, published) in kernel.published {
            let values = want.iter().find(|(known, _)| known.to_string() == *place);
            let values = &values.expect("a place of the reference").1;
            for (lane, value) in published.iter().enumerate() {
                if values[lane] != Some(u64::from(*value)) {
                    found.push(format!("{place} of lane {lane}: {:x?}, published is {value:#x}", values[lane]));
                }
            }
        }
        found
    });
}

#[test]
fn the_files_expect_what_the_references_compute() {
    each(|kernel, case| {
        let lanes = case.lanes as usize;
        let mut want = (kernel.want)(&setup(case));
        let mut found = Vec::new();
        for &machine in &case.machines {
            let check = |want: &Want| case.check(machine, &Ok(outcome(want, lanes))).expect("its machine");
            found.extend(check(&want).iter().map(|mismatch| format!("the file: {mismatch}")));
            // Each value of the reference is another for once, so that no expectation takes everything.
            for n in 0..want.len() {
                for lane in 0..want[n].1.len() {
                    let Some(value) = want[n].1[lane] else { continue };
                    let other = match want[n].0 {
                        Place::Export(..) | Place::Register(..) | Place::Ring(_) | Place::Scratch(..) => 1 << 30,
                        _ => 1,
                    };
                    want[n].1[lane] = Some(value ^ other);
                    if check(&want).is_empty() {
                        found.push(format!("{} of lane {lane} may be anything", want[n].0));
                    }
                    want[n].1[lane] = Some(value);
                }
            }
        }
        found
    });
}

/// The first thing that is not as a reference has it.
fn difference(kernel: &Kernel, want: &Want, outcome: &Outcome) -> Option<String> {
    for (place, values) in want {
        let element = place.elements().each().next()?;
        for (lane, value) in values.iter().enumerate() {
            let left = place.left(outcome, lane, element);
            let near = match (left, *value) {
                (Some(left), Some(value)) if kernel.near > 0.0 => {
                    let [left, value] = [left, value].map(|bits| f32::from_bits(bits as u32));
                    (left - value).abs() <= kernel.near
                }
                _ => left == *value,
            };
            if !near {
                return Some(format!("{place} of lane {lane}: {left:x?}, the reference has {value:x?}"));
            }
        }
    }
    None
}

#[test]
fn the_emulator_leaves_what_the_files_expect() {
    each(|_, case| {
        let mut found = Vec::new();
        for &machine in &case.machines {
            let ready = case.ready(machine).unwrap_or_else(|error| panic!("{error}"));
            let came = run(&ready.words, &ready.setup);
            let mismatches = case.check(machine, &came).expect("its machine");
            found.extend(mismatches.iter().map(|mismatch| format!("{}: {mismatch}", machine.name())));
        }
        found
    });
}

#[test]
fn the_emulator_leaves_what_the_references_compute_for_other_inputs() {
    const ROUNDS: u64 = 25;
    each(|kernel, case| {
        let mut found = Vec::new();
        for &machine in &case.machines {
            let ready = case.ready(machine).unwrap_or_else(|error| panic!("{error}"));
            for round in 0..ROUNDS {
                let mut setup = ready.setup.clone();
                (kernel.other)(&mut setup, &mut Random(round));
                assert_ne!(setup, ready.setup, "{}: the inputs are the same", kernel.name);
                let said = match run(&ready.words, &setup) {
                    Ok(outcome) => difference(kernel, &(kernel.want)(&setup), &outcome),
                    Err(error) => Some(error.to_string()),
                };
                found.extend(said.map(|said| format!("{}, round {round}: {said}", machine.name())));
            }
        }
        found
    });
}

#[test]
fn mistakes_in_the_texts_are_noticed() {
    each(|kernel, _| {
        let text = text(kernel);
        let mut found = Vec::new();
        for (line, mistake) in kernel.planted {
            assert_eq!(text.matches(line).count(), 1, "{}: `{line}` stands there once", kernel.name);
            let case = parsed(kernel, &text.replace(line, mistake));
            for &machine in &case.machines {
                let ready = case.ready(machine).unwrap_or_else(|error| panic!("`{mistake}`: {error}"));
                let came = run(&ready.words, &ready.setup);
                if case.check(machine, &came).expect("its machine").is_empty() {
                    found.push(format!("{}: `{mistake}` for `{line}` is not noticed", machine.name()));
                }
            }
        }
        found
    });
    println!("{} mistakes", KERNELS.iter().map(|kernel| kernel.planted.len()).sum::<usize>());
}

/// Which mistakes of the machine itself the kernels notice: most, but those that no sensible program brings to light.
#[test]
fn mistakes_of_the_machine_are_noticed() {
    let noticed = |mistake: Mistake| {
        KERNELS.iter().any(|kernel| {
            let case = parsed(kernel, &text(kernel));
            case.machines.iter().any(|&machine| {
                let mut ready = case.ready(machine).unwrap_or_else(|error| panic!("{error}"));
                ready.setup.mistake = Some(mistake);
                let came = run(&ready.words, &ready.setup);
                !case.check(machine, &came).expect("its machine").is_empty()
            })
        })
    };
    let (seen, not): (Vec<Mistake>, Vec<Mistake>) = Mistake::ALL.iter().partition(|mistake| noticed(**mistake));
    println!("{} of {} mistakes of the machine are noticed; not {not:?}", seen.len(), Mistake::ALL.len());
    if cfg!(debug_assertions) {
        assert!(seen.len() >= NOTICED, "{} mistakes are noticed, {NOTICED} were", seen.len());
    }
}

/// How many mistakes of the machine the kernels noticed when they were written.
const NOTICED: usize = 21;

/// The reciprocal of the emulator is exact but for its fraction, which leaves a step of the division nothing to do. With reciprocals that
/// are off by 2^-22 of themselves, below and above, the quotients are right because of that step.
#[test]
fn division_puts_inexact_reciprocals_right() {
    const LINE: &str = "  0 t: RECIP_UINT    R1.x, R0.y\n";
    const STEP: &str = "7 x: CNDE_INT      R1.x, R1.z, PV.x, PV.y";
    let kernel = KERNELS.iter().find(|kernel| kernel.name == "udiv").expect("the division");
    let text = text(kernel);
    // Where the sum wraps, as it does for a divisor of 1, the reciprocal stays what it was.
    let off =
        ["  0 x: SUB_INT R1.x, R1.x, R1.y\n", "  0 x: ADD_INT ____, R1.x, R1.y\n  0 x: MAX_UINT R1.x, R1.x, PV.x\n"];
    assert!(text.contains(LINE) && text.contains(STEP));
    for (way, off) in off.into_iter().enumerate() {
        let text = text.replace(LINE, &format!("{LINE}  0 ?: LSHR_INT R1.y, R1.x, 22\n{off}"));
        // Without the step, and with the step the other way.
        let other = ["PV.y, PV.y", "PV.x, PV.x"][way];
        let wrong = ["R1.x, R1.x", other].map(|with| text.replace(STEP, &STEP.replace("PV.x, PV.y", with)));
        let differs = |text: &str| {
            let case = parsed(kernel, text);
            let ready = case.ready(case.machines[0]).unwrap_or_else(|error| panic!("{error}"));
            (0..50).any(|round| {
                let mut setup = ready.setup.clone();
                (kernel.other)(&mut setup, &mut Random(round));
                let outcome = run(&ready.words, &setup).unwrap_or_else(|error| panic!("{error}"));
                difference(kernel, &(kernel.want)(&setup), &outcome).is_some()
            })
        };
        assert!(!differs(&text), "{off}");
        wrong.iter().for_each(|text| assert!(differs(text), "{off}: nobody needs the step"));
    }
}

/// Runs say nothing of warnings: read ports that are asked for too much, too many instructions for a slot, habits. And a group has its
/// slots in their order, which the assembler does not ask for.
#[test]
fn the_assembler_has_nothing_to_say() {
    each(|kernel, case| {
        let mut found = Vec::new();
        for &machine in &case.machines {
            for part in case.body.text.split(".fetch\n") {
                let assembly = assemble(kernel.name, part, Options { machine: Some(machine), ..Options::default() });
                found.extend(assembly.diagnostics.iter().map(ToString::to_string));
                let words = assembly.words.unwrap_or_default();
                for clause in &Program::decode(machine, &words).clauses {
                    let Body::Alu(groups) = &clause.body else { continue };
                    for (n, group) in groups.iter().enumerate() {
                        let slots: Vec<_> = (0..group.insts().len()).map(|n| group.slot(n)).collect();
                        if !slots.is_sorted() {
                            let at = clause.extent.at;
                            found.push(format!("{}: group {n} of the clause at {at}: {slots:?}", machine.name()));
                        }
                    }
                }
            }
        }
        found
    });
}

#[test]
fn every_file_is_a_kernel_and_every_kernel_is_in_the_list() {
    let list = std::fs::read_to_string(folder().join("../README.md")).expect("README.md");
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".s").map(str::to_owned))
        .collect();
    let mut names: Vec<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
    files.sort_unstable();
    names.sort_unstable();
    assert_eq!(files, names);
    for name in names {
        assert!(list.contains(&format!("[{name}](r600/{name}.s)")), "{name} is not in the list of kernels");
    }
}

/// Prints what the files are to expect.
#[test]
#[ignore = "checks nothing: prints the lines that the files are to expect, for whoever writes a kernel"]
fn print_expectations() {
    for kernel in KERNELS {
        let case = parsed(kernel, &text(kernel));
        println!("== {}", kernel.name);
        for (place, values) in (kernel.want)(&setup(&case)) {
            println!("{}", line(kernel, &place, &values));
        }
    }
}

/// An expectation, in lines of the header.
fn line(kernel: &Kernel, place: &Place, values: &[Option<u64>]) -> String {
    /// Places whose values are floats, and those that are hashes.
    const FLOATS: &[(&str, &[&str])] = &[
        ("mandelbrot", &["pixel0.y", "pixel0.z"]),
        ("billboards", &["ring"]),
        ("particles", &["stream"]),
        ("transform", &["pos", "param"]),
        ("cutout", &["pixel0.x", "pixel0.y", "pixel0.z", "pixel0.w"]),
        ("matmul", &["pixel"]),
        ("gauss", &["pixel"]),
        ("box.rv770", &["pixel"]),
        ("rotate.r600", &["pixel"]),
        ("rotate.rv770", &["pixel"]),
    ];
    const HASHES: &[&str] = &["crc32", "fnv1a", "murmur3", "md5", "sha256", "philox", "reverse.rv770"];
    let place = place.to_string();
    let begins = |(name, heads): &&(&str, &[&str])| *name == kernel.name && heads.iter().any(|h| place.starts_with(h));
    let float = FLOATS.iter().any(|row| begins(&row)) && !place.ends_with("mask");
    let (hash, set) = (HASHES.contains(&kernel.name), place == "killed");
    let word = |value: &Option<u64>| match value {
        None => "_".to_owned(),
        Some(value) if float => format!("{:?}", f32::from_bits(*value as u32)),
        Some(value) if hash => format!("0x{value:08x}"),
        Some(value) if set => format!("{value:#x}"),
        Some(value) => value.to_string(),
    };
    let words: Vec<String> = values.iter().map(word).collect();
    let mut text = format!("; expect: {place} = {}", if float { "f32 " } else { "" });
    let alike = words.iter().all(|word| *word == words[0]);
    if alike {
        text += &words[0];
    } else {
        let mut column = text.len() + 1;
        text.push('[');
        for (n, word) in words.iter().enumerate() {
            if column + word.len() + 2 > 132 {
                text.truncate(text.trim_end().len());
                text += "\n;   ";
                column = 4;
            }
            let end = if n + 1 == words.len() { "]" } else { ", " };
            text += word;
            text += end;
            column += word.len() + 2;
        }
    }
    if kernel.near > 0.0 {
        text += &format!(", abs({:?})", kernel.near);
    }
    text
}
