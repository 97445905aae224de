//! What an instruction changes.

use wavediff::emu::engine::Emulator;
use wavediff::isa::{Arch, Target};
use wavediff::suite::Suite;
use wavediff::suite::draw::Single;
use wavediff::suite::effects::{Effects, apart, of_single};
use wavediff::suite::single::Batch;

/// What the last of some instructions changes.
fn effects(words: &[(&str, u32)]) -> Effects {
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    let single =
        |(name, word): &(&str, u32)| Single::new(target, (*name).to_owned(), vec![*word]).expect("an instruction");
    let singles = words.iter().map(single).collect();
    let batch = Batch { suite: Suite::Alu, target, lanes: 64, seed: 1, inputs: 1, singles };
    let ready = batch.ready();
    let places = batch.places();
    let last = *places.last().expect("a place");
    let after = ready.run(&Emulator::default(), &[last]).expect("a run").remove(0);
    let before = ready.before(&[last]).expect("a state").remove(0);
    of_single(&before, &after, ready.extent(last.single))
}

#[test]
fn what_an_instruction_changes_is_its_result_wherever_it_stands() {
    let add = ("v_add_f32_e32", 0x0200_0501);
    let alone = effects(&[add]);
    assert_eq!(alone.keys().map(String::as_str).collect::<Vec<_>>(), ["v0"]);
    assert_eq!(effects(&[("s_nop", 0xbf80_0000), add]), alone);
    assert_ne!(effects(&[("another_name", 0x0200_0501)]), alone, "inputs follow from the name");
}

#[test]
fn places_that_differ_are_named() {
    let one = Effects::from([("v0".to_owned(), 1), ("s3".to_owned(), 2)]);
    let other = Effects::from([("v0".to_owned(), 1), ("s3".to_owned(), 3), ("vcc".to_owned(), 4)]);
    assert_eq!(apart(&one, &other), ["s3", "vcc"]);
    assert_eq!(apart(&other, &other), [""; 0]);
}
