//! The properties that the fuzzers of `fuzz/` hold, for a second each, on inputs grown at random from good ones.

use std::time::{Duration, Instant};
use wavediff::isa::{ARCHS, Target};
use wavediff::laws::{self, Chance, Density, Laws, instructions};

/// Runs a property for a second on seeds that are damaged more and more.
fn smoke(seeds: &[Vec<u8>], property: fn(&[u8])) {
    let begin = Instant::now();
    let mut chance = Chance::new(7);
    let mut runs = 0;
    while begin.elapsed() < Duration::from_secs(1) {
        let mut data = seeds[chance.below(seeds.len())].clone();
        for _ in 0..chance.below(6) {
            let at = chance.below(data.len());
            match chance.below(4) {
                0 => data[at] = chance.next_u64() as u8,
                1 => data[at] ^= 1 << chance.below(8),
                2 => data.truncate(at.max(1)),
                _ => data.insert(at, chance.next_u64() as u8),
            }
        }
        property(&data);
        runs += 1;
    }
    assert!(runs > 50, "only {runs} runs in a second");
}

/// Instructions of every processor: the bytes that choose the target, then what `of` makes of words and text.
fn seeds(of: impl Fn(&[u32], &str) -> Vec<u8>) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (i, arch) in ARCHS.iter().enumerate() {
        let laws = Laws::of(Target::new(arch));
        for form in laws.table.forms.iter().step_by(37) {
            instructions(form, Density { full: false, mixed: 2, seed: 5 }, &mut |words| {
                if let Ok((text, _)) = laws.text(words)
                    && all.len() % 40 < 39
                {
                    all.push([&[i as u8, 0], of(words, &text).as_slice()].concat());
                }
            });
        }
    }
    all
}

#[test]
fn decode_print_parse() {
    let bytes = |words: &[u32], _: &str| words.iter().flat_map(|w| w.to_le_bytes()).collect();
    smoke(&seeds(bytes), laws::decode_print_parse);
}

#[test]
fn assemble_line() {
    smoke(&seeds(|_, text| text.as_bytes().to_vec()), laws::assemble_line);
}

#[test]
fn assemble_source() {
    let around = |_: &[u32], text: &str| {
        format!(".macro m a\n{text}\n.endm\nl: m 1\n.if l\n.set x, . - l\n.endif\n.rept 2\n.long x\n.endr\n")
            .into_bytes()
    };
    smoke(&seeds(around), laws::assemble_source);
}

#[test]
fn read_elf() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/object");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the oracle's objects").flatten() {
        if entry.path().extension().is_some_and(|e| e == "o" || e == "so") {
            all.extend(std::fs::read(entry.path()));
        }
    }
    assert!(!all.is_empty());
    smoke(&all, laws::read_elf);
}
