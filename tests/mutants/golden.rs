//! What is known: `golden/mutants/noticed.tsv` says of every mistake, and of a sample of the rows,
//! which test notices it. It is made by the long runs with `WAVEDIFF_UPDATE_MUTANTS` set, and the
//! short run repeats it.

use crate::evidence::Kind;
use crate::judge::Noticed;
use crate::report::Found;
use std::collections::BTreeMap;
use std::path::PathBuf;
use wavediff::fault::Mutant;

/// What asks for an update.
pub const UPDATE: &str = "WAVEDIFF_UPDATE_MUTANTS";
/// One row of so many is in the sample.
const SAMPLE: u64 = 40;

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/golden/mutants/noticed.tsv"))
}

/// Whether a mutant belongs into the file: chosen by its name, so that a row more does not change
/// the sample.
pub fn is_kept(mutant: &Mutant) -> bool {
    let Mutant::Row { .. } = mutant else { return true };
    let fold = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    mutant.to_string().bytes().fold(0xcbf2_9ce4_8422_2325, fold) >> 17 & 0xffff < 0x10000 / SAMPLE
}

/// Reads the file. A program that is no evidence any more makes its line one of nobody.
pub fn read() -> Result<Found, String> {
    let text = std::fs::read_to_string(path()).map_err(|e| format!("{}: {e}", path().display()))?;
    parse(&text)
}

/// Reads such lines.
pub fn parse(text: &str) -> Result<Found, String> {
    let mut found = Found::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut parts = line.split('\t');
        let mutant: Mutant = parts.next().unwrap_or("").parse()?;
        let noticed = parts.next().and_then(Kind::find).and_then(|kind| {
            let (program, trial) = (parts.next()?, parts.next()?.to_owned());
            let (program, _) = crate::evidence::Evidence::programs().into_iter().find(|(name, _)| *name == program)?;
            Some(Noticed { kind, program, trial })
        });
        found.insert(mutant, noticed);
    }
    Ok(found)
}

/// Compares what was found with what is known, or writes it. Better is no mistake; it is said.
pub fn check(found: &Found) -> Result<(), String> {
    let kept: Found = found.iter().filter(|(m, _)| is_kept(m)).map(|(m, by)| (m.clone(), by.clone())).collect();
    if std::env::var_os(UPDATE).is_some() {
        return write(kept);
    }
    let known = read()?;
    let rank = |by: &Option<Noticed>| by.as_ref().map_or(Kind::ALL.len(), |by| by.kind as usize);
    let mut worse = Vec::new();
    for (mutant, by) in &kept {
        match known.get(mutant) {
            None => worse.push(format!("{mutant}: not known yet")),
            Some(was) if rank(by) > rank(was) => worse.push(format!("{mutant}: was noticed by {was:?}, now {by:?}")),
            Some(was) if rank(by) < rank(was) => println!("better than known: {mutant}: {by:?}"),
            Some(_) => {}
        }
    }
    if worse.is_empty() { Ok(()) } else { Err(format!("{}\n({UPDATE}=1 writes what is found)", worse.join("\n"))) }
}

/// Writes mutants over those of the same kind.
fn write(kept: Found) -> Result<(), String> {
    let is_row = |mutant: &Mutant| matches!(mutant, Mutant::Row { .. });
    let rows = kept.keys().next().is_some_and(is_row);
    // Where rows were chosen by their names, the others are known still.
    let some = std::env::var_os(crate::ROWS).is_some();
    let others = read().unwrap_or_default().into_iter().filter(|(mutant, _)| some || is_row(mutant) != rows);
    let all: BTreeMap<_, _> = others.chain(kept).collect();
    let head = "# Mistakes planted in the emulator, and a sample of the rows with a wrong bit: the mutant, the kind of the best evidence that notices\n\
        # it, the program and the test. Made by `WAVEDIFF_UPDATE_MUTANTS=1 cargo test --test mutants -- --ignored`.\n";
    let folder = path().parent().map(PathBuf::from).unwrap_or_default();
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(path(), head.to_owned() + &crate::report::lines(&all)).map_err(|e| e.to_string())
}
