//! Sums of the matrix cores of CDNA as MMA-Sim makes them, from `golden/oracle/matrix`.

use std::path::Path;

/// The lines of a file of the oracle, in columns.
pub fn lines(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/matrix").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let text = String::from_utf8(zstd::decode_all(&bytes[..]).expect("zstd")).expect("UTF-8");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// A sum of products and an accumulator.
#[derive(Debug)]
pub struct Sum {
    pub arch: String,
    pub kind: String,
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: u64,
    /// The result; nothing for a NaN, for which one it is nobody measured.
    d: Option<u64>,
}

impl Sum {
    /// All of them.
    pub fn all() -> Vec<Sum> {
        lines("sums.tsv.zst").iter().map(|line| Sum::new(line)).collect()
    }

    fn new(line: &[String]) -> Sum {
        let (arch, kind) = (line[0].clone(), line[1].clone());
        let digits = match kind.split('_').next() {
            Some("f64") => 16,
            Some("f32" | "xf32") => 8,
            Some("f16" | "bf16") => 4,
            Some("fp8" | "bf8") => 2,
            _ => panic!("{kind}"),
        };
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{line:?}"));
        let numbers = |text: &str| (0..text.len()).step_by(digits).map(|at| number(&text[at..at + digits])).collect();
        let d = (line[5] != "nan").then(|| number(&line[5]));
        Sum { a: numbers(&line[2]), b: numbers(&line[3]), c: number(&line[4]), arch, kind, d }
    }

    /// Whether a result is the one that is wanted. The sign of a zero nobody measured.
    pub fn is(&self, got: u64) -> bool {
        let (inf, sign): (u64, u64) =
            if self.kind == "f64" { (0x7ff0_0000_0000_0000, 1 << 63) } else { (0x7f80_0000, 1 << 31) };
        match self.d {
            None => got & !sign > inf,
            Some(want) => got == want || (got | want) & !sign == 0,
        }
    }
}
