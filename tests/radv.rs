//! Programs of a real driver against another one: the shaders of `shaders/vulkan`, compiled by RADV for twelve chips, for four of them also in
//! waves of 32 lanes, on the emulator, and the same SPIR-V on lavapipe. What both leave in the buffers is the same, to the bit unless the shader says how near.
//!
//! Neither side was written here: RADV decides the machine code and what its registers hold, lavapipe what the shader means. RADV needs no card
//! for that (its "null device"), and leaves binaries of shader objects and pipeline caches from Mesa 25 on. Without it the tests are
//! left out by name, and with `WAVEDIFF_REQUIRE_RADV=1` they fail. Where it is not the system's:
//!
//! ```text
//! RADV_ICD=$(.ci/mesa-backport FOLDER radeon) cargo test --release --test radv
//! RADV_ENGINE=vulkan ...     the translation to SPIR-V on the first Vulkan device instead of the emulator
//! ... -- navi31 -- spill     a part of it
//! ```
//!
//! A driver and its chip are chosen by environment variables that must be there before the loader is, and a compiler may give up with its process;
//! so this program calls itself for each of them.

#[path = "radv/driver.rs"]
mod driver;
#[allow(dead_code, reason = "programs on devices are given more")]
#[path = "../harness/vgpu/programs/src/unit.rs"]
mod unit;

#[path = "support/trials.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use unit::{Kind, Unit};
use wavediff::case::Rule;
use wavediff::emu::engine::{Clocked, Emulator};
use wavediff::engine::stage::kernel::run_kernel;
use wavediff::engine::{Options, Runner};
use wavediff::isa::Arch;
use wavediff::isa::types::Ty;
use wavediff::launch::radv::{Bound, BoundKind, Given, Push, stage};
use wavediff::launch::{Buffer, Fill};
use wavediff::object::radv::{Shader, shaders};
use wavediff::spirv::engine::Vulkan;
use wavediff::spirv::lanes::Model;
use wavediff::vulkan;

/// RADV's names of chips, one of every generation and both halves of gfx10, and ours. Where it is asked to, RADV makes waves of 32 lanes.
const CHIPS: [(&str, &str); 16] = [
    ("tahiti", "gfx600"),
    ("hawaii", "gfx701"),
    ("polaris10", "gfx803"),
    ("vega10", "gfx900"),
    ("vega20", "gfx906"),
    ("mi100", "gfx908"),
    ("mi200", "gfx90a"),
    ("gfx940", "gfx940"),
    ("navi10", "gfx1010"),
    ("navi21", "gfx1030"),
    ("navi31", "gfx1100"),
    ("gfx1201", "gfx1201"),
    ("navi10-wave32", "gfx1010"),
    ("navi21-wave32", "gfx1030"),
    ("navi31-wave32", "gfx1100"),
    ("gfx1201-wave32", "gfx1201"),
];

/// Shaders of which RADV makes no code of a chip: it knows these chips by name only. Of others what it makes is right.
#[rustfmt::skip]
const BEYOND: &[(&str, &str, &[&str])] = &[
    ("mi200", "pairs of registers begin at any", &["big_lds", "converted", "functions", "structures", "subgroup_ids", "subgroup_shuffle", "types16"]),
    ("mi200", "the numbers of an item lie in a register each", &["groups_of_96", "ids", "transpose"]),
    ("gfx940", "pairs of registers begin at any", &["big_lds", "converted", "structures", "subgroup_ids", "subgroup_shuffle", "types16"]),
    ("gfx940", "the numbers of an item lie in a register each", &["groups_of_96", "ids", "transpose"]),
    ("gfx940", "v_mac_f32 and v_mad_f32 are no instructions of it", &["functions", "saxpy_push"]),
    ("gfx940", "no register says where the scratch memory of a wave begins", &["spill", "spill_vectors"]),
];

/// Chips whose clocks are compared.
const CLOCKED: [(&str, &str); 2] = [("navi31", "gfx1100"), ("navi31-wave32", "gfx1100")];

/// What stands behind a chip whose waves have 32 lanes.
const WAVE32: &str = "-wave32";

/// How a worker ends whose driver is not there, or too old.
const ABSENT: i32 = 2;

/// Why there is nothing to compare.
enum Lack {
    /// A tool or driver is not there.
    Absent(String),
    /// It is there and fails.
    Broken(String),
}

/// The files that tell the loader of a driver, where the system has them.
const ICDS: &str = "/usr/share/vulkan/icd.d";

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let [_, flag, task, chip, folder] = &words[..]
        && flag == "--worker"
    {
        return worker(task, chip, Path::new(folder));
    }
    let args = Arguments::from_args();
    // Each build has its own: they would undo each other's.
    let folder = if cfg!(debug_assertions) { "radv-debug" } else { "radv" };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let mut trials = match prepare(&folder) {
        Ok(()) => {
            let expected = Arc::new(folder.join("lavapipe"));
            let mut trials = Vec::new();
            for (chip, arch) in CHIPS {
                for unit in units().into_iter().filter(|unit| unit.is_for(chip)) {
                    let (from, expected) = (folder.join(chip), Arc::clone(&expected));
                    let name = format!("shaders::{chip}::{}", unit.name);
                    trials.push(support::trial(name, move || run(&unit, arch, &from, &expected)));
                }
            }
            for (chip, arch) in CLOCKED {
                let from = folder.join(chip);
                trials.push(support::trial(format!("clocks::{chip}"), move || clocks(&from, chip, arch)));
            }
            trials
        }
        Err(Lack::Broken(reason)) => vec![Trial::test("driver", move || Err(Failed::from(reason)))],
        Err(Lack::Absent(reason)) if std::env::var("WAVEDIFF_REQUIRE_RADV").is_ok_and(|wanted| wanted == "1") => {
            vec![Trial::test("driver", move || Err(Failed::from(reason)))]
        }
        Err(Lack::Absent(reason)) => {
            eprintln!("left out: {reason}");
            let all = CHIPS
                .iter()
                .flat_map(|(chip, _)| units().into_iter().map(move |u| format!("shaders::{chip}::{}", u.name)));
            all.map(|name| Trial::test(name, || Ok(())).with_ignored_flag(true)).collect()
        }
    };
    for (name, ending) in [("saxpy_push", "object"), ("many_sets", "cache")] {
        for (chip, arch) in CHIPS.into_iter().filter(|(chip, _)| !chip.ends_with(WAVE32) && !is_beyond(chip, name)) {
            let run = move || recorded(name, chip, ending, arch);
            trials.push(support::trial(format!("recorded::{chip}::{name}"), run));
        }
    }
    support::run(&args, trials)
}

/// A binary that lies in `golden/radv`, where no driver is needed.
fn recorded(name: &str, chip: &str, ending: &str, arch: &str) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/radv");
    let read = |file: String| std::fs::read(folder.join(&file)).map_err(|e| Failed::from(format!("{file}: {e}")));
    let found = shaders(&read(format!("{name}.{chip}.{ending}"))?)?;
    let [shader] = &found[..] else { return Err("one shader is expected".into()) };
    let unit = units().into_iter().find(|unit| unit.name == name).ok_or("no such shader")?;
    let arch = Arch::find(arch).ok_or("no such processor")?;
    compare(&unit, &launch(&unit, shader, arch, Fill::Marked)?, &read(format!("{name}.out"))?)
}

/// A shader of the folder.
#[derive(Clone)]
struct Named {
    name: String,
    unit: Unit,
}

impl Named {
    /// Whether a chip can run it.
    fn is_for(&self, chip: &str) -> bool {
        !self.without.contains(&chip) && !is_beyond(chip, &self.name)
    }
}

/// Whether it is [beyond](BEYOND) RADV to compile a shader for a chip.
fn is_beyond(chip: &str, name: &str) -> bool {
    BEYOND.iter().any(|(on, _, names)| *on == chip && names.contains(&name))
}

impl std::ops::Deref for Named {
    type Target = Unit;

    fn deref(&self) -> &Unit {
        &self.unit
    }
}

/// The shaders, by name.
fn units() -> Vec<Named> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders/vulkan");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of shaders")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "comp"))
        .collect();
    paths.sort();
    let unit = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // They are read once a process, and wanted to its end.
        let text = std::fs::read_to_string(path).expect("a shader").leak();
        Named { name, unit: Unit::parse(text) }
    };
    paths.iter().map(unit).collect()
}

/// Carries out one task with the driver that the environment names.
fn worker(task: &str, chip: &str, folder: &Path) {
    let mut units = units();
    let from = folder.join("spv");
    let to = folder.join(chip);
    if let Err(error) = driver::probe(task) {
        eprintln!("{error}");
        std::process::exit(ABSENT);
    }
    let done = match task {
        "compile" => {
            units.retain(|unit| unit.is_for(chip));
            driver::compile(&units, &from, &to)
        }
        _ => driver::run(&units, &from, &to),
    };
    if let Err(error) = done {
        eprintln!("{error}");
        std::process::exit(1);
    }
}

/// The file of a driver: as the environment says, or the system's.
fn icd(variable: &str, name: &str) -> Result<PathBuf, Lack> {
    if let Some(path) = std::env::var_os(variable) {
        return Ok(path.into());
    }
    let entries = std::fs::read_dir(ICDS).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        entries.filter(|path| path.file_name().is_some_and(|f| f.to_string_lossy().starts_with(name))).collect();
    found.sort();
    let absent = || Lack::Absent(format!("there is no {name}*.json in {ICDS}, and {variable} is not set"));
    found.into_iter().next().ok_or_else(absent)
}

/// SPIR-V of all shaders, binaries of all chips, and what lavapipe makes of them. Where the same program did all that with the same drivers, it is
/// left as it is: mistakes are planted in processes of their own, hundreds of them.
fn prepare(folder: &Path) -> Result<(), Lack> {
    let radv = icd("RADV_ICD", "radeon_icd")?;
    let lavapipe =
        std::env::var_os("VK_ICD_FILENAMES").map(PathBuf::from).map_or_else(|| icd("LVP_ICD", "lvp_icd"), Ok)?;
    let exe = std::env::current_exe().map_err(|e| Lack::Broken(e.to_string()))?;
    let about = [&exe, &radv, &lavapipe].map(|path| {
        let about = std::fs::metadata(path).ok();
        (path, about.as_ref().map(|about| about.len()), about.and_then(|about| about.modified().ok()))
    });
    let mut shaders = DefaultHasher::new();
    units().iter().for_each(|unit| (&unit.name, unit.source).hash(&mut shaders));
    let (by, now) = (folder.join("made-by"), format!("{about:?} {:016x}", shaders.finish()));
    // One process makes it, the others wait.
    let lock = File::create(folder.with_extension("lock")).and_then(|file| file.lock().map(|()| file));
    let _lock = lock.map_err(|e| Lack::Broken(e.to_string()))?;
    if std::fs::read_to_string(&by).is_ok_and(|then| then == now) {
        return Ok(());
    }
    let _ = std::fs::remove_dir_all(folder);
    let spirv = folder.join("spv");
    for name in ["spv", "lavapipe"].into_iter().chain(CHIPS.map(|(chip, _)| chip)) {
        std::fs::create_dir_all(folder.join(name)).map_err(|e| Lack::Broken(e.to_string()))?;
    }
    for unit in units() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("shaders/vulkan/{}.comp", unit.name));
        let mut glslang = Command::new("glslangValidator");
        glslang.args(["--target-env", "vulkan1.2", "-o"]).arg(spirv.join(format!("{}.spv", unit.name))).arg(source);
        let output = glslang.output().map_err(|e| Lack::Absent(format!("glslangValidator: {e}")))?;
        if !output.status.success() {
            return Err(Lack::Broken(format!("{}: {}", unit.name, String::from_utf8_lossy(&output.stdout))));
        }
    }
    for (chip, _) in CHIPS {
        call("compile", chip, folder, &radv)?;
    }
    call("run", "lavapipe", folder, &lavapipe)?;
    std::fs::write(&by, now).map_err(|e| Lack::Broken(e.to_string()))
}

/// A worker with a driver.
fn call(task: &str, chip: &str, folder: &Path, icd: &Path) -> Result<(), Lack> {
    let exe = std::env::current_exe().map_err(|e| Lack::Broken(e.to_string()))?;
    let mut command = Command::new(exe);
    command.args(["--worker", task, chip]).arg(folder);
    command.env("VK_ICD_FILENAMES", icd).env("VK_DRIVER_FILES", icd);
    // Mesa's layer that chooses devices would ask for a display; a cache on disk would answer in the compiler's place.
    command.env("NODEVICE_SELECT", "1").env("MESA_SHADER_CACHE_DISABLE", "1");
    if task == "compile" {
        let family = chip.strip_suffix(WAVE32);
        command.env("RADV_FORCE_FAMILY", family.unwrap_or(chip));
        if family.is_some() {
            command.env("RADV_PERFTEST", "cswave32");
        }
    }
    let output = command.output().map_err(|e| Lack::Broken(e.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = format!("{} for {chip}: {}", icd.display(), said.lines().last().unwrap_or("it ended without a word"));
    Err(if output.status.code() == Some(ABSENT) { Lack::Absent(said) } else { Lack::Broken(said) })
}

/// One shader of one chip.
fn run(unit: &Named, arch: &str, from: &Path, expected: &Path) -> Result<(), Failed> {
    let read = |folder: &Path, ending: &str| {
        let path = folder.join(format!("{}.{ending}", unit.name));
        std::fs::read(&path).map_err(|e| {
            let why = std::fs::read_to_string(path.with_extension("error")).unwrap_or_else(|_| e.to_string());
            Failed::from(format!("{}: {why}", path.display()))
        })
    };
    let found = shaders(&read(from, "object")?)?;
    let [shader] = &found[..] else { return Err("one shader is expected".into()) };
    // The driver may know better (one lane needs no 64, and subgroups that a shader asks about have 64); an ordinary shader has what it was asked.
    let lanes = if from.to_string_lossy().ends_with(WAVE32) { 32 } else { 64 };
    if unit.name == "add" && shader.wave_size != lanes {
        return Err(format!("waves of {} lanes", shader.wave_size).into());
    }
    // The same shader comes out of a pipeline cache, and of the structure alone, which is what a pipeline binary is.
    for (what, bytes) in [("cache", read(from, "cache")?), ("binary", read(from, "object")?[44..].to_vec())] {
        let other = shaders(&bytes)?;
        if other.len() != 1 || !same(&other[0], shader) {
            return Err(format!("the pipeline {what} has another shader than the shader object").into());
        }
    }
    let arch = Arch::find(arch).ok_or("no such processor")?;
    let want = read(expected, "out")?;
    if want.iter().all(|byte| *byte == 0) {
        return Err("lavapipe left nothing but zeroes: nothing would be compared".into());
    }
    // What registers hold that nobody sets must not matter.
    for fill in [Fill::Marked, Fill::Noise(7)] {
        compare(unit, &launch(unit, shader, arch, fill)?, &want)?;
        if std::env::var_os("RADV_ENGINE").is_some() {
            break;
        }
    }
    Ok(())
}

/// Pipelines and shader objects of one source differ in nothing that is executed.
fn same(a: &Shader, b: &Shader) -> bool {
    let executed = |s: &Shader| s.code[..s.exec_bytes as usize].to_vec();
    a.rsrc == b.rsrc && a.users == b.users && a.group == b.group && executed(a) == executed(b)
}

/// Shaders that are farther off, and why.
const EXPLAINED: [(&str, &str); 2] = [
    ("big_lds:", "the strides of its lanes meet in one bank of LDS, which the compiler does not look at"),
    (
        "push_table:",
        "it is all branches: the compiler gives what stands behind them a chance, and here they cost what LLVM reckons",
    ),
];

/// The model of the clock against what the compiler reckons for a wave: within a factor of two, where both look at the same instructions, that is
/// in shaders whose waves execute nothing twice.
/// Planted and noticed: three times the latency of the shared cache.
fn clocks(from: &Path, chip: &str, arch: &str) -> Result<(), Failed> {
    let arch = Arch::find(arch).ok_or("no such processor")?;
    let (mut ratios, mut loops) = (Vec::new(), 0);
    for unit in units().into_iter().filter(|unit| unit.is_for(chip)) {
        let file = |ending: &str| from.join(format!("{}.{ending}", unit.name));
        let reckoned: f64 = std::fs::read_to_string(file("latency"))?.parse()?;
        let found = shaders(&std::fs::read(file("object"))?)?;
        let clocked = Clocked::new(Emulator { options: options() }, 0);
        launch_on(&clocked, &unit, &found[0], arch, Fill::Marked)?;
        let took = clocked.took().ok_or("nothing ran")?;
        let report = &took.report;
        let waves = report.all_waves;
        if report.steps.iter().any(|step| step.count > waves) {
            loops += 1;
            continue;
        }
        // A wave that takes the longest way, and has the least to wait for others.
        let most = report.waves.iter().map(|wave| wave.instructions).max().unwrap_or(0);
        let whole = report.waves.iter().filter(|wave| wave.instructions == most);
        // At the end the compiler waits for all that was sent.
        let took = whole.map(|wave| wave.arrived - wave.begin).min().unwrap_or(0) as f64;
        ratios.push((took / reckoned, format!("{}: {took} clocks, ACO reckons {reckoned}", unit.name)));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let far = ratios.iter().filter(|(ratio, text)| {
        !(0.5..=2.0).contains(ratio) && !EXPLAINED.iter().any(|(name, _)| text.starts_with(name))
    });
    let far: Vec<&str> = far.map(|(_, text)| &**text).collect();
    println!("{chip}: {} shaders compared, {loops} with loops left out: {ratios:#?}", ratios.len());
    if ratios.len() < 20 {
        return Err(format!("{} shaders are too few", ratios.len()).into());
    }
    if far.is_empty() { Ok(()) } else { Err(format!("{} of {}: {far:#?}", far.len(), ratios.len()).into()) }
}

/// How shaders are run.
fn options() -> Options {
    Options { threads: 2, budget: Some(1 << 24), ..Options::default() }
}

/// The outputs, one behind the other.
fn launch(unit: &Unit, shader: &Shader, arch: &'static Arch, fill: Fill) -> Result<Vec<u8>, Failed> {
    with_engine(options(), |runner| launch_on(runner, unit, shader, arch, fill))?
}

fn launch_on(
    runner: &dyn Runner,
    unit: &Unit,
    shader: &Shader,
    arch: &'static Arch,
    fill: Fill,
) -> Result<Vec<u8>, Failed> {
    let bound = |bind: &unit::Bind| Bound {
        set: bind.set,
        binding: bind.binding,
        element: bind.element,
        kind: BoundKind::Plain,
        buffer: Buffer { bytes: bind.bytes.clone(), writable: bind.kind == Kind::Storage, save: None },
    };
    let given = Given {
        groups: unit.groups,
        bound: unit.binds.iter().map(bound).collect(),
        push: vec![Push::Bytes(unit.push.clone())],
        fill,
        group_slots: 2,
    };
    let (loaded, mut dispatch) = stage(shader, arch, &given)?;
    let outcome = run_kernel(runner, &options(), &loaded, &mut dispatch)?;
    if let Some(trap) = outcome.trap {
        return Err(format!("trap: {trap}").into());
    }
    let outputs = outcome.buffers.iter().filter(|(output, _)| unit.binds[output.argument].output);
    Ok(outputs.flat_map(|(_, bytes)| bytes.clone()).collect())
}

/// The emulator, or what the environment asks for.
fn with_engine<T>(options: Options, run: impl FnOnce(&dyn Runner) -> T) -> Result<T, Failed> {
    if std::env::var_os("RADV_ENGINE").is_none() {
        return Ok(run(&Emulator { options }));
    }
    let gpu = vulkan::Vulkan::load(&vulkan::Options::default())?.choose(&vulkan::Choice::parse("0"))?.clone();
    let mut engine = Vulkan::new(gpu.open()?, Model::Workgroup);
    engine.options = options;
    Ok(run(&engine))
}

fn compare(unit: &Unit, got: &[u8], want: &[u8]) -> Result<(), Failed> {
    let (ty, ulp) = match &unit.bound {
        None => ("u32", 0),
        Some(unit::Bound { rule, ty, far }) if rule == "ulp" => (ty.as_str(), *far as u64),
        Some(other) => return Err(format!("the bound {other:?} is not compared by here").into()),
    };
    let ty = Ty::find(ty).ok_or("no such type")?;
    let rule = Rule { ulp, ..Rule::default() };
    if got.len() != want.len() || want.is_empty() {
        return Err(format!("{} bytes, and lavapipe has {}", got.len(), want.len()).into());
    }
    let wide = ty.bytes() as usize;
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let pairs = got.chunks(wide).zip(want.chunks(wide)).enumerate();
    let wrong: Vec<String> = pairs
        .filter(|(_, (g, w))| !rule.accepts(ty, number(w), number(g)))
        .map(|(n, (g, w))| format!("{:#x}: {}, lavapipe {}", n * wide, ty.hex(number(g)), ty.hex(number(w))))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} differ\n{}", wrong.len(), wrong[..wrong.len().min(6)].join("\n")).into())
}
