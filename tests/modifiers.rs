//! Which processor takes which modifier: the documented forms, against what llvm-mc 19 accepts.
//!
//! The matrix (sample lines x processors, Y where llvm-mc takes the line) lies in the shared folder; without it the test says that it was
//! skipped. Where we differ on purpose, the line stands in [`DIFFERENT`] with the reason; a line there that no longer differs fails.

use std::collections::BTreeSet;
use std::path::Path;
use wavediff::asm::Assembler;
use wavediff::asm::expr::NoSymbols;
use wavediff::isa::{Arch, Target};

/// Lines where we and llvm-mc 19 differ: the beginning of the line, and why.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "buffer_load_dword v0, v1, s[4:7], s8 idxen offset:4096",
        "llvm-mc cuts the offset to 12 bits without a word; we refuse it",
    ),
    ("flat_load_dword v[0:1], v[2:3] tfe", "documented, and bit 55 of gfx7 and gfx8; llvm-mc does not know it"),
    ("flat_load_dword v0, v[2:3] nv", "documented, and bit 55 of gfx9; llvm-mc does not know it"),
    ("s_load_dword s0, s[2:3], 0x4 nv", "documented, and bit 15 of gfx9; llvm-mc does not know it"),
];

/// Splits a line of CSV: fields may be quoted.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                out.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(String::new()),
            c => out.last_mut().expect("never empty").push(c),
        }
    }
    out
}

#[test]
fn every_documented_modifier_is_taken_where_llvm_takes_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/isa/modifiers/modifiers_llvm19_matrix.csv");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: the modifier matrix of the shared folder is not there");
        return;
    };
    let mut lines = text.lines();
    let header = fields(lines.next().expect("a header"));
    let gpus: Vec<(usize, &str)> =
        header.iter().enumerate().filter(|(_, n)| n.starts_with("gfx")).map(|(i, n)| (i, n.as_str())).collect();
    let rows: Vec<Vec<String>> = lines.map(fields).collect();
    assert!(rows.len() > 150 && gpus.len() == 15, "the matrix is not as it was");
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for (column, gpu) in gpus {
        let assembler = Assembler::new(Target::new(Arch::find(gpu).expect("a known processor")));
        for row in &rows {
            let ours = assembler.encode(&row[2], &NoSymbols);
            if ours.is_ok() != (row[column] == "Y") {
                match DIFFERENT.iter().find(|(line, _)| *line == row[2]) {
                    Some((line, _)) => {
                        used.insert(*line);
                    }
                    None => wrong.push(format!("{gpu}: {} ({}): {ours:?}", row[2], row[column])),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines differ from llvm-mc:\n{}", wrong.len(), wrong.join("\n"));
    for (line, reason) in DIFFERENT {
        assert!(used.contains(line), "`{line}` no longer differs ({reason}): take it off the list");
    }
}
