//! Listings prove a shape once for all instructions of it, and write what is known without printing it. Here each proof is held against the
//! plain one, which assembles the printer's text: all instructions of a shape must have the same verdict, whichever came first; and what a
//! prover says of an instruction, whatever came before it, must be the plain verdict and the printer's text. And a listing in pieces
//! is the listing of the whole.

use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use wavediff::asm::Assembler;
use wavediff::asm::source::{NoFiles, assemble_with};
use wavediff::disasm::listing::{Counts, Listing, Source};
use wavediff::disasm::prover::Prover;
use wavediff::disasm::stream::Survey;
use wavediff::disasm::{decode, print};
use wavediff::isa::form::{Form, Table};
use wavediff::isa::{ARCHS, Arch, Gen, Target};
use wavediff::laws::{Chance, Density, instructions};

/// One processor of each variant, in every mode that changes its table.
fn targets() -> Vec<Target> {
    let mut all = Vec::new();
    for arch in ARCHS {
        all.push(Target::new(arch));
        all.extend(Target::new(arch).wave(64).filter(|_| arch.has_wave32()));
        if arch.generation >= Gen::Gfx11 {
            all.extend(Target::new(arch).with_mattr("+real-true16"));
        }
    }
    let mut seen = BTreeSet::new();
    all.retain(|t| seen.insert((t.arch.variant.bits(), t.features.bits())));
    all
}

/// One instruction in so many is known at least.
const LEAST_KNOWN: usize = 8;

/// What the proofs of one target said.
#[derive(Default)]
struct Tally {
    /// Instructions.
    all: usize,
    /// Those whose shape had come before.
    again: usize,
    /// Those whose text was known.
    known: usize,
    /// Shapes of which the plain proof says two things, and texts and verdicts of provers that are not those of the printer and the plain proof.
    wrong: Vec<String>,
}

/// Verdicts by shape: whether the first instruction had a proof, and its words.
type Verdicts = HashMap<[u32; 6], (bool, Vec<u32>)>;

/// Holds one instruction against the others of its shape.
fn hold(prover: &mut Prover, table: &Table, words: &[u32], verdicts: &mut Verdicts, tally: &mut Tally) {
    let Ok(decoded) = decode(table, words) else { return };
    let words = &words[..usize::from(decoded.len)];
    let mut text = Vec::new();
    print(table, &decoded, words, &mut text);
    let plain = prover.assemble(&text, words);
    let mut line = Vec::new();
    // As in a listing, others stand behind.
    let told = prover.text(&decoded, &[words, &[u32::MAX; 8]].concat(), &mut line);
    tally.known += usize::from(told == Ok(true));
    if line != text || told.is_ok() != plain.is_ok() {
        let (line, text) = (String::from_utf8_lossy(&line), String::from_utf8_lossy(&text));
        tally
            .wrong
            .push(format!("{words:08x?}: the line is `{line}` ({told:?}), the printer says `{text}` ({plain:?})"));
    }
    let Some(shape) = prover.shape(&decoded, words) else { return };
    tally.all += 1;
    match verdicts.get(&shape) {
        None => {
            verdicts.insert(shape, (plain.is_ok(), words.to_vec()));
        }
        Some((good, first)) => {
            tally.again += 1;
            if *good != plain.is_ok() {
                let text = String::from_utf8_lossy(&text);
                tally.wrong.push(format!("{words:08x?} `{text}`: {plain:?}, but {first:08x?} of its shape: {good}"));
            }
        }
    }
}

/// Instructions of a form, and each again with arbitrary values in some of its fields.
fn hold_form(prover: &mut Prover, table: &Table, form: &Form, density: Density, twists: usize, tally: &mut Tally) {
    let mut verdicts = Verdicts::new();
    let mut chance = Chance::new(density.seed ^ u64::from(form.base[0]) << 20);
    instructions(form, density, &mut |words| {
        hold(prover, table, words, &mut verdicts, tally);
        for _ in 0..twists {
            let mut twisted = words.to_vec();
            for slot in form.slots.iter().filter(|slot| slot.span.width != 0) {
                if chance.below(2) == 0 {
                    slot.span.set(&mut twisted, chance.next_u64() as u32);
                }
            }
            for m in form.mods.iter() {
                if chance.below(6) == 0 {
                    m.span.set(&mut twisted, chance.next_u64() as u32);
                }
            }
            if chance.below(4) == 0 {
                // Literals, at their borders too.
                let at = usize::from(form.words);
                twisted[at] = (chance.next_u64() as u32) >> chance.below(32);
            }
            hold(prover, table, &twisted, &mut verdicts, tally);
        }
    });
}

/// Holds all forms of targets, on all cores.
fn hold_all(targets: &[Target], density: Density, twists: usize) {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let table = Table::of(*target);
                    let mut prover = Prover::new(*target).eager();
                    let mut tally = Tally::default();
                    for form in &table.forms {
                        hold_form(&mut prover, table, form, density, twists, &mut tally);
                    }
                    let name = format!("{} {:?}", target.arch.name, target.features);
                    let Tally { all, again, known, .. } = tally;
                    println!("{name}: {all} instructions, {again} of a shape that had come before, {known} known");
                    let mut wrong = wrong.lock().expect("no panic");
                    // Where no two were of one shape, and none was known, nothing was held.
                    if again * 4 < all || known * LEAST_KNOWN < all {
                        wrong.push(format!(
                            "{name}: of {all} instructions only {again} share a shape, {known} are known"
                        ));
                    }
                    wrong.extend(tally.wrong.into_iter().map(|w| format!("{name}: {w}")));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn all_instructions_of_a_shape_have_the_same_proof() {
    let names = ["gfx600", "gfx803", "gfx908", "gfx90a", "gfx940", "gfx1030", "gfx1100", "gfx1200"];
    let mut few = targets();
    few.retain(|target| names.contains(&target.arch.name) && (target.generation() < Gen::Gfx10 || !target.wave64()));
    assert!(few.len() > names.len(), "halves of registers have tables of their own");
    hold_all(&few, Density { full: false, mixed: 1, seed: 17 }, 1);
}

#[test]
#[ignore = "minutes: every processor in every mode, more combinations"]
fn all_instructions_of_a_shape_have_the_same_proof_everywhere() {
    hold_all(&targets(), Density { full: false, mixed: 16, seed: 18 }, 4);
}

#[test]
#[ignore = "an hour: all values of short fields, and many combinations"]
fn all_instructions_of_a_shape_have_the_same_proof_exhaustively() {
    hold_all(&targets(), Density { full: true, mixed: 300, seed: 19 }, 12);
}

/// Two scalar registers that differ are one more on the constant bus than the same one twice; a shape keeps that.
#[test]
fn shapes_keep_what_rules_look_at() {
    let same = |gpu: &str, a: &str, b: &str| {
        let target = Target::new(Arch::find(gpu).expect("a processor"));
        let mut prover = Prover::new(target);
        let laws = wavediff::laws::Laws::of(target);
        let mut shape = |line: &str| {
            let words = laws.words(line).expect("an instruction");
            prover.shape(&decode(laws.table, &words).expect("an instruction"), &words)
        };
        let shapes = (shape(a), shape(b));
        shapes.0 == shapes.1
    };
    assert!(same("gfx600", "v_add_f32_e64 v1, s3, v5 clamp", "v_add_f32_e64 v9, s7, -v1"));
    assert!(same("gfx1100", "v_fma_f32 v0, s1, s1, v2", "v_fma_f32 v0, s9, s9, v2"));
    assert!(!same("gfx1100", "v_fma_f32 v0, s1, s1, v2", "v_fma_f32 v0, s9, s8, v2"));
    assert!(!same("gfx1100", "v_fma_f32 v0, s1, vcc_lo, v2", "v_fma_f32 v0, s9, s8, v2"));
    assert!(same("gfx900", "s_branch 5", "s_branch 65535"));
    assert!(same("gfx900", "s_add_u32 s0, s1, 0x12345", "s_add_u32 s9, s3, 0x6789a"));
    assert!(!same("gfx900", "s_add_u32 s0, s1, 0x12345", "s_add_u32 s9, s3, 0x80000001"));
    assert!(!same("gfx900", "v_add_f32_e64 v0, 1.0, v1", "v_add_f32_e64 v0, neg(1.0), v1"));
}

/// What is written without proof reads one value over the constant bus at most: two of them are one only where they are the same.
#[test]
fn two_scalars_are_never_known() {
    let target = Target::new(Arch::find("gfx600").expect("a processor"));
    let laws = wavediff::laws::Laws::of(target);
    let mut prover = Prover::new(target).eager();
    let mut told = |words: &[u32]| {
        let words = [words, &[0; 8]].concat();
        let decoded = decode(laws.table, &words).expect("an instruction");
        prover.text(&decoded, &words, &mut Vec::new())
    };
    let fma = |line: &str| laws.words(line).expect("an instruction");
    // The second source has nine bits from bit 9 of the second word on.
    let other = |words: &[u32]| vec![words[0], words[1] & !(0x1ff << 9) | 7 << 9];
    for line in ["v_fma_f32 v0, s1, s1, v2", "v_fma_f32 v0, s1, s1, v2 clamp", "v_fma_f32 v0, s1, s1, -v2"] {
        for n in 0..6 {
            assert_eq!(told(&fma(line)), Ok(false), "{line}, the {n}th time");
        }
        assert!(told(&other(&fma(line))).is_err(), "{line}, with s7");
    }
    assert_eq!(told(&fma("v_fma_f32 v0, s1, v3, -v2")), Ok(false));
    assert_eq!(told(&fma("v_fma_f32 v9, s5, v3, -v7")), Ok(false));
    assert_eq!(told(&fma("v_fma_f32 v8, s6, v3, -v1")), Ok(true), "one scalar is known once it has a template");
}

/// Random words with many branches, and a branch into the middle of an instruction here and there.
fn arbitrary(table: &Table, words: usize, seed: u64) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let branch = table.candidates("s_branch")[0];
    let mut all: Vec<u32> = Vec::new();
    while all.len() < words {
        match chance.below(4) {
            0 => all.push(
                table.forms[usize::from(branch)].base[0]
                    | (chance.below(200) as u32).wrapping_add(0xffff_ff9c) & 0xffff,
            ),
            1 => all.push(chance.next_u64() as u32),
            _ => {
                let form = &table.forms[chance.below(table.forms.len())];
                let made = wavediff::laws::instruction(form, &mut chance);
                let len = decode(table, &made).map_or(1, |d| usize::from(d.len));
                all.extend(&made[..len]);
            }
        }
    }
    all.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_listing_in_pieces_is_the_listing_of_the_whole() {
    for (seed, gpu) in ["gfx600", "gfx900", "gfx1030", "gfx1100", "gfx1200"].into_iter().enumerate() {
        let target = Target::new(Arch::find(gpu).expect("a processor"));
        let table = Table::of(target);
        let mut bytes = arbitrary(table, 3000, seed as u64);
        for tail in 0..3 {
            bytes.extend(std::iter::repeat_n(0x5a, usize::from(tail == 1)));
            let mut whole = Vec::new();
            let listing = Listing::new(target, &Source { bytes: &bytes, ..Source::default() });
            let counts = listing.print(&mut whole);
            assert!(listing.labels() > 50 && counts.data > 50 && counts.instructions > 500, "{gpu}: {counts:?}");
            let sizes = [(64, 1, 1000), (128, 7, 13), (1024, 500, 4096), (1 << 20, 1 << 20, 1 << 20)];
            for (stretch, piece, chunk) in sizes {
                let mut survey = Survey::with_sizes(target, stretch, piece);
                bytes.chunks(chunk).for_each(|chunk| survey.read(chunk));
                let pieces = survey.finish();
                assert_eq!(pieces.bytes(), bytes.len() as u64);
                let mut prover = pieces.prover();
                let (mut text, mut sum) = (Vec::new(), Counts::default());
                for n in 0..pieces.count() {
                    let (start, _, end) = pieces.extent(n);
                    let counts = pieces.print(n, &bytes[start as usize..end as usize], &mut prover, &mut text);
                    sum.instructions += counts.instructions;
                    sum.data += counts.data;
                    sum.ambiguous += counts.ambiguous;
                }
                assert!(text == whole, "{gpu} in pieces of {piece} words: {}", first_difference(&text, &whole));
                assert_eq!(sum, counts);
            }
        }
        let mut text = Vec::new();
        Listing::new(target, &Source { bytes: &bytes, ..Source::default() }).print(&mut text);
        let text = String::from_utf8(text).expect("text");
        let assembly = assemble_with("listing.s", &text, &Assembler::new(target), target, &NoFiles);
        assert_eq!(assembly.diagnostics.len(), 0, "{gpu}: {}", assembly.diagnostics[0]);
    }
}

fn first_difference(a: &[u8], b: &[u8]) -> String {
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let at = a.lines().zip(b.lines()).position(|(a, b)| a != b);
    at.map_or_else(
        || "one ends before the other".to_owned(),
        |at| {
            format!("line {}: `{}` and `{}`", at + 1, a.lines().nth(at).unwrap_or(""), b.lines().nth(at).unwrap_or(""))
        },
    )
}
