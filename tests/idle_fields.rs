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
    /// The mnemonic: of words that LLVM refuses, it goes on with the second as if it were the first.
    name: &'static str,
    words: Vec<u32>,
    ours: Option<String>,
}

fn probes(laws: &Laws, mcpu: &str) -> Vec<Probe> {
    let text = |words: &[u32]| laws.text(words).ok().filter(|(_, len)| usize::from(*len) == words.len()).map(|(text, _)| text);
    let forms: Vec<(&Form, Vec<u32>)> =
        laws.table.forms.iter().filter_map(|form| Some((form, plain(laws.table, form)?))).collect();
    let words: Vec<Vec<u32>> = forms.iter().map(|(_, words)| words.clone()).collect();
    let mut all = Vec::new();
    // Of what LLVM does not know, or has another text for, nothing can be said.
    for ((form, words), theirs) in forms.iter().zip(witness::texts(mcpu, &words)).filter(|((_, w), t)| *t == text(w)) {
        debug_assert!(theirs.is_some());
        for (field, bits) in idle_groups(laws.table, form, words) {
            let words: Vec<u32> = words.iter().zip(bits.into_iter().chain([0; 8])).map(|(w, b)| w ^ b).collect();
            let group = format!("{} {:?} {field}", form.format.name, form.variant);
            all.push(Probe { group, name: form.name, ours: text(&words), words });
        }
    }
    all
}

/// Why LLVM has another text, where we do not follow it.
fn known(probe: &Probe, theirs: Option<&str>) -> Option<&'static str> {
    match (probe.name, theirs) {
        (_, Some(text)) if text.contains("sext(") => Some("LLVM shows NEG of an integer as `sext`, which its assembler refuses there"),
        ("v_nop", _) => Some("LLVM takes the first of the two words alone for a `v_nop`, and refuses the second"),
        ("s_set_gpr_idx_on" | "s_set_gpr_idx_mode", _) => {
            Some("LLVM shows the whole immediate, of which four bits say what is indexed; its assembler refuses the number")
        }
        (name, Some(_)) if name.starts_with("v_cvt_") && name.contains("8_") && name.ends_with("_dpp") => {
            Some("LLVM's DPP forms look past bits that its other forms of the instruction ask for")
        }
        _ => None,
    }
}

#[test]
fn idle_fields_have_the_text_that_llvm_prints() {
    if !witness::is_there("idle_fields_have_the_text_that_llvm_prints") {
        return;
    }
    let mut count = 0;
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in ["gfx803", "gfx900", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1200"] {
        let laws = Laws::of(target(name));
        let probes = probes(&laws, name);
        let words: Vec<Vec<u32>> = probes.iter().map(|probe| probe.words.clone()).collect();
        for (probe, theirs) in probes.iter().zip(witness::texts(name, &words)) {
            let theirs = theirs.filter(|text| text.split(' ').next() == Some(probe.name));
            count += 1;
            if probe.ours != theirs && known(probe, theirs.as_deref()).is_none() {
                let line = format!("{:08x?} we: {:?}, LLVM: {theirs:?}", probe.words, probe.ours);
                wrong.entry(format!("{name} {}", probe.group)).or_default().push(line);
            }
        }
    }
    let shown: Vec<String> =
        wrong.iter().map(|(group, all)| format!("{group}: {}\n    {}", all.len(), all[..all.len().min(40)].join("\n    "))).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
    assert!(count > 20_000, "{count}");
}
