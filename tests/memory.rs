//! Memory instructions with random fields: what decodes is printed, and the text assembles to the same words.

use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::disasm;
use wavediff::isa::form::Table;
use wavediff::isa::row::Family;
use wavediff::isa::{ARCHS, Arch, Gen, Target};

/// A small generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    /// Mostly few bits, sometimes many: fields that may only be zero stay zero often enough.
    fn sparse(&mut self) -> u32 {
        match self.next() % 4 {
            0 => self.next(),
            1 => self.next() & self.next(),
            _ => self.next() & self.next() & self.next() & self.next(),
        }
    }
}

fn is_memory(family: Family) -> bool {
    matches!(family, Family::Smem | Family::Mubuf | Family::Mtbuf | Family::Flat | Family::Global | Family::Scratch)
}

/// Whether the words say what the assembler cannot: a store with a status word, a temporal hint without a name or whose name
/// leaves the bit of the result out, one which is taken for "bypass", and the mask of a processor without XNACK. LLVM prints all
/// of these, and assembles none.
fn has_no_text(arch: &Arch, text: &str) -> bool {
    text.contains("xnack_mask") && !arch.has_xnack()
        || text.contains("store") && text.ends_with(" tfe")
        || text.contains("th:") && text.contains("0x")
        || text.contains("_CASCADE_")
        // Names that only disassemblers have from gfx11 on.
        || text.contains("src_vccz")
        || text.contains("src_execz")
        || text.contains("TH_ATOMIC_NT_RETURN scope:SCOPE_SYS")
}

fn assemble(assembler: &Assembler, text: &str) -> Result<Vec<u32>, String> {
    let encoded = assembler.encode(text, &NoSymbols).map_err(|e| e.to_string())?;
    Ok(encoded.words[..usize::from(encoded.len)].to_vec())
}

fn round_trip(arch: &'static Arch, random: &mut Random) -> usize {
    let target = Target::new(arch);
    let table = Table::of(target);
    let assembler = Assembler::new(target);
    let mut decoded = 0;
    for form in table.forms.iter().filter(|f| is_memory(f.row.family)) {
        for round in 0..200 {
            let mut words = [0u32; 3];
            for (word, (base, known)) in words.iter_mut().zip(form.base.iter().zip(&form.known)) {
                // The first rounds set nothing but what must be set.
                let noise = if round == 0 { 0 } else { random.sparse() };
                *word = noise & known | base;
            }
            let Ok(instruction) = disasm::decode(table, &words) else { continue };
            if !is_memory(instruction.form.row.family) {
                continue;
            }
            let words = &words[..usize::from(instruction.len)];
            let mut text = Vec::new();
            disasm::print(table, &instruction, words, &mut text);
            let text = String::from_utf8(text).expect("the text is ASCII");
            if has_no_text(arch, &text) {
                continue;
            }
            let again = assemble(&assembler, &text).unwrap_or_else(|e| panic!("{} {text}: {e} {words:x?}", arch.name));
            let family = instruction.form.row.family;
            // Fields that nothing uses are written as the assembler has them.
            let settled = disasm::executed(table, words).map_or(words.to_vec(), |e| e.words[..words.len()].to_vec());
            assert_eq!(again, canonical(&settled, family, arch.generation), "{} {text}", arch.name);
            decoded += 1;
        }
    }
    decoded
}

/// The words as the assembler writes them, where several mean the same.
fn canonical(words: &[u32], family: Family, generation: Gen) -> Vec<u32> {
    let mut words = words.to_vec();
    // gfx9 may name a lone offset register in either of two fields.
    if family == Family::Smem && generation == Gen::Gfx9 && words[0] >> 14 & 1 == 1 && words[0] >> 17 & 1 == 0 {
        words[0] &= !(1 << 14);
        words[1] >>= 25;
    }
    // The format of an untyped instruction.
    if family == Family::Mubuf && generation == Gen::Gfx12 {
        words[1] = words[1] & !(0x7f << 23) | 1 << 23;
    }
    words
}

#[test]
fn what_is_decoded_assembles_again() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for arch in ARCHS {
        let decoded = round_trip(arch, &mut random);
        assert!(decoded > 1000, "{}: only {decoded} instructions decoded", arch.name);
    }
}

#[test]
fn offsets_that_do_not_fit_are_errors() {
    let cases = [
        ("gfx900", "buffer_load_dword v1, off, s[4:7], s1 offset:4096"),
        ("gfx600", "buffer_load_dword v1, off, s[4:7], s1 offset:-1"),
        ("gfx1200", "buffer_load_b32 v1, off, s[4:7], s1 offset:8388608"),
        ("gfx600", "s_load_dword s1, s[2:3], 256"),
        ("gfx803", "s_load_dword s1, s[2:3], -1"),
        ("gfx900", "s_buffer_load_dword s1, s[4:7], -1"),
        ("gfx1010", "global_load_dword v1, v[2:3], off offset:2048"),
        ("gfx1010", "flat_load_dword v1, v[2:3] offset:2048"),
        ("gfx803", "flat_load_dword v1, v[2:3] offset:4"),
    ];
    for (arch, text) in cases {
        let target = Target::new(Arch::find(arch).expect("a known processor"));
        assert!(assemble(&Assembler::new(target), text).is_err(), "{arch} {text}");
    }
}
