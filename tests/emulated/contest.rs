//! Where lanes store to one word, any of them may win.

use wavediff::emu::engine::Emulator;
use wavediff::isa::{Arch, Target};
use wavediff::suite::Suite;
use wavediff::suite::contest::contested;
use wavediff::suite::draw::Single;
use wavediff::suite::single::Batch;
use wavediff::suite::stage::{Inverted, Variant};

/// Rows, their words, as llvm-mc has them, of `global_store_dword v[0:1], v2, off` and `buffer_store_lds_dword s[4:7], s8 lds`, and the memories that
/// are inverted for them: the second reads its data in LDS.
const STORES: [(&str, [u32; 2], Inverted); 2] = [
    ("global_store_dword", [0xdc70_8000, 0x007f_0200], Inverted { guest: true, lds: true }),
    ("buffer_store_lds_dword", [0xe0f5_0000, 0x0801_0000], Inverted { guest: true, lds: false }),
];

#[test]
fn any_lane_may_win_and_nothing_else() {
    for (row, words, written) in STORES {
        any_lane_may_win_of(row, &words, written);
    }
}

fn any_lane_may_win_of(row: &'static str, words: &[u32], written: Inverted) {
    let target = Target::new(Arch::find("gfx900").expect("a processor"));
    let single = Single { name: row.to_owned(), row, number: 0, words: words.to_vec() };
    let batch = Batch { suite: Suite::Memory, target, lanes: 64, seed: 1, inputs: 16, singles: vec![single] };
    let ready = batch.ready();
    let emulator = Emulator::default();
    let first = |inverted| Variant { only: 1, inverted };
    let mut shared = 0;
    for place in batch.places() {
        let run = |variant| ready.run_so(&emulator, &[place], variant).expect("a run").remove(0);
        let (expected, one, other) = (run(Variant::default()), run(first(Inverted::default())), run(first(written)));
        // The lowest lane comes last.
        let mut got = expected.clone();
        for (n, memory) in got.memory.iter_mut().enumerate() {
            for (at, byte) in memory.bytes.iter_mut().enumerate() {
                let (one, other) = (one.memory[n].bytes[at], other.memory[n].bytes[at]);
                *byte = if one == other { one } else { *byte };
            }
        }
        if got.memory == expected.memory {
            continue;
        }
        shared += 1;
        assert!(contested(&ready, place, &expected, &got).expect("a run"), "{place:?}");
        // Where no two lanes write, the emulator is right.
        let last = got.memory.iter_mut().rev().find_map(|memory| memory.bytes.last_mut());
        *last.expect("memory") ^= 1;
        assert!(!contested(&ready, place, &expected, &got).expect("a run"), "{place:?}");
    }
    assert!(shared > 0, "{row}: no lanes meet");
}
