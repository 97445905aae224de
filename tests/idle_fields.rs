//! Fields that nothing uses.
//!
//! What executes code looks past them ([`disasm::executed`]): every instruction with such bits set is the same as without. The disassembler looks
//! past those that LLVM 19 looks past, and prints the same text; what LLVM refuses has no text here either. Without
//! `llvm-mc-19` the second half is skipped, unless `WAVEDIFF_REQUIRE_LLVM` is set. LLVM has no disassembler for gfx6 and gfx7.

#[path = "idle_fields/witness.rs"]
mod witness;

use std::collections::BTreeMap;
use wavediff::disasm::listing::{Listing, Source};
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
    for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1200"]
    {
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
    let text =
        |words: &[u32]| laws.text(words).ok().filter(|(_, len)| usize::from(*len) == words.len()).map(|(text, _)| text);
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
        (_, Some(text)) if text.contains("sext(") => {
            Some("LLVM shows NEG of an integer as `sext`, which its assembler refuses there")
        }
        ("v_nop", _) => Some("LLVM takes the first of the two words alone for a `v_nop`, and refuses the second"),
        ("s_set_gpr_idx_on" | "s_set_gpr_idx_mode", _) => Some(
            "LLVM shows the whole immediate, of which four bits say what is indexed; its assembler refuses the number",
        ),
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
    let shown: Vec<String> = wrong
        .iter()
        .map(|(group, all)| format!("{group}: {}\n    {}", all.len(), all[..all.len().min(40)].join("\n    ")))
        .collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
    assert!(count > 20_000, "{count}");
}

/// The lines of a section.
fn listed(name: &str, words: &[u32]) -> Vec<String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut out = Vec::new();
    Listing::new(target(name), &Source { bytes: &bytes, ..Source::default() }).print(&mut out);
    String::from_utf8_lossy(&out).lines().map(|line| line.trim().to_owned()).collect()
}

/// What begins like an instruction of two words, or with a literal, is one line, so that no second word is read as a first.
#[test]
fn a_long_takes_its_second_word_with_it() {
    // v_and_b32_e64 with 0xd2, which is no operand, in the unused SRC2; v_ceil_f16 of a half that has no name in this mode, with a literal;
    // v_add_f32_e64 whose SRC0 is no operand: not executed either.
    for words in [[0xd51b_0003, 0x034a_0300], [0x7f00_b8ff, 0x7e00_0280], [0xd503_0000, 0x0002_02d2]] {
        let lines = listed("gfx1100", &[words[0], words[1], 0xbf80_0000]);
        assert!(lines[0].starts_with(&format!(".long 0x{:08x}, 0x{:08x} ", words[0], words[1])), "{lines:?}");
        assert!(lines[1].starts_with("s_nop 0 "), "{lines:?}");
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
}

/// Texts that LLVM prints, of words that the text does not determine: the listing gives both.
#[test]
fn texts_that_say_less_than_the_words_stand_behind_them() {
    let cases: [(&str, &[u32], &str); 4] = [
        ("gfx1100", &[0xcc0a_0005, 0x1802_0300], "v_pk_add_u16 v5, v0, v1"),
        ("gfx1100", &[0xd705_4815, 0x0002_0501], "v_mul_lo_u16 v21, v1, v2"),
        ("gfx1200", &[0xd5a2_0000, 0x2000_00fb], "v_ceil_f32_e64 v0, -src_vccz"),
        ("gfx1100", &[0xe068_0000, 0x0001_0180], "buffer_store_b32 v1, off, s[4:7], s0"),
    ];
    for (name, words, text) in cases {
        let lines = listed(name, words);
        assert!(lines[0].starts_with(".long ") && lines[0].contains(&format!(": {text} (")), "{name}: {lines:?}");
        assert_eq!(lines.len(), 1);
    }
    // One text in all modes of the assembler.
    assert!(listed("gfx1100", &[0x7f00_3901])[0].starts_with("v_mov_b16_e32 v0.h, v1.l "));
    // gfx10 has selectors that LLVM does not know.
    assert!(listed("gfx1010", &[0xd705_4815, 0x0002_0501])[0].starts_with("v_mul_lo_u16 v21, v1, v2 op_sel:[1,0,1] "));
}

/// Names of operand codes that not all generations have.
const ELSEWHERE: [&str; 5] = ["null", "src_shared_", "src_private_", "src_pops_exiting_wave_id", "src_lds_direct"];

/// The texts of operand codes, reserved ones among them.
#[test]
fn operand_codes_have_the_text_that_llvm_prints() {
    if !witness::is_there("operand_codes_have_the_text_that_llvm_prints") {
        return;
    }
    let mut wrong = Vec::new();
    for name in ["gfx803", "gfx900", "gfx90a", "gfx940", "gfx1010", "gfx1030", "gfx1100", "gfx1200"] {
        let laws = Laws::of(target(name));
        let mut all = Vec::new();
        for line in ["v_mov_b32_e32 v0, s0", "v_ceil_f32_e64 v0, -s0", "s_mov_b32 s0, s0"] {
            let words = laws.words(line).expect("an instruction");
            let place = words.len() - 1;
            let bits = if line.starts_with("v_") { 512 } else { 256 };
            // A literal, and what marks DPP and SDWA, would be another instruction.
            all.extend((0..bits).filter(|code| !matches!(code, 0xe9 | 0xea | 0xf9 | 0xfa | 0xff)).map(|code| {
                let mut words = words.clone();
                words[place] |= code;
                words
            }));
        }
        for (words, theirs) in all.iter().zip(witness::texts(name, &all)) {
            let theirs = theirs
                .filter(|text| text.split(' ').next().is_some_and(|n| n.contains("_mov_") || n.contains("_ceil_")));
            let ours = laws.text(words).ok().map(|(text, _)| text);
            // LLVM shows codes of other generations by the names that they have there, and its assembler refuses them.
            let elsewhere = |text: &str| ELSEWHERE.iter().any(|name| text.contains(name));
            if ours != theirs && !(ours.is_none() && theirs.as_deref().is_some_and(elsewhere)) {
                wrong.push(format!("{name} {words:08x?} we: {ours:?}, LLVM: {theirs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
