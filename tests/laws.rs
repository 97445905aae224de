//! Laws of the tables, on every processor: every form is reached by its own bits, every row has a form, every word that decodes
//! has a text that means it, and nothing panics. Instructions are generated from the tables (see `wavediff::laws`).

#[path = "support/thorough.rs"]
mod thorough;

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use thorough::tries;
use wavediff::disasm;
use wavediff::isa::form::{Kind, Table};
use wavediff::isa::format::{DPP, FORMATS, SDWA};
use wavediff::isa::row::{Inst, Traits};
use wavediff::isa::{ARCHS, Gen, Target, gcn};
use wavediff::laws::{Broken, Chance, Density, Laws, instructions};

/// Every processor in every mode that changes its table.
fn targets() -> Vec<Target> {
    let mut all = Vec::new();
    for arch in ARCHS {
        all.push(Target::new(arch));
        if arch.has_wave32() {
            all.extend(Target::new(arch).wave(64));
        }
        if arch.generation >= Gen::Gfx11 {
            all.extend(Target::new(arch).with_mattr("+real-true16"));
        }
    }
    all
}

/// One processor of each variant, in every mode: processors of one variant have equal tables.
fn variants() -> Vec<Target> {
    let mut seen = BTreeSet::new();
    targets().into_iter().filter(|t| seen.insert((t.arch.variant.bits(), t.features.bits()))).collect()
}

/// Runs `each` on all targets, on as many threads as there are processors, and gathers what it finds wrong.
fn on_all(targets: &[Target], each: impl Fn(&Laws, &mut Vec<String>) + Sync) {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut mine = Vec::new();
                    each(&Laws::of(*target), &mut mine);
                    let name = format!("{} {:?}", target.arch.name, target.features);
                    wrong.lock().expect("no panic").extend(mine.into_iter().map(|w| format!("{name}: {w}")));
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} broken:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn every_form_is_reached_by_its_own_bits_and_has_a_name() {
    on_all(&targets(), |laws, wrong| {
        for form in &laws.table.forms {
            if form.name.is_empty() || laws.table.candidates(form.name).is_empty() && !is_dual(form) {
                wrong.push(format!("no name: {:?}", form.row.name));
            }
            let mut reached = false;
            instructions(form, Density { full: false, mixed: 0, seed: 0 }, &mut |words| {
                // Legal values of fields differ from form to form: one that is legal is enough.
                reached = reached || disasm::decode(laws.table, words).is_ok_and(|d| std::ptr::eq(d.form, form));
            });
            if !reached {
                wrong.push(format!("{} ({} {:?}) is not reached", form.name, form.format.name, form.variant));
            }
        }
    });
}

fn is_dual(form: &wavediff::isa::form::Form) -> bool {
    form.slots.iter().any(|s| matches!(s.kind, Kind::Dual(_)))
}

#[test]
fn every_row_and_format_and_trait_is_used() {
    let mut rows: BTreeSet<*const Inst> = BTreeSet::new();
    let mut formats = BTreeSet::new();
    for target in variants() {
        for form in &Table::of(target).forms {
            rows.insert(form.row);
            formats.insert(std::ptr::from_ref(form.format));
        }
    }
    // The second halves of dual instructions are places of other forms.
    let halves: BTreeSet<&str> = [Gen::Gfx11, Gen::Gfx12]
        .into_iter()
        .flat_map(|g| variants().into_iter().filter(move |t| t.generation() == g))
        .flat_map(|t| Table::of(t).forms.iter())
        .flat_map(|f| f.slots.iter())
        .filter_map(|s| if let Kind::Dual(name) = s.kind { Some(name) } else { None })
        .collect();
    let mut traits = Traits::empty();
    for row in gcn::rows() {
        let used = rows.contains(&std::ptr::from_ref(row)) || halves.contains(row.name);
        assert!(used, "{} has no form anywhere", row.name);
        assert!(row.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{}", row.name);
        traits |= row.traits;
        for (generation, name) in row.renamed {
            assert!(row.code[*generation as usize] != u16::MAX || row.name_in(*generation) == *name, "{name}");
        }
    }
    for format in FORMATS {
        assert!(formats.contains(&std::ptr::from_ref(format)), "{} {:?} has no form", format.name, format.on);
    }
    for format in SDWA.iter().chain(DPP) {
        assert!(!format.fields.is_empty(), "{}", format.name);
    }
    let unused = Traits::all() - traits;
    assert!(unused.iter_names().map(|(n, _)| n).eq(UNUSED_TRAITS.iter().copied()), "traits of no row: {unused:?}");
}

/// Traits that no row has.
const UNUSED_TRAITS: &[&str] = &[];

/// A class of words whose LLVM text does not lead back to them, and why that is no mistake, or is still one.
struct Known {
    /// Formats; none for all.
    formats: &'static [&'static str],
    /// The beginning of the assembler's message; empty where it makes other words.
    message: &'static str,
    reason: &'static str,
}

const RULE: &str = "an operand rule: the hardware forbids what the decoder can read, and LLVM's assembler does too";

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    Known { formats: &["VOPD"], message: "the first sources of both halves", reason: RULE },
    Known { formats: &["VOPD"], message: "the second sources of both halves", reason: RULE },
    Known { formats: &["VOPD"], message: "the third sources of both halves", reason: RULE },
    Known { formats: &[], message: "more scalar values than the constant bus carries", reason: RULE },
    Known { formats: &[], message: "lds_direct is not allowed here", reason: RULE },
    Known { formats: &[], message: "the destination must not overlap", reason: RULE },
    Known { formats: &["MAI"], message: "the accumulator must not overlap", reason: RULE },
    Known { formats: &["MIMG", "VSAMPLE"], message: "a gather takes one component", reason: RULE },
    Known { formats: &["MIMG", "VIMAGE"], message: "the dmask of an atomic", reason: RULE },
    Known { formats: &["MIMG", "VSAMPLE"], message: "the dimension must be one with samples", reason: RULE },
    Known { formats: &["MUBUF", "VBUFFER"], message: "the status word of tfe", reason: RULE },
    Known { formats: &["VFLAT", "VGLOBAL"], message: "this instruction must have th:TH_ATOMIC_RETURN", reason: RULE },
    Known { formats: &[], message: "this temporal hint does not go with this scope", reason: RULE },
    Known { formats: &["VOP3P"], message: "the dot products of this processor read whole registers", reason: RULE },
    Known { formats: &["MAI", "VOP3P"], message: "the accumulator is no constant", reason: RULE },
    Known { formats: &["MAI", "VOP3P"], message: "a vector register or a constant is needed here on", reason: RULE },
    Known { formats: &["SOPK"], message: "this processor counts from", reason: RULE },
    Known { formats: &["DS"], message: "the register of a barrier must be even", reason: RULE },
    Known { formats: &[], message: "the last register must be in", reason: "an image's registers go past v255: their number is not in the words" },
    Known { formats: &[], message: "the number of data registers", reason: "LLVM prints the narrowest data where no width fits dmask, d16 and tfe" },
    Known { formats: &[], message: "the number of address registers", reason: "LLVM prints the shortest list where none fits the dimension" },
    Known { formats: &["MIMG"], message: "vector register ranges start at an even number", reason: "the narrowest data where no width fits" },
    Known { formats: &[], message: "unknown temporal hint", reason: "LLVM prints reserved temporal hints as words it does not read" },
    Known { formats: &[], message: "expected a temporal hint", reason: "LLVM prints reserved temporal hints as words it does not read" },
    Known { formats: &["VOP3"], message: "only the third source and the result have selectors", reason: "the bits are read and mean nothing" },
    Known { formats: &["SOP2", "SOPC", "VOP1", "VOP2", "VOP3", "VOP3B", "VOP3P", "VOPC"], message: "this constant does not fit", reason: "the modifier of a 64-bit literal folds into its value in LLVM's syntax" },
    Known { formats: &[], message: "this register does not exist on this processor: `src_", reason: "LLVM shows src_vccz and src_execz on gfx11 and later, where its assembler refuses them" },
    Known { formats: &["EXP", "VEXPORT"], message: "", reason: "the register of a channel that is off is not printed" },
    Known { formats: &["SMEM"], message: "", reason: "LLVM's text does not say a register that the bits turn off" },
    Known { formats: &["MIMG", "VIMAGE", "VSAMPLE"], message: "", reason: "address fields that the dimension leaves unused are not in the text" },
    Known { formats: &["VBUFFER"], message: "", reason: "the format of untyped accesses means nothing and is not in the text" },
    Known { formats: &["VOP3"], message: "", reason: "selectors of sources that have none are not in the text" },
    Known { formats: &["VOPC"], message: "", reason: "LLVM has one text for vcc by default and vcc by name" },
];

fn known(broken: &Broken, format: &str) -> Option<usize> {
    let message = match broken {
        Broken::Refused { error, .. } => error.to_string(),
        Broken::Changed { .. } => String::new(),
        _ => return None,
    };
    KNOWN.iter().position(|k| {
        let same = if k.message.is_empty() { message.is_empty() } else { message.starts_with(k.message) };
        same && (k.formats.is_empty() || k.formats.contains(&format))
    })
}

/// Classes of [`KNOWN`] that were needed, and by how many words.
fn needed() -> &'static Mutex<BTreeMap<usize, usize>> {
    static NEEDED: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());
    &NEEDED
}

fn survey(targets: &[Target], density: Density) {
    on_all(targets, |laws, wrong| {
        let mut mine: BTreeMap<usize, usize> = BTreeMap::new();
        for form in &laws.table.forms {
            instructions(form, density, &mut |words| {
                let Err(broken) = laws.decode_print_parse(words) else { return };
                match known(&broken, form.format.name) {
                    Some(class) => *mine.entry(class).or_default() += 1,
                    None => wrong.push(broken.to_string()),
                }
            });
        }
        let mut all = needed().lock().expect("no panic");
        for (class, n) in mine {
            *all.entry(class).or_default() += n;
        }
    });
}

#[test]
fn generated_words_have_a_text_that_means_them() {
    survey(&variants(), Density { full: false, mixed: 24, seed: 1 });
    let needed = needed().lock().expect("no panic");
    let mut unused = Vec::new();
    for (i, k) in KNOWN.iter().enumerate() {
        assert!(!k.reason.is_empty());
        match needed.get(&i) {
            Some(n) => println!("{n:8} {:?} {:?}: {}", k.formats, k.message, k.reason),
            None => unused.push((k.formats, k.message)),
        }
    }
    assert!(unused.is_empty(), "nothing needs {unused:?}");
}

#[test]
fn random_words_have_a_text_that_means_them() {
    on_all(&variants(), |laws, wrong| {
        let mut chance = Chance::new(0x5eed);
        // One in 32,768 of all first words, or in 8,192, with arbitrary words behind.
        for _ in 0..tries(1 << 17, 1 << 19) {
            let draw = [chance.next_u64(), chance.next_u64(), chance.next_u64()];
            let words = draw.map(|d| [d as u32, (d >> 32) as u32]).concat();
            if let Err(broken) = laws.decode_print_parse(&words) {
                let format = disasm::decode(laws.table, &words).map_or("", |d| d.form.format.name);
                if known(&broken, format).is_none() {
                    wrong.push(broken.to_string());
                }
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_lines_are_refused_or_decode(
        which in 0..variants().len(),
        form in 0usize..4000,
        pieces in prop::collection::vec("v[0-9]{1,3}|s[0-9]{1,3}|v\\[[0-9]{1,3}:[0-9]{1,3}\\]|s\\[[0-9]{1,2}:[0-9]{1,3}\\]|vcc|exec|m0|null|-?[0-9]{1,12}|0x[0-9a-f]{1,17}|[0-9]\\.[0-9]e-?[0-9]{1,3}|-?\\|v1\\||neg\\(|abs\\(|sext\\(|off|\\PC{1,6}|[a-z_]{2,9}:[0-9a-z\\[\\],]{0,8}|::|\\)|\\[|\\]|lit\\(", 0..8),
        commas in any::<u16>(),
    ) {
        let laws = Laws::of(variants()[which]);
        let forms = &laws.table.forms;
        let mut line = forms[form % forms.len()].name.to_owned();
        for (i, piece) in pieces.iter().enumerate() {
            line.push_str(if i == 0 || commas >> i & 1 != 0 { " " } else { ", " });
            line.push_str(piece);
        }
        if let Err(broken) = laws.assemble_line(&line) {
            panic!("{broken}");
        }
    }

    #[test]
    fn changed_lines_are_refused_or_decode(
        which in 0..variants().len(),
        form in 0usize..4000,
        pick in 0usize..500,
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[ -~]"), 1..4),
    ) {
        let laws = Laws::of(variants()[which]);
        let forms = &laws.table.forms;
        let mut lines = Vec::new();
        instructions(&forms[form % forms.len()], Density { full: false, mixed: 4, seed: 3 }, &mut |words| {
            lines.extend(laws.text(words).map(|(text, _)| text));
        });
        let mut line: Vec<char> = lines[pick % lines.len()].chars().collect();
        for (at, with) in damage {
            let at = at.index(line.len());
            line[at] = with.chars().next().unwrap_or(' ');
        }
        let line: String = line.into_iter().collect();
        if let Err(broken) = laws.assemble_line(&line) {
            panic!("{broken}");
        }
    }

    #[test]
    fn any_words_are_refused_or_printed(which in 0..targets().len(), words in prop::collection::vec(any::<u32>(), 0..6)) {
        let _ = Laws::of(targets()[which]).decode_print_parse(&words);
    }
}
