//! Every row that the emulator executes says what it computes or does (`wavediff explain`).

use std::collections::BTreeMap;
use wavediff::isa::words::{TABLE, formula_on, words};
use wavediff::isa::{ARCHS, Target, gcn};
use wavediff::program::coverage::{self, Fidelity};

/// Every row that is executed anywhere says what it computes or does, and not both.
#[test]
fn every_executed_row_is_explained() {
    let mut silent = Vec::new();
    let mut said: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for arch in ARCHS {
        for covered in coverage::of(Target::new(arch)) {
            if matches!(covered.fidelity, Fidelity::Unsupported(_)) {
                continue;
            }
            let row = covered.row;
            match (formula_on(row, arch), words(row)) {
                (Some(formula), _) => assert!(!formula.text.is_empty(), "{}", row.name),
                (None, Some(words)) => {
                    let names = said.entry(words).or_default();
                    if !names.contains(&row.name) {
                        names.push(row.name);
                    }
                }
                (None, None) => silent.push(format!("{} {}", arch.name, row.name)),
            }
        }
    }
    assert!(silent.is_empty(), "not explained: {silent:#?}");
    // Rows that share their words do the same in the eyes of the table, or in another family or name of the same thing.
    for (words, names) in &said {
        let in_table = TABLE.iter().any(|(_, known)| known == words);
        let loads = names.iter().any(|n| n.contains("load") || n.contains("read"));
        let stores = names.iter().any(|n| n.contains("store") || n.contains("write"));
        assert!(in_table || !(loads && stores), "{words}: {names:?}");
    }
    assert!(said.len() > 150, "{} different texts", said.len());
}

/// The table names rows that there are, each once.
#[test]
fn the_table_knows_its_rows() {
    let mut seen = Vec::new();
    for name in TABLE.iter().flat_map(|(names, _)| names.iter().copied()) {
        let known = gcn::rows().any(|row| row.name == name);
        assert!(known, "there is no row {name}");
        assert!(!seen.contains(&name), "{name} stands there twice");
        seen.push(name);
    }
}

#[test]
fn words_follow_from_the_row() {
    let said = |name: &str| {
        let row = gcn::rows().find(|row| row.name == name).expect("a row");
        words(row).expect("words")
    };
    for (name, words) in [
        (
            "global_load_sbyte",
            "each active lane loads a byte from global memory, at its address and the offset, extended with the sign",
        ),
        ("ds_write_b96", "each active lane stores 96 bits to LDS, at its address and the offset"),
        (
            "s_buffer_load_dwordx4",
            "the wave loads 128 bits from the buffer of a descriptor, at the offset; what is out of range is 0",
        ),
        (
            "flat_load_short_d16_hi",
            "each active lane loads 16 bits from LDS, scratch or global memory, as the upper half of its address says, to the upper half of the register; the other half stays",
        ),
        (
            "buffer_atomic_smin_x2",
            "atomic: each active lane replaces 64 bits m of the buffer of a descriptor, at index and offset, by the lesser of m and d, signed; m is the result, if the instruction asks for it; out of range nothing is done",
        ),
        (
            "ds_read2st64_b64",
            "each active lane loads 64 bits from each of two places in LDS, at its address and two offsets that count 64 elements",
        ),
        (
            "v_wmma_f32_16x16x16_f16",
            "the wave as a whole: the matrix product of 16x16 by 16x16 elements of f16, plus a matrix of f32, whatever EXEC says",
        ),
    ] {
        assert_eq!(said(name), words, "{name}");
    }
}
