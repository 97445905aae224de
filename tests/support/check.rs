//! Holds lines of vectors against assembler and disassembler, and the differences against a list of expected ones.
//!
//! A list of expected differences has a line each: kind (`asm`, `dis` or `reject`), text, reason, separated by tabs. The text is the
//! assembly, or the bytes, with the features in brackets where there are any. A reason that begins with `echo:` says that the vector's
//! canonical text is not what LLVM's disassembler prints for these bytes, but what was assembled. A difference that is not listed is a failure; so is a line
//! that nothing needs, and a line without a reason. `BLESS=1` writes the list anew: known reasons stay, new lines get the reason `?`,
//! which has to be replaced.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::disasm;
use wavediff::isa::form::Table;
use wavediff::isa::{Arch, Gen, Target};

/// A line of vectors: this text is these bytes, whose canonical text is that.
pub struct Vector {
    pub asm: String,
    pub hex: String,
    pub mattr: String,
    pub canonical: String,
    pub family: String,
}

/// A line that an assembler must refuse.
pub struct Reject {
    pub asm: String,
    pub mattr: String,
    pub message: String,
}

fn unpack(path: &Path) -> Option<String> {
    let packed = std::fs::read(path).ok()?;
    Some(String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("UTF-8"))
}

fn columns(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect())
}

/// Reads vectors; nothing where the file is not there.
pub fn vectors(path: &Path) -> Option<Vec<Vector>> {
    let text = unpack(path)?;
    let line = |f: Vec<&str>| {
        let [asm, hex, mattr, canonical, family] = f.as_slice() else { panic!("not a line of vectors: {f:?}") };
        Vector {
            asm: (*asm).to_owned(),
            hex: (*hex).to_owned(),
            mattr: (*mattr).to_owned(),
            canonical: (*canonical).to_owned(),
            family: (*family).to_owned(),
        }
    };
    Some(columns(&text).map(line).collect())
}

/// Reads lines to refuse; nothing where the file is not there.
pub fn rejects(path: &Path) -> Option<Vec<Reject>> {
    let text = unpack(path)?;
    let line = |f: Vec<&str>| {
        let [asm, mattr, message] = f.as_slice() else { panic!("not a line to refuse: {f:?}") };
        Reject { asm: (*asm).to_owned(), mattr: (*mattr).to_owned(), message: (*message).to_owned() }
    };
    Some(columns(&text).map(line).collect())
}

/// A line that came out otherwise.
struct Difference {
    /// As the list of expected differences names it.
    text: String,
    family: String,
    detail: String,
}

fn key(text: &str, mattr: &str) -> String {
    if mattr.is_empty() { text.to_owned() } else { format!("{text} [{mattr}]") }
}

/// The assemblers of a processor, one a list of features.
struct Assemblers {
    arch: &'static Arch,
    by_features: HashMap<String, Assembler>,
}

impl Assemblers {
    fn new(gpu: &str) -> Assemblers {
        Assemblers { arch: Arch::find(gpu).expect("a processor"), by_features: HashMap::new() }
    }

    fn of(&mut self, mattr: &str) -> &Assembler {
        let arch = self.arch;
        self.by_features
            .entry(mattr.to_owned())
            .or_insert_with(|| Assembler::new(Target::new(arch).with_mattr(mattr).expect("features")))
    }
}

/// Assembles every line.
fn assemble(gpu: &str, vectors: &[Vector]) -> Vec<Difference> {
    let mut assemblers = Assemblers::new(gpu);
    let mut differences = Vec::new();
    for v in vectors {
        let got = match assemblers.of(&v.mattr).encode(&v.asm, &NoSymbols) {
            Ok(e) => hex(&e.words[..usize::from(e.len)]),
            Err(e) => e.to_string(),
        };
        if got != v.hex {
            differences.push(Difference {
                text: key(&v.asm, &v.mattr),
                family: v.family.clone(),
                detail: format!("{}\n      expected {}\n      came     {got}", key(&v.asm, &v.mattr), v.hex),
            });
        }
    }
    differences
}

/// Disassembles the bytes of every line.
fn disassemble(gpu: &str, vectors: &[Vector]) -> Vec<Difference> {
    let mut assemblers = Assemblers::new(gpu);
    let mut differences = Vec::new();
    let mut seen = BTreeSet::new();
    for v in vectors {
        if !seen.insert((&v.mattr, &v.hex)) {
            continue;
        }
        let table = Table::of(*assemblers.of(&v.mattr).target());
        let words = words(&v.hex);
        let mut got = Vec::new();
        match disasm::decode(table, &words) {
            Ok(d) if usize::from(d.len) == words.len() => disasm::print(table, &d, &words, &mut got),
            Ok(d) => write_to(&mut got, format_args!("error: {} words", d.len)),
            Err(e) => write_to(&mut got, format_args!("error: {e}")),
        }
        let got = String::from_utf8(got).expect("text");
        if got != v.canonical && !differs_in_address_width(&v.family, table, &got, &v.canonical) {
            differences.push(Difference {
                text: key(&v.hex, &v.mattr),
                family: v.family.clone(),
                detail: format!("{}\n      expected {}\n      came     {got}", key(&v.hex, &v.mattr), v.canonical),
            });
        }
    }
    differences
}

/// Before gfx10 the words of an image instruction do not say how wide the address is. Some vectors have the text that was assembled,
/// with the width its author chose; LLVM's own disassembler, and so ours, prints the narrowest (LLVM's text, not our fault).
fn differs_in_address_width(family: &str, table: &Table, got: &str, canonical: &str) -> bool {
    if family != "MIMG" || table.target.generation() >= Gen::Gfx10 {
        return false;
    }
    let narrowed = |text: &str| {
        let parts: Vec<&str> = text.split(", ").collect();
        let first = parts.get(1)?.trim_start_matches(['v', '[']).trim_end_matches(']').split(':').next()?.to_owned();
        Some((parts[0].to_owned(), first, parts[2..].join(", ")))
    };
    narrowed(got).is_some() && narrowed(got) == narrowed(canonical)
}

fn write_to(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.extend_from_slice(text.to_string().as_bytes());
}

/// Tries to assemble lines which must be refused.
fn refuse(gpu: &str, rejects: &[Reject]) -> Vec<Difference> {
    let mut assemblers = Assemblers::new(gpu);
    let mut differences = Vec::new();
    for r in rejects {
        if let Ok(e) = assemblers.of(&r.mattr).encode(&r.asm, &NoSymbols) {
            let came = hex(&e.words[..usize::from(e.len)]);
            differences.push(Difference {
                text: key(&r.asm, &r.mattr),
                family: "reject".to_owned(),
                detail: format!("{}\n      expected {}\n      came     {came}", key(&r.asm, &r.mattr), r.message),
            });
        }
    }
    differences
}

/// The bytes of words in memory order.
pub fn hex(words: &[u32]) -> String {
    words.iter().flat_map(|w| w.to_le_bytes()).fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// The words of bytes in memory order.
pub fn words(hex: &str) -> Vec<u32> {
    let byte = |i: usize| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hexadecimal digits");
    (0..hex.len() / 8)
        .map(|i| u32::from_le_bytes([byte(4 * i), byte(4 * i + 1), byte(4 * i + 2), byte(4 * i + 3)]))
        .collect()
}

/// What is compared.
#[derive(Clone, Copy)]
pub enum Kind {
    Assemble,
    Disassemble,
    Refuse,
}

impl Kind {
    /// Its name in lists and tests.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Assemble => "asm",
            Kind::Disassemble => "dis",
            Kind::Refuse => "reject",
        }
    }
}

/// What is compared with what.
pub struct Check<'a> {
    pub gpu: &'a str,
    pub kind: Kind,
    pub vectors: &'a [Vector],
    pub rejects: &'a [Reject],
    /// The list of expected differences, in `golden/expect`.
    pub list: &'a str,
    /// The share of lines that must agree, whatever is listed.
    pub least: f64,
}

/// Compares.
///
/// # Errors
/// A report of the differences.
pub fn check(c: &Check<'_>) -> Result<(), String> {
    let (count, differences) = match c.kind {
        Kind::Assemble => (c.vectors.len(), assemble(c.gpu, c.vectors)),
        Kind::Disassemble => (c.vectors.len(), disassemble(c.gpu, c.vectors)),
        Kind::Refuse => (c.rejects.len(), refuse(c.gpu, c.rejects)),
    };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/expect").join(c.list);
    let kind = c.kind.name();
    if std::env::var_os("BLESS").is_some() {
        return bless(&path, kind, &differences);
    }
    let listed = expected(&path, kind);
    let found: BTreeSet<&str> = differences.iter().map(|d| d.text.as_str()).collect();
    let mut report = String::new();
    // A text that only echoes what was assembled is no difference from LLVM's disassembler.
    let echoes = |d: &&Difference| listed.get(&d.text).is_some_and(|reason| reason.starts_with("echo:"));
    let wrong = differences.len() - differences.iter().filter(echoes).count();
    let share = 1.0 - wrong as f64 / count.max(1) as f64;
    if share < c.least {
        let _ = writeln!(report, "{:.3}% agree, {:.3}% must", share * 100.0, c.least * 100.0);
    }
    for (text, reason) in &listed {
        if !found.contains(text.as_str()) {
            let _ = writeln!(report, "not needed in {}: {text}", c.list);
        }
        if reason.is_empty() || reason == "?" {
            let _ = writeln!(report, "no reason in {}: {text}", c.list);
        }
    }
    let mut by_family: BTreeMap<&str, Vec<&Difference>> = BTreeMap::new();
    for d in differences.iter().filter(|d| !listed.contains_key(&d.text)) {
        by_family.entry(&d.family).or_default().push(d);
    }
    let most = std::env::var("MOST").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    for (family, all) in by_family {
        let _ = writeln!(report, "{family}: {} unexpected", all.len());
        for d in all.iter().take(most) {
            let _ = writeln!(report, "   {}", d.detail);
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(format!("{kind}: {count} lines, {} differ\n{report}", differences.len()))
    }
}

/// The lines of one kind in a list of expected differences: text and reason.
fn expected(path: &Path, kind: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut all = BTreeMap::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let mut f = line.splitn(3, '\t');
        if f.next() == Some(kind) {
            all.insert(f.next().unwrap_or("").to_owned(), f.next().unwrap_or("").to_owned());
        }
    }
    all
}

/// One writer at a time: the kinds of one list are tests of their own.
static WRITING: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn bless(path: &Path, kind: &str, differences: &[Difference]) -> Result<(), String> {
    let _one = WRITING.lock().map_err(|e| e.to_string())?;
    let known = expected(path, kind);
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let is_kind = |l: &str| l.split('\t').next() == Some(kind);
    let mut lines: Vec<String> = old.lines().filter(|l| !is_kind(l)).map(str::to_owned).collect();
    let found: BTreeSet<&str> = differences.iter().map(|d| d.text.as_str()).collect();
    lines.extend(found.iter().map(|t| format!("{kind}\t{t}\t{}", known.get(*t).map_or("?", String::as_str))));
    if lines.is_empty() {
        if path.exists() {
            std::fs::remove_file(path).map_err(|e| e.to_string())?;
        }
        return Ok(());
    }
    lines.sort();
    std::fs::write(path, lines.join("\n") + "\n").map_err(|e| e.to_string())
}
