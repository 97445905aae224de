//! What was found, as tables.

use crate::evidence::Kind;
use crate::judge::Noticed;
use crate::programs::folder;
use crate::rows::{Evidence, PROCESSORS, Row};
use std::collections::BTreeMap;
use std::fmt::Write;
use wavediff::fault::Mutant;

/// Who noticed the mutants.
pub type Found = BTreeMap<Mutant, Option<Noticed>>;

fn write(name: &str, text: &str) {
    let path = folder().join(name);
    std::fs::write(&path, text).expect("a report");
    println!("written: {}", path.display());
}

/// A line for each mutant: it, the kind of the best evidence, the program and the test; `none`
/// where nobody noticed.
pub fn lines(found: &Found) -> String {
    found.iter().map(|(mutant, noticed)| line(mutant, noticed)).collect()
}

/// One of them.
pub fn line(mutant: &Mutant, noticed: &Option<Noticed>) -> String {
    match noticed {
        Some(by) => format!("{mutant}\t{}\t{}\t{}\n", by.kind.name(), by.program, by.trial),
        None => format!("{mutant}\tnone\n"),
    }
}

/// Rows by processor: counts of each kind of evidence, and which there is for each row. What is written has a name.
pub fn rows(name: &str, rows: &[Row], found: &Found) {
    let evidence: BTreeMap<_, _> = rows.iter().map(|row| ((row.arch, row.name), row.evidence(found))).collect();
    let kinds = [Evidence::Of(Kind::Independent), Evidence::Of(Kind::Text), Evidence::Of(Kind::ByHand), Evidence::None];
    let mut table = format!("| processor | {} |\n|---|{}\n", PROCESSORS.join(" | "), "---|".repeat(PROCESSORS.len()));
    let count = |arch: &str, of: Evidence| {
        rows.iter().filter(|row| row.arch == arch && evidence[&(row.arch, row.name)] == of).count()
    };
    for kind in kinds.into_iter().chain([Evidence::NoResult]) {
        let counts: Vec<String> = PROCESSORS.iter().map(|arch| count(arch, kind).to_string()).collect();
        let _ = writeln!(table, "| {} | {} |", kind.name(), counts.join(" | "));
    }
    println!("{table}");
    let mut names: BTreeMap<(&str, &str), BTreeMap<&str, Evidence>> = BTreeMap::new();
    for row in rows {
        names.entry((row.family, row.name)).or_default().insert(row.arch, evidence[&(row.arch, row.name)]);
    }
    let mut csv = format!("family,row,{}\n", PROCESSORS.join(","));
    let mut none = String::new();
    for ((family, row), on) in &names {
        let cells: Vec<&str> = PROCESSORS.iter().map(|arch| on.get(arch).map_or("-", |e| e.name())).collect();
        let _ = writeln!(csv, "{family},{row},{}", cells.join(","));
        let without: Vec<&str> = on.iter().filter(|(_, e)| **e == Evidence::None).map(|(arch, _)| *arch).collect();
        if !without.is_empty() {
            let _ = writeln!(none, "{family} {row}: {}", without.join(" "));
        }
    }
    write(&format!("{name}.csv"), &csv);
    write(&format!("{name}_without_evidence.txt"), &none);
    write(&format!("{name}.tsv"), &lines(found));
    write(&format!("{name}.md"), &table);
    json(&format!("{name}.json"), found);
}

/// Mistakes: how many each kind of evidence notices, and those that nobody does.
pub fn mistakes(found: &Found) {
    let count = |kind| found.values().filter(|by| by.as_ref().map(|by| by.kind) == kind).count();
    for kind in Kind::ALL {
        println!("{} of {} noticed by evidence that is {}", count(Some(kind)), found.len(), kind.name());
    }
    println!("{} not noticed:", count(None));
    for (mutant, _) in found.iter().filter(|(_, by)| by.is_none()) {
        println!("    {mutant}");
    }
    write("mistakes.tsv", &lines(found));
    json("mistakes.json", found);
}

fn json(name: &str, found: &Found) {
    let all: Vec<serde_json::Value> = found
        .iter()
        .map(|(mutant, by)| {
            let kind = by.as_ref().map(|by| by.kind.name());
            let by = by.as_ref().map(|by| format!("{}::{}", by.program, by.trial));
            serde_json::json!({ "mutant": mutant.to_string(), "evidence": kind, "by": by })
        })
        .collect();
    write(name, &serde_json::to_string_pretty(&all).expect("text"));
}
