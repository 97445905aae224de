//! Programs that compilers made for R600 and RV770, with what they find and what they are expected to export: those of
//! `golden/oracle/r600`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use wavediff::memory::format::{Format, Kind, LAYOUTS};
use wavediff::r600::Machine;
use wavediff::r600::emu::image::{Compare, Image, Shape};
use wavediff::r600::emu::vertex::{Buffer, Element};
use wavediff::r600::emu::{Error, Outcome, Resource, Setup, Stage};

/// A program.
#[allow(dead_code, reason = "not every test looks at all of it")]
pub struct Program {
    /// Its name, that of the test, the compiler, and the machine.
    pub name: String,
    /// The name of the test.
    pub test: String,
    /// The compiler.
    pub origin: String,
    /// The words.
    pub words: Vec<u32>,
    /// What it finds.
    pub setup: Setup,
    /// What is said of its expectations.
    pub reference: String,
    /// Whether they count.
    pub agrees: bool,
    tests: Arc<Value>,
}

impl Program {
    /// The first thing that is not as expected.
    pub fn difference(&self, result: &Result<Outcome, Error>) -> Option<String> {
        match result {
            Ok(outcome) => difference(&self.tests[&self.test], outcome),
            Err(error) => Some(error.to_string()),
        }
    }
}

/// All programs.
pub fn load() -> Vec<Program> {
    let tests: Value = serde_json::from_str(&read("tests.json.zst")).expect("tests");
    let tests = Arc::new(tests);
    let one = |line: &str| {
        let program: Value = serde_json::from_str(line).expect("a program");
        let text = |key: &str| program[key].as_str().expect("a text").to_owned();
        let words = program["words"].as_array().expect("words").iter();
        Program {
            name: text("name"),
            test: text("test"),
            origin: text("origin"),
            words: words.map(|w| u32::from_str_radix(w.as_str().expect("digits"), 16).expect("digits")).collect(),
            setup: setup(&program, &tests[text("test")]),
            agrees: text("reference") == "agrees",
            reference: text("reference"),
            tests: Arc::clone(&tests),
        }
    };
    read("programs.jsonl.zst").lines().map(one).collect()
}

fn read(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/r600").join(name);
    let bytes = std::fs::read(path).expect("a golden file");
    String::from_utf8(zstd::decode_all(bytes.as_slice()).expect("zstd")).expect("UTF-8")
}

/// The words of joined digits.
fn words(text: &Value) -> Vec<u32> {
    let digits = text.as_str().expect("digits").as_bytes();
    let word = |eight: &[u8]| u32::from_str_radix(std::str::from_utf8(eight).expect("digits"), 16).expect("digits");
    digits.chunks(8).map(word).collect()
}

fn vector(text: &Value) -> [u32; 4] {
    words(text).try_into().expect("four words")
}

fn number(value: &Value) -> u32 {
    value.as_u64().expect("a number") as u32
}

fn resource(value: &Value) -> Resource {
    let data = words(&value["data"]);
    let bytes: Vec<u8> = data.iter().flat_map(|word| word.to_le_bytes()).collect();
    let kind = value["kind"].as_str().expect("a kind");
    let float = Element { data: 35, ..Element::default() };
    if kind == "buffer" {
        return Resource::Buffer(Buffer { bytes, stride: number(&value["stride"]), format: Some(float) });
    }
    let format = match value["format"].as_str().expect("a format") {
        "rgba32f" => Format { layout: &LAYOUTS[14], kind: Kind::Float, unsigned_alpha: false },
        "rgba32ui" | "rgba32i" => Format { layout: &LAYOUTS[14], kind: Kind::Uint, unsigned_alpha: false },
        "depth" | "r32f" => Format { layout: &LAYOUTS[4], kind: Kind::Float, unsigned_alpha: false },
        other => panic!("format {other}"),
    };
    let shape = match kind {
        "1d" => Shape::D1,
        "2d" => Shape::D2,
        "3d" => Shape::D3,
        "1darray" => Shape::D1Array,
        "2darray" => Shape::D2Array,
        "cube" => Shape::Cube,
        other => panic!("kind {other}"),
    };
    let mut size = [1; 3];
    for (to, from) in size.iter_mut().zip(value["size"].as_array().expect("a size")) {
        *to = number(from);
    }
    if shape == Shape::Cube {
        size = [size[0], size[0], 6];
    }
    let compare = match value.get("compare").map(number) {
        Some(0x200) => Compare::Never,
        Some(0x201) => Compare::Less,
        Some(0x202) => Compare::Equal,
        Some(0x203) => Compare::LessEqual,
        Some(0x204) => Compare::Greater,
        Some(0x205) => Compare::NotEqual,
        Some(0x206) => Compare::GreaterEqual,
        _ => Compare::Always,
    };
    let repeat = value.get("repeat").is_some_and(|repeat| repeat.as_u64() == Some(1) || repeat.as_bool() == Some(true));
    let one = if format.kind == Kind::Uint { 1 } else { 1.0f32.to_bits() };
    Resource::Image(Image { shape, size, format, missing: [0, 0, 0, one], bytes, repeat, compare })
}

/// What a program finds.
fn setup(program: &Value, test: &Value) -> Setup {
    let machine = Machine::find(program["arch"].as_str().expect("a name")).expect("a machine");
    let stage = match program["stage"].as_str().expect("a stage") {
        "ps" => Stage::Ps,
        "vs" | "gscopy" => Stage::Vs,
        "gs" => Stage::Gs,
        "es" => Stage::Es,
        "fs" => Stage::Fs,
        other => panic!("stage {other}"),
    };
    let mut setup = Setup::new(machine, stage, number(&test["lanes"]));
    setup.ngpr = number(&program["ngpr"]);
    setup.nstack = Some(number(&program["nstack"]));
    for (gpr, name) in program["gpr"].as_object().expect("registers") {
        let lanes = test["inputs"][name.as_str().expect("a name")].as_array().expect("lanes");
        setup.gprs.insert(gpr.parse().expect("a number"), lanes.iter().map(vector).collect());
    }
    for (bank, data) in test["cbuf"].as_object().expect("buffers") {
        setup.banks.insert(bank.parse().expect("a number"), words(data));
    }
    for (id, value) in test["resources"].as_object().expect("resources") {
        setup.resources.insert(id.parse().expect("a number"), resource(value));
    }
    setup
}

/// The rule of the runner that lies beside the programs.
fn same(got: u32, want: u32, kind: &str, tolerance: &Value) -> bool {
    if got == want {
        return true;
    }
    if matches!(kind, "i" | "u") {
        return false;
    }
    let (x, y) = (f64::from(f32::from_bits(got)), f64::from(f32::from_bits(want)));
    if x == y || x.is_nan() && y.is_nan() {
        return true;
    }
    if kind == "x" {
        return false;
    }
    let large = x.abs().max(y.abs());
    let within = |name: &str, unit: f64| tolerance[name].as_f64().is_some_and(|t| (x - y).abs() <= t * unit);
    within("rel", large) || within("abs", 1.0) || within("tol", 1.2e-7 * large)
}

/// The first difference, if any.
fn difference(test: &Value, outcome: &Outcome) -> Option<String> {
    let exports: BTreeMap<String, _> = outcome.exports.iter().map(|(to, lanes)| (to.to_string(), lanes)).collect();
    let mut compared = 0;
    for (name, rows) in test["expect"].as_object().expect("exports") {
        let kind = test["types"][name].as_str().unwrap_or("f");
        for (lane, want) in rows.as_array().expect("lanes").iter().enumerate() {
            compared += 1;
            let got = match name.strip_prefix("gpr") {
                Some(gpr) => outcome.gprs.get(gpr.parse::<usize>().expect("a number")).map(|lanes| lanes[lane]),
                None => exports.get(name).and_then(|lanes| lanes.get(lane)).filter(|e| e.mask != 0).map(|e| e.words),
            };
            let killed = outcome.killed >> lane & 1 != 0;
            if want.is_null() {
                if !killed && got.is_some() {
                    return Some(format!("{name} lane {lane} should be killed"));
                }
                continue;
            }
            let Some(got) = got.filter(|_| !killed) else {
                return Some(format!("{name} lane {lane}: nothing, killed: {killed}"));
            };
            for (n, (got, want)) in got.into_iter().zip(vector(want)).enumerate() {
                if !same(got, want, kind, &test["tol"]) {
                    let (x, y) = (f32::from_bits(got), f32::from_bits(want));
                    return Some(format!("{name} lane {lane}.{n}: got {got:08x} ({x}), want {want:08x} ({y})"));
                }
            }
        }
    }
    (compared == 0).then(|| "nothing is expected of it".to_owned())
}
