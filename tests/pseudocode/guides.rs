//! Where the texts of the guides come from.
//!
//! The manual of the Southern Islands, of which the instructions are taken that nobody else describes, lies in `../shared` as it was
//! printed. That of RDNA3 of February 2023 lies in `../shared`, as lines of JSON that say which text is code and which is prose. Those of RDNA4 and
//! CDNA4, and a later edition of RDNA3's, are in the Python package `tinygrad`, whose authors took them from AMD's documents: one line of a
//! dictionary for each instruction and encoding. `.ci/guides FOLDER` fetches it, and prints what `GUIDES` must be.

use std::path::{Path, PathBuf};

/// A guide to an instruction set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Guide {
    SouthernIslands,
    /// The edition of February 2023, whose faults are known one by one.
    Rdna3,
    /// A later edition.
    Rdna3Later,
    Rdna4,
    Cdna4,
}

/// A text of a guide.
pub struct Written {
    pub name: String,
    pub encodings: Vec<String>,
    pub text: String,
    /// Whether the guide means it as code.
    pub formal: bool,
}

impl Guide {
    /// Its texts; nothing where they are not there.
    pub fn texts(self) -> Option<Vec<Written>> {
        let folder = match self {
            Guide::SouthernIslands => {
                return shared("manuals/000_ef4df356cfcd9a7e.txt").map(|manual| with_two_addresses(&manual));
            }
            Guide::Rdna3 => {
                let lines = shared("isa/rdna3/rdna3_pseudocode.jsonl")?;
                return Some(lines.lines().map(of_json).collect());
            }
            Guide::Rdna3Later => "rdna3",
            Guide::Rdna4 => "rdna4",
            Guide::Cdna4 => "cdna",
        };
        let path = PathBuf::from(std::env::var_os("GUIDES")?).join(folder).join("str_pcode.py");
        let lines = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("GUIDES: {}: {e}", path.display()));
        Some(lines.lines().filter_map(of_python).collect())
    }

    /// Whether its texts are in the package.
    pub const fn is_packed(self) -> bool {
        !matches!(self, Guide::SouthernIslands | Guide::Rdna3)
    }
}

/// A file of facts that lies beside the repository.
fn shared(file: &str) -> Option<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared"));
    std::fs::read_to_string(folder.join(file)).ok()
}

fn of_json(line: &str) -> Written {
    let row: serde_json::Value = serde_json::from_str(line).expect("a row of the pseudo-code");
    let string = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let encodings = row["encodings"].as_array().into_iter().flatten();
    Written {
        name: string("mnemonic"),
        encodings: encodings.filter_map(|e| e["encoding"].as_str().map(str::to_owned)).collect(),
        text: string("pseudocode"),
        formal: string("kind") == "pseudocode",
    }
}

/// `  DSOp.DS_ADD_U32: 'addr = ..;\ntmp = ..',`
fn of_python(line: &str) -> Option<Written> {
    let (key, value) = line.strip_prefix("  ")?.strip_suffix(',')?.split_once(": ")?;
    let (encoding, name) = key.split_once("Op.")?;
    let name = name.strip_suffix("_E32").or(name.strip_suffix("_E64")).unwrap_or(name);
    // What RDNA4 has given other names.
    let encoding = match encoding {
        "VBUFFER" => "MUBUF",
        "VFLAT" => "FLAT",
        "VGLOBAL" => "GLOBAL",
        "VSCRATCH" => "SCRATCH",
        other => other,
    };
    let text = without_comments(&unquoted(value)?);
    Some(Written { name: name.to_owned(), encodings: vec![encoding.to_owned()], text, formal: true })
}

/// A string of Python's.
fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut out = String::new();
    let mut rest = inner.chars();
    while let Some(c) = rest.next() {
        out.push(match c {
            '\\' => match rest.next()? {
                'n' => '\n',
                other => other,
            },
            other => other,
        });
    }
    Some(out)
}

/// These texts have kept their lines, so that a comment ends where its line does.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The instructions of the data share whose second operand lies in it as well.
///
/// The manual's table says `B = A + 4*(..).  DS[A] = DS[A] + DS[B]; uint add.`, broken into lines, of those of 32 bits, and names those of
/// 64 bits with the same words behind.
fn with_two_addresses(manual: &str) -> Vec<Written> {
    const SECOND: &str = "B = A + 4*(offset1[7] ? {A[31],A[31:17]} : {offset1[6],offset1[6:0],offset0}).";
    let words: Vec<&str> = manual.split_whitespace().collect();
    let mut all = Vec::new();
    for (n, name) in words.iter().enumerate() {
        let Some((operation, ty)) = name.strip_prefix("DS_").and_then(|rest| rest.split_once("_SRC2_")) else {
            continue;
        };
        let Some(kind) = ty.strip_suffix("32") else { continue };
        let said = words[n + 1..].iter().take(40).copied().collect::<Vec<_>>().join(" ");
        let Some((does, _)) = said.strip_prefix(SECOND).and_then(|rest| rest.trim().split_once(';')) else { continue };
        for bits in [32, 64] {
            let ty = format!("{}{bits}", kind.to_lowercase());
            let [a, b] = ["A", "B"].map(|at| format!("MEM[{at}].{ty}"));
            let does = does
                .replace("min(DS[A], DS[B])", "DS[B] < DS[A] ? DS[B] : DS[A]")
                .replace("max(DS[A], DS[B])", "DS[B] > DS[A] ? DS[B] : DS[A]")
                .replace("DS[A]", &a)
                .replace("DS[B]", &b);
            let second = "declare offset0 : 8'U; declare offset1 : 8'U; B = 32'U(A.i32 + 4 * (offset1[7] ? signext({A[31],A[31:17]}.i16) : signext({offset1[6],offset1[6:0],offset0}.i16)));";
            all.push(Written {
                name: format!("DS_{operation}_SRC2_{kind}{bits}"),
                encodings: vec!["DS".to_owned()],
                text: format!("{second} {does}"),
                formal: true,
            });
        }
    }
    all
}
