//! Fields that nothing uses.
//!
//! What executes code looks past them ([`disasm::executed`]): every instruction with such bits set is the same as without. The disassembler looks
//! past those that LLVM 19 looks past, and prints the same text; what LLVM refuses has no text here either. Without
//! `llvm-mc-19` the second half is skipped, unless `WAVEDIFF_REQUIRE_LLVM` is set. LLVM has no disassembler for gfx6 and gfx7.

#[path = "idle_fields/witness.rs"]
mod witness;

use std::collections::BTreeMap;
use wavediff::disasm::{self, decode};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::format::Span;
use wavediff::isa::{Arch, Target};
use wavediff::laws::{Density, Laws, instructions};

fn target(name: &str) -> Target {
    Target::new(Arch::find(name).expect("a processor"))
}

/// An instruction of the form, as it is generated first; none where other forms hide it.
fn plain(table: &Table, form: &Form) -> Option<Vec<u32>> {
    let mut found: Option<Vec<u32>> = None;
    instructions(form, Density { full: false, mixed: 0, seed: 1 }, &mut |words| {
        if found.is_none()
            && let Ok(decoded) = decode(table, words)
            && std::ptr::eq(decoded.form, form)
        {
            found = Some(words[..usize::from(decoded.len)].to_vec());
        }
    });
    found
}

#[test]
fn idle_bits_change_nothing() {
    let mut count = 0;
    for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1200"] {
        let table = Table::of(target(name).executing());
        for form in &table.forms {
            let Some(words) = plain(table, form) else { continue };
            let same = disasm::executed(table, &words).expect("an instruction");
            for word in 0..usize::from(form.words) {
                let mut changed = words.clone();
                changed[word] ^= form.idle[word];
                let read = disasm::executed(table, &changed);
                let read = read.unwrap_or_else(|reason| panic!("{name} {}: {changed:08x?}: {reason}", form.name));
                assert!(std::ptr::eq(read.decoded.form, form), "{name} {}: {changed:08x?}", form.name);
                assert_eq!(read.words[..words.len()], same.words[..words.len()], "{name} {}", form.name);
                count += u32::from(form.idle[word] != 0);
            }
        }
    }
    assert!(count > 10_000, "{count}");
}

/// The bits of an instruction that do not change how it is read, as groups: a field, or what belongs to none.
fn idle_groups(table: &Table, form: &Form, words: &[u32]) -> BTreeMap<&'static str, [u32; 3]> {
    let read = |words: &[u32]| {
        let read = disasm::executed(table, words).ok().filter(|e| std::ptr::eq(e.decoded.form, form))?;
        Some((read.words, read.decoded.len))
    };
    let same = read(words);
    let mut groups: BTreeMap<&'static str, [u32; 3]> = BTreeMap::new();
    for bit in 0..32 * form.words.min(3) {
        let (word, mask) = (usize::from(bit / 32), 1u32 << (bit % 32));
        let mut changed = words.to_vec();
        changed[word] ^= mask;
        if read(&changed) == same {
            let held = disasm::Held::of(&table.target, form, &changed, Span::new(bit, bit));
            groups.entry(held.name).or_default()[word] |= mask;
        }
    }
    groups
}

/// Words with an idle field set, and what they are.
struct Probe {
    group: String,
    words: Vec<u32>,
    ours: Option<String>,
}

fn probes(laws: &Laws) -> Vec<Probe> {
    let mut all = Vec::new();
    for form in &laws.table.forms {
        let Some(words) = plain(laws.table, form) else { continue };
        for (name, bits) in idle_groups(laws.table, form, &words) {
            let changed: Vec<u32> = words.iter().zip(bits.into_iter().chain([0; 8])).map(|(w, b)| w ^ b).collect();
            let ours = laws.text(&changed).ok().filter(|(_, len)| usize::from(*len) == changed.len());
            let group = format!("{} {:?} {name}", form.format.name, form.variant);
            all.push(Probe { group, words: changed, ours: ours.map(|(text, _)| text) });
        }
    }
    all
}

#[test]
fn idle_fields_have_the_text_that_llvm_prints() {
    if !witness::is_there("idle_fields_have_the_text_that_llvm_prints") {
        return;
    }
    let mut wrong: BTreeMap<String, (u32, u32, u32, u32, String)> = BTreeMap::new();
    for name in ["gfx803", "gfx900", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1200"] {
        let laws = Laws::of(target(name));
        let probes = probes(&laws);
        let words: Vec<Vec<u32>> = probes.iter().map(|probe| probe.words.clone()).collect();
        for (probe, theirs) in probes.iter().zip(witness::texts(name, &words)) {
            let entry = wrong.entry(format!("{name} {}", probe.group)).or_default();
            match (&probe.ours, &theirs) {
                (Some(a), Some(b)) if a == b => entry.0 += 1,
                (None, None) => entry.1 += 1,
                (None, Some(b)) => {
                    entry.2 += 1;
                    entry.4 = format!("{:08x?} {b}", probe.words);
                }
                (a, b) => {
                    entry.3 += 1;
                    entry.4 = format!("{:08x?} {a:?} {b:?}", probe.words);
                }
            }
        }
    }
    for (group, (same, none, lacking, other, example)) in &wrong {
        println!("{group}: same {same}, none {none}, lacking {lacking}, other {other} {example}");
    }
}
