//! The interpreter of the guide's pseudo-code, tested by itself: what it covers, that each listed fault is one, and what an RX 7900 XTX
//! said about instructions that can be set apart. Without the text in `../shared` the tests say that they are skipped.

#[path = "pseudocode/mod.rs"]
mod pseudocode;

use pseudocode::{Inputs, Reference};

fn reference() -> Option<Reference> {
    let reference = Reference::load();
    if reference.is_none() {
        println!("skipped: the pseudo-code is not there");
    }
    reference
}

#[test]
fn every_formal_text_parses() {
    let Some(reference) = reference() else { return };
    let mut bad = Vec::new();
    for name in reference.names() {
        let entry = reference.entry(name).expect("an entry");
        if let (true, Err(error)) = (entry.formal, &entry.program) {
            bad.push(format!("{name}: {error}\n    {}", entry.text));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn evaluates() {
    let Some(reference) = reference() else { return };
    for name in reference.names() {
        if let Err(e) = reference.eval(name, &Inputs::default()) {
            println!("{name}: {e:?}");
        }
    }
}
