//! A file of the corpus: its kernels, and in its header the buffers, what is in them, and the runs.
//!
//! ```text
//! // arch: gfx8.. or gfx6..gfx10 or gfx90a gfx10      generations or processors that have what it needs; without it all
//! // in NAME TYPE[COUNT] = VALUES                     a buffer that kernels may only read
//! // out NAME TYPE[COUNT] = VALUES                    one that they may write; zeroes without values
//! // near: NAME ulp(N) abs(X)                         floats may be so many values, or so much, off
//! // run KERNEL grid=X,Y,Z group=X,Y,Z: ARG ARG       in order; all see the same buffers
//! ```
//!
//! An argument is the name of a buffer, or as `wavediff run` takes it (`u32:5`, `lds:1024`, `raw:0102`). `values` has the values.

use crate::build::Chip;
use crate::values::{Ty, Values};
use std::path::Path;
use wavediff::launch;

/// A file.
pub struct Unit {
    /// `linear/sgemm`.
    pub name: String,
    /// `linear`.
    pub topic: String,
    /// Its text.
    pub source: String,
    /// What has what it needs.
    pub on: On,
    /// Its buffers.
    pub buffers: Vec<Buffer>,
    /// What is run, in order.
    pub runs: Vec<Run>,
}

/// What a unit runs on.
pub enum On {
    /// Generations, both included.
    Generations(u32, u32),
    /// Processors whose names begin so.
    Names(Vec<String>),
}

impl On {
    /// Everything that the corpus is for.
    const ALL: On = On::Generations(6, 12);

    /// `gfx8..`, `gfx6..gfx10`, `gfx90a gfx10`.
    fn parse(text: &str) -> Option<On> {
        let generation = |text: &str| text.strip_prefix("gfx")?.parse().ok();
        Some(match text.split_once("..") {
            Some((first, "")) => On::Generations(generation(first)?, 12),
            Some((first, last)) => On::Generations(generation(first)?, generation(last)?),
            None => On::Names(text.split(' ').map(str::to_owned).collect()),
        })
    }
}

/// A buffer.
pub struct Buffer {
    /// Its name in the header.
    pub name: String,
    /// Whether kernels may write to it.
    pub writable: bool,
    /// What its elements are.
    pub ty: Ty,
    /// What is in it at the start.
    pub bytes: Vec<u8>,
    /// How many values a float may be off.
    pub ulp: u64,
    /// How much a float may be off.
    pub abs: f64,
}

/// One launch.
pub struct Run {
    /// The kernel.
    pub kernel: String,
    /// Work-items.
    pub grid: [u32; 3],
    /// Those of a group.
    pub group: [u32; 3],
    /// The arguments.
    pub args: Vec<Arg>,
}

/// An argument.
pub enum Arg {
    /// The number of a buffer.
    Buffer(usize),
    /// Anything else.
    Value(launch::Value),
}

impl Unit {
    /// Reads a file.
    pub fn read(root: &Path, path: &Path) -> Unit {
        let source = std::fs::read_to_string(path).expect("a file");
        let name = path.strip_prefix(root).expect("a file of the corpus").with_extension("");
        let name = name.to_str().expect("a name").to_owned();
        let topic = name.split_once('/').map_or("", |(topic, _)| topic).to_owned();
        Unit::parse(name, topic, source)
    }

    /// One of a text.
    pub fn parse(name: String, topic: String, source: String) -> Unit {
        let mut unit = Unit { name, topic, source, on: On::ALL, buffers: Vec::new(), runs: Vec::new() };
        let lines: Vec<String> = unit.source.lines().map(str::to_owned).collect();
        for line in lines.iter().map_while(|line| line.strip_prefix("// ")) {
            unit.line(line).unwrap_or_else(|| panic!("{}: `{line}`", unit.name));
        }
        assert!(!unit.runs.is_empty(), "{} runs nothing", unit.name);
        unit
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (key, rest) = line.split_once(' ')?;
        match key {
            "arch:" => self.on = On::parse(rest)?,
            "in" | "out" if rest.contains('[') => {
                let (head, values) = rest.split_once(" = ").unwrap_or((rest, ""));
                let (name, ty) = head.split_once(' ')?;
                let (ty, count) = ty.strip_suffix(']')?.split_once('[')?;
                let ty = Ty::parse(ty)?;
                let bytes = Values::parse(values)?.bytes(ty, count.parse().ok()?);
                self.buffers.push(Buffer {
                    name: name.to_owned(),
                    writable: key == "out",
                    ty,
                    bytes,
                    ulp: 0,
                    abs: 0.0,
                });
            }
            "near:" => {
                let mut words = rest.split(' ');
                let name = words.next()?;
                let buffer = self.buffers.iter_mut().find(|b| b.name == name)?;
                for word in words {
                    match word.strip_suffix(')')?.split_once('(')? {
                        ("ulp", n) => buffer.ulp = n.parse().ok()?,
                        ("abs", x) => buffer.abs = x.parse().ok()?,
                        _ => return None,
                    }
                }
            }
            "run" => {
                let (head, args) = rest.split_once(": ")?;
                let mut words = head.split(' ');
                let kernel = words.next()?.to_owned();
                let grid = sizes(words.next()?.strip_prefix("grid=")?)?;
                let group = sizes(words.next()?.strip_prefix("group=")?)?;
                let args = args.split(' ').map(|arg| self.arg(arg)).collect::<Option<_>>()?;
                self.runs.push(Run { kernel, grid, group, args });
            }
            // What it does, in words.
            _ => {}
        }
        Some(())
    }

    fn arg(&self, text: &str) -> Option<Arg> {
        if let Some(number) = self.buffers.iter().position(|b| b.name == text) {
            return Some(Arg::Buffer(number));
        }
        Some(Arg::Value(text.parse::<launch::Arg>().ok()?.value().ok()?))
    }

    /// Whether a processor has what it needs.
    pub fn runs_on(&self, chip: Chip) -> bool {
        match &self.on {
            On::Generations(first, last) => (*first..=*last).contains(&chip.generation()),
            On::Names(names) => names.iter().any(|name| chip.mcpu.starts_with(name)),
        }
    }

    /// The kernels, each with the types of its parameters.
    pub fn kernels(&self) -> Vec<(&str, Vec<String>)> {
        let heads = self.source.split("__kernel void ").skip(1);
        let parse = |head| -> Option<(&str, Vec<String>)> {
            let (name, rest): (&str, &str) = str::split_once(head, '(')?;
            let (params, _) = rest.split_once(')')?;
            let ty = |param: &str| param.trim().trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').to_owned();
            Some((name, params.split(',').map(ty).collect()))
        };
        heads.map(|head| parse(head).unwrap_or_else(|| panic!("{}: a kernel", self.name))).collect()
    }
}

fn sizes(text: &str) -> Option<[u32; 3]> {
    let mut sizes = [1; 3];
    for (at, size) in text.split(',').enumerate() {
        *sizes.get_mut(at)? = size.parse().ok()?;
    }
    Some(sizes)
}
