//! Which of the fields that an instruction does not use LLVM's disassembler looks past.
//!
//! Of some formats its tables leave such fields open, of others they ask for the value that its assembler writes. Both is taken from what
//! llvm-mc 19 does with each of these fields (`tests/idle_fields.rs`); there is no rule behind it. What executes code looks past all of them
//! ([`Form::idle`](super::form::Form::idle)).

use super::arch::Variants;
use super::format::Format;

/// Fields of a format which are looked past where they are idle.
struct Past {
    on: Variants,
    formats: &'static [&'static str],
    /// Their names; `""` for the bits of no field.
    fields: &'static [&'static str],
}

#[rustfmt::skip]
static PAST: &[Past] = &[
];

/// The bits of a form of a format that are looked past where they are idle.
pub(super) fn looked_past(on: Variants, format: &Format, second: Option<&Format>) -> [u32; 5] {
    let mut bits = [0; 5];
    for (format, shift) in [(Some(format), 0), (second, 32 * (format.words - 1))] {
        let Some(format) = format else { continue };
        let past = |past: &&Past| past.on.contains(on) && past.formats.contains(&format.name);
        for past in PAST.iter().filter(past) {
            for name in past.fields {
                match format.field(name) {
                    Some(span) => span.moved(shift).set(&mut bits, u32::MAX),
                    None if name.is_empty() => rest(format, shift, &mut bits),
                    None => {}
                }
            }
        }
    }
    bits
}

/// Sets the bits of the words of a format that belong to no field.
fn rest(format: &Format, shift: u8, bits: &mut [u32; 5]) {
    let mut named = [0; 5];
    named[usize::from(shift / 32)] = format.mask;
    for span in format.fields.iter().map(|field| field.span).chain([format.op]) {
        span.moved(shift).set(&mut named, u32::MAX);
    }
    // The word of SDWA or DPP is the second one of its format, which has no first.
    for word in u8::from(format.mask == 0)..format.words {
        let at = usize::from(word + shift / 32);
        bits[at] |= !named[at];
    }
}
